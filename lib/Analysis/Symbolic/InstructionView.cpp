//===- InstructionView.cpp - An instruction taken apart -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "InstructionView.h"

using namespace ptxpredict;
using Ref = const Expression *;

InstructionView::InstructionView(const PartialValues &Known,
                                 const Instruction &At)
    : Values(Known), I(At) {
  StringRef Text = I.Modifiers;
  if (Text.consume_front("."))
    Text.split(Modifiers, '.');
  for (const Operand &O : I.Operands)
    if (O.Role != OperandRole::Write) {
      Sources.push_back(&O);
      SourcesAreKnown &= isKnown(O);
    }
}

bool InstructionView::isKnown(const Operand &O) const {
  using K = Operand::KindTy;
  switch (O.Kind) {
  case K::Register:
    return Values.get(O.Role == OperandRole::ReadWrite && O.In ? O.In : O.Val);
  case K::Integer:
  case K::Float32:
  case K::Float64:
  case K::Special:
  case K::Variable:
  case K::Parameter:
    return true;
  default:
    return operand(O, 64);
  }
}

Ref InstructionView::source(unsigned N, unsigned Width) const {
  Ref X = operand(*Sources[N], Width);
  return X->Width == Width || X->Width == 1
             ? X
             : expressions().resize(X, Width, false);
}

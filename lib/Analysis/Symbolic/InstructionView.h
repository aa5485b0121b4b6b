//===- InstructionView.h - An instruction taken apart -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_INSTRUCTIONVIEW_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_INSTRUCTIONVIEW_H

#include "PartialValues.h"
#include "ptxpredict/ISA/PTXOpcode.h"

namespace ptxpredict {

/// An instruction with its modifiers taken apart, and the expressions of what
/// it reads.
class InstructionView {
public:
  using Ref = const Expression *;
  InstructionView(const PartialValues &Values, const Instruction &I);

  const Instruction &instruction() const { return I; }
  ptx::Opcode opcode() const { return ptx::Opcode(I.Opcode); }
  Expressions &expressions() const { return Values.expressions(); }

  ArrayRef<StringRef> modifiers() const { return Modifiers; }
  bool has(StringRef Modifier) const {
    return llvm::is_contained(Modifiers, Modifier);
  }
  /// The type that the last modifier names.
  std::optional<ScalarType> type() const {
    return Modifiers.empty() ? std::nullopt : parseScalarType(Modifiers.back());
  }

  /// All operands that are not written alone.
  ArrayRef<const Operand *> sources() const { return Sources; }
  /// There is an expression for every source.
  bool areSourcesKnown() const { return SourcesAreKnown; }
  /// An operand's expression, of its own width, or of \p Width where it has
  /// none.
  Ref operand(const Operand &O, unsigned Width) const {
    return Values.operand(I, O, Width);
  }
  /// Source \p N, which is known, as a number of \p Width bits; a predicate
  /// stays one.
  Ref source(unsigned N, unsigned Width) const;

private:
  bool isKnown(const Operand &O) const;

  const PartialValues &Values;
  const Instruction &I;
  SmallVector<const Operand *, 6> Sources;
  SmallVector<StringRef, 6> Modifiers;
  bool SourcesAreKnown = true;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_INSTRUCTIONVIEW_H

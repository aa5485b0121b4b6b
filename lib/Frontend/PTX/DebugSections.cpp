//===- DebugSections.cpp - Debug sections of PTX as bytes -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DebugSections.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

static unsigned bytesOf(ScalarType Type) { return bitWidth(Type) / 8; }

DebugSections::DebugSections(const AST &Tree, ArrayRef<StringRef> Names) {
  SmallVector<const Section *, 4> Found;
  for (const Node *N : Tree.Items)
    if (const auto *S = dyn_cast<Section>(N);
        S && llvm::is_contained(Names, S->Name))
      Found.push_back(S);
  // Values may name labels further down.
  for (const Section *S : Found)
    addLabels(*S);
  for (const Section *S : Found)
    addBytes(*S);
}

void DebugSections::addLabels(const Section &S) {
  Labels.try_emplace(S.Name, 0);
  uint64_t &Place = SizeSoFar[S.Name];
  for (const SectionItem &I : S.Items)
    if (I.IsLabel)
      Labels.try_emplace(I.Text, Place);
    else
      Place += (1 + I.Text.count(',')) * bytesOf(I.Type);
}

void DebugSections::addBytes(const Section &S) {
  std::string &To = Bytes[S.Name];
  To.reserve(SizeSoFar.lookup(S.Name));
  for (const SectionItem &I : S.Items) {
    if (I.IsLabel)
      continue;
    StringRef Rest = I.Text;
    while (!Rest.empty()) {
      StringRef Value;
      std::tie(Value, Rest) = Rest.split(',');
      uint64_t Bits = evaluate(Value);
      for (unsigned N = 0; N != bytesOf(I.Type); ++N)
        To += char(Bits >> 8 * N);
    }
  }
}

/// `12`, `0x1f`, `-1`, `label+8`, `a-b`
uint64_t DebugSections::evaluate(StringRef Value) const {
  uint64_t Sum = 0, Number;
  bool Minus = false;
  for (Value = Value.trim(); !Value.empty(); Value = Value.ltrim()) {
    if (Value.consume_front("+"))
      continue;
    if (Value.consume_front("-")) {
      Minus = true;
      continue;
    }
    StringRef Term = Value.take_until(
        [](char C) { return C == '+' || C == '-' || C == ' ' || C == '\t'; });
    if (Term.empty()) // a line's end within the value
      Term = Value.take_front();
    Value = Value.drop_front(Term.size());
    if (Term.getAsInteger(0, Number))
      Number = Labels.lookup(Term);
    Sum += Minus ? -Number : Number;
    Minus = false;
  }
  return Sum;
}

StringRef DebugSections::bytes(StringRef Section) const {
  auto It = Bytes.find(Section);
  return It == Bytes.end() ? StringRef() : StringRef(It->second);
}

std::optional<uint64_t> DebugSections::place(StringRef Label) const {
  auto It = Labels.find(Label);
  return It == Labels.end() ? std::nullopt : std::optional(It->second);
}

//===- SymbolicForms.cpp - Formulas where numbers are missing -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SymbolicForms.h"
#include "ptxpredict/Analysis/Symbolic/Formulas.h"
#include "llvm/ADT/DenseMap.h"

using namespace ptxpredict;

namespace {

/// What a loop waits for says more than a formula.
bool lacksCount(const LoopCharacteristics &L) {
  return !L.TripCount.isKnown() && L.WaitsFor.empty();
}
bool lacksStride(const MemoryCharacteristics &M) {
  return !M.LaneStrideBytes.has_value();
}

/// A place in the code: its line, and the label or opcode there. Texts live as
/// long as the characteristics and the graph.
using Place = std::pair<unsigned, StringRef>;

/// Formulas by place: empty where there is none, and where two differ.
class Formulas {
public:
  /// Only of these places.
  void want(Place P) { Known.try_emplace(P); }
  bool wants(Place P) const { return Known.count(P); }

  void add(Place P, std::string Text) {
    Entry &E = Known[P];
    if (!E.IsSeen)
      E = {std::move(Text), true};
    else if (E.Text != Text)
      E.Text.clear();
  }
  std::string at(Place P) const { return Known.lookup(P).Text; }

private:
  struct Entry {
    std::string Text;
    bool IsSeen = false;
  };
  llvm::DenseMap<Place, Entry> Known;
};

std::string countText(const TripCountFormula &N) {
  if (!N.Bodies || (N.Bodies->isConstant() && !N.IsUpperBound))
    return ""; // a number stands elsewhere
  std::string Text = formulaText(*N.Bodies);
  return Text.empty() || !N.IsUpperBound ? Text : "<= " + Text;
}

std::string strideText(const Expression *Stride) {
  return Stride && !Stride->isConstant() ? formulaText(*Stride) : "";
}

void collect(const SymbolicValues &V, Formulas &Loops, Formulas &Accesses,
             std::vector<const SymbolicValues *> &Callees) {
  ArrayRef<Cycle> Cycles = V.controlFlow().cycles();
  for (unsigned C = 0; C != Cycles.size(); ++C) {
    Place P(Cycles[C].Header->Line, Cycles[C].Header->Label);
    if (Loops.wants(P))
      Loops.add(P, countText(tripCountFormula(V, C)));
  }
  for (const Block *B : V.graph().Blocks)
    for (const Instruction *I : B->Instructions) {
      if (I->IsCall)
        if (const SymbolicValues *Callee = V.callee(*I))
          Callees.push_back(Callee);
      Place P(I->Line, I->Mnemonic);
      if (I->Effects.empty() || !Accesses.wants(P))
        continue;
      for (const MemoryEffect &M : I->Effects)
        Accesses.add(
            P, strideText(strideFormula(V, *I, I->Operands[M.AddressOperand])));
    }
}

} // namespace

bool ptxpredict::wantsSymbolicForms(const KernelCharacteristics &K) {
  return llvm::any_of(K.Loops, lacksCount) ||
         llvm::any_of(K.Memory, lacksStride);
}

void ptxpredict::addSymbolicForms(KernelCharacteristics &K,
                                  const SymbolicValues &V) {
  Formulas Loops, Accesses;
  for (const LoopCharacteristics &L : K.Loops)
    if (lacksCount(L))
      Loops.want({L.Line, L.Header});
  for (const MemoryCharacteristics &M : K.Memory)
    if (lacksStride(M))
      Accesses.want({M.Place.Line, M.Opcode});
  std::vector<const SymbolicValues *> Work{&V};
  while (!Work.empty()) {
    const SymbolicValues *Next = Work.back();
    Work.pop_back();
    collect(*Next, Loops, Accesses, Work);
  }
  for (LoopCharacteristics &L : K.Loops)
    if (lacksCount(L))
      L.TripCountSymbolic = Loops.at({L.Line, L.Header});
  for (MemoryCharacteristics &M : K.Memory)
    if (lacksStride(M))
      M.LaneStrideSymbolic = Accesses.at({M.Place.Line, M.Opcode});
}

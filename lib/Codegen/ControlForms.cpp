//===- ControlForms.cpp - Branches, and where lanes meet ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "InstructionSelector.h"
#include "ptxpredict/Codegen/Assembler.h"

using namespace ptxpredict;

/// Whatever depends on what differs; what only control makes differ is left
/// out.
void InstructionSelector::findDivergent() {
  SmallVector<const Instruction *, 32> Work;
  auto Mark = [&](const Instruction &I) {
    for (const Value *D : I.Defs)
      if (!Divergent[D->Id]) {
        Divergent[D->Id] = true;
        llvm::append_range(Work, D->Users);
      }
  };
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions) {
      bool IsSource = I->IsCall || I->IsCrossLane;
      for (const MemoryEffect &E : I->Effects)
        IsSource |=
            E.Space != AddressSpace::Param && E.Space != AddressSpace::Const;
      for (const Operand &O : I->Operands)
        IsSource |= O.Kind == Operand::KindTy::Special &&
                    (O.Name.starts_with("%tid") || O.Name == "%laneid" ||
                     O.Name.starts_with("%lanemask"));
      if (IsSource)
        Mark(*I);
    }
  while (!Work.empty())
    Mark(*Work.pop_back_val());
}

/// Whether \p B, which ends with a jump, stands before the jump's target once
/// the assembler has put the blocks into an order of its own. It does if that
/// is so already, or if nothing else could stand there.
bool InstructionSelector::isBeforeTarget(const Block &B) const {
  if (B.Successors.size() != 1)
    return false;
  const Block *To = B.Successors[0];
  // A cycle has a jump that goes back, which stays one.
  const int C = CF.innermostCycle(To);
  auto GoesBack = [&](const Block *P) {
    return C >= 0 && CF.cycles()[unsigned(C)].Header == To &&
           CF.cycles()[unsigned(C)].contains(P);
  };
  if (GoesBack(&B))
    return false;
  if (To->Number == B.Number + 1)
    return true;
  return llvm::all_of(To->Predecessors, [&](const Block *P) {
    // The last successor of a branch is what follows it.
    return P == &B || GoesBack(P) ||
           (P->Successors.size() > 1 && P->Successors.back() != To);
  });
}

/// Whether the branch that ends \p B vanishes, since what it jumps over is
/// short enough to be executed under a predicate.
bool InstructionSelector::isPredicated(const Block &B) const {
  const Instruction *T = B.terminator();
  if (!T || !T->Guard || B.Successors.size() != 2)
    return false;
  const Block *To = B.Successors[0], *Next = B.Successors[1];
  if (Next->Predecessors.size() != 1 || Next->Successors.size() != 1 ||
      Next->Successors[0] != To)
    return false;
  unsigned Num = 0;
  for (const Instruction *I : Next->Instructions) {
    if (I->isPseudo() || I->IsTerminator)
      continue;
    if (I->Class == OpClass::Barrier || I->IsCall || I->IsCrossLane)
      return false;
    const MachineForm F = Out.Forms[I->Id].Form;
    Num += F != MachineForm::Folded && F != MachineForm::ConstantBank;
    if (Num > assembler::MaxPredicated)
      return false;
  }
  return true;
}

void InstructionSelector::converge(const Block &B) {
  const Instruction *T = B.terminator();
  if (!T || !T->Guard || B.Successors.size() != 2 ||
      form(*T).Form == MachineForm::Folded || !Divergent[T->Guard->Id])
    return;
  const Block *Meet = CF.immediatePostDominator(&B);
  if (!Meet || (Meet->terminator() && Meet->terminator()->IsExit &&
                Meet->Instructions.size() == 1))
    return;
  int C = CF.innermostCycle(&B);
  if (C >= 0 && !CF.cycles()[unsigned(C)].contains(Meet)) {
    const Block *Before =
        CF.immediateDominator(CF.cycles()[unsigned(C)].Header);
    if (Before)
      Out.Converging.push_back(Before->Number);
    return;
  }
  Out.Converging.push_back(B.Number);
}

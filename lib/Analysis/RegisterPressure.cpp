//===- RegisterPressure.cpp - Registers that are live at once -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/RegisterPressure.h"

using namespace ptxpredict;

/// 32-bit registers that hold a value of type \p T.
static unsigned registersOf(ScalarType T) {
  return T == ScalarType::Pred ? 0 : (bitWidth(T) + 31) / 32;
}

unsigned ptxpredict::maxLiveRegisters(const InstructionGraph &G) {
  // Liveness value by value (Boissinot et al., CGO 2008, "path exploration"):
  // from each use back to the definition, every block once.
  std::vector<SmallVector<const Value *, 4>> LiveOut(G.Blocks.size());
  std::vector<unsigned> SeenIn(G.Blocks.size()), SeenOut(G.Blocks.size());
  SmallVector<const Block *, 16> Work;
  for (const auto &V : G.Values) {
    unsigned Stamp = V->Id + 1;
    const Block *DefBlock = V->Def ? V->Def->Parent : nullptr;
    if (!DefBlock && !V->IsArgument)
      continue; // undefined: no register holds it
    auto LiveAtEnd = [&](const Block *B) {
      if (SeenOut[B->Number] == Stamp)
        return;
      SeenOut[B->Number] = Stamp;
      LiveOut[B->Number].push_back(V.get());
      if (B != DefBlock && SeenIn[B->Number] != Stamp) {
        SeenIn[B->Number] = Stamp;
        Work.push_back(B);
      }
    };
    for (const Instruction *User : V->Users) {
      const Block *B = User->Parent;
      if (User->isPhi()) {
        for (size_t P = 0; P != User->Uses.size(); ++P)
          if (User->Uses[P] == V.get())
            LiveAtEnd(B->Predecessors[P]);
      } else if (B != DefBlock && SeenIn[B->Number] != Stamp) {
        SeenIn[B->Number] = Stamp;
        Work.push_back(B);
      }
      while (!Work.empty())
        for (const Block *P : Work.pop_back_val()->Predecessors)
          LiveAtEnd(P);
    }
  }

  unsigned Max = 0;
  std::vector<bool> Live(G.Values.size());
  for (const Block *B : G.Blocks) {
    unsigned Pressure = 0;
    SmallVector<const Value *, 32> Touched;
    auto Add = [&](const Value *V) {
      if (Live[V->Id] || (!V->Def && !V->IsArgument))
        return;
      Live[V->Id] = true;
      Touched.push_back(V);
      Pressure += registersOf(V->Type);
    };
    for (const Value *V : LiveOut[B->Number])
      Add(V);
    Max = std::max(Max, Pressure);
    for (const Instruction *I : llvm::reverse(B->Instructions)) {
      for (const Value *D : I->Defs) {
        Add(D); // a result that nobody reads needs a register all the same
        Max = std::max(Max, Pressure);
      }
      for (const Value *D : I->Defs) {
        Live[D->Id] = false;
        Pressure -= registersOf(D->Type);
      }
      if (!I->isPhi())
        for (const Value *U : I->Uses)
          Add(U);
      Max = std::max(Max, Pressure);
    }
    for (const Value *V : Touched)
      Live[V->Id] = false;
  }
  return Max;
}

//===- Dependence.cpp - Dependence edges between instructions -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/Dependence.h"
#include "llvm/Support/ErrorHandling.h"
#include <array>

using namespace ptxpredict;

StringRef ptxpredict::toString(DependenceKind K) {
  switch (K) {
  case DependenceKind::Register:
    return "register";
  case DependenceKind::Memory:
    return "memory";
  case DependenceKind::Barrier:
    return "barrier";
  }
  llvm_unreachable("all kinds are handled");
}

namespace {
/// The accesses of one space since the last barrier of the block.
struct SpaceState {
  const Instruction *LastWriter = nullptr;
  SmallVector<const Instruction *, 8> ReadersSince;
};

/// Spaces that nothing in a kernel can write need no order, and prefetches
/// change nothing.
bool isOrdered(const MemoryEffect &E) {
  return E.Space != AddressSpace::Const && E.Space != AddressSpace::Register &&
         E.Access != AccessKind::Prefetch;
}
} // namespace

DependenceEdges::DependenceEdges(const InstructionGraph &G) {
  constexpr unsigned NumSpaces = unsigned(AddressSpace::Texture) + 1;
  Start.reserve(G.NumInstructions + 1);
  std::vector<unsigned> SeenBy(G.NumInstructions);
  for (const Block *B : G.Blocks) {
    std::array<SpaceState, NumSpaces> Spaces;
    const Instruction *LastBarrier = nullptr;
    SmallVector<const Instruction *, 16> SinceBarrier;
    for (const Instruction *I : B->Instructions) {
      Start.push_back(unsigned(Edges.size()));
      // One edge for each instruction, however often it is depended on.
      auto Add = [&](const Instruction *On, DependenceKind Kind) {
        if (!On || On == I || SeenBy[On->Id] == I->Id + 1)
          return;
        SeenBy[On->Id] = I->Id + 1;
        Edges.push_back({On, Kind});
      };
      for (const Value *V : I->Uses)
        Add(V->Def, DependenceKind::Register);

      bool IsBarrier =
          I->IsBlockBarrier || I->IsMemoryBarrier || I->IsAsyncWait;
      if (IsBarrier || I->IsCall) {
        // Everything since the last barrier comes before it; later accesses
        // need to wait for it alone. A call may do anything to memory.
        for (const Instruction *Before : SinceBarrier)
          Add(Before, DependenceKind::Barrier);
        Add(LastBarrier, DependenceKind::Barrier);
        LastBarrier = I;
        SinceBarrier.clear();
        Spaces = {};
        continue;
      }
      bool Ordered = false;
      for (const MemoryEffect &E : I->Effects) {
        if (!isOrdered(E))
          continue;
        Ordered = true;
        // A generic address may lie in any of the data spaces.
        auto MayTouch = [&](unsigned S) {
          AddressSpace Other = AddressSpace(S);
          bool EGeneric = E.Space == AddressSpace::Generic;
          bool OtherGeneric = Other == AddressSpace::Generic;
          bool Data = Other != AddressSpace::Param &&
                      Other != AddressSpace::Texture &&
                      Other != AddressSpace::Register;
          bool EData = E.Space != AddressSpace::Param &&
                       E.Space != AddressSpace::Texture;
          return Other == E.Space || (EGeneric && Data) ||
                 (OtherGeneric && EData);
        };
        SpaceState &Own = Spaces[unsigned(E.Space)];
        for (unsigned S = 0; S != NumSpaces; ++S) {
          if (!MayTouch(S))
            continue;
          Add(Spaces[S].LastWriter, DependenceKind::Memory);
          if (!E.Writes)
            continue;
          for (const Instruction *R : Spaces[S].ReadersSince)
            Add(R, DependenceKind::Memory);
          Spaces[S].ReadersSince.clear();
        }
        if (E.Writes)
          Own.LastWriter = I;
        else
          Own.ReadersSince.push_back(I);
      }
      if (Ordered) {
        Add(LastBarrier, DependenceKind::Barrier);
        SinceBarrier.push_back(I);
      }
    }
  }
  Start.push_back(unsigned(Edges.size()));
}

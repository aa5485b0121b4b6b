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
/// Whether accesses of two spaces may meet: a generic address may lie in any of
/// the data spaces.
bool mayMeet(AddressSpace A, AddressSpace B) {
  auto IsData = [](AddressSpace S) {
    return S != AddressSpace::Param && S != AddressSpace::Texture &&
           S != AddressSpace::Register;
  };
  return A == B || (A == AddressSpace::Generic && IsData(B)) ||
         (B == AddressSpace::Generic && IsData(A));
}

/// Goes through a block and adds the edges of each instruction.
class BlockWalk {
public:
  /// \p SeenBy, by instruction: one more than the last one that depends on it.
  BlockWalk(std::vector<Dependence> &Edges, std::vector<unsigned> &SeenBy)
      : Edges(Edges), SeenBy(SeenBy) {}

  void visit(const Instruction &I);

private:
  static constexpr unsigned NumSpaces = unsigned(AddressSpace::Texture) + 1;

  /// One edge for each instruction, however often it is depended on.
  void add(const Instruction &I, const Instruction *On, DependenceKind Kind) {
    if (!On || On == &I || SeenBy[On->Id] == I.Id + 1)
      return;
    SeenBy[On->Id] = I.Id + 1;
    Edges.push_back({On, Kind});
  }
  void addBarrier(const Instruction &I);
  void addAccess(const Instruction &I, const MemoryEffect &E);

  std::vector<Dependence> &Edges;
  std::vector<unsigned> &SeenBy;
  std::array<SpaceState, NumSpaces> Spaces;
  const Instruction *LastBarrier = nullptr;
  SmallVector<const Instruction *, 16> SinceBarrier;
};

/// Everything since the last barrier comes before it; later accesses need to
/// wait for it alone. A call may do anything to memory.
void BlockWalk::addBarrier(const Instruction &I) {
  for (const Instruction *Before : SinceBarrier)
    add(I, Before, DependenceKind::Barrier);
  add(I, LastBarrier, DependenceKind::Barrier);
  LastBarrier = &I;
  SinceBarrier.clear();
  Spaces = {};
}

void BlockWalk::addAccess(const Instruction &I, const MemoryEffect &E) {
  for (unsigned S = 0; S != NumSpaces; ++S) {
    if (!mayMeet(E.Space, AddressSpace(S)))
      continue;
    add(I, Spaces[S].LastWriter, DependenceKind::Memory);
    if (!E.Writes)
      continue;
    for (const Instruction *R : Spaces[S].ReadersSince)
      add(I, R, DependenceKind::Memory);
    Spaces[S].ReadersSince.clear();
  }
  SpaceState &Own = Spaces[unsigned(E.Space)];
  if (E.Writes)
    Own.LastWriter = &I;
  else
    Own.ReadersSince.push_back(&I);
}

void BlockWalk::visit(const Instruction &I) {
  for (const Value *V : I.Uses)
    add(I, V->Def, DependenceKind::Register);
  if (I.IsBlockBarrier || I.IsMemoryBarrier || I.IsAsyncWait || I.IsCall)
    return addBarrier(I);
  bool Ordered = false;
  for (const MemoryEffect &E : I.Effects)
    if (isOrdered(E)) {
      Ordered = true;
      addAccess(I, E);
    }
  if (!Ordered)
    return;
  add(I, LastBarrier, DependenceKind::Barrier);
  SinceBarrier.push_back(&I);
}
} // namespace

DependenceEdges::DependenceEdges(const InstructionGraph &G) {
  Start.reserve(G.NumInstructions + 1);
  std::vector<unsigned> SeenBy(G.NumInstructions);
  for (const Block *B : G.Blocks) {
    BlockWalk Walk(Edges, SeenBy);
    for (const Instruction *I : B->Instructions) {
      Start.push_back(unsigned(Edges.size()));
      Walk.visit(*I);
    }
  }
  Start.push_back(unsigned(Edges.size()));
}

//===- TangledCycles.cpp - Control flow beyond any compiler's -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// P. Havlak, "Nesting of Reducible and Irreducible Loops", TOPLAS 19(4), 1997.
//===----------------------------------------------------------------------===//
#include "TangledCycles.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

namespace {

/// Finds cycles as LLVM's GenericCycleInfo does, but no blocks of theirs.
class Tangle {
public:
  explicit Tangle(const InstructionGraph &G)
      : G(G), Start(G.Blocks.size()), End(G.Blocks.size()),
        Outermost(G.Blocks.size()), Depth(G.Blocks.size()),
        Entries(G.Blocks.size()) {}

  bool isDeeperThan(unsigned Most);

private:
  void number();
  unsigned addCycle(const Block &Header);
  unsigned outermost(unsigned B) {
    while (Outermost[B] != B)
      B = Outermost[B] = Outermost[Outermost[B]];
    return B;
  }
  /// From the header \p A on the depth-first walk came to \p B.
  bool isBelow(unsigned A, unsigned B) const {
    return Start[B] >= Start[A] && Start[B] < End[A];
  }

  const InstructionGraph &G;
  std::vector<const Block *> Preorder;
  std::vector<unsigned> Start, End; ///< by block, from 1; 0 if unreachable
  // By block, which stands for the cycle of which it is the header.
  std::vector<unsigned> Outermost, Depth;
  std::vector<SmallVector<const Block *, 1>> Entries; ///< beside the header
};

} // namespace

void Tangle::number() {
  for (unsigned N = 0; N != Outermost.size(); ++N)
    Outermost[N] = N;
  struct Frame {
    const Block *B;
    size_t Next;
  };
  SmallVector<Frame, 32> Stack;
  auto Enter = [&](const Block *B) {
    Preorder.push_back(B);
    Start[B->Number] = unsigned(Preorder.size());
    Stack.push_back({B, 0});
  };
  Enter(G.Blocks.front());
  while (!Stack.empty()) {
    Frame &F = Stack.back();
    if (F.Next == F.B->Successors.size()) {
      End[F.B->Number] = unsigned(Preorder.size()) + 1;
      Stack.pop_back();
    } else if (const Block *S = F.B->Successors[F.Next++]; !Start[S->Number]) {
      Enter(S);
    }
  }
}

/// The depth in the cycle that \p Header is the header of.
unsigned Tangle::addCycle(const Block &Header) {
  const unsigned H = Header.Number;
  SmallVector<const Block *, 8> Work;
  for (const Block *P : Header.Predecessors)
    if (isBelow(H, P->Number))
      Work.push_back(P);
  while (!Work.empty()) {
    const unsigned Inner = outermost(Work.pop_back_val()->Number);
    if (Inner == H)
      continue;
    Outermost[Inner] = H;
    Depth[H] = std::max(Depth[H], Depth[Inner]);
    SmallVector<const Block *, 1> Into = std::move(Entries[Inner]);
    Into.push_back(G.Blocks[Inner]);
    for (const Block *B : Into) {
      bool IsEntry = false;
      for (const Block *P : B->Predecessors)
        if (isBelow(H, P->Number))
          Work.push_back(P);
        else
          IsEntry |= Start[P->Number] != 0;
      if (IsEntry)
        Entries[H].push_back(B);
    }
  }
  return Depth[H] += !Entries[H].empty();
}

bool Tangle::isDeeperThan(unsigned Most) {
  number();
  return llvm::any_of(llvm::reverse(Preorder), [&](const Block *Header) {
    return addCycle(*Header) > Most;
  });
}

bool ptxpredict::hasTangledCycles(const InstructionGraph &G) {
  constexpr unsigned Deepest = 64;
  // A small function costs nothing.
  return G.Blocks.size() > 2 * Deepest && Tangle(G).isDeeperThan(Deepest);
}

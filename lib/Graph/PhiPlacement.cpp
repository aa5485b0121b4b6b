//===- PhiPlacement.cpp - Where definitions meet --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/PhiPlacement.h"
#include <algorithm>

using namespace ptxpredict;

PhiPlacement::PhiPlacement(const InstructionGraph &G,
                           ParentFn ImmediateDominator)
    : Blocks(G.Blocks), Children(G.Blocks.size()),
      FirstChild(G.Blocks.size() + 1), Marks(G.Blocks.size()) {
  std::vector<Block *> Parents;
  for (const Block *B : Blocks) {
    Parents.push_back(ImmediateDominator(B));
    if (Parents.back())
      ++FirstChild[Parents.back()->Number + 1];
  }
  for (size_t N = 1; N < FirstChild.size(); ++N)
    FirstChild[N] += FirstChild[N - 1];
  std::vector<unsigned> Next(FirstChild.begin(), FirstChild.end() - 1);
  for (size_t N = 0; N != Blocks.size(); ++N)
    if (Parents[N])
      Children[Next[Parents[N]->Number]++] = Blocks[N];
  FirstPredecessor.reserve(Blocks.size() + 1);
  for (const Block *B : Blocks) {
    FirstPredecessor.push_back(unsigned(Predecessors.size()));
    for (const Block *P : B->Predecessors)
      Predecessors.push_back(P->Number);
  }
  FirstPredecessor.push_back(unsigned(Predecessors.size()));
  Work.push_back(Blocks.front());
  while (!Work.empty()) {
    Block *B = Work.pop_back_val();
    for (Block *Child : children(B)) {
      mark(Child).Level = mark(B).Level + 1;
      Work.push_back(Child);
    }
  }
}

ArrayRef<Block *> PhiPlacement::compute(ArrayRef<Block *> Defs,
                                        ArrayRef<Block *> Uses) {
  ++Round;
  Places.clear();
  auto AddRoot = [&](Block *B) {
    Roots.emplace_back(mark(B).Level, B->Number);
    std::push_heap(Roots.begin(), Roots.end());
  };
  for (Block *B : Defs) {
    mark(B).Defined = Round;
    AddRoot(B);
  }
  // It is most of the time: blocks by number, each looked at once.
  for (const Block *B : Uses)
    if (set(mark(B).LiveIn))
      LiveWork.push_back(B->Number);
  while (!LiveWork.empty())
    for (const unsigned P : predecessors(LiveWork.pop_back_val())) {
      Mark &M = Marks[P];
      if (M.Defined != Round && set(M.LiveIn))
        LiveWork.push_back(P);
    }

  while (!Roots.empty()) {
    std::pop_heap(Roots.begin(), Roots.end());
    auto [RootLevel, Number] = Roots.pop_back_val();
    set(mark(Blocks[Number]).Visited);
    Work.push_back(Blocks[Number]);
    while (!Work.empty()) {
      Block *B = Work.pop_back_val();
      for (Block *S : B->Successors)
        if (mark(S).LiveIn == Round && mark(S).Level <= RootLevel &&
            set(mark(S).Placed)) {
          Places.push_back(S);
          if (mark(S).Defined != Round)
            AddRoot(S);
        }
      for (Block *Child : children(B)) {
        Mark &M = mark(Child);
        if (M.LiveIn == Round && set(M.Visited))
          Work.push_back(Child);
      }
    }
  }
  return Places;
}

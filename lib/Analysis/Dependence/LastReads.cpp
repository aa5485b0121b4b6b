//===- LastReads.cpp - Where registers are last read ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Dependence/DependenceSummary.h"
#include <algorithm>

using namespace ptxpredict;

namespace {

class LastReads {
public:
  explicit LastReads(const FunctionDependence &F)
      : F(F), Parent(F.Loops.size(), -1), Innermost(F.Blocks.size(), -1),
        Writes(F.NumRegisters), Last(F.NumRegisters) {
    findLoops();
  }
  std::vector<uint32_t> run();

private:
  /// Which blocks and instructions write a register.
  struct Range {
    uint32_t FirstBlock = ~0u, LastBlock = 0;
    uint32_t FirstInstruction = ~0u;
  };

  void findLoops();
  void lookAt(uint32_t Position);
  void readInLoop(uint32_t Register, uint32_t Position, uint32_t Number);

  const FunctionDependence &F;
  std::vector<int> Parent;    ///< by loop: the one around it
  std::vector<int> Innermost; ///< by position: its loop
  std::vector<Range> Writes;  ///< by register
  std::vector<uint32_t> Last; ///< by register
};

} // namespace

void LastReads::findLoops() {
  std::vector<int> At(F.Blocks.size(), -1); // loops by their headers
  for (size_t L = 0; L != F.Loops.size(); ++L)
    At[F.Loops[L].First] = int(L);
  int Inside = -1;
  for (uint32_t P = 0; P != F.Blocks.size(); ++P) {
    while (Inside >= 0 && F.Loops[size_t(Inside)].End <= P)
      Inside = Parent[size_t(Inside)];
    if (At[P] >= 0) {
      Parent[size_t(At[P])] = Inside;
      Inside = At[P];
    }
    Innermost[P] = Inside;
  }
}

/// Notes what a block writes, and what it reads as if there were no loops.
void LastReads::lookAt(uint32_t Position) {
  const IssuedBlock &B = F.Blocks[Position];
  for (uint32_t N = B.FirstInstruction; N != B.EndInstruction; ++N) {
    const IssuedInstruction &I = F.Instructions[N];
    for (uint32_t R : F.reads(I))
      Last[R] = Position;
    for (uint32_t R : F.writes(I)) {
      if (F.keepsFormer(I, R))
        Last[R] = Position;
      Range &Written = Writes[R];
      if (Written.FirstBlock == ~0u)
        Written = {Position, Position, N};
      Written.LastBlock = Position;
    }
  }
}

/// Extends a read to the end of the outermost loop around it that does not
/// write all of what is read.
void LastReads::readInLoop(uint32_t Register, uint32_t Position,
                           uint32_t Number) {
  // What lies deeper than any code that people write is read to the end.
  constexpr unsigned MostLevels = 64;
  const Range &Written = Writes[Register];
  // Before any write it is what an iteration before has left.
  const bool IsCarried = Written.FirstInstruction >= Number;
  uint32_t End = Position;
  unsigned Levels = 0;
  for (int L = Innermost[Position]; L >= 0; L = Parent[size_t(L)]) {
    const IssuedLoop &Loop = F.Loops[size_t(L)];
    if (!IsCarried && Written.FirstBlock >= Loop.First &&
        Written.LastBlock < Loop.End)
      break;
    if (++Levels > MostLevels)
      End = uint32_t(F.Blocks.size());
    if (End == F.Blocks.size())
      break;
    End = std::max(End, Loop.End);
  }
  Last[Register] = std::max(Last[Register], End);
}

std::vector<uint32_t> LastReads::run() {
  for (uint32_t P = 0; P != F.Blocks.size(); ++P)
    lookAt(P);
  for (uint32_t P = 0; P != F.Blocks.size(); ++P) {
    if (Innermost[P] < 0)
      continue;
    const IssuedBlock &B = F.Blocks[P];
    for (uint32_t N = B.FirstInstruction; N != B.EndInstruction; ++N) {
      const IssuedInstruction &I = F.Instructions[N];
      for (uint32_t R : F.reads(I))
        readInLoop(R, P, N);
      for (uint32_t R : F.writes(I))
        if (F.keepsFormer(I, R))
          readInLoop(R, P, N);
    }
  }
  return std::move(Last);
}

std::vector<uint32_t> ptxpredict::findLastReads(const FunctionDependence &F) {
  return F.Loops.empty() ? std::vector<uint32_t>() : LastReads(F).run();
}

//===- ProfileWalkerClasses.cpp - Warps that are counted by themselves ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ProfileWalker.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// Runs the warps of a class in one of its blocks, and nothing else. \p All are
/// those of the launch.
bool ProfileWalker::runClass(const WorkClass &C, ArrayRef<WarpWork> All) {
  Spent = 0;
  Now = Pass::Count;
  A.BlockIndex = C.Block;
  Dimensions.clear();
  for (unsigned N = 0; N != 3; ++N)
    if (const Quantity &Index = Program.Axes[N].Index; !Index.empty())
      Dimensions.push_back({&Index, 1, int(N)});
  for (const WarpWork &W : All)
    if (W.FirstBlock == C.Block && W.FirstWarp >= C.FirstWarp &&
        W.FirstWarp < C.FirstWarp + C.NumWarps &&
        !runWarp(W.FirstWarp, W.NumWarps, 1))
      return false;
  Weight = PathWeight();
  WarpRun = 1;
  return runAlone();
}

/// A class that does not fit the budget is dropped.
void ProfileWalker::countClass(std::optional<WorkClass> &C,
                               ArrayRef<WarpWork> All) {
  if (!C)
    return;
  Counts.emplace(Program, Kernel.expressions());
  if (runClass(*C, All))
    C->Functions = Counts->finish();
  else
    C.reset();
}

void ProfileWalker::countClasses(StaticProfile &Result) {
  // What stands out among a few samples says nothing of the launch.
  if (Thoroughness != Effort::All)
    return;
  Records.reset();
  Result.HeaviestBlocks = findHeaviestBlocks(Result.Work, Launch);
  Result.LongestWarps = findLongestWarps(Result.Work);
  if (Result.HeaviestBlocks)
    Result.LongestOfHeaviest =
        findLongestWarps(Result.Work, &Result.HeaviestBlocks->Block);
  for (auto *C : {&Result.HeaviestBlocks, &Result.LongestWarps,
                  &Result.LongestOfHeaviest})
    countClass(*C, Result.Work);
}

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
    if (C.has(W) && !runWarp(W.Warps.First, W.Warps.Number, 1))
      return false;
  Weight = PathWeight();
  WarpRun = 1;
  return runAlone();
}

/// False if the budget does not suffice.
bool ProfileWalker::countClass(WorkClass &C, ArrayRef<WarpWork> All) {
  Counts.emplace(Program, Kernel.expressions());
  const bool Good = runClass(C, All);
  if (Good)
    C.Functions = Counts->finish();
  return Good;
}

void ProfileWalker::countClasses(StaticProfile &Result) {
  // Of samples nobody knows which block of the launch stands out.
  if (Thoroughness != Effort::All)
    return;
  Records.reset();
  const std::vector<WarpWork> &All = Result.Work;
  Result.HeaviestBlocks = findHeaviestBlocks(All, Launch);
  Result.LongestWarps = findLongestWarps(All);
  if (Result.HeaviestBlocks)
    Result.LongestOfHeaviest =
        findLongestWarps(All, &Result.HeaviestBlocks->Block);
  for (auto *C : {&Result.HeaviestBlocks, &Result.LongestWarps,
                  &Result.LongestOfHeaviest})
    if (*C && !countClass(**C, All))
      C->reset();
}

void ProfileWalker::countRoles(StaticProfile &Result) {
  Records.reset();
  Work.clear();
  Counts.emplace(Program, Kernel.expressions());
  // Blocks at the edges of the grid often have less to do.
  const Dim3 &Grid = Launch.Grid;
  const Dim3 Middle{Grid.X / 2, Grid.Y / 2, Grid.Z / 2};
  A.BlockIndex =
      Result.IsSampled ? Middle : findCommonestBlock(Result.Work, Middle);
  BoxNow = Dim3();
  Spent = 0;
  std::vector<uint64_t> Runs = Program.FixedWarps;
  for (Pass P : {Pass::FindRuns, Pass::Count}) {
    Now = P;
    for (unsigned N = 0; N != 3; ++N)
      AxisRuns[N] = 1;
    if (!runWarps(Runs))
      return;
  }
  const std::vector<WarpWork> All = std::move(Work);
  Result.Roles = findRoles(All);
  for (WorkClass &C : Result.Roles)
    if (!countClass(C, All))
      return Result.Roles.clear();
}

//===- PathCacheTest.cpp --------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/PathCache.h"
#include "ptxpredict/Analysis/Dependence/CriticalPath.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// \p Num independent instructions of a kernel.
DependenceSummary row(uint32_t Num) {
  FunctionDependence F;
  F.Instructions.resize(Num);
  IssuedBlock B;
  B.EndInstruction = Num;
  B.Runs = 1;
  B.Edges = {{IssuedBlock::Leave, 1}};
  F.Blocks = {B};
  DependenceSummary S;
  S.Functions = {F};
  return S;
}

TEST(PathCache, SaysWhatIsFoundWithoutIt) {
  DependenceCharacteristics D;
  D.Summary = row(9);
  D.Machine = row(4);
  LatencyTable Slow = LatencyTable::unit();
  Slow.Issue = 3;
  PathCache Paths;
  for (int Again = 0; Again != 2; ++Again)
    for (const LatencyTable &T : {LatencyTable::unit(), Slow}) {
      EXPECT_EQ(Paths.cycles(PathOf::MeanWarp, D, PathOrder::Machine, T),
                findCriticalPath(D.Machine, T).Cycles);
      EXPECT_EQ(Paths.cycles(PathOf::MeanWarp, D, PathOrder::Code, T),
                findCriticalPath(D.Summary, T).Cycles);
    }
  EXPECT_LT(Paths.cycles(PathOf::MeanWarp, D, PathOrder::Machine, Slow),
            Paths.cycles(PathOf::MeanWarp, D, PathOrder::Code, Slow));
  EXPECT_LT(Paths.cycles(PathOf::MeanWarp, D, PathOrder::Machine,
                         LatencyTable::unit()),
            Paths.cycles(PathOf::MeanWarp, D, PathOrder::Machine, Slow));
}

TEST(PathCache, TellsWhosePathItIs) {
  WarpPath Mean, Longest;
  Mean.Summary = row(9);
  Longest.Summary = row(20);
  PathCache Paths;
  const LatencyTable T = LatencyTable::unit();
  EXPECT_EQ(Paths.cycles(PathOf::MeanWarp, Mean, PathOrder::Code, T), 9);
  EXPECT_EQ(Paths.cycles(PathOf::LongestWarps, Longest, PathOrder::Code, T),
            20);
  EXPECT_EQ(Paths.cycles(PathOf::MeanWarp, Mean, PathOrder::Code, T), 9);
}

TEST(PathCache, VariantsShareWhatIsKnown) {
  DependenceCharacteristics D, Variant;
  D.Summary = row(9);
  PathCache Paths;
  EXPECT_EQ(
      Paths.cycles(PathOf::MeanWarp, D, PathOrder::Code, LatencyTable::unit()),
      9);
  // It need not look at the variant's own.
  EXPECT_EQ(Paths.cycles(PathOf::MeanWarp, Variant, PathOrder::Code,
                         LatencyTable::unit()),
            9);
}

} // namespace

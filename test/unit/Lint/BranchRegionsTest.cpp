//===- BranchRegionsTest.cpp - What split warps execute twice -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BranchRegions.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

namespace {

/// A function of blocks without instructions; each has its edges.
FunctionDependence
makeFunction(const std::vector<std::vector<IssuedBlock::Edge>> &Edges) {
  FunctionDependence F;
  for (const auto &Of : Edges) {
    IssuedBlock &B = F.Blocks.emplace_back();
    B.Edges.append(Of.begin(), Of.end());
    B.Runs = 1;
  }
  return F;
}

std::vector<std::pair<uint32_t, double>>
sparedBy(const FunctionDependence &F, uint32_t Block, size_t Budget = 100) {
  std::vector<std::pair<uint32_t, double>> Pairs;
  for (const SparedBlock &S : BranchRegions(F).spared(Block, Budget))
    Pairs.emplace_back(S.Block, S.Share);
  return Pairs;
}

constexpr uint32_t Leave = IssuedBlock::Leave;

TEST(BranchRegions, SparesHalfOfBothSidesOfASplitWarp) {
  // 0 -> 1, 2 -> 3
  FunctionDependence F =
      makeFunction({{{1, 0}, {2, 0}}, {{3, 1}}, {{3, 1}}, {{Leave, 1}}});
  F.Blocks[0].Both = 1;
  EXPECT_THAT(sparedBy(F, 0), UnorderedElementsAre(Pair(1, 0.5), Pair(2, 0.5)));
}

TEST(BranchRegions, TakesWarpsThatGoOneWayIntoAccount) {
  // A fifth splits, and as many go to 1 alone.
  FunctionDependence F =
      makeFunction({{{1, 0.2}, {2, 0.6}}, {{3, 1}}, {{3, 1}}, {{Leave, 1}}});
  F.Blocks[0].Both = 0.2;
  EXPECT_THAT(sparedBy(F, 0),
              UnorderedElementsAre(Pair(1, 0.25), Pair(2, 0.125)));
}

TEST(BranchRegions, FollowsALoopThatLanesLeave) {
  // 0 -> 1 -> 2; 2 -> 1, 3: the loop's blocks run for those that stay.
  FunctionDependence F =
      makeFunction({{{1, 1}}, {{2, 1}}, {{1, 0.5}, {3, 0}}, {{Leave, 1}}});
  F.Blocks[2].Both = 0.5;
  EXPECT_THAT(sparedBy(F, 2),
              UnorderedElementsAre(Pair(1, 0.25), Pair(2, 0.25)));
}

TEST(BranchRegions, MeetsAtTheEndAfterAnExit) {
  FunctionDependence F = makeFunction({{{Leave, 0}, {1, 0}}, {{Leave, 1}}});
  F.Blocks[0].Both = 1;
  EXPECT_THAT(sparedBy(F, 0), ElementsAre(Pair(1, 0.5)));
}

TEST(BranchRegions, SaysNothingWithoutAWayToTheEnd) {
  FunctionDependence F = makeFunction({{{1, 0}, {2, 0}}, {{1, 1}}, {{2, 1}}});
  F.Blocks[0].Both = 1;
  EXPECT_THAT(sparedBy(F, 0), IsEmpty());
}

TEST(BranchRegions, KeepsToItsBudget) {
  FunctionDependence F =
      makeFunction({{{1, 0}, {2, 0}}, {{3, 1}}, {{3, 1}}, {{Leave, 1}}});
  F.Blocks[0].Both = 1;
  EXPECT_THAT(sparedBy(F, 0, /*Budget=*/1), IsEmpty());
  size_t Budget = 5;
  (void)BranchRegions(F).spared(0, Budget);
  EXPECT_EQ(Budget, 3u);
}

} // namespace

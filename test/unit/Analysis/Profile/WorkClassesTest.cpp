//===- WorkClassesTest.cpp - Blocks and warps that execute more -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Profile/WorkClasses.h"
#include "PTXKernel.h"

using namespace ptxpredict;

namespace {

LaunchConfig launch(Dim3 Grid) {
  LaunchConfig L;
  L.Grid = Grid;
  L.Block = {64, 1, 1};
  return L;
}

/// Two warps of blocks from \p First on along x.
void addBlocks(std::vector<WarpWork> &Work, uint64_t First, uint64_t Number,
               double FirstWarp, double SecondWarp) {
  for (auto [Warp, Instructions] :
       {std::pair(0u, FirstWarp), std::pair(1u, SecondWarp)})
    Work.push_back({{First, 0, 0},
                    {Number, 1, 1},
                    {Warp, 1},
                    Instructions,
                    true,
                    Instructions,
                    {}});
}

TEST(WorkClassesTest, AllAlike) {
  std::vector<WarpWork> Work;
  addBlocks(Work, 0, 20, 10, 10);
  const WorkImbalance I = findImbalance(Work, launch({20, 1, 1}), true);
  EXPECT_TRUE(I.Blocks.isKnown());
  EXPECT_EQ(I.Blocks.Value, 1);
  EXPECT_EQ(I.Warps.Value, 1);
  EXPECT_FALSE(findHeaviestBlocks(Work, launch({20, 1, 1})));
  EXPECT_FALSE(findLongestWarps(Work));
}

/// Where conditions are open, the longest warp executes at most what it does if
/// all of them hold, and in any case no more than its whole block.
TEST(WorkClassesTest, OpenWorkHasABound) {
  const LaunchConfig L = launch({20, 1, 1});
  std::vector<WarpWork> Work;
  addBlocks(Work, 0, 20, 10, 10);
  Work[1].IsCertain = false;
  Work[1].MostInstructions = 30;
  WorkImbalance I = findImbalance(Work, L, true);
  EXPECT_FALSE(I.Warps.isKnown());
  EXPECT_EQ(I.Warps.Value, 1);
  EXPECT_DOUBLE_EQ(I.Warps.High, 1.5);
  EXPECT_EQ(I.Blocks.High, 20);
  Work[1].MostInstructions = std::numeric_limits<double>::infinity();
  I = findImbalance(Work, L, true);
  EXPECT_EQ(I.Warps.High, 2);
  I = findImbalance(Work, L, false); // others may be unequal
  EXPECT_EQ(I.Warps.High, 2);
}

TEST(WorkClassesTest, HeaviestAndLongest) {
  std::vector<WarpWork> Work;
  addBlocks(Work, 0, 3, 10, 10);
  addBlocks(Work, 3, 1, 100, 300);
  addBlocks(Work, 4, 15, 10, 10);
  addBlocks(Work, 19, 1, 100, 299);
  const LaunchConfig L = launch({20, 1, 1});
  const WorkImbalance I = findImbalance(Work, L, true);
  EXPECT_DOUBLE_EQ(I.Blocks.Value, 400 / ((18 * 20 + 400 + 399) / 20.0));
  EXPECT_FALSE(findImbalance(Work, L, false).Blocks.isKnown());
  const std::optional<WorkClass> Heaviest = findHeaviestBlocks(Work, L);
  ASSERT_TRUE(Heaviest);
  EXPECT_EQ(Heaviest->Block.X, 3u);
  EXPECT_EQ(Heaviest->numWarps(), 2u);
  EXPECT_EQ(Heaviest->NumBlocks, 2u); // less than a hundredth apart
  EXPECT_EQ(Heaviest->LastBlock, 19u);
  EXPECT_FALSE(findLongestWarps(Work)); // of the many
  const std::optional<WorkClass> Longest =
      findLongestWarps(Work, &Heaviest->Block);
  ASSERT_TRUE(Longest);
  ASSERT_EQ(Longest->Warps.size(), 1u);
  EXPECT_EQ(Longest->Warps[0].First, 1u);
  EXPECT_EQ(Longest->Warps[0].Number, 1u);
}

TEST(WorkClassesTest, PlaceOfTheLastBlockInTheGrid) {
  const LaunchConfig L = launch({4, 5, 6});
  std::vector<WarpWork> Work;
  Work.push_back({{0, 0, 0}, {4, 5, 4}, {0, 2}, 1, true, 1, {}});
  Work.push_back({{0, 0, 4}, {2, 3, 1}, {0, 2}, 50, true, 50, {}});
  EXPECT_EQ(findHeaviestBlocks(Work, L)->LastBlock, 1 + 4 * (2 + 5 * 4u));
}

/// Blocks from the 20th on loop n times, and in them the second warp 9 times as
/// often.
constexpr StringRef Unequal = R"(
mov.u32 %r0, %ctaid.x;
mov.u32 %r1, %tid.x;
ld.param.u32 %r2, [n];
setp.lt.u32 %p0, %r0, 20;
@%p0 bra End;
setp.lt.u32 %p1, %r1, 32;
selp.u32 %r3, 1, 9, %p1;
mul.lo.u32 %r2, %r2, %r3;
mov.u32 %r4, 0;
Loop: add.u32 %r4, %r4, 1;
setp.lt.u32 %p2, %r4, %r2;
@%p2 bra Loop;
End: mov.u32 %r5, 1;
)";

TEST(WorkClassesTest, TheCommonestBlock) {
  std::vector<WarpWork> Work;
  auto Add = [&](uint64_t First, uint64_t Number, unsigned SecondLoop) {
    addBlocks(Work, First, Number, 10, 10);
    Work[Work.size() - 2].Loops = {1};
    Work.back().Loops = {SecondLoop};
  };
  const Dim3 Middle{3, 0, 0};
  EXPECT_EQ(findCommonestBlock(Work, Middle).X, 3u);
  Add(0, 2, 2);
  Add(2, 3, 1);
  EXPECT_EQ(findCommonestBlock(Work, Middle).X, 3u);
  Add(5, 2, 2); // with the first ones there are four
  EXPECT_EQ(findCommonestBlock(Work, Middle).X, 0u);
  EXPECT_EQ(findCommonestBlock(Work, {6, 0, 0}).X, 6u);
  Add(7, 1, 1); // as many of both
  EXPECT_EQ(findCommonestBlock(Work, Middle).X, 3u);
}

TEST(WorkClassesTest, CountsAClassByItself) {
  PTXKernel K(Unequal, {64, 1, 1}, {{1, 100}});
  K.Launch.Grid = {25, 1, 1};
  K.analyze();
  const StaticProfile &P = K.Counts;
  EXPECT_FALSE(P.HeaviestBlocks); // nobody wanted them
  const StaticProfile Q =
      profileStatically(*K.V, K.Launch, StaticProfileBudget,
                        {/*HasRecords=*/false, /*HasClasses=*/true});
  ASSERT_TRUE(Q.HeaviestBlocks);
  EXPECT_EQ(Q.HeaviestBlocks->NumBlocks, 5u);
  EXPECT_EQ(Q.HeaviestBlocks->LastBlock, 24u);
  auto LoopRuns = [&](const WorkClass &C) {
    return C.Functions.front()->Blocks[K.block("Loop")->Number].Runs;
  };
  EXPECT_TRUE(LoopRuns(*Q.HeaviestBlocks).isKnown());
  EXPECT_EQ(LoopRuns(*Q.HeaviestBlocks).Value, 100 + 900);
  ASSERT_TRUE(Q.LongestOfHeaviest);
  EXPECT_EQ(LoopRuns(*Q.LongestOfHeaviest).Value, 900);
  EXPECT_FALSE(Q.LongestWarps); // most blocks have none
  // The counts of the launch are those without classes.
  EXPECT_EQ(Q.Functions.front()->Blocks[K.block("Loop")->Number].Runs.Value,
            5 * 1000.0);
}

TEST(WorkClassesTest, SamplesOfAGridAreSpread) {
  // Every block behaves differently: a few of them stand for all.
  PTXKernel K("mov.u32 %r0, %ctaid.x;\nmov.u32 %r4, 0;\n"
              "Loop: add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p2, %r4, %r0;\n"
              "@%p2 bra Loop;\n");
  K.Launch.Grid = {1000000, 1, 1};
  K.analyze(20000);
  EXPECT_TRUE(K.Counts.IsSampled);
  const Estimate Runs = K.frequency("Loop");
  EXPECT_FALSE(Runs.isKnown());
  EXPECT_NEAR(Runs.Value, 500000, 5000);
}

} // namespace

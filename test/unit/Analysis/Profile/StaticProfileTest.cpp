//===- StaticProfileTest.cpp - What a launch executes, without running it -===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Profile/StaticProfile.h"
#include "RunKernel.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"

using namespace ptxpredict;
using llvm::formatv;

namespace {

constexpr StringRef Head = RunHead;

/// Everything was decided, and is what a run counts.
void expectAllKnown(PTXKernel &K, uint64_t BufferBytes) {
  std::optional<KnownCounts> C = compareWithRun(K, BufferBytes);
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Open, 0u);
  EXPECT_GT(C->Known, 0u);
  EXPECT_THAT(C->Differences, testing::IsEmpty());
}

TEST(StaticCountsTest, TakesBlocksTogether) {
  PTXKernel K((Head + "setp.ge.u32 %p0, %r0, %r1;\n@%p0 bra End;\n"
                      "mul.wide.u32 %rd1, %r0, 8;\nadd.s64 %rd1, %rd0, %rd1;\n"
                      "ld.global.f32 %f0, [%rd1];\nEnd:\n")
                  .str(),
              {64, 1, 1}, {{1, 3000000001}});
  K.Launch.Grid = {uint64_t(1) << 26, 1, 1};
  analyze(K, /*Budget=*/2000);
  // 46,875,000 blocks and one lane of the next read two words of four.
  const AccessCounts &Load = K.access("ld.global.f32");
  EXPECT_TRUE(Load.Requests.isKnown());
  EXPECT_EQ(Load.Requests.Value, 93750000 + 1);
  EXPECT_TRUE(Load.ActiveLanes.isKnown());
  EXPECT_EQ(Load.ActiveLanes.Value, 3000000001 / (93750000 + 1.0));
  EXPECT_EQ(Load.Sectors->Value * Load.Requests.Value, 93750000 * 8.0 + 1);
  const GuardCounts *Branch = K.counts().guard(K.instruction("bra"));
  EXPECT_TRUE(Branch->Split.isKnown());
  EXPECT_EQ(Branch->Split.Value, 1);
  EXPECT_EQ(K.counts().Blocks[0].Runs.Value, 1 << 27);
}

TEST(StaticCountsTest, TakesIterationsTogether) {
  // Two loops of 2^31 iterations in all, whose lanes leave at their own time.
  PTXKernel K((Head + "mov.u32 %r5, 0;\nOuter: mov.u32 %r6, %r4;\n"
                      "Inner: add.u32 %r6, %r6, 3;\n"
                      "setp.lt.u32 %p0, %r6, 98304;\n@%p0 bra Inner;\n"
                      "add.u32 %r5, %r5, 1;\nsetp.ne.u32 %p1, %r5, 65536;\n"
                      "@%p1 bra Outer;\n")
                  .str(),
              {32, 1, 1}, {{1, 1}});
  K.Launch.Grid = {1, 1, 1};
  analyze(K, /*Budget=*/2000);
  const BlockCounts &Inner = K.counts().Blocks[K.block("Inner")->Number];
  EXPECT_TRUE(Inner.Runs.isKnown());
  EXPECT_EQ(Inner.Runs.Value, 65536.0 * 32768);
  // Lane t goes round ceil((98304 - t) / 3) times.
  uint64_t Rounds = 0;
  for (unsigned L = 0; L != 32; ++L)
    Rounds += (98304 - L + 2) / 3;
  EXPECT_TRUE(Inner.Lanes.isKnown());
  EXPECT_EQ(Inner.Lanes.Value, 65536.0 * double(Rounds));
  EXPECT_EQ(K.counts().Loops[1].TripCount.Value, 32768);
  EXPECT_TRUE(K.counts().Loops[1].TripCount.isKnown());
}

TEST(StaticCountsTest, CountsAddressesByTheirResidues) {
  // 1000 rows of 12 bytes each a block, in a loop: sectors at every phase.
  PTXKernel K((Head + "mov.u32 %r5, 0;\nLoop: mad.lo.u32 %r6, %r5, 12, %r4;\n"
                      "mad.lo.u32 %r6, %r2, 36, %r6;\n"
                      "mul.wide.u32 %rd1, %r6, 4;\nadd.s64 %rd1, %rd0, %rd1;\n"
                      "ld.global.f32 %f0, [%rd1];\nadd.u32 %r5, %r5, 1;\n"
                      "setp.ne.u32 %p1, %r5, 1000;\n@%p1 bra Loop;\n")
                  .str(),
              {32, 1, 1}, {{1, 1}});
  K.Launch.Grid = {7, 1, 1};
  analyze(K, /*Budget=*/2000);
  expectAllKnown(K, 1 << 20);
}

TEST(StaticCountsTest, SaysWhatLeavesABranchOpen) {
  auto Why = [](const Twine &Body,
                const std::map<unsigned, int64_t> &Args = {{1, 9}}) {
    PTXKernel K((Head + Body).str(), {32, 1, 1}, Args);
    analyze(K);
    return K.counts().guard(K.instruction("bra"))->Reason;
  };
  EXPECT_EQ(Why("ld.global.u32 %r5, [%rd0];\nsetp.ne.u32 %p0, %r5, 0;\n"
                "@%p0 bra End;\nmov.u32 %r6, 1;\nEnd:\n"),
            OpenReason::Load);
  StringRef OfN = "setp.lt.u32 %p0, %r1, 4;\n@%p0 bra End;\nmov.u32 %r6, 1;\n"
                  "End:\n";
  EXPECT_EQ(Why(OfN, {}), OpenReason::Parameter);
  EXPECT_EQ(Why(OfN), OpenReason::None);
}

TEST(StaticCountsTest, ALoopThatDoesNotEnd) {
  PTXKernel K((Head + "Loop: bra Loop;\n").str(), {32, 1, 1}, {{1, 9}});
  analyze(K);
  EXPECT_EQ(K.loop().TripCount.Status, Status::Assumed);
  EXPECT_EQ(K.loop().Reason, OpenReason::Exits);
}

TEST(StaticCountsTest, ABudgetTooSmallKnowsLess) {
  // Each block and iteration differs from the others.
  PTXKernel K((Head + "mov.u32 %r5, 0;\nFirst: mov.u32 %r8, 1;\n"
                      "Loop: xor.b32 %r6, %r5, %r2;\n"
                      "setp.lt.u32 %p0, %r6, 900;\n@%p0 bra Skip;\n"
                      "add.u32 %r7, %r7, 1;\nSkip: add.u32 %r5, %r5, 1;\n"
                      "setp.ne.u32 %p1, %r5, 1000;\n@%p1 bra Loop;\n"
                      "Last: mov.u32 %r9, 1;\n")
                  .str(),
              {32, 1, 1}, {{1, 9}});
  analyze(K, 10000);
  EXPECT_TRUE(K.Counts.IsSampled);
  EXPECT_EQ(K.counts().Blocks[K.block("Skip")->Number].Reason,
            OpenReason::Sampled);
  EXPECT_EQ(K.counts().guard(K.instruction("bra"))->Reason,
            OpenReason::Sampled);
  EXPECT_FALSE(K.frequency("Skip").isKnown());
  EXPECT_TRUE(K.frequency("First").isKnown());
  EXPECT_TRUE(K.frequency("Last").isKnown());
  // What was looked at was typical enough.
  EXPECT_NEAR(K.frequency("Skip").Value, 1000, 500);
}

TEST(StaticCountsTest, ABudgetTooSmallEndsLoopsWhereTheyEnd) {
  // As above, but the counter does not stop at the bound.
  for (uint64_t Budget : {10000, 3000, 0}) {
    PTXKernel K((Head + "mov.u32 %r5, 0;\n"
                        "Loop: xor.b32 %r6, %r5, %r2;\n"
                        "setp.lt.u32 %p0, %r6, 900;\n@%p0 bra Skip;\n"
                        "add.u32 %r7, %r7, 1;\nSkip: add.u32 %r5, %r5, 7;\n"
                        "setp.lt.u32 %p1, %r5, 1000;\n@%p1 bra Loop;\n")
                    .str(),
                {32, 1, 1}, {{1, 9}});
    analyze(K, Budget);
    EXPECT_TRUE(K.Counts.IsSampled);
    EXPECT_EQ(K.loop().TripCount.Value, 143) << Budget;
  }
}

TEST(StaticCountsTest, ABudgetTooSmallLooksAtAllPlacesOfACluster) {
  // Blocks and iterations differ; one block of each cluster goes into First.
  for (const auto &[Cluster, Share] : {std::pair<Dim3, double>({2, 1, 1}, 0.5),
                                       {{1, 2, 1}, 0.5},
                                       {{1, 1, 2}, 0.5},
                                       {{2, 2, 1}, 0.25},
                                       {{3, 1, 2}, 1.0 / 6}})
    for (uint64_t Budget : {uint64_t(30000), uint64_t(5000)})
      for (bool IsAssumed : {false, true}) {
        PTXKernel K(
            (Head + "mov.u32 %r8, %cluster_ctarank;\nsetp.ne.u32 %p2, %r8, 0;\n"
                    "@%p2 bra Others;\nFirst: mov.u32 %r9, 1;\nOthers:\n"
                    "mov.u32 %r5, %ctaid.y;\nmov.u32 %r6, %ctaid.z;\n"
                    "xor.b32 %r5, %r5, %r2;\nxor.b32 %r10, %r5, %r6;\n"
                    "mov.u32 %r5, 0;\nLoop: xor.b32 %r6, %r5, %r10;\n"
                    "setp.lt.u32 %p0, %r6, 900;\n@%p0 bra Skip;\n"
                    "add.u32 %r7, %r7, 1;\nSkip: add.u32 %r5, %r5, 1;\n"
                    "setp.ne.u32 %p1, %r5, 1000;\n@%p1 bra Loop;\n")
                .str(),
            {32, 1, 1}, {{1, 9}});
        K.Launch.Grid = {600, 20, 10};
        K.Launch.GridIsAssumed = IsAssumed;
        K.Launch.Cluster = Cluster;
        analyze(K, Budget);
        EXPECT_TRUE(K.Counts.IsSampled);
        EXPECT_NEAR(K.frequency("First").Value, Share, 1e-9)
            << toString(Cluster) << ' ' << Budget << ' ' << IsAssumed;
      }
}

TEST(StaticCountsTest, ABudgetTooSmallLooksAtAllPlacesOfAClusterInPieces) {
  // All conditions are monotone between the places of a cluster, but each block
  // has another number of iterations, and so has each iteration.
  for (uint64_t Budget : {30000, 3000, 0}) {
    PTXKernel K((Head +
                 "mov.u32 %r8, %cluster_ctarank;\nsetp.ne.u32 %p2, %r8, 0;\n"
                 "@%p2 bra Others;\nFirst: mov.u32 %r9, 1;\nOthers:\n"
                 "mov.u32 %r5, 0;\nLoop: mov.u32 %r6, 0;\n"
                 "Inner: add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p0, %r6, %r5;\n"
                 "@%p0 bra Inner;\nadd.u32 %r5, %r5, 1;\n"
                 "setp.lt.u32 %p1, %r5, %r2;\n@%p1 bra Loop;\n")
                    .str(),
                {32, 1, 1}, {{1, 9}});
    K.Launch.Grid = {5000, 1, 1};
    K.Launch.Cluster = {2, 1, 1};
    analyze(K, Budget);
    EXPECT_TRUE(K.Counts.IsSampled);
    EXPECT_NEAR(K.frequency("First").Value, 0.5, 1e-9) << Budget;
  }
}

TEST(StaticCountsTest, OneLookEndsLoopsWhoseIterationsDiffer) {
  // Each warp has a start of its own, and each iteration another condition.
  PTXKernel K((Head + "mov.u32 %r5, %tid.y;\n"
                      "Loop: xor.b32 %r6, %r5, %r2;\n"
                      "setp.lt.u32 %p0, %r6, 40;\n@%p0 bra Skip;\n"
                      "add.u32 %r7, %r7, 1;\nSkip: add.u32 %r5, %r5, 16;\n"
                      "setp.lt.u32 %p1, %r5, 78;\n@%p1 bra Loop;\n")
                  .str(),
              {32, 32, 1}, {{1, 9}});
  analyze(K, 0);
  EXPECT_TRUE(K.Counts.IsSampled);
  EXPECT_GE(K.loop().TripCount.Value, 3);
  EXPECT_LE(K.loop().TripCount.Value, 5);
}

TEST(StaticCountsTest, OneLookCountsTheIterationsOfThoseWhoStay) {
  // Three nested loops of which each iteration differs, and in the innermost
  // one that every lane leaves at once and one that it runs four times.
  std::string Nest = Head.str(), Back;
  for (unsigned N = 5; N != 8; ++N) {
    Nest += formatv("mov.u32 %r{0}, 0;\nLoop{0}: xor.b32 %r8, %r{0}, %r2;\n"
                    "setp.lt.u32 %p0, %r8, 900;\n@%p0 bra Skip{0};\n"
                    "add.u32 %r9, %r9, 1;\nSkip{0}:\n",
                    N);
    Back.insert(0, formatv("add.u32 %r{0}, %r{0}, 1;\n"
                           "setp.ne.u32 %p1, %r{0}, 1000;\n@%p1 bra Loop{0};\n",
                           N)
                       .str());
  }
  PTXKernel K(Nest +
                  "mov.u32 %r8, %r4;\n"
                  "Once: add.u32 %r8, %r8, 256;\n"
                  "setp.lt.s32 %p0, %r8, 128;\n@%p0 bra Once;\n"
                  "mov.u32 %r8, %r4;\n"
                  "Four: add.u32 %r8, %r8, 256;\n"
                  "setp.lt.s32 %p0, %r8, 1024;\n@%p0 bra Four;\n" +
                  Back,
              {32, 1, 1}, {{1, 9}});
  analyze(K, 0);
  double Runs = K.frequency("Skip7").Value;
  EXPECT_EQ(K.counts().Blocks[K.block("Once")->Number].Reason,
            OpenReason::Sampled);
  EXPECT_EQ(K.frequency("Once").Value, Runs);
  EXPECT_EQ(K.frequency("Four").Value, 4 * Runs);
}

TEST(StaticCountsTest, LanesMeetAgainBehindAnOpenBranch) {
  PTXKernel K((Head + "mad.wide.u32 %rd1, %r0, 4, %rd0;\n"
                      "ld.global.u32 %r5, [%rd1];\n"
                      "setp.ne.u32 %p0, %r5, 0;\n@%p0 bra Else;\n"
                      "setp.gt.u32 %p1, %r5, 9;\n@%p1 bra Join;\n"
                      "Inner: mov.u32 %r6, 1;\nbra Join;\n"
                      "Else: mov.u32 %r6, 2;\n"
                      "Join: st.global.u32 [%rd1+512], %r6;\n")
                  .str(),
              {64, 1, 1}, {{1, 9}});
  analyze(K);
  for (StringRef Open : {"Inner", "Else"}) {
    EXPECT_EQ(K.frequency(Open).Status, Status::Assumed);
    EXPECT_EQ(K.frequency(Open).Low, 0);
    EXPECT_EQ(K.frequency(Open).High, 1);
  }
  EXPECT_TRUE(K.frequency("Join").isKnown());
  EXPECT_EQ(K.frequency("Join").Value, 1);
  EXPECT_TRUE(K.access("st.global.u32").Sectors->isKnown());
  EXPECT_EQ(K.access("st.global.u32").Sectors->Value, 4);
}

TEST(StaticCountsTest, AnOpenLoopLeavesWhatIsAroundItKnown) {
  // Rows of a sparse matrix: nobody knows their lengths.
  PTXKernel K((Head + "mad.wide.u32 %rd1, %r0, 4, %rd0;\n"
                      "ld.global.u32 %r5, [%rd1];\nmov.u32 %r6, 0;\n"
                      "Row: mad.wide.u32 %rd2, %r6, 128, %rd1;\n"
                      "ld.global.f32 %f1, [%rd2];\nmov.u32 %r7, 0;\n"
                      "Four: add.u32 %r7, %r7, 1;\n"
                      "setp.lt.u32 %p1, %r7, 4;\n@%p1 bra Four;\n"
                      "add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p0, %r6, %r5;\n"
                      "@%p0 bra Row;\nEnd: st.global.f32 [%rd1], %f1;\n")
                  .str(),
              {64, 1, 1}, {{1, 9}});
  analyze(K);
  const LoopCounts &Row = K.counts().Loops[0], &Four = K.counts().Loops[1];
  EXPECT_EQ(Row.TripCount.Value, DefaultTripCount);
  EXPECT_EQ(Row.TripCount.Status, Status::Assumed);
  EXPECT_EQ(Row.TripCount.Low, 1);
  EXPECT_EQ(Row.Reason, OpenReason::Load);
  EXPECT_TRUE(Four.TripCount.isKnown());
  EXPECT_EQ(Four.TripCount.Value, 4);
  EXPECT_EQ(K.frequency("Row").Low, 1); // its first iteration
  EXPECT_EQ(K.frequency("Four").Value, 4 * DefaultTripCount);
  EXPECT_TRUE(K.frequency("End").isKnown());
  // Lanes leave at their own time, so the load's lanes are open, the store's
  // are not.
  EXPECT_FALSE(K.access("ld.global.f32").ActiveLanes.isKnown());
  EXPECT_EQ(K.access("ld.global.f32").ActiveLanes.Low, 1);
  EXPECT_TRUE(K.access("st.global.f32").ActiveLanes.isKnown());
}

TEST(StaticCountsTest, ABreakIsBoundedByTheCounter) {
  PTXKernel K((Head + "mov.u32 %r5, 0;\n"
                      "Loop: mad.wide.u32 %rd1, %r5, 4, %rd0;\n"
                      "ld.global.u32 %r6, [%rd1];\n"
                      "setp.eq.u32 %p0, %r6, 7;\n@%p0 bra End;\n"
                      "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 50;\n"
                      "@%p1 bra Loop;\nEnd: mov.u32 %r8, 1;\n")
                  .str(),
              {32, 1, 1}, {{1, 9}});
  analyze(K);
  EXPECT_EQ(K.loop().TripCount.Value, 50);
  EXPECT_EQ(K.loop().TripCount.Status, Status::Assumed);
  EXPECT_EQ(K.loop().TripCount.Low, 0);
  EXPECT_EQ(K.loop().TripCount.High, 50);
  EXPECT_TRUE(K.frequency("End").isKnown());
}

TEST(StaticCountsTest, AUniformUnknownBranchKeepsItsLanesTogether) {
  PTXKernel K((Head + "mad.wide.u32 %rd1, %r0, 4, %rd0;\n"
                      "setp.eq.u32 %p0, %r1, 3;\n@%p0 bra End;\n"
                      "Some: ld.global.f32 %f1, [%rd1];\nEnd:\n")
                  .str(),
              {64, 1, 1});
  analyze(K);
  EXPECT_EQ(K.frequency("Some").Value, 0.5);
  EXPECT_FALSE(K.access("ld.global.f32").Requests.isKnown());
  EXPECT_TRUE(K.access("ld.global.f32").ActiveLanes.isKnown());
  EXPECT_TRUE(K.access("ld.global.f32").Sectors->isKnown());
  EXPECT_EQ(K.access("ld.global.f32").Sectors->Value, 4);
  EXPECT_TRUE(K.counts().guard(K.instruction("bra"))->Split.isKnown());
  EXPECT_EQ(K.counts().guard(K.instruction("bra"))->Split.Value, 0);
}

TEST(StaticCountsTest, AnAssumedLaunchLeavesOnlyWhatHoldsAtEveryOneKnown) {
  PTXKernel K((Head + "mad.wide.u32 %rd1, %r0, 4, %rd0;\n"
                      "ld.global.f32 %f1, [%rd1];\n"
                      "setp.lt.u32 %p0, %r4, 64;\n@%p0 bra Low;\n"
                      "mov.u32 %r7, 3;\nLow: mov.u32 %r6, %r4;\n"
                      "Loop: add.u32 %r6, %r6, %r3;\n"
                      "setp.lt.u32 %p1, %r6, 4096;\n@%p1 bra Loop;\n"
                      "End: mov.u32 %r8, 1;\n")
                  .str(),
              {256, 1, 1}, {{1, 9}});
  K.Launch.BlockIsAssumed = K.Launch.GridIsAssumed = true;
  analyze(K);
  EXPECT_TRUE(K.access("ld.global.f32").Requests.isKnown());
  EXPECT_TRUE(K.access("ld.global.f32").Sectors->isKnown());
  EXPECT_EQ(K.access("ld.global.f32").Sectors->Value, 4);
  EXPECT_EQ(K.counts().guard(K.instruction("bra"))->Reason, OpenReason::Launch);
  EXPECT_EQ(K.counts().guard(K.instruction("bra"))->Any.Value,
            0.25 * K.warps());
  EXPECT_FALSE(K.counts().guard(K.instruction("bra"))->Any.isKnown());
  EXPECT_EQ(K.loop().TripCount.Value, 16);
  EXPECT_FALSE(K.loop().TripCount.isKnown());
  EXPECT_TRUE(K.frequency("End").isKnown());
}

TEST(StaticCountsTest, ThreadsOfEveryLaunchAreAlike) {
  // Whatever the block, if the first thread is there, then alone in its warp;
  // of 40 threads some warps have 32 and one may have eight.
  std::string Code = (Head + "mad.wide.u32 %rd1, %r4, 4, %rd0;\n"
                             "setp.ne.u32 %p0, %r4, 0;\n@%p0 bra Rest;\n"
                             "st.global.u8 [%rd0], %r5;\n"
                             "Rest: setp.gt.u32 %p1, %r4, 31;\n@%p1 bra Last;\n"
                             "st.global.u16 [%rd1], %r5;\n"
                             "Last: setp.lt.u32 %p0, %r4, 40;\n"
                             "@%p0 st.global.u32 [%rd1], %r5;\n")
                         .str();
  PTXKernel Any(Code, {256, 1, 1}, {{1, 9}});
  Any.Launch.BlockIsAssumed = Any.Launch.GridIsAssumed = true;
  analyze(Any);
  StringRef Alike[] = {"st.global.u8", "st.global.u16"};
  for (StringRef Store : Alike) {
    EXPECT_FALSE(Any.access(Store).Requests.isKnown());
    EXPECT_EQ(Any.access(Store).Reason, OpenReason::Launch);
  }
  EXPECT_FALSE(Any.access("st.global.u32").ActiveLanes.isKnown());
  EXPECT_FALSE(Any.access("st.global.u32").Sectors->isKnown());
  // Every warp has threads that jump; whether it is split depends.
  const GuardCounts *Jump = Any.counts().guard(Any.instruction("bra"));
  EXPECT_TRUE(Jump->Any.isKnown());
  EXPECT_EQ(Jump->Any.Value, Any.warps());
  EXPECT_FALSE(Jump->Split.isKnown());
  for (uint64_t Threads : {32, 64, 96, 1024}) {
    PTXKernel Given(Code, {Threads, 1, 1}, {{1, 9}});
    analyze(Given);
    for (StringRef Store : Alike) {
      const AccessCounts &A = Any.access(Store), &B = Given.access(Store);
      ASSERT_TRUE(A.ActiveLanes.isKnown() && B.ActiveLanes.isKnown());
      ASSERT_TRUE(A.Sectors->isKnown() && B.Sectors->isKnown());
      EXPECT_EQ(A.ActiveLanes.Value, B.ActiveLanes.Value) << Threads;
      EXPECT_EQ(A.Sectors->Value, B.Sectors->Value) << Threads;
    }
    const GuardCounts *G = Given.counts().guard(Given.instruction("bra"));
    EXPECT_EQ(G->Any.Value, Given.warps());
  }
}

TEST(StaticCountsTest, WhatCostsTheSameWhicheverLanesThereAre) {
  // Loaded data decides which lanes store. Words side by side are one wavefront
  // and one place is one sector, of one lane as of all; a row of words is not.
  PTXKernel K((Head + "mad.wide.u32 %rd1, %r4, 4, %rd0;\n"
                      "ld.global.u32 %r5, [%rd1];\nshl.b32 %r6, %r4, 2;\n"
                      "setp.ne.u32 %p0, %r5, 0;\n"
                      "@%p0 st.shared.u32 [%r6], %r5;\n"
                      "@%p0 st.global.u32 [%rd0], %r5;\n"
                      "@%p0 st.global.b32 [%rd1], %r5;\n")
                  .str(),
              {64, 1, 1}, {{1, 9}});
  analyze(K);
  EXPECT_FALSE(K.access("st.shared.u32").ActiveLanes.isKnown());
  EXPECT_TRUE(K.access("st.shared.u32").Wavefronts->isKnown());
  EXPECT_EQ(K.access("st.shared.u32").Wavefronts->Value, 1);
  EXPECT_TRUE(K.access("st.global.u32").Sectors->isKnown());
  EXPECT_EQ(K.access("st.global.u32").Sectors->Value, 1);
  const AccessCounts &Row = K.access("st.global.b32");
  EXPECT_FALSE(Row.Sectors->isKnown());
  EXPECT_EQ(Row.Sectors->Low, 1);
  EXPECT_EQ(Row.Sectors->High, 4);
  EXPECT_TRUE(Row.Lines->isKnown());
}

TEST(StaticCountsTest, BlocksOfSeveralRowsAreNotAlike) {
  // Rows of 32 threads may be cut anywhere else in another launch.
  PTXKernel K((Head + "setp.ne.u32 %p0, %r4, 0;\n@%p0 bra Rest;\n"
                      "st.global.u8 [%rd0], %r5;\nRest: mov.u32 %r6, 1;\n")
                  .str(),
              {32, 8, 1}, {{1, 9}});
  K.Launch.BlockIsAssumed = K.Launch.GridIsAssumed = true;
  analyze(K);
  EXPECT_FALSE(K.access("st.global.u8").ActiveLanes.isKnown());
  EXPECT_FALSE(K.counts().guard(K.instruction("bra"))->Any.isKnown());
}

TEST(StaticCountsTest, KnowsWhatCommonAccessesCost) {
  // %r4 is tid.x and %r6 tid.y; the place of the access goes to %r10, in words.
  struct Case {
    const char *What, *Place, *Access;
    Dim3 Block;
    double Cost; ///< sectors or wavefronts of a request
  };
  const char *Load = "ld.global.f32 %f0, [%rd1];\n",
             *Load4 = "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd1];\n",
             *Shared = "ld.shared.f32 %f0, [%r11];\n";
  const Case Cases[] = {
      {"rows", "mad.lo.u32 %r10, %r6, 1024, %r4;", Load, {32, 8, 1}, 4},
      {"columns", "mad.lo.u32 %r10, %r4, 1024, %r6;", Load, {32, 8, 1}, 32},
      {"float4", "shl.b32 %r10, %r4, 2;", Load4, {32, 1, 1}, 16},
      {"stride 2", "shl.b32 %r10, %r4, 1;", Load, {32, 1, 1}, 8},
      {"offset by one", "add.u32 %r10, %r4, 1;", Load, {32, 1, 1}, 5},
      {"16x16 rows", "mad.lo.u32 %r10, %r6, 512, %r4;", Load, {16, 16, 1}, 4},
      {"broadcast", "mov.u32 %r10, 7;", Load, {32, 1, 1}, 1},
      {"tile column", "mad.lo.u32 %r10, %r4, 32, %r6;", Shared, {32, 8, 1}, 32},
      {"padded tile", "mad.lo.u32 %r10, %r4, 33, %r6;", Shared, {32, 8, 1}, 1},
      {"swizzled tile",
       "xor.b32 %r12, %r4, %r6;\nmad.lo.u32 %r10, %r4, 32, %r12;",
       Shared,
       {32, 8, 1},
       1},
  };
  for (const Case &C : Cases) {
    SCOPED_TRACE(C.What);
    PTXKernel K(
        formatv("{0}mov.u32 %r6, %tid.y;\n.shared .align 128 .b8 tile[8192];\n"
                "mov.u32 %r20, tile;\n{1}\nmad.lo.u32 %r11, %r10, 4, %r20;\n"
                "mul.wide.u32 %rd1, %r10, 4;\nadd.s64 %rd1, %rd1, %rd0;\n{2}",
                Head, C.Place, C.Access)
            .str(),
        C.Block, {{1, 1}});
    analyze(K);
    K.graph().forEachInstruction([&](const Instruction &I) {
      for (const AccessCounts &A : K.counts().accesses(I)) {
        const Estimate &Cost = A.Sectors ? *A.Sectors : *A.Wavefronts;
        EXPECT_TRUE(Cost.isKnown());
        EXPECT_EQ(Cost.Value, C.Cost);
        EXPECT_EQ(A.Requests.Value, K.warps());
      }
    });
  }
}

/// Song's reductions of a block: interleaved with a remainder, interleaved with
/// a stride, and sequential (thesis, 5.5).
std::string reduction(unsigned Which, uint64_t Threads) {
  static constexpr const char *Choose[] = {
      "shl.b32 %r6, %r5, 1;\nrem.u32 %r7, %r4, %r6;\nsetp.ne.u32 %p0, %r7, 0;"
      "\n@%p0 bra Skip;\nmov.u32 %r8, %r4;\n",
      "mul.lo.u32 %r8, %r5, %r4;\nshl.b32 %r8, %r8, 1;\n"
      "setp.ge.u32 %p0, %r8, %r9;\n@%p0 bra Skip;\n",
      "setp.ge.u32 %p0, %r4, %r5;\n@%p0 bra Skip;\nmov.u32 %r8, %r4;\n"};
  bool Shrinks = Which == 2;
  return formatv("{0}.shared .align 16 .b8 tile[4096];\nmov.u32 %r20, tile;\n"
                 "mov.u32 %r9, {1};\nmad.lo.u32 %r21, %r4, 4, %r20;\n"
                 "st.shared.f32 [%r21], %f0;\nmov.u32 %r5, {2};\nLoop:\n{3}"
                 "add.u32 %r10, %r8, %r5;\nmad.lo.u32 %r11, %r10, 4, %r20;\n"
                 "mad.lo.u32 %r12, %r8, 4, %r20;\nld.shared.f32 %f1, [%r11];\n"
                 "ld.shared.f32 %f2, [%r12];\nadd.f32 %f2, %f1, %f2;\n"
                 "st.shared.f32 [%r12], %f2;\nSkip:\nbar.sync 0;\n{4}"
                 "@%p1 bra Loop;\nsetp.ne.u32 %p2, %r4, 0;\n@%p2 bra End;\n"
                 "ld.shared.f32 %f3, [%r20];\nEnd:\n",
                 Head, Threads, Shrinks ? Threads / 2 : 1, Choose[Which],
                 Shrinks
                     ? "shr.u32 %r5, %r5, 1;\nsetp.ne.u32 %p1, %r5, 0;\n"
                     : "shl.b32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, %r9;\n");
}

TEST(StaticCountsTest, CountsTheConflictsOfSongsReductions) {
  auto File = llvm::MemoryBuffer::getFile(
      PTXPREDICT_TEST_INPUTS "/golden/song_derived_bank_conflicts.csv");
  ASSERT_TRUE(bool(File));
  SmallVector<StringRef, 16> Rows;
  (*File)->getBuffer().trim().split(Rows, '\n');
  ASSERT_EQ(Rows.size(), 13u);
  for (StringRef Row : ArrayRef(Rows).drop_front()) {
    SCOPED_TRACE(Row.str());
    SmallVector<StringRef, 8> Cells;
    Row.split(Cells, ',');
    unsigned Which = 0;
    uint64_t Threads = 0, Accesses = 0, Conflicts = 0;
    ASSERT_TRUE(Cells[0].consume_front("reduction") &&
                !Cells[0].getAsInteger(10, Which) && Which < 3 &&
                !Cells[1].getAsInteger(10, Threads) &&
                !Cells[3].getAsInteger(10, Accesses) &&
                !Cells[4].getAsInteger(10, Conflicts));
    PTXKernel K(reduction(Which, Threads), {Threads, 1, 1}, {{1, 1}});
    K.Launch.Grid = {3, 1, 1};
    analyze(K);
    Estimate Requests = Estimate::known(0), Wavefronts = Estimate::known(0);
    K.graph().forEachInstruction([&](const Instruction &I) {
      for (const AccessCounts &A : K.counts().accesses(I)) {
        Requests += A.Requests;
        Wavefronts += *A.Wavefronts * A.Requests;
      }
    });
    EXPECT_TRUE(Wavefronts.isKnown());
    EXPECT_EQ(Requests.Value, double(3 * Accesses));
    EXPECT_NEAR(Wavefronts.Value - Requests.Value, double(3 * Conflicts), 1e-9);
  }
}

TEST(StaticCountsTest, CountsWhatFragmentsMove) {
  // The registers, the address in %rd1 and the stride, which the launch says.
  constexpr StringRef Eight = "{%r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15}";
  struct {
    const char *Kind, *Shape, *Type, *Registers;
  } Moved[] = {{"load.a", "m16n16k16", "f16", Eight.data()},
               {"load.b", "m16n16k16", "f16", Eight.data()},
               {"load.a", "m32n8k16", "f16", Eight.data()},
               {"load.b", "m32n8k16", "f16", Eight.data()},
               {"load.c", "m16n16k16", "f32",
                "{%f8, %f9, %f10, %f11, %f12, %f13, %f14, %f15}"},
               {"store.d", "m8n32k16", "f16", "{%r8, %r9, %r10, %r11}"},
               {"load.a", "m16n16k8", "tf32", "{%r8, %r9, %r10, %r11}"},
               {"load.b", "m16n16k16", "s8", "{%r8, %r9}"},
               {"load.a", "m8n8k4", "f64", "{%fd0}"},
               {"store.d", "m8n8k4", "f64", "{%fd0, %fd1}"}};
  for (const auto &M : Moved)
    for (StringRef Layout : {"row", "col"})
      for (StringRef Stride : {"", ", 48", ", %r1"}) {
        bool IsStore = StringRef(M.Kind).starts_with("store");
        std::string Place = ("[%rd1]" + Twine(IsStore ? ", " : "")).str();
        std::string Move =
            formatv("wmma.{0}.sync.aligned.{1}.{2}.global.{3} {4}{5}{6};\n",
                    M.Kind, Layout, M.Shape, M.Type,
                    IsStore ? Place + M.Registers
                            : std::string(M.Registers) + ", " + Place,
                    Stride, "");
        SCOPED_TRACE(Move);
        PTXKernel K(
            (Head + "mad.wide.u32 %rd1, %r2, 4160, %rd0;\n" + Move).str(),
            {32, 1, 1}, {{1, 40}});
        K.Launch.Grid = {5, 1, 1};
        analyze(K);
        expectAllKnown(K, 1 << 16);
      }
}

TEST(StaticCountsTest, CountsOperationsOnMbarriers) {
  PTXKernel K((".shared .align 8 .b64 bars[64];\n" + Head +
               "mov.u32 %r9, bars;\nshl.b32 %r10, %r4, 4;\n"
               "and.b32 %r10, %r10, 0x1ff;\nadd.u32 %r9, %r9, %r10;\n"
               "setp.lt.u32 %p0, %r4, 20;\n"
               "mbarrier.init.shared.b64 [%r9], 4;\nbar.sync 0;\n"
               "mbarrier.arrive.shared.b64 %rd2, [%r9];\n"
               "@%p0 mbarrier.expect_tx.relaxed.cta.shared.b64 [%r9], 0;\n"
               "mbarrier.test_wait.shared.b64 %p1, [%r9], %rd2;\n"
               "bar.sync 0;\n@%p0 mbarrier.inval.shared.b64 [%r9];\n")
                  .str(),
              {32, 1, 1}, {{1, 1}});
  K.Launch.Grid = {2, 1, 1};
  analyze(K);
  EXPECT_TRUE(K.access("mbarrier.arrive.shared.b64").Wavefronts->isKnown());
  EXPECT_EQ(K.access("mbarrier.arrive.shared.b64").Wavefronts->Value, 4);
  EXPECT_EQ(K.access("mbarrier.inval.shared.b64").ActiveLanes.Value, 20);
  expectAllKnown(K, 1024);
}

TEST(StaticCountsTest, ARingOfBuffersIsAsGoodAsOne) {
  // The stage is nothing simple, but its tiles are multiples of 128 bytes.
  PTXKernel K((".shared .align 16 .b8 tiles[3072];\n" + Head +
               "mov.u32 %r5, 0;\nmov.u32 %r6, 0;\n"
               "Loop: shl.b32 %r7, %r6, 10;\nmov.u32 %r8, tiles;\n"
               "add.u32 %r8, %r8, %r7;\nmad.lo.u32 %r8, %r4, 8, %r8;\n"
               "mad.lo.u32 %r9, %r5, 64, %r0;\nsetp.ge.u32 %p1, %r9, %r1;\n"
               "@%p1 bra Next;\nld.shared.f32 %f1, [%r8];\n"
               "Next: add.u32 %r6, %r6, 1;\nsetp.eq.u32 %p2, %r6, 3;\n"
               "selp.u32 %r6, 0, %r6, %p2;\nadd.u32 %r5, %r5, 1;\n"
               "setp.lt.u32 %p0, %r5, 10;\n@%p0 bra Loop;\n")
                  .str(),
              {64, 1, 1}, {{1, 603}});
  K.Launch.Grid = {3, 1, 1};
  analyze(K);
  expectAllKnown(K, 1024);
}

TEST(StaticCountsTest, APartOfACopyTouchesWhatAWholeOneDoes) {
  // The last of the lanes that read copy 12 bytes, those behind it nothing.
  PTXKernel K((".shared .align 16 .b8 tile[512];\n" + Head +
               "shl.b32 %r5, %r4, 2;\nsub.u32 %r6, %r1, %r5;\n"
               "max.s32 %r6, %r6, 0;\nmin.s32 %r6, %r6, 4;\n"
               "shl.b32 %r6, %r6, 2;\nmov.u32 %r7, tile;\n"
               "mad.lo.u32 %r7, %r4, 16, %r7;\n"
               "mad.wide.u32 %rd1, %r5, 4, %rd0;\n"
               "cp.async.cg.shared.global [%r7], [%rd1], 16, %r6;\n"
               "cp.async.wait_all;\n")
                  .str(),
              {32, 1, 1}, {{1, 71}});
  K.Launch.Grid = {3, 1, 1};
  analyze(K);
  ArrayRef<AccessCounts> Copy =
      K.counts().accesses(K.instruction("cp.async.cg.shared.global"));
  ASSERT_EQ(Copy.size(), 2u);
  const AccessCounts &Read =
      Copy[Copy[0].Space == AddressSpace::Shared ? 1 : 0];
  EXPECT_TRUE(Read.ActiveLanes.isKnown());
  EXPECT_EQ(Read.ActiveLanes.Value, 18);
  EXPECT_TRUE(Read.Sectors->isKnown());
  EXPECT_EQ(Read.Sectors->Value, 9);
}

TEST(StaticCountsTest, NobodyKnowsHowOftenAFunctionCallsItself) {
  // The kernel's call is not the last, and its argument not the others'. The
  // second function only leads back to the first.
  StringRef Functions =
      ".func down(.param .b32 n);\n"
      ".func again(.param .b32 n)\n{\n.reg .b32 %r<4>;\n"
      "ld.param.u32 %r1, [n];\n"
      "{ .param .b32 a; st.param.b32 [a], %r1;\n call.uni down, (a); }\nret;\n"
      "}\n"
      ".func down(.param .b32 n)\n{\n.reg .b32 %r<4>;\n.reg .pred %p<2>;\n"
      "ld.param.u32 %r1, [n];\nsetp.eq.u32 %p0, %r1, 0;\n@%p0 bra Base;\n"
      "sub.u32 %r1, %r1, 1;\n"
      "{ .param .b32 a; st.param.b32 [a], %r1;\n call.uni again, (a); }\n"
      "ret;\nBase: mov.u32 %r2, 1;\nret;\n}\n";
  for (StringRef First : {"down", "again"}) {
    PTXKernel K((Head + "{ .param .b32 a; st.param.b32 [a], 5;\n call.uni " +
                 First + ", (a); }\n")
                    .str(),
                {32, 1, 1}, {{1, 1}}, Functions);
    K.Launch.Grid = {1, 1, 1};
    analyze(K);
    std::optional<KnownCounts> C = compareWithRun(K, 1024);
    ASSERT_TRUE(C);
    EXPECT_GT(C->Open, 0u);
    EXPECT_THAT(C->Differences, testing::IsEmpty());
    EXPECT_TRUE(K.counts().Blocks[0].Runs.isKnown());
  }
}

TEST(StaticCountsTest, LanesThatAreWaitedForGoOnAlone) {
  // Half of the warp waits for all of it, the others end in the meantime.
  struct {
    StringRef Waits, Functions;
    bool Meet;
  } Ways[] = {{"bar.warp.sync -1;\n", "", false},
              {"bar.warp.sync 0xffff;\n", "", true},
              {"mov.u32 %r9, -1;\nshfl.sync.idx.b32 %r8, %r4, 0, 31, %r9;\n",
               "", false},
              {"activemask.b32 %r9;\nshfl.sync.idx.b32 %r8, %r4, 0, 31, %r9;\n",
               "", true},
              {"vote.sync.any.pred %p3, %p0, 0x1ffff;\n", "", false},
              {"bar.sync 0;\n", "", false},
              {"bar.arrive 0, 64;\n", "", true},
              {"call.uni wait;\n",
               ".func wait()\n{\nbar.warp.sync -1;\nret;\n}\n", false}};
  for (const auto &Way : Ways) {
    SCOPED_TRACE(Way.Waits.str());
    PTXKernel K((Head +
                 "mad.wide.u32 %rd1, %r0, 4, %rd0;\n"
                 "setp.ge.u32 %p0, %r4, 16;\n@%p0 bra Join;\n"
                 "Some: mov.u32 %r5, 1;\n" +
                 Way.Waits +
                 "Join: st.global.u32 [%rd1], %r5;\nsetp.lt.u32 %p1, %r4, 5;\n"
                 "@%p1 bra End;\nmov.u32 %r6, 1;\nEnd:\n")
                    .str(),
                {32, 1, 1}, {{1, 1}}, Way.Functions);
    K.Launch.Grid = {2, 1, 1};
    analyze(K);
    EXPECT_TRUE(K.frequency("Some").isKnown());
    EXPECT_EQ(K.frequency("Join").isKnown(), Way.Meet);
    EXPECT_EQ(K.frequency("Join").Value, 1);
    EXPECT_EQ(K.counts().Blocks[K.block("Join")->Number].Reason,
              Way.Meet ? OpenReason::None : OpenReason::Waiting);
    std::optional<KnownCounts> C = compareWithRun(K, 1024);
    ASSERT_TRUE(C);
    EXPECT_THAT(C->Differences, testing::IsEmpty());
  }
}

/// A run of this kernel is within what is said of it.
void expectWithin(const std::string &Body, Dim3 Block, uint64_t Budget) {
  PTXKernel K(Body, Block);
  K.Launch.Grid = {1, 1, 1};
  K.Launch.Args[1].Integer = 0;
  analyze(K, Budget);
  std::optional<KnownCounts> C = compareWithRun(K, 1 << 16);
  ASSERT_TRUE(C);
  EXPECT_THAT(C->Differences, testing::IsEmpty());
}

TEST(StaticCountsTest, OneLookSaysThatItsIterationsPartLanes) {
  // Lanes leave the second loop within one by one, and from then on are in
  // different iterations of the outer one when they come to the first.
  const std::string Body =
      Head.str() +
      "mov.u32 %r24, 1;\nOuter: rem.u32 %r29, %r24, 8;\nmov.u32 %r25, 1;\n"
      "Together: add.u32 %r25, %r25, 3;\nsetp.lt.u32 %p3, %r25, %r29;\n"
      "@%p3 bra Together;\nadd.u32 %r10, %r0, %r24;\n"
      "mad.wide.u32 %rd2, %r10, 4, %rd0;\nld.global.u32 %r10, [%rd2];\n"
      "rem.u32 %r29, %r10, 9;\n"
      "Apart: bar.warp.sync -1;\nadd.u32 %r25, %r25, 1;\n"
      "setp.lt.u32 %p3, %r25, %r29;\n@%p3 bra Apart;\n"
      "add.u32 %r24, %r24, 1;\nsetp.lt.u32 %p3, %r24, 27;\n"
      "@%p3 bra Outer;\n";
  expectWithin(Body, {2, 1, 1}, /*Budget=*/300);
  expectWithin(Body, {2, 1, 1}, StaticProfileBudget);
}

TEST(StaticCountsTest, LanesThatAreNotTakenToComePartInALoop) {
  // Data say how often the first loop runs, and hence the second, to which
  // lanes are taken not to come.
  expectWithin(Head.str() +
                   "mov.u32 %r6, %tid.y;\nmov.u32 %r24, 1;\n"
                   "mad.wide.u32 %rd2, %r6, 4, %rd0;\n"
                   "ld.global.u32 %r10, [%rd2];\nrem.u32 %r28, %r10, 18;\n"
                   "First: add.u32 %r24, %r24, 1;\n"
                   "setp.lt.u32 %p3, %r24, %r28;\n@%p3 bra First;\n"
                   "mul.lo.u32 %r10, %r24, 2;\nsetp.gt.u32 %p1, %r10, 109;\n"
                   "@%p1 bra End;\nrem.u32 %r29, %r10, 8;\n"
                   "mov.u32 %r25, 1;\n"
                   "Second: bar.warp.sync 0xf0;\nadd.u32 %r25, %r25, 1;\n"
                   "setp.lt.u32 %p3, %r25, %r29;\n@%p3 bra Second;\n"
                   "add.u32 %r11, %r10, 4;\nEnd:",
               {33, 2, 1}, StaticProfileBudget);
}

TEST(StaticCountsTest, WhoWaitsForTheEndedOrForNobodyMeetsTheOthers) {
  // Lanes that end at once are not waited for, but those that go to the end.
  for (bool AtOnce : {true, false}) {
    PTXKernel K((Head + "setp.ge.u32 %p0, %r0, %r1;\n" +
                 (AtOnce ? "@%p0 ret;\n" : "@%p0 bra End;\n") +
                 "bar.sync 0;\nsetp.lt.u32 %p1, %r4, 5;\n@%p1 bra Join;\n"
                 "mov.u32 %r6, 1;\nJoin: bar.warp.sync -1;\nEnd:\n")
                    .str(),
                {64, 1, 1}, {{1, 71}});
    K.Launch.Grid = {2, 1, 1};
    analyze(K);
    EXPECT_TRUE(K.frequency("Join").isKnown());
    EXPECT_EQ(K.frequency("End").isKnown(), AtOnce);
    std::optional<KnownCounts> C = compareWithRun(K, 1024);
    ASSERT_TRUE(C);
    EXPECT_THAT(C->Differences, testing::IsEmpty());
  }
  // Lanes leave a loop one after the other while the rest waits for them.
  PTXKernel K((Head + "mov.u32 %r5, 0;\nLoop: bar.warp.sync -1;\n"
                      "add.u32 %r5, %r5, 8;\nsetp.lt.u32 %p0, %r5, %r4;\n"
                      "@%p0 bra Loop;\nEnd: mov.u32 %r6, 0;\n"
                      "Inner: add.u32 %r6, %r6, 1;\n"
                      "setp.lt.u32 %p1, %r6, %r4;\n@%p1 bra Inner;\n")
                  .str(),
              {32, 1, 1}, {{1, 1}});
  K.Launch.Grid = {1, 1, 1};
  analyze(K);
  EXPECT_TRUE(K.frequency("Loop").isKnown());
  EXPECT_FALSE(K.frequency("End").isKnown());
  EXPECT_FALSE(K.counts().Loops[0].TripCount.isKnown());
  std::optional<KnownCounts> C = compareWithRun(K, 1024);
  ASSERT_TRUE(C);
  EXPECT_THAT(C->Differences, testing::IsEmpty());
}

} // namespace

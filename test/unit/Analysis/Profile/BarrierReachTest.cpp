//===- BarrierReachTest.cpp - Barriers that threads of a block miss -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Profile/BarrierReach.h"
#include "RunKernel.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ptxpredict;

namespace {

/// What is said of the barriers of a kernel at blocks of that shape, "fewer
/// 128/256" or "perhaps" each. Where n has a value nothing is open: then a run
/// finds the same.
std::string missed(const std::string &Body, Dim3 Block = {256, 1, 1},
                   std::optional<int64_t> N = 0, StringRef Functions = "") {
  PTXKernel K(RunHead.str() + Body, Block, {}, Functions);
  K.Launch.Grid = {4, 1, 1};
  if (N)
    K.Launch.Args[1].Integer = *N;
  analyze(K);
  if (N) {
    EXPECT_EQ(missesBarrier(K, 1 << 16), saysMissed(K));
  }
  std::string All;
  for (const BarrierReach &B : K.Counts.Barriers) {
    All += (All.empty() ? "" : ", ") + toString(B.Miss).str();
    if (B.Miss != BarrierMiss::Perhaps)
      All += llvm::formatv(" {0}/{1}", B.Reaching, B.Threads);
  }
  return All;
}

constexpr char BarSync[] = "bar.sync 0;\n";

TEST(BarrierReach, AllThreadsCome) {
  EXPECT_EQ(missed(BarSync), "");
  EXPECT_EQ(missed(BarSync, {50, 1, 1}), "");
}

TEST(BarrierReach, SomeWarpsGoAround) {
  std::string Body = "setp.ge.u32 %p0, %r4, 128;\n@%p0 bra End;\n";
  EXPECT_EQ(missed(Body + BarSync + "End:"), "fewer 128/256");
  EXPECT_EQ(missed(Body + "End:" + BarSync), "");
  EXPECT_EQ(missed(Body + BarSync + "End:", {128, 1, 1}), "");
  EXPECT_EQ(missed(Body + BarSync + BarSync + "End:"),
            "fewer 128/256, fewer 128/256");
}

TEST(BarrierReach, LanesOfAWarpGoAround) {
  std::string Body = "setp.ge.u32 %p0, %r4, 20;\n@%p0 bra End;\n";
  EXPECT_EQ(missed(Body + BarSync + "End:", {32, 1, 1}), "lanes 20/32");
  EXPECT_EQ(missed("setp.lt.u32 %p0, %r4, 20;\n@%p0 bar.sync 0;\n", {32, 1, 1}),
            "lanes 20/32");
  // Each lane by itself: still some never come.
  EXPECT_EQ(missed(Body + "barrier.sync 0;\nEnd:", {32, 1, 1}), "fewer 20/32");
}

TEST(BarrierReach, LanesComeToBarriersOfTheirOwn) {
  std::string Body = "setp.ge.u32 %p0, %r4, 20;\n@%p0 bra Else;\n"
                     "barrier.sync 0;\nbra End;\n"
                     "Else: barrier.sync 0;\nEnd:";
  EXPECT_EQ(missed(Body), "");
  std::string Aligned = "setp.ge.u32 %p0, %r4, 64;\n@%p0 bra Else;\n"
                        "bar.sync 0;\nbra End;\n"
                        "Else: bar.sync 0;\nEnd:";
  EXPECT_EQ(missed(Aligned), "");
}

TEST(BarrierReach, ThreadsBeyondTheDataReturn) {
  std::string Body = "setp.ge.u32 %p0, %r0, %r1;\n@%p0 ret;\n";
  EXPECT_EQ(missed(Body + BarSync, {256, 1, 1}, 1000), "fewer 232/256");
  EXPECT_EQ(missed(Body + BarSync, {256, 1, 1}, 1024), "");
  EXPECT_EQ(missed(Body + BarSync, {256, 1, 1}, 512), "");
  EXPECT_EQ(missed(Body + BarSync, {256, 1, 1}, std::nullopt), "perhaps");
}

TEST(BarrierReach, BlocksAgree) {
  // On their index, a parameter, or an extent.
  EXPECT_EQ(
      missed("setp.ge.u32 %p0, %r2, 2;\n@%p0 ret;\n" + std::string(BarSync)),
      "");
  EXPECT_EQ(missed("setp.ge.u32 %p0, %r2, %r1;\n@%p0 bra End;\n" +
                       std::string(BarSync) + "End:",
                   {256, 1, 1}, std::nullopt),
            "");
  EXPECT_EQ(missed("setp.ge.u32 %p0, %r4, %r3;\n@%p0 bra End;\n" +
                   std::string(BarSync) + "End:"),
            "");
}

TEST(BarrierReach, LoopsDifferFromThreadToThread) {
  std::string Loop = "Loop: bar.sync 0;\nadd.u32 %r5, %r5, %r3;\n"
                     "setp.lt.u32 %p0, %r5, %r1;\n@%p0 bra Loop;\n";
  std::string ByThread = "mov.u32 %r5, %r4;\n" + Loop,
              ByBlock = "mov.u32 %r5, 0;\n" + Loop;
  EXPECT_EQ(missed(ByThread, {64, 1, 1}, 100), "lanes 4/32");
  EXPECT_EQ(missed(ByThread, {64, 1, 1}, 128), "");
  EXPECT_EQ(missed(ByThread, {64, 1, 1}, 160), "fewer 32/64");
  EXPECT_EQ(missed(ByThread, {64, 1, 1}, std::nullopt), "perhaps");
  EXPECT_EQ(missed(ByBlock, {64, 1, 1}, 100), "");
  EXPECT_EQ(missed(ByBlock, {64, 1, 1}, std::nullopt), "");
}

TEST(BarrierReach, AnOpenLoopAroundADecidedCondition) {
  std::string Body = "mov.u32 %r5, 0;\nLoop:\n"
                     "setp.ge.u32 %p1, %r4, 32;\n@%p1 bra Next;\n"
                     "bar.sync 0;\nNext: add.u32 %r5, %r5, 1;\n"
                     "setp.lt.u32 %p0, %r5, %r1;\n@%p0 bra Loop;\n";
  EXPECT_EQ(missed(Body, {64, 1, 1}, 3), "fewer 32/64");
  EXPECT_EQ(missed(Body, {64, 1, 1}, std::nullopt), "fewer 32/64");
}

TEST(BarrierReach, OpenLoopsOfWarpsApart) {
  // As often as each other, or not, that is open.
  std::string Body = "mov.u32 %r5, 0;\nsetp.ge.u32 %p1, %r4, 32;\n"
                     "@%p1 bra B;\n"
                     "A: bar.sync 0;\nadd.u32 %r5, %r5, 1;\n"
                     "setp.lt.u32 %p0, %r5, %r1;\n@%p0 bra A;\nbra End;\n"
                     "B: bar.sync 0;\nbar.sync 0;\nadd.u32 %r5, %r5, 2;\n"
                     "setp.lt.u32 %p0, %r5, %r1;\n@%p0 bra B;\nEnd:";
  EXPECT_EQ(missed(Body, {64, 1, 1}, std::nullopt), "");
  EXPECT_EQ(missed(Body, {64, 1, 1}, 4), "");
  EXPECT_EQ(missed(Body, {64, 1, 1}, 5), "fewer 32/64, fewer 32/64");
}

TEST(BarrierReach, DataDecide) {
  std::string Load = "mul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd1, %rd1, %rd0;\n";
  std::string Rest = "setp.lt.u32 %p0, %r6, 500;\n@%p0 bra End;\n"
                     "bar.sync 0;\nEnd:";
  EXPECT_EQ(missed(Load + "ld.global.u32 %r6, [%rd1];\n" + Rest, {256, 1, 1},
                   std::nullopt),
            "perhaps");
  // The same for all threads.
  EXPECT_EQ(
      missed("ld.global.u32 %r6, [%rd0];\n" + Rest, {256, 1, 1}, std::nullopt),
      "");
  // Warps vote for themselves, a block for all.
  EXPECT_EQ(missed(Load + "ld.global.u32 %r6, [%rd1];\n"
                          "setp.lt.u32 %p1, %r6, 500;\n"
                          "vote.sync.any.pred %p0, %p1, -1;\n"
                          "@%p0 bra End;\nbar.sync 0;\nEnd:",
                   {256, 1, 1}, std::nullopt),
            "perhaps");
  EXPECT_EQ(missed(Load + "ld.global.u32 %r6, [%rd1];\n"
                          "setp.lt.u32 %p1, %r6, 500;\n"
                          "bar.red.or.pred %p0, 0, %p1;\n"
                          "@%p0 bra End;\nbar.sync 0;\nEnd:",
                   {256, 1, 1}, std::nullopt),
            "");
}

TEST(BarrierReach, WaysThatNobodyKnows) {
  // What %r5 is behind an exit in one of the ways has no form, but is small:
  // nobody comes to the barrier.
  const std::string Head = "mov.u32 %r5, 2;\nsetp.gt.u32 %p1, %r0, 20;\n"
                           "@%p1 bra Exit;\nbra Join;\n"
                           "Exit: mov.u32 %r5, 0;\nsetp.eq.u32 %p2, %r1, 20;\n"
                           "@%p2 ret;\n"
                           "Join: setp.lt.u32 %p1, %r5, 192;\n";
  EXPECT_EQ(missed(Head + "@%p1 bra End;\nsetp.lt.u32 %p2, %r4, 22;\n"
                          "@%p2 bar.sync 0;\nEnd:",
                   {32, 1, 1}),
            "");
  EXPECT_EQ(missed(Head + "@%p1 bra End;\nsetp.lt.u32 %p2, %r4, 32;\n"
                          "@!%p2 bra End;\nbar.sync 0;\nEnd:",
                   {64, 1, 1}),
            "");
  // Behind such a way all of them have met again.
  EXPECT_EQ(missed(Head + "@%p1 bra Meet;\nadd.u32 %r6, %r6, 1;\n"
                          "Meet: setp.lt.u32 %p2, %r4, 22;\n"
                          "@%p2 bar.sync 0;\n",
                   {32, 1, 1}),
            "lanes 22/32");
}

TEST(BarrierReach, ChecksThatEndTheLaunch) {
  EXPECT_EQ(missed("setp.lt.u32 %p0, %r0, %r1;\n@%p0 bra Good;\ntrap;\n"
                   "Good: bar.sync 0;\n",
                   {256, 1, 1}, std::nullopt),
            "");
}

TEST(BarrierReach, LanesMeetAgain) {
  std::string Body = "setp.ge.u32 %p0, %r0, %r1;\n@%p0 bra End;\n"
                     "mul.wide.u32 %rd1, %r0, 4;\n"
                     "add.s64 %rd1, %rd1, %rd0;\n"
                     "st.global.u32 [%rd1], %r0;\nEnd: bar.sync 0;\n";
  EXPECT_EQ(missed(Body, {256, 1, 1}, std::nullopt), "");
}

TEST(BarrierReach, NamedBarriers) {
  std::string Body = "setp.ge.u32 %p0, %r4, 64;\n@%p0 bra End;\n";
  // For as many as come.
  EXPECT_EQ(missed(Body + "bar.sync 1, 64;\nEnd:"), "");
  EXPECT_EQ(missed(Body + "bar.sync 1, 128;\nEnd:"), "too-few 64/128");
  EXPECT_EQ(missed(Body + "bar.sync 1, 256;\nEnd:"), "fewer 64/256");
  // Producers go on at once, consumers wait for them.
  EXPECT_EQ(missed(Body + "bar.sync 1, 256;\nbra.uni Last;\n"
                          "End: bar.arrive 1, 256;\nLast:"),
            "");
  // Nobody knows for how many.
  EXPECT_EQ(missed(Body + "bar.sync 1, %r1;\nEnd:", {256, 1, 1}, std::nullopt),
            "");
  EXPECT_EQ(missed(Body + "bar.sync %r1;\nEnd:", {256, 1, 1}, std::nullopt),
            "");
}

TEST(BarrierReach, OfAWholeCluster) {
  std::string Body = "setp.ge.u32 %p0, %r4, 64;\n@%p0 bra End;\n",
              Wait = "barrier.cluster.arrive.aligned;\n"
                     "barrier.cluster.wait.aligned;\n";
  EXPECT_EQ(missed(Body + Wait + "End:"), "fewer 64/256");
  EXPECT_EQ(missed(Body + "End:" + Wait), "");
}

TEST(BarrierReach, InFunctions) {
  StringRef Function = ".func f()\n{\nbar.sync 0;\nret;\n}\n";
  std::string Body = "setp.ge.u32 %p0, %r4, 64;\n@%p0 bra End;\n"
                     "call f;\nEnd:";
  EXPECT_EQ(missed(Body, {256, 1, 1}, 0, Function), "fewer 64/256");
  EXPECT_EQ(missed("call f;\n", {256, 1, 1}, 0, Function), "");
}

TEST(BarrierReach, NamesWhatPartsThreads) {
  PTXKernel K(RunHead.str() + "setp.ge.u32 %p1, %r2, %r1;\n@%p1 bra End;\n"
                              "setp.ge.u32 %p0, %r4, 128;\n@%p0 bra End;\n"
                              "bar.sync 0;\nEnd:",
              {256, 1, 1});
  K.analyze();
  ASSERT_EQ(K.Counts.Barriers.size(), 1u);
  EXPECT_EQ(K.Counts.Barriers[0].PartedBy, &K.instruction("bra", 1));
  EXPECT_FALSE(K.Counts.Barriers[0].NeedsGrid);
}

TEST(BarrierReach, AssumedLaunches) {
  auto Of = [](const char *Condition) {
    PTXKernel K(RunHead.str() + Condition + "@%p0 bra End;\nbar.sync 0;\nEnd:",
                {256, 1, 1});
    K.Launch.BlockIsAssumed = K.Launch.GridIsAssumed = true;
    K.analyze();
    EXPECT_EQ(K.Counts.Barriers.size(), 1u);
    return K.Counts.Barriers.empty() ? BarrierReach() : K.Counts.Barriers[0];
  };
  BarrierReach Block = Of("setp.ge.u32 %p0, %r4, 128;\n"),
               Grid = Of("setp.ge.u32 %p0, %r0, 128;\n"),
               FarGrid = Of("setp.ge.u32 %p0, %r0, 100000;\n");
  EXPECT_EQ(Block.Miss, BarrierMiss::Fewer);
  EXPECT_FALSE(Block.NeedsGrid);
  EXPECT_EQ(Grid.Miss, BarrierMiss::Fewer);
  EXPECT_TRUE(Grid.NeedsGrid);
  EXPECT_EQ(FarGrid.Miss, BarrierMiss::Perhaps);
}

} // namespace

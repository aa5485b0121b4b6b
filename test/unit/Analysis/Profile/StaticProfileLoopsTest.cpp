//===- StaticProfileLoopsTest.cpp - How often loops run -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RunKernel.h"
#include "llvm/ADT/StringExtras.h"
#include <random>

using namespace ptxpredict;

namespace {
/// The only loop of a kernel.
LoopCounts loop(StringRef Body, Dim3 Block = {64, 1, 1},
                const std::map<unsigned, int64_t> &Args = {}) {
  PTXKernel K(Body, Block, Args);
  K.analyze();
  return K.loop();
}
} // namespace

TEST(TripCountsTest, RotatedLoop) {
  LoopCounts L = loop("mov.u32 %r1, 0;\n"
                      "L: add.s32 %r1, %r1, 1;\n"
                      "setp.lt.s32 %p1, %r1, 100;\n@%p1 bra L;");
  EXPECT_EQ(L.TripCount.Value, 100);
  EXPECT_EQ(L.TripCount.Status, Status::Known);
}

TEST(TripCountsTest, LoopTestedAtTheTop) {
  LoopCounts L = loop("mov.u32 %r1, 0;\n"
                      "L: setp.ge.s32 %p1, %r1, 100;\n@%p1 bra END;\n"
                      "add.s32 %r1, %r1, 3;\nbra L;\nEND:");
  EXPECT_EQ(L.TripCount.Value, 34);
}

TEST(TripCountsTest, LoopTestedAtTheTopThatNeverRuns) {
  LoopCounts L = loop("mov.u32 %r1, 7;\n"
                      "L: setp.ge.s32 %p1, %r1, 5;\n@%p1 bra END;\n"
                      "add.s32 %r1, %r1, 1;\nbra L;\nEND:");
  EXPECT_EQ(L.TripCount.Value, 0);
}

TEST(TripCountsTest, CountsDownToZero) {
  EXPECT_EQ(loop("mov.u32 %r1, 128;\n"
                 "L: add.s32 %r1, %r1, -4;\n"
                 "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;")
                .TripCount.Value,
            32);
}

TEST(TripCountsTest, InvertedGuardAndSwappedOperands) {
  EXPECT_EQ(loop("mov.u32 %r1, 0;\n"
                 "L: add.s32 %r1, %r1, 2;\n"
                 "setp.le.s32 %p1, 50, %r1;\n@!%p1 bra L;")
                .TripCount.Value,
            25);
}

TEST(TripCountsTest, ComparesTheOldCounter) {
  // do { … } while (i++ < 9)
  EXPECT_EQ(loop("mov.u32 %r1, 0;\n"
                 "L: setp.lt.s32 %p1, %r1, 9;\nadd.s32 %r1, %r1, 1;\n"
                 "@%p1 bra L;")
                .TripCount.Value,
            10);
}

TEST(TripCountsTest, Halving) {
  EXPECT_EQ(loop("mov.u32 %r1, 128;\n"
                 "L: shr.u32 %r1, %r1, 1;\n"
                 "setp.gt.u32 %p1, %r1, 0;\n@%p1 bra L;")
                .TripCount.Value,
            8);
}

TEST(TripCountsTest, Doubling) {
  EXPECT_EQ(loop("mov.u32 %r1, 1;\n"
                 "L: shl.b32 %r1, %r1, 1;\n"
                 "setp.lt.u32 %p1, %r1, 1024;\n@%p1 bra L;")
                .TripCount.Value,
            10);
}

TEST(TripCountsTest, AWarpRunsAsOftenAsItsLongestLane) {
  // i = tid; i < 100; i += 32: lane 0 runs 4 times, lane 32 3 times.
  LoopCounts L = loop("mov.u32 %r1, %tid.x;\n"
                      "L: add.s32 %r1, %r1, 32;\n"
                      "setp.lt.s32 %p1, %r1, 100;\n@%p1 bra L;");
  EXPECT_EQ(L.TripCount.Value, 3.5);
  EXPECT_EQ(L.TripCount.Status, Status::Known);
}

TEST(TripCountsTest, BoundByAParameter) {
  StringRef Body = "ld.param.u32 %r2, [n];\nmov.u32 %r1, 0;\n"
                   "L: add.s32 %r1, %r1, 16;\n"
                   "setp.lt.s32 %p1, %r1, %r2;\n@%p1 bra L;";
  EXPECT_EQ(loop(Body, {64, 1, 1}, {{1, 4096}}).TripCount.Value, 256);
  LoopCounts Unknown = loop(Body);
  EXPECT_EQ(Unknown.TripCount.Value, DefaultTripCount);
  EXPECT_EQ(Unknown.TripCount.Status, Status::Assumed);
}

TEST(TripCountsTest, GridStrideLoop) {
  LoopCounts L = loop("mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\n"
                      "mov.u32 %r3, %tid.x;\nmad.lo.s32 %r4, %r1, %r2, %r3;\n"
                      "mov.u32 %r5, %nctaid.x;\nmul.lo.s32 %r6, %r5, %r2;\n"
                      "ld.param.u32 %r7, [n];\n"
                      "L: add.s32 %r4, %r4, %r6;\n"
                      "setp.lt.s32 %p1, %r4, %r7;\n@%p1 bra L;",
                      {64, 1, 1}, {{1, 640000}});
  EXPECT_EQ(L.TripCount.Value, 10); // 1000 blocks of 64
  EXPECT_EQ(L.TripCount.Status, Status::Known);
}

TEST(TripCountsTest, TheLaunchNamesTheLoop) {
  for (StringRef Key : {"$L__BB0_1", "L__BB0_1", "12"}) {
    PTXKernel K("ld.param.u32 %r2, [n];\nmov.u32 %r1, 0;\n"
                "$L__BB0_1: add.s32 %r1, %r1, 1;\n"
                "setp.lt.s32 %p1, %r1, %r2;\n@%p1 bra $L__BB0_1;");
    K.Launch.TripCounts[Key.str()] = 7;
    K.analyze();
    EXPECT_EQ(K.loop().TripCount.Value, 7) << Key.str();
    EXPECT_EQ(K.loop().TripCount.Status, Status::Known);
    EXPECT_TRUE(K.Counts.Assumptions.empty());
  }
}

TEST(TripCountsTest, TheAssumptionNamesItsOption) {
  PTXKernel K("ld.param.u32 %r2, [n];\nmov.u32 %r1, 0;\n"
              "$L__BB0_1: add.s32 %r1, %r1, 1;\n"
              "setp.lt.s32 %p1, %r1, %r2;\n@%p1 bra $L__BB0_1;");
  K.analyze();
  ASSERT_EQ(K.Counts.Assumptions.size(), 1u);
  EXPECT_EQ(K.Counts.Assumptions[0].Option, "--trip-count=L__BB0_1=N");
  EXPECT_EQ(K.Counts.Assumptions[0].Value, "64");
}

TEST(TripCountsTest, ACounterThatWrapsAround) {
  LoopCounts L = loop("mov.u32 %r1, 0;\n"
                      "L: add.s32 %r1, %r1, -1;\n"
                      "setp.ne.s32 %p1, %r1, 5;\n@%p1 bra L;");
  EXPECT_EQ(L.TripCount.Value, 4294967291);
  EXPECT_EQ(L.TripCount.Status, Status::Known);
}

TEST(TripCountsTest, NestedLoops) {
  PTXKernel K("mov.u32 %r1, 0;\n"
              "OUTER: mov.u32 %r2, 0;\n"
              "INNER: add.s32 %r2, %r2, 1;\n"
              "setp.lt.s32 %p1, %r2, 10;\n@%p1 bra INNER;\n"
              "add.s32 %r1, %r1, 1;\n"
              "setp.lt.s32 %p2, %r1, 5;\n@%p2 bra OUTER;\nAFTER:");
  K.analyze();
  EXPECT_EQ(K.frequency("OUTER").Value, 5);
  EXPECT_EQ(K.frequency("INNER").Value, 50);
  EXPECT_EQ(K.frequency("AFTER").Value, 1);
  EXPECT_EQ(K.frequency("INNER").Status, Status::Known);
}

TEST(TripCountsTest, AWindowAroundLoadedData) {
  // for (y = v - 3; y <= v + 3; ++y)
  auto Window = [](StringRef Load, StringRef Compare) {
    return loop((Load +
                 "sub.s32 %r2, %r1, 3;\nadd.s32 %r3, %r1, 3;\n"
                 "L: add.s32 %r2, %r2, 1;\n" +
                 Compare + " %p1, %r2, %r3;\n@%p1 bra L;")
                    .str());
  };
  constexpr StringRef Whole = "ld.global.u32 %r1, [8];\n",
                      Small = "ld.global.u16 %rs1, [8];\n"
                              "cvt.s32.s16 %r1, %rs1;\n";
  // Whether v + 3 wraps is open.
  LoopCounts L = Window(Whole, "setp.le.s32");
  EXPECT_EQ(L.TripCount.Value, 7);
  EXPECT_EQ(L.TripCount.Status, Status::Assumed);
  EXPECT_EQ(L.TripCount.Low, 1);
  EXPECT_EQ(L.Reason, OpenReason::Load);
  EXPECT_EQ(Window(Whole, "setp.lt.u32").TripCount.Value, 6);
  // Whether it is met is not.
  L = Window(Whole, "setp.ne.s32");
  EXPECT_EQ(L.TripCount.Value, 6);
  EXPECT_TRUE(L.TripCount.isKnown());
  // A small number cannot wrap as a signed one; as an unsigned one it can.
  L = Window(Small, "setp.le.s32");
  EXPECT_EQ(L.TripCount.Value, 7);
  EXPECT_TRUE(L.TripCount.isKnown());
  EXPECT_FALSE(Window(Small, "setp.le.u32").TripCount.isKnown());
}

TEST(TripCountsTest, AWindowBehindALoopOfItsRest) {
  // Three of eleven one by one, then four at a time.
  PTXKernel K("ld.global.u32 %r1, [8];\nsub.s32 %r2, %r1, 5;\n"
              "add.s32 %r3, %r1, 5;\nmax.s32 %r4, %r3, %r2;\n"
              "add.s32 %r5, %r4, 6;\nsub.s32 %r6, %r5, %r1;\n"
              "and.b32 %r7, %r6, 3;\n"
              "REST: add.s32 %r2, %r2, 1;\nadd.s32 %r7, %r7, -1;\n"
              "setp.ne.s32 %p1, %r7, 0;\n@%p1 bra REST;\n"
              "add.s32 %r2, %r2, -1;\n"
              "MAIN: add.s32 %r2, %r2, 4;\n"
              "setp.lt.s32 %p2, %r2, %r3;\n@%p2 bra MAIN;");
  K.analyze();
  EXPECT_EQ(K.frequency("REST").Value, 3);
  EXPECT_EQ(K.frequency("MAIN").Value, 2);
}

TEST(TripCountsTest, KnownWindowsAreWhatRuns) {
  std::mt19937 Random(3);
  auto UpTo = [&](unsigned N) { return int(Random() % N); };
  unsigned Known = 0;
  for (unsigned Round = 0; Round != 150; ++Round) {
    // A base of few bits, perhaps at either end of the range.
    const bool Rises = UpTo(2), IsSigned = UpTo(2), LeavesFirst = UpTo(2);
    const int From = UpTo(9), Way = UpTo(9);
    PTXKernel K(
        llvm::formatv("{0}and.b32 %r5, %r0, 31;\nmul.wide.u32 %rd1, %r5, 4;\n"
                      "add.u64 %rd1, %rd0, %rd1;\nld.global.u32 %r6, [%rd1];\n"
                      "and.b32 %r6, %r6, {1};\nshl.b32 %r6, %r6, {2};\n"
                      "add.s32 %r7, %r6, {3};\nadd.s32 %r8, %r6, {4};\n"
                      "mov.u32 %r9, 0;\n"
                      "L: add.s32 %r9, %r9, 1;\nadd.s32 %r7, %r7, {5};\n"
                      "setp.{6}.{7} %p1, %r7, %r8;\n@{8}%p1 bra L;\n"
                      "st.global.u32 [%rd1+128], %r9;\n",
                      RunHead, UpTo(2) ? 255 : 65535, UpTo(4) * 8,
                      Rises ? -From : From, Rises ? Way - From : From - Way,
                      Rises ? 1 : -1,
                      LeavesFirst == Rises ? (LeavesFirst ? "ge" : "gt")
                                           : (LeavesFirst ? "le" : "lt"),
                      IsSigned ? "s32" : "u32", LeavesFirst ? "!" : "")
            .str(),
        {64, 1, 1}, {{1, 0}});
    K.Launch.Grid = {1, 1, 1};
    analyze(K);
    std::optional<KnownCounts> Compared = compareWithRun(K, 512);
    if (!Compared)
      continue;
    Known += K.loop().TripCount.isKnown();
    EXPECT_EQ(llvm::join(Compared->Differences, "\n"), "") << Round;
  }
  EXPECT_GT(Known, 20u);
}

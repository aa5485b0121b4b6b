//===- BarrierTest.cpp - Threads of a block wait for each other -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatedText.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {

/// %r0 is the thread, %rd20 its place in the first buffer, %r20 its word of the
/// shared array s; %r21 is the thread's warp.
constexpr StringRef Start = R"(
  .shared .align 4 .b8 s[4096];
  mov.u32 %r0, %tid.x; mul.wide.u32 %rd20, %r0, 4; add.u64 %rd20, %rd0, %rd20;
  mov.u32 %r19, s; mad.lo.u32 %r20, %r0, 4, %r19; shr.u32 %r21, %r0, 5;
)";

std::vector<uint32_t> resultsOf(const Twine &Body, unsigned Threads) {
  EmulatedText T(EmulatedText::kernel(Start + Body +
                                      "\nst.global.u32 [%rd20], %r1;\nret;"));
  T.Launch.Block = {Threads, 1, 1};
  T.buffer(size_t(Threads) * 4).run();
  return T.contents<uint32_t>();
}

TEST(EmulatorBarrier, NobodyIsAheadOfTheOthers) {
  // Ten rounds in which each thread takes its neighbour's number.
  std::vector<uint32_t> R = resultsOf(R"(
    mov.u32 %r1, %r0; mov.u32 %r2, 0;
    add.u32 %r3, %r0, 1; rem.u32 %r3, %r3, 200; mad.lo.u32 %r3, %r3, 4, %r19;
  Loop:
    st.shared.u32 [%r20], %r1;
    bar.sync 0;
    ld.shared.u32 %r1, [%r3];
    barrier.cta.sync.aligned 0;
    add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, 10;
    @%p0 bra Loop;)",
                                      200);
  for (unsigned L = 0; L != 200; ++L)
    EXPECT_EQ(R[L], (L + 10) % 200);
}

TEST(EmulatorBarrier, CountsAndVotesOfTheBlock) {
  // 100 threads, the last warp of 4.
  EmulatedText T(EmulatedText::kernel(R"(
    mov.u32 %r0, %tid.x; mul.wide.u32 %rd20, %r0, 24;
    add.u64 %rd20, %rd0, %rd20;
    rem.u32 %r1, %r0, 3; setp.eq.u32 %p0, %r1, 0;
    setp.lt.u32 %p1, %r0, 100; setp.eq.u32 %p2, %r0, 99;
    bar.red.popc.u32 %r2, 0, %p0;
    barrier.red.popc.aligned.u32 %r3, 1, !%p0;
    bar.red.and.pred %p3, 0, %p1; selp.u32 %r4, 1, 0, %p3;
    bar.red.and.pred %p3, 0, %p2; selp.u32 %r5, 1, 0, %p3;
    barrier.red.or.pred %p3, 15, %p2; selp.u32 %r6, 1, 0, %p3;
    bar.red.or.pred %p3, 0, !%p1; selp.u32 %r7, 1, 0, %p3;
    st.global.v2.u32 [%rd20], {%r2, %r3};
    st.global.v2.u32 [%rd20+8], {%r4, %r5};
    st.global.v2.u32 [%rd20+16], {%r6, %r7};
    ret;)"));
  T.Launch.Block = {100, 1, 1};
  T.buffer(2400).run();
  std::vector<uint32_t> Out = T.contents<uint32_t>();
  for (unsigned L = 0; L != 100; ++L)
    EXPECT_EQ(
        std::vector<uint32_t>(Out.begin() + L * 6, Out.begin() + L * 6 + 6),
        (std::vector<uint32_t>{34, 66, 1, 0, 1, 0}));
}

TEST(EmulatorBarrier, SomeProduceAndOthersConsume) {
  // Warps 0 and 1 write and go on, warps 2 and 3 wait for them, twice.
  std::vector<uint32_t> R = resultsOf(R"(
    setp.ge.u32 %p0, %r0, 64; mov.u32 %r1, 0; mov.u32 %r2, 0;
    sub.u32 %r3, %r20, 256;
    @%p0 bra Consume;
  Produce:
    mad.lo.u32 %r4, %r2, 1000, %r0;
    st.shared.u32 [%r20], %r4;
    bar.arrive 1, 128;
    bar.sync 2, 128;
    add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 2;
    @%p1 bra Produce;
    bra End;
  Consume:
    bar.sync 1, 128;
    ld.shared.u32 %r4, [%r3]; add.u32 %r1, %r1, %r4;
    bar.cta.arrive 2, 128;
    add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 2;
    @%p1 bra Consume;
  End:)",
                                      128);
  for (unsigned L = 0; L != 128; ++L)
    EXPECT_EQ(R[L], L < 64 ? 0 : 1000 + 2 * (L - 64));
}

TEST(EmulatorBarrier, PairsOfWarpsWithBarriersOfTheirOwn) {
  // Pair n goes n + 1 rounds at barrier n + 1, whose number is in a register.
  std::vector<uint32_t> R = resultsOf(R"(
    shr.u32 %r2, %r0, 6; add.u32 %r3, %r2, 1; mov.u32 %r4, 0;
    mov.u32 %r1, %r0; xor.b32 %r5, %r0, 32; mad.lo.u32 %r5, %r5, 4, %r19;
    mov.u32 %r7, 64;
  Loop:
    st.shared.u32 [%r20], %r1;
    barrier.sync %r3, %r7;
    ld.shared.u32 %r6, [%r5]; add.u32 %r1, %r6, 1;
    barrier.sync %r3, 64;
    add.u32 %r4, %r4, 1; setp.le.u32 %p0, %r4, %r2;
    @%p0 bra Loop;)",
                                      256);
  for (unsigned L = 0; L != 256; ++L) {
    unsigned Rounds = L / 64 + 1;
    EXPECT_EQ(R[L], (Rounds % 2 ? L ^ 32 : L) + Rounds);
  }
}

TEST(EmulatorBarrier, EachGroupGetsItsOwnCount) {
  // Warps 1 and 2 count at barrier 1, and only then, behind barrier 2, warps 0
  // and 3; which of them reads its result first must not matter.
  std::vector<uint32_t> R = resultsOf(R"(
    setp.eq.u32 %p0, %r21, 1; setp.eq.u32 %p1, %r21, 2; or.pred %p2, %p0, %p1;
    and.b32 %r2, %r0, 7; setp.eq.u32 %p3, %r2, 0;
    @%p2 bra First;
    bar.sync 2, 96;
    bar.red.popc.u32 %r1, 1, 64, %p3;
    bra End;
  First:
    bar.red.popc.u32 %r1, 1, 64, !%p3;
    @%p1 bar.arrive 2, 96;
  End:)",
                                      128);
  for (unsigned L = 0; L != 128; ++L)
    EXPECT_EQ(R[L], L / 32 == 1 || L / 32 == 2 ? 56 : 8) << L;
}

TEST(EmulatorBarrier, LanesMayComeFromDifferentPlaces) {
  // Without .aligned, the lanes of a warp need not be together.
  std::vector<uint32_t> R = resultsOf(R"(
    and.b32 %r2, %r0, 1; setp.eq.u32 %p0, %r2, 0;
    st.shared.u32 [%r20], %r0;
    xor.b32 %r3, %r20, 260;
    @%p0 bra Even;
    add.u32 %r4, %r0, 1000; st.shared.u32 [%r20], %r4;
    barrier.sync 0;
    ld.shared.u32 %r1, [%r3];
    bra End;
  Even:
    barrier.sync 0;
    ld.shared.u32 %r1, [%r3];
  End:)",
                                      128);
  // s begins at 0, so that bits of addresses are those of words.
  for (unsigned L = 0; L != 128; ++L) {
    unsigned Other = L ^ 65;
    EXPECT_EQ(R[L], Other % 2 ? Other + 1000 : Other);
  }
}

TEST(EmulatorBarrier, ThreadsThatEndedAreNotWaitedFor) {
  // Half of warp 1 and warp 2 end early, one of them while others wait.
  std::vector<uint32_t> R = resultsOf(R"(
    mov.u32 %r1, 1; setp.lt.u32 %p0, %r0, 48; setp.ge.u32 %p1, %r0, 96;
    @%p1 bra Late;
    @!%p0 exit;
    bar.sync 0;
    mov.u32 %r1, 2;
    barrier.sync 0;
    mov.u32 %r1, 3;
    bra End;
  Late:
    bar.sync 0;
    ret;
  End:)",
                                      128);
  for (unsigned L = 0; L != 128; ++L)
    EXPECT_EQ(R[L], L < 48 ? 3 : 0u);
}

TEST(EmulatorBarrier, WithinFunctionsAndCountedOnce) {
  EmulatedText T(EmulatedText::kernel(
      Start + "st.shared.u32 [%r20], %r0;\ncall meet;\n"
              "ld.shared.u32 %r1, [s+252];\nst.global.u32 [%rd20], %r1;\nret;",
      1, ".func meet { bar.sync 0; ret; }"));
  T.Launch.Block = {64, 1, 1};
  T.buffer(256).run();
  EXPECT_EQ(T.contents<uint32_t>(), std::vector<uint32_t>(64, 63));
  EXPECT_EQ(T.at("bar.sync").Executions, 2u);
  EXPECT_EQ(T.at("bar.sync").Lanes, 64u);
}

TEST(EmulatorBarrier, OfAClusterOfOneBlock) {
  std::vector<uint32_t> R = resultsOf(R"(
    st.shared.u32 [%r20], %r0;
    barrier.cluster.arrive.release;
    add.u32 %r2, %r0, 32; rem.u32 %r2, %r2, 96; mad.lo.u32 %r2, %r2, 4, %r19;
    barrier.cluster.wait.acquire;
    ld.shared.u32 %r1, [%r2];
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    st.shared.u32 [%r20], 5;
    setp.lt.u32 %p0, %r0, 32;
    @%p0 bra End;
    barrier.cluster.arrive.relaxed;
    barrier.cluster.wait;
    ld.shared.u32 %r3, [%r2]; add.u32 %r1, %r1, %r3;
    bra Out;
  End:
    exit;
  Out:)",
                                      96);
  // Warp 0 ends, and the others do not wait for it.
  for (unsigned L = 0; L != 96; ++L)
    EXPECT_EQ(R[L], L < 32 ? 0 : (L + 32) % 96 + 5);
}

TEST(EmulatorBarrier, TheClustersOrdersAccesses) {
  // The last warp that arrives does not wait.
  EmulatedText T(EmulatedText::kernel(Start + R"(
    add.u32 %r2, %r0, 32; rem.u32 %r2, %r2, 96; mad.lo.u32 %r2, %r2, 4, %r19;
    st.shared.u32 [%r20], %r0;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    ld.shared.u32 %r1, [%r2];
    barrier.cluster.arrive;
    barrier.cluster.wait;
    st.shared.u32 [%r20], %r1;
    ret;)"));
  T.Launch.Block = {96, 1, 1};
  T.Options.Check = true;
  T.buffer(384).run();
  EXPECT_TRUE(T.Result.Problems.empty());

  EmulatedText Racing(EmulatedText::kernel(Start + R"(
    xor.b32 %r2, %r20, 128;
    st.shared.u32 [%r20], %r0;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    ld.shared.u32 %r1, [%r2];
    st.shared.u32 [%r20], %r1;
    ret;)"));
  Racing.Launch.Block = {64, 1, 1};
  Racing.Options.Check = true;
  Racing.buffer(384).run();
  ASSERT_EQ(Racing.Result.Problems.size(), 1u);
  EXPECT_EQ(Racing.Result.Problems[0].Kind, "race");
}

// Who does nothing but come to barriers goes on each time.
TEST(EmulatorBarrier, AnyNumberOfTimes) {
  for (StringRef Barrier :
       {"bar.sync 0;", "barrier.cluster.arrive;\nbarrier.cluster.wait;"}) {
    SCOPED_TRACE(Barrier.str());
    EmulatedText T(EmulatedText::kernel("mov.u32 %r1, 0;\nLoop:\n" + Barrier +
                                        R"(
      add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 5000;
      @%p0 bra Loop;
      st.global.u32 [%rd0], %r1;
      ret;)"));
    T.Launch.Block = {96, 1, 1};
    T.Launch.Grid = T.Launch.Cluster = {2, 1, 1};
    EXPECT_EQ(T.buffer(4).run().contents<uint32_t>()[0], 5000u);
  }
}

} // namespace

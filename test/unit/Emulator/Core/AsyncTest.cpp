//===- AsyncTest.cpp - Asynchronous copies and mbarriers ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatedText.h"
#include "gmock/gmock.h"
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using testing::HasSubstr;

namespace {

TEST(EmulatorAsync, CopiesOfEachSizeAndInPart) {
  // Lane t copies from 16 t on: 16, 8 and 4 bytes; t % 17 of 16 bytes with
  // zeros behind; and nothing but zeros where a predicate says so.
  EmulatedText T(EmulatedText::kernel(R"(
    .shared .align 16 .b8 s[2560];
    mov.u32 %r0, %tid.x; mov.u32 %r19, s;
    mul.wide.u32 %rd3, %r0, 16; add.u64 %rd4, %rd0, %rd3;
    mad.lo.u32 %r1, %r0, 16, %r19;
    st.shared.v4.u32 [%r1+512], {-1, -1, -1, -1};
    st.shared.v4.u32 [%r1+1024], {-1, -1, -1, -1};
    rem.u32 %r2, %r0, 17; and.b32 %r3, %r0, 1; setp.eq.u32 %p0, %r3, 1;
    cp.async.cg.shared.global [%r1], [%rd4], 16;
    cp.async.ca.shared.global [%r1+512], [%rd4+8], 8;
    cp.async.ca.shared.global.L2::128B [%r1+1024], [%rd4+4], 4;
    cp.async.commit_group;
    cp.async.ca.shared.global [%r1+1536], [%rd4], 16, %r2;
    cp.async.cg.shared.global [%r1+2048], [%rd4], 16, %p0;
    cp.async.commit_group;
    cp.async.wait_group 1;
    cp.async.wait_all;
    mov.u32 %r4, 0; add.u64 %rd5, %rd1, %rd3;
  Loop:
    ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r1];
    st.global.v4.u32 [%rd5], {%r5, %r6, %r7, %r8};
    add.u32 %r1, %r1, 512; add.u64 %rd5, %rd5, 512;
    add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 5;
    @%p1 bra Loop;
    ret;)",
                                      2));
  std::vector<uint8_t> In(512);
  std::iota(In.begin(), In.end(), 3);
  T.buffer<uint8_t>(In).buffer(2560).run();
  std::vector<uint8_t> Out = T.contents<uint8_t>(1);
  for (unsigned L = 0; L != 32; ++L)
    for (unsigned B = 0; B != 16; ++B) {
      unsigned At = 16 * L + B;
      EXPECT_EQ(Out[At], In[At]);
      EXPECT_EQ(Out[512 + At], B < 8 ? In[At + 8] : 0xff);
      EXPECT_EQ(Out[1024 + At], B < 4 ? In[At + 4] : 0xff);
      EXPECT_EQ(Out[1536 + At], B < L % 17 ? In[At] : 0) << L << " " << B;
      EXPECT_EQ(Out[2048 + At], L % 2 ? 0 : In[At]);
    }
  // What is read counts.
  const MemoryProfile &M = *T.at("cp.async.cg.shared.global").Memory;
  EXPECT_EQ(M.Sectors, 16u);
  EXPECT_EQ(M.UniqueBytes, 512u);
  // Odd lanes read nothing.
  EXPECT_EQ(T.at("cp.async.cg.shared.global", 1).Memory->UniqueBytes, 256u);
}

TEST(EmulatorAsync, BytesThatAreNotReadNeedNotBeThere) {
  EmulatedText T(EmulatedText::kernel(R"(
    .shared .align 16 .b8 s[512];
    mov.u32 %r0, %tid.x; mov.u32 %r19, s; mad.lo.u32 %r1, %r0, 16, %r19;
    mul.wide.u32 %rd3, %r0, 16; add.u64 %rd4, %rd0, %rd3;
    setp.lt.u32 %p0, %r0, 3; selp.u32 %r2, 16, 0, %p0;
    setp.eq.u32 %p1, %r0, 3; selp.u32 %r2, 5, %r2, %p1;
    cp.async.ca.shared.global [%r1], [%rd4], 16, %r2;
    cp.async.wait_all;
    ld.shared.u8 %r3, [%r1+4];
    add.u64 %rd5, %rd1, %rd3; st.global.u32 [%rd5], %r3;
    ret;)",
                                      2));
  T.buffer<uint8_t>(std::vector<uint8_t>(53, 9)).buffer(512).run();
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(T.contents<uint32_t>(1)[L * 4], L < 4 ? 9u : 0u);
  EXPECT_EQ(T.Result.Profile.GridReadBytes, 53u);
}

//===----------------------------------------------------------------------===//
// mbarrier
//===----------------------------------------------------------------------===//

TEST(EmulatorMBarrier, PhasesAndPendingCounts) {
  EmulatedText T(EmulatedText::kernel(R"(
    .shared .align 8 .b64 bar;
    mbarrier.init.shared.b64 [bar], 3;
    mbarrier.test_wait.parity.shared.b64 %p0, [bar], 1; selp.u32 %r1, 1, 0, %p0;
    mbarrier.test_wait.parity.shared.b64 %p0, [bar], 0; selp.u32 %r2, 1, 0, %p0;
    mbarrier.arrive.shared.b64 %rd1, [bar];
    mbarrier.pending_count.b64 %r3, %rd1;
    mbarrier.arrive.noComplete.shared.b64 %rd2, [bar], 1;
    mbarrier.pending_count.b64 %r4, %rd2;
    mbarrier.test_wait.shared.b64 %p0, [bar], %rd2; selp.u32 %r5, 1, 0, %p0;
    mbarrier.arrive.shared.b64 %rd3, [bar];
    mbarrier.test_wait.shared.b64 %p0, [bar], %rd3; selp.u32 %r6, 1, 0, %p0;
    mbarrier.test_wait.parity.shared.b64 %p0, [bar], 0; selp.u32 %r7, 1, 0, %p0;
    mbarrier.test_wait.parity.shared.b64 %p0, [bar], 1; selp.u32 %r8, 1, 0, %p0;
    mbarrier.arrive_drop.shared.b64 %rd4, [bar];
    mbarrier.pending_count.b64 %r9, %rd4;
    mbarrier.arrive.shared.b64 %rd5, [bar], 2;
    mbarrier.arrive.shared.b64 %rd6, [bar];
    mbarrier.pending_count.b64 %r10, %rd6;
    st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4};
    st.global.v4.u32 [%rd0+16], {%r5, %r6, %r7, %r8};
    st.global.v2.u32 [%rd0+32], {%r9, %r10};
    mbarrier.inval.shared.b64 [bar];
    ret;)"));
  T.Launch.Block = {1, 1, 1};
  T.buffer(40).run();
  // The phase before the first counts as complete. A state is that before the
  // arrival. One that drops out lowers what the next phase expects.
  EXPECT_EQ(T.contents<uint32_t>(),
            (std::vector<uint32_t>{1, 0, 3, 2, 0, 1, 1, 0, 3, 2}));
}

TEST(EmulatorMBarrier, BytesAreExpected) {
  EmulatedText T(EmulatedText::kernel(R"(
    .shared .align 8 .b64 bar;
    mbarrier.init.shared.b64 [bar], 1;
    mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 1000;
    mbarrier.test_wait.shared.b64 %p0, [bar], %rd1; selp.u32 %r1, 1, 0, %p0;
    mbarrier.complete_tx.shared::cta.b64 [bar], 600;
    mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 24;
    mbarrier.complete_tx.shared::cta.b64 [bar], 400;
    mbarrier.test_wait.shared.b64 %p0, [bar], %rd1; selp.u32 %r2, 1, 0, %p0;
    mbarrier.complete_tx.shared::cta.b64 [bar], 24;
    mbarrier.test_wait.shared.b64 %p0, [bar], %rd1; selp.u32 %r3, 1, 0, %p0;
    st.global.v2.u32 [%rd0], {%r1, %r2};
    st.global.u32 [%rd0+8], %r3;
    ret;)"));
  T.Launch.Block = {1, 1, 1};
  T.buffer(12).run();
  EXPECT_EQ(T.contents<uint32_t>(), (std::vector<uint32_t>{0, 0, 1}));
}

TEST(EmulatorMBarrier, WarpsHandOverABuffer) {
  // Warp 1 fills, warp 0 adds up, ten times; each waits for the other one.
  EmulatedText T(EmulatedText::kernel(R"(
    .shared .align 4 .b8 s[128];
    .shared .align 8 .b64 full;
    .shared .align 8 .b64 empty;
    mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 31; mov.u32 %r19, s;
    mad.lo.u32 %r2, %r1, 4, %r19; mov.u32 %r3, 0; mov.u32 %r4, 0;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra Made;
    mbarrier.init.shared.b64 [full], 32;
    mbarrier.init.shared.b64 [empty], 32;
  Made:
    bar.sync 0;
    setp.lt.u32 %p0, %r0, 32;
    @%p0 bra Consume;
  Produce:
    and.b32 %r5, %r3, 1; xor.b32 %r5, %r5, 1;
  WaitEmpty:
    mbarrier.try_wait.parity.shared.b64 %p1, [empty], %r5;
    @!%p1 bra WaitEmpty;
    mad.lo.u32 %r6, %r3, 100, %r1;
    st.shared.u32 [%r2], %r6;
    mbarrier.arrive.release.cta.shared.b64 _, [full];
    add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 10;
    @%p1 bra Produce;
    exit;
  Consume:
    and.b32 %r5, %r3, 1;
  WaitFull:
    mbarrier.test_wait.parity.acquire.cta.shared.b64 %p1, [full], %r5;
    @!%p1 bra WaitFull;
    ld.shared.u32 %r6, [%r2]; add.u32 %r4, %r4, %r6;
    mbarrier.arrive.shared.b64 %rd1, [empty];
    add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 10;
    @%p1 bra Consume;
    mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd0, %rd2;
    st.global.u32 [%rd2], %r4;
    ret;)"));
  T.Launch.Block = {64, 1, 1};
  T.buffer(128).run();
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(T.contents<uint32_t>()[L], 4500 + 10 * L);
}

TEST(EmulatorMBarrier, ArriveOnceCopiesAreThere) {
  EmulatedText T(EmulatedText::kernel(R"(
    .shared .align 16 .b8 s[1024];
    .shared .align 8 .b64 bar;
    mov.u32 %r0, %tid.x; mov.u32 %r19, s; mad.lo.u32 %r1, %r0, 16, %r19;
    mul.wide.u32 %rd3, %r0, 16; add.u64 %rd4, %rd0, %rd3;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra Made;
    mbarrier.init.shared.b64 [bar], 64;
  Made:
    bar.sync 0;
    cp.async.cg.shared.global [%r1], [%rd4], 16;
    cp.async.mbarrier.arrive.noinc.shared.b64 [bar];
  Wait:
    mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;
    @!%p1 bra Wait;
    xor.b32 %r1, %r1, 1008;
    ld.shared.u32 %r2, [%r1];
    st.global.u32 [%rd4], %r2;
    ret;)"));
  T.Launch.Block = {64, 1, 1};
  T.Options.Check = true;
  std::vector<uint32_t> In(256);
  std::iota(In.begin(), In.end(), 0);
  T.buffer<uint32_t>(In).run();
  EXPECT_TRUE(T.Result.Problems.empty());
  for (unsigned L = 0; L != 64; ++L)
    EXPECT_EQ(T.contents<uint32_t>()[L * 4], (63 - L) * 4);
}

TEST(EmulatorMBarrier, TooManyArrivalsAreSaid) {
  EmulatedText T(EmulatedText::kernel(
      ".shared .align 8 .b64 bar;\nmbarrier.init.shared.b64 [bar], 2;\n"
      "mbarrier.arrive.shared.b64 %rd1, [bar], 3;\nret;"));
  T.Launch.Block = {1, 1, 1};
  EXPECT_EQ(T.buffer(4).start(), "");
  EXPECT_THAT(T.fault(), HasSubstr("more arrivals at an mbarrier"));
}

} // namespace

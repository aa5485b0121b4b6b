//===- WarpInstructionsTest.cpp - Instructions across a warp's lanes ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatedText.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::formatv;

namespace {

/// %r0 is the thread, %rd20 its place of \p Bytes in the first buffer.
std::string threadPlace(unsigned Bytes = 4) {
  return formatv("mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd20, %r0, {0};\n"
                 "add.u64 %rd20, %rd0, %rd20;\n",
                 Bytes);
}

/// What the threads of one warp leave in %r1.
std::vector<uint32_t> resultsOf(const Twine &Body) {
  EmulatedText T(EmulatedText::kernel(threadPlace() + Body +
                                      "\nst.global.u32 [%rd20], %r1;\nret;"));
  T.buffer(128).run();
  return T.contents<uint32_t>();
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// The lane that shuffles of CUDA C++ read with a width, and whether it is
/// within the segment.
std::pair<unsigned, bool> sourceLane(StringRef Mode, unsigned Lane, unsigned B,
                                     unsigned Width) {
  unsigned Start = Lane / Width * Width, Index = Lane % Width;
  if (Mode == "up")
    return Index >= B ? std::make_pair(Lane - B, true)
                      : std::make_pair(Lane, false);
  if (Mode == "down")
    return Index + B < Width ? std::make_pair(Lane + B, true)
                             : std::make_pair(Lane, false);
  if (Mode == "bfly") {
    // Into segments before one's own, but not behind it.
    unsigned From = Lane ^ B;
    return From < Start + Width ? std::make_pair(From, true)
                                : std::make_pair(Lane, false);
  }
  return {Start + B % Width, true};
}

TEST(EmulatorShuffle, ModesAndSegments) {
  for (StringRef Mode : {"up", "down", "bfly", "idx"})
    for (unsigned Width : {1u, 2u, 4u, 8u, 16u, 32u}) {
      // With b 0 to 31 of each lane alike, and with another one in each lane.
      std::string Body = "mad.lo.u32 %r2, %r0, 7, 1000;\n";
      for (unsigned B = 0; B != 33; ++B) {
        std::string Shift = std::to_string(B);
        if (B == 32) {
          Body += "mad.lo.u32 %r3, %r0, 5, 3;\nand.b32 %r3, %r3, 31;\n";
          Shift = "%r3";
        }
        Body += formatv("shfl.sync.{0}.b32 %r1|%p0, %r2, {1}, {2}, -1;\n"
                        "selp.u32 %r4, 1, 0, %p0;\n"
                        "st.global.v2.u32 [%rd20+{3}], {{%r1, %r4};\n",
                        Mode, Shift,
                        (32 - Width) << 8 | (Mode == "up" ? 0 : 31), B * 256)
                    .str();
      }
      EmulatedText T(EmulatedText::kernel(threadPlace(8) + Body + "ret;"));
      T.buffer(size_t(33) * 256).run();
      std::vector<uint32_t> Out = T.contents<uint32_t>();
      for (unsigned B = 0; B != 33; ++B)
        for (unsigned L = 0; L != 32; ++L) {
          auto [From, Valid] =
              sourceLane(Mode, L, B == 32 ? (L * 5 + 3) % 32 : B, Width);
          const uint32_t *Got = &Out[(size_t(B) * 32 + L) * 2];
          EXPECT_EQ(Got[0], From * 7 + 1000)
              << Mode.str() << " by " << B << " of " << Width << ", lane " << L;
          EXPECT_EQ(Got[1], Valid)
              << Mode.str() << " by " << B << " of " << Width << ", lane " << L;
        }
    }
}

TEST(EmulatorShuffle, ClampsWithinASegment) {
  // c = 9: no lane above 9 is read; down goes no further.
  std::vector<uint32_t> R = resultsOf("shfl.sync.down.b32 %r1, %r0, 3, 9, -1;");
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L + 3 <= 9 ? L + 3 : L);
  // Segments of 8, up by 2, no lane below 3 of a segment.
  R = resultsOf("shfl.sync.up.b32 %r1, %r0, 2, 0x1803, -1;");
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L % 8 >= 5 ? L - 2 : L);
  // The index's bits that the mask covers do not count.
  R = resultsOf("shfl.sync.idx.b32 %r1, %r0, 29, 0x181f, -1;");
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L / 8 * 8 + 5);
}

TEST(EmulatorShuffle, HalvesOfAWarpGoApart) {
  std::vector<uint32_t> R = resultsOf(R"(
    setp.lt.u32 %p0, %r0, 16; add.u32 %r2, %r0, 100;
    @%p0 bra Low;
    shfl.sync.bfly.b32 %r1, %r2, 1, 31, 0xffff0000;
    add.u32 %r1, %r1, 1000;
    bra End;
  Low:
    shfl.sync.idx.b32 %r1, %r2, 3, 31, 0xffff;
  End:)");
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L < 16 ? 103 : 1100 + (L ^ 1));
}

TEST(EmulatorShuffle, GuardsAndExits) {
  // Lanes whose guard does not hold keep what they have; lanes that ended are
  // not waited for.
  std::vector<uint32_t> R = resultsOf(R"(
    and.b32 %r2, %r0, 1; setp.eq.u32 %p0, %r2, 0; mov.u32 %r1, 7;
    setp.gt.u32 %p1, %r0, 27; @%p1 exit;
    @%p0 shfl.sync.idx.b32 %r1, %r0, 4, 31, 0x55555555;)");
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L > 27 ? 0 : L % 2 ? 7 : 4u);
}

TEST(EmulatorShuffle, LanesThatComeLaterAreWaitedFor) {
  // Lanes from 16 on come in the second round, the others wait for them.
  EmulatedText T(EmulatedText::kernel(threadPlace() + R"(
    mov.u32 %r2, 0; mov.u32 %r3, 5; setp.ge.u32 %p0, %r0, 16;
  Loop:
    setp.eq.u32 %p1, %r2, 0;
    and.pred %p2, %p0, %p1;
    @%p2 bra Next;
    add.u32 %r3, %r0, 40;
    shfl.sync.bfly.b32 %r1, %r3, 16, 31, -1;
    bra Out;
  Next:
    add.u32 %r2, %r2, 1;
    bra Loop;
  Out:
    st.global.u32 [%rd20], %r1;
    ret;)"));
  T.buffer(128).run();
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(T.contents<uint32_t>()[L], (L ^ 16) + 40);
  EXPECT_EQ(T.at("shfl.sync.bfly.b32").Lanes, 32u);
  EXPECT_EQ(T.at("st.global.u32").Executions, 1u);
}

TEST(EmulatorShuffle, ShufflesInFunctions) {
  // Some lanes by one call, the others by another one, each with its own mask.
  EmulatedText T(EmulatedText::kernel(threadPlace() + R"(
    setp.lt.u32 %p0, %r0, 8; mov.u32 %r2, 0xff;
    @%p0 bra A;
    not.b32 %r2, %r2;
    call (%r1), sum, (%r0, %r2);
    bra B;
  A:
    call (%r1), sum, (%r0, %r2);
  B:
    st.global.u32 [%rd20], %r1;
    ret;)",
                                      1, R"(
.func (.reg .b32 r) sum(.reg .b32 v, .reg .b32 mask) {
  .reg .b32 x; .reg .b32 d; .reg .pred p;
  mov.u32 r, v;
  mov.u32 d, 1;
L:
  shfl.sync.bfly.b32 x, r, d, 31, mask;
  add.u32 r, r, x;
  shl.b32 d, d, 1;
  setp.lt.u32 p, d, 8;
  @p bra L;
  ret;
})"));
  T.buffer(128).run();
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(T.contents<uint32_t>()[L], L / 8 * 64 + 28);
}

//===----------------------------------------------------------------------===//
// Votes and matches
//===----------------------------------------------------------------------===//

TEST(EmulatorVote, AllModes) {
  std::mt19937 Random(3);
  for (uint32_t Mask : {~0u, 0xffffu, 0x12345678u, 0x80000000u})
    for (uint32_t Yes : {0u, ~0u, Mask, uint32_t(Random()), ~Mask}) {
      EmulatedText T(EmulatedText::kernel(formatv(R"({0}
    mov.u32 %r2, {1}; shr.u32 %r2, %r2, %r0; and.b32 %r2, %r2, 1;
    setp.eq.u32 %p1, %r2, 1;
    mov.u32 %r3, {2}; shr.u32 %r3, %r3, %r0; and.b32 %r3, %r3, 1;
    setp.eq.u32 %p0, %r3, 1;
    mov.u32 %r10, 9; mov.u32 %r11, 9; mov.u32 %r12, 9; mov.u32 %r13, 9;
    @!%p0 bra End;
    vote.sync.ballot.b32 %r10, %p1, {2};
    vote.sync.all.pred %p2, %p1, {2}; selp.u32 %r11, 1, 0, %p2;
    vote.sync.any.pred %p2, %p1, {2}; selp.u32 %r12, 1, 0, %p2;
    vote.sync.uni.pred %p2, %p1, {2}; selp.u32 %r13, 1, 0, %p2;
    vote.sync.ballot.b32 %r14, !%p1, {2}; xor.b32 %r10, %r10, %r14;
    xor.b32 %r10, %r10, {2}; vote.sync.ballot.b32 %r14, %p1, {2};
    add.u32 %r10, %r10, %r14;
  End:
    st.global.v4.u32 [%rd20], {{%r10, %r11, %r12, %r13};
    ret;)",
                                                  threadPlace(16), Yes, Mask)
                                              .str()));
      T.buffer(512).run();
      std::vector<uint32_t> Out = T.contents<uint32_t>();
      for (unsigned L = 0; L != 32; ++L) {
        bool Here = Mask >> L & 1;
        uint32_t V = Yes & Mask;
        EXPECT_EQ(Out[L * 4], Here ? V : 9);
        EXPECT_EQ(Out[L * 4 + 1], Here ? V == Mask : 9);
        EXPECT_EQ(Out[L * 4 + 2], Here ? V != 0 : 9);
        EXPECT_EQ(Out[L * 4 + 3], Here ? V == 0 || V == Mask : 9);
      }
    }
}

TEST(EmulatorVote, ActiveLanesOfADivergedWarp) {
  std::vector<uint32_t> R = resultsOf(R"(
    setp.lt.u32 %p0, %r0, 5;
    @%p0 bra Few;
    activemask.b32 %r1;
    bra End;
  Few:
    activemask.b32 %r1;
    setp.lt.u32 %p1, %r0, 2;
    @%p1 activemask.b32 %r1;
  End:)");
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L < 2 ? 0x3 : L < 5 ? 0x1f : ~0x1fu);
  // Of a warp with 20 threads.
  EmulatedText T(EmulatedText::kernel(
      threadPlace() +
      "activemask.b32 %r1;\nst.global.u32 [%rd20], %r1;\nret;"));
  T.Launch.Block = {20, 1, 1};
  T.buffer(80).run();
  EXPECT_EQ(T.contents<uint32_t>(), std::vector<uint32_t>(20, 0xfffff));
}

TEST(EmulatorVote, OneLaneIsElected) {
  for (uint32_t Mask : {~0u, 0xfff00u, 0x80000000u}) {
    std::vector<uint32_t> R = resultsOf(formatv(R"(
    mov.u32 %r3, {0}; shr.u32 %r3, %r3, %r0; and.b32 %r3, %r3, 1;
    setp.eq.u32 %p0, %r3, 1; mov.u32 %r1, 77;
    @!%p0 bra End;
    elect.sync %r1|%p1, {0};
    @%p1 add.u32 %r1, %r1, 100;
  End:)",
                                                Mask)
                                            .str());
    auto Leader = unsigned(llvm::countr_zero(Mask));
    for (unsigned L = 0; L != 32; ++L)
      EXPECT_EQ(R[L], !(Mask >> L & 1) ? 77 : Leader + (L == Leader ? 100 : 0));
  }
}

TEST(EmulatorMatch, LanesWithTheSameValue) {
  EmulatedText T(EmulatedText::kernel(threadPlace(16) + R"(
    and.b32 %r2, %r0, 6;
    match.any.sync.b32 %r10, %r2, -1;
    cvt.u64.u32 %rd2, %r2; shl.b64 %rd2, %rd2, 40;
    setp.lt.u32 %p0, %r0, 20; mov.u32 %r11, 1;
    @!%p0 bra Rest;
    match.any.sync.b64 %r11, %rd2, 0xfffff;
  Rest:
    match.all.sync.b32 %r12|%p1, %r2, -1;
    selp.u32 %r3, 1000, 0, %p1; add.u32 %r12, %r12, %r3;
    mov.b64 %rd3, 0x100000000;
    match.all.sync.b64 %r13|%p1, %rd3, -1;
    selp.u32 %r3, 1, 0, %p1; xor.b32 %r13, %r13, %r3;
    st.global.v4.u32 [%rd20], {%r10, %r11, %r12, %r13};
    ret;)"));
  T.buffer(512).run();
  std::vector<uint32_t> Out = T.contents<uint32_t>();
  for (unsigned L = 0; L != 32; ++L) {
    uint32_t Same = 0x03030303u << (L & 6);
    EXPECT_EQ(Out[L * 4], Same);
    EXPECT_EQ(Out[L * 4 + 1], L < 20 ? Same & 0xfffff : 1);
    EXPECT_EQ(Out[L * 4 + 2], 0u);
    EXPECT_EQ(Out[L * 4 + 3], 0xfffffffeu);
  }
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

TEST(EmulatorRedux, IntegersOfAMask) {
  std::mt19937 Random(9);
  std::vector<uint32_t> In(32);
  for (uint32_t &V : In)
    V = uint32_t(Random());
  struct Form {
    const char *Name;
    uint32_t (*Apply)(uint32_t, uint32_t);
  };
  const Form Forms[] = {
      {"add.u32", [](uint32_t A, uint32_t B) { return A + B; }},
      {"add.s32", [](uint32_t A, uint32_t B) { return A + B; }},
      {"min.u32", [](uint32_t A, uint32_t B) { return std::min(A, B); }},
      {"max.u32", [](uint32_t A, uint32_t B) { return std::max(A, B); }},
      {"min.s32",
       [](uint32_t A, uint32_t B) {
         return uint32_t(std::min(int32_t(A), int32_t(B)));
       }},
      {"max.s32",
       [](uint32_t A, uint32_t B) {
         return uint32_t(std::max(int32_t(A), int32_t(B)));
       }},
      {"and.b32", [](uint32_t A, uint32_t B) { return A & B; }},
      {"or.b32", [](uint32_t A, uint32_t B) { return A | B; }},
      {"xor.b32", [](uint32_t A, uint32_t B) { return A ^ B; }}};
  for (uint32_t Mask : {~0u, 0x0f0f0f0fu, 0x400u})
    for (const Form &F : Forms) {
      EmulatedText T(EmulatedText::kernel(formatv(R"({0}
    mov.u32 %r3, {1}; shr.u32 %r3, %r3, %r0; and.b32 %r3, %r3, 1;
    setp.eq.u32 %p0, %r3, 1; mov.u32 %r1, 77;
    ld.global.u32 %r2, [%rd20];
    @%p0 redux.sync.{2} %r1, %r2, {1};
    st.global.u32 [%rd20], %r1;
    ret;)",
                                                  threadPlace(), Mask, F.Name)
                                              .str()));
      T.buffer<uint32_t>(In).run();
      std::optional<uint32_t> Want;
      for (unsigned L = 0; L != 32; ++L)
        if (Mask >> L & 1)
          Want = Want ? F.Apply(*Want, In[L]) : In[L];
      for (unsigned L = 0; L != 32; ++L)
        EXPECT_EQ(T.contents<uint32_t>()[L], Mask >> L & 1 ? *Want : 77)
            << F.Name << " lane " << L;
    }
}

TEST(EmulatorRedux, Floats) {
  constexpr uint32_t NaN = 0x7fc00001, One = 0x3f800000, MinusTwo = 0xc0000000,
                     Zero = 0, MinusZero = 0x80000000, Canonical = 0x7fffffff;
  auto Reduce = [](StringRef Form, uint32_t First, uint32_t Second) {
    // Lane 3 has the first, the others the second.
    std::vector<uint32_t> R =
        resultsOf(formatv("setp.eq.u32 %p0, %r0, 3;\n"
                          "selp.b32 %r2, {0}, {1}, %p0;\nmov.b32 %f0, %r2;\n"
                          "redux.sync.{2}.f32 %f1, %f0, -1;\n"
                          "mov.b32 %r1, %f1;",
                          First, Second, Form)
                      .str());
    EXPECT_EQ(R, std::vector<uint32_t>(32, R[0]));
    return R[0];
  };
  EXPECT_EQ(Reduce("min", One, MinusTwo), MinusTwo);
  EXPECT_EQ(Reduce("max", One, MinusTwo), One);
  EXPECT_EQ(Reduce("max.abs", One, MinusTwo), 0x40000000u);
  EXPECT_EQ(Reduce("min.abs", One, MinusTwo), One);
  EXPECT_EQ(Reduce("min", Zero, MinusZero), MinusZero);
  EXPECT_EQ(Reduce("max", MinusZero, Zero), Zero);
  EXPECT_EQ(Reduce("max", Zero, MinusZero), Zero);
  // A NaN loses, unless it is asked for or alone.
  EXPECT_EQ(Reduce("min", NaN, One), One);
  EXPECT_EQ(Reduce("max", One, NaN), One);
  EXPECT_EQ(Reduce("min.NaN", NaN, One), Canonical);
  EXPECT_EQ(Reduce("max.abs.NaN", One, NaN), Canonical);
  EXPECT_EQ(Reduce("max", NaN, NaN), Canonical);
}

//===----------------------------------------------------------------------===//
// Synchronisation of a warp
//===----------------------------------------------------------------------===//

TEST(EmulatorWarpSync, SidesOfABranchWaitForEachOther) {
  // Each side writes, waits and reads what the other one wrote.
  EmulatedText T(EmulatedText::kernel(threadPlace() + R"(
    .shared .align 4 .b8 s[128];
    mov.u32 %r1, s; mad.lo.u32 %r2, %r0, 4, %r1;
    xor.b32 %r3, %r0, 16; mad.lo.u32 %r3, %r3, 4, %r1;
    setp.lt.u32 %p0, %r0, 16; add.u32 %r4, %r0, 50;
    @%p0 bra Low;
    st.shared.u32 [%r2], %r4;
    bar.warp.sync -1;
    ld.shared.u32 %r5, [%r3];
    bra End;
  Low:
    st.shared.u32 [%r2], %r0;
    bar.warp.sync -1;
    ld.shared.u32 %r5, [%r3];
  End:
    st.global.u32 [%rd20], %r5;
    ret;)"));
  T.buffer(128).run();
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(T.contents<uint32_t>()[L], L < 16 ? L + 16 + 50 : L - 16);
  EXPECT_EQ(T.at("st.global.u32").Executions, 1u);
}

TEST(EmulatorWarpSync, WhoJoinsOthersRunsTheRestOfTheBlock) {
  // Lanes in different iterations of the outer loop meet at the barrier within
  // the inner one, in the middle of its block.
  std::vector<uint32_t> R = resultsOf(R"(
    mov.u32 %r1, 0; mov.u32 %r2, 0; rem.u32 %r3, %r0, 5;
    Outer: mov.u32 %r4, 0;
    Inner: add.u32 %r1, %r1, 1;
    bar.warp.sync -1;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p0, %r4, %r3;
    @%p0 bra Inner;
    bar.warp.sync -1;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p0, %r2, 4;
    @%p0 bra Outer;)");
  ASSERT_EQ(R.size(), 32u);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], 4 * std::max(1u, L % 5)) << "lane " << L;
}

} // namespace

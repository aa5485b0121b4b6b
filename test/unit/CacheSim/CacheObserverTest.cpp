//===- CacheObserverTest.cpp - Hits of small kernels, by hand -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CacheObserver.h"
#include "EmulatedText.h"
#include "SideBySideObserver.h"

using namespace ptxpredict;
using cachesim::CacheObserver;
using cachesim::HitCounts;
using cachesim::SideBySideObserver;
using emulator::EmulatedText;
using Scope = CacheObserver::Scope;

namespace {

/// Runs \p T with one buffer, and says what hits in caches of \p Sizes bytes.
HitCounts run(EmulatedText &T, Scope Of, ArrayRef<uint64_t> Sizes,
              bool ReadsAlone = false) {
  CacheObserver Seen(Of, Sizes, ReadsAlone);
  T.Options.Observer = &Seen;
  T.run();
  return Seen.counts();
}

using Hits = std::vector<uint64_t>;

} // namespace

TEST(CacheObserverTest, OneWarpWalksTwice) {
  // Twice over 8 requests of 4 sectors each, a ring of 1024 bytes.
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd2, %r0, 4;\nmov.u32 %r1, 0;\n"
      "LOOP:\nand.b32 %r2, %r1, 7;\nmul.wide.u32 %rd3, %r2, 128;\n"
      "add.u64 %rd3, %rd3, %rd2;\nadd.u64 %rd3, %rd3, %rd0;\n"
      "ld.global.u32 %r3, [%rd3];\nadd.u32 %r1, %r1, 1;\n"
      "setp.lt.u32 %p0, %r1, 16;\n@%p0 bra LOOP;\nret;"));
  T.buffer(1024);
  HitCounts C = run(T, Scope::Grid, {1023, 1024, 4096});
  EXPECT_EQ(C.Touches, 64u);
  EXPECT_EQ(C.Hits, (Hits{0, 32, 32}));
}

TEST(CacheObserverTest, BlocksThatReadTheSame) {
  // Three blocks of two warps; both warps load the same 128 bytes, and each
  // stores 128 of its own. The second block's accesses go where the first's
  // went.
  auto Text = EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nand.b32 %r1, %r0, 31;\n"
      "mul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd1, %rd1, %rd0;\n"
      "ld.global.u32 %r2, [%rd1];\nmul.wide.u32 %rd2, %r0, 4;\n"
      "add.u64 %rd2, %rd2, %rd0;\nst.global.u32 [%rd2+128], %r2;\nret;");
  auto With = [&](Scope Of, bool ReadsAlone = false) {
    EmulatedText T(Text);
    T.Launch.Block = {64, 1, 1};
    T.Launch.Grid = {3, 1, 1};
    T.buffer(384);
    return run(T, Of, {32, 128, 256, 384}, ReadsAlone);
  };
  // A warp touches L S0 L S1, 4 sectors each: L comes again after 4 others in
  // the block, and after 4 in the next one; S0 and S1 after 8.
  HitCounts Block = With(Scope::Block);
  EXPECT_EQ(Block.Touches, 48u);
  EXPECT_EQ(Block.Hits, (Hits{0, 0, 12, 12}));
  HitCounts Grid = With(Scope::Grid);
  EXPECT_EQ(Grid.Touches, 48u);
  EXPECT_EQ(Grid.Hits, (Hits{0, 0, 20, 36}));
  HitCounts Loads = With(Scope::Grid, true);
  EXPECT_EQ(Loads.Touches, 24u);
  EXPECT_EQ(Loads.Hits, (Hits{0, 20, 20, 20}));
}

TEST(CacheObserverTest, WhatMemoryGivesAndTakes) {
  // Three blocks of two warps that load the same 128 bytes, and then each adds
  // to 128 bytes of its own and stores them anew: L L A0 A1 S0 S1, 4 sectors
  // each. Only what is read is fetched, and what is written comes back once for
  // each time that it leaves the cache.
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %ctaid.x;\nshl.b32 %r0, %r0, 6;\nmov.u32 %r1, %tid.x;\n"
      "add.u32 %r0, %r0, %r1;\nand.b32 %r1, %r1, 31;\n"
      "mul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd1, %rd1, %rd0;\n"
      "ld.global.u32 %r2, [%rd1];\nmul.wide.u32 %rd2, %r0, 4;\n"
      "add.u64 %rd2, %rd2, %rd0;\nred.global.add.u32 [%rd2+128], %r2;\n"
      "st.global.u32 [%rd2+128], %r2;\nret;"));
  T.Launch.Block = {64, 1, 1};
  T.Launch.Grid = {3, 1, 1};
  T.buffer(896);
  SideBySideObserver Seen;
  T.Options.Observer = &Seen;
  T.run();
  EXPECT_EQ(Seen.read(), 48u);
  EXPECT_EQ(Seen.written(), 48u);
  auto With = [&](uint64_t Sectors) {
    cachesim::MemoryExchange X = Seen.exchange(1, Sectors * 32);
    return std::pair(X.Fetched, X.WrittenBack);
  };
  EXPECT_EQ(With(28), std::pair(uint64_t(28), uint64_t(24)));
  // Of 12 sectors a block leaves the loads' to the next one.
  EXPECT_EQ(With(13), std::pair(uint64_t(28), uint64_t(24)));
  // Of 8 it does not; of 4 the stores miss what was added, too.
  EXPECT_EQ(With(8), std::pair(uint64_t(36), uint64_t(24)));
  EXPECT_EQ(With(4), std::pair(uint64_t(36), uint64_t(48)));
}

TEST(CacheObserverTest, SectorsOfARequestCountOnce) {
  // 16 bytes a lane and a stride of 48: 48 sectors of 1536 bytes, less those
  // that nobody touches. Lanes 2k and 2k + 1 touch sectors 3k and 3k + 1 or
  // 3k + 2: 32 of them. Then all lanes at one place, and shared memory, which
  // is not seen.
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd1, %r0, 48;\n"
      "add.u64 %rd1, %rd1, %rd0;\n"
      "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];\n"
      "atom.global.add.u32 %r5, [%rd0], 1;\nmov.u32 %r6, s;\n"
      "st.shared.u32 [%r6], %r5;\nret;",
      1, ".shared .align 4 .b8 s[4];"));
  T.buffer(1536);
  HitCounts C = run(T, Scope::Grid, {31 * 32, 32 * 32});
  EXPECT_EQ(C.Touches, 33u);
  EXPECT_EQ(C.Hits, (Hits{0, 1}));
}

TEST(CacheObserverTest, WarpsSideBySide) {
  // Three blocks of two warps. Each loads the same three places of 128 bytes,
  // a b c, and behind a barrier one of its own, w of 128 bytes.
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\n"
      "mad.lo.s32 %r2, %r1, 64, %r0;\nand.b32 %r3, %r0, 31;\n"
      "mul.wide.u32 %rd1, %r3, 4;\nadd.u64 %rd1, %rd1, %rd0;\n"
      "ld.global.u32 %r4, [%rd1];\nld.global.u32 %r4, [%rd1+128];\n"
      "ld.global.u32 %r4, [%rd1+256];\nbar.sync 0;\n"
      "mul.wide.u32 %rd2, %r2, 4;\nadd.u64 %rd2, %rd2, %rd0;\n"
      "ld.global.u32 %r4, [%rd2+384];\nret;"));
  T.Launch.Block = {64, 1, 1};
  T.Launch.Grid = {3, 1, 1};
  T.buffer(1152);
  SideBySideObserver Seen;
  T.Options.Observer = &Seen;
  T.run();
  // In places of 4 sectors. One block: aa bb cc v w, then aa bb cc x y, …: the
  // second touch of a pair hits at once, the first of a later block's behind 4
  // others.
  HitCounts One = Seen.replay(1, {128, 512, 640});
  EXPECT_EQ(One.Touches, 96u);
  EXPECT_EQ(One.Hits, (Hits{36, 36, 60}));
  // Two: aaaa bbbb cccc uvwx, then aa bb cc yz.
  HitCounts Two = Seen.replay(2, {128, 640, 896});
  EXPECT_EQ(Two.Hits, (Hits{48, 48, 60}));
  // All: a to c once, and six of their own.
  EXPECT_EQ(Seen.replay(9, {128}).Hits, (Hits{60}));
}

TEST(CacheObserverTest, WarpsWaitAtBarriers) {
  // The first warp of two loads a alone; behind the barrier all load b, then c.
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 32;\n"
      "@%p0 ld.global.u32 %r4, [%rd0];\nbar.sync 0;\n"
      "ld.global.u32 %r4, [%rd0+32];\nld.global.u32 %r4, [%rd0+64];\nret;"));
  T.Launch.Block = {64, 1, 1};
  T.buffer(96);
  SideBySideObserver Seen;
  T.Options.Observer = &Seen;
  T.run();
  // a, bb, cc; without the barrier it would be ab, bc, c.
  HitCounts C = Seen.replay(1, {32});
  EXPECT_EQ(C.Touches, 5u);
  EXPECT_EQ(C.Hits, (Hits{2}));
}

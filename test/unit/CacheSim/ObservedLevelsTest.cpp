//===- ObservedLevelsTest.cpp - Levels of a small run, by hand ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ObservedLevels.h"
#include "EmulatedText.h"
#include <cmath>

using namespace ptxpredict;
using emulator::EmulatedText;

TEST(ObservedLevelsTest, LoopsWarpsAndBlocks) {
  // Three blocks of two warps; each warp loads 4 sectors in each of three
  // iterations, the next one 2 sectors behind the last. The second warp begins
  // 4 sectors behind the first, a block 8 behind the one before. The last
  // thing a warp does is a store of one sector, the same for all.
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\n"
      "mad.lo.s32 %r0, %r1, 64, %r0;\nmul.wide.u32 %rd1, %r0, 4;\n"
      "add.u64 %rd1, %rd1, %rd0;\nmov.u32 %r2, 0;\n"
      "LOOP:\nld.global.u32 %r3, [%rd1];\nadd.u64 %rd1, %rd1, 64;\n"
      "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p0, %r2, 3;\n@%p0 bra LOOP;\n"
      "st.global.u32 [%rd0+2048], %r3;\nret;"));
  T.Launch.Block = {64, 1, 1};
  T.Launch.Grid = {3, 1, 1};
  T.buffer(4096);
  cachesim::ObservedLevels Seen(*T.Kernel, 3);
  T.Options.Observer = &Seen;
  T.run();

  // Sums over all instances, of all requests and of loads.
  std::vector<std::string> Lines;
  for (const LocalityLevel &L : Seen.take()) {
    std::string &Line = Lines.emplace_back();
    llvm::raw_string_ostream OS(Line);
    OS << toString(L.Scope) << L.NumBlocks << ' ' << toString(L.Kind);
    for (const LevelTraffic *Of : {&L.All, &L.Loads})
      for (Estimate LevelTraffic::*C :
           {&LevelTraffic::Requested, &LevelTraffic::Unique,
            &LevelTraffic::Fresh})
        OS << ' ' << std::lround(L.Instances.Value * (Of->*C).Value);
    OS << " of " << std::lround(L.Instances.Value);
  }
  EXPECT_EQ(Lines,
            (std::vector<std::string>{
                // Six warps.
                "warp1 iteration 72 72 48 72 72 48 of 18",
                "warp1 loop 72 48 48 72 48 48 of 6",
                // 8 sectors and the stored one; the next warp shares 4 and it.
                "warp1 whole 78 54 29 72 48 28 of 6",
                // Both touch 8, of which 6 come again in the next iteration.
                "block1 iteration 72 72 36 72 72 36 of 9",
                "block1 loop 72 36 36 72 36 36 of 3",
                // 12 and the stored one; the next block shares 4 and it.
                "block1 whole 78 39 29 72 36 28 of 3",
                // 20, and 12 of the one that is left.
                "blocks2 whole 78 34 29 72 32 28 of 2",
                "blocks3 whole 78 29 29 72 28 28 of 1"}));
}

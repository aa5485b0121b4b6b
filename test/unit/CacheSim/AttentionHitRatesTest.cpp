//===- AttentionHitRatesTest.cpp - Hit rates of double-buffered kernels ---===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HitRateComparison.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::cachesim;

namespace {
constexpr uint64_t SizesOfCaches[] = {1024,   4096,   16384,  65536,
                                      131072, 262144, 524288, 2097152};

/// What levels cannot tell, as they are means and have one order:
bool isOpen(StringRef Kernel, const Comparison &C) {
  // Which of four blocks comes first where there is no room for a request of
  // all of them.
  if (C.Set == Setting::SideBySide && C.Bytes < 16384)
    return true;
  // Blocks of 32 to 80 KiB, of which some find room, and which drift apart.
  return Kernel == "groupedCausal" &&
         (C.Bytes == 65536 || C.Set == Setting::SideBySide);
}
} // namespace

TEST(AttentionHitRatesTest, FiveVersionsOfTwoCompilers) {
  const std::string Inputs = PTXPREDICT_SOURCE_DIR "/test/Emulator/Inputs/";
  unsigned NumCompared = 0;
  for (const char *Compiler : {"nvcc", "clang"}) {
    AccuracyFile F("attention", Inputs + "attention." + Compiler + ".ptx",
                   Inputs + "attention.yaml");
    for (const LaunchFileEntry &E : F.launches()) {
      HeldBodies Bodies(F.kernel(E));
      for (const Comparison &C :
           HitRateComparison(F, E, 1, SizesOfCaches).All) {
        if (isOpen(E.Kernel, C))
          continue;
        ++NumCompared;
        EXPECT_LE(std::fabs(C.error()), 3)
            << Compiler << ' ' << E.Kernel << ' ' << nameOf(C.Set).str() << ' '
            << C.Bytes << ": " << C.Estimated.Value << " for " << C.Simulated;
      }
    }
  }
  EXPECT_EQ(NumCompared, 2 * (5 * 4 * 8 - 4 * 2 - 3 - 8u));
}

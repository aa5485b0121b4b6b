//===- SongFitTest.cpp - Tests of song's latencies and delays -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/SongFit.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;

namespace {

/// Kernels of loads and stores with more and fewer transactions, computation
/// and shared memory, whose cycles are by \p Truth.
std::vector<SongRow> rowsBy(const SongParameters &Truth) {
  std::vector<SongRow> Rows;
  for (unsigned Kernel = 0; Kernel != 4; ++Kernel)
    for (unsigned Size = 1; Size <= 6; ++Size) {
      SongRow R;
      SongInputs &In = R.Inputs;
      In.Blocks = 128 * Size;
      In.ActiveSMs = 14;
      In.WarpsPerBlock = 4 + 2 * Kernel;
      In.ActiveBlocks = 4;
      In.Loads = 1 + Kernel;
      In.LoadTransactions = In.Loads * (Kernel % 2 == 0 ? 1 : 8);
      In.Stores = Kernel == 3 ? 4 : 1;
      In.StoreTransactions = In.Stores * (Kernel == 2 ? 16 : 1);
      In.Regular = 4 + 3 * Size;
      In.RegularCost = 1;
      // Enough of it that the first form is taken, which has the delay of
      // warps.
      In.SharedBase = Kernel >= 2 ? 400 + 100 * Size : 0;
      In.SharedCycles = 4;
      In.LoadCycles = 600;
      In.StoreCycles = 300;
      In.InWarpDelay = In.OutWarpDelay = 20;
      R.Kernel = Kernel;
      R.Cycles = songCycles(R, Truth);
      Rows.push_back(R);
    }
  return Rows;
}

TEST(SongFit, GivesItsParametersBack) {
  const SongParameters Truth{392, 210, 34, 7};
  const SongFit F = fitSong(rowsBy(Truth));
  EXPECT_NEAR(F.Parameters.LoadCycles, 392, 4);
  EXPECT_NEAR(F.Parameters.StoreCycles, 210, 2);
  EXPECT_NEAR(F.Parameters.InWarpDelay, 34, 0.34);
  EXPECT_NEAR(F.Parameters.OutWarpDelay, 7, 0.07);
  EXPECT_LT(F.MAPE, 0.002);
  // Only one kernel says what several transactions of a store take.
  EXPECT_GT(F.LeftOutMAPE, F.MAPE);
  EXPECT_LT(F.LeftOutMAPE, 0.2);
}

TEST(SongFit, OneKernelLeavesNoneOut) {
  std::vector<SongRow> Rows = rowsBy({392, 210, 34, 7});
  Rows.resize(6);
  const SongFit F = fitSong(Rows);
  EXPECT_LT(F.MAPE, 0.002);
  EXPECT_TRUE(std::isnan(F.LeftOutMAPE));
}

} // namespace

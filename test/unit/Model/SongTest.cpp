//===- SongTest.cpp - Tests of Song's model -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Song.h"
#include "Golden.h"

using namespace ptxpredict;

namespace {

/// A Tesla C2075 as in tables 5.3 and 5.4.
SongInputs c2075() {
  SongInputs In;
  In.ActiveSMs = 14;
  In.ClockMHz = 1150;
  In.RegularCost = 32. / 32;
  In.TranscendentalCost = 32. / 4;
  In.DoubleCost = 32. / 16;
  In.LoadCycles = 392;
  In.StoreCycles = 210;
  In.SharedCycles = 4;
  In.RegisterCycles = 1;
  In.TextureCycles = 18;
  return In;
}

/// The dissertation's reduction1 with 128 threads a block: 29 accesses and 45
/// conflicts in each.
SongInputs reduction1(double OutWarpDelay) {
  SongInputs In = c2075();
  In.Blocks = 1120;
  In.WarpsPerBlock = 4;
  In.ActiveBlocks = 8;
  In.Loads = In.LoadTransactions = 1;
  In.Stores = In.StoreTransactions = 1;
  In.SharedBase = 8 * 29;
  In.SharedConflicts = 8 * 45;
  In.OutWarpDelay = OutWarpDelay;
  return In;
}

/// The coalesced transpose.
SongInputs transpose() {
  SongInputs In = c2075();
  In.Blocks = 1120;
  In.WarpsPerBlock = 4;
  In.ActiveBlocks = 8;
  In.Loads = In.LoadTransactions = 1;
  In.Stores = In.StoreTransactions = 1;
  In.Regular = 12;
  In.SharedBase = 256. / 4;
  return In;
}

const SongReading Literal = {/*IsLiteral=*/true, /*HasWholeRounds=*/false};

double requests(double Transactions) {
  SongInputs In = c2075();
  In.Blocks = In.WarpsPerBlock = In.ActiveBlocks = 1;
  In.InWarpDelay = 20;
  In.Loads = In.Stores = 1;
  In.LoadTransactions = In.StoreTransactions = Transactions;
  return evaluateSong(In).Load;
}

TEST(Song, Golden) {
  const auto Rows = goldenRows("song_derived_perf_power.csv");
  ASSERT_EQ(Rows.size(), 24u); // d22 to d25: PowerRegressionTest.cpp
  auto Check = [&](const char *ID, double Value) {
    for (const GoldenRow &R : Rows)
      if (R.at("id") == ID) {
        const double Expected = goldenNumber(R, "value");
        EXPECT_NEAR(Value, Expected, 1e-9 * std::max(1.0, Expected)) << ID;
        return;
      }
    ADD_FAILURE() << "no row " << ID;
  };
  const double BytesPerCycle = songBytesPerCycle(116.7, 14, 1150);
  Check("d1", BytesPerCycle);
  Check("d2", songBandwidthWarps(392, BytesPerCycle));
  Check("d3", songBandwidthWarps(392, songBytesPerCycle(117.8, 16, 1300)));

  SongInputs Mix = c2075();
  Mix.Blocks = Mix.WarpsPerBlock = Mix.ActiveBlocks = 1;
  Mix.Regular = 10;
  Mix.Transcendental = 2;
  Mix.Double = 4;
  Mix.RegisterAccesses = 6;
  Mix.TextureQueries = 1000. / 50;
  Mix.TextureMisses = 100. / 50;
  Check("d4", evaluateSong(Mix).Compute);
  Check("d5", evaluateSong(Mix).Texture);

  Check("d6", songWarpsPerSM(1120, 14, 4));
  Check("d7", songTransactions(320, 320));
  Check("d8", songTransactions(80, 320));
  Check("d9", requests(32));
  Check("d10", songRequestCycles(210, 32, 20));

  const SongResult Printed = evaluateSong(reduction1(0), Literal);
  Check("d12", Printed.Shared);
  Check("d13", Printed.ActiveA);
  const SongResult Whole = evaluateSong(reduction1(10), Literal);
  Check("d14", Whole.Sync);
  Check("d15", Whole.Rounds);
  Check("d16", Whole.Cycles);
  Check("d17", Whole.Cycles / 1150e6);
  EXPECT_NEAR(Whole.ConflictShare, 0.43902439, 5e-9); // d18, as it is rounded
  EXPECT_EQ(Whole.IsB, 0);

  const SongResult T = evaluateSong(transpose(), Literal);
  Check("d19", T.ActiveB);
  // The printed form, whose Sync is that of a block.
  const double Sync = 3 * T.Compute, N = 8;
  Check("d20", T.Compute + T.Load + Sync * N + T.Compute * (N - 1) +
                   T.Shared / N + T.Store);
  EXPECT_EQ(T.IsB, 1);
}

// (5.13) has conflicts as the SM's counter, outside of the rounds.
TEST(Song, ConflictsOfGroupsAreThoseOfTheCounter) {
  for (double Blocks : {14., 112., 1000., 1120.}) {
    SongInputs In = reduction1(10);
    In.Blocks = Blocks;
    const SongResult R = evaluateSong(In, Literal);
    const double Counter = R.Rounds * In.SharedConflicts;
    const double Printed =
        R.Rounds * (R.Load + R.Sync + In.SharedBase * 4 + R.Store) +
        Counter * 4;
    EXPECT_NEAR(R.Cycles, Printed, 1e-9 * Printed);
  }
}

TEST(Song, SharesAddUpToOne) {
  for (const SongInputs &In : {reduction1(10), transpose()})
    for (bool IsLiteral : {false, true}) {
      const SongResult R = evaluateSong(In, {IsLiteral, false});
      EXPECT_NEAR(R.LoadShare + R.StoreShare + R.SyncShare + R.BaseShare +
                      R.ConflictShare + R.ComputeShare + R.TextureShare,
                  1, 1e-12);
    }
}

TEST(Song, MoreWorkTakesNoLessTime) {
  for (auto Member :
       {&SongInputs::SharedConflicts, &SongInputs::StoreTransactions,
        &SongInputs::LoadTransactions, &SongInputs::TextureMisses,
        &SongInputs::Regular}) {
    double Before = 0;
    for (double By : {1., 2., 5., 30.}) {
      SongInputs In = transpose();
      In.InWarpDelay = 17;
      In.TextureQueries = 30;
      In.*Member = By;
      const double Cycles = evaluateSong(In).Cycles;
      EXPECT_GE(Cycles, Before);
      Before = Cycles;
    }
  }
}

TEST(Song, BandwidthBoundsActiveWarpsOfGlobalKernels) {
  SongInputs In = reduction1(0);
  In.SharedBase = In.SharedConflicts = 0;
  const double Free = evaluateSong(In).Cycles;
  In.BytesPerCycle = songBytesPerCycle(116.7, 14, 1150);
  const SongResult R = evaluateSong(In);
  EXPECT_NEAR(R.ActiveWarps, R.BandwidthWarps, 1e-9);
  EXPECT_NEAR(R.Cycles / Free, 32 / R.BandwidthWarps, 1e-9);
  // Reduction1 itself is not global intensive.
  In = reduction1(0);
  In.BytesPerCycle = songBytesPerCycle(116.7, 14, 1150);
  EXPECT_EQ(evaluateSong(In).ActiveWarps, 32);
}

TEST(Song, KernelsWithoutRequestsWaitForNone) {
  SongInputs In = transpose();
  In.Loads = In.LoadTransactions = In.Stores = In.StoreTransactions = 0;
  const SongResult R = evaluateSong(In);
  EXPECT_EQ(R.Load, 0);
  EXPECT_EQ(R.Store, 0);
}

// Section 7.1.
TEST(Song, AccessRatios) {
  SongInputs In = reduction1(10);
  In.Instructions = 40;
  In.Regular = 20;
  In.LocalTransactions = 0.5;
  const SongResult R = evaluateSong(In);
  EXPECT_DOUBLE_EQ(R.GlobalRatio, 1.5 / 40);
  EXPECT_DOUBLE_EQ(R.LocalRatio, 0.5 / 40);
  EXPECT_DOUBLE_EQ(R.SharedRatio, (29. + 45) / 4 / 40);
  EXPECT_DOUBLE_EQ(R.ComputeRatio, 0.5);
  EXPECT_EQ(R.TextureRatio, 0);
}

TEST(Song, RoundsMayBeWhole) {
  SongInputs In = reduction1(0);
  In.Blocks = 113;
  EXPECT_NEAR(evaluateSong(In).Rounds, 113. / 112, 1e-12);
  EXPECT_EQ(evaluateSong(In, {false, /*HasWholeRounds=*/true}).Rounds, 2);
}

} // namespace

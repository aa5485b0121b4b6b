//===- HitRatesTest.cpp - Hit rates of nests whose levels are given -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Locality/HitRates.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace ptxpredict;

namespace {

using Kind = LocalityLevel::KindTy;
using Scope = LocalityLevel::ScopeTy;

/// Levels with as many instances, and of each the sectors that it asks for,
/// touches, and touches for the first time.
class Levels : public Locality {
public:
  Levels &add(Scope Of, Kind Which, unsigned Depth, double Instances,
              double Requested, double Unique, double Fresh,
              uint64_t NumBlocks = 1) {
    LocalityLevel &L = Locality::Levels.emplace_back();
    L.Scope = Of;
    L.Kind = Which;
    L.Depth = Depth;
    L.NumBlocks = NumBlocks;
    L.Instances = Estimate::known(Instances);
    L.All = {Estimate::known(Requested), Estimate::known(Unique),
             Estimate::known(Fresh)};
    return *this;
  }
  LocalityLevel &last() { return Locality::Levels.back(); }
};

Estimate rate(const Locality &L, double Sectors, double Resident = 1,
              bool InTurn = false, bool EmptyAtBlocks = false) {
  CacheUse Use;
  Use.Bytes = Sectors * 32;
  Use.ResidentBlocks = Resident;
  Use.Order =
      InTurn ? CacheUse::WarpOrder::InTurn : CacheUse::WarpOrder::SideBySide;
  Use.EmptyAtBlocks = EmptyAtBlocks;
  return estimateHitRates(L, Use).All;
}

/// One block of one warp, whose loop walks eight times over a ring of 64
/// sectors, 4 in an iteration.
Levels ring() {
  Levels L;
  for (Scope Of : {Scope::Warp, Scope::Block}) {
    L.add(Of, Kind::Iteration, 1, 128, 4, 4, 4);
    L.add(Of, Kind::Loop, 1, 1, 512, 64, 64);
    L.add(Of, Kind::Whole, 0, 1, 512, 64, 64);
  }
  return L;
}

/// Four blocks that touch 100 sectors each, twice in straight code; of these
/// they share 60 with the block before, and 40 with all.
Levels neighbours() {
  Levels L;
  L.add(Scope::Warp, Kind::Whole, 0, 4, 200, 100, 55);
  L.add(Scope::Block, Kind::Whole, 0, 4, 200, 100, 55);
  L.add(Scope::Blocks, Kind::Whole, 0, 2, 400, 140, 90, 2);
  L.add(Scope::Blocks, Kind::Whole, 0, 1, 800, 180, 180, 4);
  return L;
}

} // namespace

TEST(HitRatesTest, NothingRequestedHitsNowhere) {
  Estimate R = rate(Locality(), 64);
  EXPECT_EQ(R.Value, 0);
  EXPECT_TRUE(R.isKnown());
}

TEST(HitRatesTest, ARingHitsWhereItFits) {
  Estimate R = rate(ring(), 63);
  EXPECT_EQ(R.Value, 0);
  EXPECT_EQ(R.Status, Status::Estimated);
  EXPECT_EQ(R.Low, 0);
  EXPECT_EQ(R.High, 1 - 64. / 512); // with a cache of twice the size
  R = rate(ring(), 64);
  EXPECT_EQ(R.Value, 1 - 64. / 512);
}

TEST(HitRatesTest, KnownWhereTheGridFits) {
  Estimate R = rate(neighbours(), 180);
  EXPECT_EQ(R.Value, 1 - 180. / 800);
  EXPECT_EQ(R.Status, Status::Known);
  EXPECT_EQ(rate(neighbours(), 179).Status, Status::Estimated);
  Levels Assumed = neighbours();
  Assumed.last().All.Unique.Status = Status::Assumed;
  EXPECT_EQ(rate(Assumed, 180).Status, Status::Assumed);
  EXPECT_EQ(rate(Assumed, 120).Status, Status::Assumed);
}

TEST(HitRatesTest, TheOutermostLevelThatFitsDecides) {
  Levels L = neighbours();
  EXPECT_EQ(rate(L, 100).Value, 1 - 4 * 55. / 800); // one block
  EXPECT_EQ(rate(L, 140).Value, 1 - 2 * 90. / 800); // two
  // Straight code of which half fits: half of what comes again hits.
  EXPECT_EQ(rate(L, 50).Value, (4 * 100 * 0.5) / 800);
}

TEST(HitRatesTest, StraightCodeHitsByItsRuns) {
  // Two blocks have eight requests of 16 sectors, the same ones; every second
  // request is the one before again.
  Levels L;
  L.add(Scope::Warp, Kind::Whole, 0, 2, 128, 64, 0);
  L.add(Scope::Block, Kind::Whole, 0, 2, 128, 64, 0);
  L.last().All.Runs = {{16, 64}, {16, 64}, {32, 64}};
  L.add(Scope::Blocks, Kind::Whole, 0, 1, 256, 64, 64, 2);
  EXPECT_EQ(rate(L, 16).Value, 0.5);
  EXPECT_EQ(rate(L, 8).Value, 0.25);
  EXPECT_EQ(rate(L, 63).Value, 0.5);
  EXPECT_EQ(rate(L, 64).Value, 0.75);
  // Side by side they share each request, if there is room for one.
  EXPECT_EQ(rate(L, 16, 2).Value, 0.75);
  EXPECT_EQ(rate(L, 8, 2).Value, 0.25);
}

TEST(HitRatesTest, BlocksThatFindNothing) {
  // Each block by itself: what it touches again, and nothing of its neighbour.
  EXPECT_EQ(rate(neighbours(), 100, 1, false, true).Value, 0.5);
  EXPECT_EQ(rate(neighbours(), 1000, 1, false, true).Value, 0.5);
}

TEST(HitRatesTest, ResidentBlocksNeedRoomForAll) {
  // Two touch 140 sectors together.
  EXPECT_EQ(rate(neighbours(), 140, 2).Value, 1 - 2 * 90. / 800);
  EXPECT_DOUBLE_EQ(rate(neighbours(), 70, 2).Value, 2 * 260 * 0.5 / 800);
  EXPECT_EQ(rate(neighbours(), 140, 2, false, true).Value, 1 - 2 * 140. / 800);
  // More than the grid has are the grid.
  EXPECT_EQ(rate(neighbours(), 180, 9).Value, 1 - 180. / 800);
  EXPECT_DOUBLE_EQ(rate(neighbours(), 90, 9).Value, 620 * 0.5 / 800);
}

TEST(HitRatesTest, LoopsSideBySideAreLookedAtEachByItself) {
  // A loop of large iterations that share nothing, and one of small ones that
  // share half; 20 sectors of straight code beside them.
  Levels L;
  for (Scope Of : {Scope::Warp, Scope::Block}) {
    L.add(Of, Kind::Iteration, 1, 10, 300, 100, 100);
    L.add(Of, Kind::Loop, 1, 1, 3000, 1000, 1000);
    L.add(Of, Kind::Iteration, 1, 20, 16, 8, 4.2);
    L.add(Of, Kind::Loop, 1, 1, 320, 84, 84);
    L.add(Of, Kind::Whole, 0, 1, 3340, 1104, 1104);
  }
  // The small ones fit, the large ones by half.
  EXPECT_DOUBLE_EQ(rate(L, 50).Value,
                   1 - (10 * (300 - 100) + 20 * 4.2 + 20) / 3340);
  EXPECT_DOUBLE_EQ(rate(L, 100).Value, 1 - (1000 + 84 + 20) / 3340.);
}

TEST(HitRatesTest, WarpsInTurn) {
  // Two warps that walk over the same 40 sectors in 10 iterations. Side by
  // side a sector comes again at once, one after the other behind 40 others.
  Levels L;
  L.add(Scope::Warp, Kind::Iteration, 1, 20, 4, 4, 4);
  L.add(Scope::Warp, Kind::Loop, 1, 2, 40, 40, 40);
  L.add(Scope::Warp, Kind::Whole, 0, 2, 40, 40, 20);
  L.add(Scope::Block, Kind::Iteration, 1, 10, 8, 4, 4);
  L.add(Scope::Block, Kind::Loop, 1, 1, 80, 40, 40);
  L.add(Scope::Block, Kind::Whole, 0, 1, 80, 40, 40);
  EXPECT_EQ(rate(L, 39).Value, 0.5);
  EXPECT_EQ(rate(L, 39, 1, true).Value, 0);
  EXPECT_EQ(rate(L, 40, 1, true).Value, 0.5);
  // A barrier in the loop keeps them together in either case.
  for (LocalityLevel &Level : L.Locality::Levels)
    Level.HasBarrier = true;
  EXPECT_EQ(rate(L, 39, 1, true).Value, 0.5);
}

TEST(HitRatesTest, LoadsAlone) {
  Levels L = neighbours();
  for (LocalityLevel &Level : L.Locality::Levels) {
    double Blocks = double(Level.NumBlocks);
    Level.Loads = {Estimate::known(60 * Blocks), Estimate::known(50),
                   Estimate::known(Blocks == 4 ? 50 : 0)};
  }
  CacheUse Use;
  Use.Bytes = 64 * 32;
  EXPECT_EQ(estimateHitRates(L, Use).Loads.Value, 1 - 50. / 240);
  EXPECT_LT(estimateHitRates(L, Use).All.Value, 0.5);
}

TEST(HitRatesTest, WhatNobodyKnowsHasBounds) {
  // A gather: each request touches from 1 to 32 sectors of nobody knows where.
  Levels L;
  double Inf = std::numeric_limits<double>::infinity();
  for (Scope Of : {Scope::Warp, Scope::Block}) {
    L.add(Of, Kind::Whole, 0, 1, 0, 0, 0);
    LevelTraffic &T = L.last().All;
    T.Requested = {160, Status::Unknown, 10, 320};
    T.Unique = T.Fresh = {100, Status::Unknown, 1, 320};
  }
  Estimate R = rate(L, 256);
  EXPECT_EQ(R.Value, 1 - 100. / 160);
  EXPECT_EQ(R.Status, Status::Unknown);
  EXPECT_EQ(R.Low, 0);
  EXPECT_EQ(R.High, 0.9);
  // Nor how often.
  for (LocalityLevel &Level : L.Locality::Levels)
    Level.Instances = {1, Status::Unknown, 0, Inf};
  R = rate(L, 256);
  EXPECT_EQ(R.Value, 1 - 100. / 160);
  EXPECT_EQ(R.Low, 0);
  EXPECT_EQ(R.High, 1);
}

TEST(HitRatesTest, LevelsThatAreMissing) {
  Levels NoIteration = ring();
  NoIteration.Locality::Levels.erase(NoIteration.Locality::Levels.begin() + 3);
  Levels NoWhole = ring();
  NoWhole.Locality::Levels.pop_back();
  for (const Levels &L : {NoIteration, NoWhole}) {
    Estimate R = rate(L, 64);
    EXPECT_EQ(R.Status, Status::Unknown);
    EXPECT_EQ(R.Low, 0);
    EXPECT_EQ(R.High, 1);
  }
  // Without those of the warp warps cannot take turns.
  Levels NoWarp = ring();
  NoWarp.Locality::Levels.erase(NoWarp.Locality::Levels.begin(),
                                NoWarp.Locality::Levels.begin() + 3);
  EXPECT_EQ(rate(NoWarp, 64, 1, true).Value, rate(ring(), 64).Value);
}

namespace {

/// A loop of two warps of a block: an iteration of a warp asks for 12 sectors
/// and touches 6, and those of both warps together 9.
Levels window(bool HasBarrier) {
  Levels L;
  L.add(Scope::Warp, Kind::Iteration, 1, 20, 12, 6, 6);
  L.add(Scope::Warp, Kind::Loop, 1, 2, 120, 60, 60);
  L.last().HasBarrier = HasBarrier;
  L.add(Scope::Warp, Kind::Whole, 0, 2, 130, 62, 62);
  L.add(Scope::Block, Kind::Iteration, 1, 10, 24, 9, 9);
  L.add(Scope::Block, Kind::Loop, 1, 1, 240, 90, 90);
  L.last().HasBarrier = HasBarrier;
  L.add(Scope::Block, Kind::Whole, 0, 1, 260, 94, 94);
  for (LocalityLevel &Of : L.Locality::Levels)
    Of.Loads = Of.All;
  return L;
}

} // namespace

TEST(HitsInFlightTest, AreThoseOfAnIterationAndOfStraightCode) {
  EXPECT_EQ(hitsInFlight(Locality()), 0);
  EXPECT_EQ(hitsInFlight(neighbours()), 0); // nothing loads
  // A warp's iterations ask again for 120; beside the loop the block, of 260
  // in all, for 166 - 150.
  EXPECT_DOUBLE_EQ(hitsInFlight(window(false)), (120 + 16) / 260.0);
  // Warps that meet in the loop ask for 150 again.
  EXPECT_DOUBLE_EQ(hitsInFlight(window(true)), (150 + 16) / 260.0);
  // What a barrier is between has come: each of two stretches asks for 12
  // sectors, of which 9 differ; the straight code, too, is in two.
  Levels Twice = window(true);
  for (LocalityLevel &Of : Twice.Locality::Levels)
    Of.LoadStretches = 2;
  EXPECT_DOUBLE_EQ(hitsInFlight(Twice), (10 * (24 - 18) + (20 - 8)) / 260.0);
}

//===- SplitEnergyTest.cpp - Time and energy of work that is split --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/SplitEnergy.h"
#include "gmock/gmock.h"
#include <cmath>
#include <random>

using namespace ptxpredict;
using testing::DoubleNear;
using testing::ElementsAre;

namespace {

SplitParty party(double Seconds, double DynamicW) {
  SplitParty P;
  P.Work.Seconds = Seconds;
  P.DynamicW = DynamicW;
  return P;
}

const double Never = std::numeric_limits<double>::infinity();

// Without transfers two parties are the CPU and the GPU of the thesis, in every
// series, point by point.
TEST(SplitEnergy, TwoPartiesAreAppendixA) {
  CPUGPUSystem Thesis;
  Thesis.CPU = {4, 1, 1, 1, 10};
  Thesis.GPU = {16, 4, 1, 2, 3};
  Thesis.Idle = 50;
  SplitSystem S;
  S.Parties = {party(0.25, 40), party(2.0 / 64, 48)};
  S.IdleW = 50;
  auto ExpectSame = [](const CPUGPUSystem &A, const SplitSystem &B) {
    const std::vector<PartitionPoint> Want = sweepPartition(A, 21);
    const std::vector<SplitPoint> Got = sweepShares(B, 21);
    ASSERT_EQ(Got.size(), Want.size());
    for (size_t I = 0; I != Got.size(); ++I) {
      EXPECT_DOUBLE_EQ(Got[I].Shares[1], Want[I].GPUShare);
      EXPECT_NEAR(Got[I].Gain.Speedup, Want[I].Gain.Speedup, 1e-12);
      EXPECT_NEAR(Got[I].Gain.Efficiency, Want[I].Gain.Efficiency, 1e-12);
      EXPECT_NEAR(Got[I].Gain.EnergyFraction, Want[I].Gain.EnergyFraction,
                  1e-12);
    }
  };
  ExpectSame(Thesis, S);
  for (const SystemSeries &Series : systemSeries()) {
    SCOPED_TRACE(Series.Number);
    CPUGPUSystem Levelled = Thesis;
    Levelled.CPU.SlowDown *= Series.FastCPU ? 1 : 3;
    Levelled.GPU.SlowDown *= Series.FastGPU ? 1 : 3;
    Levelled.CPU.Power *= Series.HighPowerCPU ? 3 : 1;
    Levelled.GPU.Power *= Series.HighPowerGPU ? 3 : 1;
    ExpectSame(Levelled, applySeries(S, Series, 3));
  }
}

TEST(SplitEnergy, TransfersAndFixedTimesCount) {
  SplitSystem S;
  S.Parties = {party(3, 60), party(1, 100)};
  S.Parties[1].Work.Bytes = 8e9;
  S.Parties[1].Work.LinkGBs = 8;
  S.IdleW = 40;
  std::optional<SplitPoint> Best = bestSplit(S, SplitGoal::Time);
  ASSERT_TRUE(Best);
  EXPECT_THAT(Best->Shares,
              ElementsAre(DoubleNear(0.4, 1e-12), DoubleNear(0.6, 1e-12)));
  EXPECT_NEAR(Best->Seconds, 1.2, 1e-12);
  EXPECT_DOUBLE_EQ(Best->PowerW, 200);
  EXPECT_NEAR(Best->EnergyJ, 240, 1e-9);
  EXPECT_NEAR(Best->Gain.Speedup, 2.5, 1e-12);
  // 200 W for 1.2 s against 100 W for 3 s.
  EXPECT_NEAR(Best->Gain.EnergyFraction, 0.8, 1e-12);
  // Alone the second one takes 140 W for 2 s.
  EXPECT_THAT(bestAlone(S, SplitGoal::Energy)->Shares, ElementsAre(0, 1));
  EXPECT_THAT(bestSplit(S, SplitGoal::Energy)->numAtWork(), 2u);
}

TEST(SplitEnergy, JointPowerIsOfAllAtWork) {
  SplitSystem S;
  S.Parties = {party(1, 100), party(1, 100)};
  S.IdleW = 20;
  S.JointW = 180;
  EXPECT_DOUBLE_EQ(pointOfSplit(S, {0.5, 0.5}).PowerW, 180);
  EXPECT_DOUBLE_EQ(pointOfSplit(S, {1, 0}).PowerW, 120);
  // 90 J in place of 110 J, against 120 J of one.
  EXPECT_DOUBLE_EQ(bestSplit(S, SplitGoal::Energy)->EnergyJ, 90);
}

TEST(SplitEnergy, SlowPartiesOfMuchPowerGetNothing) {
  SplitSystem S;
  S.Parties = {party(100, 150), party(1, 100)};
  S.IdleW = 30;
  EXPECT_THAT(bestSplit(S, SplitGoal::Energy)->Shares, ElementsAre(0, 1));
  EXPECT_EQ(bestSplit(S, SplitGoal::Time)->numAtWork(), 2u);
}

TEST(SplitEnergy, WhatIsNotKnown) {
  SplitSystem S;
  EXPECT_FALSE(bestSplit(S, SplitGoal::Time));
  EXPECT_TRUE(sweepShares(S).empty());
  S.Parties = {party(Never, 10), party(2, 100), party(1, NAN)};
  EXPECT_EQ(S.base(), 1u);
  EXPECT_FALSE(bestSplit(S, SplitGoal::Energy));
  const std::optional<SplitPoint> Best = bestSplit(S, SplitGoal::Time);
  EXPECT_THAT(Best->Shares, ElementsAre(0, DoubleNear(1 / 3.0, 1e-12),
                                        DoubleNear(2 / 3.0, 1e-12)));
  EXPECT_TRUE(std::isnan(Best->EnergyJ));
  EXPECT_NEAR(Best->Gain.Speedup, 3, 1e-12);
  // The power of one that cannot run the kernel matters to none.
  S.Parties = {party(Never, NAN), party(2, 100)};
  EXPECT_EQ(sweepShares(S).size(), 1u);
  EXPECT_THAT(bestSplit(S, SplitGoal::Energy)->Shares, ElementsAre(0, 1));
}

// What is given away goes to the others in the way that ends soonest.
TEST(SplitEnergy, SharesOfThree) {
  SplitSystem S;
  S.Parties = {party(2, 1), party(1, 1), party(3, 1)};
  const std::vector<SplitPoint> Sweep = sweepShares(S, 5);
  ASSERT_EQ(Sweep.size(), 5u);
  EXPECT_THAT(Sweep[0].Shares, ElementsAre(1, 0, 0));
  EXPECT_THAT(Sweep[2].Shares, ElementsAre(0.5, DoubleNear(0.375, 1e-12),
                                           DoubleNear(0.125, 1e-12)));
  EXPECT_NEAR(Sweep[4].Seconds, 0.75, 1e-12);
}

TEST(SplitEnergy, LinearWithoutAJumpOfPower) {
  SplitSystem S;
  S.Parties = {party(4, 0), party(1, 0)};
  S.IdleW = 100; // the same power whoever works: E is S
  EXPECT_TRUE(isLinear(sweepShares(S)));
  S.Parties[1].DynamicW = 50;
  EXPECT_FALSE(isLinear(sweepShares(S)));
}

// No other split is better, by time and by energy.
TEST(SplitEnergy, IsTheBest) {
  std::mt19937 Random(35);
  auto Unit = [&] { return double(Random()) / double(Random.max()); };
  for (unsigned I = 0; I != 100; ++I) {
    SplitSystem S;
    S.Parties.resize(2 + Random() % 3);
    S.IdleW = 100 * Unit();
    for (SplitParty &P : S.Parties) {
      P = party(0.1 + Unit(), 200 * Unit());
      P.Work.Bytes = 1e9 * Unit();
      P.Work.LinkGBs = Random() % 2 ? 4 * Unit() + 0.5 : 0;
      P.Work.FixedSeconds = Random() % 2 ? 0.3 * Unit() : 0;
    }
    if (Random() % 4 == 0)
      S.JointW = S.IdleW + 200 * (1 + Unit());
    const SplitPoint Soonest = *bestSplit(S, SplitGoal::Time);
    const SplitPoint Cheapest = *bestSplit(S, SplitGoal::Energy);
    EXPECT_LE(Soonest.Seconds, bestAlone(S, SplitGoal::Time)->Seconds);
    for (unsigned Try = 0; Try != 200; ++Try) {
      std::vector<double> Other;
      for (size_t D = 0; D != S.Parties.size(); ++D)
        Other.push_back(Random() % 3 ? Unit() + 1e-3 : 0);
      if (llvm::all_of(Other, [](double V) { return V == 0; }))
        continue;
      const SplitPoint P = pointOfSplit(S, sharesByPerformance(Other));
      EXPECT_GE(P.Seconds, Soonest.Seconds * (1 - 1e-12));
      EXPECT_GE(P.EnergyJ, Cheapest.EnergyJ * (1 - 1e-12));
    }
  }
}

} // namespace

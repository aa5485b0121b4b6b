//===- BestClocksTest.cpp - Tests of choices of clocks --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/BestClocks.h"
#include "gmock/gmock.h"
#include <cmath>
#include <random>

using namespace ptxpredict;
using testing::ElementsAre;

namespace {

/// Core MHz, time in us and watts.
ClockPair at(double MHz, double TimeUs, double Watts) {
  return {MHz, 1000, TimeUs, Watts, TimeUs * 1e-6 * Watts};
}

// Energies: 200, 180, 160, 190 uJ.
const std::vector<ClockPair> Points = {at(1000, 1, 200), at(900, 1.2, 150),
                                       at(700, 2, 80), at(500, 3.8, 50)};

TEST(BestClocks, DependOnTheGoal) {
  EXPECT_EQ(bestClocks(Points, ClockGoal::Time), 0u);
  EXPECT_EQ(bestClocks(Points, ClockGoal::Energy), 2u);
  EXPECT_EQ(bestClocks(Points, ClockGoal::ED), 0u); // 200, 216, 320, 722
  EXPECT_EQ(bestClocks(Points, ClockGoal::ED2), 0u);
  EXPECT_EQ(bestClocks(Points, ClockGoal::E2D), 1u); // 40000, 38880, 51200
}

TEST(BestClocks, KeepToLimits) {
  EXPECT_EQ(bestClocks(Points, ClockGoal::Time, {160, {}}), 1u);
  EXPECT_EQ(bestClocks(Points, ClockGoal::Energy, {{}, 0.5}), 1u);
  EXPECT_EQ(bestClocks(Points, ClockGoal::Energy, {60, 0.5}), std::nullopt);
  EXPECT_EQ(bestClocks(Points, ClockGoal::Energy, {60, {}}), 3u);
}

TEST(BestClocks, OfEqualCostHaveTheLowestClocks) {
  const std::vector<ClockPair> Same = {at(1000, 1, 100), at(900, 1, 100)};
  EXPECT_EQ(bestClocks(Same, ClockGoal::Time), 1u);
  // The same time for less energy.
  const std::vector<ClockPair> Less = {at(1000, 1, 90), at(900, 1, 100)};
  EXPECT_EQ(bestClocks(Less, ClockGoal::Time), 0u);
}

TEST(BestClocks, KnowNoEnergyWithoutPower) {
  std::vector<ClockPair> None = {at(1000, 1, NAN), at(900, 2, NAN)};
  EXPECT_EQ(bestClocks(None, ClockGoal::Time), 0u);
  EXPECT_EQ(bestClocks(None, ClockGoal::Energy), std::nullopt);
  EXPECT_EQ(bestClocks(None, ClockGoal::Time, {1000, {}}), std::nullopt);
  EXPECT_TRUE(energyTimeFront(None).empty());
  EXPECT_EQ(bestClocks({}, ClockGoal::Time), std::nullopt);
}

TEST(BestClocks, FrontFallsInEnergy) {
  EXPECT_THAT(energyTimeFront(Points), ElementsAre(0, 1, 2));
}

TEST(BestClocks, FrontIsWhatNothingDominates) {
  std::mt19937 Random(3);
  auto Any = [&] { return double(Random() % 20 + 1); };
  for (unsigned Run = 0; Run != 200; ++Run) {
    std::vector<ClockPair> Of;
    for (unsigned N = 0; N != 30; ++N)
      Of.push_back({double(N), 1, Any(), 1, Any()});
    std::vector<bool> IsOnFront(Of.size());
    for (size_t N : energyTimeFront(Of))
      IsOnFront[N] = true;
    for (size_t A = 0; A != Of.size(); ++A) {
      bool IsDominated = false; // or equal to one with lower clocks
      for (size_t B = 0; B != Of.size(); ++B)
        IsDominated |= Of[B].TimeUs <= Of[A].TimeUs &&
                       Of[B].EnergyJ <= Of[A].EnergyJ &&
                       (Of[B].TimeUs < Of[A].TimeUs ||
                        Of[B].EnergyJ < Of[A].EnergyJ || B < A);
      EXPECT_EQ(IsOnFront[A], !IsDominated) << A;
    }
  }
}

TEST(BestClocks, KernelsAddUpByWeight) {
  std::vector<ClockPair> Sum;
  addKernel(Sum, Points, 2);
  addKernel(Sum,
            {at(1000, 5, 100), at(900, 5, 160), at(700, 5, 90), at(500, 5, 40)},
            1);
  EXPECT_DOUBLE_EQ(Sum[0].TimeUs, 7);
  EXPECT_DOUBLE_EQ(Sum[1].PowerW, 160);
  EXPECT_DOUBLE_EQ(Sum[2].EnergyJ, 2 * 160e-6 + 450e-6);
  EXPECT_DOUBLE_EQ(Sum[3].CoreMHz, 500);
}

} // namespace

//===- ScalingSolverTest.cpp - Sizes and clocks of an efficiency ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Scaling/ScalingSolver.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace ptxpredict;

namespace {

/// n / (n + Half): an efficiency that rises from 0 to 1.
double rising(double N, double Half) { return N / (N + Half); }

TEST(ScalingSolver, FindsWhereACurveCrosses) {
  std::mt19937 Random(35);
  std::uniform_real_distribution<double> Exponent(1, 11), Share(0.05, 0.95);
  for (unsigned Case = 0; Case != 300; ++Case) {
    const double Half = std::pow(10, Exponent(Random)), Theta = Share(Random);
    unsigned Asked = 0;
    const SizeSolution S = solveSize(
        [&](double N) {
          ++Asked;
          return rising(N, Half);
        },
        {0.1, 1e14}, Theta);
    ASSERT_EQ(S.Status, ScalingStatus::Found);
    const double Want = Half * Theta / (1 - Theta);
    EXPECT_NEAR(S.N, Want, 1e-11 * Want);
    EXPECT_NEAR(S.Efficiency, Theta, 1e-13);
    EXPECT_LT(Asked, 90u); // 49 ends and a search
  }
}

TEST(ScalingSolver, FindsAFallingCurveAndTheFirstOfTwo) {
  const SizeSolution Falling =
      solveSize([](double N) { return 1 - rising(N, 1000); }, {1, 1e9}, 0.25);
  EXPECT_NEAR(Falling.N, 3000, 1e-8);
  // Up to 1 at n = 1000, and down again.
  const SizeSolution Hill = solveSize(
      [](double N) {
        const double X = std::log10(N) - 3;
        return 1 / (1 + X * X);
      },
      {1, 1e9}, 0.5);
  EXPECT_NEAR(Hill.N, 100, 1e-9);
}

// A step: nothing is as near to it as bisection gets.
TEST(ScalingSolver, EndsAtASteps) {
  const SizeSolution S = solveSize(
      [](double N) { return N < 12345.678 ? 0.1 : 0.9; }, {1, 1e9}, 0.5);
  EXPECT_EQ(S.Status, ScalingStatus::Found);
  EXPECT_NEAR(S.N, 12345.678, 1e-8);
}

TEST(ScalingSolver, FindsTheFirstWholeSize) {
  const SizeRange Range{1, 1e9, /*IsWhole=*/true, /*Steps=*/16};
  for (double Half : {3., 77., 1000., 123456.}) {
    const SizeSolution S = solveSize(
        [&](double N) {
          EXPECT_EQ(N, std::floor(N));
          return rising(N, Half);
        },
        Range, 0.9);
    ASSERT_EQ(S.Status, ScalingStatus::Found);
    EXPECT_GE(rising(S.N, Half), 0.9);
    EXPECT_LT(rising(S.N - 1, Half), 0.9);
  }
  // A range of two sizes.
  const SizeSolution Two =
      solveSize([](double N) { return N / 4; }, {2, 3, /*IsWhole=*/true}, 0.6);
  EXPECT_EQ(Two.N, 3);
}

TEST(ScalingSolver, SaysWhyThereIsNoSize) {
  auto Of = [](double N) { return 0.3 + 0.4 * rising(N, 1000); };
  const SizeRange Range{1, 1e9};
  SizeSolution S = solveSize(Of, Range, 0.8);
  EXPECT_EQ(S.Status, ScalingStatus::None);
  EXPECT_EQ(S.N, -1);
  EXPECT_NEAR(S.Lowest, 0.3, 1e-3);
  EXPECT_NEAR(S.Highest, 0.7, 1e-3);
  S = solveSize(Of, Range, 0.2);
  EXPECT_EQ(S.Status, ScalingStatus::Every);
  EXPECT_EQ(S.N, -1);
  // EP and HPL: n hardly matters.
  S = solveSize([](double N) { return 0.83 + 2e-11 * N; }, Range, 0.9);
  EXPECT_EQ(S.Status, ScalingStatus::None);
  S = solveSize([](double N) { return 0.83 + 1e-12 * N; }, Range, 0.9);
  EXPECT_EQ(S.Status, ScalingStatus::Insensitive);
  EXPECT_EQ(S.N, -1);
  for (double Theta : {0.5, 0.8305}) { // below it, and where it crosses
    S = solveSize([](double N) { return 0.83 + 1e-12 * N; }, Range, Theta);
    EXPECT_EQ(S.Status, ScalingStatus::Insensitive);
    EXPECT_EQ(S.N, -1);
  }
  S = solveSize([](double) { return std::nullopt; }, Range, 0.9);
  EXPECT_EQ(S.Status, ScalingStatus::NoAnswer);
}

// N is at most what memory holds: up to 5000, and then nothing.
TEST(ScalingSolver, StaysWithinWhatHasAnAnswer) {
  auto Of = [](double N) -> std::optional<double> {
    if (N > 5000)
      return std::nullopt;
    return rising(N, 1000);
  };
  for (bool IsWhole : {false, true}) {
    const SizeRange Range{1, 1e9, IsWhole, 16};
    SizeSolution S = solveSize(Of, Range, 0.9);
    EXPECT_EQ(S.Status, ScalingStatus::None);
    ASSERT_TRUE(S.Largest);
    EXPECT_NEAR(*S.Largest, 5000, 1e-4);
    EXPECT_NEAR(S.Highest, 5. / 6, 1e-8);
    // Between the last end with an answer and the limit.
    S = solveSize(Of, Range, 0.833);
    EXPECT_EQ(S.Status, ScalingStatus::Found);
    EXPECT_NEAR(S.N, 4988.02, 0.99);
  }
}

TEST(ScalingSolver, ChoosesAClock) {
  ClockSolution S = solveClock({0.7, 0.9, 0.8}, 0.75);
  EXPECT_EQ(S.Best, 1u);
  EXPECT_EQ(S.Lowest, 1u);
  EXPECT_FALSE(S.IsInsensitive);
  S = solveClock({0.7, 0.9, 0.8}, 0.95);
  EXPECT_EQ(S.Status, ScalingStatus::None);
  EXPECT_FALSE(S.Lowest);
  S = solveClock({0.7, 0.705, 0.702}, 0.9);
  EXPECT_EQ(S.Status, ScalingStatus::Insensitive);
  EXPECT_EQ(solveClock({1.2, 0.8}, {}).Lowest, 0u);
}

TEST(ScalingSolver, NamesACategory) {
  CategoryFacts F;
  EXPECT_EQ(categoryOf(F), ScalingCategory::ComputeOnly);
  F.LowestEfficiency = 0.8;
  EXPECT_EQ(categoryOf(F), ScalingCategory::NotByN);
  F.ChangeOverN = 0.3;
  F.ComputeSeconds = 5;
  F.MemorySeconds = 2;
  F.NetworkSeconds = 4;
  EXPECT_EQ(categoryOf(F), ScalingCategory::ComputeAndCommunication);
  F.NetworkSeconds = 6;
  EXPECT_EQ(categoryOf(F), ScalingCategory::CommunicationBound);
}

} // namespace

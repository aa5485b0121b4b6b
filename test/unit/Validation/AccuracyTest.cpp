//===- AccuracyTest.cpp - Tests of Accuracy ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Accuracy.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;

namespace {

/// A report of one dataset and two models, the second of which answers twice
/// what the first does. The first one's bounds are a tenth wide.
struct Made {
  ValidationReport R;

  Made() {
    R.Models = {"first", "second"};
    ValidatedDataset &D = R.Datasets.emplace_back();
    D.About.Set.push_back({"set", SMLoc()});
    for (StringRef Name : {"a", "b", "apart"})
      D.About.Kernels.emplace_back().Name = Name.str();
    D.About.Kernels.back().Apart = "other binary";
  }
  ValidatedPoint &add(unsigned Kernel, StringRef Set, double Measured,
                      double Predicted) {
    ValidatedPoint &P = R.Points.emplace_back();
    P.Kernel = &R.Datasets[0].About.Kernels[Kernel];
    P.Device = "v100";
    P.Set = Set.str();
    P.TimeUs = Measured;
    for (double Factor : {1.0, 2.0}) {
      ModelAnswer &A = P.Answers.emplace_back();
      double T = Factor * Predicted;
      A.TimeUs = Estimate(T, Status::Estimated, 0.9 * T, 1.1 * T);
      A.Limiter =
          Factor == 1 ? TimeLimiter::Compute : TimeLimiter::MemoryBandwidth;
    }
    return P;
  }
};

TEST(Accuracy, SumsErrorsUp) {
  Made M;
  M.add(0, "", 100, 110);
  M.add(0, "", 100, 50);
  M.add(1, "", 100, 200);
  M.add(2, "", 100, 1e6);
  M.R.Points[0].PowerW = M.R.Points[1].PowerW = 50;
  M.R.Points[0].Answers[0].PowerW = Estimate(40, Status::Estimated, 30, 45);
  M.R.Points[1].Answers[0].PowerW = Estimate(60, Status::Estimated, 50, 70);
  Accuracy A = computeAccuracy(M.R, 0, 1);
  const ErrorSummary &E = A.All.Models[0];
  EXPECT_EQ(E.Rows, 3u);
  EXPECT_NEAR(E.MAPE, (0.1 + 0.5 + 1) / 3, 1e-12);
  EXPECT_NEAR(E.Median, 0.5, 1e-12);
  EXPECT_NEAR(E.Factor, std::cbrt(1.1 * 2 * 2), 1e-12);
  EXPECT_NEAR(E.Bias, std::cbrt(1.1), 1e-12);
  EXPECT_NEAR(E.Coverage, 1.0 / 3, 1e-12);
  EXPECT_EQ(E.PowerRows, 2u);
  EXPECT_EQ(E.PowerCoverage, 0.5);
  EXPECT_NEAR(E.PowerMAPE, 0.2, 1e-12);
  ASSERT_EQ(A.Kernels.size(), 2u);
  EXPECT_EQ(A.Kernels[1].Kernel, "b");
  EXPECT_EQ(A.Kernels[1].Models[1].MAPE, 3);
  ASSERT_EQ(A.Apart.size(), 1u);
  EXPECT_EQ(A.Apart[0].Apart, "other binary");
  EXPECT_EQ(A.Apart[0].Rows, 1u);
  ASSERT_EQ(A.Worst[0].size(), 1u);
  EXPECT_EQ(A.Worst[0][0].Point, 1u); // half is as bad as twice, and first
  EXPECT_EQ(A.Limiters[1][0].first, TimeLimiter::MemoryBandwidth);
}

TEST(Accuracy, RanksWithTies) {
  EXPECT_EQ(spearman({1, 2, 3}, {10, 20, 30}), 1);
  EXPECT_EQ(spearman({1, 2, 3}, {30, 20, 10}), -1);
  EXPECT_EQ(spearman({1, 2, 3}, {5, 5, 5}), std::nullopt);
  // Ranks 1 2 3 4 against 1 2.5 2.5 4.
  EXPECT_NEAR(*spearman({1, 2, 3, 4}, {1, 2, 2, 9}), 4.5 / std::sqrt(5 * 4.5),
              1e-12);
}

TEST(Accuracy, FindsRegretOfEachSet) {
  Made M;
  // The best is predicted second; 10 and 10.5 are a tie.
  using Pairs = std::vector<std::pair<double, double>>;
  for (auto [Measured, Predicted] :
       Pairs{{10, 2}, {10.5, 3}, {15, 1}, {20, 4}, {30, 5}})
    M.add(0, "s", Measured, Predicted);
  for (unsigned N = 0; N != 12; ++N)
    M.add(0, "t", 20 - N, N); // the best is predicted last
  M.add(0, "u", 5, 5);
  Accuracy A = computeAccuracy(M.R, 0, 0);
  ASSERT_EQ(A.Sets.size(), 3u);
  const SetRanking &S = A.Sets[0].Models[0];
  EXPECT_EQ(S.Regret, 1.5);
  EXPECT_EQ(S.Regret10, std::nullopt); // of five there is no choice
  EXPECT_EQ(S.Tied, 0u);
  EXPECT_EQ(S.Pairs, 9u);
  EXPECT_EQ(S.RightPairs, 7u);
  EXPECT_NEAR(*S.Spearman, 0.7, 1e-12);
  const SetRanking &T = A.Sets[1].Models[0];
  EXPECT_EQ(*T.Spearman, -1);
  EXPECT_EQ(T.Regret, 20.0 / 9);
  ASSERT_TRUE(T.Regret10);
  EXPECT_EQ(*T.Regret10, 11.0 / 9);
  EXPECT_EQ(A.Sets[2].Models[0].Spearman, std::nullopt);
  EXPECT_EQ(A.Ranks[0].Sets, 2u);
  EXPECT_NEAR(A.Ranks[0].MeanSpearman, -0.15, 1e-12);
  EXPECT_EQ(A.Ranks[0].LeastSpearman, -1);
  EXPECT_EQ(A.Ranks[0].MostRegret10, 11.0 / 9);
  EXPECT_EQ(A.Ranks[0].Regret10Sets, 1u);
  EXPECT_EQ(A.Ranks[0].RankedRows, 17u);
}

/// The predicted order of rows that are predicted alike is none: what is first
/// is each of them, in the mean.
TEST(Accuracy, TiesHaveNoOrder) {
  Made M;
  for (double Measured : {10, 20, 40, 80})
    M.add(0, "s", Measured, 1);
  M.add(0, "s", 5, 2);
  // Nine that are surely among the first ten, and one of three.
  for (unsigned N = 0; N != 9; ++N)
    M.add(0, "t", 100, N);
  for (double Measured : {10, 20, 200})
    M.add(0, "t", Measured, 50);
  Accuracy A = computeAccuracy(M.R, 0, 0);
  const SetRanking &S = A.Sets[0].Models[0];
  EXPECT_EQ(S.Tied, 4u);
  EXPECT_NEAR(S.Regret, 37.5 / 5, 1e-12);
  EXPECT_EQ(S.Pairs, 10u);
  EXPECT_EQ(S.TiedPairs, 6u);
  EXPECT_EQ(S.RightPairs, 0u);
  const SetRanking &T = A.Sets[1].Models[0];
  EXPECT_EQ(T.Tied, 3u);
  ASSERT_TRUE(T.Regret10);
  EXPECT_NEAR(*T.Regret10, (10 + 20 + 100) / 3.0 / 10, 1e-12);
  EXPECT_EQ(A.Ranks[0].TiedPairs, 6u + T.TiedPairs);
}

/// What has no upper bound is no hit.
TEST(Accuracy, CountsOpenRangesApart) {
  Made M;
  M.add(0, "", 100, 100);
  M.add(0, "", 100, 200);
  M.add(1, "", 100, 100).Answers[0].TimeUs->High = HUGE_VAL;
  M.R.Datasets[0].About.Kernels[0].Kind = "sort";
  M.R.Datasets[0].About.Kernels[1].Kind = "scan";
  // A baseline says nothing of where the time may lie.
  M.R.Roofline = 1;
  for (ValidatedPoint &P : M.R.Points)
    P.Answers[1].HasRange = false;
  Accuracy A = computeAccuracy(M.R, 0, 2);
  EXPECT_EQ(A.All.Models[0].Rows, 3u);
  EXPECT_EQ(A.All.Models[0].Closed, 2u);
  EXPECT_EQ(A.All.Models[0].Coverage, 0.5);
  EXPECT_EQ(A.All.Models[1].Closed, 0u);
  EXPECT_TRUE(std::isnan(A.All.Models[1].Coverage));
  ASSERT_EQ(A.Kinds.size(), 2u);
  EXPECT_EQ(A.Kinds[1].Kind, "scan");
  EXPECT_EQ(A.Kinds[1].Models[0].Closed, 0u);
  EXPECT_TRUE(std::isnan(A.Kinds[1].Models[0].Coverage));
  EXPECT_EQ(A.Worst[0].size(), 2u);
  EXPECT_TRUE(A.Worst[1].empty());
  EXPECT_TRUE(A.Limiters[1].empty());
}

TEST(Accuracy, FollowsClocksAndCounts) {
  Made M;
  DiagnosticEngine Diags;
  Dataset &D = M.R.Datasets[0].About;
  D.CoreMHz = Formula::parse({"f", SMLoc()}, Diags);
  D.Default.emplace_back();
  using Pairs = std::vector<std::pair<double, double>>;
  for (auto [Measured, Predicted] : Pairs{{10, 20}, {15, 30}, {20, 30}}) {
    ValidatedPoint &P = M.add(0, "", Measured, Predicted);
    P.IsDefault = Measured == 10;
    P.Counters[0] = 100;
    P.Answers[1].Counts[0] = P.IsDefault ? 110 : 500;
    P.Counters[1] = 10; // too little traffic
    P.Answers[1].Counts[1] = 500;
  }
  Accuracy A = computeAccuracy(M.R, 0, 0);
  EXPECT_EQ(A.Scaling[0].Rows, 2u);
  EXPECT_NEAR(A.Scaling[0].Value, (0 + 0.25) / 2, 1e-12);
  ASSERT_TRUE(A.Default.has_value());
  EXPECT_EQ(A.Default->Rows, 1u);
  EXPECT_EQ(A.Counts[0][0].Rows, 0u);
  EXPECT_EQ(A.Counts[1][0].Rows, 1u);
  EXPECT_NEAR(A.Counts[1][0].Value, 0.1, 1e-12);
  EXPECT_EQ(A.Counts[1][1].Rows, 0u);
  ASSERT_EQ(A.CountsOfKernels.size(), 1u);
  EXPECT_EQ(A.CountsOfKernels[0].Kernel, "a");
  EXPECT_NEAR(A.CountsOfKernels[0].Models[1][0].Value, 1.1, 1e-12);
  EXPECT_EQ(A.CountsOfKernels[0].Models[0][0].Rows, 0u);
}

TEST(Accuracy, ShowsTimesOnce) {
  Made M;
  M.R.Models.emplace_back("third");
  M.R.Models.emplace_back("fourth");
  ValidatedPoint &P = M.add(0, "", 1, 2);
  P.Answers.push_back(P.Answers[1]);
  P.Answers.emplace_back();
  ShownModels Shown(M.R);
  EXPECT_EQ(Shown.Models, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(Shown.notes(M.R),
            (std::vector<std::string>{"The times of third are those of second.",
                                      "fourth has no time for any row."}));
  P.Answers[2].TimeUs->Value = 5;
  EXPECT_EQ(ShownModels(M.R).Models, (std::vector<size_t>{0, 1, 2}));
}

} // namespace

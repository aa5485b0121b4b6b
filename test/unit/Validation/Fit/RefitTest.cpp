//===- RefitTest.cpp ------------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/Refit.h"
#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Validation/Fit/RobustFit.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;

namespace {

TEST(RobustFit, FindsTheOptimumAndHoldsWhatNothingSpeaksOf) {
  // Rows of 2 x + y; nothing depends on z.
  const std::vector<double> Places = {-2, -1, 0, 1, 2, 3};
  auto ErrorsAt = [&](ArrayRef<double> X, MutableArrayRef<double> Errors) {
    for (size_t N = 0; N != Places.size(); ++N)
      Errors[N] = (X[0] - 0.3) * Places[N] + X[1] + 0.2;
  };
  FitProblem P;
  P.Weights.assign(Places.size(), 100);
  P.Sigmas = {1, 1, 0.1};
  P.ErrorsAt = ErrorsAt;
  std::vector<double> X = fitRobustly(P);
  EXPECT_NEAR(X[0], 0.3, 0.003);
  EXPECT_NEAR(X[1], -0.2, 0.003);
  EXPECT_EQ(X[2], 0);
  // None of the neighbours costs less.
  for (double Step : {-0.002, 0.002})
    for (size_t I = 0; I != X.size(); ++I) {
      std::vector<double> Beside = X;
      Beside[I] += Step;
      EXPECT_GT(costOf(P, Beside), costOf(P, X));
    }
}

TEST(RobustFit, OutliersAndRowsWithoutAnErrorHaveLittleSay) {
  auto ErrorsAt = [](ArrayRef<double> X, MutableArrayRef<double> Errors) {
    for (size_t N = 0; N != 9; ++N)
      Errors[N] = X[0] - 0.5;
    Errors[9] = X[0] + 20;
    Errors[10] = NAN;
  };
  FitProblem P;
  P.Weights.assign(11, 10);
  P.Sigmas = {1};
  P.ErrorsAt = ErrorsAt;
  // The mean of the rows is -1.55.
  EXPECT_NEAR(fitRobustly(P)[0], 0.5, 0.02);
}

TEST(RobustFit, SigmaSaysHowMuchItTakesToMoveAParameter) {
  auto ErrorsAt = [](ArrayRef<double> X, MutableArrayRef<double> Errors) {
    Errors[0] = X[0] - 1;
  };
  FitProblem P;
  P.Weights = {1};
  P.ErrorsAt = ErrorsAt;
  // Far from 1 the slope of the row's distance is 1, that of the other term
  // 2 x / sigma^2.
  for (double Sigma : {0.1, 0.3}) {
    P.Sigmas = {Sigma};
    EXPECT_NEAR(fitRobustly(P)[0], Sigma * Sigma / 2, 0.02 * Sigma * Sigma);
  }
}

/// Kernels that do one thing each, measured as slow as factors make them.
class Refit : public testing::Test {
protected:
  DeviceRegistry Registry;
  const Device &Dev = *llvm::cantFail(Registry.find("v100"));
  KernelCharacteristics Issue, Doubles;
  std::vector<BottleneckKernel> Kernels;
  std::vector<RefitRow> Rows;

  void SetUp() override {
    for (KernelCharacteristics *K : {&Issue, &Doubles}) {
      K->Launch.Grid = {8000, 1, 1};
      K->Launch.Block = {256, 1, 1};
      K->Instructions = Estimate::known(10000);
    }
    Issue.ByWork[unsigned(SchedClass::Int)] = Estimate::known(5000);
    Issue.ByWork[unsigned(SchedClass::Call)] = Estimate::known(5000);
    Doubles.ByWork[unsigned(SchedClass::FP64)] = Estimate::known(10000);
    Kernels.reserve(2);
    for (const KernelCharacteristics *K : {&Issue, &Doubles}) {
      Kernels.emplace_back(KernelOnDevice(*K, Dev), BottleneckParts());
    }
  }
  void add(unsigned Kernel, StringRef Group, double Slower) {
    RefitRow &R = Rows.emplace_back();
    R.Kernel = &Kernels[Kernel];
    R.Point = DevicePoint::of(Dev);
    R.TimeUs = Kernels[Kernel].evaluate(R.Point).Answer.TimeUs.Value * Slower;
    R.Group.Kernel = Group.str();
    R.Kind = Group.str();
  }
  static double factorOf(const RefitResult &R, StringRef Key) {
    for (const RefittedParameter &P : R.Parameters)
      if (P.Key == Key)
        return P.All;
    ADD_FAILURE() << Key.str();
    return 0;
  }
};

TEST_F(Refit, FitsWhatRowsSpeakOf) {
  add(1, "doubles", 1.2);
  RefitResult R = refitBottleneck(Rows, 1);
  EXPECT_LT(factorOf(R, "fp64_efficiency"), 1);
  EXPECT_EQ(factorOf(R, "texture_efficiency"), 1);
  EXPECT_EQ(factorOf(R, "dram_efficiency"), 1);
  EXPECT_EQ(R.FittedRows, 1u);
  // Its own row has no say in its prediction.
  EXPECT_NEAR(R.Answers[0].TimeUs.Value, Rows[0].TimeUs / 1.2,
              1e-9 * Rows[0].TimeUs);
}

TEST_F(Refit, LeavesTheGroupOut) {
  add(0, "a", 1);
  add(1, "b", 1.2);
  add(1, "c", 1.2);
  RefitResult R = refitBottleneck(Rows, 1);
  EXPECT_EQ(R.Groups, 3u);
  // What a group's own rows say changes the others' predictions alone.
  Rows[2].TimeUs *= 3;
  RefitResult Changed = refitBottleneck(Rows, 2);
  EXPECT_EQ(Changed.Answers[2].TimeUs.Value, R.Answers[2].TimeUs.Value);
  Rows[2].TimeUs /= 9;
  Changed = refitBottleneck(Rows, 2);
  EXPECT_EQ(Changed.Answers[2].TimeUs.Value, R.Answers[2].TimeUs.Value);
  EXPECT_LT(Changed.Answers[1].TimeUs.Value, R.Answers[1].TimeUs.Value);
  // Rows that must not take part do not.
  Rows[2].IsFitted = false;
  RefitResult Less = refitBottleneck(Rows, 1);
  EXPECT_NEAR(Less.Answers[1].TimeUs.Value, Rows[1].TimeUs / 1.2,
              1e-3 * Rows[1].TimeUs);
  EXPECT_EQ(Less.FittedRows, 2u);
}

} // namespace

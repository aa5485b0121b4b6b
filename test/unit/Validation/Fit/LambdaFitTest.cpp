//===- LambdaFitTest.cpp - Tests of one lambda for a device ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/LambdaFit.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;

namespace {

// Ratios of 2 and 8: 4 in the geometric mean, each a factor of 2 off.
const LambdaRow Rows[] = {{20, 10}, {8, 1}};

TEST(LambdaFit, GeometricMeanCountsRowsAlike) {
  const auto F = fitLambda(Rows, LambdaMean::Geometric);
  ASSERT_TRUE(F);
  EXPECT_NEAR(F->Lambda, 4, 1e-12);
  EXPECT_NEAR(F->Spread, 2, 1e-12);
  EXPECT_NEAR(F->Least, 0.5, 1e-12);
  EXPECT_NEAR(F->Most, 2, 1e-12);
  EXPECT_NEAR(F->MAPE, 0.75, 1e-12);
}

TEST(LambdaFit, SumCountsTime) {
  const auto F = fitLambda(Rows, LambdaMean::Sum);
  ASSERT_TRUE(F);
  EXPECT_NEAR(F->Lambda, 28. / 11, 1e-12);
  EXPECT_NEAR(F->Most, 8 * 11 / 28., 1e-12);
}

TEST(LambdaFit, OneRowLeavesNothingOpen) {
  const auto F = fitLambda({{3, 2}}, LambdaMean::Geometric);
  ASSERT_TRUE(F);
  EXPECT_NEAR(F->Lambda, 1.5, 1e-12);
  EXPECT_NEAR(F->Spread, 1, 1e-12);
  EXPECT_NEAR(F->MAPE, 0, 1e-12);
  EXPECT_FALSE(fitLambda({}, LambdaMean::Sum));
}

} // namespace

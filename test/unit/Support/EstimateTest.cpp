//===- EstimateTest.cpp - Tests of Estimate -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Estimate.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

TEST(Estimate, DefaultIsAKnownZero) {
  Estimate C;
  EXPECT_TRUE(C.isKnown());
  EXPECT_EQ(C.Value, 0);
  EXPECT_EQ(C.Low, 0);
  EXPECT_EQ(C.High, 0);
}

TEST(Estimate, KnownHasTightBounds) {
  Estimate C = Estimate::known(7);
  EXPECT_TRUE(C.isKnown());
  EXPECT_EQ(C.Low, 7);
  EXPECT_EQ(C.High, 7);
}

TEST(Estimate, SumAddsBoundsAndTakesTheWeakerStatus) {
  Estimate A(4, Status::Estimated, 2, 8);
  Estimate B(1, Status::Assumed, 0, 3);
  Estimate S = A + B;
  EXPECT_EQ(S.Value, 5);
  EXPECT_EQ(S.Low, 2);
  EXPECT_EQ(S.High, 11);
  EXPECT_EQ(S.Status, Status::Assumed);
  EXPECT_EQ((B + A).Status, Status::Assumed);
  EXPECT_EQ((A + Estimate::known(1)).Status, Status::Estimated);
  A += Estimate::known(2);
  EXPECT_EQ(A.Value, 6);
  EXPECT_EQ(A.High, 10);
}

TEST(Estimate, ProductMultipliesBounds) {
  Estimate P =
      Estimate(4, Status::Estimated, 2, 8) * Estimate(3, Status::Known, 3, 3);
  EXPECT_EQ(P.Value, 12);
  EXPECT_EQ(P.Low, 6);
  EXPECT_EQ(P.High, 24);
  EXPECT_EQ(P.Status, Status::Estimated);
}

TEST(Estimate, ScalingKeepsTheStatus) {
  Estimate S = Estimate(4, Status::Unknown, 2, 8).scaled(0.5);
  EXPECT_EQ(S.Value, 2);
  EXPECT_EQ(S.Low, 1);
  EXPECT_EQ(S.High, 4);
  EXPECT_EQ(S.Status, Status::Unknown);
}

TEST(Estimate, WeakeningNeverStrengthens) {
  EXPECT_EQ(Estimate::known(1).weakenedTo(Status::Assumed).Status,
            Status::Assumed);
  EXPECT_EQ(Estimate::make(1, Status::Unknown).weakenedTo(Status::Known).Status,
            Status::Unknown);
}

TEST(Estimate, StatusesAreOrderedAndNamed) {
  EXPECT_EQ(weakest(Status::Known, Status::Estimated), Status::Estimated);
  EXPECT_EQ(weakest(Status::Unknown, Status::Assumed), Status::Unknown);
  EXPECT_EQ(toString(Status::Known), "known");
  EXPECT_EQ(toString(Status::Estimated), "estimated");
  EXPECT_EQ(toString(Status::Assumed), "assumed");
  EXPECT_EQ(toString(Status::Unknown), "unknown");
}

} // namespace

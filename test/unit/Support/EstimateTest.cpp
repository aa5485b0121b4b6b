//===- EstimateTest.cpp - Tests of Estimate -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Estimate.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

TEST(Estimate, DefaultIsAKnownZero) {
  Count C;
  EXPECT_TRUE(C.isKnown());
  EXPECT_EQ(C.Value, 0);
  EXPECT_EQ(C.Low, 0);
  EXPECT_EQ(C.High, 0);
}

TEST(Estimate, KnownHasTightBounds) {
  Count C = Count::known(7);
  EXPECT_TRUE(C.isKnown());
  EXPECT_EQ(C.Low, 7);
  EXPECT_EQ(C.High, 7);
}

TEST(Estimate, SumAddsBoundsAndTakesTheWeakerStatus) {
  Count A(4, Status::Estimated, 2, 8);
  Count B(1, Status::Assumed, 0, 3);
  Count S = A + B;
  EXPECT_EQ(S.Value, 5);
  EXPECT_EQ(S.Low, 2);
  EXPECT_EQ(S.High, 11);
  EXPECT_EQ(S.How, Status::Assumed);
  EXPECT_EQ((B + A).How, Status::Assumed);
  EXPECT_EQ((A + Count::known(1)).How, Status::Estimated);
  A += Count::known(2);
  EXPECT_EQ(A.Value, 6);
  EXPECT_EQ(A.High, 10);
}

TEST(Estimate, ProductMultipliesBounds) {
  Count P = Count(4, Status::Estimated, 2, 8) * Count(3, Status::Known, 3, 3);
  EXPECT_EQ(P.Value, 12);
  EXPECT_EQ(P.Low, 6);
  EXPECT_EQ(P.High, 24);
  EXPECT_EQ(P.How, Status::Estimated);
}

TEST(Estimate, ScalingKeepsTheStatus) {
  Count S = Count(4, Status::Unknown, 2, 8).scaled(0.5);
  EXPECT_EQ(S.Value, 2);
  EXPECT_EQ(S.Low, 1);
  EXPECT_EQ(S.High, 4);
  EXPECT_EQ(S.How, Status::Unknown);
}

TEST(Estimate, WeakeningNeverStrengthens) {
  EXPECT_EQ(Count::known(1).weakenedTo(Status::Assumed).How, Status::Assumed);
  EXPECT_EQ(Count::make(1, Status::Unknown).weakenedTo(Status::Known).How,
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

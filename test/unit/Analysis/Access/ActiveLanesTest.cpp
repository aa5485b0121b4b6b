//===- ActiveLanesTest.cpp - Tests of ActiveLanes -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Analysis/Access/ActiveLanes.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using Basis = Condition::BasisTy;

namespace {

ConditionLanes decided(uint32_t Lanes) {
  return {Lanes, Lanes, Lanes, Basis::Decided, true, 0.5, Status::Assumed};
}
ConditionLanes open(Basis Why, uint32_t Must = 0, uint32_t May = ~0u) {
  return {Must, May, May, Why, Why == Basis::Divergent, 0.5, Status::Assumed};
}

TEST(FlowTest, DecidedSidesPartAndMeet) {
  auto [Low, High] = split(ActiveLanes::plain(~0u), decided(0xff));
  EXPECT_TRUE(Low.IsPlain);
  EXPECT_EQ(Low.Likely, 0xffu);
  EXPECT_EQ(High.Likely, ~0xffu);
  Low.merge(High);
  EXPECT_TRUE(Low == ActiveLanes::plain(~0u));
}

TEST(FlowTest, OneSideOfADecidedConditionMayBeEmpty) {
  auto [True, False] = split(ActiveLanes::plain(0xffff), decided(~0u));
  EXPECT_TRUE(True == ActiveLanes::plain(0xffff));
  EXPECT_FALSE(bool(False));
}

TEST(FlowTest, LanesBehindAnOpenBranchAreCertainAgain) {
  for (Basis Why : {Basis::Uniform, Basis::Divergent, Basis::Index}) {
    auto [True, False] = split(ActiveLanes::plain(~0u), open(Why));
    EXPECT_EQ(True.must(), 0u);
    EXPECT_EQ(True.May, ~0u);
    EXPECT_EQ(True.Status, Status::Assumed);
    // A second branch in one of the sides.
    auto [Inner, Rest] = split(False, open(Basis::Divergent));
    Inner.merge(Rest);
    EXPECT_TRUE(Inner.sameLanes(False));
    EXPECT_EQ(Inner.must(), 0u);
    Inner.merge(True);
    EXPECT_TRUE(Inner == ActiveLanes::plain(~0u));
  }
}

TEST(FlowTest, WhatLeftIsMissedWhereTheOthersMeet) {
  // One of four ways ends.
  auto [Left, Right] = split(ActiveLanes::plain(~0u), open(Basis::Divergent));
  auto [Ends, GoesOn] = split(Left, open(Basis::Divergent));
  GoesOn.merge(Right);
  EXPECT_EQ(GoesOn.must(), 0u);
  EXPECT_EQ(GoesOn.share(7), 0.75f);
  EXPECT_EQ(GoesOn.Status, Status::Assumed);
  EXPECT_TRUE(bool(Ends));
}

TEST(FlowTest, BoundsOfAConditionDecideSomeLanes) {
  // It holds in lanes 0 to 3 and perhaps in 4 to 7.
  auto [True, False] =
      split(ActiveLanes::plain(0xffff), open(Basis::Divergent, 0xf, 0xff));
  EXPECT_EQ(True.must(), 0xfu);
  EXPECT_EQ(True.May, 0xffu);
  EXPECT_EQ(False.must(), 0xff00u);
  EXPECT_EQ(False.May, 0xfff0u);
  EXPECT_EQ(True.Weight, 1);
  True.merge(False);
  EXPECT_TRUE(True == ActiveLanes::plain(0xffff));
}

TEST(FlowTest, AUniformConditionKeepsLanesTogether) {
  auto [True, False] = split(ActiveLanes::plain(0xff), open(Basis::Uniform));
  EXPECT_TRUE(True.IsCertain);
  EXPECT_EQ(True.Likely, 0xffu);
  EXPECT_EQ(True.Weight, 0.5);
  EXPECT_EQ(False.Weight, 0.5);
  auto [Some, Others] = split(ActiveLanes::plain(0xff), open(Basis::Divergent));
  EXPECT_FALSE(Some.IsCertain);
  EXPECT_EQ(Some.Weight, 1);
  EXPECT_EQ(Others.Weight, 1);
}

TEST(FlowTest, AnIndexIsWithinItsBound) {
  ConditionLanes C = open(Basis::Index);
  C.Likely = 0;
  auto [Leaves, Stays] = split(ActiveLanes::plain(~0u), C);
  EXPECT_EQ(Leaves.Weight, 0);
  EXPECT_EQ(Leaves.May, ~0u);
  EXPECT_EQ(Stays.Weight, 1);
  EXPECT_EQ(Stays.Likely, ~0u);
  EXPECT_FALSE(Stays.IsPlain);
}

TEST(FlowTest, AGivenProbabilityIsKnown) {
  ConditionLanes C = open(Basis::Uniform);
  C.Probability = 0.25;
  C.Status = Status::Known;
  auto [True, False] = split(ActiveLanes::plain(~0u), C);
  EXPECT_EQ(True.Weight, 0.25);
  EXPECT_EQ(True.Status, Status::Known);
  EXPECT_EQ(False.Weight, 0.75);
  EXPECT_EQ(True.must(), 0u);
}

TEST(FlowTest, SharesOfManyBranchesVanishWithoutBeingEqual) {
  ActiveLanes F = ActiveLanes::plain(1);
  for (int N = 0; N != 400; ++N)
    F = split(F, open(Basis::Divergent)).first;
  EXPECT_FALSE(F.sameLanes(F)); // too small to tell
  EXPECT_EQ(F.must(), 0u);
}

} // namespace

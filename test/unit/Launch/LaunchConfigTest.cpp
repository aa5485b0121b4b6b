//===- LaunchConfigTest.cpp -----------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/LaunchConfig.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

TEST(Dim3, ReadsOneToThreeExtents) {
  EXPECT_EQ(parseDim3("256"), (Dim3{256, 1, 1}));
  EXPECT_EQ(parseDim3("16x8"), (Dim3{16, 8, 1}));
  EXPECT_EQ(parseDim3("1Ki, 2k,3"), (Dim3{1024, 2000, 3}));
  EXPECT_EQ(parseDim3("0x10,2"), (Dim3{16, 2, 1}));
  EXPECT_EQ(parseDim3("4x4x4")->count(), 64u);
}

TEST(Dim3, RefusesOtherText) {
  for (const char *Text : {"", "x", "0", "4,0", "-1", "4,", "1,2,3,4", "1.5",
                           "a", "4x", "2147483647,2147483647,2147483647"})
    EXPECT_FALSE(parseDim3(Text)) << Text;
}

TEST(ArgumentValue, KeepsIntegersExact) {
  auto Big = parseArgumentValue("9007199254740993"); // 2^53 + 1
  ASSERT_TRUE(Big);
  EXPECT_EQ(Big->Kind, ArgumentValue::KindTy::Integer);
  EXPECT_EQ(Big->Integer, 9007199254740993);
  EXPECT_EQ(parseArgumentValue("-0x10")->Integer, -16);
  EXPECT_EQ(parseArgumentValue("1Mi")->Integer, 1 << 20);
  EXPECT_EQ(parseArgumentValue("1Mi")->Float, 1048576.0);
  auto Half = parseArgumentValue("5e-1");
  ASSERT_TRUE(Half);
  EXPECT_EQ(Half->Kind, ArgumentValue::KindTy::Float);
  EXPECT_EQ(Half->Float, 0.5);
  EXPECT_FALSE(parseArgumentValue("n"));
  EXPECT_FALSE(parseArgumentValue(""));
  EXPECT_FALSE(parseArgumentValue("nan"));
}

TEST(LaunchSpec, MergeTakesWhatIsMissing) {
  LaunchSpec Over, Base;
  Over.Grid = Dim3{7, 1, 1};
  Base.Grid = Dim3{8, 1, 1};
  Base.Block = Dim3{32, 1, 1};
  Base.DynamicSharedBytes = 64;
  Over.Args = {{"0", *parseArgumentValue("1"), {}}};
  Base.Args = {{"0", *parseArgumentValue("2"), {}},
               {"n", *parseArgumentValue("3"), {}}};
  Over.TripCounts["L1"] = 10;
  Over.TripCounts["$L2"] = 20;
  Base.TripCounts["$L1"] = 11; // the same label
  Base.TripCounts["L2"] = 21;
  Base.TripCounts["L3"] = 31;
  Base.BranchProbabilities["40"] = 0.5;

  LaunchSpec M = merge(Over, Base);
  EXPECT_EQ(M.Grid, (Dim3{7, 1, 1}));
  EXPECT_EQ(M.Block, (Dim3{32, 1, 1}));
  EXPECT_FALSE(M.Cluster);
  EXPECT_EQ(M.DynamicSharedBytes, 64u);
  ASSERT_EQ(M.Args.size(), 3u); // the later of two holds
  EXPECT_EQ(M.Args[0].Value.Integer, 2);
  EXPECT_EQ(M.Args[1].Value.Integer, 3);
  EXPECT_EQ(M.Args[2].Parameter, "0");
  EXPECT_EQ(M.Args[2].Value.Integer, 1);
  EXPECT_EQ(M.TripCounts,
            (decltype(M.TripCounts){{"L1", 10}, {"$L2", 20}, {"L3", 31}}));
  EXPECT_EQ(M.BranchProbabilities["40"], 0.5);
}

TEST(LaunchConfig, RoundsWarpsUp) {
  LaunchConfig L;
  L.Block = {33, 1, 1};
  L.Grid = {3, 5, 1};
  EXPECT_EQ(L.warpsPerBlock(), 2u);
  EXPECT_EQ(L.threadsPerBlock(), 33u);
  EXPECT_EQ(L.blocks(), 15u);
}

} // namespace

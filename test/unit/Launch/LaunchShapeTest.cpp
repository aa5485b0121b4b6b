//===- LaunchShapeTest.cpp - Limits of grids, blocks and clusters ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/LaunchShape.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

TEST(LaunchShape, TakesWhatSomeDeviceTakes) {
  auto Fits = [](LaunchShape Which, const Dim3 &D) {
    return whyNoShape(Which, D).empty();
  };
  const uint64_t MostX = (uint64_t(1) << 31) - 1;
  EXPECT_TRUE(Fits(LaunchShape::Grid, {MostX, 65535, 65535}));
  EXPECT_FALSE(Fits(LaunchShape::Grid, {MostX + 1, 1, 1}));
  EXPECT_FALSE(Fits(LaunchShape::Grid, {1, 65536, 1}));
  EXPECT_FALSE(Fits(LaunchShape::Grid, {1, 1, 65536}));
  for (const Dim3 &D : {Dim3{1024, 1, 1}, Dim3{1, 1024, 1}, Dim3{16, 1, 64}})
    EXPECT_TRUE(Fits(LaunchShape::Block, D)) << toString(D);
  for (const Dim3 &D : {Dim3{1025, 1, 1}, Dim3{1, 1025, 1}, Dim3{1, 1, 65},
                        Dim3{32, 33, 1}, Dim3{2, 2, 512}})
    EXPECT_FALSE(Fits(LaunchShape::Block, D)) << toString(D);
  EXPECT_TRUE(Fits(LaunchShape::Cluster, {4, 2, 2}));
  EXPECT_FALSE(Fits(LaunchShape::Cluster, {17, 1, 1}));
}

TEST(LaunchShape, SaysByHowMuch) {
  EXPECT_EQ(whyNoShape(LaunchShape::Block, {40, 30, 1}),
            "1200 threads a block are 176 more than the limit of 1024");
  EXPECT_EQ(whyNoShape(LaunchShape::Block, {1, 2, 66}),
            "66 threads of a block in z are 2 more than the limit of 64");
  EXPECT_EQ(whyNoShape(LaunchShape::Grid, {7, 65540, 7}),
            "65540 blocks of a grid in y are 5 more than the limit of 65535");
  EXPECT_EQ(whyNoShape(LaunchShape::Cluster, {4, 4, 4}),
            "64 blocks of a cluster are 48 more than the limit of 16");
  EXPECT_EQ(toString(LaunchShape::Cluster), "cluster");
}

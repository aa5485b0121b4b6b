//===- MaxBIPSTest.cpp ----------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/MaxBIPS.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;

namespace {

TEST(MaxBIPS, Table21) {
  const MaxBIPSMode From{1000, 1.2, 100, 70, 30};
  const MaxBIPSMode To = scaleMaxBIPS(From, 800, 0.9);
  EXPECT_DOUBLE_EQ(To.TimeUs, 125);
  EXPECT_DOUBLE_EQ(To.DynamicW, 70 * 0.75 * 0.75 * 0.8);
  EXPECT_DOUBLE_EQ(To.StaticW, 30 * 0.75 * 0.75 * 0.75);
  // Printed with the square of the clock.
  const MaxBIPSMode Printed = scaleMaxBIPS(From, 800, 0.9, true);
  EXPECT_DOUBLE_EQ(Printed.DynamicW, 70 * 0.75 * 0.75 * 0.8 * 0.8);
  EXPECT_DOUBLE_EQ(Printed.StaticW, To.StaticW);
  EXPECT_DOUBLE_EQ(Printed.TimeUs, To.TimeUs);
}

TEST(MaxBIPS, PairsFollowTheHighestCoreClockOfTheirMemoryClock) {
  std::vector<ClockPair> Pairs = {{500, 700, 1, 1, 1},
                                  {1000, 700, 100, 200, 1},
                                  {1000, 900, 80, NAN, NAN},
                                  {500, 900, 1, NAN, NAN}};
  scalePairs(Pairs, 300, {/*StaticShare=*/0.25, /*AsPrinted=*/false});
  EXPECT_DOUBLE_EQ(Pairs[1].TimeUs, 100);
  EXPECT_DOUBLE_EQ(Pairs[1].PowerW, 200);
  EXPECT_DOUBLE_EQ(Pairs[0].TimeUs, 200);
  EXPECT_DOUBLE_EQ(Pairs[0].PowerW, 200 / 8.);
  EXPECT_DOUBLE_EQ(Pairs[0].EnergyJ, 25 * 200e-6);
  EXPECT_DOUBLE_EQ(Pairs[2].PowerW, 300);
  EXPECT_DOUBLE_EQ(Pairs[3].TimeUs, 160);
  EXPECT_DOUBLE_EQ(Pairs[3].PowerW, 300 / 8.);
}

} // namespace

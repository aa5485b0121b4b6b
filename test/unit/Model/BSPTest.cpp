//===- BSPTest.cpp - Tests of Amaris' model -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/BSP.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// One thread for each of a million results, on 1000 cores at 1 GHz.
BSPInputs example() {
  BSPInputs In;
  In.Threads = 1e6;
  In.Computation = 150;
  In.GlobalAccesses = 2;
  In.L1Accesses = 3;
  In.L2Accesses = 4;
  In.SharedAccesses = 10;
  In.GlobalLatency = 500;
  In.L1Latency = 30;
  In.L2Latency = 200;
  In.SharedLatency = 25;
  In.ClockMHz = 1000;
  In.Cores = 1000;
  In.Lambda = 2;
  return In;
}

TEST(BSP, AddsUpAllThatAThreadWaitsFor) {
  const BSPResult R = evaluateBSP(example());
  EXPECT_DOUBLE_EQ(R.GlobalCycles, 1890);
  EXPECT_DOUBLE_EQ(R.SharedCycles, 250);
  EXPECT_DOUBLE_EQ(R.TimeUs, 1145);
}

TEST(BSP, IsLimitedByTheLargestTerm) {
  BSPInputs In = example();
  EXPECT_EQ(evaluateBSP(In).Limiter, TimeLimiter::MemoryLatency);
  In.SharedAccesses = 100;
  EXPECT_EQ(evaluateBSP(In).Limiter, TimeLimiter::SharedMemory);
  In.Computation = 2501;
  EXPECT_EQ(evaluateBSP(In).Limiter, TimeLimiter::Compute);
}

TEST(BSP, FollowsThreadsCoresClockAndLambda) {
  const double Us = evaluateBSP(example()).TimeUs;
  for (auto [Member, Factor] :
       {std::pair(&BSPInputs::Threads, 2.0), std::pair(&BSPInputs::Cores, 0.5),
        std::pair(&BSPInputs::ClockMHz, 0.5),
        std::pair(&BSPInputs::Lambda, 0.5)}) {
    BSPInputs In = example();
    In.*Member *= 2;
    EXPECT_DOUBLE_EQ(evaluateBSP(In).TimeUs, Us * Factor);
  }
}

} // namespace

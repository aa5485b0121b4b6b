//===- ClusterEnergyTest.cpp - Energy of nodes with GPUs ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// test/unit/Scenario/Scaling compares with runs of scenarios.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/ClusterEnergy.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// 200 W of host, so many GPUs of 150 W, 500 J of overhead.
ClusterNode node(unsigned GPUs) {
  ClusterNode N;
  N.GPUWatts.assign(GPUs, 150);
  N.HostIdleW = 200;
  N.OverheadJ = 500;
  return N;
}

// The golden evaluation d21 of (5.15) and (5.16): 20 nodes of 3 GPUs, 2 s of
// copies and 8 s of kernels.
TEST(ClusterEnergy, OfEqualNodes) {
  const double Seconds = gpuSeconds(2, 8);
  EXPECT_EQ(Seconds, 10);
  EXPECT_EQ(clusterEnergy(20, node(3), Seconds), 140000);
}

TEST(ClusterEnergy, OfDifferentNodesIsTheirSum) {
  ClusterNode Large = node(3), Small = node(1);
  Small.GPUWatts[0] = 90;
  Large.NetworkW = 30;
  Large.NetworkSeconds = 2;
  EXPECT_EQ(clusterEnergy({Large, Small}, 10),
            (450 + 200) * 10 + 500 + 60 + (90 + 200) * 10 + 500);
  // (5.14): the same as mean powers over the time.
  EXPECT_EQ(delayEnergy({650 + 56, 290 + 50}, 10),
            clusterEnergy({Large, Small}, 10));
}

// (2.12) would charge the host once a GPU.
TEST(ClusterEnergy, CountsTheHostOnceANode) {
  for (unsigned GPUs : {0u, 1u, 3u, 8u}) {
    ClusterNode With = node(GPUs), Without = node(GPUs);
    Without.HostIdleW = 0;
    EXPECT_EQ(clusterEnergy(5, With, 10) - clusterEnergy(5, Without, 10),
              5 * 200 * 10);
  }
}

TEST(ClusterEnergy, OfAGPUsMeanPower) {
  EXPECT_EQ(meanGPUWatts(50, 150, 2, 8), 130);
  EXPECT_EQ(meanGPUWatts(50, 150, 0, 0), 0);
}

TEST(ClusterEnergy, WeighsEnergyAndDelay) {
  EXPECT_EQ(energyDelay(3, 5, 1, 1), 15);
  EXPECT_EQ(energyDelay(3, 5, 2, 1), 45);
  EXPECT_EQ(energyDelay(3, 5, 1, 2), 75);
}

} // namespace

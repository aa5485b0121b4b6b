//===- CollectivesTest.cpp - Tests of collective operations --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Plan/Collectives.h"
#include "ScenarioSystems.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using Kind = OperationKind;

namespace {

CollectiveCost ring(Kind K, uint64_t Size, double Bytes) {
  return collectiveCost(K, CollectiveAlgorithm::Ring, Size, Bytes);
}
CollectiveCost tree(Kind K, uint64_t Size, double Bytes) {
  return collectiveCost(K, CollectiveAlgorithm::Tree, Size, Bytes);
}

TEST(Collectives, TakeStepsAndBytesAsTheirFormulasSay) {
  EXPECT_EQ(ring(Kind::AllReduce, 8, 800).Startups, 14);
  EXPECT_EQ(ring(Kind::AllReduce, 8, 800).Bytes, 1400);
  EXPECT_EQ(tree(Kind::AllReduce, 8, 800).Startups, 6);
  EXPECT_EQ(tree(Kind::AllReduce, 8, 800).Bytes, 1600);
  EXPECT_EQ(ring(Kind::AllGather, 5, 1000).Startups, 4);
  EXPECT_EQ(ring(Kind::AllGather, 5, 1000).Bytes, 800);
  EXPECT_EQ(tree(Kind::ReduceScatter, 5, 1000).Startups, 3);
  EXPECT_EQ(tree(Kind::ReduceScatter, 5, 1000).Bytes, 800);
  EXPECT_EQ(ring(Kind::Broadcast, 4, 64).Startups, 3);
  EXPECT_EQ(ring(Kind::Broadcast, 4, 64).Bytes, 64);
  EXPECT_EQ(tree(Kind::Broadcast, 9, 64).Startups, 4);
  EXPECT_EQ(ring(Kind::AllToAll, 4, 64).Bytes, 48);
  EXPECT_EQ(ring(Kind::Barrier, 1000, 0).Startups, 10);
  EXPECT_EQ(ring(Kind::Barrier, 1000, 0).Bytes, 0);
}

TEST(Collectives, OfOneProcessTakeNothing) {
  for (Kind K : {Kind::AllReduce, Kind::AllGather, Kind::Broadcast,
                 Kind::AllToAll, Kind::Barrier}) {
    EXPECT_EQ(ring(K, 1, 100).Startups, 0);
    EXPECT_EQ(ring(K, 1, 100).Bytes, 0);
  }
}

/// What goes over each link of a kind, by its name.
std::map<std::string, std::vector<double>> weightsOf(const CollectiveRoute &R) {
  std::map<std::string, std::vector<double>> All;
  for (const CollectiveRoute::Use &U : R.Uses)
    All[U.By.By->Of->Name].push_back(U.Weight);
  return All;
}

std::vector<ComponentPlace> gpus(const SystemLayout &L, unsigned EachNode) {
  std::vector<ComponentPlace> All;
  for (uint32_t Node = 0; Node != L.numNodes(); ++Node)
    for (unsigned N = 0; N != EachNode; ++N)
      All.push_back(*L.gpu(Node, N));
  return All;
}

TEST(Collectives, ARingGoesOverEveryLinkOnce) {
  const ReadySystem S = readSystem(TwoRailNodes);
  ASSERT_TRUE(S.Of);
  SystemLayout One(*S.Of, 1);
  const CollectiveRoute Within = ringRoute(One, gpus(One, 4));
  ASSERT_FALSE(Within.NoWay);
  // Both ways of four links; nothing leaves the node.
  EXPECT_EQ(weightsOf(Within),
            (std::map<std::string, std::vector<double>>{
                {"nvlink4-x18", std::vector<double>(8, 1)}}));

  SystemLayout Three(*S.Of, 3);
  const CollectiveRoute R = ringRoute(Three, gpus(Three, 4));
  ASSERT_FALSE(R.NoWay);
  const auto Weights = weightsOf(R);
  // Between nodes two NICs share the bytes, in each direction of each node.
  EXPECT_EQ(Weights.at("infiniband-ndr-4x"), std::vector<double>(12, 0.5));
  double Within4 = 0;
  for (double W : Weights.at("nvlink4-x18"))
    Within4 += W;
  EXPECT_EQ(Within4, 3 * 3 * 2); // three of four hops, up and down
}

TEST(Collectives, AllToAllLoadsTheNetworkWithWhatLeavesTheNode) {
  const ReadySystem S = readSystem(TwoRailNodes);
  ASSERT_TRUE(S.Of);
  SystemLayout Two(*S.Of, 2);
  const CollectiveRoute R = allToAllRoute(Two, gpus(Two, 4));
  ASSERT_FALSE(R.NoWay);
  // Each of 4 processes sends 4/7 of its bytes to the other node, by 2 NICs.
  // In each node every NIC has two ways.
  const auto Weights = weightsOf(R);
  ASSERT_EQ(Weights.at("infiniband-ndr-4x").size(), 8u);
  for (double W : Weights.at("infiniband-ndr-4x"))
    EXPECT_NEAR(W, 4 * (4.0 / 7) / 2, 1e-12);
}

/// Two GPUs and a NIC around a switch, and nothing beside it.
constexpr StringRef OneSwitchNodes = R"(
schema: ptx-predict/system
version: 1
name: one-switch
description: for tests
source: made up
nodes:
- name: node
  cpus: [{name: cpu}]
  gpus: [{name: gpu, device: h100-sxm, count: 2, labels: {worker: 1}}]
  switches: [{name: plx}]
  nics: [{name: nic}]
  links:
  - {between: [cpu, plx], link: pcie5-x16}
  - {between: [plx, gpu], link: pcie4-x16}
  - {between: [plx, nic], link: pcie5-x8}
network: {link: infiniband-ndr-4x}
)";

TEST(Collectives, ARingLeavesANodeFromItsLastProcess) {
  const ReadySystem S = readSystem(OneSwitchNodes);
  ASSERT_TRUE(S.Of);
  SystemLayout Two(*S.Of, 2);
  const CollectiveRoute R = ringRoute(Two, gpus(Two, 2));
  ASSERT_FALSE(R.NoWay);
  // Every GPU gets from one and gives to one.
  EXPECT_EQ(weightsOf(R),
            (std::map<std::string, std::vector<double>>{
                {"pcie4-x16", std::vector<double>(8, 1)},
                {"pcie5-x8", std::vector<double>(4, 1)},
                {"infiniband-ndr-4x", std::vector<double>(4, 1)}}));
}

TEST(Collectives, InAllToAllEveryProcessSendsItsOwn) {
  const ReadySystem S = readSystem(OneSwitchNodes);
  ASSERT_TRUE(S.Of);
  SystemLayout Two(*S.Of, 2);
  const auto Weights = weightsOf(allToAllRoute(Two, gpus(Two, 2)));
  // A third to the other one in its node, two to those of the other node.
  for (double W : Weights.at("pcie4-x16"))
    EXPECT_NEAR(W, 1, 1e-12);
  for (double W : Weights.at("infiniband-ndr-4x"))
    EXPECT_NEAR(W, 4.0 / 3, 1e-12);
}

TEST(Collectives, SayBetweenWhomThereIsNoWay) {
  const ReadySystem S = readSystem(NodesApart);
  ASSERT_TRUE(S.Of);
  SystemLayout Two(*S.Of, 2);
  const CollectiveRoute R = ringRoute(Two, gpus(Two, 1));
  ASSERT_TRUE(R.NoWay);
  EXPECT_EQ(*R.NoWay, std::pair(size_t(0), size_t(1)));
}

} // namespace

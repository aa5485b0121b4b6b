//===- SystemLayoutTest.cpp - Tests of SystemLayout ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Plan/SystemLayout.h"
#include "ScenarioSystems.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <set>

using namespace ptxpredict;

namespace {

std::string namesOf(const std::optional<SystemRoute> &R) {
  if (!R)
    return "no way";
  std::vector<std::string> Names;
  for (const RouteHop &H : *R)
    Names.push_back(H.By->Of->Name);
  return llvm::join(Names, " ");
}

TEST(SystemLayout, TakesTheFewestLinksAndOfTheseTheFastest) {
  const ReadySystem S = readSystem(TwoRailNodes);
  ASSERT_TRUE(S.Of);
  SystemLayout L(*S.Of, 2);
  const ComponentPlace A = *L.gpu(0, 0), B = *L.gpu(0, 1), C = *L.gpu(0, 3),
                       Far = *L.gpu(1, 2);
  EXPECT_EQ(namesOf(L.route(A, A)), "");
  // 0 and 1 have one PCIe switch, but NVLink is faster.
  EXPECT_EQ(namesOf(L.route(A, B)), "nvlink4-x18 nvlink4-x18");
  EXPECT_EQ(namesOf(L.route(A, C)), "nvlink4-x18 nvlink4-x18");
  const std::optional<ComponentPlace> CPU = L.cpuOf(A);
  ASSERT_TRUE(CPU);
  EXPECT_EQ(namesOf(L.route(*CPU, A)), "pcie5-x16 pcie4-x16");
  EXPECT_EQ(namesOf(L.route(A, Far)),
            "pcie4-x16 pcie5-x8 infiniband-ndr-4x infiniband-ndr-4x pcie5-x8 "
            "pcie4-x16");
  EXPECT_EQ(L.nicOf(A)->Index, 0u);
  EXPECT_EQ(L.nicOf(C)->Index, 1u);
}

TEST(SystemLayout, LeadsThroughCPUsAndSwitchesAlone) {
  // From one processor to the other one's GPU there are as few links by the
  // slow bus as by a GPU and the switch.
  const ReadySystem S = readSystem(R"(
schema: ptx-predict/system
version: 1
name: two-processors
description: for tests
source: made up
nodes:
- name: node
  cpus: [{name: cpu, count: 2}]
  gpus: [{name: gpu, device: v100, count: 2}]
  switches: [{name: bus}, {name: nvswitch}]
  nics: [{name: nic}]
  links:
  - {between: [cpu, bus], link: pcie1-x4}
  - {between: [cpu, gpu], link: pcie3-x16}
  - {between: [gpu, nvswitch], link: nvlink2-x6}
  - {between: [nic, gpu], link: pcie3-x16}
)");
  ASSERT_TRUE(S.Of);
  SystemLayout L(*S.Of);
  const ComponentPlace A = *L.gpu(0, 0), B = *L.gpu(0, 1);
  EXPECT_EQ(namesOf(L.route(A, *L.cpuOf(B))), "pcie3-x16 pcie1-x4 pcie1-x4");
  EXPECT_EQ(namesOf(L.route(A, B)), "nvlink2-x6 nvlink2-x6");
  EXPECT_EQ(namesOf(L.route(*L.nic(0, 0), *L.cpuOf(B))), "no way");
}

TEST(SystemLayout, GivesBothDirectionsOfALinkNumbersOfTheirOwn) {
  const ReadySystem S = readSystem(NodesApart);
  ASSERT_TRUE(S.Of);
  SystemLayout L(*S.Of);
  const ComponentPlace GPU = *L.gpu(1, 0);
  const ComponentPlace CPU = *L.cpuOf(GPU);
  const std::optional<SystemRoute> In = L.route(CPU, GPU),
                                   Out = L.route(GPU, CPU);
  ASSERT_TRUE(In && Out);
  ASSERT_EQ(In->size(), 1u);
  EXPECT_NE(In->front().Server, Out->front().Server);
  EXPECT_FALSE(In->front().Link) << "links that are all FIFO are no flows";
  EXPECT_EQ(namesOf(L.route(*L.gpu(0, 0), GPU)), "no way");
}

TEST(SystemLayout, NamesEveryServerAndLinkOnce) {
  const ReadySystem S = readSystem(TwoRailNodes);
  ASSERT_TRUE(S.Of);
  SystemLayout L(*S.Of, 3);
  TaskGraph G;
  L.addResources(G);
  EXPECT_EQ(G.numServers(), L.numServers());
  EXPECT_EQ(G.numLinks(), L.numLinks());
  // A CPU, and of each of four GPUs its kernels and two copy engines.
  EXPECT_EQ(G.numServers(), 3 * (1 + 4 * 3));
  // Two of cpu-plx, four of plx-gpu, two of plx-nic, four of NVLink, two of
  // the network, each both ways.
  EXPECT_EQ(G.numLinks(), 3 * 2 * (2 + 4 + 2 + 4 + 2));
  std::set<std::string> Names;
  auto Add = [&](const ResourceName &N) {
    Names.insert(
        std::to_string(N.Of.Node) + "/" + std::to_string(N.Of.Component) + "/" +
        std::to_string(N.Of.Index) + "/" + std::to_string(int(N.Part)) +
        (N.By ? N.By->Name : N.Component->Name));
  };
  for (ServerNumber N = 0; N != G.numServers(); ++N)
    Add(L.nameOfServer(N));
  for (LinkNumber N = 0; N != G.numLinks(); ++N)
    Add(L.nameOfLink(N));
  EXPECT_EQ(Names.size(), G.numServers() + G.numLinks());
  EXPECT_EQ(G.places(L.coresOf(*L.cpuOf(*L.gpu(2, 0)))), 4u);
  EXPECT_EQ(L.nameOfServer(L.kernelsOf(*L.gpu(2, 3))).Of.Index, 3u);
}

} // namespace

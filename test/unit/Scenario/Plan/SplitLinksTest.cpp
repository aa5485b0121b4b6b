//===- SplitLinksTest.cpp - The links of devices that share work ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Plan/SplitLinks.h"
#include "gmock/gmock.h"

using namespace ptxpredict;
using testing::ElementsAre;

namespace {

Link linkOf(StringRef Name, double GBs, std::optional<double> InUs,
            std::optional<double> Efficiency) {
  Link L;
  L.Name = Name.str();
  L.BandwidthGBs.Value = GBs;
  for (TransferWay Way :
       {TransferWay::HostToDevice, TransferWay::DeviceToHost}) {
    TransferNumbers &T =
        L.Transfers[unsigned(Way)][unsigned(HostMemory::Pinned)];
    const bool IsIn = Way == TransferWay::HostToDevice;
    if (InUs)
      T.StartupUs.Value = IsIn ? *InUs : 2 * *InUs;
    T.Efficiency.Value = Efficiency;
  }
  return L;
}

TEST(SplitLinks, AddStartupsAndKeepTheSlowest) {
  const Link A = linkOf("a", 8, 5, 0.5), B = linkOf("b", 6, 7, 1);
  std::vector<std::string> Assumed;
  const SplitLink L = splitLinkOver({&A, &B}, HostMemory::Pinned, Assumed);
  EXPECT_EQ(L.Name, "a + b");
  EXPECT_NEAR(L.In.StartupSeconds, 12e-6, 1e-15);
  EXPECT_NEAR(L.Out.StartupSeconds, 24e-6, 1e-15);
  EXPECT_NEAR(L.In.SecondsPerByte, 1 / 4e9, 1e-20);
  EXPECT_THAT(Assumed, testing::IsEmpty());
  EXPECT_EQ(L.In.seconds(0), 0);
  EXPECT_NEAR(L.In.seconds(4e9), 1 + 12e-6, 1e-12);
}

TEST(SplitLinks, SayWhatNoFileSays) {
  const Link A = linkOf("a", 8, {}, {});
  std::vector<std::string> Assumed;
  const SplitLink L = splitLinkOver({&A, &A}, HostMemory::Pageable, Assumed);
  EXPECT_EQ(L.In.StartupSeconds, 0);
  EXPECT_NEAR(L.In.SecondsPerByte, 1 / 8e9, 1e-20);
  EXPECT_THAT(Assumed,
              ElementsAre("a: startup of h2d from pageable memory 0 us",
                          "a: efficiency of h2d from pageable memory 1",
                          "a: startup of d2h from pageable memory 0 us",
                          "a: efficiency of d2h from pageable memory 1"));
}

TEST(SplitLinks, SidesOfASystem) {
  DeviceRegistry Devices;
  LinkRegistry Links;
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(R"(
schema: ptx-predict/system
version: 1
name: two
source: made up
nodes:
- name: node
  gpus:
  - {name: gpu, device: v100, count: 2, idle_w: 44, active_w: 210}
  cpus:
  - {name: host}
  - {name: other, device: xeon-e5645}
  links: [{between: [host, gpu], link: pcie3-x16}, {between: [host, other], link: pcie3-x8}]
)",
                                                              "s.yaml"));
  const std::unique_ptr<System> S = parseSystem(Diags, {Devices, Links});
  ASSERT_TRUE(S);
  std::vector<std::string> Assumed;
  Expected<std::vector<SplitSide>> Sides =
      splitSidesOf(*S, HostMemory::Pageable, Assumed);
  ASSERT_TRUE(bool(Sides));
  ASSERT_EQ(Sides->size(), 3u); // a CPU without a device runs no kernel
  EXPECT_EQ((*Sides)[0].Name, "xeon-e5645");
  EXPECT_EQ((*Sides)[0].Link.Name, "");
  EXPECT_EQ((*Sides)[0].ActiveW, *(*Sides)[0].On->ActiveWatts);
  for (size_t I : {1, 2}) {
    EXPECT_EQ((*Sides)[I].Name, "v100");
    EXPECT_EQ((*Sides)[I].Link.Name, "pcie3-x16");
    EXPECT_EQ((*Sides)[I].IdleW, 44);
    EXPECT_EQ((*Sides)[I].ActiveW, 210);
  }
}

} // namespace

//===- PlanTest.cpp - Tests of plans, by hand -----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Plan/Plan.h"
#include "PlannedScenario.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// 1 MB takes a second over it, in either direction.
const std::string Wire = R"(
schema: ptx-predict/link
version: 1
name: wire
description: for tests
source: made up
bandwidth: 0.001
idle_w: 1
active_w: 11
)";

/// Two GPUs at one processor.
std::string twoGPUs(const std::string &Links, const std::string &More = "") {
  return R"(
schema: ptx-predict/system
version: 1
name: two-gpus
description: for tests
source: made up
nodes:
- name: node
  cpus: [{name: cpu, cores: 4, labels: {host: 1}, idle_w: 0, active_w: 40}]
  gpus:
  - {name: gpu, device: v100, count: 2, labels: {worker: 1}, idle_w: 0}
  links: [{between: [cpu, gpu], link: wire, )" +
         Links + "}]\n" + More;
}

PlannedScenario plan(const std::string &Process, const std::string &System) {
  return PlannedScenario("schema: ptx-predict/scenario\nversion: 1\n"
                         "launch_us: 0\nconcurrent_kernels: 2\n"
                         "kernels: {ten: {time_us: 10M, power_w: 100}}\n"
                         "processes:\n" +
                             Process,
                         System, {Wire});
}

double total(const std::string &Process, const std::string &System) {
  const PlannedScenario P = plan(Process, System);
  EXPECT_EQ(P.Errors, "");
  EXPECT_TRUE(P.When.Stuck.empty());
  return P.When.total();
}

TEST(Plan, ALinkOfHalfDuplexCarriesBytesThatComeAndGoTwice) {
  const std::string Peer = R"(
- label: worker
  count: 1
  operations: [{p2p: {bytes: 1M, to: 1}}]
)";
  for (const char *Sharing : {"sharing: fifo", "sharing: fair"}) {
    const std::string Shared = std::string("count: 1, ") + Sharing;
    EXPECT_DOUBLE_EQ(total(Peer, twoGPUs(Shared + ", duplex: half")), 2);
    EXPECT_DOUBLE_EQ(total(Peer, twoGPUs(Shared + ", duplex: full")), 1);
    EXPECT_DOUBLE_EQ(
        total(Peer, twoGPUs(std::string(Sharing) + ", duplex: half")), 1);
  }
}

TEST(Plan, ACollectiveOperationWithoutAStreamWaitsForWhatWasIssued) {
  EXPECT_DOUBLE_EQ(total(R"(
- label: worker
  operations:
  - launch: {kernel: ten, stream: a}
  - all_reduce: {bytes: 1M}
  - host: 3
)",
                         twoGPUs("sharing: fair")),
                   10 + 1 + 3);
}

TEST(Plan, AStreamIsOneOnWhicheverGPUs) {
  EXPECT_DOUBLE_EQ(total(R"(
- label: host
  operations:
  - launch: {kernel: ten, gpu: 0, stream: a}
  - event: {name: done, stream: a}
  - wait: {event: done, stream: b}
  - launch: {kernel: ten, gpu: 1, stream: b}
)",
                         twoGPUs("sharing: fair")),
                   20);
  EXPECT_DOUBLE_EQ(total(R"(
- label: host
  operations:
  - launch: {kernel: ten, gpu: 0, stream: a}
  - launch: {kernel: ten, gpu: 1, stream: a}
)",
                         twoGPUs("sharing: fair")),
                   20);
  // The default stream is one of each.
  EXPECT_DOUBLE_EQ(total(R"(
- label: host
  operations:
  - launch: {kernel: ten, gpu: 0}
  - launch: {kernel: ten, gpu: 1}
)",
                         twoGPUs("sharing: fair")),
                   10);
}

TEST(Plan, AnEventWithoutAStreamIsInTheDefaultOne) {
  const std::string Between = R"(
- label: worker
  count: 1
  operations:
  - launch: {kernel: ten, stream: a}
  - event: EVENT
  - launch: {kernel: ten, stream: b}
)";
  auto With = [&](const std::string &Event) {
    std::string Text = Between;
    return total(Text.replace(Text.find("EVENT"), 5, Event),
                 twoGPUs("sharing: fair"));
  };
  EXPECT_DOUBLE_EQ(With("here"), 20);
  EXPECT_DOUBLE_EQ(With("{name: here, stream: a}"), 10);
}

TEST(Plan, ALinkIsActiveOnceWhateverItCarries) {
  // Both copies take 2 s at half of the bandwidth; then one goes the other way
  // while a third one comes.
  const PlannedScenario P = plan(R"(
- label: worker
  operations:
  - h2d: {bytes: 1M, stream: a}
  - sync
  - h2d: {bytes: 1M, stream: a}
  - d2h: {bytes: 1M, stream: b}
  - sync
)",
                                 twoGPUs("count: 1, sharing: fair"));
  ASSERT_EQ(P.Errors, "");
  EXPECT_DOUBLE_EQ(P.When.total(), 4);
  EXPECT_DOUBLE_EQ(P.totals().Energy.LinkJ, 10 * 4);
  EXPECT_DOUBLE_EQ(P.totals().Energy.IdleJ, 1 * 4);
}

TEST(Plan, PhasesPayForWhatPowerSuppliesLose) {
  const PlannedScenario P =
      plan(R"(
- label: worker
  count: 1
  operations:
  - phase: one
  - host: 2
  - launch: ten
)",
           twoGPUs("sharing: fair", "  psu_efficiency: 0.5\n"));
  ASSERT_EQ(P.Errors, "");
  const std::vector<PhaseTotals> Phases =
      phaseTotals(P.Of, *P.Layout, P.Tasks, P.When);
  ASSERT_EQ(Phases.size(), 1u);
  // A core for 2 s, a GPU for 10 s, two links that idle; all of it twice.
  EXPECT_DOUBLE_EQ(Phases[0].EnergyJ, 2 * (10 * 2 + 100 * 10 + 2 * 12));
  EXPECT_DOUBLE_EQ(P.totals().Energy.totalJ(), Phases[0].EnergyJ);
}

} // namespace

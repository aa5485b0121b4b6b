//===- ClusterRunsTest.cpp - (5.15) against runs of scenarios -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/BottleneckModel.h"
#include "ptxpredict/Model/ClusterEnergy.h"
#include "ptxpredict/Scenario/Plan/ScenarioResult.h"
#include "ptxpredict/Support/Text.h"
#include "gtest/gtest.h"
#include <random>

using namespace ptxpredict;

namespace {

/// Nodes of equal GPUs that copy, compute and copy back.
struct Cluster {
  unsigned Nodes = 1, GPUs = 1;
  double BaseW = 0, CPUIdleW = 0, GPUIdleW = 0;
  double KernelW = 0, KernelUs = 0;
  unsigned Bytes = 0; ///< of each copy

  std::string system() const {
    return "schema: ptx-predict/system\nversion: 1\nname: made\n"
           "description: for tests\nsource: made up\nnodes:\n- name: node\n"
           "  count: " +
           std::to_string(Nodes) +
           "\n  cpus: [{name: cpu, idle_w: " + shortestDecimal(CPUIdleW) +
           "}]\n"
           "  gpus: [{name: gpu, device: v100, labels: {worker: 1}, count: " +
           std::to_string(GPUs) + ", idle_w: " + shortestDecimal(GPUIdleW) +
           "}]\n  links: [{between: [cpu, gpu], link: pcie3-x16}]\n"
           "  base_w: " +
           shortestDecimal(BaseW) + "\n";
  }
  std::string scenario() const {
    const std::string B = std::to_string(Bytes);
    return "schema: ptx-predict/scenario\nversion: 1\nlaunch_us: 0\n"
           "kernels: {k: {time_us: " +
           shortestDecimal(KernelUs) +
           ", power_w: " + shortestDecimal(KernelW) +
           "}}\nprocesses:\n- label: worker\n  operations: [{h2d: " + B +
           "}, {launch: k}, sync, {d2h: " + B + "}]\n";
  }
  /// The same by (5.15) and (5.16); \p L is the link.
  double energy(const Link &L, double &Seconds) const {
    double Copies = 0;
    for (TransferWay Way :
         {TransferWay::HostToDevice, TransferWay::DeviceToHost})
      Copies += transferSeconds(L.timing(Way, HostMemory::Pageable), Bytes);
    const double Kernel = KernelUs * 1e-6;
    Seconds = gpuSeconds(Copies, Kernel);
    ClusterNode N;
    N.GPUWatts.assign(GPUs, meanGPUWatts(GPUIdleW, KernelW, Copies, Kernel));
    N.HostIdleW = BaseW + CPUIdleW;
    return clusterEnergy(Nodes, N, Seconds);
  }
};

ScenarioTotals run(const Cluster &C) {
  DeviceRegistry Registry;
  LinkRegistry Links;
  DiagnosticEngine SystemDiags(
      llvm::MemoryBuffer::getMemBufferCopy(C.system(), "system.yaml"));
  const std::unique_ptr<System> On =
      parseSystem(SystemDiags, {Registry, Links});
  DiagnosticEngine Diags(
      llvm::MemoryBuffer::getMemBufferCopy(C.scenario(), "scenario.yaml"));
  Scenario S;
  const bool Failed = parseScenario(Diags, S);
  EXPECT_TRUE(On && !Failed);
  if (!On || Failed)
    return {};
  SharedDevices Devices(Registry);
  KernelTimes Kernels(S, {&bottleneckModel(), {}, "", ""}, Devices);
  SystemLayout Layout(*On);
  const Plan P = makePlan(S, Layout, Kernels, {});
  EXPECT_TRUE(P.Errors.empty());
  return totalsOf(S, Layout, P, simulate(P.Graph));
}

TEST(ClusterRuns, HaveTheEnergyOfTheEquation) {
  LinkRegistry Links;
  Expected<const Link *> L = Links.find("pcie3-x16");
  ASSERT_TRUE(bool(L));
  std::mt19937 Random(35);
  auto Any = [&](double From, double To) {
    return std::uniform_real_distribution<double>(From, To)(Random);
  };
  for (unsigned Case = 0; Case != 200; ++Case) {
    Cluster C;
    C.Nodes = unsigned(Any(1, 21));
    C.GPUs = unsigned(Any(1, 9));
    C.BaseW = Any(0, 500);
    C.CPUIdleW = Any(0, 100);
    C.GPUIdleW = Any(0, 60);
    C.KernelW = Any(60, 700);
    C.KernelUs = Any(1, 1e6);
    C.Bytes = unsigned(Any(0, 4e9));
    const ScenarioTotals T = run(C);
    double Seconds = 0;
    const double Want = C.energy(**L, Seconds);
    EXPECT_NEAR(T.Seconds, Seconds, 1e-9 * Seconds);
    EXPECT_NEAR(T.Energy.totalJ(), Want, 1e-9 * Want);
  }
}

// The host's idle energy is that of the nodes, however many GPUs they have.
TEST(ClusterRuns, CountTheHostOnceANode) {
  Cluster C;
  C.Nodes = 5;
  C.BaseW = 180;
  C.CPUIdleW = 20;
  C.KernelW = 150;
  C.KernelUs = 1e6;
  for (unsigned GPUs : {1u, 3u, 8u}) {
    C.GPUs = GPUs;
    const ScenarioEnergy E = run(C).Energy;
    EXPECT_DOUBLE_EQ(E.BaseJ + E.IdleJ, 5 * 200);
    EXPECT_DOUBLE_EQ(E.totalJ(), 5 * (200 + GPUs * 150));
  }
}

} // namespace

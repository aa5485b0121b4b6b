//===- ScenarioBenchmarks.cpp - The speed of simulated applications -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Simulate/KIND/N: N processes, each with a GPU; items are tasks.
//===----------------------------------------------------------------------===//
#include "Inputs.h"
#include "ptxpredict/Model/BottleneckModel.h"
#include "ptxpredict/Scenario/Plan/ScenarioResult.h"
#include <benchmark/benchmark.h>
#include <random>

using namespace ptxpredict;
using namespace ptxpredict::bench;
using benchmark::State;

static constexpr unsigned NumOperations = 12;

/// From 1 to 10 ms.
static double anySeconds(std::mt19937 &Random) {
  return 1e-3 + 9e-3 * double(Random()) / 4294967296.0;
}

/// \p Add adds operation number \p K of process \p P.
static TaskGraph inTurn(
    unsigned NumProcesses, TaskGraph G,
    llvm::function_ref<TaskNumber(TaskGraph &G, unsigned P, unsigned K)> Add) {
  for (unsigned P = 0; P != NumProcesses; ++P) {
    TaskNumber Before = Add(G, P, 0);
    for (unsigned K = 1; K != NumOperations; ++K) {
      const TaskNumber T = Add(G, P, K);
      G.addDependence(Before, T);
      Before = T;
    }
  }
  return G;
}

/// Copies in and out over a link that four GPUs have in turn, and kernels.
static TaskGraph fifo(unsigned NumProcesses) {
  std::mt19937 Random(1);
  TaskGraph Servers;
  for (unsigned P = 0; P != 3 * NumProcesses; ++P)
    Servers.addServer();
  return inTurn(NumProcesses, std::move(Servers),
                [&](TaskGraph &G, unsigned P, unsigned K) {
                  if (K % 3 == 1)
                    return G.addTask(anySeconds(Random), {3 * P});
                  return G.addTask(anySeconds(Random),
                                   {3 * P + 1, 3 * (P - P % 4) + 2});
                });
}

/// As fifo(), but 16 GPUs have the link at once. \p CommonRate: of another link
/// that all copies go over as well, if it is not 0.
static TaskGraph fair(unsigned NumProcesses, double CommonRate) {
  constexpr double Rate = 16e9;
  std::mt19937 Random(1);
  TaskGraph Parts;
  for (unsigned P = 0; P != NumProcesses; ++P) {
    Parts.addServer();
    Parts.addServer();
    Parts.addLink(Rate);
  }
  if (CommonRate > 0)
    Parts.addLink(CommonRate);
  return inTurn(NumProcesses, std::move(Parts),
                [&](TaskGraph &G, unsigned P, unsigned K) {
                  if (K % 3 == 1)
                    return G.addTask(anySeconds(Random), {2 * P});
                  const LinkUse Uses[] = {{P - P % 16, 1}, {NumProcesses, 1}};
                  return G.addTask(
                      1e-5, {2 * P + 1}, anySeconds(Random) * Rate,
                      ArrayRef(Uses).take_front(CommonRate > 0 ? 2 : 1));
                });
}

static void simulateAll(State &S, const TaskGraph &G) {
  require(simulate(G).Stuck.empty(), "some tasks do not run");
  for (auto _ : S)
    benchmark::DoNotOptimize(simulate(G).total());
  S.SetItemsProcessed(int64_t(S.iterations()) * int64_t(G.numTasks()));
}

/// One point of a scenario of so many processes with a GPU and twelve
/// operations each, from its text to its totals.
static void planPoint(State &S) {
  const std::string SystemText = R"(
schema: ptx-predict/system
version: 1
name: many
description: many nodes
source: made up
nodes:
- name: node
  cpus: [{name: cpu, cores: 4, labels: {host: 1}}]
  gpus: [{name: gpu, device: v100, labels: {worker: 1}}]
  links: [{between: [cpu, gpu], link: pcie3-x16, sharing: fifo}]
)";
  constexpr StringRef Text = R"(
schema: ptx-predict/scenario
version: 1
variables: {n: 1M}
kernels: {work: {time_us: 100 + rank mod 7, power_w: 200}}
processes:
- label: worker
  operations:
  - h2d: {bytes: n + rank, stream: a}
  - launch: {kernel: work, stream: a}
  - d2h: {bytes: n, stream: a}
  - h2d: {bytes: n, stream: b}
  - launch: {kernel: work, stream: b}
  - d2h: {bytes: n, stream: b}
  - sync
  - h2d: {bytes: n, stream: a}
  - launch: {kernel: work, stream: a}
  - d2h: {bytes: n, stream: a}
  - host: 1e-5
  - sync
)";
  auto EngineOf = [](StringRef T) {
    return DiagnosticEngine(llvm::MemoryBuffer::getMemBufferCopy(T, "b.yaml"));
  };
  DeviceRegistry Registry;
  LinkRegistry Links;
  DiagnosticEngine SystemDiags = EngineOf(SystemText);
  const std::unique_ptr<System> On =
      parseSystem(SystemDiags, {Registry, Links});
  DiagnosticEngine Diags = EngineOf(Text);
  Scenario App;
  require(On && !parseScenario(Diags, App), "the scenario cannot be read");
  SharedDevices Devices(Registry);
  KernelTimes Kernels(App, {&bottleneckModel(), {}, "", ""}, Devices);
  size_t Tasks = 0;
  for (auto _ : S) {
    SystemLayout Layout(*On, uint64_t(S.range(0)));
    const Plan P = makePlan(App, Layout, Kernels, {});
    require(P.Errors.empty(), "the scenario has errors");
    const Timeline T = simulate(P.Graph);
    benchmark::DoNotOptimize(totalsOf(App, Layout, P, T).Seconds);
    Tasks += P.Tasks.size();
  }
  S.SetItemsProcessed(int64_t(Tasks));
}

void bench::addScenarioBenchmarks() {
  benchmark::RegisterBenchmark("Scenario/point", planPoint)
      ->Arg(64)
      ->Arg(10000)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(
      "Simulate/fifo",
      [](State &S) { simulateAll(S, fifo(unsigned(S.range(0)))); })
      ->Arg(64)
      ->Arg(10000)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(
      "Simulate/fair",
      [](State &S) { simulateAll(S, fair(unsigned(S.range(0)), 0)); })
      ->Arg(64)
      ->Arg(1000)
      ->Unit(benchmark::kMillisecond);
  // The worst case: what one flow does changes all others.
  benchmark::RegisterBenchmark(
      "Simulate/joined",
      [](State &S) { simulateAll(S, fair(unsigned(S.range(0)), 100e9)); })
      ->Arg(64)
      ->Arg(1000)
      ->Unit(benchmark::kMillisecond);
}

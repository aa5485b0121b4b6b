//===- ScenarioBenchmarks.cpp - The speed of simulated applications -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Simulate/KIND/N: N processes, each with a GPU; items are tasks.
//===----------------------------------------------------------------------===//
#include "Inputs.h"
#include "ptxpredict/Scenario/Engine/TaskGraph.h"
#include <benchmark/benchmark.h>
#include <random>

using namespace ptxpredict;
using namespace ptxpredict::bench;
using benchmark::State;

static constexpr unsigned NumOperations = 12;

/// From 1 to 10 ms.
static double seconds(std::mt19937 &Random) {
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
                    return G.addTask(seconds(Random), {3 * P});
                  return G.addTask(seconds(Random),
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
                    return G.addTask(seconds(Random), {2 * P});
                  const LinkUse Uses[] = {{P - P % 16, 1}, {NumProcesses, 1}};
                  return G.addTask(
                      1e-5, {2 * P + 1}, seconds(Random) * Rate,
                      ArrayRef(Uses).take_front(CommonRate > 0 ? 2 : 1));
                });
}

static void simulateAll(State &S, const TaskGraph &G) {
  require(simulate(G).Stuck.empty(), "some tasks do not run");
  for (auto _ : S)
    benchmark::DoNotOptimize(simulate(G).total());
  S.SetItemsProcessed(int64_t(S.iterations()) * int64_t(G.numTasks()));
}

void bench::addScenarioBenchmarks() {
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

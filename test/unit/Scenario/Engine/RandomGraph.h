//===- RandomGraph.h - Graphs that no one thought of ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_SCENARIO_ENGINE_RANDOMGRAPH_H
#define PTXPREDICT_TEST_UNIT_SCENARIO_ENGINE_RANDOMGRAPH_H

#include "ptxpredict/Scenario/Engine/TaskGraph.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace ptxpredict {

struct RandomGraphOptions {
  /// Times and bytes are small whole numbers: much happens at the same time,
  /// and some tasks at servers take no time.
  bool HasTies = false;
  bool HasWeights = true;
  unsigned MaxTasks = 32;
};

/// Without cycles; dependences lead up and down in the tasks' numbers.
inline TaskGraph randomGraph(std::mt19937 &Random,
                             const RandomGraphOptions &O) {
  // Not the distributions of the standard library: each library has its own.
  auto Below = [&](unsigned N) { return unsigned(Random() % N); };
  auto From0To1 = [&] { return double(Random()) / 4294967296.0; };
  auto Amount = [&](double Largest) {
    return O.HasTies ? double(Below(4)) : 1 + From0To1() * Largest;
  };
  auto Some = [&](unsigned Of, unsigned AtMost) {
    std::vector<uint32_t> All(Of);
    std::iota(All.begin(), All.end(), 0U);
    for (unsigned I = 0; I + 1 < Of; ++I)
      std::swap(All[I], All[I + Below(Of - I)]);
    All.resize(std::min(Of, Below(AtMost + 1)));
    return All;
  };

  TaskGraph G;
  const unsigned NumServers = Below(5);
  for (unsigned I = 0; I != NumServers; ++I)
    G.addServer(1 + Below(3));
  const unsigned NumLinks = Below(6);
  for (unsigned I = 0; I != NumLinks; ++I)
    G.addLink(O.HasTies ? 1 + Below(2) : std::floor(1e6 * Amount(9)));
  const unsigned NumTasks = 1 + Below(O.MaxTasks);
  for (unsigned I = 0; I != NumTasks; ++I) {
    if (Below(8) == 0) { // an event or a barrier
      G.addTask(0);
      continue;
    }
    std::vector<LinkUse> Links;
    for (LinkNumber L : Some(NumLinks, 3))
      Links.push_back({L, !O.HasWeights ? 1
                          : O.HasTies   ? 1 + Below(2)
                                        : 0.5 + From0To1() * 2});
    const double Bytes = Links.empty() ? 0
                         : O.HasTies   ? Amount(0)
                                       : std::floor(1e6 * Amount(99));
    const bool IsFlowAlone = Bytes > 0 && Below(3) == 0;
    G.addTask(IsFlowAlone ? 0 : Amount(99), Some(NumServers, 3), Bytes, Links);
  }
  std::vector<TaskNumber> Order(NumTasks);
  std::iota(Order.begin(), Order.end(), 0U);
  for (unsigned I = 0; I + 1 < NumTasks; ++I)
    std::swap(Order[I], Order[I + Below(NumTasks - I)]);
  for (unsigned I = 1; I < NumTasks; ++I)
    for (unsigned K = Below(3); K != 0; --K)
      G.addDependence(Order[Below(I)], Order[I]);
  return G;
}

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_SCENARIO_ENGINE_RANDOMGRAPH_H

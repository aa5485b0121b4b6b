//===- Collectives.h - What collective operations cost ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The usual alpha-beta formulas (R. Thakur, R. Rabenseifner, W. Gropp,
// "Optimization of Collective Communication Operations in MPICH", 2005), where
// a step takes a message's startup and its bytes over the slowest link that it
// goes over. docs/commands/Scenario.md has them all.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_PLAN_COLLECTIVES_H
#define PTXPREDICT_SCENARIO_PLAN_COLLECTIVES_H

#include "ptxpredict/Scenario/Plan/Operation.h"
#include "ptxpredict/Scenario/Plan/SystemLayout.h"

namespace ptxpredict {

/// One after the other: so many startups, and so many bytes that every process
/// sends to the next one.
struct CollectiveCost {
  double Startups = 0;
  double Bytes = 0;
};

/// Of \p Bytes: of the whole buffer, of AllGather and ReduceScatter that of all
/// processes together. \p Size is at least 1; one process needs nothing.
CollectiveCost collectiveCost(OperationKind Kind, CollectiveAlgorithm Algorithm,
                              uint64_t Size, double Bytes);

/// The links that a collective operation goes over, and how often.
struct CollectiveRoute {
  struct Use {
    RouteHop By;
    double Weight = 0; ///< of the bytes that a process sends
  };
  std::vector<Use> Uses;     ///< by number of server and link
  double StartupSeconds = 0; ///< the longest between two neighbours
  /// Two processes between which there is no way.
  std::optional<std::pair<size_t, size_t>> NoWay;
};

/// Of a ring through \p Places in their order. Where it leaves a node, its
/// bytes are shared out among the NICs nearest to the node's places.
CollectiveRoute ringRoute(SystemLayout &Layout,
                          ArrayRef<ComponentPlace> Places);
/// Where each sends as much to every other one.
CollectiveRoute allToAllRoute(SystemLayout &Layout,
                              ArrayRef<ComponentPlace> Places);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_PLAN_COLLECTIVES_H

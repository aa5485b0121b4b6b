//===- RandomSystem.h - Systems that no one thought of ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_RANDOMSYSTEM_H
#define PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_RANDOMSYSTEM_H

#include "RandomNumbers.h"
#include "ptxpredict/Scenario/System/System.h"

namespace ptxpredict {

struct RandomScenarioOptions {
  /// How often a flow goes over a link is a whole number, as SimGrid needs it.
  bool HasWholeWeights = false;
  /// One process on one GPU without streams.
  bool IsOneChain = false;
};

/// A kind of link.
struct RandomLink {
  std::string Name;
  double GBs = 1;
  /// By TransferWay and HostMemory; between peers the first alone.
  double StartupUs[NumTransferWays][NumHostMemories] = {};
  double Efficiency[NumTransferWays][NumHostMemories] = {};
  std::optional<double> IdleW, ActiveW;
  /// Of the policy "saver", which all of them have alike.
  double LatencyFactor = 1, EnergyFactor = 1;
};
/// From so many bytes on.
constexpr unsigned RandomPolicyFrom = 20'000'000;

/// So many links between two parts of a node.
struct RandomJoint {
  unsigned Ends[2] = {0, 0};
  unsigned Count = 1;
  RandomLink Of;
  bool IsFIFO = false, IsHalf = false;
};

struct RandomPart {
  ComponentKind Kind = ComponentKind::CPU;
  std::string Name;
  unsigned Count = 1;
  std::vector<std::pair<std::string, unsigned>> Labels;
  unsigned Cores = 1;
  double Performance = 1000;
  unsigned CopyEngines = 2, ConcurrentKernels = 1;
  double LaunchUs = 0;
  double DRAMGBs = 1; ///< of the device
  double BoardW = 0;  ///< its limit
  double X = 0;       ///< an attribute of that name
  std::optional<double> IdleW, ActiveW;
};

struct RandomNode {
  unsigned Count = 1;
  std::vector<RandomPart> Parts;
  std::vector<RandomJoint> Joints;
  double BaseW = 0, SupplyEfficiency = 1;
};

/// Between any two places of it is a way. Where several have the fewest links,
/// they begin with different kinds of links.
struct RandomSystem {
  std::vector<RandomNode> Nodes;
  std::optional<RandomJoint> Network;

  unsigned numPlaces(const std::string &Label) const;
  bool isFIFO() const; ///< all links are
  /// As files.
  std::string text() const;
  std::vector<std::string> linkTexts() const;
};

RandomSystem randomSystem(RandomNumbers &R, const RandomScenarioOptions &O);

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_RANDOMSYSTEM_H

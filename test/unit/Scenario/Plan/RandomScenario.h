//===- RandomScenario.h - Scenarios that no one thought of ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_RANDOMSCENARIO_H
#define PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_RANDOMSCENARIO_H

#include "RandomSystem.h"
#include "ptxpredict/Scenario/Plan/Operation.h"
#include <functional>

namespace ptxpredict {

/// What the names of formulas stand for.
struct RandomNames {
  double Rank = 0, Size = 0, Node = 0, GPU = 0;
  double CPUX = 0, GPUX = 0; ///< the attribute of the process's parts
  double Counters[3] = {};   ///< of loops, by how deep they are
  std::vector<double> Variables;
};

/// A formula as a file has it, and what it comes to.
struct RandomFormula {
  std::string Text;
  std::function<double(const RandomNames &)> Of;
  explicit operator bool() const { return !Text.empty(); }
};

/// An operation with what a file says of it. An empty formula is not there.
struct RandomOperation {
  OperationKind Kind = OperationKind::Host;
  unsigned Number = 0; ///< in the file
  /// Bytes; of Host and Delay seconds, of Repeat how often, of If the
  /// condition.
  RandomFormula Amount;
  RandomFormula Operations, Performance, Seconds, GPU, Peer, Tag, Times;
  RandomFormula With;  ///< Launch: the first variable for this kernel
  unsigned Kernel = 0; ///< Launch
  unsigned Label = 0;  ///< Send, Receive: index of the processes
  unsigned Event = 0;  ///< Event, Wait
  unsigned Stream = 0; ///< index; 0: none is named
  bool IsPinned = false;
  bool HasPolicy = false; ///< Send: "saver"
  bool IsShort = false;   ///< in the short form
  CollectiveAlgorithm Algorithm = CollectiveAlgorithm::Ring;
  std::string Name;    ///< of a phase
  std::string Counter; ///< Repeat; empty without
  std::vector<RandomOperation> Body, Otherwise;
};

struct RandomKernel {
  std::string Name;
  RandomFormula TimeUs;
  std::optional<double> PowerW;
};

/// Processes of one label.
struct RandomProcess {
  std::string Label;
  unsigned Count = 1;
  std::string CountText; ///< empty: all places
  std::vector<std::string> Streams{""}, Events;
  std::vector<RandomOperation> Operations;
};

struct RandomScenario {
  RandomSystem On;
  std::vector<std::pair<std::string, double>> Variables;
  std::vector<std::string> VariableTexts; ///< formulas, by variable
  std::optional<double> LaunchUs;
  unsigned ConcurrentKernels = 0; ///< 0: the file does not say it
  std::vector<RandomKernel> Kernels;
  std::vector<RandomProcess> Processes;
  unsigned NumOperations = 0;

  /// As a file, on the system in the file `system.yaml` beside it.
  std::string text() const;
};

/// It can be run: no process waits for ever, whatever comes first.
RandomScenario randomScenario(unsigned Seed, const RandomScenarioOptions &O);
/// The same on a given system.
RandomScenario randomScenario(unsigned Seed, const RandomScenarioOptions &O,
                              RandomSystem On);

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_RANDOMSCENARIO_H

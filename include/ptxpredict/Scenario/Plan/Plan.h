//===- Plan.h - A scenario as tasks -----------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_PLAN_PLAN_H
#define PTXPREDICT_SCENARIO_PLAN_PLAN_H

#include "ptxpredict/Scenario/Plan/KernelTimes.h"
#include "ptxpredict/Scenario/Plan/SystemLayout.h"

namespace ptxpredict {

/// One process and where it runs.
struct PlannedProcess {
  unsigned Label = 0; ///< index into Scenario::Processes
  uint32_t Rank = 0;
  ComponentPlace Place;
  std::optional<ComponentPlace> CPU, GPU;
};

/// What a task of the graph is.
struct PlannedTask {
  uint32_t Process = 0;
  uint32_t Operation = 0; ///< its number in the file
  uint16_t Phase = 0;     ///< from 1, by Scenario::Phases; 0: before the first
  /// The process itself is busy with it: a launch holds it before its kernel.
  bool IsOfHost = false;
  /// Of a kernel: index into Plan::Kernels, from 1.
  uint32_t Kernel = 0;
};

/// Something that is wrong with a scenario on a system.
struct PlanError {
  SMLoc Place; ///< in the scenario; invalid of the system
  std::string Text;
  SMLoc OtherPlace = {}; ///< for a note, if it is valid
  std::string OtherText = {};
};

/// A scenario at one choice of its variables and of the system's size.
struct Plan {
  TaskGraph Graph;
  std::vector<PlannedTask> Tasks; ///< by task
  std::vector<PlannedProcess> Processes;
  std::vector<KernelTime> Kernels;
  std::vector<double> Variables; ///< their values
  std::optional<double> Work;
  /// Energy factors of messages' tasks that have a policy.
  std::vector<std::pair<TaskNumber, double>> EnergyFactors;
  /// Names of what was assumed of links and devices, each once.
  std::vector<std::string> Assumptions;
  std::vector<PlanError> Errors; ///< without any the rest holds

  /// The operation of a task, by Scenario::NumOperations.
  const Operation &operation(ArrayRef<const Operation *> All,
                             TaskNumber T) const {
    return *All[Tasks[T].Operation];
  }
};

/// All operations of a scenario by their numbers.
std::vector<const Operation *> listOperations(const Scenario &S);

/// Tasks of one point, and servers and links of a system.
constexpr size_t MaxPlannedTasks = 16'000'000;

struct PlanRequest {
  /// Values of variables by index, in place of the file's.
  std::vector<std::pair<size_t, double>> Variables;
  std::optional<uint64_t> NumNodes;
  bool ChecksMemory = true;
  size_t MaxTasks = MaxPlannedTasks; ///< more are an error
};

/// The values of all variables. False, with the reason in \p Errors, if one has
/// none.
bool evaluateVariables(const Scenario &S, const PlanRequest &Request,
                       std::vector<double> &Values,
                       std::vector<PlanError> &Errors);

/// Makes the tasks. Linear in what the processes do. \p Layout is of the
/// request's size.
Plan makePlan(const Scenario &S, SystemLayout &Layout, KernelTimes &Kernels,
              const PlanRequest &Request);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_PLAN_PLAN_H

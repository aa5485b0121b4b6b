//===- ScenarioResult.h - What a run of a scenario takes --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_PLAN_SCENARIORESULT_H
#define PTXPREDICT_SCENARIO_PLAN_SCENARIORESULT_H

#include "ptxpredict/Scenario/Plan/Plan.h"

namespace ptxpredict {

/// Energy in J, and what it is of.
struct ScenarioEnergy {
  double BaseJ = 0; ///< of nodes, whatever runs
  double IdleJ = 0; ///< of what is in them, while nothing runs there
  double CPUJ = 0, GPUJ = 0, LinkJ = 0; ///< above idle
  double SupplyJ = 0;                   ///< that power supplies lose

  double totalJ() const {
    return BaseJ + IdleJ + CPUJ + GPUJ + LinkJ + SupplyJ;
  }
};

/// All of a run in numbers alone.
struct ScenarioTotals {
  double Seconds = 0;
  ScenarioEnergy Energy;
  double meanW() const { return Seconds > 0 ? Energy.totalJ() / Seconds : 0; }
  double FailureChance = 0; ///< 1 - exp(-sum of T / MTBF)
  std::optional<double> Work;
  size_t NumProcesses = 0, NumTasks = 0;
  uint64_t NumNodes = 0, NumGPUs = 0; ///< that processes run on
  double BusiestSeconds = 0;          ///< of a server: its work over its places
  /// By OperationKind: seconds on the critical path.
  std::vector<double> PathSeconds;
};

/// Energy and failures of \p P, done at \p T, if all ends after \p Seconds.
/// E = base * T + sum of idle * T + sum of (active - idle) * busy, by device,
/// over the efficiency of the node's power supply.
ScenarioEnergy energyOf(const SystemLayout &Layout, const Plan &P,
                        const Timeline &T, double Seconds);
double failureChance(const SystemLayout &Layout, double Seconds);

ScenarioTotals totalsOf(const Scenario &S, const SystemLayout &Layout,
                        const Plan &P, const Timeline &T);

/// A step of the critical path: what the run waited for, from its end back.
struct PathStep {
  TaskNumber Task = NoTask;
  double Start = 0, End = 0;
  bool WaitedForPlace = false; ///< for the server of the step before
};
/// In the order of time.
std::vector<PathStep> criticalPath(const Plan &P, const Timeline &T);

/// What one operation of the file takes, all processes and turns together.
struct OperationTotals {
  unsigned Operation = 0; ///< its number
  size_t Count = 0;
  double Seconds = 0;     ///< busy
  double WaitSeconds = 0; ///< for places at servers
  double PathSeconds = 0; ///< of the critical path
  /// What the run would be shorter if each of them took a tenth less; of those
  /// on the path.
  std::optional<double> GainSeconds;
};
std::vector<OperationTotals> operationTotals(const Scenario &S, const Plan &P,
                                             const Timeline &T,
                                             ArrayRef<PathStep> Path);
/// Fills GainSeconds of the \p Most that are longest on the path: each is a
/// run.
void findGains(std::vector<OperationTotals> &Totals, Plan &P, double Seconds,
               size_t Most);

/// A server or link over the run.
struct ResourceTotals {
  ResourceName Name;
  bool IsServer = true;
  unsigned Places = 1;
  double BusySeconds = 0; ///< of all places; of a link while anything flows
  double WaitSeconds = 0; ///< that tasks stood in its queue
  size_t Count = 0;       ///< tasks
};
/// Those that were used.
std::vector<ResourceTotals> resourceTotals(const SystemLayout &Layout,
                                           const Plan &P, const Timeline &T);

/// A phase over all processes.
struct PhaseTotals {
  unsigned Phase = 0; ///< as in PlannedTask
  double Start = 0, End = 0;
  double EnergyJ = 0; ///< base and idle between both, and its tasks' own
};
std::vector<PhaseTotals> phaseTotals(const Scenario &S,
                                     const SystemLayout &Layout, const Plan &P,
                                     const Timeline &T);

/// A process over the run.
struct ProcessTotals {
  double End = 0;
  double HostSeconds = 0, CopySeconds = 0, KernelSeconds = 0,
         MessageSeconds = 0; ///< of its operations; they may overlap
};
std::vector<ProcessTotals> processTotals(const Plan &P, const Timeline &T,
                                         ArrayRef<const Operation *> All);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_PLAN_SCENARIORESULT_H

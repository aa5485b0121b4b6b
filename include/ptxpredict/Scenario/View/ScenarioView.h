//===- ScenarioView.h - Runs of scenarios as they are shown -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_VIEW_SCENARIOVIEW_H
#define PTXPREDICT_SCENARIO_VIEW_SCENARIOVIEW_H

#include "ptxpredict/Scenario/Plan/ScenarioRun.h"
#include "ptxpredict/Scenario/Trace/MeasuredTrace.h"

namespace ptxpredict {

/// "schema" and "version" of the JSON.
constexpr StringRef ScenarioRunSchemaName = "ptx-predict/scenario-run";
constexpr unsigned ScenarioRunSchemaVersion = 1;

/// A run and what follows from it.
struct ScenarioReport {
  const Scenario &S;
  const ScenarioWhole &Run;
  std::vector<const Operation *> Operations; ///< by number
  std::vector<PathStep> Path;
  std::vector<OperationTotals> ByOperation;
  std::vector<ResourceTotals> Resources;
  std::vector<PhaseTotals> Phases;
  std::vector<ProcessTotals> Processes;
  std::vector<std::string> Assumptions;
  /// Where a measured trace was given: the whole run and its phases against it.
  std::vector<MeasuredAgainst> Measured;
};

/// The run and its phases as labels of a trace.
std::vector<PredictedLabel> labelsOf(const ScenarioReport &R);
/// Predicted against measured times, energies and powers.
void printMeasuredText(ArrayRef<MeasuredAgainst> All, raw_ostream &OS);

/// Runs up to this many tasks are run again for what shorter operations gain.
constexpr size_t MaxTasksForGains = 200'000;

/// What follows from \p Run, whose tasks are put back as they were.
ScenarioReport makeScenarioReport(const ScenarioRun &Run, ScenarioWhole &Whole);

/// What decides a sweep.
enum class ScenarioObjective : uint8_t { Time, Energy, ED, E2D, ED2 };
ArrayRef<StringRef> scenarioObjectives(); ///< "time", "energy", …
/// Energy to a power times time to a power (S. Song, 5.7-C): smaller is better.
double objectiveOf(ScenarioObjective O, const ScenarioTotals &T);

/// The best point of a sweep, and those that are hardly worse.
struct BestPoint {
  size_t Best = 0;          ///< index
  std::vector<size_t> Near; ///< within 5 % of it, itself too
};
/// Nothing where no point has an answer.
std::optional<BestPoint> findBest(ArrayRef<ScenarioPoint> Points,
                                  ScenarioObjective O);

/// Relative to the first point that has an answer, with an axis of nodes to the
/// first one that differs in nodes alone: throughput over its throughput, where
/// there is work, else its time over the time; and that over the ratio of GPUs,
/// or of processes where there are none.
struct ScenarioScaling {
  double Speedup = 1, Efficiency = 1;
  /// PowerPack's (perf_p / perf_1) / (E_p / E_1); with an axis of nodes, where
  /// energy is known.
  std::optional<double> NormalizedEfficiency;
};
std::vector<ScenarioScaling> scalingOf(ArrayRef<ScenarioAxis> Axes,
                                       ArrayRef<ScenarioPoint> Points);

/// The kind of operation that is longest on the critical path.
std::optional<OperationKind> longestKind(const ScenarioTotals &T);

/// "node 0 gpu 1 kernels", "node 2 pcie4-x16 3 out".
std::string nameOf(const ResourceName &R, const SystemLayout &Layout);
/// "worker 3"
std::string nameOf(const PlannedProcess &P, const Scenario &S);
/// Its own name, or "h2d (line 12)".
std::string nameOf(const Operation &Op);
/// "1 process", "2 processes"
std::string processesText(size_t Number);

void printScenarioText(const ScenarioReport &R, raw_ostream &OS, bool Verbose);
void printScenarioJSON(const ScenarioReport &R, raw_ostream &OS);
/// A timeline that Perfetto and chrome://tracing open.
void printScenarioTrace(const ScenarioReport &R, raw_ostream &OS);
void printScenarioHTML(const ScenarioReport &R, raw_ostream &OS);

/// All points of a sweep.
struct ScenarioSweepReport {
  const Scenario &S;
  ArrayRef<ScenarioAxis> Axes;
  ArrayRef<ScenarioPoint> Points;
  std::vector<std::string> Assumptions;
  std::optional<ScenarioObjective> Best;
};
void printSweepText(const ScenarioSweepReport &R, raw_ostream &OS);
void printSweepJSON(const ScenarioSweepReport &R, raw_ostream &OS);
/// A heading and a row for each point.
void printSweepCSV(const ScenarioSweepReport &R, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_VIEW_SCENARIOVIEW_H

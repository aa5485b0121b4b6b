//===- ScenarioRun.h - From a scenario file to what it takes ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_PLAN_SCENARIORUN_H
#define PTXPREDICT_SCENARIO_PLAN_SCENARIORUN_H

#include "ptxpredict/Scenario/Plan/ScenarioResult.h"

namespace ptxpredict {

/// `--sweep=var:NAME=…`, `--sweep=nodes=…`, `--sweep=system=…`.
struct ScenarioAxis {
  enum class WhatTy : uint8_t { Variable, Nodes, System } What = WhatTy::Nodes;
  std::string Name;                 ///< "N", "nodes", "system"
  std::vector<double> Numbers;      ///< Variable, Nodes
  std::vector<std::string> Systems; ///< System

  size_t size() const {
    return What == WhatTy::System ? Systems.size() : Numbers.size();
  }
};

/// Reads one axis. The error says what is wrong.
Expected<ScenarioAxis> parseScenarioAxis(StringRef Text);

struct ScenarioOptions {
  std::string Path;
  std::string SystemName; ///< in place of the scenario's; empty without
  std::vector<std::string> DeviceFiles, LinkFiles;
  const Model *By = nullptr;
  ModelOptions ModelChoice;
  std::vector<std::pair<std::string, double>> Variables; ///< of --set
  std::vector<ScenarioAxis> Axes; ///< the last one is the fastest
  bool ChecksMemory = true;
  unsigned Jobs = 0; ///< 0: one a core
  /// The points that are run, from 0; all but at most the last one.
  size_t FirstPoint = 0;
  std::optional<size_t> LastPoint;
};

/// One point of a sweep, or the only one.
struct ScenarioPoint {
  size_t Number = 0;
  std::vector<std::string> Values; ///< by axis
  std::string System;
  ScenarioTotals Totals;
  std::vector<PlanError> Errors; ///< Totals hold without any
};

/// A point with all its tasks.
struct ScenarioWhole {
  ScenarioPoint Point;
  std::unique_ptr<SystemLayout> Layout;
  Plan Tasks;
  Timeline When;
};

/// A scenario on its systems.
class ScenarioRun {
public:
  explicit ScenarioRun(ScenarioOptions Options);
  ~ScenarioRun();

  /// Reads everything. False if nothing can be run (reported).
  bool prepare();

  const Scenario &scenario() const;
  const ScenarioOptions &options() const;
  /// Points of all axes together.
  size_t numPoints() const;
  /// All points that were asked for, in their order. Errors of points are
  /// reported, too.
  std::vector<ScenarioPoint> runAll();
  /// One point as a whole. Its errors are reported.
  ScenarioWhole runWhole(size_t Number);
  /// A point apart from the axes, on the first system: \p Request's variables
  /// go before those of --set. Its errors are not reported. Any number of
  /// threads may ask.
  ScenarioWhole runAt(PlanRequest Request) const;
  /// Reports an error of such a point, followed by \p Where.
  void report(const PlanError &E, const Twine &Where);
  /// Tasks that wait for each other, as errors.
  std::vector<std::string> assumptions() const;

  std::vector<const DiagnosticEngine *> diagnostics() const;
  bool hasErrors() const;

private:
  struct Impl;
  std::unique_ptr<Impl> State;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_PLAN_SCENARIORUN_H

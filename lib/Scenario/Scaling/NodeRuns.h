//===- NodeRuns.h - A scenario on so many nodes -------------------*- C++ -*-=//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_SCALING_NODERUNS_H
#define PTXPREDICT_LIB_SCENARIO_SCALING_NODERUNS_H

#include "ptxpredict/Scenario/Scaling/ScalingModel.h"
#include <mutex>
#include <set>

namespace ptxpredict {

/// The scenario of a scaling file, run at sizes and numbers of nodes. What was
/// run is kept.
class NodeRuns {
public:
  NodeRuns(const ScalingFile &File, const ScalingModelOptions &Options);

  /// True on error, reported in \p Diags, the file's, or in messages().
  bool prepare(DiagnosticEngine &Diags);
  std::vector<const DiagnosticEngine *> messages() const {
    return Run.diagnostics();
  }
  void report(const PlanError &E, const Twine &Where) { Run.report(E, Where); }

  /// E_1 against E_p. Any number of threads may ask.
  std::optional<ScalingPoint> evaluate(double N, double P, ScalingError &Why);

  std::vector<std::string> assumptions() const;
  std::string systemName() const;

private:
  struct Taken {
    double Seconds = 0, Joules = 0;
    double MessageSeconds = 0; ///< on the critical path
  };

  std::optional<Taken> run(double N, double P, bool ChecksMemory,
                           ScalingError &Why);

  const ScalingFile &File;
  const ScalingModelOptions &Options;
  ScenarioRun Run;
  PlanRequest Base;
  size_t SizeIndex = 0; ///< of the variable that n is

  mutable std::mutex Mutex; ///< of what follows
  std::map<std::tuple<double, double, bool>, Taken> Runs;
  std::set<std::string> Assumed;
  std::string System;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_SCALING_NODERUNS_H

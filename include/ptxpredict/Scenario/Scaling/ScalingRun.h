//===- ScalingRun.h - From a scaling file to tables and answers -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_SCALING_SCALINGRUN_H
#define PTXPREDICT_SCENARIO_SCALING_SCALINGRUN_H

#include "ptxpredict/Scenario/Scaling/ScalingModel.h"
#include "ptxpredict/Scenario/Scaling/ScalingSolver.h"

namespace ptxpredict {

/// What --solve looks for.
enum class ScalingUnknown : uint8_t { Size, Clock };
/// Which efficiency: EE (4.21) or T_1 / T_p (2.9).
enum class ScalingMeasure : uint8_t { Energy, Time };

struct ScalingOptions {
  std::string Path;
  std::vector<double> N, P, F; ///< in place of the file's; empty without
  std::vector<std::pair<std::string, double>> Variables; ///< of --set
  std::string DeviceName, SystemName; ///< in place of the file's
  std::vector<std::string> DeviceFiles, LinkFiles;
  const Model *By = nullptr;
  ModelOptions ModelChoice;
  bool Published = false;
  bool ChecksMemory = true;
  std::optional<double> Efficiency; ///< theta
  std::optional<ScalingUnknown> Solve;
  ScalingMeasure Measure = ScalingMeasure::Energy;
  unsigned Jobs = 0; ///< 0: one a core
};

/// A row of the tables.
struct ScalingRow {
  double N = 0, P = 1, F = 0;
  std::optional<ScalingPoint> Point; ///< nothing: Error says why
  ScalingError Error;
  /// (4.25) against the lowest clock of all; nothing with one clock.
  std::optional<double> ClockEfficiency;
};

/// The size for theta at p and f.
struct SizeAnswer {
  double P = 1, F = 0;
  SizeSolution Of;
  ScalingError Error; ///< where no size has an answer
  /// x of n ~ p^x from the answer before, at the same f.
  std::optional<double> Growth;
};
/// The clocks for n and p.
struct ClockAnswer {
  double N = 0, P = 1;
  std::vector<double> Efficiencies; ///< (4.25), by clock from the lowest
  ClockSolution Of;
  ScalingError Error; ///< where Efficiencies is empty
};

struct ScalingReport {
  const ScalingFile *File = nullptr;
  const ScalingOptions *Options = nullptr;
  std::string Machine;          ///< a device or system; empty of vectors
  std::vector<double> Clocks;   ///< from the lowest; {0}: the board's own
  std::vector<ScalingRow> Rows; ///< by f, p, n
  std::vector<SizeAnswer> Sizes;
  std::vector<ClockAnswer> ClockAnswers;
  std::optional<ScalingCategory> Category;
  std::vector<std::string> Assumptions;
  size_t NumAnswers = 0; ///< rows or solutions that have one
};

/// A scaling file with all that it refers to.
class ScalingRun {
public:
  explicit ScalingRun(ScalingOptions Options);
  ~ScalingRun();

  /// Reads everything. False if nothing can be computed (reported).
  bool prepare();
  /// Errors of points are reported. Refers to this.
  ScalingReport run();

  std::vector<const DiagnosticEngine *> diagnostics() const;
  bool hasErrors() const;

private:
  struct Impl;
  std::unique_ptr<Impl> State;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_SCALING_SCALINGRUN_H

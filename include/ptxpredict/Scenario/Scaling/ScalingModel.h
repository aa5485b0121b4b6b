//===- ScalingModel.h - Energy of one size on p processors ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_SCALING_SCALINGMODEL_H
#define PTXPREDICT_SCENARIO_SCALING_SCALINGMODEL_H

#include "ptxpredict/Model/IsoEnergyEfficiency.h"
#include "ptxpredict/Model/ParallelScaling.h"
#include "ptxpredict/Scenario/Plan/ScenarioRun.h"
#include "ptxpredict/Scenario/Scaling/ScalingFile.h"

namespace ptxpredict {

struct ScalingModelOptions {
  /// Of the file, which code and scenarios lie relative to.
  std::string Path;
  const Model *By = nullptr;
  ModelOptions ModelChoice;
  const Device *GPU = nullptr; ///< of kernels; null without
  /// The vectors hold at p = 1, too, and powers have no fixed part: as printed.
  bool Published = false;
  /// Of the command line, for the scenario.
  std::string SystemName;
  std::vector<std::string> DeviceFiles, LinkFiles;
  bool ChecksMemory = true;
  std::vector<std::pair<std::string, double>> Variables;
};

/// Why a point has no answer.
struct ScalingError {
  SMLoc Place;
  std::string Text;
  bool IsOfScenario = false; ///< the place is in the scenario
};

/// What holds at n, p and f.
struct ScalingPoint {
  double N = 0, P = 1;
  double F = 0; ///< GHz; 0: the board's own
  IsoEnergyEfficiency Of;
  /// Of the sequential program, and of what p processors do beside it: on the
  /// chip and off it, network included.
  SplitSeconds Sequential, Overhead;

  double speedup() const; ///< (2.10)
  /// The part of T_p that is spent on instructions or kernels, on memory, or
  /// on messages.
  double computeSeconds() const { return Sequential.On + Overhead.On; }
  double memorySeconds() const {
    return Sequential.Off + Overhead.Off - Of.NetworkSeconds;
  }
};

/// \p Name, relative to the folder of \p File unless it is absolute.
std::string besideFile(StringRef File, StringRef Name);

/// A scaling file that can be asked. Refers to the file.
class ScalingModel {
public:
  ScalingModel(const ScalingFile &File, ScalingModelOptions Options,
               SharedDevices &Devices);
  ~ScalingModel();

  /// Reads code or the scenario, and finds variables. True on error: reported
  /// in \p Diags, the file's, in \p General, the command line's, or in
  /// messages().
  bool prepare(DiagnosticEngine &Diags, DiagnosticEngine &General);
  /// Of other files.
  std::vector<const DiagnosticEngine *> messages() const;

  /// Any number of threads may ask. Nothing without an answer; \p Why then says
  /// the reason.
  std::optional<ScalingPoint> evaluate(double N, double P, double F,
                                       ScalingError &Why) const;
  /// Reports \p Why, followed by \p Where.
  void report(const ScalingError &Why, const Twine &Where,
              DiagnosticEngine &Diags);

  std::vector<std::string> assumptions() const;
  /// Of kernels or the scenario's system; empty without.
  std::string machineName() const;

private:
  struct Impl;
  std::unique_ptr<Impl> State;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_SCALING_SCALINGMODEL_H

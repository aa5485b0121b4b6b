//===- LintConfig.h - The file .ptx-predict.yaml ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REVIEW_LINTCONFIG_H
#define PTXPREDICT_REVIEW_LINTCONFIG_H

#include "ptxpredict/Lint/RuleSelection.h"
#include "ptxpredict/Support/Finding.h"

namespace ptxpredict {

/// Findings that the configuration says to leave out: those that all the globs
/// match.
struct ConfiguredSuppression {
  OwnedGlob Rule;
  std::optional<OwnedGlob> Kernel; ///< by any of its names
  std::optional<OwnedGlob> Path;   ///< of the finding or of the input
  std::string Reason;
};

/// Another severity for the rules that a glob matches.
struct ConfiguredSeverity {
  OwnedGlob Rule;
  Severity Level;
};

/// `never`, or the severity from which on findings make the exit code 1.
struct FailLevel {
  std::optional<Severity> From;
};

/// What a project asks of `lint` and `diff` (docs/formats/LintConfig.md). Paths
/// are absolute: in the file they are relative to its folder. What the file
/// does not say is empty.
struct LintConfig {
  std::string Path; ///< of the file itself
  /// The folder of the project that brings the file; empty if the user named
  /// it.
  std::string ProjectRoot;
  std::vector<std::string> Devices, DeviceFiles, Models;
  std::string LaunchFile;
  std::string BaselineFile, SourceRoot, CompileCommands;
  RuleSelection Rules;
  std::vector<ConfiguredSeverity> Severities; ///< the last that matches counts
  std::vector<ConfiguredSuppression> Suppressions;
  std::vector<OwnedGlob> Exclude; ///< paths, from the file's folder
  std::optional<FailLevel> FailOn;
  std::optional<Severity> Least; ///< less severe findings are left out
  /// `via: auto`: the user's ptxas is asked where registers decide how many
  /// blocks reside.
  bool AsksNearSteps = false;
  // Shares of the time.
  std::optional<double> LeastGain, MaxRegression, Noise;
};

/// The name of the file.
constexpr StringRef LintConfigName = ".ptx-predict.yaml";

/// The nearest file of that name in \p Folder, absolute, or above it; empty if
/// there is none.
std::string findLintConfig(StringRef Folder);

/// Whether the user named a configuration, or it was found in a project.
enum class ConfigOrigin { Named, Found };

/// Reads the file in \p Diags, whose path is absolute. One that was found may
/// only name YAML and JSON files of its own project, links followed; as
/// `compile_commands` also a link to elsewhere, for a build folder. True on
/// error (reported): every error of the file, with its place.
bool readLintConfig(DiagnosticEngine &Diags, LintConfig &Result,
                    ConfigOrigin Origin = ConfigOrigin::Named);

/// "never", "note", "warning" or "error"; nothing for any other word.
std::optional<FailLevel> parseFailLevel(StringRef Text);

/// "3%" or "0.03": nothing unless it is from 0 to 1.
std::optional<double> parseShare(StringRef Text);

} // namespace ptxpredict

#endif // PTXPREDICT_REVIEW_LINTCONFIG_H

//===- LintResult.h - Findings, judged --------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REVIEW_LINTRESULT_H
#define PTXPREDICT_REVIEW_LINTRESULT_H

#include "ptxpredict/Review/InputRecord.h"

namespace ptxpredict {

/// What is to be done about a finding.
enum class FindingState {
  New,       ///< it counts
  Known,     ///< it is in the baseline
  Suppressed ///< the source or the configuration says to leave it out
};

/// One finding with what was decided of it.
struct LintFinding {
  size_t Input = 0;  ///< index into LintResult::Inputs
  size_t Kernel = 0; ///< index into the input's Kernels
  /// Paths are relative to the source root where they lie in it.
  Finding Found;
  /// 32 hexadecimal digits: the same after lines were moved, and in another
  /// folder; no two findings of a result have the same.
  std::string Fingerprint;
  FindingState State = FindingState::New;
  std::string Reason;              ///< of a suppression
  bool SuppressedInSource = false; ///< by a comment, not by the configuration
  /// The text of Found.Where's line; nothing if it cannot be read.
  std::optional<std::string> SourceLine;
  /// The text of Found.Where.InputLine in the input; empty if it is not known.
  std::string InputLine;
  bool Counts = false; ///< it is New and so severe that lint fails
  /// The number of the finding in the result, itself, that says the same of
  /// the same place for another kernel: instances of one template, or a
  /// function that several kernels call. The first of them has the greatest
  /// gain.
  size_t SameAs = 0;
  size_t NumSame = 1; ///< of the first one: how many say so, itself included
};

/// What `lint` found, by input, then by kernel, then best first.
struct LintResult {
  /// Their findings are moved to Findings. Paths are as those of findings.
  std::vector<InputRecord> Inputs;
  std::vector<LintFinding> Findings;
  /// Beside those of inputs: suppressions without reason and the like.
  std::vector<Diagnostic> Messages;
  /// Fingerprints of the baseline that no finding has any more.
  size_t NumGone = 0;
  bool HasBaseline = false; ///< one was given: New means that it is not in it
};

} // namespace ptxpredict

#endif // PTXPREDICT_REVIEW_LINTRESULT_H

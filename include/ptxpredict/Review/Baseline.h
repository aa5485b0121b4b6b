//===- Baseline.h - Findings that are there already -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REVIEW_BASELINE_H
#define PTXPREDICT_REVIEW_BASELINE_H

#include "ptxpredict/Review/LintResult.h"
#include "llvm/ADT/StringSet.h"

namespace ptxpredict {

/// "schema" and "version" of a baseline file
/// (docs/schemas/baseline.schema.json).
constexpr StringRef BaselineSchemaName = "ptx-predict/baseline";
constexpr unsigned BaselineSchemaVersion = 1;

/// The fingerprints in the baseline file in \p Diags. True on error (reported).
bool readBaseline(DiagnosticEngine &Diags, llvm::StringSet<> &Fingerprints);

/// Writes all findings of \p R that are not suppressed, one a line, sorted, so
/// that versions of the file can be compared and merged.
void printBaseline(const LintResult &R, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_REVIEW_BASELINE_H

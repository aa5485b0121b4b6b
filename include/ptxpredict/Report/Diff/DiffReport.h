//===- DiffReport.h - What changed, for people and machines -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_DIFF_DIFFREPORT_H
#define PTXPREDICT_REPORT_DIFF_DIFFREPORT_H

#include "ptxpredict/Report/Prediction/Report.h"
#include "ptxpredict/Review/KernelDiff.h"

namespace ptxpredict {

/// "schema" and "version" of the JSON. The version rises when a key is renamed
/// or taken away.
constexpr StringRef DiffSchemaName = "ptx-predict/diff";
constexpr unsigned DiffSchemaVersion = 1;

/// Each kernel with a change that matters, with what changed, then a line that
/// counts; for Verbose every kernel with every change, for Quiet the line of
/// each kernel and the last one.
void printDiffText(const DiffResult &R, raw_ostream &OS, Verbosity V,
                   bool Colors);

/// One JSON object, schema "ptx-predict/diff" (docs/schemas/diff.schema.json).
void printDiffJSON(const DiffResult &R, raw_ostream &OS);

/// For a comment on a pull request: a table, below it what else changed, of
/// each kernel behind a line that opens it.
void printDiffMarkdown(const DiffResult &R, raw_ostream &OS);

/// A page: the kernels of the text, each with its times as bars, what else
/// changed and its findings, and links to them.
void printDiffHTML(const DiffResult &R, raw_ostream &OS, Verbosity V);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_DIFF_DIFFREPORT_H

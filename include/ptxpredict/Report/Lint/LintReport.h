//===- LintReport.h - What lint found, for people and machines --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Where one place is found in several kernels (LintFinding::SameAs), people see
// it once, machines as often as it is. Each form is described in
// docs/formats/LintFormats.md.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_LINT_LINTREPORT_H
#define PTXPREDICT_REPORT_LINT_LINTREPORT_H

#include "ptxpredict/Report/Prediction/Report.h"
#include "ptxpredict/Review/LintResult.h"

namespace ptxpredict {

/// "schema" and "version" of the JSON. The version rises when a key is renamed
/// or taken away.
constexpr StringRef LintSchemaName = "ptx-predict/lint";
constexpr unsigned LintSchemaVersion = 1;

/// Each finding that is new, with the line that it is about, what would be
/// saved and what to do; for Verbose also those of the baseline and suppressed
/// ones, for Quiet one line each. Then a line that counts them. Messages of the
/// inputs are left to the caller, as those of other commands.
void printLintText(const LintResult &R, raw_ostream &OS, Verbosity V,
                   bool Colors);

/// One JSON object, schema "ptx-predict/lint" (docs/schemas/lint.schema.json).
void printLintJSON(const LintResult &R, raw_ostream &OS);

/// One run of SARIF 2.1.0 (OASIS), with at most 5,000 results: the worst ones,
/// as GitHub's code scanning shows no more. Relative paths are below \p
/// SourceRoot, an absolute path; if that is empty, below whatever the reader
/// thinks.
void printSARIF(const LintResult &R, raw_ostream &OS, StringRef SourceRoot);

/// A command for GitHub's runner for each new finding, and for errors and
/// warnings about inputs.
void printGitHubAnnotations(const LintResult &R, raw_ostream &OS);

/// An array for GitLab's Code Quality with an object for each new finding, and
/// for errors and warnings about inputs.
void printCodeQuality(const LintResult &R, raw_ostream &OS);

/// A document in reviewdog's diagnostic format (rdjson) with each new finding,
/// and errors and warnings about inputs.
void printRDJSON(const LintResult &R, raw_ostream &OS);

/// Each new finding at its place in the input, which is "<source>", as lines
/// that Compiler Explorer ties to its editor.
void printForCompilerExplorer(const LintResult &R, raw_ostream &OS);

/// A test suite for each input with a test for each of its kernels, which fails
/// if it has a finding that counts.
void printJUnit(const LintResult &R, raw_ostream &OS);

/// A summary and a table, for a comment on a pull request.
void printLintMarkdown(const LintResult &R, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_LINT_LINTREPORT_H

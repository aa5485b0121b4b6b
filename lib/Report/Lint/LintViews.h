//===- LintViews.h - What several forms of lint need ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_LINT_LINTVIEWS_H
#define PTXPREDICT_LIB_REPORT_LINT_LINTVIEWS_H

#include "ptxpredict/Report/Lint/LintReport.h"

namespace ptxpredict {

/// A finding as people see it: once for a place, however many kernels have it.
struct ShownFinding {
  const LintFinding *F; ///< of those of the same state, the one that gains most
  size_t Count;         ///< how many there are with that state
};

/// In the order of the result, of all states.
std::vector<ShownFinding> shownFindings(const LintResult &R);

/// Numbers of places, but for the kernels, which are those with a new finding.
struct LintSummary {
  size_t Errors = 0, Warnings = 0, Notes = 0; ///< that are new
  size_t Known = 0, Suppressed = 0;
  size_t Kernels = 0, Inputs = 0; ///< that have them
  size_t newOnes() const { return Errors + Warnings + Notes; }
};
LintSummary summarize(const LintResult &R, ArrayRef<ShownFinding> Shown);

/// "3 findings in 2 kernels of 2 inputs: 1 error, 2 warnings; 2 suppressed"
std::string summaryLine(const LintResult &R, ArrayRef<ShownFinding> Shown);

/// The \p Most worst ones, in the order of the result: those that are new
/// before known and suppressed ones, then by severity, then by gain.
std::vector<const LintFinding *> worstFindings(const LintResult &R,
                                               size_t Most);

const KernelRecord &kernelOf(const LintResult &R, const LintFinding &F);
/// The name of \p S' kernel, "5 kernels, such as NAME" for several; long names
/// are cut.
std::string kernelText(const LintResult &R, const ShownFinding &S);

/// "new", "known" or "suppressed".
StringRef toString(FindingState S);
/// "suppressed  in the source: REASON" in two parts; empty of a new one.
std::pair<StringRef, std::string> stateText(const LintFinding &F);

/// As \ref printWithLines, with the lines that \p F has.
void printWithLines(const LintResult &R, const LintFinding &F, raw_ostream &OS,
                    bool Colors);
/// The message, then gain and help on lines of their own, unless there are
/// none. Ends without a line break.
std::string messageWithDetails(const Finding &F);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_REPORT_LINT_LINTVIEWS_H

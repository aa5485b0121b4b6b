//===- TimeReportViews.h - Where processor time went ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_WRITERS_TIMEREPORTVIEWS_H
#define PTXPREDICT_REPORT_WRITERS_TIMEREPORTVIEWS_H

#include "ptxpredict/Support/TimeReport.h"

namespace ptxpredict {

/// A table of the stages that were called, then of what no stage accounts for,
/// then the sum: \p Seconds, which the process used.
void printTimeReportText(const TimeReport &R, double Seconds, raw_ostream &OS);

/// The same on one line: {"stages": [{"name", "calls", "seconds"}], "seconds"}.
void printTimeReportJSON(const TimeReport &R, double Seconds, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_WRITERS_TIMEREPORTVIEWS_H

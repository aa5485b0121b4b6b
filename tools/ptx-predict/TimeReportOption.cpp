//===- TimeReportOption.cpp - --time-report of every subcommand -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TimeReportOption.h"
#include "CapturedRun.h"
#include "ptxpredict/Report/Writers/TimeReportViews.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

enum Form : unsigned { FormText, FormJSON };

/// What is measured, and how it is printed in the end.
struct Measurement {
  TimeReport Report;
  unsigned Form;
};

} // namespace

/// Empty unless the option was given.
static std::optional<Measurement> &measurement() {
  static std::optional<Measurement> TheMeasurement;
  return TheMeasurement;
}

bool TimeReportOption::read() {
  if (Form.getNumOccurrences() == 0)
    return false;
  if (CapturedRun::current())
    return usageError("--time-report measures a process, and is of the "
                      "command alone") != Done;
  unsigned Chosen = FormText;
  if (!Form.empty() &&
      readChoice("time-report", Form, {"text", "json"}, Chosen))
    return true;
  measurement().emplace().Form = Chosen;
  return false;
}

void tool::printTimeReport() {
  std::optional<Measurement> &M = measurement();
  if (!M)
    return;
  const double Seconds = TimeReport::processSeconds();
  if (M->Form == FormJSON)
    printTimeReportJSON(M->Report, Seconds, llvm::errs());
  else
    printTimeReportText(M->Report, Seconds, llvm::errs());
  M.reset();
}

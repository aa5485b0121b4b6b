//===- TimeReportOption.h - --time-report of every subcommand ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_TIMEREPORTOPTION_H
#define PTXPREDICT_TOOLS_TIMEREPORTOPTION_H

#include "CommandLine.h"

namespace ptxpredict::tool {

/// The option; registered while it lives.
class TimeReportOption {
public:
  /// Starts to measure if the option was given. True on error (reported).
  bool read();

private:
  StringOpt Form{"time-report", cl::ValueOptional, cl::value_desc("text|json"),
                 cl::cat(category()),
                 cl::desc("Prints calls and processor time of each stage to "
                          "standard error at the end")};
};

/// Prints what was measured; nothing if the option was not given.
void printTimeReport();

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_TIMEREPORTOPTION_H

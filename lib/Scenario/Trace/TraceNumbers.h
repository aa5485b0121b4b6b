//===- TraceNumbers.h - Numbers of traces and their units -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_TRACE_TRACENUMBERS_H
#define PTXPREDICT_LIB_SCENARIO_TRACE_TRACENUMBERS_H

#include "ptxpredict/Support/LLVM.h"
#include <optional>
#include <string>
#include <utility>

namespace ptxpredict {

/// A decimal number as it is printed, "-1,048.25", perhaps with an exponent.
struct DecimalCell {
  double Value = 0; ///< finite
  double Step = 0;  ///< of its last digit: 0.01; 0 with an exponent
  /// Without the point, where that fits: Value / Step, exact.
  std::optional<int64_t> Digits;
};

/// Nothing if \p Text is none. Commas are allowed between groups of three
/// digits.
std::optional<DecimalCell> readDecimalCell(StringRef Text);

/// \p D, in units of \p Unit, as a whole number, rounded only where it has a
/// fraction; nothing if it is beyond \p Limit. \p Unit is a power of ten.
std::optional<int64_t> wholeUnits(const DecimalCell &D, double Unit,
                                  int64_t Limit);

/// Name and unit of a column's heading, perhaps in quotes: "Start (ns)",
/// "Start(sec)" or, where it is written as the report's query has it,
/// "Start:ts_ns".
std::pair<StringRef, StringRef> splitHeading(StringRef Cell);
/// Nanoseconds of "ns", "nsec", "us", "ms", "s" and the like.
std::optional<double> nanosecondsOf(StringRef Unit);
/// Bytes of "B", "KB", "MB", "MiB" and the like.
std::optional<double> bytesOf(StringRef Unit);

/// Whole nanoseconds in seconds and in microseconds, exact: "0.0000015", "1.5".
std::string secondsText(int64_t Ns);
std::string microsecondsText(int64_t Ns);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_TRACE_TRACENUMBERS_H

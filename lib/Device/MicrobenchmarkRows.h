//===- MicrobenchmarkRows.h - Microbenchmarks.def as data -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_DEVICE_MICROBENCHMARKROWS_H
#define PTXPREDICT_LIB_DEVICE_MICROBENCHMARKROWS_H

#include "ptxpredict/Support/LLVM.h"

namespace ptxpredict {

/// How a result decides a number; Microbenchmarks.def has what each means.
enum class CalibrationRule {
  Value,
  Lane,
  Latency,
  Lanes,
  Matrix,
  Share,
  Memory,
  Dispatch,
  None
};

struct MicrobenchmarkRow {
  CalibrationRule Rule;
  StringRef Name, Unit;
  StringRef Field;     ///< "latencies.fp32"; empty without one
  StringRef Parameter; ///< of the model bottleneck; empty without one

  /// Whether the row is about results of that name.
  bool isOf(StringRef Result) const;
};

/// In the order of the table.
ArrayRef<MicrobenchmarkRow> microbenchmarkRows();

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_DEVICE_MICROBENCHMARKROWS_H

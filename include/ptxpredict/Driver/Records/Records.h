//===- Records.h - Records of inputs, from the cache if possible *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_RECORDS_RECORDS_H
#define PTXPREDICT_DRIVER_RECORDS_RECORDS_H

#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Review/InputRecord.h"
#include "ptxpredict/Support/ContentCache.h"
#include <functional>

namespace ptxpredict {

/// What \ref recordInputs is asked besides the inputs.
struct RecordRequest {
  DriverOptions Options;
  ContentCache Cache; ///< one that keeps nothing, unless said otherwise
  /// Called now and then, by one thread at a time.
  std::function<void(size_t Done, size_t All)> OnProgress = nullptr;
};

/// What came of it.
struct RecordAnswer {
  std::vector<InputRecord> Inputs; ///< in their order
  /// What is wrong with options, launch or device files; with an error, Inputs
  /// are not what was asked for.
  std::vector<Diagnostic> Messages;
  bool Failed = false;       ///< Messages have an error
  bool UsesCounters = false; ///< a kernel has counters in the file of those
  size_t NumCached = 0;      ///< inputs that were in the cache
};

/// Analyses all kernels of all inputs, predicts them, and finds what costs them
/// time, but for inputs that the cache has under the same options, with the
/// same content, by the same program. Options about single kernels, an
/// assembler's answers and source are not kept.
RecordAnswer recordInputs(std::vector<DriverInput> Inputs, RecordRequest R);

/// A hash of this program and of all libraries that it runs with: the build-ids
/// that linkers put into them, or size and time of the files without.
const std::string &programIdentity();

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_RECORDS_RECORDS_H

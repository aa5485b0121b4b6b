//===- CounterOptions.h - Counters of a profiler ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_COUNTEROPTIONS_H
#define PTXPREDICT_TOOLS_COUNTEROPTIONS_H

#include "CommandLine.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"

namespace ptxpredict::tool {

/// The options of a profiler's counters; registered while it lives.
struct CounterOptions {
  StringOpt Counters{"counters", cl::value_desc("file.csv"),
                     cl::cat(category()),
                     cl::desc("Counters of 'ncu --csv' or 'nvprof --csv', in "
                              "place of estimates")};
  StringOpt LaunchIndex{
      "launch-index", cl::value_desc("number"), cl::cat(category()),
      cl::desc("Of --counters that launch of each kernel, from 0 (default: the "
               "mean of all)")};

  /// Checks the values and moves them over, behind those of a profile. True on
  /// error (reported).
  bool read(DriverOptions &Result) const {
    if (readPath(Counters, Result.CountersPath))
      return true;
    if (LaunchIndex.getNumOccurrences() != 0) {
      uint64_t Index = 0;
      if (StringRef(LaunchIndex).getAsInteger(10, Index))
        return valueError("launch-index", "a number from 0", LaunchIndex);
      Result.LaunchIndex = Index;
    }
    if (Result.CountersPath.empty())
      return Result.LaunchIndex &&
             usageError("--launch-index is of --counters") != Done;
    return !Result.ProfilePath.empty() &&
           usageError("--counters and --profile exclude each other") != Done;
  }
};

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_COUNTEROPTIONS_H

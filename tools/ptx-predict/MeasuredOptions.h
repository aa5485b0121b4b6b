//===- MeasuredOptions.h - What a kernel was seen to take -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_MEASUREDOPTIONS_H
#define PTXPREDICT_TOOLS_MEASUREDOPTIONS_H

#include "CommandLine.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Support/Text.h"

namespace ptxpredict::tool {

/// The options of measured times; registered while it lives.
struct MeasuredOptions {
  StringList Us{"measured-us", cl::value_desc("[glob=]us"), cl::cat(category()),
                cl::desc("What a kernel took: also shows this times the "
                         "predicted ratio of two times (repeatable)")};
  StringOpt At{"measured-at", cl::value_desc("core[,memory]"),
               cl::cat(category()),
               cl::desc("MHz at which --measured-us was measured (default: "
                        "what is predicted without a sweep)")};

  /// Checks the values and moves them over. True on error (reported).
  bool read(MeasuredTimes &Result) const {
    for (StringRef Text : Us) {
      auto [Glob, Number] =
          Text.contains('=') ? Text.rsplit('=') : std::pair(StringRef(), Text);
      const std::optional<double> T = parseNumber(Number);
      constexpr double Least = 1e-6, Most = 1e12;
      if (!T || *T < Least || *T > Most || (Glob.empty() && Text.contains('=')))
        return valueError("measured-us",
                          "US or GLOB=US, US a number from 1e-6 to 1e12", Text);
      MeasuredTimes::Time &Time = Result.Times.emplace_back();
      Time.Us = *T;
      if (Glob.empty())
        continue;
      Expected<OwnedGlob> Kernels = OwnedGlob::create(Glob);
      if (!Kernels)
        return usageError("--measured-us: " +
                          llvm::toString(Kernels.takeError())) != Done;
      Time.Kernels = std::move(*Kernels);
    }
    if (At.getNumOccurrences() == 0)
      return false;
    if (Result.Times.empty())
      return usageError("--measured-at is of --measured-us") != Done;
    auto [Core, Memory] = StringRef(At).split(',');
    Result.CoreMHz = parseNumber(Core);
    if (StringRef(At).contains(','))
      Result.MemMHz = parseNumber(Memory);
    auto IsClock = [](double MHz) { return MHz >= 1 && MHz <= 1e5; };
    return (!IsClock(Result.CoreMHz.value_or(0)) ||
            !IsClock(Result.MemMHz.value_or(1)) ||
            StringRef(At).contains(',') != Result.MemMHz.has_value()) &&
           valueError("measured-at",
                      "CORE or CORE,MEMORY, from 1 to 100000 MHz", At);
  }
};

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_MEASUREDOPTIONS_H

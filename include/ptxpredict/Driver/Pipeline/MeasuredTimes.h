//===- MeasuredTimes.h - Times that kernels were seen to take ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_PIPELINE_MEASUREDTIMES_H
#define PTXPREDICT_DRIVER_PIPELINE_MEASUREDTIMES_H

#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/OwnedGlob.h"
#include <optional>
#include <vector>

namespace ptxpredict {

/// What kernels took on the device at one pair of clocks: predictions at others
/// are scaled by it.
struct MeasuredTimes {
  struct Time {
    std::optional<OwnedGlob> Kernels; ///< nothing: the only kernel
    double Us = 0;

    bool isOf(const KernelNames &Names) const {
      return !Kernels || Names.matches(*Kernels);
    }
  };
  std::vector<Time> Times; ///< the last one that is of a kernel counts
  /// The clocks; nothing for those that are predicted without a sweep.
  std::optional<double> CoreMHz, MemMHz;

  const Time *of(const KernelNames &Names) const {
    for (size_t N = Times.size(); N != 0; --N)
      if (Times[N - 1].isOf(Names))
        return &Times[N - 1];
    return nullptr;
  }
};

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_PIPELINE_MEASUREDTIMES_H

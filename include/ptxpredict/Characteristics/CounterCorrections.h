//===- CounterCorrections.h - What was measured of a kernel -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CHARACTERISTICS_COUNTERCORRECTIONS_H
#define PTXPREDICT_CHARACTERISTICS_COUNTERCORRECTIONS_H

#include "ptxpredict/Launch/CounterFile.h"
#include "ptxpredict/Support/Estimate.h"
#include <cmath>

namespace ptxpredict {

/// By what a number of an analysis is multiplied to be the one that a profiler
/// counted, for each end of an estimate. A change of the kernel keeps it, so
/// that what the change saves is a share of what was counted.
struct CounterFactor {
  double Value = 1, Low = 1, High = 1;
  bool IsCounted = false; ///< there is such a counter
  double OfWarp = 0;      ///< what was counted, of a warp

  /// The counted number in the place of \p Number, the end \p Which of an
  /// estimate that may have no bound.
  double apply(double Number, double Estimate::*Which) const {
    if (!IsCounted)
      return Number;
    return std::isfinite(Number) ? Number * (Which == &Estimate::Low    ? Low
                                             : Which == &Estimate::High ? High
                                                                        : Value)
                                 : OfWarp;
  }
};

/// Counters of a kernel's launch on one device, in place of estimates.
struct CounterCorrections {
  KernelCounters Counters;
  /// What the counters lack to replace estimates of the model `bottleneck`.
  std::vector<Counter> Missing;
  /// Machine instructions; passes of shared memory; sectors that loads ask L1
  /// for; sectors that are read from and written to L2; those of device memory,
  /// and of these the written ones.
  CounterFactor Instructions, SharedPasses, LoadSectors, L2Reads, L2Writes,
      DRAM, DRAMWrites;

  /// "counters of 3 launches"
  std::string description() const {
    const uint64_t N = Counters.Launches;
    return "counters of " + std::to_string(N) +
           (N == 1 ? " launch" : " launches");
  }
};

} // namespace ptxpredict

#endif // PTXPREDICT_CHARACTERISTICS_COUNTERCORRECTIONS_H

//===- WorkSplit.h - One kernel's work on several devices -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Hong, PhD thesis, 2012, 5.9, splits a kernel between a CPU and a GPU by
// the throughput that the model predicts of each; it says that transfers must
// be added and gives no equation. docs/models/WorkSplit.md has ours.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_WORKSPLIT_H
#define PTXPREDICT_MODEL_WORKSPLIT_H

#include "ptxpredict/Support/LLVM.h"
#include <vector>

namespace ptxpredict {

/// A device as the split sees it.
struct SplitDevice {
  /// For all of the work, without transfers: work / performance. Above 0;
  /// infinite for a device that cannot run the kernel.
  double Seconds = 0;
  /// That all of the work takes over the device's link, both ways; a share of
  /// the work takes as much of them.
  double Bytes = 0;
  /// Taken whatever the share: data that every device needs whole, the link's
  /// latency, a launch.
  double FixedSeconds = 0;
  /// Of the link, GB/s (1e9 bytes); 0: the data lie in the device's memory.
  double LinkGBs = 0;

  /// For all of the work, transfers included, without what is fixed.
  double secondsOfAll() const;
};

struct WorkSplit {
  std::vector<double> Shares; ///< by device, from 0 to 1; their sum is 1
  double Seconds = 0;         ///< until the last one is done
};

/// share_i = Perf_i / sum of Perf: all devices end together, without transfers.
/// Performances are in any one unit, at least one above 0.
std::vector<double> sharesByPerformance(ArrayRef<double> Performances);

/// The split that ends soonest if transfers and work of a device do not
/// overlap: the devices that take part end together, and one that could not
/// start before the others end has no share. No devices, or none that could
/// run: no shares and no time.
WorkSplit splitWork(ArrayRef<SplitDevice> Devices);

/// The time of any other split of \p Shares over \p Devices.
double secondsOfSplit(ArrayRef<SplitDevice> Devices, ArrayRef<double> Shares);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_WORKSPLIT_H

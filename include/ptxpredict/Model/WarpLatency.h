//===- WarpLatency.h - How long a warp takes on a device --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_WARPLATENCY_H
#define PTXPREDICT_MODEL_WARPLATENCY_H

#include "ptxpredict/Model/KernelOnDevice.h"

namespace ptxpredict {

/// A device's latencies by name, in core cycles. Its file has few of them; one
/// that it does not have is that of the nearest work that it has: divisions but
/// of doubles, conversions and approximations that of the special-function
/// unit, other arithmetic that of integers or floats, values from other lanes
/// that of shared memory, memory outside of the SM that of device memory,
/// barriers, branches, parameters and the like that of integers. Nothing hits
/// in a cache but parameters and constants.
LatencyTable latenciesOf(const Device &D);

/// A warp that has an SM for itself.
struct WarpLatency {
  Estimate Cycles;          ///< of the core clock
  double LoadsInFlight = 0; ///< long loads, in the mean while there are some
  std::vector<PathCharacteristics> Waits; ///< longest first, a few
};

/// The critical path of a warp of the kernel on its device, in the mean over
/// the warps. Clocks and SMs do not change it. Found once for \p On and its
/// copies.
WarpLatency findWarpLatency(const KernelOnDevice &On);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_WARPLATENCY_H

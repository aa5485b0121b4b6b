//===- CacheHits.h - What a device's caches may hold ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_CACHEHITS_H
#define PTXPREDICT_MODEL_CACHEHITS_H

#include "ptxpredict/Model/KernelOnDevice.h"
#include <optional>

namespace ptxpredict {

/// Shares, from 0 to 1, of the sectors of global memory that requests touch.
/// Absent where the device's file does not say how large the cache is.
struct CacheHits {
  /// Of loads, in a block's share of what shared memory leaves of an SM's L1.
  /// Whether loads go through L1 at all, the architecture's policy and the
  /// instruction's cache operator decide.
  std::optional<Estimate> L1;
  /// Of all requests, in L2 with the resident blocks of all SMs side by side,
  /// as if there were no L1.
  std::optional<Estimate> L2;
  /// The same of loads. What is written where it was read hits, and says
  /// nothing of them.
  std::optional<Estimate> L2Loads;
};

/// Nothing where the launch was not given, or no block fits. Clocks do not
/// change it, and all SMs take part. Found once for \p On and its copies.
std::optional<CacheHits> findCacheHits(const KernelOnDevice &On);

/// Shares of accesses to local memory that the caches serve: threads go through
/// it again and again, and each finds it where one before left it. What is too
/// much for a cache misses.
struct LocalHits {
  double L1 = 0; ///< of all
  double L2 = 0; ///< of what leaves L1
};
/// \p BytesOfThread: what a thread keeps there.
LocalHits findLocalHits(const KernelOnDevice &On, double BytesOfThread);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_CACHEHITS_H

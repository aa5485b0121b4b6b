//===- OnDeviceCache.h - What was found of a kernel on a device -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_MODEL_ONDEVICECACHE_H
#define PTXPREDICT_LIB_MODEL_ONDEVICECACHE_H

#include "ptxpredict/Model/MemoryTraffic.h"
#include "ptxpredict/Model/WarpLatency.h"
#include <mutex>
#include <utility>
#include <vector>

namespace ptxpredict {

/// Traffic by the value and by both ends of every count, each once somebody
/// asked for it.
struct TrafficRange {
  std::optional<MemoryTraffic> Value, Low, High;
};

/// What was found of a kernel on a device, each entry once.
class OnDeviceCache {
public:
  /// Traffic asks for hit rates.
  std::recursive_mutex Mutex;
  /// The outer one is empty until they were looked for.
  std::optional<std::optional<CacheHits>> Hits;
  /// By what is left out.
  std::vector<std::pair<BottleneckParts, TrafficRange>> Traffic;
  std::optional<WarpLatency> Warp;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_MODEL_ONDEVICECACHE_H

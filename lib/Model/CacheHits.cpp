//===- CacheHits.cpp - What a device's caches may hold --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/CacheHits.h"
#include "OnDeviceCache.h"
#include "ptxpredict/Analysis/Locality/HitRates.h"
#include "ptxpredict/Support/TimeReport.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

/// Of an SM, at a time.
static double residentBlocks(const KernelOnDevice &On) {
  return std::min(
      double(On.Occ.BlocksPerSM),
      std::ceil(double(On.Kernel.Launch.blocks()) / *On.Dev.NumSMs));
}

/// Bytes that a block takes away from an L1 that has shared memory in it, which
/// has room for all of that.
static double sharedInL1(const KernelOnDevice &On) {
  if (!On.Dev.hasUnifiedL1())
    return 0;
  return double(blockResources(On.Kernel, On.Registers).SharedBytes) +
         *On.Dev.SharedReservedPerBlock;
}

static std::optional<CacheHits> estimateCacheHits(const KernelOnDevice &On) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  if (!K.Reuse || On.Occ.BlocksPerSM == 0 || !(D.L1Bytes || D.L2Bytes))
    return std::nullopt;
  StageTimer Timer(Stage::HitRates);
  const double OfSM = residentBlocks(On);
  CacheHits Hits;
  CacheUse Use;
  if (D.L1Bytes) {
    // Blocks side by side on an SM are far from each other in the grid, as are
    // those that follow each other there: each has its share for itself. What
    // all of them touch stays.
    Use.Bytes = std::max(0.0, *D.L1Bytes / OfSM - sharedInL1(On));
    Use.EmptyAtBlocks = Use.KeepsCommon = true;
    Hits.L1 =
        estimateHitRates(*K.Reuse, Use).Loads.weakenedTo(Status::Estimated);
  }
  if (D.L2Bytes) {
    Use.Bytes = *D.L2Bytes;
    Use.ResidentBlocks = std::min(double(K.Launch.blocks()), OfSM * *D.NumSMs);
    Use.EmptyAtBlocks = false;
    const HitRates OfL2 = estimateHitRates(*K.Reuse, Use);
    Hits.L2 = OfL2.All.weakenedTo(Status::Estimated);
    Hits.L2Loads = OfL2.Loads.weakenedTo(Status::Estimated);
  }
  return Hits;
}

std::optional<CacheHits> ptxpredict::findCacheHits(const KernelOnDevice &On) {
  OnDeviceCache &Cache = On.cache();
  std::lock_guard<std::recursive_mutex> Lock(Cache.Mutex);
  if (!Cache.Hits)
    Cache.Hits = estimateCacheHits(On);
  return *Cache.Hits;
}

LocalHits ptxpredict::findLocalHits(const KernelOnDevice &On,
                                    double BytesOfThread) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  const double OfSM =
      BytesOfThread * double(K.Launch.threadsPerBlock()) * residentBlocks(On);
  auto Share = [](double Bytes, double Needed) {
    return Needed > 0 ? std::clamp(Bytes / Needed, 0.0, 1.0) : 0;
  };
  LocalHits Hits;
  if (D.L1Bytes)
    Hits.L1 = Share(*D.L1Bytes - sharedInL1(On) * residentBlocks(On), OfSM);
  if (D.L2Bytes)
    Hits.L2 = Share(*D.L2Bytes, OfSM * *D.NumSMs);
  return Hits;
}

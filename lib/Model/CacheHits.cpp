//===- CacheHits.cpp - What a device's caches may hold --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/CacheHits.h"
#include "ptxpredict/Analysis/HitRates.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

std::optional<CacheHits> ptxpredict::findCacheHits(const KernelOnDevice &On) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  if (!K.Reuse || On.Occ.BlocksPerSM == 0 || !(D.L1Bytes || D.L2Bytes))
    return std::nullopt;
  double Blocks = double(K.Launch.blocks());
  double OfSM =
      std::min(double(On.Occ.BlocksPerSM), std::ceil(Blocks / *D.NumSMs));
  CacheHits Hits;
  CacheUse Use;
  if (D.L1Bytes) {
    // An L1 that has shared memory in it has room for all of that.
    double Shared = D.hasUnifiedL1()
                        ? double(blockResources(K, On.Registers).SharedBytes) +
                              *D.SharedReservedPerBlock
                        : 0;
    // Blocks side by side on an SM are far from each other in the grid, as are
    // those that follow each other there: each has its share for itself. What
    // all of them touch stays.
    Use.Bytes = std::max(0.0, *D.L1Bytes / OfSM - Shared);
    Use.EmptyAtBlocks = Use.KeepsCommon = true;
    Hits.L1 =
        estimateHitRates(*K.Reuse, Use).Loads.weakenedTo(Status::Estimated);
  }
  if (D.L2Bytes) {
    Use.Bytes = *D.L2Bytes;
    Use.ResidentBlocks = std::min(Blocks, OfSM * *D.NumSMs);
    Use.EmptyAtBlocks = false;
    Hits.L2 = estimateHitRates(*K.Reuse, Use).All.weakenedTo(Status::Estimated);
  }
  return Hits;
}

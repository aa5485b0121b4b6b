//===- CacheObserver.h - What would hit in caches, from a run ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The judge of estimated hit rates. The cache that it simulates:
//
// - It is fully associative, of whole sectors of 32 bytes, and evicts the one
//   that was touched longest ago.
// - Every request to global memory touches each sector that its active lanes
//   touch, once, in the order of the lanes; copies to and from global memory
//   do, and a generic request as far as it is global. Local and shared memory
//   is not seen, nor are bulk copies and prefetches.
// - Loads, stores and atomics are alike: what misses is brought in.
// - Requests come in the order in which the emulator runs them: the blocks one
//   after the other by number, the warps of a block in turn, each until it ends
//   or waits at a barrier.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_CACHESIM_CACHEOBSERVER_H
#define PTXPREDICT_TEST_CACHESIM_CACHEOBSERVER_H

#include "LruStack.h"
#include "ptxpredict/Emulator/Core/Emulator.h"

namespace ptxpredict::cachesim {

/// Touches of sectors, and how many of them hit.
struct HitCounts {
  uint64_t Touches = 0;
  std::vector<uint64_t> Hits; ///< by size of the cache
};

/// Counts the hits of caches of several sizes, in bytes. What is left of a size
/// beside whole sectors is not used.
class CacheCounter {
public:
  explicit CacheCounter(ArrayRef<uint64_t> Sizes)
      : Sizes(Sizes.begin(), Sizes.end()) {
    Counts.Hits.resize(Sizes.size());
  }

  /// The sectors of a request.
  void touch(ArrayRef<uint64_t> Sectors);
  /// Empties the caches.
  void clear() { Stack.clear(); }
  const HitCounts &counts() const { return Counts; }

private:
  std::vector<uint64_t> Sizes;
  HitCounts Counts;
  LruStack Stack;
};

class CacheObserver : public EmulationObserver {
public:
  enum class Scope {
    Grid, ///< one cache for the launch
    Block ///< empty at each block; where blocks wait for each other, also when
          ///< one goes on
  };

  /// With \p ReadsAlone stores pass by.
  CacheObserver(Scope Of, ArrayRef<uint64_t> Sizes, bool ReadsAlone = false)
      : CacheScope(Of), ReadsAlone(ReadsAlone), Cache(Sizes) {}

  void onRequest(uint64_t Block, unsigned Warp, const Instruction &I,
                 AddressSpace Space, const WarpAccess &A) override;

  const HitCounts &counts() const { return Cache.counts(); }

private:
  Scope CacheScope;
  bool ReadsAlone;
  CacheCounter Cache;
  uint64_t LastBlock = 0;
};

} // namespace ptxpredict::cachesim

#endif // PTXPREDICT_TEST_CACHESIM_CACHEOBSERVER_H

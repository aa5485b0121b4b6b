//===- CacheObserver.cpp - What would hit in caches, from a run -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CacheObserver.h"
#include "Sectors.h"

using namespace ptxpredict;
using namespace ptxpredict::cachesim;

void CacheCounter::touch(ArrayRef<uint64_t> Sectors) {
  for (uint64_t S : Sectors) {
    ++Counts.Touches;
    if (std::optional<uint64_t> Distance = Stack.touch(S))
      for (size_t N = 0; N != Sizes.size(); ++N)
        Counts.Hits[N] += *Distance < Sizes[N] / SectorBytes;
  }
}

void CacheObserver::onRequest(uint64_t Block, unsigned /*Warp*/,
                              const Instruction &I, AddressSpace Space,
                              const WarpAccess &A) {
  if (Space != AddressSpace::Global || (ReadsAlone && !isRead(I)))
    return;
  if (CacheScope == Scope::Block && Block != LastBlock)
    Cache.clear();
  LastBlock = Block;
  Cache.touch(sectorsOf(A));
}

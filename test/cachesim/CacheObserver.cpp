//===- CacheObserver.cpp - What would hit in caches, from a run -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CacheObserver.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::cachesim;

void CacheObserver::onRequest(uint64_t Block, unsigned /*Warp*/,
                              const Instruction & /*I*/, AddressSpace Space,
                              const WarpAccess &A) {
  if (Space != AddressSpace::Global)
    return;
  if (Of == Scope::Block && Block != LastBlock)
    Stack.clear();
  LastBlock = Block;

  SmallVector<uint64_t, 64> Sectors;
  for (unsigned L = 0; L != WarpLanes; ++L) {
    if (!A.isActive(L))
      continue;
    uint64_t Last = (A.Address[L] + A.BytesPerLane - 1) / SectorBytes;
    for (uint64_t S = A.Address[L] / SectorBytes; S <= Last; ++S)
      if (!llvm::is_contained(Sectors, S))
        Sectors.push_back(S);
  }
  for (uint64_t S : Sectors) {
    ++Counts.Touches;
    if (std::optional<uint64_t> Distance = Stack.touch(S))
      for (size_t N = 0; N != Sizes.size(); ++N)
        Counts.Hits[N] += *Distance < Sizes[N] / SectorBytes;
  }
}

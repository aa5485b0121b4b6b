//===- Arena.h - Memory for many small objects of one life ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_ARENA_H
#define PTXPREDICT_SUPPORT_ARENA_H

#include "llvm/Support/Allocator.h"

namespace ptxpredict {

/// Slabs for an Arena. Large ones ask for huge pages: a syntax tree of many
/// megabytes is written once from end to end, and a fault for every 4 KiB would
/// take a sixth of the time.
class SlabAllocator {
public:
  // The names that BumpPtrAllocatorImpl asks for.
  void *Allocate(size_t Size, size_t Alignment);
  void Deallocate(const void *Slab, size_t Size, size_t Alignment);
};

/// A BumpPtrAllocator whose slabs double, so that a small tree has small ones.
using Arena = llvm::BumpPtrAllocatorImpl<SlabAllocator, /*SlabSize=*/1 << 14,
                                         /*SizeThreshold=*/1 << 14,
                                         /*GrowthDelay=*/1>;

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_ARENA_H

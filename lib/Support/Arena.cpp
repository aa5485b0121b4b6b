//===- Arena.cpp - Memory for many small objects of one life --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Arena.h"
#include "llvm/Support/MemAlloc.h"
#include <sys/mman.h>

using namespace ptxpredict;

static constexpr size_t HugePage = size_t(1) << 21;

static size_t slabAlignment(size_t Size, size_t Alignment) {
  return Size >= HugePage ? HugePage : Alignment;
}

void *SlabAllocator::Allocate(size_t Size, size_t Alignment) {
  void *Slab = llvm::allocate_buffer(Size, slabAlignment(Size, Alignment));
#ifdef MADV_HUGEPAGE
  if (Size >= HugePage) // advice: where it is not taken nothing is lost
    (void)::madvise(Slab, Size, MADV_HUGEPAGE);
#endif
  return Slab;
}

void SlabAllocator::Deallocate(const void *Slab, size_t Size,
                               size_t Alignment) {
  llvm::deallocate_buffer(const_cast<void *>(Slab), Size,
                          slabAlignment(Size, Alignment));
}

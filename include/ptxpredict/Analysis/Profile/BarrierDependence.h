//===- BarrierDependence.h - What barriers keep in order --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Between the barriers before and behind it a barrier of the block keeps the
// accesses before it from those behind it. Without two that may touch the same
// bytes from different threads, one of them writing, it orders nothing.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_PROFILE_BARRIERDEPENDENCE_H
#define PTXPREDICT_ANALYSIS_PROFILE_BARRIERDEPENDENCE_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"

namespace ptxpredict {

struct BarrierDependence {
  const Instruction *Barrier = nullptr;
  /// Proven to order no accesses, with pointer arguments that point to distinct
  /// buffers. Of several that do the work of one, one is not redundant.
  bool IsRedundant = false;
};

/// For the barriers of the kernel \p V is of (not of functions that it calls)
/// that are for all threads of the block, in the order of the code. Holds for
/// this launch, and where the block is assumed for blocks of its kind. Cost is
/// linear in the code: where barriers are so entangled that more would have to
/// be looked at, they count as needed.
std::vector<BarrierDependence> findBarrierDependence(const SymbolicValues &V,
                                                     const LaunchConfig &L);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_PROFILE_BARRIERDEPENDENCE_H

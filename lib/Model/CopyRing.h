//===- CopyRing.h - Buffers that bulk copies fill in turn -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A block has as many bulk copies under way as it has buffers. A buffer that
// warps have read is filled again: it goes round by a copy, a wait and what is
// done with what it holds. docs/models/Bottleneck.md has the equations.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_MODEL_COPYRING_H
#define PTXPREDICT_LIB_MODEL_COPYRING_H

#include "ptxpredict/Model/KernelOnDevice.h"
#include "ptxpredict/Model/MemoryTraffic.h"

namespace ptxpredict {

/// The pipeline of a block that takes longest, as copies go.
struct CopyRing {
  double Steps = 0;  ///< buffers that a block's warps wait for; 0: no ring
  double Stages = 1; ///< buffers
  /// From where a buffer is free to where it is known to be full again: core
  /// cycles, and those of the boost clock behind L2.
  double Cycles = 0, CyclesBeyondL2 = 0;
};

/// Of mbarriers that bulk copies complete, whose number is known (WarpRoles).
/// \p Traffic is that of a warp in the mean.
CopyRing findCopyRing(const KernelOnDevice &On, const MemoryTraffic &Traffic,
                      double Estimate::*Which);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_MODEL_COPYRING_H

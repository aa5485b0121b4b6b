//===- Spills.h - What registers in memory cost a warp ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_SPILLS_H
#define PTXPREDICT_MODEL_SPILLS_H

#include "ptxpredict/Model/KernelOnDevice.h"

namespace ptxpredict {

/// Requests of a warp, of 4 bytes a lane, by which a compiler keeps registers
/// in local memory. It says how many instructions there are and not where: they
/// are taken to run as often as the mean instruction of the kernel.
struct Spills {
  double Stores = 0, Loads = 0;

  explicit operator bool() const { return Stores + Loads > 0; }
};

/// None where nobody said that there are any. \p Which: of every count.
Spills spillsOf(const KernelCharacteristics &K,
                double Count::*Which = &Count::Value);

/// Shares of them that the caches serve, by room alone: what all resident
/// threads keep there is used again before anything else.
struct SpillHits {
  double L1 = 0; ///< of all
  double L2 = 0; ///< of what leaves L1
};
SpillHits spillHits(const KernelOnDevice &On);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_SPILLS_H

//===- Spills.h - What registers in memory cost a warp ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_SPILLS_H
#define PTXPREDICT_MODEL_SPILLS_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"

namespace ptxpredict {

/// Requests of a warp, of 4 bytes a lane, by which a compiler keeps registers
/// in local memory. It says how many instructions there are and not where: they
/// are taken to run as often as the mean instruction of the kernel.
struct Spills {
  double Stores = 0, Loads = 0;

  explicit operator bool() const { return Stores + Loads > 0; }
};

/// None where nobody said that there are any, or the code has them itself. \p
/// Which: of every count.
Spills spillsOf(const KernelCharacteristics &K,
                double Estimate::*Which = &Estimate::Value);

/// Bytes of a thread's local memory that they take.
double spilledBytes(const KernelCharacteristics &K);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_SPILLS_H

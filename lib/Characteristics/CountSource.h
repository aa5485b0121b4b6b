//===- CountSource.h - Where a kernel's counts come from --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_COUNTSOURCE_H
#define PTXPREDICT_LIB_CHARACTERISTICS_COUNTSOURCE_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Graph/CFG.h"

namespace ptxpredict {

/// Counts of a kernel's instructions, blocks and loops: of a run, or worked out
/// without one. Per warp, in the mean over the launch.
class CountSource {
public:
  virtual ~CountSource();

  virtual Estimate executions(const Instruction &I) const = 0;
  /// Those in which the guard holds. An instruction that its warp executes as
  /// one has \p Lanes of 32; one of a single thread has 1.
  virtual Estimate active(const Instruction &I, unsigned Lanes) const = 0;
  virtual Estimate frequency(const Block &B) const = 0;
  /// Bodies per entry of the loop \p Index of the function's cycles.
  virtual Estimate tripCount(const Cycle &C, unsigned Index) const = 0;
  /// Sets what effect \p Number of \p I has in \p Out.
  virtual void apply(const Instruction &I, unsigned Number,
                     MemoryCharacteristics &Out) const = 0;
  virtual void apply(const Instruction &Branch,
                     BranchCharacteristics &Out) const = 0;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_COUNTSOURCE_H

//===- RequiredFeatures.h - What code asks of a device ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_REQUIREDFEATURES_H
#define PTXPREDICT_LIB_CHARACTERISTICS_REQUIREDFEATURES_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Graph/Instruction.h"

namespace ptxpredict {

/// Collects what instructions use and older devices lack.
class RequiredFeatures {
public:
  void add(const Instruction &I);
  /// Each once, newest first, but what the bounds ask for before all.
  std::vector<TargetFeature> list(const KernelBounds &Bounds) const;

private:
  uint32_t Used = 0; ///< a bit for each row of the table
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_REQUIREDFEATURES_H

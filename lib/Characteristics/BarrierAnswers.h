//===- BarrierAnswers.h - What is known of each barrier ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_BARRIERANSWERS_H
#define PTXPREDICT_LIB_CHARACTERISTICS_BARRIERANSWERS_H

#include "ptxpredict/Analysis/BarrierDependence.h"
#include "ptxpredict/Analysis/StaticCounts.h"
#include "ptxpredict/Characteristics/KernelCharacteristics.h"

namespace ptxpredict {

class BarrierAnswers {
public:
  /// \p V and \p Static are of the kernel at that launch.
  BarrierAnswers(const Values &V, const StaticCounts &Static,
                 const LaunchConfig &Launch);

  BarrierCharacteristics of(const Instruction &Barrier, SourcePlace Place,
                            const Count &Executions) const;

private:
  const StaticCounts &Static;
  llvm::DenseMap<const Instruction *, const BarrierReach *> Missed;
  llvm::DenseMap<const Instruction *, bool> IsRedundant;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_BARRIERANSWERS_H

//===- BarrierAnswers.h - What is known of each barrier ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_BARRIERANSWERS_H
#define PTXPREDICT_LIB_CHARACTERISTICS_BARRIERANSWERS_H

#include "ptxpredict/Analysis/Profile/BarrierDependence.h"
#include "ptxpredict/Analysis/Profile/StaticProfile.h"
#include "ptxpredict/Characteristics/KernelCharacteristics.h"

namespace ptxpredict {

class BarrierAnswers {
public:
  /// \p V and \p Static are of the kernel at that launch.
  BarrierAnswers(const SymbolicValues &V, const StaticProfile &Static,
                 const LaunchConfig &Launch);

  BarrierCharacteristics of(const Instruction &Barrier, SourcePlace Place,
                            const Estimate &Executions) const;

private:
  const StaticProfile &Static;
  llvm::DenseMap<const Instruction *, const BarrierReach *> Missed;
  llvm::DenseMap<const Instruction *, bool> IsRedundant;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_BARRIERANSWERS_H

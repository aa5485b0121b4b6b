//===- SummarizeBarriers.h - What is known of barriers ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_SUMMARIZEBARRIERS_H
#define PTXPREDICT_LIB_CHARACTERISTICS_SUMMARIZEBARRIERS_H

#include "ptxpredict/Analysis/Profile/BarrierDependence.h"
#include "ptxpredict/Analysis/Profile/StaticProfile.h"
#include "ptxpredict/Characteristics/KernelCharacteristics.h"

namespace ptxpredict {

/// Which barriers are redundant, and which threads miss which; barriers of
/// which neither is known are absent. Where they stand and how often they run
/// is left open. \p V and \p Static are of the kernel at \p Launch.
llvm::DenseMap<const Instruction *, BarrierCharacteristics>
summarizeBarriers(const SymbolicValues &V, const StaticProfile &Static,
                  const LaunchConfig &Launch);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_SUMMARIZEBARRIERS_H

//===- Corrections.h - Counted numbers in the place of estimates *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_MODEL_CORRECTIONS_H
#define PTXPREDICT_LIB_MODEL_CORRECTIONS_H

#include "ptxpredict/Model/MachineWork.h"
#include "ptxpredict/Model/MemoryTraffic.h"

namespace ptxpredict {

/// Puts what a profiler counted in the place of \p T, the end \p Which of what
/// the code says.
void correctTraffic(const CounterCorrections &By, double Estimate::*Which,
                    MemoryTraffic &T);
/// The same of machine instructions: their shares by pipe stay.
void correctWork(const CounterCorrections &By, double Estimate::*Which,
                 MachineWork &Work);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_MODEL_CORRECTIONS_H

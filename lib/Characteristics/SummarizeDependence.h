//===- SummarizeDependence.h - How a kernel's instructions depend *- C++
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_SUMMARIZEDEPENDENCE_H
#define PTXPREDICT_LIB_CHARACTERISTICS_SUMMARIZEDEPENDENCE_H

#include "CountSource.h"

namespace ptxpredict {

/// Of the kernel \p Functions[0] and of what it calls, callers first. \p K has
/// its instructions and memory accesses already. \p InRegisters are no accesses
/// of memory.
DependenceCharacteristics
summarizeDependence(ArrayRef<const InstructionGraph *> Functions,
                    const CountSource &Counts, const LocalAccesses &InRegisters,
                    const KernelCharacteristics &K);

/// The same of warps for which \p Counts stand, as far as models need it.
WarpPath summarizePath(ArrayRef<const InstructionGraph *> Functions,
                       const CountSource &Counts,
                       const LocalAccesses &InRegisters);

/// By cycle of \p CF; nothing for a loop without one.
std::vector<std::optional<RecurrenceCharacteristics>>
summarizeRecurrences(const InstructionGraph &G, const ControlFlow &CF);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_SUMMARIZEDEPENDENCE_H

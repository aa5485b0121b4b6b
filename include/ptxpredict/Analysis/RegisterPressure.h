//===- RegisterPressure.h - Registers that are live at once -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_REGISTERPRESSURE_H
#define PTXPREDICT_ANALYSIS_REGISTERPRESSURE_H

#include "ptxpredict/Graph/InstructionGraph.h"

namespace ptxpredict {

/// The largest number of 32-bit registers that are live at one instruction of
/// \p G as it is written: 64-bit values count two, predicates none. What ptxas
/// makes of it differs: it folds, moves loads up and spills.
unsigned maxLiveRegisters(const InstructionGraph &G);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_REGISTERPRESSURE_H

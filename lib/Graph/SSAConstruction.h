//===- SSAConstruction.h - Registers to SSA values --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_GRAPH_SSACONSTRUCTION_H
#define PTXPREDICT_LIB_GRAPH_SSACONSTRUCTION_H

#include "ptxpredict/Graph/InstructionGraph.h"

namespace ptxpredict {

/// Replaces the register indices in \p G's operands by values, places phis and
/// selects, and numbers instructions and values. \p Arguments are the registers
/// that hold something at entry.
void constructSSA(InstructionGraph &G, ArrayRef<unsigned> Arguments);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_GRAPH_SSACONSTRUCTION_H

//===- TangledCycles.h - Control flow beyond any compiler's -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_GRAPH_TANGLEDCYCLES_H
#define PTXPREDICT_LIB_GRAPH_TANGLEDCYCLES_H

#include "ptxpredict/Graph/InstructionGraph.h"

namespace ptxpredict {

/// Whether cycles with several entries lie in each other deeper than 64 levels.
/// LLVM's cycles have a list of all blocks each, which takes time and memory
/// that are quadratic in the blocks of such a function. This takes time that is
/// linear in its edges.
bool hasTangledCycles(const InstructionGraph &G);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_GRAPH_TANGLEDCYCLES_H

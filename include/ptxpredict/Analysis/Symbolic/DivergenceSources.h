//===- DivergenceSources.h - Where lanes begin to differ --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_SYMBOLIC_DIVERGENCESOURCES_H
#define PTXPREDICT_ANALYSIS_SYMBOLIC_DIVERGENCESOURCES_H

#include "ptxpredict/Graph/Instruction.h"
#include "ptxpredict/Launch/LaunchConfig.h"

namespace ptxpredict {

/// Whether results of \p I differ between the lanes of a warp even when its
/// operands do not: thread and lane indices, loads from what may be local
/// memory, atomics, calls and their results. Of a block as wide as warps, y and
/// z are the same in all lanes.
bool isDivergenceSource(const Instruction &I, const LaunchConfig &Launch);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_SYMBOLIC_DIVERGENCESOURCES_H

//===- LoopBounds.h - How often a loop runs at most -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_LOOPBOUNDS_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_LOOPBOUNDS_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"

namespace ptxpredict::counting {

/// The most bodies of an entry of the loop \p Cycle of ControlFlow::cycles(),
/// in any thread of the launch: the upper end of tripCountFormula() where
/// indices and the counters of outer loops take each of their values. Infinite
/// where it has none. Premises: those of the formula.
double mostBodies(const SymbolicValues &V, unsigned Cycle);

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_LOOPBOUNDS_H

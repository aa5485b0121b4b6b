//===- FormulaSearches.h - Loops that halve a distance ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_FORMULASEARCHES_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_FORMULASEARCHES_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"

namespace ptxpredict {

/// What is at most Init >> (First + t) when the loop has come back t times.
struct HalvedDistance {
  const Expression *Init = nullptr;
  unsigned First = 0;
  explicit operator bool() const { return Init; }
};

/// Whether High - Low + \p More is such in the loop \p Cycle: a binary search,
/// which goes on with either half. Each of \p Low and \p High is a number, what
/// a phi of the header holds, or both are what such will hold next.
HalvedDistance halvedDistance(const SymbolicValues &V, unsigned Cycle,
                              const Expression *Low, const Expression *High,
                              unsigned More);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_FORMULASEARCHES_H

//===- Formulas.h - Counts and strides as formulas --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What a loop's count and an access's stride depend on where no number can be
// told: `n/16`, `4*n`. These are answers for people: they hold under premises
// that nothing proves, and no count that is called known may rest on them.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_SYMBOLIC_FORMULAS_H
#define PTXPREDICT_ANALYSIS_SYMBOLIC_FORMULAS_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"

namespace ptxpredict {

/// How often a loop's body runs per entry, as an expression.
struct TripCountFormula {
  /// Null where no exit of the loop is of a form that can be solved.
  const Expression *Bodies = nullptr;
  /// The loop runs that often at most: another exit may end it before, or it
  /// is a binary search.
  bool IsUpperBound = false;
  /// So many iterations of the source's loop are one: what they leave over is
  /// in another loop, before this one.
  uint64_t UnrolledBy = 1;
};

/// Bodies per entry of the loop \p Cycle of ControlFlow::cycles(): times that
/// it jumps back, and once more unless its header alone decides
/// (docs/internals/Analysis.md). An expression over parameters, indices,
/// counters of outer loops and opaque values, none of which changes in the
/// loop. One that depends on the thread's index is the count of that thread; a
/// warp runs as often as its longest lane.
///
/// Solves the condition of each exit that every iteration asks: a comparison of
/// a counter that changes by addition or by shifts with a bound, or whether a
/// binary search has something left. Premises: nothing wraps, a counter that is
/// asked whether it equals its bound meets it, a step that is no number is
/// positive, and a loop whose test comes last is not left before its first jump
/// back (compilers put a test before such a loop).
///
/// Takes time linear in the conditions of its exits and the phis of its header.
TripCountFormula tripCountFormula(const SymbolicValues &V, unsigned Cycle);

/// How many bytes lie between the address of a lane and that of the next one,
/// where this is the same for all lanes of a warp; null where it is not, and
/// where nothing is known of it. Premise: nothing wraps. \p Address is the
/// operand of \p I that holds it.
const Expression *strideFormula(const SymbolicValues &V, const Instruction &I,
                                const Operand &Address);

/// An expression as people write it: `(n + 15)/16`, without what only tells
/// widths. Divisions round towards zero, `log2` down, and `load(line 12)` is
/// what that line loaded. Empty where it would be longer than \p MaxColumns, or
/// has parts that say nothing to a reader of the code.
std::string formulaText(const Expression &E, size_t MaxColumns = 72);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_SYMBOLIC_FORMULAS_H

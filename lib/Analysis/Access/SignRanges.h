//===- SignRanges.h - Where conditions and addresses go straight *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_ACCESS_SIGNRANGES_H
#define PTXPREDICT_LIB_ANALYSIS_ACCESS_SIGNRANGES_H

#include "ptxpredict/Analysis/Symbolic/Expressions.h"

namespace ptxpredict {

/// An index or a counter, by Symbol::Quantity; nothing: without symbols.
using Quantity = SmallVector<const Symbol *, 1>;

/// What an assignment gives for a quantity; 0 for one without symbols.
uint64_t valueOf(const Quantity &Q, const Assignment &A);
void setValue(const Quantity &Q, Assignment &A, uint64_t V);

bool dependsOn(const Expression &E, const Quantity &Q);

/// How an expression changes with a quantity.
struct Slope {
  bool IsLinear = true;  ///< between kinks, but for wrapping around
  bool MayWrap = false;  ///< it does so within, which shows outside
  bool HasKinks = false; ///< it is linear in pieces
  int64_t Value = 0;     ///< for each step
};
/// \p Here tells the piece in which the slope is asked for; without it the
/// steepest one counts. With \p OnlyResidue parts that are multiples of 128 do
/// not count.
Slope slopeOf(const Expression &E, const Quantity &Q,
              const Assignment *Here = nullptr, bool OnlyResidue = false);

/// The parts at which an expression of block indices and counters is bent:
/// quotients and remainders, which \p Kink gets, and what minima, maxima and
/// choices depend on, which \p Choice gets.
void forEachKink(const Expression &E, Expressions &In,
                 llvm::function_ref<void(const Expression &)> Kink,
                 llvm::function_ref<void(const Expression &)> Choice);

/// The parts at which such an expression is bent or may wrap around, an outer
/// one before what is in it.
SmallVector<const Expression *, 4> bendsIn(const Expression &E);

/// The comparisons of numbers that a condition is made of, and predicates of
/// other kinds, in the order of a walk, each as often as it stands there.
void forEachComparison(const Expression &E,
                       llvm::function_ref<void(const Expression &)> Fn);
/// It compares numbers.
bool isComparison(const Expression &E);

/// Whether both sides of a comparison are linear: it has the same sign between
/// two places at which it has, unless something wraps around.
bool isMonotone(const Expression &Comparison, const Quantity &Q);

/// The values of a comparison's sides in each lane.
struct Sides {
  LaneArray Left, Right;
};
/// How the sides go while a quantity takes some steps.
struct SideStretch {
  const Sides &From, &To;
  uint64_t Steps;
  int64_t LeftSlope, RightSlope;
};
/// Whether \p Comparison has one sign in \p Lanes all along a stretch.
bool keepsSign(const Expression &Comparison, const SideStretch &S,
               uint32_t Lanes);
/// Whether \p Kink, the left side, is linear in \p Lanes all along a stretch;
/// the right side is its first operand.
bool keepsPiece(const Expression &Kink, const SideStretch &S, uint32_t Lanes);

/// The largest number from 1 to \p Limit for which \p Same holds of every
/// number below it (of 0 it does).
template <typename FnT>
uint64_t longestRun(uint64_t Limit, FnT Same) {
  uint64_t Good = 1, Step = 1;
  if (Limit == 1 || Same(Limit - 1))
    return Limit;
  while (Good + Step < Limit && Same(Good + Step - 1)) {
    Good += Step;
    Step *= 2;
  }
  // It holds below Good, and not at Bad - 1.
  for (uint64_t Bad = std::min(Good + Step, Limit); Bad - Good > 1;) {
    uint64_t Middle = Good + (Bad - Good) / 2;
    (Same(Middle - 1) ? Good : Bad) = Middle;
  }
  return Good;
}

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_ACCESS_SIGNRANGES_H

//===- FormulaLines.h - Expressions as lines --------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_FORMULALINES_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_FORMULALINES_H

#include "ptxpredict/Analysis/Symbolic/Expressions.h"

namespace ptxpredict {

/// The rest R of a division by a power of two, Mask + 1, and a number.
struct RestEquals {
  const Expression *Rest = nullptr;
  uint64_t Mask = 0, Value = 0;
  explicit operator bool() const { return Rest; }
};

/// Whether what an expression says holds for all steps, or changes by one in
/// each.
enum class Motion { Still, ByOne, Unknown };

/// Start + Step * t, without wrapping.
struct Line {
  const Expression *Start = nullptr, *Step = nullptr;
  explicit operator bool() const { return Start; }
};

/// Takes expressions apart as functions of t, a loop's counter or the place in
/// a warp.
class LineFinder {
public:
  using Ref = const Expression *;
  /// \p Motions is asked of whole expressions, and of the symbols in those
  /// that are not still. \p AtZero: what changes by one is zero at t = 0,
  /// else itself.
  LineFinder(Expressions &Ex, llvm::function_ref<Motion(Ref)> Motions,
             bool AtZero)
      : E(Ex), MotionOf(Motions), StartsAtZero(AtZero) {}

  Line of(Ref X);
  bool isStill(Ref X) const { return MotionOf(X) == Motion::Still; }

  /// Whether withoutClamp() does something from now on, also in of().
  void dropClamps(bool Drops) {
    DropsClamps = Drops;
    Choices.clear();
  }
  /// \p X without the bound of a maximum in it that keeps it from going below
  /// \p Least or less. A compiler makes such of the count of a loop that runs
  /// at least once: max(n, 1).
  Ref withoutClamp(Ref X, int64_t Least);

private:
  Ref exactQuotient(Ref X, int Bits) const;
  Ref countWithoutClamp(Ref X);
  Ref flat(Ref X);
  Ref withoutChoice(Ref X);
  Ref intoExtremum(Ref X);
  bool asksForZero(Ref Condition, Ref R);
  RestEquals restEquals(Ref Condition);
  Ref extend(Ref X, unsigned Width, bool Signed) const;
  Line product(Ref X);
  Line choice(Ref X);

  Expressions &E;
  llvm::function_ref<Motion(Ref)> MotionOf;
  bool StartsAtZero, DropsClamps = false;
  llvm::DenseMap<Ref, Ref> Choices; ///< what flat() makes of them
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_FORMULALINES_H

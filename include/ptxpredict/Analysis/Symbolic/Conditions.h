//===- Conditions.h - Where a predicate holds -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_SYMBOLIC_CONDITIONS_H
#define PTXPREDICT_ANALYSIS_SYMBOLIC_CONDITIONS_H

#include "ptxpredict/Analysis/Symbolic/Expressions.h"

namespace ptxpredict {

/// Whether the value of a symbol follows from indices and counters, so that a
/// walk through the code can evaluate it.
enum class Decidedness : uint8_t {
  Decided, ///< by code, launch and arguments
  Launch,  ///< by a launch, or a loop's count, that is assumed
  Open     ///< by nothing: a parameter without a value, loaded data
};

/// A predicate between bounds that can be evaluated: it holds where Must does,
/// and nowhere where May does not.
struct Condition {
  /// What is taken for it, best first.
  enum class BasisTy : uint8_t {
    Decided,  ///< Must, May and Likely are one
    Launch,   ///< Likely, which an assumed launch or loop decides
    Bounded,  ///< Likely: open values cancel out if nothing wraps or clamps
    Index,    ///< Likely: an index within an unknown bound (Predict.md)
    Uniform,  ///< May, in half of the cases: unknown, the same in all lanes
    Divergent ///< May and its opposite: unknown, may differ between lanes
  };
  BasisTy Basis = BasisTy::Decided;
  const Expression *Must = nullptr, *May = nullptr, *Likely = nullptr;
  const Symbol *Open = nullptr; ///< what leaves it open, if something does

  bool isDecided() const { return Basis == BasisTy::Decided; }
};

/// A loop that a branch may leave. Every iteration asks the branch once.
struct LoopExit {
  ArrayRef<const Symbol *> Counter; ///< the loop's, by Symbol::Quantity
  /// Whether an expression has one value in all iterations.
  llvm::function_ref<bool(const Expression *)> IsInvariant;
  bool StaysIf; ///< the loop goes on where the condition is this
};

/// Bounds of \p Predicate, null for one that is not modelled. \p Of says which
/// symbols are decided, \p Exit, null for none, which loop it may leave.
Condition bounds(Expressions &E, const Expression *Predicate,
                 llvm::function_ref<Decidedness(const Symbol &)> Of,
                 const LoopExit *Exit = nullptr);

/// Of two symbols that are open, or null, the one that says more of why: data
/// before values without closed form, before parameters.
const Symbol *weightier(const Symbol *A, const Symbol *B);

/// The weakest of an expression's symbols; \p Open becomes the weightiest of it
/// and those that are open.
Decidedness decidednessOf(const Expression &X,
                          llvm::function_ref<Decidedness(const Symbol &)> Of,
                          const Symbol **Open = nullptr);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_SYMBOLIC_CONDITIONS_H

//===- ClosedForms.h - Recurrences in closed form ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_CLOSEDFORMS_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_CLOSEDFORMS_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"

namespace ptxpredict {

/// A loop's phi: its first value, and its next one as a function of itself.
struct PhiRecurrence {
  const Value *Phi;
  const Expression *Symbol; ///< for what it holds in the current iteration
  const Expression *Init, *Next;
};

/// Solves recurrences: the value of a phi in iteration k as an expression of
/// the loop's counter k.
class ClosedForms {
public:
  using Ref = const Expression *;
  ClosedForms(const SymbolicValues &Symbols, unsigned Cycle)
      : Loops(Symbols), E(Symbols.expressions()), C(Cycle) {}

  /// \p P stands for the phi in \p Next. Null if that is none of the known
  /// recurrences.
  Ref solve(Ref Init, Ref P, Ref Next) const;

private:
  Ref sum(Ref Init, Ref Step) const;
  Ref product(Ref Init, Ref P, Ref Next) const;
  Ref reflection(Ref Init, Ref P, Ref Next) const;
  Ref shift(Ref Init, Ref P, Ref Next) const;
  Ref modulo(Ref Init, Ref P, Ref Next) const;
  Ref triangle(unsigned Width) const;
  Ref isOdd() const;
  Ref counter(unsigned Width) const { return Loops.counter(C, Width); }
  bool isInvariant(Ref X) const { return Loops.isInvariant(X, C); }

  const SymbolicValues &Loops;
  Expressions &E;
  unsigned C;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_CLOSEDFORMS_H

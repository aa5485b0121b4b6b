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

/// Bits of Symbol::Number that make symbols of their own of a phi's one.
enum PhiSymbolBits : uint64_t {
  MovedTogetherBit = uint64_t(1) << 60, ///< how far lanes have gone together
  NarrowBit = uint64_t(1) << 61,        ///< a part of the phi, extended again
  UpperBit = uint64_t(1) << 59          ///< the rest of it
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
  Ref solve(Ref Init, Ref P, Ref Next);
  /// Of how many conditions on phis solve() has found how often they hold.
  size_t knownConditions() const { return Times.size(); }

private:
  /// The iterations below Until are those in which a condition holds, or those
  /// in which it does not.
  struct Prefix {
    Ref Until; ///< 64 bits, signed
    bool Holds;
  };
  std::optional<Prefix> prefixOf(Ref Condition) const;
  std::optional<Prefix> prefixOfLess(Ref Less) const;
  std::optional<std::pair<Ref, Ref>> linear(Ref X) const;
  Ref timesTrue(Ref Condition) const;
  Ref total(Ref Step) const;
  Ref choice(Ref Init, Ref P, Ref Next) const;
  Ref limited(Ref Init, Ref P, Ref Next);
  Ref product(Ref Init, Ref P, Ref Next) const;
  Ref reflection(Ref Init, Ref P, Ref Next) const;
  Ref shift(Ref Init, Ref P, Ref Next) const;
  Ref delayed(Ref Init, Ref Next) const;
  Ref narrow(Ref Init, Ref P, Ref Next);
  Ref lowPart(Ref Init, Ref P, Ref Next);
  Ref partOf(Ref P, PhiSymbolBits Which, unsigned Width) const;
  Ref modulo(Ref Init, Ref P, Ref Next) const;
  Ref triangle(unsigned Width) const;
  Ref isOdd() const;
  Ref counter(unsigned Width) const { return Loops.counter(C, Width); }
  bool isInvariant(Ref X) const { return Loops.isInvariant(X, C); }

  const SymbolicValues &Loops;
  Expressions &E;
  unsigned C;
  /// In how many iterations before this one a condition on a phi held, by the
  /// condition.
  llvm::DenseMap<Ref, Ref> Times;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_CLOSEDFORMS_H

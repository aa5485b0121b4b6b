//===- BaseCanceller.h - Bounds that share an unknown base ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BASECANCELLER_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BASECANCELLER_H

#include "ptxpredict/Analysis/Symbolic/Conditions.h"
#include <functional>

namespace ptxpredict {

namespace expressions {
struct Interval;
} // namespace expressions

/// Takes open values out of predicates on whose sides they stand alike:
/// `v - 3 + k <= v + 3` is `k - 3 <= 3`, whatever was loaded as v. Also where
/// they stand in choices, extrema and extensions: `max(v + 3, v - 3) - v`.
class BaseCanceller {
public:
  using Ref = const Expression *;
  /// A predicate of decided symbols, as good as another one.
  struct Result {
    Ref Predicate = nullptr; ///< null if open values stay
    /// It is the other one wherever that is evaluated. Otherwise it is if
    /// nothing wraps and clamps of a window have no effect.
    bool IsExact = false;
  };
  /// What it finds it keeps: \p Of must say of a symbol what it said before, or
  /// be as sure whether it is open.
  BaseCanceller(Expressions &Ex, std::function<Decidedness(const Symbol &)> Of)
      : E(Ex), Of(std::move(Of)) {}

  /// \p Exit, or null, is the loop that \p Comparison alone may leave.
  Result cancel(Ref Comparison, const LoopExit *Exit);
  Decidedness decidednessOf(Ref X, const Symbol **Open = nullptr) const {
    return ptxpredict::decidednessOf(*X, Of, Open);
  }
  Expressions &expressions() const { return E; }
  /// Other symbols may be open from now on.
  void forget();

private:
  bool mayCancel(Ref A, Ref B);
  bool repeatsOpen(Ref X);
  /// A value as a sum of an open part, null for none, and a decided one.
  struct Parts {
    Ref Base, Rest;
  };
  struct Known {
    Ref X = nullptr;
    bool IsExact = true;
    bool HasClamps = false; ///< there are some that DropsClamps would drop
  };
  /// Base + A and Base + B, which are compared.
  struct Pair {
    Ref Base, A, B;
    bool Signed;
  };
  using TermList = SmallVector<std::pair<Ref, uint64_t>, 4>;
  TermList openTermsOf(Ref X);
  bool isOpen(Ref X);
  Known visit(Ref X);
  Known simplify(Ref X, const LoopExit *Exit);
  Known extend(Ref X);
  bool isClamp(Ref X);
  Known withoutClamps(Ref Sum);
  Known compare(Ref X, const LoopExit *Exit);
  Parts partsOf(Ref X);
  std::optional<Pair> pairOf(Ref A, Ref B, bool Signed);
  bool isProven(const Pair &P, const LoopExit *Exit);
  bool boundByExit(const Pair &P, const LoopExit &Exit,
                   expressions::Interval &A, expressions::Interval &B);

  Expressions &E;
  std::function<Decidedness(const Symbol &)> Of;
  bool DropsClamps = false;
  bool HasClamps = false;                         ///< of what is looked at
  llvm::DenseMap<Ref, Known> Seen[2];             ///< by DropsClamps
  llvm::DenseMap<Ref, bool> Openness, Repetition; ///< of what was asked for
};

/// Bounds of \p Predicate, as the other bounds(), with what \p Bases knows.
Condition bounds(BaseCanceller &Bases, const Expression *Predicate,
                 const LoopExit *Exit);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BASECANCELLER_H

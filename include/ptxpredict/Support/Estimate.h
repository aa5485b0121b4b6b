//===- Estimate.h - A number and how well it is known -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_ESTIMATE_H
#define PTXPREDICT_SUPPORT_ESTIMATE_H

#include "ptxpredict/Support/LLVM.h"
#include <algorithm>

namespace ptxpredict {

/// How a number came about, best first. A result has the weakest (largest)
/// status of what it was made from.
enum class Status {
  Known,     ///< decided by code, launch and the stated premises
  Estimated, ///< by a heuristic or a model
  Assumed,   ///< rests on a default that an option replaces
  Unknown    ///< only bounds are known; the value is the one that was used
};

/// "known", "estimated", "assumed" or "unknown".
StringRef toString(Status S);

inline Status weakest(Status A, Status B) { return std::max(A, B); }

/// A value with its status and bounds. Low and High equal Value when the value
/// is known. The unit is that of the variable that holds the estimate.
template <typename T>
struct Estimate {
  T Value{};
  Status How = Status::Known;
  T Low{};
  T High{};

  Estimate() = default;
  Estimate(T Value, Status How, T Low, T High)
      : Value(Value), How(How), Low(Low), High(High) {}

  static Estimate known(T V) { return {V, Status::Known, V, V}; }
  static Estimate make(T V, Status How) { return {V, How, V, V}; }

  bool isKnown() const { return How == Status::Known; }

  Estimate &operator+=(const Estimate &O) {
    Value += O.Value, Low += O.Low, High += O.High;
    How = weakest(How, O.How);
    return *this;
  }
  friend Estimate operator+(Estimate A, const Estimate &B) { return A += B; }

  /// The product; both operands must be non-negative for the bounds to hold.
  /// Nothing times an unbounded number is nothing.
  friend Estimate operator*(const Estimate &A, const Estimate &B) {
    auto Times = [](T X, T Y) { return X == T() || Y == T() ? T() : X * Y; };
    return {Times(A.Value, B.Value), weakest(A.How, B.How), Times(A.Low, B.Low),
            Times(A.High, B.High)};
  }
  /// Scaled by an exact non-negative factor.
  Estimate scaled(T F) const { return *this * known(F); }
  /// The same number, known no better than \p S.
  Estimate weakenedTo(Status S) const {
    return {Value, weakest(How, S), Low, High};
  }
};

using Count = Estimate<double>;

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_ESTIMATE_H

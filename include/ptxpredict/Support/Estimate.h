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

/// A number with its status and bounds. Low and High equal Value when the
/// number is known. The unit is that of the variable that holds the estimate.
struct Estimate {
  double Value = 0;
  ptxpredict::Status Status = ptxpredict::Status::Known;
  double Low = 0;
  double High = 0;

  Estimate() = default;
  Estimate(double Value, ptxpredict::Status S, double Low, double High)
      : Value(Value), Status(S), Low(Low), High(High) {}

  static Estimate known(double V) { return {V, Status::Known, V, V}; }
  static Estimate make(double V, ptxpredict::Status S) { return {V, S, V, V}; }

  bool isKnown() const { return Status == Status::Known; }

  Estimate &operator+=(const Estimate &O) {
    Value += O.Value, Low += O.Low, High += O.High;
    Status = weakest(Status, O.Status);
    return *this;
  }
  friend Estimate operator+(Estimate A, const Estimate &B) { return A += B; }

  /// The product; both operands must be non-negative for the bounds to hold.
  /// Nothing times an unbounded number is nothing.
  friend Estimate operator*(const Estimate &A, const Estimate &B) {
    auto Times = [](double X, double Y) {
      return X == 0 || Y == 0 ? 0 : X * Y;
    };
    return {Times(A.Value, B.Value), weakest(A.Status, B.Status),
            Times(A.Low, B.Low), Times(A.High, B.High)};
  }
  /// Scaled by an exact non-negative factor.
  Estimate scaled(double F) const { return *this * known(F); }
  /// The same number, known no better than \p S.
  Estimate weakenedTo(ptxpredict::Status S) const {
    return {Value, weakest(Status, S), Low, High};
  }
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_ESTIMATE_H

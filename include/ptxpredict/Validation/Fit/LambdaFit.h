//===- LambdaFit.h - A device's lambda from measured rows -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_VALIDATION_FIT_LAMBDAFIT_H
#define PTXPREDICT_VALIDATION_FIT_LAMBDAFIT_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace ptxpredict {

/// How the rows of a device make one number.
enum class LambdaMean {
  Geometric, ///< each row counts alike
  Sum        ///< all predicted time over all measured time
};

/// A row: what the model predicts with a lambda of 1, and what was measured.
/// Both without the launch, which lambda does not scale; above 0, same unit.
struct LambdaRow {
  double Predicted = 0, Measured = 0;
};

struct LambdaFit {
  double Lambda = 1;
  /// Ratios of the rows over lambda: exp of the standard deviation of their
  /// logarithms around lambda's, the least and the most.
  double Spread = 1, Least = 1, Most = 1;
  double MAPE = 0; ///< mean of |predicted - measured| / measured, with lambda
};

/// One lambda for all \p Rows; nothing without any.
std::optional<LambdaFit> fitLambda(llvm::ArrayRef<LambdaRow> Rows,
                                   LambdaMean Mean);

} // namespace ptxpredict

#endif // PTXPREDICT_VALIDATION_FIT_LAMBDAFIT_H

//===- RobustFit.h - Parameters that measurements speak for -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_VALIDATION_FIT_ROBUSTFIT_H
#define PTXPREDICT_VALIDATION_FIT_ROBUSTFIT_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace ptxpredict {

/// A sum that is to be small: of every row's weighted |error|, rounded off near
/// 0, and of (x / sigma)^2 of every parameter x, which holds what no row speaks
/// of at its start, 0.
struct FitProblem {
  std::vector<double> Weights; ///< of rows
  std::vector<double> Sigmas;  ///< of parameters, above 0
  /// The error of every row at some parameters; one that is not finite has no
  /// say.
  llvm::function_ref<void(ArrayRef<double> Parameters,
                          MutableArrayRef<double> Errors)>
      ErrorsAt;
};

/// The sum at some parameters.
double costOf(const FitProblem &P, ArrayRef<double> Parameters);

/// The parameters of a local minimum near 0 (Levenberg and Marquardt's descent
/// with weights for the absolute values and numeric derivatives).
/// Deterministic.
std::vector<double> fitRobustly(const FitProblem &P);

} // namespace ptxpredict

#endif // PTXPREDICT_VALIDATION_FIT_ROBUSTFIT_H

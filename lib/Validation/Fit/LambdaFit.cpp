//===- LambdaFit.cpp - A device's lambda from measured rows ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/LambdaFit.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

std::optional<LambdaFit> ptxpredict::fitLambda(llvm::ArrayRef<LambdaRow> Rows,
                                               LambdaMean Mean) {
  if (Rows.empty())
    return std::nullopt;
  double Predicted = 0, Measured = 0, Logs = 0;
  for (const LambdaRow &R : Rows) {
    Predicted += R.Predicted;
    Measured += R.Measured;
    Logs += std::log(R.Predicted / R.Measured);
  }
  const auto N = double(Rows.size());
  LambdaFit F;
  F.Lambda =
      Mean == LambdaMean::Sum ? Predicted / Measured : std::exp(Logs / N);
  double Squares = 0;
  F.Least = F.Most = Rows.front().Predicted / Rows.front().Measured / F.Lambda;
  for (const LambdaRow &R : Rows) {
    const double Over = R.Predicted / R.Measured / F.Lambda;
    Squares += std::log(Over) * std::log(Over);
    F.Least = std::min(F.Least, Over);
    F.Most = std::max(F.Most, Over);
    F.MAPE += std::fabs(Over - 1) / N;
  }
  F.Spread = std::exp(std::sqrt(Squares / N));
  return F;
}

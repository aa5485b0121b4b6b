//===- SetRanks.h - The order of a set of rows ------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_VALIDATION_SETRANKS_H
#define PTXPREDICT_LIB_VALIDATION_SETRANKS_H

#include "ptxpredict/Validation/Accuracy.h"

namespace ptxpredict {

/// Of rows, one behind the other.
struct PredictedTimes {
  std::vector<double> Measured, Predicted;
};

/// How well the predicted order is the measured one. Rows that are predicted to
/// take the same time have no order: each of them may be taken first.
SetRanking rankSet(const PredictedTimes &T);

/// All sets of a model together.
RankSummary summarizeRanks(ArrayRef<SetRanking> Sets);

/// NaN of none.
double meanOf(ArrayRef<double> Values);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_VALIDATION_SETRANKS_H

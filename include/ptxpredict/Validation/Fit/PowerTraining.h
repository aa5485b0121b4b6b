//===- PowerTraining.h - Regressions of power from rows ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Song, PhD dissertation, Virginia Tech, 2013, section 5.4. What it leaves
// open (S61) is filled in as docs/models/LearnedPower.md says.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_VALIDATION_FIT_POWERTRAINING_H
#define PTXPREDICT_VALIDATION_FIT_POWERTRAINING_H

#include "ptxpredict/Model/PowerRegression.h"

namespace ptxpredict {

/// A row to learn from.
struct TrainingRow {
  std::vector<double> Inputs; ///< in their units
  double Watts = 0;           ///< measured, of the board
  unsigned Kernel = 0;        ///< its number
};

struct TrainingOptions {
  RegressionKind Kind = RegressionKind::Network;
  RegressionTrainer Trainer = RegressionTrainer::LevenbergMarquardt;
  RegressionSplit Split = RegressionSplit::Random;
  unsigned Folds = 10; ///< at least 2
  uint64_t Seed = 1;
};

/// How far off the rows of a kernel are when they are left out.
struct KernelTrainingError {
  unsigned Kernel = 0;
  size_t Rows = 0;
  double MAPE = 0, RMSEW = 0;
};

struct TrainingResult {
  /// Trained by all rows; Inputs are those that are used, Error that of the
  /// folds. What the rows are (Device, Counts, Sources) is left to the caller.
  PowerRegression Regression;
  std::vector<KernelTrainingError> Kernels;
  /// Inputs that are the same in all rows, by name; they are not used.
  std::vector<StringRef> Constant;
  /// Inputs that follow from the others in all rows: no linear regression.
  std::vector<StringRef> Dependent;
  size_t NumParameters = 0;
  /// Fewer rows than parameters: an error of a linear one.
  bool hasFewRows() const { return Regression.Rows < NumParameters; }
};

/// Root of the mean square of measured minus predicted watts (5.7-B(1)).
double rootMeanSquare(ArrayRef<double> MeasuredW, ArrayRef<double> PredictedW);

/// Trains on all of \p Rows, and on them without each fold to see how well that
/// does. \p Inputs: what the rows' inputs are; their bounds are found here. An
/// event that is not in MLR is left out there. Deterministic: the same numbers
/// give the same regression to the bit. Nothing is fitted where an input is
/// Dependent, or a linear one hasFewRows(), or no input is left.
TrainingResult trainPower(ArrayRef<RegressionInput> Inputs,
                          ArrayRef<TrainingRow> Rows,
                          const TrainingOptions &Options);

} // namespace ptxpredict

#endif // PTXPREDICT_VALIDATION_FIT_POWERTRAINING_H

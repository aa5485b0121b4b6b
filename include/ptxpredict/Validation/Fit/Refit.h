//===- Refit.h - Bottleneck's parameters, fitted to others' rows *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What fitted parameters are worth shows on rows that had no part in the fit:
// each group of rows is predicted with parameters fitted to all the others.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_VALIDATION_FIT_REFIT_H
#define PTXPREDICT_VALIDATION_FIT_REFIT_H

#include "ptxpredict/Model/BottleneckKernel.h"
#include "ptxpredict/Validation/Fit/LeftOut.h"
#include <string>
#include <vector>

namespace ptxpredict {

/// A row to fit to and to predict.
struct RefitRow {
  const BottleneckKernel *Kernel = nullptr; ///< equal for equal launches
  DevicePoint Point;
  double TimeUs = 0;     ///< measured
  LeftOut Group;         ///< left out together
  std::string Kind;      ///< of whose rows a part is enough: kernel and device
  bool IsDefault = true; ///< goes before others of its kind
  bool IsFitted = true;  ///< may take part in fits
};

/// A parameter as factors of what the devices have.
struct RefittedParameter {
  StringRef Key;    ///< of BottleneckParameters.def
  double Sigma = 0; ///< of the logarithm of the factor
  double All = 1;   ///< fitted to all rows
  /// The least and the most fitted without a group, and without which.
  double Least = 1, Most = 1;
  std::string LeastWithout, MostWithout;
};

struct RefitResult {
  std::vector<PointPrediction> Answers; ///< by row
  std::vector<RefittedParameter> Parameters;
  size_t Groups = 0;
  size_t FittedRows = 0; ///< all that any fit looked at
};

/// Fits factors that are the same on all devices, within the parameters'
/// ranges. Does not depend on \p Jobs, the number of threads.
RefitResult refitBottleneck(ArrayRef<RefitRow> Rows, unsigned Jobs);

} // namespace ptxpredict

#endif // PTXPREDICT_VALIDATION_FIT_REFIT_H

//===- CalibrateLambda.h - calibrate --lambda DATASET.yaml ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_CALIBRATELAMBDA_H
#define PTXPREDICT_TOOLS_CALIBRATELAMBDA_H

#include "RowOptions.h"

namespace ptxpredict::tool {

/// The options of how lambda is fitted; registered while it lives.
struct LambdaOptions {
  cl::opt<bool> Asked{"lambda", cl::cat(category()),
                      cl::desc("Fits a model's lambda, predicted over measured "
                               "time, to the rows of datasets, one for each "
                               "device")};
  StringOpt Mean{"mean", cl::init("geometric"), cl::value_desc("geometric|sum"),
                 cl::cat(category()),
                 cl::desc("Whether each row counts alike, or all predicted "
                          "time over all measured time (default: geometric)")};
};

/// Fits one lambda for each device, or the one that is asked for, prints them,
/// and writes the device file where one is named. Returns Done or NotDone.
int calibrateLambda(const LambdaOptions &O, const RowRequest &R);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_CALIBRATELAMBDA_H

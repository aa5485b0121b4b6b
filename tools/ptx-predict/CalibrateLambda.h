//===- CalibrateLambda.h - calibrate --lambda DATASET.yaml ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_CALIBRATELAMBDA_H
#define PTXPREDICT_TOOLS_CALIBRATELAMBDA_H

#include "CommandLine.h"
#include "ptxpredict/Device/Calibration.h"
#include "ptxpredict/Device/Device.h"

namespace ptxpredict::tool {

/// The options that say what to fit lambda to; registered while it lives.
struct LambdaOptions {
  cl::opt<bool> Asked{"lambda", cl::cat(category()),
                      cl::desc("Fits a model's lambda, predicted over measured "
                               "time, to the rows of datasets, one for each "
                               "device")};
  StringOpt Model{"model", cl::value_desc("name"), cl::cat(category()),
                  cl::desc("Model whose lambda is fitted: littles-law, bsp")};
  StringOpt Data{
      "data", cl::value_desc("folder"), cl::cat(category()),
      cl::desc("Folder of the CSV files that are not beside their dataset")};
  StringOpt Code{"code", cl::value_desc("folder"), cl::cat(category()),
                 cl::desc("Folder of the code that is not beside its dataset")};
  StringList Only{"only", cl::value_desc("name"), cl::cat(category()),
                  cl::desc("Kernels, by their names in the datasets (default: "
                           "all; repeatable)")};
  StringOpt Mean{"mean", cl::init("geometric"), cl::value_desc("geometric|sum"),
                 cl::cat(category()),
                 cl::desc("Whether each row counts alike, or all predicted "
                          "time over all measured time (default: geometric)")};

  /// Whether another of them than --lambda is given.
  bool anyOther() const;
};

/// Fits one lambda for each device, or \p Device alone, prints them, and writes
/// the device file where \p Output names one. Returns Done or NotDone.
int calibrateLambda(const LambdaOptions &O, const StringList &Datasets,
                    const StringOpt &Device, const StringList &DeviceFiles,
                    StringRef Name, StringRef Output, DeviceRegistry &Registry);

/// Checks that the calibrated numbers make a device, and writes its file of
/// that name, the base's if empty, to \p Path, unless that is empty. True on
/// error (reported).
bool writeCalibrated(const Calibration &C, StringRef Name, StringRef Path);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_CALIBRATELAMBDA_H

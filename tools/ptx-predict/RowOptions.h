//===- RowOptions.h - Which measured rows to fit to -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_ROWOPTIONS_H
#define PTXPREDICT_TOOLS_ROWOPTIONS_H

#include "CommandLine.h"
#include "ptxpredict/Device/Calibration.h"
#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Validation/Validate.h"

namespace ptxpredict::tool {

/// The options of what is fitted to the rows of datasets; registered while it
/// lives.
struct RowOptions {
  StringOpt Model{"model", cl::value_desc("name"), cl::cat(category()),
                  cl::desc("Model whose numbers are fitted to rows: with "
                           "--lambda littles-law or bsp, without it song")};
  StringOpt Data{
      "data", cl::value_desc("folder"), cl::cat(category()),
      cl::desc("Folder of the CSV files that are not beside their dataset")};
  StringOpt Code{"code", cl::value_desc("folder"), cl::cat(category()),
                 cl::desc("Folder of the code that is not beside its dataset")};
  StringList Only{"only", cl::value_desc("name"), cl::cat(category()),
                  cl::desc("Kernels, by their names in the datasets (default: "
                           "all; repeatable)")};
  StringOpt Inputs{"inputs", cl::init("counted"),
                   cl::value_desc("counted|static"), cl::cat(category()),
                   cl::desc("With --power and --model=song what the dataset "
                            "counted, or what the code says (default: "
                            "counted)")};

  bool isAnyGiven() const {
    return Model.getNumOccurrences() != 0 || Data.getNumOccurrences() != 0 ||
           Code.getNumOccurrences() != 0 || Only.getNumOccurrences() != 0;
  }
};

/// Which rows, of which device, and what is written.
struct RowRequest {
  const RowOptions &Rows;
  const StringList &Datasets, &DeviceFiles;
  const StringOpt &Device;
  StringRef Name, Output; ///< empty without one
  bool Verbose = false;
  DeviceRegistry &Registry;
};

/// Moves over what says where the rows are, and \p Only, the name of the one
/// device that is asked for, if any. True on error (reported).
bool readRows(const RowRequest &R, ValidateOptions &Options, std::string &Only);

/// Checks that the calibrated numbers make a device, and writes its file of
/// that name, the base's if empty, to \p Path, unless that is empty. True on
/// error (reported).
bool writeCalibrated(const Calibration &C, StringRef Name, StringRef Path);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_ROWOPTIONS_H

//===- RowOptions.cpp - Which measured rows to fit to ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RowOptions.h"
#include "OutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

bool tool::readRows(const RowRequest &R, ValidateOptions &Options,
                    std::string &Only) {
  if (readPath(R.Rows.Data, Options.DataFolder) ||
      readPath(R.Rows.Code, Options.CodeFolder) ||
      readNames(R.Datasets, "a file", Options.Datasets) ||
      readNames(R.DeviceFiles, "a file", Options.DeviceFiles) ||
      readNames(R.Rows.Only, "a kernel's name", Options.Only))
    return true;
  if (Options.Datasets.empty())
    return usageError("no dataset; try --help") != Done;
  if (R.Device.getNumOccurrences() == 0)
    return false;
  Expected<const ptxpredict::Device *> D = R.Registry.find(R.Device);
  if (!D) {
    const std::string Why = llvm::toString(D.takeError());
    return usageError("--device: " + Why) != Done;
  }
  noteTaken("--device=", R.Device, **D);
  Only = (*D)->Name;
  return false;
}

bool tool::writeCalibrated(const Calibration &C, StringRef Name,
                           StringRef Path) {
  std::string File;
  llvm::raw_string_ostream OS(File);
  printDevice(C, Name.empty() ? StringRef(C.Base->Name) : Name, OS);
  // What is written must be a device.
  DiagnosticEngine Written(
      llvm::MemoryBuffer::getMemBuffer(File, "the calibrated device"));
  if (!parseDevice(Written, C.Base)) {
    printDiagnostics(&Written);
    return true;
  }
  return !Path.empty() && writeResult(Path, File);
}

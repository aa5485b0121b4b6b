//===- Microbenchmarks.cpp - Results of microbenchmarks as inputs of the fuzzer
//===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Device/Calibration.h"
#include "ptxpredict/Report/Device/CalibrationReport.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

bool fuzz::runMicrobenchmarks(StringRef Text) {
  if (isCompressed(Text))
    return false;
  auto Diags = makeEngine(Text, "input");
  MicrobenchmarkResults Results;
  bool Failed = parseMicrobenchmarks(*Diags, Results);
  check(Failed == Diags->hasErrors(), "an error without a message, or a "
                                      "message without an error");
  if (Failed)
    return false;

  static DeviceRegistry Registry;
  const Device &Base =
      **Registry.find(representativeDevice(Results.ComputeCapability));
  Calibration C;
  Failed = calibrate(*Diags, Results, Base, C);
  check(Failed == Diags->hasErrors(), "a calibration: an error without a "
                                      "message, or a message without an error");
  if (Failed)
    return false;
  std::string Printed, Table;
  llvm::raw_string_ostream OS(Printed), TableOS(Table);
  printDevice(C, "calibrated", OS);
  printCalibrationText(C, TableOS, /*Verbose=*/true);
  auto Again = makeEngine(Printed, "printed");
  if (!parseDevice(*Again, &Base))
    check(Again->hasErrors(), "no device, and no message");
  return true;
}

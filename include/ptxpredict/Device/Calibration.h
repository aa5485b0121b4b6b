//===- Calibration.h - A device's numbers from measurements -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DEVICE_CALIBRATION_H
#define PTXPREDICT_DEVICE_CALIBRATION_H

#include "ptxpredict/Device/Device.h"

namespace ptxpredict {

/// "schema" and "version" of the file of results (docs/commands/Calibrate.md).
/// The version rises when a key is renamed, taken away or required anew.
constexpr StringRef MicrobenchmarksSchemaName = "ptx-predict/microbenchmarks";
constexpr unsigned MicrobenchmarksSchemaVersion = 1;

/// One measured number.
struct MicrobenchmarkResult {
  std::string Name, Unit; ///< of Microbenchmarks.def, or unknown
  double Value = 0;       ///< above 0
  std::optional<double> CoreMHz, MemMHz;
  SMLoc Place; ///< of the value
};

/// A file of results.
struct MicrobenchmarkResults {
  std::string Device; ///< as the driver calls it
  std::string Date, Driver;
  unsigned ComputeCapability = 0; ///< 90 for 9.0
  SMLoc CapabilityPlace;
  std::vector<MicrobenchmarkResult> Results; ///< clocks of the head filled in
};

/// Reads the engine's buffer as a file of results. Names that nothing is known
/// of get a warning, a unit that is not the name's an error. True on error
/// (reported).
bool parseMicrobenchmarks(DiagnosticEngine &Diags,
                          MicrobenchmarkResults &Result);

/// A number that results decide.
struct CalibratedNumber {
  std::string Section;       ///< "latencies", …; "models.bottleneck"
  StringRef Key, Unit;       ///< static
  std::optional<double> Old; ///< the device's, or the model's default
  bool OldIsDefault = false; ///< no file has it
  double New = 0;
  std::string Source; ///< the microbenchmark, its date, driver and clock
};

struct Calibration {
  const Device *Base = nullptr;
  std::vector<CalibratedNumber> Numbers; ///< in the order of a device file
  std::vector<std::string> Unused; ///< results that decide nothing, by name
};

/// What \p Results say of \p Base by the rules of Microbenchmarks.def. Reports
/// results that make a number no device can have. True on error.
bool calibrate(DiagnosticEngine &Diags, const MicrobenchmarkResults &Results,
               const Device &Base, Calibration &Result);

/// A device file of that name that inherits the base and has the numbers, each
/// with its source.
void printDevice(const Calibration &C, StringRef Name, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_DEVICE_CALIBRATION_H

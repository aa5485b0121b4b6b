//===- Sweep.h - One prediction for each of many values ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_PIPELINE_SWEEP_H
#define PTXPREDICT_DRIVER_PIPELINE_SWEEP_H

#include "ptxpredict/Launch/LaunchConfig.h"
#include "ptxpredict/Support/LLVM.h"

namespace ptxpredict {

/// What a sweep changes. Those up to Warps are properties of the device, the
/// next one of the compiled kernel, the rest of the launch.
enum class SweepOf : uint8_t {
  ActiveSMs,
  CoreMHz,
  MemMHz,
  Bandwidth,
  Warps,
  Registers,
  DynamicShared,
  Block,
  Grid,
  Argument
};

/// One value of a sweep. Which member counts, the axis says.
struct SweepEntry {
  std::string Text;    ///< as reports show it
  double Number = 0;   ///< MHz, GB/s, or a count
  Dim3 Shape;          ///< Block, Grid
  ArgumentValue Value; ///< Argument
};

/// `--sweep=WHAT=FROM:TO[:STEP]` or `--sweep=WHAT=A,B,C`.
struct SweepAxis {
  SweepOf What = SweepOf::CoreMHz;
  std::string Name;               ///< as it was written: "core-mhz", "arg:n"
  std::string Parameter;          ///< Argument: its index or name
  std::vector<SweepEntry> Values; ///< at least one

  /// Whether other values make another launch.
  bool changesLaunch() const { return What >= SweepOf::DynamicShared; }
};

/// The most points of all axes together, for one kernel, device and model.
constexpr size_t MaxSweepPoints = 100000;

/// What an axis may be called, "arg:NAME" aside.
std::vector<StringRef> sweepNames();

/// The numbers of an axis called \p Name, "FROM:TO[:STEP]" or "A,B,C"; with
/// \p AreCounts whole ones from 1. The error says what is wrong.
Expected<std::vector<double>> parseSweepNumbers(StringRef Name, StringRef Text,
                                                bool AreCounts);

/// Reads one axis. The error says what is wrong and what would be right.
Expected<SweepAxis> parseSweep(StringRef Text);

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_PIPELINE_SWEEP_H

//===- CounterFile.h - Counters of launches that were measured --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LAUNCH_COUNTERFILE_H
#define PTXPREDICT_LAUNCH_COUNTERFILE_H

#include "ptxpredict/Launch/Counters.h"
#include "ptxpredict/Launch/LaunchShape.h"
#include "ptxpredict/Support/Diagnostics.h"
#include <array>

namespace ptxpredict {

/// The number of one counter: the mean over the launches that are asked for, in
/// the counter's unit.
struct CounterValue {
  double Value = 0;
  const CounterName *Name = nullptr; ///< under which the file has it
  SMLoc Place;                       ///< of its first number
  uint64_t Launches = 0;             ///< that it is the mean of
};

/// What a file has of one kernel at one launch configuration.
struct KernelCounters {
  std::string Kernel; ///< as the file writes it, perhaps with its parameters
  std::string Device; ///< likewise; these two are empty where it has none
  std::string Capability; ///< of that device, "7.5"; empty if unknown
  std::optional<Dim3> Grid, Block;
  /// Where the file has them first; invalid where it does not.
  SMLoc KernelPlace, DevicePlace, CapabilityPlace, GridPlace, BlockPlace;
  uint64_t Launches = 0;
  std::vector<CounterValue> Values; ///< as the file has them first

  /// The number of a counter; null if the file has none.
  const CounterValue *operator[](Counter C) const {
    return Indices[size_t(C)] ? &Values[Indices[size_t(C)] - 1] : nullptr;
  }
  /// The same to be changed; it is added if it is not there.
  CounterValue &add(Counter C) {
    uint8_t &Index = Indices[size_t(C)];
    if (Index == 0) {
      Values.emplace_back();
      Index = uint8_t(Values.size());
    }
    return Values[Index - 1];
  }

private:
  /// Behind the index of each counter in Values; 0: not there.
  std::array<uint8_t, NumCounters> Indices{};
};

/// Reads the engine's buffer as counters in any of the forms. \p LaunchIndex:
/// only that launch of each kernel, from 0, in place of their mean. An unknown
/// metric is a note. True on error (reported): all mistakes of the file.
bool readCounters(DiagnosticEngine &Diags, std::optional<uint64_t> LaunchIndex,
                  std::vector<KernelCounters> &Result);

/// A device as profilers write it, without its number: "GeForce GTX 1080 (0)".
StringRef profiledDeviceName(StringRef Written);

} // namespace ptxpredict

#endif // PTXPREDICT_LAUNCH_COUNTERFILE_H

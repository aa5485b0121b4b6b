//===- ProfiledKernels.h - Kernels that a profiler measured -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What files of Nsight Compute, nvprof and Nsight Systems have in common: how
// long a kernel took at a launch. Each form has its own reader: CounterFile.h,
// NsysTrace.h, NsysSummary.h.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_VALIDATION_DATASET_PROFILEDKERNELS_H
#define PTXPREDICT_VALIDATION_DATASET_PROFILEDKERNELS_H

#include "ptxpredict/Launch/CounterFile.h"
#include "ptxpredict/Validation/Dataset/Dataset.h"

namespace ptxpredict {

/// A kernel at one launch configuration on one device: means over its launches.
struct ProfiledKernel {
  std::string Name;       ///< as the file writes it
  std::string Device;     ///< likewise; empty where it names none
  std::string Capability; ///< of that device, "8.0"; empty if unknown
  std::optional<Dim3> Grid, Block;
  std::optional<uint64_t> DynamicSharedBytes;
  std::optional<unsigned> Registers; ///< of a thread
  uint64_t Launches = 0;
  double TimeUs = 0; ///< above 0
  std::optional<double> CoreMHz;
  /// Those that reports compare with models, and others by name.
  std::array<std::optional<double>, NumMeasuredCounts> Counters;
  std::vector<std::pair<Counter, double>> MoreCounters;
  /// Of the name, and of the device where the file has one.
  SMLoc Place, DevicePlace;
};

struct Profile {
  StringRef Program; ///< static text: "Nsight Compute"
  /// It has core clocks, or is of a program that leaves them as they are.
  bool ClocksAreKnown = false;
  std::vector<ProfiledKernel> Kernels; ///< by first appearance; at least one
};

/// Whether \p Path is that of a profile: a table, not a dataset.
bool isProfilePath(StringRef Path);

/// Reads the engine's buffer, whichever profiler wrote it. True on error
/// (reported): what the form's reader refuses, a kernel without name or time.
bool readProfile(DiagnosticEngine &Diags, Profile &Result);

} // namespace ptxpredict

#endif // PTXPREDICT_VALIDATION_DATASET_PROFILEDKERNELS_H

//===- Emulate.h - What a run on the CPU is asked for -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_PIPELINE_EMULATE_H
#define PTXPREDICT_DRIVER_PIPELINE_EMULATE_H

#include "ptxpredict/Emulator/Core/Emulator.h"
#include "ptxpredict/Report/Emulation/EmulationReport.h"

namespace ptxpredict {

/// What Driver::emulate is asked for besides the DriverOptions.
struct EmulateOptions {
  EmulationOptions Run; ///< its OnProgress is not used
  /// Buffers of the launch file that OnBuffer gets after the run.
  std::vector<std::string> Buffers;
  std::function<void(StringRef Name, ArrayRef<uint8_t> Contents)> OnBuffer;
  /// Called now and then while a kernel runs.
  std::function<void(StringRef Kernel, uint64_t BlocksDone, uint64_t Blocks)>
      OnProgress;
};

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_PIPELINE_EMULATE_H

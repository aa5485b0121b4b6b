//===- InputRecord.h - What reviews keep of an input ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What `lint` and `diff` need of an input, small enough to be kept in a cache:
// plain data, without reference to the input or to a device.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REVIEW_INPUTRECORD_H
#define PTXPREDICT_REVIEW_INPUTRECORD_H

#include "ptxpredict/Launch/LaunchConfig.h"
#include "ptxpredict/Model/TimeLimiter.h"
#include "ptxpredict/Support/Estimate.h"
#include "ptxpredict/Support/Finding.h"
#include <map>

namespace ptxpredict {

/// What a model says of a kernel on a device.
struct DeviceRecord {
  std::string Device, Model;
  std::optional<Estimate> TimeUs; ///< absent where the model has no answer
  std::optional<Estimate> EnergyJ;
  TimeLimiter Limiter = TimeLimiter::None;
  Estimate Registers; ///< of a thread
  unsigned BlocksPerSM = 0;
  double Occupancy = 0; ///< from 0 to 1
};

/// A finding and what it is about.
struct FindingRecord {
  Finding Found;
  /// The instruction in the input, without the numbers of registers and
  /// labels; empty of what is about the kernel as a whole.
  std::string Code = {};
  /// Found.Where.InputLine and the line before it, as they stand in the input.
  std::string Line = {}, LineBefore = {};
};

struct KernelRecord {
  std::string Name, Demangled;
  unsigned Line = 0; ///< in the input
  Dim3 Grid, Block;
  Estimate Registers;                 ///< of a thread, for the input's target
  std::optional<Estimate> SpillBytes; ///< of a thread; absent if nobody said
  uint64_t StaticSharedBytes = 0;
  uint64_t LocalBytes = 0;             ///< of a thread, declared
  unsigned NumStatic = 0;              ///< instructions in the code
  Estimate Instructions;               ///< executed by a warp
  std::map<std::string, Estimate> Mix; ///< the same by class
  /// Memory instructions in the code by their opcode.
  std::map<std::string, unsigned> MemoryOpcodes;
  std::vector<DeviceRecord> Devices;   ///< by device, then by model
  std::vector<FindingRecord> Findings; ///< best first
};

/// An input as a review knows it. Findings and messages that lie in the input
/// itself have its Path.
struct InputRecord {
  std::string Path; ///< as the user gave it
  std::string Frontend, Target;
  std::vector<KernelRecord> Kernels; ///< in the order of the input
  std::vector<Diagnostic> Messages;  ///< all that was reported of it
  bool Failed = false;               ///< Messages have an error
};

} // namespace ptxpredict

#endif // PTXPREDICT_REVIEW_INPUTRECORD_H

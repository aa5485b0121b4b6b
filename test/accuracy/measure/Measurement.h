//===- Measurement.h - What the steps share ---------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MEASURE_MEASUREMENT_H
#define PTXPREDICT_MEASURE_MEASUREMENT_H

#include "Gpu.h"
#include "Records.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>

namespace ptxpredict::measure {

/// What the user asked for.
struct Options {
  std::string Output = "measured"; ///< folder of what is written
  std::string Folder;              ///< test/accuracy
  std::string Kernels; ///< folder of the user's kernels; empty: test/accuracy
  std::string Driver, Management;  ///< libraries; empty: the system's
  std::string As;                  ///< device that the results are about
  std::string Dump;                ///< folder of buffers; empty: none
  std::vector<std::string> Only;   ///< globs of steps; empty: all
  std::vector<unsigned> CoreMHz;   ///< to lock the clock at
  std::vector<unsigned> MemoryMHz; ///< likewise of memory
  double TimeLimit = 1500;         ///< seconds
  double StepLimit = 120;          ///< seconds
  double PowerSeconds = 3;         ///< how long each power is read
  double EmulateSeconds = 20;      ///< for one kernel; 0: none is emulated
  unsigned Device = 0;
  bool Once = false; ///< kernels are launched once and not timed
  bool List = false, Rehearse = false;
};

/// The parameters of every kernel of ptx/, but for a tensor map behind them.
struct BenchmarkArguments {
  cuda::Pointer Spans = 0, Out = 0, In = 0;
  unsigned Rounds = 0, A = 0, B = 0;
  cuda::TensorMap Map = {};

  /// What a launch takes.
  std::vector<void *> pointers();
};

/// Cycles that blocks took, the longest, and the clock that they ran at.
struct Taken {
  double Cycles = 0, CoreMHz = 0;
};

/// The GPU, and where results go.
class Measurement {
public:
  Measurement(Gpu &G, const Options &O, const RecordWriter &Out)
      : G(G), O(O), Out(Out) {}

  Gpu &G;
  const Options &O;
  const RecordWriter &Out;

  /// A kernel of ptx/FILE.ptx.
  Expected<cuda::Function> kernel(StringRef File, StringRef Name);

  /// Launches a benchmark a few times, with its spans and its results in memory
  /// of their own; the fastest run counts. \p Before runs before each launch.
  /// The clock is that of coreMHz() right after it.
  Expected<Taken> measure(
      StringRef File, StringRef Name, const LaunchExtents &Shape,
      BenchmarkArguments Arguments,
      llvm::function_ref<Error()> Before = [] { return Error::success(); });

  /// The core clock under load, by a run that is long enough for the timer.
  Expected<double> coreMHz();
};

/// One thing to measure.
struct Step {
  std::string Name, Group;
  std::function<Error(Measurement &)> Run;
  std::string WhyNot; ///< why the device cannot do it; else empty
};

/// Whether code for a target, "sm_90a", runs on a device of that capability.
bool runsOn(StringRef Target, unsigned Capability);

// One file each: adds its steps.
void addTableSteps(StringRef Group, unsigned Capability,
                   std::vector<Step> &Steps);
void addMemorySteps(const Options &O, std::vector<Step> &Steps);
void addMemorySweeps(std::vector<Step> &Steps);
void addLaunchSteps(const Options &O, std::vector<Step> &Steps);
void addTransferSteps(unsigned NumGPUs, std::vector<Step> &Steps);
void addLaunchSweeps(std::vector<Step> &Steps);
void addIdlePower(std::vector<Step> &Steps);
void addPowerSteps(unsigned Capability, std::vector<Step> &Steps);

/// All benchmarks, the most valuable ones first; kernels stand between.
std::vector<Step> allSteps(const Options &O, unsigned Capability,
                           unsigned NumGPUs, std::vector<Step> Kernels);

} // namespace ptxpredict::measure

#endif // PTXPREDICT_MEASURE_MEASUREMENT_H

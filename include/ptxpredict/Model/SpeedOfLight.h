//===- SpeedOfLight.h - How near a kernel comes to peaks --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Simple divisions of what a kernel does by its predicted time, beside what the
// data sheet allows. No model is in them but the time and its memory traffic.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_SPEEDOFLIGHT_H
#define PTXPREDICT_MODEL_SPEEDOFLIGHT_H

#include "ptxpredict/Model/Model.h"

namespace ptxpredict {

/// 32-byte sectors that a request touches in the mean, nothing where it does
/// not go to device memory.
std::optional<double> sectorsOf(const MemoryCharacteristics &M);

/// Bytes that a launch's requests touch in device memory, by 32-byte sectors:
/// what it would move without any cache.
double requestedBytes(const KernelCharacteristics &K);

/// What of it device memory moves: as the model says, else by the hit rate of
/// L2 where that is known.
double dramBytes(const KernelCharacteristics &K, const Prediction &P);

/// Peak of device memory at the point of \p P, GB/s. \p P must have its device.
double bandwidthOf(const Prediction &P);

/// What arithmetic units of one kind do, and what they could, in GFLOP/s (of
/// integers 10^9 operations a second).
struct PipeRate {
  StringRef Name;  ///< static text: "fp32", "tensor", "integer"
  double Ops = 0;  ///< of the launch; an FMA counts two
  double Giga = 0; ///< a second, at the predicted time
  double Peak = 0; ///< of all SMs that the point has
  double share() const { return Peak > 0 ? Giga / Peak : 0; }
};

struct SpeedOfLight {
  /// The kinds of floating-point units that the kernel uses, those nearest to
  /// their peak first.
  SmallVector<PipeRate, 4> Pipes;
  PipeRate Integers;    ///< additions, comparisons and logic, of 32 bits each
  double DRAMBytes = 0; ///< of the launch
  double DRAMGBs = 0;   ///< GB/s at the predicted time
  double DRAMPeak = 0;  ///< GB/s
  double L2Bytes = 0;   ///< of the launch; 0 of a model that does not say
  double L2Peak = 0;    ///< GB/s; 0 where the device's file does not say
  double dramShare() const { return DRAMPeak > 0 ? DRAMGBs / DRAMPeak : 0; }

  /// The floating-point units nearest to their peak, else those of integers.
  const PipeRate &pipe() const {
    return Pipes.empty() ? Integers : Pipes.front();
  }
};

/// Nothing without a time or a GPU.
std::optional<SpeedOfLight> speedOfLight(const KernelCharacteristics &K,
                                         const Prediction &P);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_SPEEDOFLIGHT_H

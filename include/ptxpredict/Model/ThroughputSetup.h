//===- ThroughputSetup.h - The throughput model's inputs --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_THROUGHPUTSETUP_H
#define PTXPREDICT_MODEL_THROUGHPUTSETUP_H

#include "ptxpredict/Model/MWPCWP.h"
#include "ptxpredict/Model/Throughput.h"

namespace ptxpredict {

/// Where requests to device memory end: shares, from 0 to 1, of what they move.
/// The rest is device memory's.
struct CacheMix {
  double L1 = 0, L2 = 0;
};

/// The inputs of a kernel on a device as far as they depend on neither clocks
/// nor SMs, and the rest of them for each point.
class ThroughputSetup {
public:
  /// Takes \p Which of every count.
  ThroughputSetup(const KernelOnDevice &On, const ModelOptions &Options,
                  CountMember Which = &Count::Value);

  /// With the cache levels as the kernel's locality says.
  ThroughputInputs inputs(const DevicePoint &P) const { return inputs(P, Mix); }
  ThroughputInputs inputs(const DevicePoint &P, const CacheMix &Levels) const;

  /// The equations as the model takes them: as printed, or with our readings of
  /// what the text leaves open.
  ThroughputOptions Equations;
  /// All in device memory where the launch is not known well enough.
  CacheMix Mix;
  /// Hit rates are known.
  bool HasMix = false;
  /// Names of the parameters that the device's file does not give and that are
  /// derived from its latency, bandwidth and pipes.
  SmallVector<StringRef, 4> Derived;
  /// Of the issue cycles, the part that shared-memory accesses take.
  double SharedFraction = 0;
  /// What the device's file lacks; empty if the model can answer.
  std::string Missing;

private:
  ThroughputInputs Fixed; ///< without what the point decides
  double Blocks, WarpsPerBlock;
  double ResidentBlocks; ///< of an SM, if there are enough
  /// Cycles at the boost clock.
  double DRAMLatency, L2Latency, L1Latency;
  double BoostMHz;
  double Bandwidth, BandwidthMHz; ///< GB/s, and at which memory clock
  double PeakLanes;       ///< of an SM, for the mean floating-point instruction
  double BytesPerRequest; ///< moved
  double DepartureDelay;  ///< cycles, of a request that leaves the SM
  /// Of a request's transactions those that leave after the first one.
  double LaterTransactions;
};

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_THROUGHPUTSETUP_H

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
  double WrittenBack = 0; ///< that hits and goes to device memory besides
};

/// The inputs of a kernel on a device as far as they depend on neither clocks
/// nor SMs, and the rest of them for each point.
class ThroughputSetup {
public:
  /// Takes \p Which of every count.
  ThroughputSetup(const KernelOnDevice &On, const ModelOptions &Options,
                  EstimateMember Which = &Estimate::Value);

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
  void countOnGPU(const KernelOnDevice &On, const ModelOptions &Options,
                  EstimateMember Which);
  void countOnCPU(const KernelOnDevice &On, EstimateMember Which);
  void findMix(const KernelOnDevice &On, EstimateMember Opposite);

  ThroughputInputs Fixed; ///< without what the point decides
  double Blocks;
  /// Of a block: warps of a GPU, vectors of lanes of a CPU.
  double WarpsPerBlock;
  double ResidentBlocks; ///< of an SM, if there are enough
  /// Cycles at the boost clock.
  double DRAMLatency, L2Latency, L1Latency;
  double BoostMHz;
  double Bandwidth, BandwidthMHz; ///< GB/s, and at which memory clock
  bool IsCPU;
  double PeakLanes;  ///< of a core, for the mean floating-point instruction
  double VectorPeak; ///< of vector or fused instructions over plain ones
  double BytesPerRequest; ///< moved
  /// Of requests that nothing of the kernel's reuse has in a cache, the share
  /// that needs a new sector: vectors of a CPU share them.
  double NewSectors = 1;
  double DepartureDelay; ///< cycles, of a request that leaves the core
  /// Of a request's transactions those that leave after the first one.
  double LaterTransactions;
};

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_THROUGHPUTSETUP_H

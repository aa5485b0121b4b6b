//===- BottleneckSetup.h - Our own model's inputs ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_BOTTLENECKSETUP_H
#define PTXPREDICT_MODEL_BOTTLENECKSETUP_H

#include "ptxpredict/Model/Bottleneck.h"
#include "ptxpredict/Model/MachineWork.h"
#include "ptxpredict/Model/MemoryTraffic.h"
#include "ptxpredict/Model/Model.h"

namespace ptxpredict {

/// The model's parameters of a device, with defaults for those that neither its
/// file nor one that it inherits has.
struct BottleneckParameters {
#define BOTTLENECK_PARAMETER(MEMBER, KEY, UNIT, LOWEST, HIGHEST, DEFAULT,      \
                             SIGMA, MEANING)                                   \
  double MEMBER = DEFAULT;
#include "ptxpredict/Device/BottleneckParameters.def"
  /// Keys that no file has.
  SmallVector<StringRef, 8> Defaults;

  static BottleneckParameters of(const Device &D);
};

/// What measured counters can be compared with.
struct BottleneckCounts {
#define BOTTLENECK_COUNT(MEMBER, NAME, UNIT, MEANING) double MEMBER = 0;
#include "ptxpredict/Model/BottleneckTerms.def"
};

/// The inputs of a kernel on a device as far as they depend on neither clocks
/// nor SMs, and the rest of them for each point.
class BottleneckSetup {
public:
  /// Takes \p Which of every count.
  BottleneckSetup(const KernelOnDevice &On, const BottleneckParameters &Set,
                  BottleneckParts Without = {},
                  double Estimate::*Which = &Estimate::Value);

  /// Takes other parameters; what was counted stays. Allocates nothing.
  void setParameters(const BottleneckParameters &Set);

  BottleneckInputs inputs(const DevicePoint &P) const;

  /// What blocks wait for each other.
  struct Wait {
    WaitCharacteristics Of;
    double Times = 0;  ///< in the launch
    double Cycles = 0; ///< of one: a hop of a chain, or what a block waits more
  };
  ArrayRef<Wait> waits() const { return Waits; }

  BottleneckCounts Counts;
  /// Hit rates are known.
  bool HasHits = false;

private:
  double atomicDemand(const BottleneckParameters &Set) const;

  BottleneckInputs Fixed; ///< without what the point decides
  BottleneckParts Without;
  ByResource<double> Nominal{}; ///< rates, where the device has them
  std::vector<AtomicPlace> Atomics;
  double ResidentBlocks = 1;
  double BoostMHz = 1, MemoryMHz = 1;
  double L2MHz = 0;      ///< of L2's rate, if it keeps a clock of its own
  double BytesPerUs = 0; ///< of device memory, its efficiency included
  double DRAMEfficiency = 1;
  double Mixed = 0; ///< 1 where device memory reads as much as it writes
  double Refresh = 0, SlowMemoryMHz = 0;
  double BlocksPerCycle = 1, BlocksPerUs = 1;
  /// Of the latency of loads from outside of the SM: core cycles, and
  /// microseconds behind L2.
  double LatencyCycles = 0, LatencyUs = 0;
  double L2Cycles = 0;               ///< of a round trip to L2
  double CopyCycles = 0, CopyUs = 0; ///< the same of CopyLatency
  /// The critical path of the mean block's longest warps, or of the heaviest
  /// blocks', at the two Latencies; it is taken to be straight.
  struct Path {
    std::array<double, 2> Cycles{};
    std::array<double, 2> Exact{}; ///< by the instructions' latencies alone
  };
  std::array<double, 2> Latencies{};
  Path MeanPath, HeaviestPath;
  std::vector<Wait> Waits;
  double Contenders = 1; ///< blocks that run at once

  void setRates(const Device &D);
  void countMemory(const Device &D, const MemoryTraffic &Traffic);
  void addHeaviest(const KernelOnDevice &On, double Estimate::*Which);
  void findLatencies(const Device &D, const MemoryTraffic &Traffic,
                     double InFlight);
  void findPaths(const KernelOnDevice &On, double FenceTrips,
                 double Estimate::*Which);
  void findWaits(const KernelOnDevice &On, double Estimate::*Which);
  double setWaits(const BottleneckParameters &Set);
  double pathAt(const Path &P, double Latency) const;
  double refreshAt(double MHz) const;
};

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_BOTTLENECKSETUP_H

//===- EnergyEfficiency.cpp - Speed-up against energy ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/EnergyEfficiency.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

EnergyGain ptxpredict::energyGain(double TimeFraction, double PowerFraction) {
  EnergyGain G;
  G.Speedup = 1 / TimeFraction;                    // (95), (97)
  G.EnergyFraction = PowerFraction * TimeFraction; // (98)-(101)
  G.Efficiency = 1 / G.EnergyFraction;             // (102), (103)
  return G;
}

double ProcessorSide::time(double Data) const {
  return Data * SlowDown / (Cores * Throughput * Clock); // (104)
}

double ProcessorSide::dynamicPower() const {
  return Cores * Clock * Clock * Clock * Power; // (107)
}

EnergyGain ptxpredict::compareSides(const LoadedSide &Old,
                                    const LoadedSide &New) {
  return energyGain(New.time() / Old.time(),    // (105)
                    New.power() / Old.power()); // (108)
}

EnergyGain ptxpredict::partitionGain(const CPUGPUSystem &S, double GPUShare) {
  double Time =
      std::max(S.CPU.time(1 - GPUShare), S.GPU.time(GPUShare)); // (110), (113)
  double Power = S.Idle;                                        // (111), (114)
  if (GPUShare < 1)
    Power += S.CPU.dynamicPower();
  if (GPUShare > 0)
    Power += S.GPU.dynamicPower();
  return energyGain(Time / S.CPU.time(1),
                    Power / (S.CPU.dynamicPower() + S.Idle)); // (112)
}

std::vector<PartitionPoint> ptxpredict::sweepPartition(const CPUGPUSystem &S,
                                                       unsigned Points) {
  std::vector<PartitionPoint> Sweep(std::max(Points, 2u));
  for (size_t I = 0; I != Sweep.size(); ++I) {
    Sweep[I].GPUShare = double(I) / double(Sweep.size() - 1);
    Sweep[I].Gain = partitionGain(S, Sweep[I].GPUShare);
  }
  return Sweep;
}

std::vector<ClockPoint> ptxpredict::sweepClock(const ProcessorSide &Side,
                                               double Idle,
                                               ArrayRef<double> Clocks) {
  std::vector<ClockPoint> Sweep;
  for (double Clock : Clocks) {
    ProcessorSide At = Side;
    At.Clock = Clock;
    Sweep.push_back({Clock, compareSides({Side, 1, Idle}, {At, 1, Idle})});
  }
  return Sweep;
}

ArrayRef<SystemSeries> ptxpredict::systemSeries() {
  static const std::vector<SystemSeries> Series = [] {
    std::vector<SystemSeries> All;
    for (unsigned I = 0; I != 16; ++I)
      All.push_back({I + 1, /*FastCPU=*/I >= 8, /*FastGPU=*/(I & 4) != 0,
                     /*HighPowerCPU=*/(I & 2) != 0,
                     /*HighPowerGPU=*/(I & 1) != 0});
    return All;
  }();
  return Series;
}

CPUGPUSystem ptxpredict::applySeries(const CPUGPUSystem &Base,
                                     const SystemSeries &Series,
                                     const SeriesLevels &Levels) {
  CPUGPUSystem S = Base;
  S.CPU.SlowDown = Series.FastCPU ? Levels.Fast : Levels.Slow;
  S.GPU.SlowDown = Series.FastGPU ? Levels.Fast : Levels.Slow;
  S.CPU.Power = Series.HighPowerCPU ? Levels.High : Levels.Low;
  S.GPU.Power = Series.HighPowerGPU ? Levels.High : Levels.Low;
  return S;
}

bool ptxpredict::isLinear(ArrayRef<EnergyGain> Sorted, double Tolerance) {
  if (Sorted.size() < 3)
    return true;
  std::vector<double> Slopes;
  double Largest = 0;
  for (size_t I = 1; I != Sorted.size(); ++I) {
    Slopes.push_back((Sorted[I].Efficiency - Sorted[I - 1].Efficiency) /
                     (Sorted[I].Speedup - Sorted[I - 1].Speedup));
    Largest = std::max(Largest, std::fabs(Slopes.back()));
  }
  for (size_t I = 1; I != Slopes.size(); ++I)
    if (std::fabs(Slopes[I] - Slopes[I - 1]) > Tolerance * Largest) // (116)
      return false;                                                 // (117)
  return true;
}

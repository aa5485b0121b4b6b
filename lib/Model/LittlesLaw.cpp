//===- LittlesLaw.cpp - The equations of Gajger's model -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/LittlesLaw.h"
#include <algorithm>

using namespace ptxpredict;

/// Cycles that \p Work takes by \p Rate; none without such a unit.
static double cycles(double Work, double Rate) {
  return Rate > 0 ? Work / Rate : 0;
}

LittlesLawResult ptxpredict::evaluateLittlesLaw(const LittlesLawInputs &In) {
  LittlesLawResult R;
  R.WarpsLaunched = In.GridSize * In.WarpsPerBlock; // (4.2)
  R.CPWCuda = cycles(In.WarpSize * In.InsCuda, In.CudaCores);
  R.CPWIssue = cycles(In.InsIssued, In.Schedulers);
  R.CPWGMem = cycles(In.GMemBytes, In.GMemBandwidth);
  R.CPWSFU = cycles(In.WarpSize * In.InsSFU, In.SFUs);
  R.CPWFP64 = cycles(In.WarpSize * In.InsFP64, In.FP64Units);
  R.CPWShared = In.SharedCycles;
  R.CPWL2 = cycles(In.L2Bytes, In.L2Bandwidth);
  const std::pair<double, TimeLimiter> Bounds[] = {
      {R.CPWCuda, TimeLimiter::Compute},
      {R.CPWIssue, TimeLimiter::Issue},
      {R.CPWGMem, TimeLimiter::MemoryBandwidth},
      {R.CPWSFU, TimeLimiter::Compute},
      {R.CPWFP64, TimeLimiter::Compute},
      {R.CPWShared, TimeLimiter::SharedMemory},
      {R.CPWL2, TimeLimiter::L2Bandwidth}};
  for (const auto &[Cycles, Limiter] : Bounds) // (4.5)
    if (Cycles > R.CPWBound) {
      R.CPWBound = Cycles;
      R.Limiter = Limiter;
    }
  R.ThroughputBound = 1 / R.CPWBound;             // (4.6)
  R.LatencyRate = In.Occupancy / In.LatencyBound; // (4.3)
  if (R.LatencyRate < R.ThroughputBound)
    R.Limiter = TimeLimiter::MemoryLatency;
  R.WarpThroughput = std::min(R.LatencyRate, R.ThroughputBound);
  R.Knee = In.LatencyBound / R.CPWBound;
  R.TimeUs =
      R.WarpsLaunched / (R.WarpThroughput * In.SMs * In.ClockMHz * In.Lambda) +
      In.LaunchUs; // (4.1)
  return R;
}

double ptxpredict::globalBandwidth(double MemMHz, double BusBits,
                                   double DataRate, double SMs,
                                   double CoreMHz) {
  return MemMHz * (BusBits / 8) * DataRate / (SMs * CoreMHz);
}

double ptxpredict::crossoverTrips(double CyclesOfMemory, double Schedulers,
                                  double Once, double Each) {
  return (Schedulers * CyclesOfMemory - Once) / Each;
}

//===- ClusterEnergy.cpp - Energy of nodes with GPUs ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/ClusterEnergy.h"
#include <cmath>
#include <numeric>

using namespace ptxpredict;

double ptxpredict::delayEnergy(ArrayRef<double> NodeWatts, double Seconds) {
  return std::accumulate(NodeWatts.begin(), NodeWatts.end(), 0.0) * Seconds;
}

double ptxpredict::gpuSeconds(double PCISeconds, double KernelSeconds) {
  return PCISeconds + KernelSeconds;
}

double ptxpredict::meanGPUWatts(double IdleW, double KernelW, double PCISeconds,
                                double KernelSeconds) {
  const double Seconds = gpuSeconds(PCISeconds, KernelSeconds);
  return Seconds > 0 ? (IdleW * PCISeconds + KernelW * KernelSeconds) / Seconds
                     : 0;
}

double ptxpredict::clusterEnergy(uint64_t Count, const ClusterNode &Each,
                                 double Seconds) {
  const double GPUs =
      std::accumulate(Each.GPUWatts.begin(), Each.GPUWatts.end(), 0.0);
  return double(Count) * ((GPUs + Each.HostIdleW) * Seconds + Each.OverheadJ +
                          Each.NetworkW * Each.NetworkSeconds);
}

double ptxpredict::clusterEnergy(ArrayRef<ClusterNode> Nodes, double Seconds) {
  double Joules = 0;
  for (const ClusterNode &N : Nodes)
    Joules += clusterEnergy(1, N, Seconds);
  return Joules;
}

double ptxpredict::energyDelay(double Joules, double Seconds,
                               double EnergyPower, double DelayPower) {
  return std::pow(Joules, EnergyPower) * std::pow(Seconds, DelayPower);
}

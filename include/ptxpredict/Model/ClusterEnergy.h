//===- ClusterEnergy.h - Energy of nodes with GPUs --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Song's dissertation, section 5.6 (docs/models/ClusterEnergy.md), whose
// equations the numbers in parentheses are. Seconds, W and J. The host's idle
// power counts once a node: (2.12), which counts it once a GPU, is not built.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_CLUSTERENERGY_H
#define PTXPREDICT_MODEL_CLUSTERENERGY_H

#include "ptxpredict/Support/LLVM.h"
#include <cstdint>

namespace ptxpredict {

/// (5.14): the sum of nodes' mean powers times the time.
double delayEnergy(ArrayRef<double> NodeWatts, double Seconds);

/// (5.16): t_gpu = t_pci + t_kernel.
double gpuSeconds(double PCISeconds, double KernelSeconds);

/// Pg over t_gpu of a GPU that draws \p IdleW during copies and \p KernelW
/// during kernels. 0 of no time.
double meanGPUWatts(double IdleW, double KernelW, double PCISeconds,
                    double KernelSeconds);

/// What a node's energy is made of.
struct ClusterNode {
  SmallVector<double, 8> GPUWatts; ///< Pg_ik: mean over t_gpu
  double HostIdleW = 0;            ///< P_idle, once
  double OverheadJ = 0;            ///< E_para_overhead
  double NetworkW = 0;             ///< P_nic; 0 in the dissertation
  double NetworkSeconds = 0;       ///< that P_nic is drawn
};
/// (5.15) of nodes that may differ, over \p Seconds, which is t_gpu.
double clusterEnergy(ArrayRef<ClusterNode> Nodes, double Seconds);
/// (5.15) of \p Count equal nodes.
double clusterEnergy(uint64_t Count, const ClusterNode &Each, double Seconds);

/// E^a D^b: smaller is better.
double energyDelay(double Joules, double Seconds, double EnergyPower,
                   double DelayPower);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_CLUSTERENERGY_H

//===- LaunchLimits.h - What a launch may ask for ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_DRIVER_PIPELINE_LAUNCHLIMITS_H
#define PTXPREDICT_LIB_DRIVER_PIPELINE_LAUNCHLIMITS_H

#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Graph/KernelBounds.h"
#include "ptxpredict/Launch/LaunchShape.h"

namespace ptxpredict {

/// Why \p D does not start a kernel of those bounds at this launch, by the
/// shapes of block, grid and cluster; empty if it does. What a block needs of
/// an SM is computeOccupancy's to judge.
std::string whyNoLaunch(const LaunchConfig &Launch, const KernelBounds &Bounds,
                        const Device &D);

/// Why no device at all starts a kernel of those bounds.
struct LaunchRefusal {
  std::string Reason;                     ///< empty if some device does
  LaunchShape Shape = LaunchShape::Block; ///< which is wrong
  bool IsAsked = false; ///< the launch says it, not the kernel itself
};
/// Needs nothing of the kernel but its bounds. A launch that depends on the
/// device is not refused.
LaunchRefusal refuseLaunch(const LaunchSpec &Spec, const KernelBounds &Bounds);

/// What to know of the clusters of a launch that \p D starts; empty if nothing.
std::string clusterNote(const LaunchConfig &Launch, const KernelBounds &Bounds,
                        const Device &D);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_DRIVER_PIPELINE_LAUNCHLIMITS_H

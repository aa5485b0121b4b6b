//===- LaunchShape.h - Limits of grids, blocks and clusters -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LAUNCH_LAUNCHSHAPE_H
#define PTXPREDICT_LAUNCH_LAUNCHSHAPE_H

#include "ptxpredict/Launch/LaunchConfig.h"

namespace ptxpredict {

/// The shapes that make a launch.
enum class LaunchShape : uint8_t { Grid, Block, Cluster };

/// Where a file says them, by LaunchShape; invalid where it does not.
using ShapePlaces = std::array<SMLoc, 3>;

/// "grid", "block" or "cluster": as options and keys call it.
StringRef toString(LaunchShape Which);

/// Why no device starts a grid, a block or a cluster of these extents, whatever
/// the kernel; empty where some device does. Limits of threads and blocks: CUDA
/// C++ Programming Guide, "Technical Specifications per Compute Capability", of
/// the device that takes most. Of clusters: NVIDIA Hopper Tuning Guide, "Thread
/// Block Clusters".
std::string whyNoShape(LaunchShape Which, const Dim3 &Extents);

/// "129 threads a block are 1 more than the limit of 128"
std::string exceedsLimit(uint64_t Wanted, const Twine &What, uint64_t Limit);

} // namespace ptxpredict

#endif // PTXPREDICT_LAUNCH_LAUNCHSHAPE_H

//===- LaunchLimits.cpp - What a launch may ask for -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Limits of grids: CUDA C++ Programming Guide, "Technical Specifications per
// Compute Capability". Bounds of kernels: PTX ISA, "Performance-Tuning
// Directives" and "Cluster Dimension Directives", which say that a launch
// beyond them fails. Clusters: CUDA C++ Programming Guide, "Thread Block
// Clusters"; the most blocks: NVIDIA Hopper Tuning Guide, "Thread Block
// Clusters".
//===----------------------------------------------------------------------===//
#include "LaunchLimits.h"

using namespace ptxpredict;

static std::array<uint64_t, 3> extents(const Dim3 &D) {
  return {D.X, D.Y, D.Z};
}

static std::string text(const KernelBounds::Extent &E) {
  return toString(Dim3{E[0], E[1], E[2]});
}

static std::string exceeds(uint64_t Wanted, const Twine &What, uint64_t Limit) {
  return (Twine(Wanted) + " " + What + " are " + Twine(Wanted - Limit) +
          " more than the limit of " + Twine(Limit))
      .str();
}

static std::string whyNoGrid(const Dim3 &Grid, const Device &D) {
  if (D.IsCPU)
    return {};
  unsigned Capability = D.ComputeCapability;
  uint64_t Most = 65535;
  uint64_t Limits[3] = {Capability < 30 ? Most : (uint64_t(1) << 31) - 1, Most,
                        Capability < 20 ? 1 : Most};
  for (unsigned I = 0; I != 3; ++I)
    if (uint64_t Extent = extents(Grid)[I]; Extent > Limits[I])
      return exceeds(Extent, "blocks of a grid in " + Twine("xyz"[I]),
                     Limits[I]);
  return {};
}

static std::string whyNoCluster(const LaunchConfig &Launch,
                                const KernelBounds &Bounds) {
  constexpr uint64_t Most = 16;
  const Dim3 &Cluster = Launch.Cluster;
  if (Bounds.RequiredCluster && extents(Cluster) != *Bounds.RequiredCluster)
    return "a cluster of " + toString(Cluster) +
           " blocks is not the one that .reqnctapercluster requires, " +
           text(*Bounds.RequiredCluster);
  if (Bounds.MaxClusterRank && Cluster.count() > *Bounds.MaxClusterRank)
    return exceeds(Cluster.count(), "blocks of a cluster",
                   *Bounds.MaxClusterRank) +
           ", from .maxclusterrank";
  if (Cluster.count() > Most)
    return exceeds(Cluster.count(), "blocks of a cluster", Most);
  for (unsigned I = 0; I != 3; ++I)
    if (extents(Launch.Grid)[I] % extents(Cluster)[I])
      return "a grid of " + toString(Launch.Grid) +
             " blocks is not a whole number of clusters of " +
             toString(Cluster);
  return {};
}

std::string ptxpredict::whyNoLaunch(const LaunchConfig &Launch,
                                    const KernelBounds &Bounds,
                                    const Device &D) {
  const Dim3 &Block = Launch.Block;
  if (std::string Why = whyNoBlock(Block); !Why.empty())
    return Why;
  if (Bounds.RequiredThreads && extents(Block) != *Bounds.RequiredThreads)
    return "a block of " + toString(Block) +
           " threads is not the one that .reqntid requires, " +
           text(*Bounds.RequiredThreads);
  if (const auto &Max = Bounds.MaxThreads) {
    // The product counts, not each extent.
    uint64_t Limit = 1;
    for (uint64_t E : *Max)
      if (__builtin_mul_overflow(Limit, E, &Limit))
        Limit = ~uint64_t(0);
    if (Block.count() > Limit)
      return exceeds(Block.count(), "threads a block", Limit) +
             ", from .maxntid";
  }
  if (std::string Why = whyNoGrid(Launch.Grid, D); !Why.empty())
    return Why;
  return whyNoCluster(Launch, Bounds);
}

std::string ptxpredict::clusterNote(const LaunchConfig &Launch,
                                    const KernelBounds &Bounds,
                                    const Device &D) {
  uint64_t Blocks = Launch.Cluster.count();
  if (Blocks == 1)
    return {};
  // What the code requires and the device lacks is said of the target.
  if (!D.PortableClusterBlocks)
    return Bounds.RequiredCluster
               ? ""
               : D.Name + " has no thread block clusters; blocks are assumed "
                          "to start independently";
  uint64_t Portable = uint64_t(*D.PortableClusterBlocks);
  if (Blocks <= Portable)
    return {};
  return ("a cluster of " + Twine(Blocks) +
          " blocks is larger than the portable " + Twine(Portable) +
          "; the launch must allow it, and the device may not hold it")
      .str();
}

//===- LaunchLimits.cpp - What a launch may ask for -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Limits of grids: CUDA C++ Programming Guide, "Technical Specifications per
// Compute Capability". Bounds of kernels: PTX ISA, "Performance-Tuning
// Directives" and "Cluster Dimension Directives", which say that a launch
// beyond them fails. Clusters: CUDA C++ Programming Guide, "Thread Block
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

static std::string whyNoGrid(const Dim3 &Grid, const Device &D) {
  if (D.IsCPU)
    return {};
  if (std::string Why = whyNoShape(LaunchShape::Grid, Grid); !Why.empty())
    return Why;
  constexpr uint64_t Most = 65535;
  if (D.ComputeCapability < 30 && Grid.X > Most)
    return exceedsLimit(Grid.X, "blocks of a grid in x", Most);
  if (D.ComputeCapability < 20 && Grid.Z > 1)
    return exceedsLimit(Grid.Z, "blocks of a grid in z", 1);
  return {};
}

static std::string whyNoThreads(const Dim3 &Block, const KernelBounds &Bounds) {
  if (std::string Why = whyNoShape(LaunchShape::Block, Block); !Why.empty())
    return Why;
  if (Bounds.RequiredThreads && extents(Block) != *Bounds.RequiredThreads)
    return "a block of " + toString(Block) +
           " threads is not the one that .reqntid requires, " +
           text(*Bounds.RequiredThreads);
  if (!Bounds.MaxThreads)
    return {};
  // The product counts, not each extent.
  uint64_t Limit = 1;
  for (uint64_t E : *Bounds.MaxThreads)
    if (__builtin_mul_overflow(Limit, E, &Limit))
      Limit = ~uint64_t(0);
  return Block.count() > Limit
             ? exceedsLimit(Block.count(), "threads a block", Limit) +
                   ", from .maxntid"
             : std::string();
}

static std::string whyNoCluster(const Dim3 &Cluster, const Dim3 &Grid,
                                const KernelBounds &Bounds) {
  if (Bounds.RequiredCluster && extents(Cluster) != *Bounds.RequiredCluster)
    return "a cluster of " + toString(Cluster) +
           " blocks is not the one that .reqnctapercluster requires, " +
           text(*Bounds.RequiredCluster);
  if (Bounds.MaxClusterRank && Cluster.count() > *Bounds.MaxClusterRank)
    return exceedsLimit(Cluster.count(), "blocks of a cluster",
                        *Bounds.MaxClusterRank) +
           ", from .maxclusterrank";
  if (std::string Why = whyNoShape(LaunchShape::Cluster, Cluster); !Why.empty())
    return Why;
  for (unsigned I = 0; I != 3; ++I)
    if (extents(Grid)[I] % extents(Cluster)[I])
      return "a grid of " + toString(Grid) +
             " blocks is not a whole number of clusters of " +
             toString(Cluster);
  return {};
}

std::string ptxpredict::whyNoLaunch(const LaunchConfig &Launch,
                                    const KernelBounds &Bounds,
                                    const Device &D) {
  if (std::string Why = whyNoThreads(Launch.Block, Bounds); !Why.empty())
    return Why;
  if (std::string Why = whyNoGrid(Launch.Grid, D); !Why.empty())
    return Why;
  return whyNoCluster(Launch.Cluster, Launch.Grid, Bounds);
}

LaunchRefusal ptxpredict::refuseLaunch(const LaunchSpec &Spec,
                                       const KernelBounds &Bounds) {
  auto Chosen = [](const std::optional<Dim3> &Asked,
                   const std::optional<KernelBounds::Extent> &Bound) {
    return Asked   ? *Asked
           : Bound ? Dim3{(*Bound)[0], (*Bound)[1], (*Bound)[2]}
                   : Dim3();
  };
  const Dim3 Block =
      Chosen(Spec.Block, Bounds.RequiredThreads ? Bounds.RequiredThreads
                                                : Bounds.MaxThreads);
  if (std::string Why = whyNoThreads(Block, Bounds); !Why.empty())
    return {std::move(Why), LaunchShape::Block, Spec.Block.has_value()};
  if (std::string Why =
          whyNoShape(LaunchShape::Grid, Spec.Grid.value_or(Dim3()));
      !Why.empty())
    return {std::move(Why), LaunchShape::Grid, true};
  const Dim3 Cluster = Chosen(Spec.Cluster, Bounds.RequiredCluster);
  // An assumed grid has whole clusters.
  std::string Why = whyNoCluster(Cluster, Spec.Grid.value_or(Cluster), Bounds);
  const bool IsOfGrid = !Spec.Cluster && Spec.Grid;
  return {std::move(Why), IsOfGrid ? LaunchShape::Grid : LaunchShape::Cluster,
          Spec.Cluster || Spec.Grid};
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

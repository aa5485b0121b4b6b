//===- LaunchShape.cpp - Limits of grids, blocks and clusters -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/LaunchShape.h"
#include "llvm/Support/ErrorHandling.h"

using namespace ptxpredict;

StringRef ptxpredict::toString(LaunchShape Which) {
  static constexpr StringRef Names[] = {"grid", "block", "cluster"};
  return Names[size_t(Which)];
}

std::string ptxpredict::exceedsLimit(uint64_t Wanted, const Twine &What,
                                     uint64_t Limit) {
  return (Twine(Wanted) + " " + What + " are " + Twine(Wanted - Limit) +
          " more than the limit of " + Twine(Limit))
      .str();
}

std::string ptxpredict::whyNoShape(LaunchShape Which, const Dim3 &Extents) {
  constexpr uint64_t MostThreads = 1024, MostInZ = 64, MostOfCluster = 16;
  constexpr uint64_t MostBlocks[] = {(uint64_t(1) << 31) - 1, 65535, 65535};
  const uint64_t Asked[] = {Extents.X, Extents.Y, Extents.Z};
  switch (Which) {
  case LaunchShape::Block:
    // The limits of x and y are that of the number of threads.
    if (Extents.count() > MostThreads)
      return exceedsLimit(Extents.count(), "threads a block", MostThreads);
    return Extents.Z > MostInZ
               ? exceedsLimit(Extents.Z, "threads of a block in z", MostInZ)
               : std::string();
  case LaunchShape::Cluster:
    return Extents.count() > MostOfCluster
               ? exceedsLimit(Extents.count(), "blocks of a cluster",
                              MostOfCluster)
               : std::string();
  case LaunchShape::Grid:
    for (unsigned N = 0; N != 3; ++N)
      if (Asked[N] > MostBlocks[N])
        return exceedsLimit(Asked[N], "blocks of a grid in " + Twine("xyz"[N]),
                            MostBlocks[N]);
    return {};
  }
  llvm_unreachable("all shapes are handled");
}

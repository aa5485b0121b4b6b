//===- OccupancyReport.cpp - One block shape on one device --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/OccupancyReport.h"
#include <cmath>

using namespace ptxpredict;

void OccupancyResult::evaluate() {
  Resources.Threads =
      unsigned(std::min<uint64_t>(Block.count(), ~0U)); // beyond any limit
  Resources.RegistersPerThread = unsigned(std::lround(Registers.Value));
  Resources.SharedBytes = StaticSharedBytes + DynamicSharedBytes;
  Resources.Barriers = Barriers;
  Occ = computeOccupancy(*D, Resources);
  Next = reduceToFit(*D, Resources, Occ.BlocksPerSM + 1);

  // For what no saving helps against.
  auto Refuse = [&](OccupancyLimiter L, std::string Why) {
    Next.reset();
    if (Occ.BlocksPerSM == 0)
      return; // refused already
    Occ.BlocksPerSM = Occ.WarpsPerSM = 0;
    Occ.Fraction = 0;
    Occ.Limiter = L;
    Occ.Why = std::move(Why);
  };
  if (std::string Why = whyNoBlock(Block); !Why.empty())
    Refuse(OccupancyLimiter::Threads, std::move(Why));
  uint64_t Cluster = this->Cluster.count();
  if (Cluster != 1 && !D->PortableClusterBlocks)
    Refuse(OccupancyLimiter::Blocks, D->Name + " has no thread block clusters");
  if (!Occ.Why.empty()) {
    Notes.push_back(Occ.Why);
    return;
  }
  if (uint64_t Plain = uint64_t(*D->SharedBytesPerBlock);
      Resources.SharedBytes > Plain)
    Notes.push_back((Twine(Resources.SharedBytes) +
                     " bytes of shared memory a block are more than " +
                     Twine(Plain) + ", so that the launch must opt in")
                        .str());
  if (Cluster == 1)
    return;
  MostClusters = uint64_t(Occ.BlocksPerSM) * uint64_t(*D->NumSMs) / Cluster;
  if (Cluster > uint64_t(*D->PortableClusterBlocks))
    Notes.push_back(
        ("a cluster of " + Twine(Cluster) +
         " blocks is larger than the portable " +
         Twine(uint64_t(*D->PortableClusterBlocks)) +
         "; the launch must allow it, and the device may not hold it")
            .str());
}

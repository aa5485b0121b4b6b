//===- OccupancyReport.cpp - One block shape on one device ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Occupancy/OccupancyReport.h"
#include "ptxpredict/Launch/LaunchShape.h"
#include "llvm/ADT/STLExtras.h"
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

  if (Refusal.empty())
    Refusal = whyNoShape(LaunchShape::Block, Block);
  if (!Refusal.empty() && Occ.BlocksPerSM != 0) {
    // No saving helps.
    Next.reset();
    Occ.BlocksPerSM = Occ.WarpsPerSM = 0;
    Occ.Fraction = 0;
    Occ.Limiter = OccupancyLimiter::Threads;
    Occ.Reason = Refusal;
  }
  if (!Occ.Reason.empty()) {
    Notes.insert(Notes.begin(), Occ.Reason);
    return;
  }
  if (uint64_t Plain = uint64_t(*D->SharedBytesPerBlock);
      Resources.SharedBytes > Plain)
    Notes.push_back((Twine(Resources.SharedBytes) +
                     " bytes of shared memory a block are more than " +
                     Twine(Plain) + ", so that the launch must opt in")
                        .str());
  uint64_t Cluster = this->Cluster.count();
  if (Cluster == 1)
    return;
  std::string Note;
  if (!D->PortableClusterBlocks) {
    Note = D->Name + " has no thread block clusters; blocks are assumed to "
                     "start independently";
  } else {
    MostClusters = uint64_t(Occ.BlocksPerSM) * uint64_t(*D->NumSMs) / Cluster;
    if (uint64_t Portable = uint64_t(*D->PortableClusterBlocks);
        Cluster > Portable)
      Note = ("a cluster of " + Twine(Cluster) +
              " blocks is larger than the portable " + Twine(Portable) +
              "; the launch must allow it, and the device may not hold it")
                 .str();
  }
  if (!Note.empty() && !llvm::is_contained(Notes, Note)) // said by the driver
    Notes.push_back(std::move(Note));
}

//===- Occupancy.cpp - Resident blocks and warps of an SM -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The rules are those of the CUDA occupancy calculator: from 2.x on registers
// are granted to warps, and each of an SM's partitions (as many as
// warp_allocation_granularity) has its own share of them; on 1.x they are
// granted to a block as a whole.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Device/Occupancy.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;

StringRef ptxpredict::toString(OccupancyLimiter L) {
  switch (L) {
  case OccupancyLimiter::Registers:
    return "registers";
  case OccupancyLimiter::SharedMemory:
    return "shared-memory";
  case OccupancyLimiter::Threads:
    return "threads";
  case OccupancyLimiter::Blocks:
    return "blocks";
  case OccupancyLimiter::Barriers:
    return "barriers";
  }
  llvm_unreachable("all limiters are named");
}

namespace {

/// A field's value as a whole number; the reader has checked that it is one.
uint64_t whole(const Quantity &Q) { return uint64_t(*Q); }

/// How many blocks the registers of an SM hold; 0 if one does not fit, and
/// then \p Taken registers are what it would take and \p Limit what there is.
uint64_t blocksByRegisters(const Device &D, const BlockResources &R,
                           uint64_t Warps, uint64_t &Taken, uint64_t &Limit) {
  uint64_t Unit = whole(D.RegisterAllocationUnit);
  uint64_t Granularity = whole(D.WarpAllocationGranularity);
  uint64_t PerSM = whole(D.RegistersPerSM);
  uint64_t PerThread = R.RegistersPerThread * whole(D.WarpSize);
  Limit = D.RegistersPerBlock ? whole(D.RegistersPerBlock) : PerSM;

  if (D.ComputeCapability < 20) {
    Taken = llvm::alignTo(llvm::alignTo(Warps, Granularity) * PerThread, Unit);
    return Taken > Limit ? 0 : Taken ? PerSM / Taken : UINT64_MAX;
  }
  uint64_t PerWarp = llvm::alignTo(PerThread, Unit);
  if (!PerWarp)
    return UINT64_MAX;
  auto BlocksWith = [&](uint64_t Partitions) -> uint64_t {
    // A launch is checked as if a block's warps came in whole rounds over the
    // partitions, whether they fill the last round or not.
    Taken = PerWarp * llvm::alignTo(Warps, Partitions);
    return Taken > Limit ? 0
                         : PerSM / Partitions / PerWarp * Partitions / Warps;
  };
  if (D.RegisterCheckGranularity &&
      !BlocksWith(whole(D.RegisterCheckGranularity)))
    return 0;
  return BlocksWith(Granularity);
}

} // namespace

Occupancy ptxpredict::computeOccupancy(const Device &D,
                                       const BlockResources &R) {
  Occupancy Result;
  auto Refuse = [&](OccupancyLimiter L, const Twine &Why) {
    Result.Limiter = L;
    Result.Why = Why.str();
    return Result;
  };
  // "needs A WHAT, N more than B" in one form for all limits.
  auto Exceeds = [&](OccupancyLimiter L, uint64_t Wanted, uint64_t Limit,
                     StringRef What) {
    return Refuse(L, Twine(Wanted) + " " + What + " are " +
                         Twine(Wanted - Limit) + " more than the limit of " +
                         Twine(Limit));
  };

  if (R.Threads == 0)
    return Refuse(OccupancyLimiter::Threads, "the block has no thread");
  if (uint64_t Limit = whole(D.MaxThreadsPerBlock); R.Threads > Limit)
    return Exceeds(OccupancyLimiter::Threads, R.Threads, Limit,
                   "threads a block");
  if (uint64_t Limit = whole(D.MaxRegistersPerThread);
      R.RegistersPerThread > Limit)
    return Exceeds(OccupancyLimiter::Registers, R.RegistersPerThread, Limit,
                   "registers a thread");
  if (uint64_t Limit = whole(D.SharedBytesPerBlockOptIn); R.SharedBytes > Limit)
    return Exceeds(OccupancyLimiter::SharedMemory, R.SharedBytes, Limit,
                   "bytes of shared memory a block");
  if (uint64_t Limit = whole(D.MaxBarriersPerBlock); R.Barriers > Limit)
    return Exceeds(OccupancyLimiter::Barriers, R.Barriers, Limit,
                   "barriers a block");

  uint64_t Warps = llvm::divideCeil(R.Threads, whole(D.WarpSize));
  uint64_t MaxWarps = std::min(whole(D.MaxWarpsPerSM),
                               whole(D.MaxThreadsPerSM) / whole(D.WarpSize));
  uint64_t RegistersTaken = 0, RegisterLimit = 0;
  uint64_t ByRegisters =
      blocksByRegisters(D, R, Warps, RegistersTaken, RegisterLimit);
  if (!ByRegisters) {
    if (RegistersTaken > RegisterLimit)
      return Exceeds(OccupancyLimiter::Registers, RegistersTaken, RegisterLimit,
                     "registers, as granted to a block,");
    return Refuse(OccupancyLimiter::Registers,
                  "the registers of one of the SM's partitions hold too few of "
                  "the block's " +
                      Twine(Warps) + " warps");
  }
  uint64_t SharedTaken =
      llvm::alignTo(R.SharedBytes + whole(D.SharedReservedPerBlock),
                    whole(D.SharedAllocationUnit));
  uint64_t ByShared =
      SharedTaken ? whole(D.SharedBytesPerSM) / SharedTaken : UINT64_MAX;
  if (!ByShared)
    return Exceeds(OccupancyLimiter::SharedMemory, SharedTaken,
                   whole(D.SharedBytesPerSM),
                   "bytes of shared memory, as granted to a block,");
  uint64_t ByThreads = MaxWarps / Warps;
  if (!ByThreads)
    return Exceeds(OccupancyLimiter::Threads, Warps, MaxWarps, "warps a block");
  uint64_t ByBarriers = D.BarriersPerSM && R.Barriers
                            ? whole(D.BarriersPerSM) / R.Barriers
                            : UINT64_MAX;
  if (!ByBarriers)
    return Exceeds(OccupancyLimiter::Barriers, R.Barriers,
                   whole(D.BarriersPerSM), "barriers a block");

  // Among equal limits one that no change of the kernel moves is named first:
  // fewer registers gain nothing on an SM that is full of threads.
  struct {
    OccupancyLimiter Limiter;
    uint64_t Blocks;
  } const Limits[] = {{OccupancyLimiter::Threads, ByThreads},
                      {OccupancyLimiter::Blocks, whole(D.MaxBlocksPerSM)},
                      {OccupancyLimiter::Registers, ByRegisters},
                      {OccupancyLimiter::SharedMemory, ByShared},
                      {OccupancyLimiter::Barriers, ByBarriers}};
  const auto *Least = &Limits[0];
  for (const auto &L : Limits)
    if (L.Blocks < Least->Blocks)
      Least = &L;
  Result.Limiter = Least->Limiter;
  Result.BlocksPerSM = unsigned(Least->Blocks);
  Result.WarpsPerSM = unsigned(Least->Blocks * Warps);
  Result.Fraction = double(Result.WarpsPerSM) / *D.MaxWarpsPerSM;
  return Result;
}

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

/// Collects what each limit allows, and why the first one that refuses does.
class OccupancyRules {
public:
  OccupancyRules(const Device &D, const BlockResources &R) : D(D), R(R) {}
  Occupancy apply();

private:
  const Device &D;
  const BlockResources &R;
  Occupancy Result;

  uint64_t threads(uint64_t Warps);
  uint64_t registers(uint64_t Warps);
  uint64_t shared();
  uint64_t barriers();

  uint64_t refuse(OccupancyLimiter L, const Twine &Why) {
    if (Result.Reason.empty()) {
      Result.Limiter = L;
      Result.Reason = Why.str();
    }
    return 0;
  }
  /// "A WHAT are N more than the limit of B", in one form for all limits.
  uint64_t exceeds(OccupancyLimiter L, uint64_t Wanted, uint64_t Limit,
                   StringRef What) {
    return refuse(L, Twine(Wanted) + " " + What + " are " +
                         Twine(Wanted - Limit) + " more than the limit of " +
                         Twine(Limit));
  }
};

uint64_t OccupancyRules::threads(uint64_t Warps) {
  constexpr auto L = OccupancyLimiter::Threads;
  if (R.Threads == 0)
    return refuse(L, "the block has no thread");
  if (uint64_t Limit = whole(D.MaxThreadsPerBlock); R.Threads > Limit)
    return exceeds(L, R.Threads, Limit, "threads a block");
  uint64_t MaxWarps = std::min(whole(D.MaxWarpsPerSM),
                               whole(D.MaxThreadsPerSM) / whole(D.WarpSize));
  if (Warps > MaxWarps)
    return exceeds(L, Warps, MaxWarps, "warps a block");
  return MaxWarps / Warps;
}

uint64_t OccupancyRules::registers(uint64_t Warps) {
  constexpr auto L = OccupancyLimiter::Registers;
  if (uint64_t Limit = whole(D.MaxRegistersPerThread);
      R.RegistersPerThread > Limit)
    return exceeds(L, R.RegistersPerThread, Limit, "registers a thread");
  uint64_t Taken = 0, Limit = 0;
  if (uint64_t Blocks = blocksByRegisters(D, R, Warps, Taken, Limit))
    return Blocks;
  if (Taken > Limit)
    return exceeds(L, Taken, Limit, "registers, as granted to a block,");
  return refuse(L, "the registers of one of the SM's partitions hold too few "
                   "of the block's " +
                       Twine(Warps) + " warps");
}

uint64_t OccupancyRules::shared() {
  constexpr auto L = OccupancyLimiter::SharedMemory;
  if (uint64_t Limit = whole(D.SharedBytesPerBlockOptIn); R.SharedBytes > Limit)
    return exceeds(L, R.SharedBytes, Limit, "bytes of shared memory a block");
  uint64_t Taken =
      llvm::alignTo(R.SharedBytes + whole(D.SharedReservedPerBlock),
                    whole(D.SharedAllocationUnit));
  uint64_t PerSM = whole(D.SharedBytesPerSM);
  if (Taken > PerSM)
    return exceeds(L, Taken, PerSM,
                   "bytes of shared memory, as granted to a block,");
  return Taken ? PerSM / Taken : Occupancy::NoLimit;
}

uint64_t OccupancyRules::barriers() {
  constexpr auto L = OccupancyLimiter::Barriers;
  if (uint64_t Limit = whole(D.MaxBarriersPerBlock); R.Barriers > Limit)
    return exceeds(L, R.Barriers, Limit, "barriers a block");
  if (!D.BarriersPerSM || R.Barriers == 0)
    return Occupancy::NoLimit;
  uint64_t PerSM = whole(D.BarriersPerSM);
  if (R.Barriers > PerSM)
    return exceeds(L, R.Barriers, PerSM, "barriers a block");
  return PerSM / R.Barriers;
}

Occupancy OccupancyRules::apply() {
  // Among equal limits one that no change of the kernel moves is named first:
  // fewer registers gain nothing on an SM that is full of threads.
  constexpr OccupancyLimiter Order[] = {
      OccupancyLimiter::Threads, OccupancyLimiter::Blocks,
      OccupancyLimiter::Registers, OccupancyLimiter::SharedMemory,
      OccupancyLimiter::Barriers};
  uint64_t Warps =
      std::max<uint64_t>(llvm::divideCeil(R.Threads, whole(D.WarpSize)), 1);
  auto Set = [&](OccupancyLimiter L, uint64_t Blocks) {
    Result.Limits[unsigned(L)] = Blocks;
  };
  Set(OccupancyLimiter::Threads, threads(Warps));
  Set(OccupancyLimiter::Blocks, whole(D.MaxBlocksPerSM));
  Set(OccupancyLimiter::Registers, registers(Warps));
  Set(OccupancyLimiter::SharedMemory, shared());
  Set(OccupancyLimiter::Barriers, barriers());
  if (!Result.Reason.empty())
    return std::move(Result);
  Result.Limiter = Order[0];
  for (OccupancyLimiter L : Order)
    if (Result.limit(L) < Result.limit(Result.Limiter))
      Result.Limiter = L;
  Result.BlocksPerSM = unsigned(Result.limit(Result.Limiter));
  Result.WarpsPerSM = unsigned(Result.BlocksPerSM * Warps);
  Result.Fraction = double(Result.WarpsPerSM) / *D.MaxWarpsPerSM;
  return std::move(Result);
}

} // namespace

/// A core of a CPU runs one block at a time, a vector of lanes after the other.
static Occupancy occupancyOfCPU(const Device &D, const BlockResources &R) {
  Occupancy O;
  O.Limits.fill(Occupancy::NoLimit);
  O.Limits[unsigned(OccupancyLimiter::Blocks)] = 1;
  if (uint64_t Limit = whole(D.MaxThreadsPerBlock); R.Threads > Limit) {
    O.Limiter = OccupancyLimiter::Threads;
    O.Reason =
        (Twine(R.Threads) + " threads a block are " + Twine(R.Threads - Limit) +
         " more than the limit of " + Twine(Limit))
            .str();
    return O;
  }
  O.BlocksPerSM = O.WarpsPerSM = 1;
  O.Fraction = 1;
  return O;
}

Occupancy ptxpredict::computeOccupancy(const Device &D,
                                       const BlockResources &R) {
  if (D.IsCPU)
    return occupancyOfCPU(D, R);
  return OccupancyRules(D, R).apply();
}

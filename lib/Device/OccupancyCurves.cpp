//===- OccupancyCurves.cpp - What other resources of a block would do -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// More of a resource never lets more blocks in, so that the most that a number
// of blocks can have is found by bisection.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Device/Occupancy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace ptxpredict;

/// The last number of [0, Most] that \p Holds, which no greater one does after
/// the first that does not; nothing if 0 does not.
static std::optional<uint64_t>
lastThat(uint64_t Most, llvm::function_ref<bool(uint64_t)> Holds) {
  if (!Holds(0))
    return std::nullopt;
  uint64_t Low = 0;
  while (Low != Most) {
    uint64_t Middle = Most - (Most - Low) / 2;
    if (Holds(Middle))
      Low = Middle;
    else
      Most = Middle - 1;
  }
  return Low;
}

/// The most of [0, Most] of a resource with which the limit \p L alone lets
/// \p Blocks blocks in; 0 if there is none. \p With gives the resources of a
/// block that has so much of it.
static uint64_t mostFor(const Device &D, OccupancyLimiter L, unsigned Blocks,
                        uint64_t Most,
                        llvm::function_ref<BlockResources(uint64_t)> With) {
  return lastThat(Most,
                  [&](uint64_t N) {
                    return computeOccupancy(D, With(N)).limit(L) >= Blocks;
                  })
      .value_or(0);
}

unsigned ptxpredict::mostRegistersFor(const Device &D, BlockResources R,
                                      unsigned Blocks) {
  return unsigned(mostFor(D, OccupancyLimiter::Registers, Blocks,
                          uint64_t(*D.MaxRegistersPerThread), [&](uint64_t N) {
                            R.RegistersPerThread = unsigned(N);
                            return R;
                          }));
}

uint64_t ptxpredict::mostSharedBytesFor(const Device &D, BlockResources R,
                                        unsigned Blocks) {
  return mostFor(D, OccupancyLimiter::SharedMemory, Blocks,
                 uint64_t(*D.SharedBytesPerBlockOptIn), [&](uint64_t N) {
                   R.SharedBytes = N;
                   return R;
                 });
}

static unsigned mostBarriersFor(const Device &D, BlockResources R,
                                unsigned Blocks) {
  return unsigned(mostFor(D, OccupancyLimiter::Barriers, Blocks,
                          uint64_t(*D.MaxBarriersPerBlock), [&](uint64_t N) {
                            R.Barriers = unsigned(N);
                            return R;
                          }));
}

std::optional<BlockResources> ptxpredict::reduceToFit(const Device &D,
                                                      const BlockResources &R,
                                                      unsigned Blocks) {
  BlockResources Result = R;
  Occupancy Now = computeOccupancy(D, R);
  if (Now.limit(OccupancyLimiter::Registers) < Blocks)
    Result.RegistersPerThread = mostRegistersFor(D, R, Blocks);
  if (Now.limit(OccupancyLimiter::SharedMemory) < Blocks)
    Result.SharedBytes = mostSharedBytesFor(D, R, Blocks);
  if (Now.limit(OccupancyLimiter::Barriers) < Blocks)
    Result.Barriers = mostBarriersFor(D, R, Blocks);
  bool NoneLeft = R.RegistersPerThread != 0 && Result.RegistersPerThread == 0;
  if (NoneLeft || computeOccupancy(D, Result).BlocksPerSM < Blocks)
    return std::nullopt;
  return Result;
}

OccupancyCurves ptxpredict::occupancyCurves(const Device &D,
                                            const BlockResources &R) {
  OccupancyCurves Curves;
  if (D.IsCPU)
    return Curves;
  uint64_t WarpSize = uint64_t(*D.WarpSize);
  uint64_t MostThreads = uint64_t(*D.MaxThreadsPerBlock);
  uint64_t MostRegisters = uint64_t(*D.MaxRegistersPerThread);
  uint64_t MostShared = uint64_t(*D.SharedBytesPerBlockOptIn);

  auto Add = [&](std::vector<OccupancyPoint> &Curve, BlockResources Other,
                 uint64_t Value) {
    Curve.push_back({Value, computeOccupancy(D, Other)});
  };
  auto AddAll = [&](std::vector<OccupancyPoint> &Curve, auto Member,
                    std::vector<uint64_t> Values, uint64_t First,
                    uint64_t Most) {
    Values.push_back(R.*Member);
    llvm::sort(Values);
    Values.erase(llvm::unique(Values), Values.end());
    BlockResources Other = R;
    for (uint64_t Value : Values)
      if (Value >= First && Value <= Most) {
        Other.*Member = std::decay_t<decltype(Other.*Member)>(Value);
        Add(Curve, Other, Value);
      }
  };

  std::vector<uint64_t> Values;
  for (uint64_t Threads = WarpSize; Threads <= MostThreads; Threads += WarpSize)
    Values.push_back(Threads);
  AddAll(Curves.Block, &BlockResources::Threads, std::move(Values), 1,
         MostThreads);

  Values.clear();
  for (uint64_t Registers = 1; Registers <= MostRegisters; ++Registers)
    Values.push_back(Registers);
  AddAll(Curves.Registers, &BlockResources::RegistersPerThread,
         std::move(Values), 1, MostRegisters);

  constexpr uint64_t KiB = 1024;
  Values.clear();
  for (uint64_t Bytes = 0; Bytes <= MostShared; Bytes += KiB)
    Values.push_back(Bytes);
  BlockResources Other = R;
  Other.SharedBytes = 0;
  for (unsigned Blocks = computeOccupancy(D, Other).BlocksPerSM; Blocks != 0;
       --Blocks)
    Values.push_back(mostSharedBytesFor(D, R, Blocks));
  AddAll(Curves.Shared, &BlockResources::SharedBytes, std::move(Values), 0,
         MostShared);
  return Curves;
}

//===- Occupancy.h - Resident blocks and warps of an SM ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DEVICE_OCCUPANCY_H
#define PTXPREDICT_DEVICE_OCCUPANCY_H

#include "ptxpredict/Device/Device.h"
#include <array>

namespace ptxpredict {

/// What a block of a kernel needs.
struct BlockResources {
  unsigned Threads = 0;
  unsigned RegistersPerThread = 0; ///< as ptxas -v prints them, not rounded
  uint64_t SharedBytes = 0;        ///< static and dynamic together
  unsigned Barriers = 0;
};

enum class OccupancyLimiter {
  Registers,
  SharedMemory,
  Threads,
  Blocks,
  Barriers
};
constexpr unsigned NumOccupancyLimiters = 5;
StringRef toString(OccupancyLimiter L); ///< "registers", "shared-memory", …

/// Theoretical occupancy. BlocksPerSM is 0 if a block does not fit at all; Why
/// then says what it exceeds and by how much.
struct Occupancy {
  unsigned BlocksPerSM = 0;
  unsigned WarpsPerSM = 0;
  double Fraction = 0; ///< of the SM's warps
  OccupancyLimiter Limiter = OccupancyLimiter::Blocks;
  std::string Reason;
  /// Blocks that each limit alone lets in, by OccupancyLimiter; NoLimit for a
  /// resource that the block does not take.
  std::array<uint64_t, NumOccupancyLimiters> Limits{};
  static constexpr uint64_t NoLimit = UINT64_MAX;

  uint64_t limit(OccupancyLimiter L) const { return Limits[unsigned(L)]; }
};

/// A pure function of limits and resources.
Occupancy computeOccupancy(const Device &D, const BlockResources &R);

/// \p R with as few registers, bytes of shared memory and barriers less as it
/// takes for \p Blocks blocks to reside on an SM. Nothing where the SM's
/// threads or blocks forbid it, or no number of registers would do.
std::optional<BlockResources>
reduceToFit(const Device &D, const BlockResources &R, unsigned Blocks);

/// The most registers of a thread, and bytes of shared memory of a block, with
/// which \p Blocks blocks of \p R's other resources still reside; 0 if none.
unsigned mostRegistersFor(const Device &D, BlockResources R, unsigned Blocks);
uint64_t mostSharedBytesFor(const Device &D, BlockResources R, unsigned Blocks);

/// What occupancy would be if one of a block's resources were another.
struct OccupancyPoint {
  uint64_t Value = 0; ///< threads, registers or bytes
  Occupancy Occ;
};
struct OccupancyCurves {
  std::vector<OccupancyPoint> Block;     ///< every whole number of warps
  std::vector<OccupancyPoint> Registers; ///< every number from 1 on
  /// Every KiB from 0 on, and the last byte before each fall.
  std::vector<OccupancyPoint> Shared;
};
/// Sorted by Value; the point of \p R itself is in each, if it is in the range
/// of the device. Empty for a CPU.
OccupancyCurves occupancyCurves(const Device &D, const BlockResources &R);

} // namespace ptxpredict

#endif // PTXPREDICT_DEVICE_OCCUPANCY_H

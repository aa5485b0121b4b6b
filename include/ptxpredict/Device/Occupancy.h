//===- Occupancy.h - Resident blocks and warps of an SM ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DEVICE_OCCUPANCY_H
#define PTXPREDICT_DEVICE_OCCUPANCY_H

#include "ptxpredict/Device/Device.h"

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
StringRef toString(OccupancyLimiter L); ///< "registers", "shared-memory", …

/// Theoretical occupancy. BlocksPerSM is 0 if a block does not fit at all; Why
/// then says what it exceeds and by how much.
struct Occupancy {
  unsigned BlocksPerSM = 0;
  unsigned WarpsPerSM = 0;
  double Fraction = 0; ///< of the SM's warps
  OccupancyLimiter Limiter = OccupancyLimiter::Blocks;
  std::string Why;
};

/// A pure function of limits and resources.
Occupancy computeOccupancy(const Device &D, const BlockResources &R);

} // namespace ptxpredict

#endif // PTXPREDICT_DEVICE_OCCUPANCY_H

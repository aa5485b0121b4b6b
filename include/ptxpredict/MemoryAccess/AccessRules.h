//===- AccessRules.h - What a warp's access costs ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// From the addresses of a warp's lanes to what the memory system does with
// them. Pure functions: the analyses and the emulator count alike. Addresses
// are aligned to the width of the access, as the ISA demands.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MEMORYACCESS_ACCESSRULES_H
#define PTXPREDICT_MEMORYACCESS_ACCESSRULES_H

#include "ptxpredict/ISA/MachineUnits.h"
#include "ptxpredict/Support/LLVM.h"
#include <array>
#include <cstdint>
#include <optional>

namespace ptxpredict {

/// What devices of compute capability 1.x serve at once.
constexpr unsigned HalfWarp = 16;

/// One memory request of a warp.
struct WarpAccess {
  /// Of each lane's first byte; of inactive lanes without meaning.
  std::array<uint64_t, WarpSize> Address{};
  uint32_t Active = 0;       ///< a bit for each lane, lane 0 the lowest
  unsigned BytesPerLane = 4; ///< of the whole vector, at least 1

  bool isActive(unsigned Lane) const { return Active >> Lane & 1; }
};

/// Transactions of a request and the bytes that they move together.
struct Transactions {
  unsigned Count = 0;
  uint64_t Bytes = 0;
};

/// How a GPU turns a request to device memory into transactions.
enum class AccessRule {
  CC10,  ///< compute capability 1.0 and 1.1
  CC12,  ///< 1.2 and 1.3
  CC20,  ///< 2.x, through L1
  Sector ///< 3.0 and newer: 32 B sectors
};
/// "cc10", "cc12", "cc20" or "sector": the names of device files.
StringRef toString(AccessRule R);
std::optional<AccessRule> parseAccessRule(StringRef Name);

/// Distinct aligned units of \p UnitBytes (a power of two) that the lanes
/// touch: 32 for sectors, 128 for lines.
unsigned countUnits(const WarpAccess &A, unsigned UnitBytes);
inline unsigned countSectors(const WarpAccess &A) { return countUnits(A, 32); }
inline unsigned countLines(const WarpAccess &A) { return countUnits(A, 128); }

/// CUDA C Programming Guide 5.x, G.3.2.1. A half-warp whose lane k accesses the
/// k-th word of 4, 8 or 16 bytes of an aligned segment takes one transaction of
/// 64 B, one of 128 B or two of 128 B; inactive lanes do no harm. Any other one
/// takes a transaction of 32 B for each active lane.
Transactions countCC10(const WarpAccess &A);

/// CUDA C Programming Guide 5.x, G.3.2.2. A half-warp takes one transaction for
/// each segment that it touches, of 32 B for 1-byte words, 64 B for 2-byte
/// words and else 128 B, halved, perhaps twice, while one half holds all words.
Transactions countCC12(const WarpAccess &A);

/// CUDA C Programming Guide 5.x, G.4.2. Lines of 128 B; a request for 8-byte
/// words is made by half-warps, for 16-byte words by quarter-warps.
Transactions countCC20(const WarpAccess &A);

/// Sectors of 32 B.
Transactions countSectorTransactions(const WarpAccess &A);

Transactions countTransactions(AccessRule R, const WarpAccess &A);

/// The transactions that the rule takes for as many lanes with the words side
/// by side and aligned. A request with no more of them is coalesced.
unsigned fewestTransactions(AccessRule R, double ActiveLanes,
                            unsigned BytesPerLane);

/// Passes of a shared-memory request over \p Banks banks of 4 bytes. In a pass
/// each bank gives one word, to any number of lanes. As many lanes take part at
/// once as the banks can serve side by side: with 32 banks all of a warp, half
/// of it for 8-byte and a quarter for 16-byte accesses.
unsigned countWavefronts(const WarpAccess &A, unsigned Banks = 32);

/// The same where twice as many lanes take part at once in an access of more
/// than 4 bytes if all active lanes n and n ^ 1, or all n and n ^ 2, have one
/// address (forums.developer.nvidia.com/t/77228, of 7.0 to 7.5; for 5.x
/// github.com/NervanaSystems/maxas issue 8).
unsigned countPairedWavefronts(const WarpAccess &A, unsigned Banks = 32);

/// Passes of an atomic operation on shared memory: as many as lanes meet in the
/// fullest bank, be it at one word.
unsigned countSharedAtomicPasses(const WarpAccess &A);

/// Passes of an atomic operation on device memory: each sector takes as many as
/// lanes meet at the word of it where most do.
unsigned countAtomicPasses(const WarpAccess &A);

/// Passes of the same lanes with the words side by side.
unsigned fewestWavefronts(double ActiveLanes, unsigned BytesPerLane,
                          unsigned Banks = 32);

} // namespace ptxpredict

#endif // PTXPREDICT_MEMORYACCESS_ACCESSRULES_H

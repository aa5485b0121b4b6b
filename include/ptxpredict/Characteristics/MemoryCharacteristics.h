//===- MemoryCharacteristics.h - What is known of memory accesses *- C++
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CHARACTERISTICS_MEMORYCHARACTERISTICS_H
#define PTXPREDICT_CHARACTERISTICS_MEMORYCHARACTERISTICS_H

#include "ptxpredict/Codegen/AtomicMerge.h"
#include "ptxpredict/ISA/ISA.h"
#include "ptxpredict/Support/Estimate.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <optional>
#include <string>

namespace ptxpredict {

/// A line of the input, and of the source if debug data say so.
struct SourcePlace {
  unsigned Line = 0;                  ///< in the input
  std::string Source;                 ///< "k.cu:7:12", empty if unknown
  std::vector<std::string> InlinedAt; ///< outwards
};

/// One memory instruction. Means are per request.
struct MemoryCharacteristics {
  SourcePlace Place;
  std::string Opcode; ///< "ld.global.f32"
  /// Of machine code what the machine calls it, "LDG.E.64"; else empty.
  std::string MachineOpcode;
  AddressSpace Space = AddressSpace::Global;
  AccessKind Access = AccessKind::Load;
  unsigned BytesPerLane = 0;
  std::optional<unsigned> Loop; ///< the innermost around it, by number in Loops
  std::optional<int64_t>
      LaneStrideBytes; ///< where one stride holds for all lanes
  /// The same as a formula where it is no number: "4*n". Empty without one.
  std::string LaneStrideSymbolic;
  Estimate Requests; ///< per warp
  Estimate ActiveLanes;
  std::optional<Estimate> Sectors;    ///< of 32 B; global, local, generic
  std::optional<Estimate> Lines;      ///< of 128 B; likewise
  std::optional<Estimate> Wavefronts; ///< shared
  /// Global, local, generic: those of an L1 whose banks are like shared
  /// memory's, where they are more than the bytes need.
  std::optional<Estimate> L1Wavefronts;
  /// Shared: how many accesses, this one included, an assembler joins into one
  /// request, and the wavefronts of that; 1 and nothing where it does not.
  unsigned Joined = 1;
  std::optional<Estimate> JoinedWavefronts;
  /// Shared: wavefronts of the request, joined or not, by
  /// countPairedWavefronts(); nothing where that makes no difference.
  std::optional<Estimate> PairedWavefronts;
  /// How many accesses of one lane, this one included, could be one of so many
  /// bytes; 1 and 0 where it stands alone. Those of one block near one base
  /// have the same number.
  unsigned WiderAccesses = 1, WiderBytes = 0, WiderRun = 0;
  /// Of a plain load of global memory: the pointer parameter that it goes
  /// through, if the kernel never writes there. Empty for others.
  std::string ReadOnlyPointer;
  /// Of such a load: a store comes before it in its block or its loop.
  bool IsBehindStore = false;
  /// Of machine code: it keeps a register in memory, or takes it back.
  bool IsSpill = false;
  /// By the older access rules, CC10, CC12 and CC20.
  std::array<std::optional<Estimate>, 3> Transactions;

  // How the same lane's address moves from one block to the next along x, y
  // and z, and from one warp to the next, in bytes; nothing where that is not
  // one number, or there is no next one.
  std::array<std::optional<int64_t>, 3> BlockStrideBytes;
  std::optional<int64_t> WarpStrideBytes;
  // Of atomics: distinct addresses of a request, and requests and lanes of the
  // launch that meet at the address where most do; global memory alone.
  std::optional<Estimate> Addresses, HottestRequests, HottestLanes;
  /// Bytes that all their requests are spread over; likewise.
  std::optional<Estimate> SpreadBytes;
  /// Of atomics: passes, by countAtomicPasses() or, in shared memory,
  /// countSharedAtomicPasses().
  std::optional<Estimate> Passes;
  AtomicMerge Merge = AtomicMerge::None;

  // From a run: sums over all of it.
  std::optional<uint64_t> Lanes;       ///< that took part in requests
  std::optional<uint64_t> UniqueBytes; ///< of global memory

  bool hasTransactions() const {
    return llvm::any_of(Transactions,
                        [](const auto &N) { return N.has_value(); });
  }

  /// As reports name it.
  const std::string &shownOpcode() const {
    return MachineOpcode.empty() ? Opcode : MachineOpcode;
  }
};

} // namespace ptxpredict

#endif // PTXPREDICT_CHARACTERISTICS_MEMORYCHARACTERISTICS_H

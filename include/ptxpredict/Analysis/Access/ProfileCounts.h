//===- ProfileCounts.h - Counts of blocks, loops and accesses ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_ACCESS_PROFILECOUNTS_H
#define PTXPREDICT_ANALYSIS_ACCESS_PROFILECOUNTS_H

#include "ptxpredict/Analysis/Access/OpenReason.h"
#include "ptxpredict/Graph/InstructionGraph.h"
#include "ptxpredict/Support/Estimate.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <vector>

namespace ptxpredict {

/// Sums over the warps of the launch.
struct BlockCounts {
  Estimate Runs;  ///< by warps
  Estimate Lanes; ///< that ran it
  OpenReason Reason = OpenReason::None;
};

/// A guarded instruction: a branch, a call or any other one. Sums.
struct GuardCounts {
  Estimate Any;   ///< executions in which a lane's guard holds
  Estimate Lanes; ///< whose guard holds
  Estimate Split; ///< executions in which it holds for some lanes only
  /// Code, launch and arguments decide the guard, wherever it is asked.
  bool IsDecided = true;
  OpenReason Reason = OpenReason::None;
};

struct LoopCounts {
  Estimate TripCount; ///< bodies per entry, a warp's longest lane counting
  OpenReason Reason = OpenReason::None;
};

/// One memory effect of an instruction. Means per request, but for Requests.
struct AccessCounts {
  AddressSpace Space = AddressSpace::Generic; ///< resolved where that can be
  std::optional<int64_t> LaneStrideBytes;     ///< between neighbouring lanes
  Estimate Requests;                          ///< sum over the launch
  Estimate ActiveLanes;
  std::optional<Estimate> Sectors, Lines; ///< global, local and generic
  std::optional<Estimate> Wavefronts;     ///< shared
  /// Global, local, generic: of an L1 whose banks are shared memory's.
  std::optional<Estimate> L1Wavefronts;
  /// Of the aligned 8 and 16 bytes that a lane's fewer bytes lie in.
  std::optional<Estimate> Wavefronts8, Wavefronts16;
  /// The same three by countPairedWavefronts().
  std::optional<Estimate> Paired, Paired8, Paired16;
  std::optional<Estimate> CC10, CC12, CC20; ///< transactions by older rules
  /// Of atomics: countSharedAtomicPasses() or countAtomicPasses().
  std::optional<Estimate> Passes;
  OpenReason Reason = OpenReason::None; ///< of requests or costs
};

struct FunctionCounts {
  const InstructionGraph *G = nullptr;
  std::vector<BlockCounts> Blocks; ///< by block number
  std::vector<LoopCounts> Loops;   ///< by cycle
  llvm::DenseMap<const Instruction *, GuardCounts> Guards;
  /// One for each effect on global, local, shared or generic memory, in order.
  /// They are large, and a map has twice as many places as it needs.
  llvm::DenseMap<const Instruction *, SmallVector<AccessCounts, 0>> Accesses;

  /// Null for an instruction without a guard.
  const GuardCounts *guard(const Instruction &I) const {
    auto It = Guards.find(&I);
    return It == Guards.end() ? nullptr : &It->second;
  }
  ArrayRef<AccessCounts> accesses(const Instruction &I) const {
    auto It = Accesses.find(&I);
    return It == Accesses.end() ? ArrayRef<AccessCounts>() : It->second;
  }
};

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_ACCESS_PROFILECOUNTS_H

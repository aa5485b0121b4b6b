//===- StaticCounts.h - What a launch executes, without a run ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Warps go through the control flow with the conditions of their lanes;
// iterations, warps and blocks that behave alike are taken together, and what
// an access costs in all of them follows from the residues of its address.
// Where code, launch and arguments decide everything, the counts are those of a
// run. What they leave open is taken by a stated default, and whatever rests on
// that says so.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_STATICCOUNTS_H
#define PTXPREDICT_ANALYSIS_STATICCOUNTS_H

#include "ptxpredict/Analysis/BarrierReach.h"
#include "ptxpredict/Analysis/Values.h"
#include "ptxpredict/Support/Assumption.h"
#include "ptxpredict/Support/Estimate.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>
#include <memory>

namespace ptxpredict {

namespace counting {
class LocalityRecords;
} // namespace counting

/// A loop whose count nobody knows runs this often (docs/commands/Predict.md,
/// "Defaults").
constexpr double DefaultTripCount = 64;

/// Sums over the warps of the launch.
struct BlockCounts {
  Count Runs;      ///< by warps
  Count Lanes;     ///< that ran it
  std::string Why; ///< what leaves them open; empty if nothing does
};

/// A guarded instruction: a branch, a call or any other one. Sums.
struct GuardCounts {
  Count Any;   ///< executions in which a lane's guard holds
  Count Lanes; ///< whose guard holds
  Count Split; ///< executions in which it holds for some lanes only
  /// Code, launch and arguments decide the guard, wherever it is asked.
  bool IsDecided = true;
  /// What leaves it open; empty if nothing does.
  std::string Why;
};

struct LoopCounts {
  Count TripCount; ///< bodies per entry, a warp's longest lane counting
  std::string Why; ///< what leaves it open; empty if nothing does
};

/// One memory effect of an instruction. Means per request, but for Requests.
struct AccessCounts {
  AddressSpace Space = AddressSpace::Generic; ///< resolved where that can be
  std::optional<int64_t> LaneStrideBytes;     ///< between neighbouring lanes
  Count Requests;                             ///< sum over the launch
  Count ActiveLanes;
  std::optional<Count> Sectors, Lines; ///< global, local and generic
  std::optional<Count> Wavefronts;     ///< shared
  /// Of the aligned 8 and 16 bytes that a lane's fewer bytes lie in.
  std::optional<Count> Wavefronts8, Wavefronts16;
  /// The same three by countPairedWavefronts().
  std::optional<Count> Paired, Paired8, Paired16;
  std::optional<Count> CC10, CC12, CC20; ///< transactions by older rules
  std::string Why;                       ///< what leaves requests or costs open
};

struct FunctionCounts {
  const InstructionGraph *G = nullptr;
  std::vector<BlockCounts> Blocks; ///< by block number
  std::vector<LoopCounts> Loops;   ///< by cycle

  /// Null for an instruction without a guard.
  const GuardCounts *guard(const Instruction &I) const {
    return Guards.lookup(&I);
  }
  /// One for each effect on global, local, shared or generic memory, in order.
  ArrayRef<AccessCounts> accesses(const Instruction &I) const {
    auto It = Accesses.find(&I);
    return It == Accesses.end() ? ArrayRef<AccessCounts>() : It->second;
  }

  // While counting.
  GuardCounts &guardOf(const Instruction &I);
  llvm::DenseMap<const Instruction *, SmallVector<AccessCounts, 1>> Accesses;

private:
  std::deque<GuardCounts> GuardStore;
  llvm::DenseMap<const Instruction *, GuardCounts *> Guards;
};

struct StaticCounts {
  /// The kernel's first, the others in the order in which they are called. A
  /// function that no call reaches, not even perhaps, is missing.
  std::vector<std::unique_ptr<FunctionCounts>> Functions;
  std::vector<Assumption> Assumptions;
  /// Those that not all threads come to, perhaps, in the order of the code.
  std::vector<BarrierReach> Barriers;
  /// Why not everything that behaves differently was looked at; empty if it
  /// was. Then nothing but what no condition decides is known.
  std::string Sampled;
  /// For findLocality(), if they were wanted.
  std::shared_ptr<const counting::LocalityRecords> Records;

  const FunctionCounts *of(const InstructionGraph &G) const;
};

/// Blocks, conditions and addresses that are looked at beside PassesAllowed
/// times all that the kernel has: each once for every warp, block of the grid
/// and iteration that behaves differently from others. Beyond it a few stand
/// for all, and the counts are assumed.
constexpr uint64_t StaticCountsBudget = 200000;
constexpr uint64_t PassesAllowed = 64;

/// Counts the kernel that \p V is of. Cost depends on how many warps, blocks
/// and iterations behave differently, not on how many there are, and is bounded
/// by the budget: it is linear in the code. With \p HasRecords the counts may
/// be given to findLocality(), which costs some time and memory more.
StaticCounts countStatically(const Values &V, const LaunchConfig &Launch,
                             uint64_t Budget = StaticCountsBudget,
                             bool HasRecords = false);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_STATICCOUNTS_H

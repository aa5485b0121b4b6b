//===- StaticProfile.h - What a launch executes, without a run --*- C++ -*-===//
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
#ifndef PTXPREDICT_ANALYSIS_PROFILE_STATICPROFILE_H
#define PTXPREDICT_ANALYSIS_PROFILE_STATICPROFILE_H

#include "ptxpredict/Analysis/Access/ProfileCounts.h"
#include "ptxpredict/Analysis/Profile/BarrierReach.h"
#include "ptxpredict/Analysis/Profile/WorkClasses.h"
#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "ptxpredict/Support/Assumption.h"
#include <memory>

namespace ptxpredict {

namespace counting {
struct LocalityRecords;
} // namespace counting

/// A loop whose count nobody knows runs this often (docs/commands/Predict.md,
/// "Defaults").
constexpr double DefaultTripCount = 64;

struct StaticProfile {
  /// The kernel's first, the others in the order in which they are called. A
  /// function that no call reaches, not even perhaps, is missing.
  std::vector<std::unique_ptr<FunctionCounts>> Functions;
  std::vector<Assumption> Assumptions;
  /// Those that not all threads come to, perhaps, in the order of the code.
  std::vector<BarrierReach> Barriers;
  /// Too many warps, blocks and iterations behave differently for each of them
  /// to be looked at: only what no condition decides is known.
  bool IsSampled = false;
  /// Warps and blocks that execute alike, as far as they were looked at.
  std::vector<WarpWork> Work;
  /// Those that decide how long the launch takes, counted apart, if they were
  /// wanted and stand out.
  std::optional<WorkClass> HeaviestBlocks, LongestWarps, LongestOfHeaviest;
  /// Of a kernel that waits at mbarriers: findRoles(), if they were wanted.
  std::vector<WorkClass> Roles;
  /// Buffers whose contents the launch gives and beyond whose end the kernel
  /// reads: what rests on them is what no run would do.
  std::vector<const BufferContents *> ReadBeyond;
  /// For findLocality(), if they were wanted.
  std::shared_ptr<const counting::LocalityRecords> Records;

  const FunctionCounts *of(const InstructionGraph &G) const;
};

/// Blocks, conditions and addresses that are looked at beside PassesAllowed
/// times all that the kernel has: each once for every warp, block of the grid
/// and iteration that behaves differently from others. Beyond it a few stand
/// for all, and the counts are assumed. At a launch that is given, a walk whose
/// budget is spent goes on as long as the share of the grid that lies behind it
/// says that all of it takes no more than so many times the budget.
constexpr uint64_t StaticProfileBudget = 200000;
constexpr uint64_t PassesAllowed = 64;
constexpr uint64_t BudgetsToFinish = 5;

/// What a profile has beside the counts; each costs some time and memory more.
struct ProfileExtras {
  bool HasRecords = false; ///< StaticProfile::Records
  bool HasClasses = false; ///< HeaviestBlocks and the others
  bool HasRoles = false;
};

/// Counts the kernel that \p V is of. Cost depends on how many warps, blocks
/// and iterations behave differently, not on how many there are, and is bounded
/// by the budget: it is linear in the code.
StaticProfile profileStatically(const SymbolicValues &V,
                                const LaunchConfig &Launch,
                                uint64_t Budget = StaticProfileBudget,
                                const ProfileExtras &Extras = {});

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_PROFILE_STATICPROFILE_H

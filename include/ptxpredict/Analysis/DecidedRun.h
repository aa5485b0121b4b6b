//===- DecidedRun.h - Counts of a run that nothing leaves open --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Where code, launch and arguments decide every branch and every address, what
// a run counts is known without running it. Warps go through the control flow
// with the conditions of their lanes; iterations and blocks that behave alike
// are taken together, and what an access costs in all of them follows from the
// residues of its address.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_DECIDEDRUN_H
#define PTXPREDICT_ANALYSIS_DECIDEDRUN_H

#include "ptxpredict/Analysis/Values.h"
#include "ptxpredict/Launch/Profile.h"

namespace ptxpredict {

struct DecidedRun {
  /// What the emulator would count, but for unique bytes; nothing if the run is
  /// not decided.
  std::optional<KernelProfile> Counts;
  /// Without counts: why, and the instruction that leaves it open, if there is
  /// one.
  std::string Why;
  const Instruction *Where = nullptr;
};

/// Blocks, conditions and addresses that are looked at beside PassesAllowed
/// times all that the kernel has: each once for every warp, block of the grid
/// and iteration that behaves differently from others.
constexpr uint64_t DecidedRunBudget = 200000;
constexpr uint64_t PassesAllowed = 64;

/// Counts the kernel that \p V is of. Cost depends on how many blocks and
/// iterations behave differently, not on how many there are, and is bounded by
/// the budget: it is linear in the code.
DecidedRun countDecidedRun(const Values &V, const LaunchConfig &Launch,
                           uint64_t Budget = DecidedRunBudget);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_DECIDEDRUN_H

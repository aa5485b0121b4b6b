//===- StaticProfileCode.h - Code made ready to be counted ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_STATICPROFILECODE_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_STATICPROFILECODE_H

#include "Analysis/Access/AccessCosts.h"
#include "Analysis/Access/ActiveLanes.h"
#include "Analysis/Access/SignRanges.h"
#include "ptxpredict/Analysis/Profile/StaticProfile.h"
#include <limits>
#include <memory>

namespace ptxpredict::counting {

constexpr double Infinity = std::numeric_limits<double>::infinity();

struct Region;

/// A condition as roots of what its block evaluates.
struct Guard {
  static constexpr unsigned True = ~0u, False = ~1u;
  const Instruction *I = nullptr;
  GuardCounts *Out = nullptr;
  unsigned Must = True, May = True, Likely = True;
  Condition::BasisTy Basis = Condition::BasisTy::Decided;
  bool VariesInWarp = false;
  /// It is open, and may part the threads of a block.
  bool PartsBlock = false;
  /// Lanes for which it may hold, and may not, in any warp of any launch; where
  /// it does for some lanes of a warp, whether it always does for just these.
  uint32_t MayHold = ~0u, MayFail = ~0u;
  bool HoldsAlike = false, FailsAlike = false;
  SmallVector<Region *, 1> Counts; ///< loops whose counters it knows
  const Symbol *Open = nullptr;
  std::optional<double> Given; ///< by the launch: the share of warps
  double Probability = 0.5;    ///< where nobody knows
  bool EntersLoop = false;     ///< or passes it, as Probability says
  /// It leaves the loop of its region on this side, and stays on the other.
  std::optional<bool> LeavesIf;
  bool IsNoted = false;

  /// It knows the counter of a loop that may run on.
  bool knowsBeyond() const;
};

/// A comparison that decides a condition; another predicate stands as such.
struct Comparison {
  const Expression *E;
  bool IsPredicate; ///< no comparison of two numbers
};

struct CallContext;

/// What happens at an instruction beside its execution.
struct Event {
  const Instruction *I;
  int Guard = -1;
  unsigned FirstAccess = 0, NumAccesses = 0;
  /// Of a copy to shared memory: where it reads anything, as a guard.
  int Reads = -1;
  bool ReadsPart = false; ///< perhaps, where it reads anything
  SmallVector<const InstructionGraph *, 1> Alone; ///< callees, likewise
  SmallVector<CallContext *, 1> Callees; ///< one of them, of NumTargets
  size_t NumTargets = 0;
  /// Lanes that it, or something in a function that it calls, waits for.
  uint32_t Waits = 0;
};

/// A block made ready.
struct PreparedBlock {
  std::vector<const Expression *> Conditions, Addresses;
  /// Both made ready; null without any.
  std::unique_ptr<CompiledExpressions> Compiled, Located;
  std::vector<Comparison> Comparisons;
  std::unique_ptr<CompiledExpressions> Compared; ///< their sides, two by two
  SmallVector<Guard, 1> Guards;
  SmallVector<unsigned, 0> GuardedBarriers; ///< by guard
  SmallVector<Access, 0> Accesses;
  SmallVector<Event, 2> Events;
  unsigned NumInstructions = 0;
  bool HasCallsOrWaits = false; ///< among the events
};

/// What lies directly in one loop, or in none.
struct Region {
  /// A block of it, or a loop directly inside, by its header.
  struct Item {
    const Block *B;
    int Inner; ///< the loop's number, or -1
    /// What dominates it directly, if that is in this region: a block, or the
    /// loop directly in it that holds it.
    const Block *Above = nullptr;
    int AboveLoop = -1;
  };
  int Cycle = -1;
  Quantity Counter, ExitCount; ///< of the loop
  std::vector<Item> Items;     ///< in reverse post-order
  std::vector<Comparison> Comparisons;
  std::unique_ptr<CompiledExpressions> Compared;
  uint64_t Roots = 0;
  bool HasCalls = false;
  bool HasThreadExit = false; ///< or a loop or function within has
  bool HasBarrier = false;    ///< of the block, likewise
  bool IsReducible = true;
  /// Iterations may be taken together.
  bool CanRun = false;
  /// Nothing but its own counter decides how often it runs.
  bool IsSelfContained = true;
  /// Header runs per entry, where its conditions do not decide; nothing where
  /// they do.
  std::optional<double> HeaderRuns;
  bool IsRead = false;  ///< its counter, by a condition
  bool IsGiven = false; ///< how often it runs, by launch or front end
  /// An exit is open, or the launch says how often it runs.
  bool IsOpen = false;
  bool IsByLaunch = false; ///< an assumed launch decides an exit
  const Symbol *Open = nullptr;
  unsigned OpenExits = 0;
  SmallVector<const Guard *, 2> Exits; ///< of its own blocks
  bool LanesDiffer = false;            ///< by conditions on counters
  bool LanesLeave = false;             ///< each at its own time, perhaps
  bool HasWaits = false;               ///< for lanes that may have left
  bool TestsFirst = false;             ///< Cycle::testsFirst()

  // Results.
  Estimate Entries = Estimate::known(0), Bodies = Estimate::known(0);
  double Fewest = Infinity, Most = 0;
  bool IsEndless = false, IsNoted = false;

  // Of the entry that runs.
  double StayShare = 1;
  unsigned ExitsLeft = 0;
  bool IsBeyond = false; ///< more iterations may follow than are looked at
  double BodiesNow = 0;

  /// Its lanes may be in different iterations.
  bool mayPart() const { return HasWaits && (LanesDiffer || LanesLeave); }
  /// What one look at it counts in the budget.
  uint64_t cost() const { return Roots + Items.size(); }
};

/// Loops nested deeper than this are not told apart.
constexpr unsigned MaxLoopDepth = 64;

/// A function in one calling context.
struct CallContext {
  /// The loop directly in a region that holds a block; -1 for the region
  /// itself, nothing if the block is elsewhere.
  std::optional<int> loopInside(const Region &R, const Block *B) const;
  /// The innermost loop around a block that is not nested too deep.
  int cycleOf(const Block *B) const { return CycleOf[B->Number]; }

  const SymbolicValues *V = nullptr;
  /// Of a function that was called: null for one that runs alone.
  const CallContext *Caller = nullptr;
  const Instruction *CalledAt = nullptr;
  FunctionCounts *Out = nullptr;
  std::vector<Region> Regions; ///< by cycle; the last is the function itself
  std::vector<PreparedBlock> Blocks; ///< by block number
  std::vector<ActiveLanes> Arrived;  ///< by block number
  std::vector<ActiveLanes> Entered;  ///< by cycle
  std::vector<int> CycleOf;          ///< by block number
  std::vector<bool> DominatesLoop;   ///< by block number: a loop's header
  bool MayExit = false;              ///< threads may end in it
  uint32_t Waits = 0;                ///< lanes that something in it waits for
  /// Of a context of its own, where the caller's values do not reach.
  Estimate Entries = Estimate::known(0); ///< of such a one, by warps
  std::unique_ptr<ControlFlow> OwnCF;
  std::unique_ptr<SymbolicValues> OwnValues;
  /// A call within, or in a function that it calls, leads back to one that is
  /// running and is not followed.
  bool CallsItself = false;
};

/// Blocks along one index that behave alike.
struct Axis {
  Quantity Index; ///< nothing depends on it if empty
  uint64_t Extent = 1;
  uint64_t Run = 1; ///< from the present one on, as far as was seen
  bool CanRun = false;
};

using ExitFlows = SmallVector<std::pair<const Block *, ActiveLanes>, 2>;

/// What \p Given (by label with or without '$', or by line) says of \p B.
std::optional<double>
lookUpByLabel(const std::map<std::string, double, std::less<>> &Given,
              const Block &B);

/// Adds lanes that leave a loop; of different iterations their shares mean
/// nothing until settleExits().
void sendTo(ExitFlows &Exits, const Block *To, const ActiveLanes &F);

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_STATICPROFILECODE_H

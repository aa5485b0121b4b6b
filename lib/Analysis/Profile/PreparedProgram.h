//===- PreparedProgram.h - Code made ready to be walked through -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A kernel and the functions that it calls, once for each calling context, as
// regions (loops), blocks, guards and events. ProgramBuilder makes it; from
// then on it is const. Whatever a walk changes has a number here and its state
// in ProfileWalker or CountRecorder.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_PREPAREDPROGRAM_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_PREPAREDPROGRAM_H

#include "Analysis/Access/AccessCosts.h"
#include "Analysis/Access/ActiveLanes.h"
#include "Analysis/Access/SignRanges.h"
#include "ptxpredict/Analysis/Profile/StaticProfile.h"
#include "ptxpredict/Graph/PollingLoops.h"
#include <limits>
#include <memory>

namespace ptxpredict::counting {

constexpr double Infinity = std::numeric_limits<double>::infinity();

/// How much is looked at.
enum class Effort : uint8_t {
  All,    ///< whatever behaves differently
  Some,   ///< few blocks and iterations of such
  Couple, ///< fewer blocks
  Few,    ///< one block, fewer iterations
  One     ///< one of each
};

/// Of blocks that behave differently those in the middle of a few pieces of the
/// grid are looked at.
inline bool isSampling(Effort E) {
  return E == Effort::Some || E == Effort::Couple;
}

struct CallContext;
struct Region;

/// A condition as roots of what its block evaluates.
struct Guard {
  static constexpr unsigned True = ~0u, False = ~1u;
  const Instruction *I = nullptr;
  unsigned Number = 0; ///< within the program
  unsigned Must = True, May = True, Likely = True;
  const Expression *Evaluated = nullptr; ///< what Likely stands for
  Condition::BasisTy Basis = Condition::BasisTy::Decided;
  OpenReason Reason = OpenReason::None; ///< unless it is decided
  bool VariesInWarp = false;
  /// It is open, and may part the threads of a block.
  bool PartsBlock = false;
  /// It is open, though code and launch may decide it.
  bool IsHidden = false;
  /// Lanes for which it may hold, and may not, in any warp of any launch; where
  /// it does for some lanes of a warp, whether it always does for just these.
  uint32_t MayHold = ~0u, MayFail = ~0u;
  bool HoldsAlike = false, FailsAlike = false;
  SmallVector<const Region *, 1> Counts; ///< loops whose counters it knows
  const Symbol *Open = nullptr;
  std::optional<double> Given; ///< by the launch: the share of warps
  double Probability = 0.5;    ///< where nobody knows
  bool EntersLoop = false;     ///< or passes it, as Probability says
  unsigned ArgumentBelow = 0;  ///< a sine's argument, as Probability says
  bool IsOfRareData = false;   ///< they do not come, as Probability says
  /// It leaves the loop of its region on this side, and stays on the other.
  std::optional<bool> LeavesIf;
};

/// A comparison that decides a condition; another predicate stands as such.
struct Comparison {
  const Expression *E;
  bool IsPredicate; ///< no comparison of two numbers
  /// None either, but a part of an address or of a comparison's side that is
  /// linear in pieces.
  bool IsKink = false;
  /// It decides no condition, but where pieces begin.
  bool IsOfPieces = false;
};

/// What happens at an instruction beside its execution.
struct Event {
  const Instruction *I;
  int Guard = -1;
  unsigned FirstAccess = 0, NumAccesses = 0;
  /// Where a copy to shared memory reads anything, as a guard.
  int Reads = -1;
  bool ReadsPart = false; ///< perhaps, where it reads anything
  SmallVector<const InstructionGraph *, 1> Alone; ///< callees, likewise
  SmallVector<const CallContext *, 1> Callees; ///< one of them, of NumTargets
  size_t NumTargets = 0;
  /// Lanes that it, or something in a function that it calls, waits for.
  uint32_t Waits = 0;

  bool isCall() const { return !Callees.empty() || !Alone.empty(); }
};

/// A block made ready.
struct PreparedBlock {
  std::vector<const Expression *> Conditions, Addresses;
  std::vector<Comparison> Comparisons;
  SmallVector<Guard, 1> Guards;
  SmallVector<unsigned, 0> GuardedBarriers; ///< by guard
  SmallVector<Access, 0> Accesses;
  unsigned FirstAccess = 0; ///< its number within the program
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
  unsigned Number = 0;          ///< within the program
  Quantity Counter, ExitCount;  ///< of the loop
  bool ExitCountVaries = false; ///< lanes may leave it at different times
  std::vector<Item> Items;      ///< in reverse post-order
  std::vector<Comparison> Comparisons;
  uint64_t Roots = 0;
  bool HasCalls = false;
  bool HasThreadExit = false; ///< or a loop or function within has
  bool HasBarrier = false;    ///< of the block, likewise
  /// Stretches of its own code, between barriers of the block, with loads.
  unsigned LoadStretches = 0;
  bool HasLoadSinceBarrier = false; ///< in what is prepared
  bool IsReducible = true;
  /// Iterations may be taken together.
  bool CanRun = false;
  /// Nothing but its own counter decides how often it runs.
  bool IsSelfContained = true;
  /// Header runs per entry, where its conditions do not decide; nothing where
  /// they do.
  std::optional<double> HeaderRuns;
  /// It waits: its header runs once, and an exit that a poll decides is taken.
  const PollingLoop *Polling = nullptr;
  /// It takes one piece after the other of the work that the blocks share out
  /// while they run; HeaderRuns is a block's share in the mean.
  bool SharesWork = false;
  /// Bodies of an entry at most, where a part of the launch stands for all of
  /// it and its conditions decide them.
  double MostBodies = Infinity;
  /// Few entries have a body at all: HeaderRuns is a fraction above 1.
  bool IsRare = false;
  /// Of a loop that tries again (retryRounds()): by the lanes that enter it,
  /// the shares of them that run its header for the first time, the second …
  /// Empty for other loops, whose lanes stay together.
  std::vector<std::vector<double>> Rounds;
  bool IsRead = false;  ///< its counter, by a condition
  bool IsGiven = false; ///< how often it runs, by launch or front end
  /// An exit is open, or the launch says how often it runs.
  bool IsOpen = false;
  /// An assumed launch decides an exit, or bounds that may wrap do.
  bool IsByLaunch = false;
  const Symbol *Open = nullptr;
  OpenReason Reason = OpenReason::None; ///< of that symbol
  SmallVector<const Guard *, 2> Exits;  ///< of its own blocks
  bool LanesDiffer = false;             ///< by conditions on counters
  bool LanesLeave = false;              ///< each at its own time, perhaps
  bool HasWaits = false;                ///< for lanes that may have left
  bool TestsFirst = false;              ///< Cycle::testsFirst()

  /// Its lanes may be in different iterations.
  bool mayPart() const { return HasWaits && (LanesDiffer || LanesLeave); }
  /// What one look at it counts in the budget.
  uint64_t cost() const { return Roots + Items.size(); }
  /// How many times as many header runs there may be from \p First on as the
  /// \p Run that are looked at; at least one where they are taken to be.
  double mostOf(uint64_t First, uint64_t Run, bool AreTaken) const {
    const double Most = MostBodies + (TestsFirst ? 1 : 0) - double(First);
    return std::max(AreTaken ? 1.0 : 0.0, Most / double(Run));
  }
  /// Bodies in so many runs of its header.
  double bodiesIn(double Runs) const {
    return Polling ? 1 : Runs - (TestsFirst ? 1 : 0);
  }
};

/// Loops nested deeper than this are not told apart.
constexpr unsigned MaxLoopDepth = 64;

/// A function in one calling context.
struct CallContext {
  const SymbolicValues *V = nullptr;
  unsigned Number = 0; ///< within the program
  /// The caller in its context; null for a function that runs alone.
  const CallContext *Caller = nullptr;
  const Instruction *CalledAt = nullptr;
  std::vector<Region> Regions; ///< by cycle; the last is the function itself
  std::vector<PreparedBlock> Blocks; ///< by block number
  unsigned FirstBlock = 0;           ///< its number within the program
  std::vector<int> CycleOf;          ///< by block number
  std::vector<bool> DominatesLoop;   ///< by block number: a loop's header
  bool MayExit = false;              ///< threads may end in it
  uint32_t Waits = 0;                ///< lanes that something in it waits for
  /// Of a function that the caller's values do not reach.
  std::unique_ptr<SymbolicValues> OwnValues;
  /// A call within, or in a function that it calls, leads back to one that is
  /// running and is not followed.
  bool CallsItself = false;

  ArrayRef<Cycle> cycles() const { return V->controlFlow().cycles(); }
  const Block &header(const Region &R) const {
    return *cycles()[size_t(R.Cycle)].Header;
  }
  /// The innermost loop around a block that is not nested too deep.
  int cycleOf(const Block *B) const { return CycleOf[B->Number]; }
  const Region &whole() const { return Regions.back(); }
  /// The loop directly in a region that holds a block; -1 for the region
  /// itself, nothing if the block is elsewhere.
  std::optional<int> loopInside(const Region &R, const Block *B) const;
};

/// Blocks along one index.
struct Axis {
  Quantity Index; ///< nothing depends on it if empty
  uint64_t Extent = 1;
  bool CanRun = false; ///< blocks that behave alike may be taken together
};

/// An effect on global memory, for LocalityRecorder::addAccess().
struct RecordedEffect {
  const Instruction *I;
  unsigned Number; ///< among the instruction's effects that are counted
  const MemoryEffect *Effect;
};

struct PreparedProgram {
  const LaunchConfig *Launch = nullptr;
  Effort Thoroughness = Effort::All;
  std::vector<std::unique_ptr<CallContext>> Contexts; ///< the kernel's first
  llvm::DenseMap<const InstructionGraph *, const CallContext *> Alone;
  std::vector<const CallContext *> AloneOrder; ///< callers first
  bool EndsThreads = false; ///< a function that runs alone may
  /// Functions that run alone have barriers.
  bool HidesBarriers = false;
  std::array<Axis, 3> Axes; ///< x, y, z
  /// Runs of warps that do the same in every block; empty if they must be
  /// found anew in each.
  std::vector<uint64_t> FixedWarps;
  bool BlocksDiffer = false;
  std::vector<RecordedEffect> Recorded; ///< by Access::Record
  unsigned NumBlocks = 0, NumRegions = 0, NumGuards = 0, NumAccesses = 0;

  const CallContext &kernel() const { return *Contexts.front(); }
  template <typename FnT>
  void forEachBlock(FnT Fn) const {
    for (const auto &C : Contexts)
      for (const PreparedBlock &P : C->Blocks)
        Fn(P);
  }
};

/// The probability or count that \p Given has for \p B, by its label with or
/// without '$', or by its line.
std::optional<double>
lookUpByLabel(const std::map<std::string, double, std::less<>> &Given,
              const Block &B);

/// Where comparisons' sides, two by two, or predicates, twice, are roots.
std::unique_ptr<CompiledExpressions>
compileComparisons(ArrayRef<Comparison> Comparisons);

/// Warps beyond that many of a block are not looked at. Device limits are
/// checked later.
constexpr uint64_t MostWarps = 128;

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_PREPAREDPROGRAM_H

//===- ProfileWalker.h - Warps' ways through the code -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// One walk through a prepared program. It goes through the blocks of the grid,
// the warps of each and the iterations of their loops, those that behave alike
// together, and tells the recorders what it meets.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_PROFILEWALKER_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_PROFILEWALKER_H

#include "Analysis/Locality/LocalityRecorder.h"
#include "AssumptionRecorder.h"
#include "BarrierRecords.h"
#include "CountRecorder.h"

namespace ptxpredict::counting {

/// Lanes that leave a region, by the block that they go to.
using ExitFlows = SmallVector<std::pair<const Block *, ActiveLanes>, 2>;

class ProfileWalker {
public:
  /// With \p HasRecords it listens for findLocality(), too.
  ProfileWalker(const PreparedProgram &Program, const SymbolicValues &Kernel,
                uint64_t Budget, bool HasRecords);

  /// False if the budget does not suffice.
  bool run();
  StaticProfile finish();
  /// Counts the warps that stand out by themselves, once all is finished.
  void countClasses(StaticProfile &Result);
  /// Counts the roles of the warps of one block; needs no run() before.
  void countRoles(StaticProfile &Result);

private:
  enum class Pass : uint8_t {
    FindRuns, ///< of blocks and warps that behave alike
    Count,
    Peek ///< where lanes go
  };
  /// What a region needs in a walk.
  struct RegionState {
    ActiveLanes Entered;
    /// Has the sides of the region's comparisons.
    std::unique_ptr<CompiledExpressions> Compared;
    // Of the entry that runs.
    double StayShare = 1;
    unsigned ExitsLeft = 0;
    bool IsBeyond = false; ///< more iterations may follow than are looked at
    double BodiesNow = 0;
    uint64_t NotedIn = 0; ///< the last run of warps that has it in its loops
    /// What PathWeight::Beyond was when it was entered.
    double EntryBeyond = 1;
  };
  /// What a block needs in a walk. An evaluator is null without anything to
  /// evaluate.
  struct BlockState {
    ActiveLanes Arrived;
    std::unique_ptr<CompiledExpressions> Compiled; ///< has the conditions
    std::unique_ptr<CompiledExpressions> Located;  ///< has the addresses
    std::unique_ptr<CompiledExpressions> Compared; ///< has comparisons' sides
  };
  /// A region that is run once.
  struct RegionVisit {
    const CallContext &C;
    const Region &R;
    ExitFlows &Exits;  ///< gets the lanes that leave it
    ActiveLanes &Back; ///< gets those that go back to its header
  };
  /// A loop that is entered.
  struct LoopVisit {
    const CallContext &C;
    const Region &R;
    const ActiveLanes &Entry;
    ExitFlows &Exits;
  };
  /// One look at a loop's body, which stands for Run iterations.
  struct Look {
    uint64_t Run;
    uint64_t Before = 0; ///< how many of them lie before the one looked at
  };
  /// A block that is run.
  struct BlockVisit {
    const CallContext &C;
    const Region &R;
    const Block &B;
    const PreparedBlock &P;
    BlockState &State;
    bool WasParted; ///< the lanes, when they came
    /// Where lanes go from the last guard, in the end the terminator.
    GuardSides Sides;
  };
  /// Blocks along an axis that are alike, or taken to be. The one at At is
  /// looked at.
  struct AxisLook {
    uint64_t At, Count;
    uint64_t Back = 0; ///< from it to the first of them
  };
  /// The same with the runs of their warps.
  struct Run : AxisLook {
    std::vector<uint64_t> Warps;
  };
  struct Row {
    AxisLook Y;
    std::vector<Run> X;
  };

  // ProfileWalkerGrid.cpp
  bool runGrid();
  bool findRows(uint64_t Z, std::vector<Row> &Rows);
  bool findRow(uint64_t Y, uint64_t Z, Row &R);
  bool countRows(uint64_t Z, uint64_t NumZ, std::vector<Row> &Rows);
  uint64_t startAxis(unsigned N, uint64_t First, size_t Runs);
  SmallVector<AxisLook, 2> takeTurns(unsigned N, uint64_t First, AxisLook Whole,
                                     bool IsPiece) const;
  bool looksAtFew() const;
  bool runWarps(std::vector<uint64_t> &Runs);
  bool runWarp(uint64_t Warp, uint64_t Run, double Multiple);
  bool runAlone();
  uint64_t signRun(const Region &R, uint64_t Limit, uint32_t Lanes);
  uint64_t signRun(ArrayRef<Comparison> Comparisons, CompiledExpressions *Sides,
                   const Quantity &Q, uint64_t Limit, uint32_t Lanes);
  void limitRuns(const PreparedBlock &P, CompiledExpressions *Compared,
                 uint32_t Lanes);
  void limitWarps(const PreparedBlock &P, CompiledExpressions &Compared,
                  uint32_t Lanes);

  // ProfileWalkerClasses.cpp
  bool countClass(WorkClass &C, ArrayRef<WarpWork> All);
  bool runClass(const WorkClass &C, ArrayRef<WarpWork> All);

  // ProfileWalkerLoops.cpp
  bool runLoop(const LoopVisit &L);
  bool runIterations(const LoopVisit &L);
  bool runIrreducible(const LoopVisit &L);
  bool lookAt(const LoopVisit &L, const ActiveLanes &Active, const Look &Of,
              ActiveLanes &Back);
  bool partIterations(const LoopVisit &L, ActiveLanes &Active);
  bool lookAtRest(const LoopVisit &L, ActiveLanes Active, uint64_t Run);
  bool lookAtOne(const LoopVisit &L, const ActiveLanes &Active);
  void leaveByAnyExit(const LoopVisit &L, ExitFlows &Left) const;
  uint64_t alike(const LoopVisit &L, const ActiveLanes &Active, uint64_t Most,
                 uint64_t Looks);
  bool peek(const CallContext &C, const Region &R, const ActiveLanes &Entry,
            ActiveLanes &Back);
  bool isUnsure(const Region &R) const;
  void boundBeyond(const Region &R, uint64_t Run, const ActiveLanes &Active);
  void goBeyond(const Region &R, uint64_t Run, const ActiveLanes &Active);
  void startLook(const Region &R, double StayShare);
  void leaveLoop(const Region &R, uint32_t Lanes, uint64_t K);

  // ProfileWalker.cpp
  bool runRegion(const RegionVisit &V, const ActiveLanes &Entry);
  bool runItem(const RegionVisit &V, const Region::Item &Item);
  void send(const RegionVisit &V, const Block *To, const ActiveLanes &F);
  void joinAtDominator(const CallContext &C, const Region::Item &Item,
                       ActiveLanes &Here);
  void countBody(const RegionVisit &V, const ActiveLanes &F,
                 ArrayRef<ActiveLanes> Sent);

  // ProfileWalkerBlocks.cpp
  bool runBlock(const RegionVisit &Around, const Block &B, ActiveLanes &F,
                SmallVectorImpl<ActiveLanes> &Sent);
  void evaluate(BlockState &S);
  void countBlock(const BlockVisit &V, const ActiveLanes &F);
  bool runEvent(BlockVisit &V, const Event &E, ActiveLanes &F);
  void checkContents(const Access &M, const BlockState &S,
                     const ActiveLanes &Lanes);
  bool readsBeyondAtEnds(const Access &M, uint32_t Lanes);
  void countRequests(const BlockVisit &V, const Event &E,
                     const ActiveLanes &By);
  bool runCall(const Event &E, const ActiveLanes &Active, ActiveLanes &F);
  void endThreads(const BlockVisit &V, const ActiveLanes &F);
  static void leaveBlock(BlockVisit &V, const ActiveLanes &F,
                         SmallVectorImpl<ActiveLanes> &Sent);
  GuardSides branch(const Region &R, const Guard &G, const ActiveLanes &F,
                    const BlockState &S);
  GuardSides leaveOrStay(const Region &R, const ActiveLanes &F,
                         const ConditionLanes &C, bool Leaves);
  ConditionLanes lanesOf(const Guard &G, const BlockState &S) const;
  bool knowsBeyond(const Guard &G) const;
  bool isMissing(const ActiveLanes &F, uint32_t Mask) const;

  RegionState &state(const Region &R) { return Regions[R.Number]; }
  BlockState &state(const CallContext &C, const Block &B) {
    return Blocks[C.FirstBlock + B.Number];
  }
  bool isCounting() const { return Now == Pass::Count; }
  /// Listens for findLocality() now; null if nobody does.
  LocalityRecorder *records() {
    return isCounting() && Records ? &*Records : nullptr;
  }
  bool spend(uint64_t Cost) {
    Spent += Cost;
    return !isOverBudget() || Thoroughness == Effort::One || mayFinish();
  }
  bool isOverBudget() const { return Spent >= Budget; }
  /// All of a grid that somebody asked for is looked at.
  bool seesGrid() const {
    return Thoroughness == Effort::All && !Launch.GridIsAssumed &&
           !Launch.BlockIsAssumed;
  }
  /// Whether the grid is about to end.
  bool mayFinish() const {
    return seesGrid() &&
           double(Spent) < Walked * double(BudgetsToFinish * Budget);
  }
  /// To count a run of blocks takes a step at least. With so many that are
  /// found counting would not end.
  bool hasTooManyRuns() const {
    return Thoroughness != Effort::One &&
           NumRunsFound > (seesGrid() ? BudgetsToFinish : 1) * Budget;
  }
  void noteWalked(const Dim3 &At);

  const PreparedProgram &Program;
  const LaunchConfig &Launch;
  const Effort Thoroughness;
  uint64_t Budget, Spent = 0;
  double Walked = 0; ///< the share of the grid's walk that is behind

  const SymbolicValues &Kernel;
  std::optional<CountRecorder> Counts;
  std::vector<WarpWork> Work;
  WarpWork *WorkNow = nullptr; ///< of the warps that run
  uint64_t NumWarpRuns = 0;
  uint64_t NumRunsFound = 0; ///< of blocks
  Dim3 BoxNow;               ///< of blocks that run together
  BarrierRecords Barriers;
  AssumptionRecorder Assumptions;
  std::optional<LocalityRecorder> Records;
  std::vector<const BufferContents *> ReadBeyond;

  std::vector<RegionState> Regions; ///< by the region's number
  std::vector<BlockState> Blocks;   ///< by the block's number
  Pass Now = Pass::Count;
  Assignment A; ///< where the walk is
  SmallVector<Dimension, 8> Dimensions;
  std::array<uint64_t, 3> AxisRuns{1, 1, 1}; ///< blocks alike from here on
  uint64_t WarpRun = 1; ///< warps from the present one on that do the same
  const Quantity *LoopNow = nullptr; ///< the counter of the iterations, and
  uint64_t LoopRun = 1;              ///< how many are taken together
  PathWeight Weight;
  double Apiece = 1; ///< what Weight.Multiple is for each of the warps
  ActiveLanes Alive; ///< the warp's lanes that have not ended
  unsigned NumWaits = 0;
};

/// Adds lanes that leave a loop; their shares in different iterations mean
/// nothing until all of them have left.
void sendTo(ExitFlows &Exits, const Block *To, const ActiveLanes &F);

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_PROFILEWALKER_H

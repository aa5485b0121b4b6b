//===- StaticProfileImpl.h - The state of counting statically ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_STATICPROFILEIMPL_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_STATICPROFILEIMPL_H

#include "Analysis/Locality/LocalityRecords.h"
#include "BarrierRecords.h"
#include "StaticProfileCode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace ptxpredict::counting {

/// How much is looked at.
enum class Effort : uint8_t {
  All,  ///< whatever behaves differently
  Some, ///< few blocks and iterations of such
  Few,  ///< one block, fewer iterations
  One   ///< one of each
};

class StaticProfiler {
public:
  StaticProfiler(const SymbolicValues &V, const LaunchConfig &Launch,
                 uint64_t Budget, Effort How, bool HasRecords);

  /// False if the budget does not suffice.
  bool run();
  StaticProfile finish();

private:
  // Preparation (StaticCountsPrepare.cpp).
  CallContext *prepare(const SymbolicValues &V, unsigned Depth);
  void prepareAlone();
  bool endsThreads();
  void prepareBlock(CallContext &C, const Block &B, unsigned Depth);
  void prepareGuard(CallContext &C, Region &R, PreparedBlock &P,
                    const Instruction &I);
  void noteCounters(Guard &G, const Symbol &S);
  void boundByLanes(Guard &G, const Expression *Predicate) const;
  bool isOpenToUser(const Guard &G, const Expression *Predicate) const;
  void prepareCondition(Region &R, PreparedBlock &P, Guard &G,
                        const Expression *Predicate);
  void prepareCall(CallContext &C, Region &R, Event &E, unsigned Depth);
  void prepareAccesses(CallContext &C, Region &R, PreparedBlock &P, Event &E);
  void prepareAccess(PreparedBlock &P, const Event &E,
                     const MemoryEffect &Effect, const Expression *Address,
                     unsigned Number);
  void prepareReads(CallContext &C, Region &R, PreparedBlock &P, Event &E);
  void decideLoop(CallContext &C, Region &R);
  void prepareExit(CallContext &C, Region &R, const Block &B);
  void addComparisons(Region &R, PreparedBlock &P, const Expression &E);
  void finishPlaces(CallContext &C);
  void findLoopRuns(CallContext &C);
  void findExitCounts();
  void findAxes();
  void findWarps();
  Decidedness decidednessOf(const Symbol &S) const;
  OpenReason reasonOfLaunch(const Expression *X) const;
  template <typename FnT>
  void forEachRegion(FnT Fn) {
    for (const auto &C : Contexts)
      for (Region &R : C->Regions)
        Fn(*C, R);
  }

  // A warp's way through the code (StaticCountsWalk.cpp).
  bool runRegion(CallContext &C, Region &R, const ActiveLanes &Entry,
                 ExitFlows &Exits, ActiveLanes &Back);
  bool runLoop(CallContext &C, Region &R, const ActiveLanes &Entry,
               ExitFlows &Exits);
  bool runIterations(CallContext &C, Region &R, const ActiveLanes &Entry,
                     ExitFlows &Exits);
  bool lookAt(CallContext &C, Region &R, const ActiveLanes &Active,
              uint64_t Run, ExitFlows &Exits, ActiveLanes &Back,
              uint64_t Before = 0);
  bool lookAtRest(CallContext &C, Region &R, ActiveLanes Active, uint64_t Run,
                  const ActiveLanes &Entry, ExitFlows &Exits);
  uint64_t alike(CallContext &C, Region &R, const ActiveLanes &Active,
                 const ActiveLanes &Entry, uint64_t Most, uint64_t Looks);
  bool runIrreducible(CallContext &C, Region &R, const ActiveLanes &Entry,
                      ExitFlows &Exits);
  bool runBlock(CallContext &C, Region &R, const Block &B, ActiveLanes &F,
                SmallVectorImpl<ActiveLanes> &Out);
  bool runCall(const Event &E, const ActiveLanes &Active, ActiveLanes &F);
  bool runAlone();
  std::pair<ActiveLanes, ActiveLanes>
  branch(Region &R, Guard &G, const ActiveLanes &F, const PreparedBlock &P);
  bool isMissing(const ActiveLanes &F, uint32_t Mask) const;
  ConditionLanes lanesOf(const Guard &G, const PreparedBlock &P) const;
  void settleExits(const Region &R, const ActiveLanes &Entry, ExitFlows &Exits);
  void leaveLoop(const Region &R, uint32_t Lanes, uint64_t K);
  bool peek(CallContext &C, Region &R, const ActiveLanes &Entry,
            ActiveLanes &Back);
  static ActiveLanes carry(ActiveLanes Back, const ActiveLanes &Active,
                           const ActiveLanes &Entry);
  void assume(Assumption A);
  void noteBranch(Guard &G);
  void noteLoop(const CallContext &C, Region &R);
  void noteStride(const Instruction &I, const Symbol &Parameter);
  void add(Estimate &To, const ActiveLanes &F, double Likely, double Fewest,
           double Most);
  void addRuns(Estimate &To, const ActiveLanes &F);
  void addLanes(Estimate &To, const ActiveLanes &F);

  // What leaves the result open (StaticCountsReasons.cpp).
  OpenReason reasonOf(const Symbol &S);
  const Symbol *dataBehind(const Symbol &S);
  LoopCounts finishLoop(const Region &R, const Block &Header);
  void fillReasons();
  OpenReason reasonAt(const CallContext &C, const Block &B) const;

  // Runs of what behaves alike (StaticProfile.cpp).
  uint64_t signRun(Region &R, uint64_t Limit, uint32_t Lanes);
  uint64_t signRun(ArrayRef<Comparison> Comparisons, CompiledExpressions *Sides,
                   const Quantity &Q, uint64_t Limit, uint32_t Lanes);
  void limitRuns(const Region &R, PreparedBlock &P, uint32_t Lanes);
  void limitWarps(PreparedBlock &P, uint32_t Lanes);
  bool runWarps(std::vector<uint64_t> &Runs);
  bool runGrid();
  bool spend(uint64_t Cost) {
    Spent += Cost;
    return Thoroughness == Effort::One || Spent < Budget;
  }

  const SymbolicValues &Kernel;
  const LaunchConfig &Launch;
  uint64_t Budget;
  Effort Thoroughness;
  std::vector<std::unique_ptr<CallContext>> Contexts; ///< the kernel's first
  llvm::DenseMap<const void *, CallContext *> ByValues;
  llvm::DenseMap<const InstructionGraph *, CallContext *>
      ByGraph; ///< the first
  llvm::DenseMap<const InstructionGraph *, CallContext *> Alone;
  std::vector<const InstructionGraph *> AloneFunctions;
  std::vector<CallContext *> AloneOrder; ///< callers first
  std::optional<bool> EndsThreads;
  const Block *UsedIn = nullptr; ///< what is prepared
  llvm::DenseMap<const InstructionGraph *, FunctionCounts *> Counts;
  AccessCoster Costs;
  std::shared_ptr<LocalityRecords> Records; ///< if someone wants them
  BarrierRecords Barriers;
  BlockParting Parting;
  double Apiece = 1;        ///< what Multiple is for each of the warps
  std::array<Axis, 3> Axes; ///< x, y, z
  /// Runs of warps that do the same in every block; empty if they must be
  /// found anew in each.
  std::vector<uint64_t> FixedWarps;
  bool BlocksDiffer = false;

  enum class Pass : uint8_t {
    FindRuns, ///< of blocks and warps that behave alike
    Count,
    Peek ///< where lanes go
  } Now = Pass::Count;
  Assignment A;
  SmallVector<Dimension, 8> Dimensions;
  uint64_t WarpRun = 1; ///< warps from the present one on that do the same
  const Quantity *LoopNow = nullptr; ///< the counter of the iterations, and
  uint64_t LoopRun = 1;              ///< how many are taken together
  double Multiple = 1;               ///< how often the present path counts
  ActiveLanes Alive;                 ///< the warp's lanes that have not ended
  unsigned NumWaits = 0;
  bool IsUnbounded = false;           ///< nobody knows how much more often
  double LowScale = 1, HighScale = 1; ///< of bounds, against Multiple
  uint64_t Spent = 0;
  llvm::StringSet<> Assumed; ///< by option
  StaticProfile Result;
  /// Of functions: what leaves open how often they are called.
  llvm::DenseMap<const FunctionCounts *, OpenReason> EntryReasons;
  /// Data that makes a value open that has no closed form; null for none.
  llvm::DenseMap<const Symbol *, const Symbol *> DataBehind;
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_STATICPROFILEIMPL_H

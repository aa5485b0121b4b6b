//===- ProgramBuilder.h - Makes code ready to be walked through -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_PROGRAMBUILDER_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_PROGRAMBUILDER_H

#include "Analysis/Symbolic/BaseCanceller.h"
#include "BlockParting.h"
#include "PreparedProgram.h"

namespace ptxpredict::counting {

/// What one of those who share out the work of a launch does of it.
struct WorkShare {
  double Bodies = 0;    ///< of the loop that takes it
  bool IsGiven = false; ///< by the launch
};

class ProgramBuilder {
public:
  ProgramBuilder(const SymbolicValues &V, const LaunchConfig &Launch,
                 Effort Thoroughness);

  PreparedProgram build();

private:
  // ProgramBuilder.cpp
  CallContext *prepare(const SymbolicValues &V, unsigned Depth);
  CallContext &makeContext(const SymbolicValues &V);
  void prepareBlock(CallContext &C, const Block &B, unsigned Depth);
  void prepareCall(CallContext &C, Region &R, Event &E, unsigned Depth);
  void prepareExit(CallContext &C, Region &R, const Block &B);
  bool endsThreads();

  // ProgramBuilderAlone.cpp
  void prepareAlone();
  void orderAlone();

  // ProgramBuilderConditions.cpp
  void prepareGuard(CallContext &C, Region &R, PreparedBlock &P,
                    const Instruction &I);
  void prepareCondition(Region &R, PreparedBlock &P, Guard &G,
                        const Expression *Predicate,
                        const LoopExit *Exit = nullptr);
  void guessLoopEntry(const CallContext &C, Guard &G) const;
  static void guessArgument(Guard &G);
  static void guessRareData(Guard &G);
  void noteCounters(Guard &G, const Symbol &S);
  void boundByLanes(Guard &G, const Expression *Predicate) const;
  bool isOpenToUser(const Guard &G, const Expression *Predicate) const;
  void addComparisons(Region &R, PreparedBlock &P, const Expression &E);
  /// Where what is linear in pieces has them.
  void addKinks(Region &R, PreparedBlock &P, const Expression &E);
  /// Where the condition changes.
  void addPieces(Region &R, PreparedBlock &P, const Expression &Condition);
  Decidedness decidednessOf(const Symbol &S) const;
  OpenReason reasonOfLaunch(const Expression *X) const;

  // ProgramBuilderReasons.cpp
  OpenReason reasonOf(const Symbol &S);
  const Symbol *dataBehind(const Symbol &S);
  ArrayRef<const Value *> valuesBehind(const Symbol &S,
                                       const CallContext *&Owner) const;

  // ProgramBuilderAccesses.cpp
  void prepareAccesses(CallContext &C, Region &R, PreparedBlock &P, Event &E);
  /// One effect of an instruction, and where it lies.
  struct EffectPlace {
    const MemoryEffect &Effect;
    unsigned Number; ///< among those that are counted
    const Expression *Address;
    std::shared_ptr<CopyBox> Box = nullptr; ///< of a bulk copy
  };
  void prepareAccess(PreparedBlock &P, const Event &E, const EffectPlace &At);
  void prepareBox(Region &R, PreparedBlock &P, Access &M, CopyBox &Box);
  void prepareReads(CallContext &C, Region &R, PreparedBlock &P, Event &E);

  // ProgramBuilderLoops.cpp
  void decideLoop(CallContext &C, Region &R);
  void findLoopRuns(CallContext &C);
  void findExitCounts();

  // ProgramBuilderWork.cpp
  std::optional<WorkShare> findWorkShare(const CallContext &C, const Region &R);
  double takersOf(const CallContext &C, const Cycle &L, const Symbol &Tile);
  bool handsOverThroughShared(const CallContext &C);

  // ProgramBuilderGrid.cpp
  void findAxes();
  void findWarps();

  const SymbolicValues &Kernel;
  const LaunchConfig &Launch;
  const Effort Thoroughness;
  PreparedProgram Out;
  llvm::DenseMap<const void *, CallContext *> ByValues;
  llvm::DenseMap<const InstructionGraph *, CallContext *>
      ByGraph; ///< the first
  llvm::DenseMap<const InstructionGraph *, CallContext *> Alone;
  std::vector<const InstructionGraph *> AloneFunctions;
  std::optional<bool> EndsThreads;
  bool HasLocals = false; ///< a function that is prepared, or its callers
  /// By function: what an atomic operation returned goes to shared memory.
  llvm::DenseMap<const CallContext *, bool> HandsOver;
  const Block *UsedIn = nullptr; ///< what is prepared
  BaseCanceller Bases;
  AddressPreparer Addresses;
  /// By copy, once one is of unknown size.
  std::optional<llvm::DenseMap<const Instruction *, uint64_t>> Expected;
  CopyBoxFinder Boxes;
  BlockParting Parting;
  /// Data that makes a value open that has no closed form; null for none.
  llvm::DenseMap<const Symbol *, const Symbol *> DataBehind;
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_PROGRAMBUILDER_H

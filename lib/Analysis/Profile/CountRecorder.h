//===- CountRecorder.h - Adds up what a walk executes -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_COUNTRECORDER_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_COUNTRECORDER_H

#include "PreparedProgram.h"
#include <cmath>

namespace ptxpredict::counting {

/// How often the present path is taken, in all warps, blocks and iterations
/// that it stands for.
struct PathWeight {
  double Multiple = 1;
  bool IsUnbounded = false;           ///< it may be taken more often
  double Beyond = Infinity;           ///< how many times as often then, at most
  double LowScale = 1, HighScale = 1; ///< of bounds, against Multiple
  bool IsInLoop = false;

  /// The most often that it is taken.
  double most() const {
    if (!IsUnbounded)
      return Multiple * HighScale;
    return std::isfinite(Beyond) ? Multiple * HighScale * Beyond : Infinity;
  }
};

/// Where lanes go from a guard.
using GuardSides = std::pair<ActiveLanes, ActiveLanes>;

/// What the entries of a loop add up to.
struct LoopSums {
  Estimate Entries = Estimate::known(0), Bodies = Estimate::known(0);
  double Fewest = Infinity, Most = 0; ///< bodies of an entry
  bool IsEndless = false;             ///< no exit is ever taken
  bool HasParted = false;             ///< lanes were in different iterations
};

/// Listens to the walk and adds up blocks, guards, loops and requests.
class CountRecorder {
public:
  CountRecorder(const PreparedProgram &Program, Expressions &E);

  void addBlock(const CallContext &C, const Block &B, const ActiveLanes &F,
                const PathWeight &W);
  /// Lanes \p F come to a guard, and go to \p Sides.
  void addGuard(const Guard &G, const ActiveLanes &F, const GuardSides &Sides,
                const PathWeight &W);
  /// Adds requests of an access; returns how many sectors they ask for.
  double addRequests(const Access &M, unsigned Number, const RequestBatch &B,
                     const PathWeight &W);
  void addEntry(const Region &R, const ActiveLanes &F, const PathWeight &W) {
    addRuns(Loops[R.Number].Entries, F, W);
  }
  void addBody(const Region &R, const ActiveLanes &F, const PathWeight &W) {
    addRuns(Loops[R.Number].Bodies, F, W);
  }
  /// An entry ran so many bodies.
  void addTripCount(const Region &R, double Trips) {
    LoopSums &S = Loops[R.Number];
    S.Fewest = std::min(S.Fewest, Trips);
    S.Most = std::max(S.Most, Trips);
  }
  /// A call of a function that runs by itself.
  void addCall(const CallContext &To, const ActiveLanes &F,
               const PathWeight &W) {
    addRuns(Calls[To.Number], F, W);
  }

  const Estimate &callsOf(const CallContext &C) const {
    return Calls[C.Number];
  }
  const FunctionCounts &countsOf(const CallContext &C) const {
    return *FunctionOf[C.Number];
  }
  LoopSums &loop(const Region &R) { return Loops[R.Number]; }
  const AccessSums &access(unsigned Number) const { return Accesses[Number]; }

  /// The functions in the order in which they are called.
  std::vector<std::unique_ptr<FunctionCounts>> finish();

private:
  /// Lanes, or warps, that execute something.
  struct Number {
    double Likely, Fewest, Most;
  };
  static void add(Estimate &To, const ActiveLanes &F, const Number &N,
                  const PathWeight &W);
  static void addRuns(Estimate &To, const ActiveLanes &F, const PathWeight &W);
  static void addLanes(Estimate &To, const ActiveLanes &F, const PathWeight &W);
  void finishLoops(ArrayRef<const CallContext *> Contexts, FunctionCounts &F);
  void finishAccesses(ArrayRef<const CallContext *> Contexts,
                      FunctionCounts &F);

  const PreparedProgram &Program;
  AccessCoster Costs;
  std::vector<std::unique_ptr<FunctionCounts>> Functions;
  std::vector<FunctionCounts *> FunctionOf; ///< by context
  std::vector<GuardCounts *> Guards;        ///< by guard; null for reads
  std::vector<LoopSums> Loops;              ///< by region
  std::vector<AccessSums> Accesses;         ///< by access
  std::vector<Estimate> Calls; ///< by context, if it runs by itself
};

/// Says of what hangs on open conditions what leaves it open.
void fillReasons(const PreparedProgram &Program,
                 ArrayRef<std::unique_ptr<FunctionCounts>> Functions);

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_COUNTRECORDER_H

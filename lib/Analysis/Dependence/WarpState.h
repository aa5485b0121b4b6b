//===- WarpState.h - What a warp has in flight ------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_WARPSTATE_H
#define PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_WARPSTATE_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace ptxpredict::path {

/// A register that is not ready, or that a load fills which nothing has waited
/// for.
struct Result {
  uint32_t Register = 0;
  uint32_t Writer = 0; ///< instruction
  double Ready = 0;    ///< cycles from the state's clock; 0: it is
  /// The chance that no wait has brought it, for loads.
  float FreshLong = 0, FreshShared = 0;
};

/// Asynchronous copies that are waited for together.
struct CopyGroup {
  double Ready = 0; ///< cycles from the state's clock
  double Fresh = 0; ///< as of a long load
  uint32_t Writer = 0;
};

struct WarpState {
  double Mass = 0;  ///< executions that are in this state
  double Clock = 0; ///< when the next instruction may issue
  double Busy = 0;  ///< cycles from Clock until no long load is in flight
  /// Positions at which lanes of the warp are, ascending. Empty: all have left.
  SmallVector<uint32_t, 2> Index;
  SmallVector<Result, 0> Results;   ///< by register
  SmallVector<CopyGroup, 0> Groups; ///< closed ones, oldest first
  CopyGroup Open, Bulk;
  /// All results' Ready together: where that differs, so do they.
  double SumReady = 0;

  /// Tells what is in flight from a later clock.
  void advance(double To);
};

/// Adds a position to At. Where they are too many, which no code that people
/// write comes to, the last is forgotten: what comes before it leads there.
/// False if one was.
bool addPlace(WarpState &S, uint32_t Position);

/// The same in flight, but for rounding and for \p Slack cycles; clock and mass
/// do not matter.
bool isSame(const WarpState &A, const WarpState &B, double Slack = 0);

/// Makes \p A the mean of both, by their masses. False if they differ.
bool merge(WarpState &A, const WarpState &B);

} // namespace ptxpredict::path

#endif // PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_WARPSTATE_H

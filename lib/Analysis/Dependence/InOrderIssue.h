//===- InOrderIssue.h - One warp's issue of instructions --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_INORDERISSUE_H
#define PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_INORDERISSUE_H

#include "RegisterSet.h"
#include "WarpState.h"
#include "ptxpredict/Analysis/Dependence/CriticalPath.h"

namespace ptxpredict::path {

/// What one execution of some code adds up to.
struct Totals {
  double RoundTrips = 0, SharedRoundTrips = 0;
  double BusyCycles = 0; ///< in which long loads are in flight

  void add(const Totals &O, double Times) {
    RoundTrips += O.RoundTrips * Times;
    SharedRoundTrips += O.SharedRoundTrips * Times;
    BusyCycles += O.BusyCycles * Times;
  }
};

/// What a call of a function takes.
struct CallCost {
  double Cycles = 0; ///< from its first instruction to behind its return
  Totals Sums;
};

/// When the block's end sends lanes on, by how it does.
struct BlockEnd {
  double Taken = 0, NotTaken = 0, Left = 0; ///< clocks
};

/// Issues instructions of one function.
class InOrderIssue {
public:
  /// \p WithWaits: fill Waited and WaitedFor.
  InOrderIssue(const FunctionDependence &F, const LatencyTable &T,
               ArrayRef<CallCost> Callees, bool IsKernel, bool WithWaits);

  /// Becomes what \p S says, or says what it is. Clock and flights alone.
  void load(const WarpState &S);
  /// \p Position is that of the block that has run: what nothing reads behind
  /// it is left out. Of very many results that are in flight it keeps those
  /// that come last, so that a state's size is bounded; false if it forgot
  /// some.
  bool save(WarpState &S, uint32_t Position);
  /// Nothing happens until \p Then.
  void advance(double Then) { Clock = Then; }

  /// Issues a block that runs \p Mass times.
  BlockEnd run(const IssuedBlock &B, double Mass);

  bool IsPacked = false; ///< in IssuedBlock::PackedOrder
  Totals Sums;
  uint64_t Issued = 0; ///< so far
  /// By instruction: cycles that it kept the next one from issuing, or waited
  /// itself, in all runs, and whose result that was for.
  std::vector<double> Waited;
  std::vector<uint32_t> WaitedFor;
  std::vector<double> Mass; ///< that ran, by block

private:
  struct Slot {
    double Ready = 0;
    float FreshLong = 0, FreshShared = 0;
    uint32_t Writer = 0;
    bool IsInFreshLong = false, IsInFreshShared = false;
  };
  template <bool HasWaits>
  BlockEnd runBlock(const IssuedBlock &B, double Times);
  /// Issues one instruction. Returns the clock at which it starts.
  template <bool HasWaits>
  double issue(uint32_t Number, double Times);
  /// The clock at which everything is there that it waits for.
  template <bool HasWaits>
  double awaitResults(const IssuedInstruction &I, uint32_t Number,
                      double Times);
  void addCall(const CallCost &C, double Times);
  void writeResults(const IssuedInstruction &I, uint32_t Number, double Ready);
  /// \p Start is that of the block's last instruction.
  BlockEnd endOf(const IssuedBlock &B, double Start) const;
  void listFreshLong(uint32_t Register);
  void listFreshShared(uint32_t Register);
  void roundTrip(double Chance, double Times, bool IsShared);
  /// When the copies have come that \p I waits for.
  double awaitCopies(const IssuedInstruction &I, double Times,
                     uint32_t &Writer);
  void startCopy(const IssuedInstruction &I, uint32_t Number, double Start);
  void closeGroup();
  void noteFlight(double Start, double End, double Times);

  const FunctionDependence &F;
  const LatencyTable &T;
  ArrayRef<CallCost> Callees;
  bool IsKernel, WithWaits;
  double Clock = 0, BusyUntil = 0;
  std::vector<Slot> Slots;
  RegisterSet Written; ///< registers whose slot is not empty; maybe others
  /// Those whose load nothing has waited for; maybe others.
  std::vector<uint32_t> FreshLong, FreshShared;
  SmallVector<CopyGroup, 0> Groups; ///< Ready is a clock here
  CopyGroup Open, Bulk;
};

} // namespace ptxpredict::path

#endif // PTXPREDICT_LIB_ANALYSIS_DEPENDENCE_INORDERISSUE_H

//===- ActiveLanes.h - Lanes at a block, how surely -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_ACCESS_ACTIVELANES_H
#define PTXPREDICT_LIB_ANALYSIS_ACCESS_ACTIVELANES_H

#include "ptxpredict/Analysis/Symbolic/Conditions.h"
#include "ptxpredict/Support/Estimate.h"

namespace ptxpredict {

/// Shares by lane. Mostly there are none, and to copy these takes no call.
class LaneShares {
public:
  LaneShares() = default;
  LaneShares(const LaneShares &O) { *this = O; }
  LaneShares(LaneShares &&O) noexcept { *this = std::move(O); }
  ~LaneShares() = default;
  LaneShares &operator=(const LaneShares &O) {
    if (!empty() || !O.empty())
      ByLane = O.ByLane;
    return *this;
  }
  LaneShares &operator=(LaneShares &&O) noexcept {
    if (!empty() || !O.empty())
      ByLane = std::move(O.ByLane);
    return *this;
  }

  bool empty() const { return ByLane.empty(); }
  float operator[](unsigned Lane) const { return ByLane[Lane]; }
  float *begin() { return ByLane.begin(); }
  float *end() { return ByLane.end(); }
  void clear() { ByLane.clear(); }
  void assign(ArrayRef<float> To) { ByLane.assign(To.begin(), To.end()); }

private:
  SmallVector<float, 0> ByLane;
};

/// The lanes of a warp that come to a place in the code.
///
/// Of a branch that nothing decides a lane's share goes half to each side;
/// where the shares add up to all of a lane again, it is there for certain.
struct ActiveLanes {
  uint32_t Likely = 0; ///< lanes that are taken to come
  uint32_t May = 0;    ///< lanes that may come; empty: none does
  /// Plain: all of May comes, no more is to be said.
  bool IsPlain = true;
  /// Whenever a lane comes, exactly the Likely ones do.
  bool IsCertain = true;
  ptxpredict::Status Status = Status::Known; ///< of Weight
  double Weight = 1;                         ///< how often lanes come, 0 to 1
  float Even = 1;                            ///< the share of each lane in May
  LaneShares Uneven; ///< by lane, where they differ; else empty
  /// Where it last waited for lanes that are elsewhere: a number for each such
  /// place and time, 0 for none. Those lanes go on in the meantime.
  unsigned Waited = 0;
  /// It stands for rounds of a loop that lanes leave one after the other: the
  /// shares of the Likely lanes that these have in the mean, be it any of them.
  /// Empty where all of them have all.
  llvm::ArrayRef<double> Rounds;
  /// Some of the lanes may come before others, with which they did not meet.
  bool IsParted = false;
  /// Iterations in which other lanes may come are taken together, or a
  /// condition before it may be decided, but nobody knows how.
  bool IsTypical = false;
  /// What first asked a condition that nothing decides and that may part the
  /// threads of a block, which have not met since; null without any.
  const Instruction *PartedBy = nullptr;

  static ActiveLanes plain(uint32_t Lanes) {
    ActiveLanes F;
    F.Likely = F.May = Lanes;
    return F;
  }
  explicit operator bool() const { return May != 0; }
  /// Lanes that come for certain.
  uint32_t must() const {
    return !Uneven.empty() ? unevenMust() : Even >= 1 ? May : 0;
  }
  float share(unsigned Lane) const {
    return !(May >> Lane & 1) ? 0 : Uneven.empty() ? Even : Uneven[Lane];
  }
  /// The share of the Likely lanes that comes, in the mean of its rounds.
  double meanShare() const;
  /// How often so many of \p Lanes, or of another number of lanes, come: by
  /// their number, in sum 1.
  std::array<double, WarpSize + 1> roundsByLanes(uint32_t Lanes) const;
  void setShares(llvm::function_ref<float(unsigned)> OfLane);
  void halveShares();
  /// Plain again if every lane comes for certain.
  void settle();
  /// The same lanes with the same shares.
  bool sameLanes(const ActiveLanes &O) const;
  bool operator==(const ActiveLanes &O) const;

  /// Joins what comes by another way, and perhaps settles.
  void merge(const ActiveLanes &O, bool Settles = true);
  /// Its lanes may come one after the other.
  void part();
  /// Known no better than \p S, and perhaps not there.
  void doubt(ptxpredict::Status S);

private:
  uint32_t unevenMust() const;
};

/// Where a condition holds in the lanes of a warp.
struct ConditionLanes {
  uint32_t Must, May, Likely;
  Condition::BasisTy Basis;
  bool VariesInWarp;
  /// The share of warps in which it holds, where nothing decides it; how well
  /// that is known.
  double Probability;
  ptxpredict::Status Status;
  /// Wherever it holds, or fails, for some lanes, it does for the same.
  bool HoldsAlike = false, FailsAlike = false;
  /// As in Flow, where the condition is open.
  bool IsTypical = false;
  const Instruction *PartedBy = nullptr;

  /// Says the same of what goes either way.
  void mark(ActiveLanes &Side) const {
    Side.IsTypical |= IsTypical;
    if (!Side.PartedBy)
      Side.PartedBy = PartedBy;
  }
};

/// The parts of \p F for which a condition holds, and does not hold.
std::pair<ActiveLanes, ActiveLanes> split(const ActiveLanes &F,
                                          const ConditionLanes &C);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_ACCESS_ACTIVELANES_H

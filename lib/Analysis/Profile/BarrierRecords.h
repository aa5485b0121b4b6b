//===- BarrierRecords.h - Which threads come to barriers --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Written down on the way of StaticProfiler, and judged block by block. What no
// launch decides is taken alike for all threads, so that they differ where
// something known tells them apart.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_BARRIERRECORDS_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_BARRIERRECORDS_H

#include "StaticProfileCode.h"
#include "ptxpredict/Analysis/Profile/BarrierReach.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace ptxpredict::counting {

/// What a barrier instruction waits for, in one calling context.
struct BarrierPoint {
  const Instruction *I = nullptr;
  const CallContext *C = nullptr;
  std::optional<uint64_t> Id;    ///< nothing: in a register
  bool HasCount = false;         ///< not for all threads of the block
  std::optional<uint64_t> Count; ///< nothing: in a register
  bool IsAligned = false;        ///< for whole warps together
  bool IsArrival = false;        ///< does not wait itself

  /// As an id; all others have 32 bits.
  static constexpr uint64_t Cluster = uint64_t(1) << 32;
};

class BarrierRecords {
public:
  explicit BarrierRecords(const LaunchConfig &Launch) : Launch(Launch) {}

  void beginBlock(const Dim3 &Index);
  /// \p Run warps that behave alike, with those lanes each.
  void beginWarps(uint64_t Run, uint32_t Lanes);
  /// Lanes come to a barrier, of \p Alive, so often for each of the warps;
  /// \p IsParted: not together.
  void add(const CallContext &C, const Instruction &I, const ActiveLanes &F,
           const ActiveLanes &Alive, double Times, bool IsParted);
  void endBlock();

  /// In the order of the code; nothing if not all of it was seen.
  std::vector<BarrierReach> take() const;

  /// Calls that nobody followed may come to barriers, or not all was looked at.
  bool IsPartial = false;

  /// Lanes that come to a point, so often in each of the warps of a run.
  struct Arrival {
    unsigned Point, Run; ///< numbers
    uint32_t Likely, May;
    double Times;
    bool IsTypical, IsKnown;
  };
  /// How often a thread comes, at least and at most.
  struct Often {
    double Low = 0, High = 0;
  };
  using ByThread = std::vector<std::array<Often, WarpSize>>; ///< by run

private:
  struct Warps {
    uint64_t Run;
    uint32_t Lanes;
  };

  unsigned pointOf(const CallContext &C, const Instruction &I);
  ArrayRef<Arrival> arrivalsAt(unsigned Point) const;
  void judge(ArrayRef<unsigned> Numbers);
  void judgeCounted(ArrayRef<unsigned> Numbers);
  void report(const BarrierPoint &P, BarrierMiss How, uint64_t Threads,
              uint64_t Reaching);
  const Instruction *partedBy(const BarrierPoint &P, bool &NeedsGrid) const;

  const LaunchConfig &Launch;
  std::vector<BarrierPoint> Points;
  llvm::DenseMap<std::pair<const CallContext *, const Instruction *>, unsigned>
      PointOf;
  // Of the present block.
  Dim3 BlockIndex;
  std::vector<Warps> Runs;
  std::vector<Arrival> Arrivals; ///< in the end by point
  /// By instruction, the worst.
  llvm::MapVector<const Instruction *, BarrierReach> Found;
};

/// Whether conditions that something leaves open may be true for some threads
/// of a block and false for others. What is loaded from one place is taken to
/// be the same for all, and so is how often they run a loop that only such
/// conditions leave.
class BlockParting {
public:
  bool mayPart(const Expression *Predicate, const SymbolicValues &V);

private:
  bool differs(const Expression &Symbol, const SymbolicValues &V);
  bool mayLeaveApart(unsigned Cycle, const SymbolicValues &V);

  llvm::DenseMap<std::pair<const SymbolicValues *, unsigned>, bool> LeaveApart;
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_BARRIERRECORDS_H

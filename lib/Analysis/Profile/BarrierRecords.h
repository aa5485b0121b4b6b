//===- BarrierRecords.h - Which threads come to barriers --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// ProfileWalker says which lanes come to barriers, and each block of the grid
// is judged by itself. What no launch decides is taken alike for all threads,
// so that they differ where something known tells them apart.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_BARRIERRECORDS_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_BARRIERRECORDS_H

#include "PreparedProgram.h"
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
  /// It is partial if calls that nobody followed may come to barriers, or not
  /// all is looked at: then nothing is said.
  BarrierRecords(const LaunchConfig &Launch, bool IsPartial)
      : Launch(Launch), IsPartial(IsPartial) {}

  /// A barrier instruction in a calling context.
  struct Instance {
    const CallContext *C;
    const Instruction *I;
  };
  /// How lanes come to a barrier.
  struct Coming {
    double Times;  ///< for each of the warps
    bool IsParted; ///< not together
  };

  void beginBlock(const Dim3 &Index);
  /// \p Run warps that behave alike, with those lanes each.
  void beginWarps(uint64_t Run, uint32_t Lanes);
  /// The lanes \p F come to a barrier; \p Alive have not ended.
  void add(const Instance &At, const ActiveLanes &F, const ActiveLanes &Alive,
           const Coming &How);
  void endBlock();

  /// In the order of the code; nothing if not all of it was seen.
  std::vector<BarrierReach> take() const;

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
  const bool IsPartial;
  std::vector<BarrierPoint> Points;
  llvm::DenseMap<std::pair<const CallContext *, const Instruction *>, unsigned>
      PointOf;
  // In the present block.
  Dim3 BlockIndex;
  std::vector<Warps> Runs;
  std::vector<Arrival> Arrivals; ///< in the end by point
  /// By instruction, the worst.
  llvm::MapVector<const Instruction *, BarrierReach> Found;
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_BARRIERRECORDS_H

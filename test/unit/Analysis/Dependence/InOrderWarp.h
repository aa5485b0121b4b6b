//===- InOrderWarp.h - The time of a warp that issues in order --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What the analysis of critical paths is judged by: a simulation over what the
// emulator executes, which shares nothing with it but the names of latencies.
//
// A warp issues its instructions one at a time, in the order in which they run.
// One waits until every register that it reads is there; a register is there a
// latency after the issue of what writes it, and under a guard not before its
// former content. Branches, barriers, fences and calls hold up what follows
// them. Waits for asynchronous copies wait for those of their groups, mbarriers
// and bulk waits for all copies so far. No warp waits for another one, and no
// unit is ever busy.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_ANALYSIS_DEPENDENCE_INORDERWARP_H
#define PTXPREDICT_TEST_UNIT_ANALYSIS_DEPENDENCE_INORDERWARP_H

#include "ptxpredict/Codegen/SchedClass.h"
#include "ptxpredict/Emulator/Core/Emulator.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>
#include <map>

namespace ptxpredict {

/// Of one warp, or the mean of several.
struct WarpTime {
  double Cycles = 0; ///< from its first issue to the end of its last one
  double Instructions = 0;
  double LongLoads = 0; ///< see isLongLoad
  /// Waits for a long load that was issued since the last such wait.
  double RoundTrips = 0;
  double SharedLoads = 0, SharedRoundTrips = 0; ///< the same of shared memory
  double LoadCycles = 0;                        ///< latencies of the long loads
  double CoveredBy = 0; ///< cycles in which there is a long load in flight

  WarpTime &operator+=(const WarpTime &Other);
  WarpTime scaled(double Factor) const;
  /// Long loads a round trip; 0 without them.
  double memoryParallelism() const {
    return LongLoads / std::max(RoundTrips, 1.0);
  }
  /// Long loads in flight while there are some; 0 without them.
  double loadsInFlight() const {
    return CoveredBy > 0 ? LoadCycles / CoveredBy : 0;
  }
};

/// Observes a run, and times each of its warps by one table.
class InOrderWarps : public EmulationObserver {
public:
  explicit InOrderWarps(const LatencyTable &Table) : Table(Table) {}

  void onInstruction(uint64_t Block, unsigned Warp, const Instruction &I,
                     uint32_t Active) override;

  /// Of a warp that ran.
  WarpTime warp(uint64_t Block, unsigned Warp) const;
  WarpTime mean() const; ///< over all warps
  bool allEqual() const; ///< all warps take as long and execute as much

private:
  /// When something is there, and which loads brought it, by the number of the
  /// round trip that they belong to; 0 if none did.
  struct Arrival {
    double Time = 0;
    uint64_t Trip = 0, SharedTrip = 0;
    void join(const Arrival &Other);
  };
  /// A function that has not returned.
  struct Frame {
    const InstructionGraph *G = nullptr;
    uint32_t Lanes = 0;             ///< that entered, less those that left
    std::vector<Arrival> Registers; ///< by register
  };
  struct Warp {
    std::vector<Frame> Frames; ///< the kernel's first
    const Instruction *Last = nullptr;
    uint32_t LastActive = 0;
    double LastIssue = 0;
    double Covered = 0; ///< when the last of the long loads so far is there
    uint64_t Trip = 1, SharedTrip = 1;
    std::deque<Arrival> Groups; ///< of copies, committed
    Arrival Open;               ///< copies that no group has yet
    Arrival Copies;             ///< all of them
    WarpTime Time;
  };
  /// What is asked of an instruction whenever it runs.
  struct Shape {
    SmallVector<unsigned, 4> Reads, Writes; ///< registers
    double Latency = 0;
    bool IsLong = false, IsShared = false;
    enum { None, Copy, BulkCopy, Commit, WaitGroup, WaitAll, WaitCopies } Async;
    uint64_t Allowed = 0; ///< groups that a WaitGroup leaves
  };

  const Shape &shapeOf(const Instruction &I);
  double nextIssue(const Warp &W, const Instruction &I) const;
  void enterFrame(Warp &W, const Instruction &I);
  Arrival awaited(Warp &W, const Shape &S) const;

  LatencyTable Table;
  llvm::DenseMap<const Instruction *, std::unique_ptr<Shape>> Shapes;
  std::map<std::pair<uint64_t, unsigned>, Warp> Warps; ///< by block and warp
  std::pair<uint64_t, unsigned> CurrentKey;
  Warp *Current = nullptr; ///< of that key
};

/// Latencies of the size that GPUs have; of none in particular.
LatencyTable deviceLikeTable();

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_ANALYSIS_DEPENDENCE_INORDERWARP_H

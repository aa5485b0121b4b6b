//===- CriticalPath.h - How long a warp takes by itself ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A warp issues in order; an instruction waits for the registers that it reads,
// for asynchronous copies if it says so, and for the one before it. That is the
// longest path of the graph whose edges are the order of issue and the
// dependences (T. Gajger, MSc thesis, Gdansk University of Technology, 2017,
// 4.4.2), worked out forwards. A loop is followed until what is in flight at
// its header repeats; from then on each period takes the same time, and the
// rest is multiplied. For one warp this is exact. For many that take different
// ways the time is the mean: where the ways meet a few states of the machine
// stay apart, and more are averaged.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_DEPENDENCE_CRITICALPATH_H
#define PTXPREDICT_ANALYSIS_DEPENDENCE_CRITICALPATH_H

#include "ptxpredict/Analysis/Dependence/DependenceSummary.h"

namespace ptxpredict {

/// What a warp waits for at one instruction.
struct PathWait {
  uint32_t Function = 0;    ///< number
  uint32_t Instruction = 0; ///< of that function: whose latency it is
  double Cycles = 0;        ///< over the whole path
};

/// Of one warp, in the mean over the warps.
struct CriticalPath {
  double Cycles = 0;
  double Instructions = 0; ///< issued
  /// Loads that leave the SM, and how often the warp waits for such: a wait
  /// brings everything that was in flight when it began.
  double LongLoads = 0, RoundTrips = 0;
  double SharedLoads = 0, SharedRoundTrips = 0; ///< likewise
  /// Long loads in flight, in the mean over the cycles in which there are some.
  double LoadsInFlight = 0;
  /// All warps go one way, and every loop was followed to its period: then the
  /// numbers hold exactly for a warp with the summary's counts.
  bool IsExact = true;
  /// Longest first.
  std::vector<PathWait> Waits;

  /// Long loads per round trip, 1 without any.
  double memoryParallelism() const {
    return LongLoads > RoundTrips && LongLoads > 0
               ? LongLoads / std::max(RoundTrips, 1.0)
               : 1;
  }
};

/// Cost is linear in the code, whatever loops do. \p WithWaits: fill Waits.
/// \p Packed: in IssuedBlock::PackedOrder.
CriticalPath findCriticalPath(const DependenceSummary &S,
                              const LatencyTable &Latencies,
                              bool WithWaits = false, bool Packed = false);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_DEPENDENCE_CRITICALPATH_H

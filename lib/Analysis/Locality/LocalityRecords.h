//===- LocalityRecords.h - Where the requests of a launch lie ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// LocalityRecorder writes them down while a profile is made: one record for all
// requests of an access in blocks, warps and iterations that behave alike.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYRECORDS_H
#define PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYRECORDS_H

#include "StridedRegions.h"
#include "ptxpredict/Analysis/Access/ProfileCounts.h"
#include "ptxpredict/Launch/LaunchConfig.h"

namespace ptxpredict::counting {

/// Instances of blocks, warps, entries of a loop or iterations that behave
/// alike, within those of the parent.
struct LocalityNode {
  enum class KindTy : uint8_t { Blocks, Warps, Entry, Iterations };
  KindTy Kind;
  int Parent = -1;
  unsigned Loop = 0;     ///< of an entry and of iterations
  uint64_t First = 0;    ///< iteration or warp
  uint64_t Count = 1;    ///< of instances
  unsigned NumOuter = 0; ///< iterations' nodes around it
  Dim3 FirstBlock, Grid; ///< of blocks; the number of them by axis
};

struct LocalityRecord {
  unsigned Access;
  int Node; ///< the innermost one around it
  /// Known: these bytes are touched, whatever happens.
  ptxpredict::Status Status = ptxpredict::Status::Unknown;
  bool IsLikely = true;
  bool IsGuess = false;  ///< nobody knows where its regions lie
  bool IsLoose = false;  ///< it has no regions: it may lie anywhere
  unsigned NumWarps = 1; ///< of those of its node
  SmallVector<StridedRegion, 1> Lanes; ///< in the first instance of everything
  SmallVector<StridedRegion, 1>
      Shifts; ///< of its warps, from the first of them
  /// Bytes from block to block along x, y, z, then from one iteration to the
  /// next, by node, outer ones first.
  SmallVector<int64_t, 4> Strides;
  double Requested = 0; ///< sectors in all instances
  double Requests = 0;
  double Addresses = 0; ///< distinct ones, in a request
  double NumLanes = 0;  ///< that have them; of an atomic's requests
  /// Of these, in the mean of rounds that lanes leave one after the other.
  double LaneShare = 1;
  // In all instances, if it is loose: what all lanes ask for, and bounds of
  // what they touch.
  double Bytes = 0, LeastBytes = 0, MostBytes = 0;
  /// Without a node: the blocks before this one, x fastest, have none of it.
  uint64_t FirstBlock = 0;
};

/// One memory effect of an instruction on global memory.
struct RecordedAccess {
  const Instruction *I;
  unsigned Effect;
  bool Reads, Writes, IsAtomic;
  unsigned Bytes;
  const void *Array = nullptr; ///< what tells its array from others
  uint64_t SpanBytes = 0;      ///< within which it lies; 0: anywhere
  bool IsSpanSeen = false;     ///< SpanBytes has what was seen, no bound
  uint64_t MostSpanBytes = 0;  ///< the bound then; 0: none
  uint64_t ArrayBytes = 0;     ///< of the array; 0: nobody knows
  bool IsArraySeen = false;    ///< ArrayBytes is SpanBytes, no bound
  bool IsPastL1 = false;       ///< a load that asks L2 each time
  bool IsGather = false;       ///< loaded data say where it lies: anywhere
  bool ReadsData = false;      ///< each lane's place comes from known contents
  /// Words among which data choose, all alike; 0: they do not, or nobody knows
  /// among how many.
  double Places = 0;
  bool ArePieces = false; ///< they lie side by side (LaneGroups::ArePieces)
  /// Known addresses lie anywhere in SpanBytes, and are too many to tell apart.
  bool IsAnywhere = false;
};

/// Where the warps of a block wait for each other.
struct BarriersInCode {
  bool HasBarrier = false;
  /// Stretches of code beside inner loops, between barriers, with loads.
  unsigned LoadStretches = 0;
};

struct RecordedLoop {
  const FunctionCounts *Function;
  const Block *Header;
  unsigned Depth; ///< of all loops around the first entry, and itself
  BarriersInCode Barriers;
  int Outer; ///< the loop around the first entry, -1 for none
};

/// What a launch asks of global memory, for findLocality().
struct LocalityRecords {
  Dim3 Grid;                        ///< that was walked
  std::optional<GridDigits> Digits; ///< what its axes are, if not the launch's
  std::vector<LocalityNode> Nodes;
  std::vector<LocalityRecord> Records;
  std::vector<RecordedAccess> Accesses;
  std::vector<RecordedLoop> Loops;
  bool IsPartial = false;  ///< there were too many
  bool IsLarge = false;    ///< more than would be wished for
  double LeftOut = 0;      ///< requests, because of that
  BarriersInCode Barriers; ///< in the kernel
  /// Not everything that behaves differently was looked at.
  bool IsSampled = false;
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYRECORDS_H

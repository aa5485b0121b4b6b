//===- LocalityRecorder.h - Writes down where requests lie ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYRECORDER_H
#define PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYRECORDER_H

#include "Analysis/Access/AccessCosts.h"
#include "Analysis/Symbolic/AddressBases.h"
#include "LocalityRecords.h"
#include <limits>
#include <map>

namespace ptxpredict::counting {

/// Requests that were just counted.
struct CountedRequests {
  const Access &M;
  const AccessSums &Sums;
  const RequestBatch &Batch;
  bool MayBeLess; ///< lanes may touch less than all their bytes
  double Sectors; ///< that all of them ask for
};

/// Listens to the walk through a launch and writes down where requests lie.
/// What begins last ends first.
class LocalityRecorder {
public:
  LocalityRecorder(const InstructionGraph &Kernel, const LaunchConfig &Launch)
      : Kernel(Kernel), Launch(Launch),
        IsRough(Launch.BlockIsAssumed || Launch.GridIsAssumed),
        Names(Kernel, Launch) {}

  /// Makes an access known; its number is that of the call, from 0.
  void addAccess(const Instruction &I, unsigned Effect, const MemoryEffect &E);

  /// So many blocks, from so many before the one that is looked at.
  void beginBlocks(const Dim3 &At, const Dim3 &Number, const Dim3 &Back);
  /// From here on functions run by themselves.
  void beginAlone() { Frames.clear(); }
  void beginWarps(uint64_t First, uint64_t Number);
  void beginLoop(const FunctionCounts &F, const Block &Header,
                 BarriersInCode Barriers);
  /// \p Back of them lie before the iteration that is looked at.
  void beginIterations(uint64_t First, uint64_t Number, uint64_t Back);
  void end() { Frames.pop_back(); }
  void addRequests(const CountedRequests &Q);
  /// Each lane's place comes from known contents, as far as is seen.
  bool readsData(unsigned Access) const {
    return Out.Accesses[Access].ReadsData;
  }

  std::shared_ptr<const LocalityRecords> take(BarriersInCode Barriers,
                                              bool IsSampled);

private:
  struct Frame {
    LocalityNode Node;
    uint64_t Back = 0;
    std::array<uint64_t, 3> BlocksBack{};
    int Index = -1; ///< of the node, once something is recorded
  };
  /// Warps whose lanes lie alike.
  struct AlikeWarps {
    LaneArray Addresses;             ///< of the first of them
    SmallVector<int64_t, 32> Shifts; ///< of each from there
    unsigned Number;                 ///< of warps
    bool AreAll;                     ///< of the node's
  };
  /// Lanes that touch their bytes with the same certainty.
  struct LanesTouched {
    uint32_t Lanes;
    ptxpredict::Status Status;
    bool IsLikely;
  };

  /// Where the lanes of an access lie that are in no row, so far.
  struct Scatter {
    size_t Number = 0; ///< of lanes
    int64_t First = std::numeric_limits<int64_t>::max(),
            End = std::numeric_limits<int64_t>::min();
    int64_t SpanOfHalf = 0; ///< bytes, of the first half of them
    int Rest = -1;          ///< the record of all that come later
  };

  bool isAlone() const {
    return Frames.empty() ||
           Frames.front().Node.Kind != LocalityNode::KindTy::Blocks;
  }
  int currentNode();
  void findArray(RecordedAccess &R, const CountedRequests &Q);
  bool findStrides(LocalityRecord &R, const CountedRequests &Q) const;
  bool spreadBlocks(LocalityRecord &R, const Access &M) const;
  std::vector<AlikeWarps> groupWarps(const CountedRequests &Q,
                                     const LaneArray &Here);
  SmallVector<LanesTouched, 3> lanesTouched(const CountedRequests &Q,
                                            bool IsLikely) const;
  void addLoose(LocalityRecord &&R, const CountedRequests &Q);
  void addWarps(const LocalityRecord &R, const Access &M, const AlikeWarps &W,
                const LanesTouched &T);
  void addCopies(LocalityRecord &&R, const Access &M,
                 const LaneArray &Addresses, uint32_t Lanes);
  void addLanes(LocalityRecord &&R, const Access &M, const LaneArray &Addresses,
                uint32_t Lanes);
  void moveToFirst(size_t FirstNew);

  // LocalityGathers.cpp
  void noteScattered(unsigned Access, ArrayRef<StridedRegion> Boxes);
  bool leadsAnywhere(unsigned Access) const;
  void noteData(const CountedRequests &Q);
  void addAnywhere(const CountedRequests &Q);
  void forgetRegions(unsigned Access);
  void setLoose(LocalityRecord &R, const CountedRequests &Q) const;

  const InstructionGraph &Kernel;
  const LaunchConfig &Launch;
  bool IsRough; ///< nobody asked for this launch
  SmallVector<Frame, 8> Frames;
  std::map<std::pair<const FunctionCounts *, const Block *>, unsigned>
      LoopNumbers;
  ArrayNames Names;
  LocalityRecords Out;
  ClippedBoxes Clips;             ///< of the requests that are added
  size_t NumRegions = 0;          ///< of the lanes of all records
  std::vector<Scatter> Scattered; ///< by access
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYRECORDER_H

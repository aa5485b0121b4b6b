//===- LocalityRecords.h - Where the requests of a launch lie ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Written down on the way of StaticProfiler: one record for all requests of an
// access in blocks, warps and iterations that behave alike.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYRECORDS_H
#define PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYRECORDS_H

#include "Analysis/Access/AccessCosts.h"
#include "Analysis/Symbolic/AddressBases.h"
#include "StridedRegions.h"
#include <map>

namespace ptxpredict::counting {

/// Instances of something that behave alike, within those of its parent.
struct LocalityNode {
  enum class KindTy : uint8_t { Blocks, Warps, Entry, Iterations };
  KindTy Kind;
  int Parent = -1;
  unsigned Loop = 0;       ///< of an entry and of iterations
  uint64_t First = 0;      ///< iteration or warp
  uint64_t Count = 1;      ///< of instances
  unsigned NumOuter = 0;   ///< iterations' nodes around it
  Dim3 FirstBlock, Grid;   ///< of blocks; the number of them by axis
  double Instructions = 0; ///< of warps: by all of them in all blocks
  bool IsCertain = true;   ///< these instructions
};

struct LocalityRecord {
  unsigned Access;
  int Node; ///< the innermost one around it
  ptxpredict::Status
      Status; ///< known: these bytes are touched, whatever happens
  bool IsLikely = true;
  bool IsGuess = false;                ///< the boxes lie where nobody knows
  bool IsLoose = false;                ///< no boxes: they may lie anywhere
  unsigned NumWarps = 1;               ///< of those of its node
  SmallVector<StridedRegion, 1> Lanes; ///< of the first instance of everything
  SmallVector<StridedRegion, 1>
      Shifts; ///< of its warps, from the first of them
  /// From block to block along x, y, z, then from one iteration to the next, by
  /// node, outer ones first.
  SmallVector<int64_t, 4> Strides;
  double Requested = 0; ///< sectors in all instances
  double Requests = 0;
  double Addresses = 0; ///< distinct ones, in a request
  // Of a loose one, in all instances: those of all lanes, and bounds of what
  // is touched.
  double Bytes = 0, LeastBytes = 0, MostBytes = 0;
};

/// One memory effect of an instruction on global memory.
struct RecordedAccess {
  const Instruction *I;
  unsigned Effect;
  bool Reads, Writes, IsAtomic;
  unsigned Bytes;
  const void *Array = nullptr; ///< what tells its array from others
  uint64_t SpanBytes = 0;      ///< within which it lies; 0: anywhere
  uint64_t ArrayBytes = 0;     ///< of the array; 0: nobody knows
  bool IsGather = false;       ///< loaded data say where it lies: anywhere
  bool ArePieces = false; ///< they lie side by side (LaneGroups::ArePieces)
};

struct RecordedLoop {
  const FunctionCounts *Function;
  const Block *Header;
  unsigned Depth;  ///< of all loops around the first entry, and itself
  bool HasBarrier; ///< for the warps of a block
  int Outer;       ///< the loop around the first entry, -1 for none
};

class LocalityRecords {
public:
  LocalityRecords(const InstructionGraph &Kernel, const LaunchConfig &Launch)
      : Kernel(Kernel), Launch(Launch),
        IsRough(Launch.BlockIsAssumed || Launch.GridIsAssumed),
        Names(Kernel, Launch) {}

  std::vector<LocalityNode> Nodes;
  std::vector<LocalityRecord> Records;
  std::vector<RecordedAccess> Accesses;
  std::vector<RecordedLoop> Loops;
  bool IsPartial = false;  ///< there were too many
  double LeftOut = 0;      ///< requests, because of that
  bool HasBarrier = false; ///< the kernel, for the warps of a block
  /// Not everything that behaves differently was looked at.
  bool IsSampled = false;

  // While counting. What begins last ends first.
  int addAccess(const Instruction &I, const MemoryEffect &E, unsigned Effect);
  void beginBlocks(const Dim3 &First, const Dim3 &Number);
  /// Of functions that are counted by themselves.
  void beginAlone() { Frames.clear(); }
  void beginWarps(uint64_t First, uint64_t Number);
  void beginLoop(const FunctionCounts &F, const Block &Header, bool HasBarrier);
  /// \p Back of them lie before the iteration that is looked at.
  void beginIterations(uint64_t First, uint64_t Number, uint64_t Back);
  void end() { Frames.pop_back(); }
  void addInstructions(double Number, bool IsCertain);
  /// What count() was given; with \p IsLess lanes may touch less than all their
  /// bytes. All of it asks for \p Sectors.
  void add(const Access &M, const ActiveLanes &F,
           const CompiledExpressions *Evaluated, Assignment &A,
           ArrayRef<Dimension> Dimensions, double Multiple, uint64_t WarpRun,
           bool IsPart, bool IsLess, double Sectors);

private:
  struct Frame {
    LocalityNode Node;
    uint64_t Back = 0;
    int Index = -1; ///< of the node, once something is recorded
  };
  bool isAlone() const {
    return Frames.empty() ||
           Frames.front().Node.Kind != LocalityNode::KindTy::Blocks;
  }
  int currentNode();
  void findArray(RecordedAccess &R, const Access &M);
  void addLoose(LocalityRecord &&R, const Access &M, const ActiveLanes &F,
                double Multiple, bool IsPart);
  void addLanes(LocalityRecord &&R, const Access &M, const LaneArray &Addresses,
                uint32_t Lanes);

  const InstructionGraph &Kernel;
  const LaunchConfig &Launch;
  bool IsRough; ///< nobody asked for this launch
  SmallVector<Frame, 8> Frames;
  std::map<std::pair<const FunctionCounts *, const Block *>, unsigned>
      LoopNumbers;
  ArrayNames Names;
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYRECORDS_H

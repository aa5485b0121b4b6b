//===- LocalityImpl.h - From records to footprints --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYIMPL_H
#define PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYIMPL_H

#include "LocalityRecords.h"
#include "ptxpredict/Analysis/Locality/Locality.h"
#include "ptxpredict/ISA/MachineUnits.h"

namespace ptxpredict::counting {

/// All of its numbers.
inline constexpr Estimate TouchedMemory::*Sizes[] = {
    &TouchedMemory::Bytes,        &TouchedMemory::ReadBytes,
    &TouchedMemory::WrittenBytes, &TouchedMemory::Sectors,
    &TouchedMemory::ReadSectors,  &TouchedMemory::WrittenSectors};

TouchedMemory &operator+=(TouchedMemory &To, const TouchedMemory &From);
TouchedMemory scaled(TouchedMemory T, double By);
/// Known no better than \p S.
TouchedMemory weakened(TouchedMemory T, Status S);

struct AccessSummary;
struct LevelInstances;

/// Whether a count that took so many \p Steps gives the same with what is left
/// of \p Budget. Who then takes the former result takes the steps, too: what is
/// left for others depends on nobody's memory.
bool givesTheSame(unsigned Steps, unsigned Budget);

/// Of which kind of access.
enum class Direction : uint8_t { All, Reads, Writes };

/// What some of the requests touch, by array.
class TouchedSet {
public:
  /// The array of each access, and the bytes of each array within which places
  /// lie that nobody knows; 0: anywhere.
  TouchedSet(const LocalityRecords &Records, ArrayRef<unsigned> ArrayOf,
             ArrayRef<double> Extents)
      : Records(Records), ArrayOf(ArrayOf), Extents(Extents),
        Arrays(Extents.size()) {}

  /// Adds boxes of a record, which lie in \p Array.
  void add(unsigned Array, const LocalityRecord &R,
           ArrayRef<StridedRegion> Boxes);
  /// Adds so many parts of all that a record without boxes touches.
  void addLoose(const LocalityRecord &R, double Share);
  TouchedMemory count(unsigned &Budget) const;
  /// Sectors alone, of one kind of access.
  Estimate sectors(Direction D, unsigned &Budget) const;
  /// Aligned pieces of two sectors.
  Estimate pairs(unsigned &Budget) const;

private:
  struct Part {
    const LocalityRecord *R;
    StridedRegion Box;
  };
  struct InArray {
    Estimate Size = Estimate::known(0);
    unsigned Steps = 0; ///< that it took
  };
  using InArrays = SmallVector<InArray, 8>;
  Estimate countArray(ArrayRef<Part> Parts, Direction D, int64_t Unit,
                      unsigned &Budget) const;
  /// Fills \p In. Where an array has no other kind of access, it takes what it
  /// has of all kinds from \p OfAll, if that is given.
  Estimate countAll(Direction D, int64_t Unit, unsigned &Budget, InArrays &In,
                    const InArrays *OfAll = nullptr) const;
  void addRest(Estimate &Sum, ArrayRef<InArray> In, Direction D,
               int64_t Unit) const;
  bool has(const LocalityRecord &R, Direction D) const;

  const LocalityRecords &Records;
  ArrayRef<unsigned> ArrayOf;
  ArrayRef<double> Extents;
  std::vector<SmallVector<Part, 0>> Arrays;
  struct Loose {
    const LocalityRecord *R;
    double Share;
  };
  SmallVector<Loose, 0> Rest;
};

class LocalityFinder {
public:
  LocalityFinder(const LocalityRecords &Records, const LaunchConfig &Launch);
  Locality find();

private:
  /// The dimensions of the iterations around a record, outer ones first, by
  /// their nodes.
  SmallVector<int, 4> iterationsOf(const LocalityRecord &R) const;
  StridedRegions boxesOf(const LocalityRecord &R, bool OfAllWarps,
                         unsigned FirstLoop) const;
  const LocalityNode &blocksOf(const LocalityRecord &R) const;
  void findExtents();
  void findGrid();
  void addLeftOut(TouchedMemory &T, double Recorded, double Share) const;
  bool isAnywhere(const LocalityRecord &R) const;
  double scaleOfLeftOut() const;
  double shareOfFirst(const LocalityRecord &R, uint64_t Number) const;
  void findBlock();
  void findWarp();
  void findCommon();
  void findFirst(uint64_t NumBlocks);
  TouchedMemory boundBlock(unsigned Array, ArrayRef<unsigned> Here);
  TouchedMemory countBlocksIn(unsigned Array, const LocalityNode &Node,
                              ArrayRef<unsigned> Here);
  TouchedMemory countBlocks(const LocalityNode &Blocks,
                            ArrayRef<unsigned> OfClass);
  /// Of results that rest on all records.
  void finish(TouchedMemory &T) const;

  // LocalityAccesses.cpp
  void findAccesses();
  void addAtomics(AccessSummary &S, unsigned Number) const;

  // LocalityLimits.cpp
  void limitBlocks();
  void limitLevels();

  // LocalityLevels.cpp
  void findLevels();
  void findLoops(LocalityLevel::ScopeTy Scope);
  void addLoop(LocalityLevel::ScopeTy Scope,
               ArrayRef<const LevelInstances *> Of,
               ArrayRef<LevelInstances> All);
  std::pair<double, double> countActive() const;

  // LocalityRuns.cpp
  std::optional<std::vector<RequestRun>> findRuns(ArrayRef<unsigned> Of,
                                                  bool OfAllWarps,
                                                  unsigned Inside, Direction D,
                                                  bool AreApart);

  struct WholeLevel;
  void addWhole(const WholeLevel &W);
  class LevelCounter;

  const LocalityRecords &Records;
  const LaunchConfig &Launch;
  bool IsSampled;
  std::vector<unsigned> Arrays; ///< by access
  size_t NumArrays = 0;
  std::vector<double> Extents; ///< bytes, by array; 0 where nobody knows
  std::vector<StridedRegions> InBlock; ///< by record: all that a block's do
  std::vector<std::vector<unsigned>> ByBlocks; ///< records by their blocks
  std::vector<int> BlockNodes;
  std::vector<int> OfBlocks; ///< by node: the index in BlockNodes
  double NumBlocks = 0;
  unsigned Budget;
  unsigned BudgetOfRuns;
  Locality Result;
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYIMPL_H

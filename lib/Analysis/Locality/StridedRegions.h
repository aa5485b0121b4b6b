//===- StridedRegions.h - Sets of numbers at regular distances --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_LOCALITY_STRIDEDREGIONS_H
#define PTXPREDICT_LIB_ANALYSIS_LOCALITY_STRIDEDREGIONS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace ptxpredict::counting {

/// \ref Length consecutive numbers from \ref Start on, repeated along each
/// dimension: at Start + sum of Stride * i, 0 <= i < Count.
struct StridedRegion {
  struct Dimension {
    int64_t Stride;
    int64_t Count;
    bool operator==(const Dimension &O) const {
      return Stride == O.Stride && Count == O.Count;
    }
  };
  int64_t Start = 0, Length = 1;
  SmallVector<Dimension, 4> Dimensions;

  void repeat(int64_t Stride, uint64_t Count);
  /// Strides positive and ascending, what lies side by side as one. Repeats of
  /// one dimension within another may still overlap.
  void normalize();
  /// Numbers from the first to the last, after normalize().
  int64_t extent() const;
  /// No repeat overlaps another, after normalize().
  bool isSeparate() const;
  bool operator==(const StridedRegion &O) const {
    return Start == O.Start && Length == O.Length && Dimensions == O.Dimensions;
  }
};
using StridedRegions = SmallVector<StridedRegion, 4>;

/// The numbers of \p Starts, each with the \p Length - 1 that follow, as few
/// boxes. \p Starts is sorted.
void addBoxes(SmallVectorImpl<int64_t> &Starts, int64_t Length,
              StridedRegions &To);

/// Fewer boxes of the same numbers, each normalized: what overlaps, touches or
/// goes on at the same distance becomes one.
void reduce(StridedRegions &Boxes);

/// How many numbers are in any of the boxes; nothing where that takes more than
/// \p Budget steps, which is lessened by those that it took.
std::optional<uint64_t> sizeOfUnion(StridedRegions Boxes, unsigned &Budget);

/// The sum of the boxes' sizes, repeats that overlap counted as often: as large
/// as the union or larger.
double sumOfSizes(ArrayRef<StridedRegion> Boxes);

/// The sum of the boxes' sizes in units of \p Unit numbers, each normalized: as
/// large as the union or larger. Where the rows of a box begin at several
/// places within a unit, it takes these to be equally frequent.
double sumInUnits(ArrayRef<StridedRegion> Boxes, int64_t Unit);

/// In units of \p Unit numbers: those in which a box has any. False where that
/// takes more than \p Budget boxes.
bool inUnits(StridedRegions Boxes, int64_t Unit, StridedRegions &To,
             unsigned &Budget);

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_LOCALITY_STRIDEDREGIONS_H

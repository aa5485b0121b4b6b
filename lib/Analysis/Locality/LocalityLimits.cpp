//===- LocalityLimits.cpp - What no launch can touch ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Where a union is beyond the budget, or a launch was sampled, a footprint may
// come out larger than any set of the requests can be. What is known besides
// bounds it.
//===----------------------------------------------------------------------===//
#include "LocalityImpl.h"
#include <algorithm>

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// \p C at most \p Most, unless it is known.
static void limit(Estimate &C, double Most) {
  if (C.isKnown() || !(C.Value > Most))
    return;
  C.Value = Most;
  C.Low = std::min(C.Low, Most);
}

/// What blocks add to those before them does not grow with their number, as far
/// as all of them do alike: a block shares with what is there already, and the
/// more there is the more it does.
void LocalityFinder::limitBlocks() {
  for (size_t N = 1; N < Result.Blocks.size(); ++N) {
    const BlocksFootprint &Less = Result.Blocks[N - 1];
    BlocksFootprint &F = Result.Blocks[N];
    const double New = double(F.Blocks) - double(Less.Blocks);
    for (Estimate TouchedMemory::*Size : Sizes) {
      const double Before = (Less.Touched.*Size).Value;
      double PerBlock = Before / double(Less.Blocks);
      // The first blocks lie at an edge, and may do less than others.
      if (N > 2) {
        const BlocksFootprint &Least = Result.Blocks[N - 2];
        PerBlock = std::min(PerBlock,
                            (Before - (Least.Touched.*Size).Value) /
                                (double(Less.Blocks) - double(Least.Blocks)));
      }
      limit(F.Touched.*Size, Before + New * std::max(0.0, PerBlock));
    }
    limit(F.Touched.ReadSectors, F.Touched.Sectors.Value);
    limit(F.Touched.WrittenSectors, F.Touched.Sectors.Value);
    limit(F.Touched.ReadBytes, F.Touched.Bytes.Value);
    limit(F.Touched.WrittenBytes, F.Touched.Bytes.Value);
  }
}

/// A set of what is asked for is not larger than the number of times.
void LocalityFinder::limitLevels() {
  for (LocalityLevel &L : Result.Levels) {
    for (LevelTraffic *T : {&L.All, &L.Loads}) {
      limit(T->Unique, T->Requested.Value);
      limit(T->Fresh, T->Unique.Value);
    }
    limit(L.Loads.Unique, L.All.Unique.Value);
  }
}

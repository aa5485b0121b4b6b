//===- HitRates.h - What hits in a cache of a given size --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// From what the levels of the execution nest touch (Locality.h) to hit rates of
// a cache of any size. No number of any device is in it.
//
// A cache that evicts what was touched longest ago holds what has less than its
// size touched since (R. L. Mattson, J. Gecsei, D. R. Slutz, I. L. Traiger,
// "Evaluation techniques for storage hierarchies", IBM Systems Journal 9(2),
// 1970). And the misses of a cache as large as what a window of the accesses
// touches in the mean are what a longer window touches more (P. J. Denning, S.
// C. Schwartz, "Properties of the working-set model", CACM 15(3), 1972). Taking
// the instances of the nest's levels for windows is ours: of nested levels the
// outermost one whose instances fit decides. What an instance shares with the
// one before hits, and what it touches again; the rest misses. Levels side by
// side, as two loops of one body, are looked at each by itself.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_LOCALITY_HITRATES_H
#define PTXPREDICT_ANALYSIS_LOCALITY_HITRATES_H

#include "ptxpredict/Analysis/Locality/Locality.h"

namespace ptxpredict {

/// A cache of sectors, as those stand to it whose requests it sees.
struct CacheUse {
  double Bytes = 0;
  /// Blocks that run side by side and share it, from 1 on.
  double ResidentBlocks = 1;
  /// How the warps of a block take turns.
  enum class WarpOrder : uint8_t {
    /// All at the same place of the nest: what a machine's schedulers come
    /// near to.
    SideBySide,
    /// One runs until it ends or waits at a barrier, then the next: the
    /// emulator's order. For one resident block alone.
    InTurn
  };
  WarpOrder Order = WarpOrder::SideBySide;
  /// Nothing is in it that blocks before the resident ones touched.
  bool EmptyAtBlocks = false;
  /// But for what all blocks touch.
  bool KeepsCommon = false;
};

/// The share of touched sectors that were there, each request touching a sector
/// once: from 0 to 1, and 0 where nothing is requested.
struct HitRates {
  /// Of a cache that all requests go through and that takes in what misses.
  Estimate All;
  /// Of one that stores pass by: of loads, atomics and copies that read.
  Estimate Loads;
};

/// Unknown where levels of \p L are missing; known where the cache has room for
/// all that the grid touches, and that is known. Else estimated, or no better
/// than what \p L says; the bounds are the hit rates of a cache of half and of
/// twice the size, with the least and most that the levels may touch. They
/// bound nothing strictly: a reuse may be farther away than the levels tell.
HitRates estimateHitRates(const Locality &L, const CacheUse &Use);

/// The share of the sectors that loads ask for which one go through straight
/// code, or through a loop's body, asks for again: by the same warp, or by the
/// warps of a block where they come there together, as they start and behind
/// barriers. The first request for them is still on its way. From 0 to 1, and 0
/// where levels are missing.
double hitsInFlight(const Locality &L);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_LOCALITY_HITRATES_H

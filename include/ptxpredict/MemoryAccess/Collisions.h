//===- Collisions.h - Lanes that choose the same place ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Lanes of a warp that choose places at random, each independently of the
// others and all places alike.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MEMORYACCESS_COLLISIONS_H
#define PTXPREDICT_MEMORYACCESS_COLLISIONS_H

#include "ptxpredict/MemoryAccess/AccessRules.h"

namespace ptxpredict {

/// The mean of the most lanes, of \p Lanes at most 32, that choose the same of
/// \p Places places.
double meanFullest(unsigned Lanes, uint64_t Places);

/// The number of places among which 32 lanes choose where \p Fullest is the
/// mean of the most at one of them: what meanFullest() tells, the other way
/// round.
double placesOfFullest(double Fullest);

/// The mean number of lanes, of \p Lanes that choose among \p Places, that are
/// left where \p Gone have gone from each place, or all that it had.
double meanLeft(unsigned Lanes, double Places, unsigned Gone);

/// The mean of countAtomicPasses() in device memory where \p Lanes lanes choose
/// words of \p Bytes bytes among \p Places that lie side by side.
double meanSectorPasses(unsigned Lanes, double Places, unsigned Bytes);

/// The mean of the most of \p Throws, however many, that choose the same of \p
/// Places: the mean of all places, and what the fullest of them has beyond it
/// (extreme values of normal distributions).
double meanMost(double Throws, double Places);

} // namespace ptxpredict

#endif // PTXPREDICT_MEMORYACCESS_COLLISIONS_H

//===- RetryLoops.h - Loops that try until nobody was faster ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_RETRYLOOPS_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_RETRYLOOPS_H

#include "PreparedProgram.h"

namespace ptxpredict::counting {

/// How often the body of a loop runs that changes a word of memory and tries
/// again if another thread was faster; nothing for other loops. Such a loop
/// does
/// - a compare and swap, until it returns what was expected. Of K lanes that
///   want a word one succeeds at a time: the one that came right after the
///   former. So warps succeed one after the other, after (K + G) / 2 times in
///   the mean where G lanes of a warp want the same word. If something else
///   ends the loop, too (the word has a larger value already), the lanes keep
///   the best of K values: H(K) / K of them have to do so at all, H the
///   harmonic numbers;
/// - or a volatile store to shared memory, until a load returns what was
///   stored: as many times as lanes of the warp choose the same word.
/// Words that nobody knows are taken to be chosen at random among those that
/// the address may be.
std::optional<double> retryTrips(const CallContext &C, const Region &R,
                                 const LaunchConfig &Launch);

/// What Region::Rounds says, once it is decided how often the loop's header
/// runs; empty for other loops, and where nobody knows how many words the lanes
/// choose among. From each word one lane goes in a round. So
/// - a volatile store has in the second round those lanes left that another one
///   has the word of, and so on; the words are those of the trip count, as its
///   mean is the size of the largest group of lanes;
/// - a compare and swap first has rounds in which other warps succeed, then as
///   many like these as lanes want the same word.
std::vector<std::vector<double>> retryRounds(const CallContext &C,
                                             const Region &R);

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_RETRYLOOPS_H

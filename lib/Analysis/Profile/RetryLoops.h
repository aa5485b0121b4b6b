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
///   former. So warps succeed one after the other, all lanes together, after
///   (K + 1) / 2 times in the mean. If something else ends the
///   loop, too (the word has a larger value already), the lanes keep the best
///   of K values: H(K) / K of them have to do so at all, H the harmonic
///   numbers;
/// - or a volatile store to shared memory, until a load returns what was
///   stored: as many times as lanes of the warp choose the same word.
/// Words that nobody knows are taken to be chosen at random among those that
/// the address may be.
std::optional<double> retryTrips(const CallContext &C, const Region &R,
                                 const LaunchConfig &Launch);

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_RETRYLOOPS_H

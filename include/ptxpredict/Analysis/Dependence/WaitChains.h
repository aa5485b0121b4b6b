//===- WaitChains.h - Blocks that wait for each other -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Where a block polls global memory for what other blocks write there, the
// launch takes as long as the waits that follow one another, however many
// blocks run at once.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_DEPENDENCE_WAITCHAINS_H
#define PTXPREDICT_ANALYSIS_DEPENDENCE_WAITCHAINS_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"

namespace ptxpredict {

/// Who waits for whom.
enum class WaitKind : uint8_t {
  Predecessor, ///< each block for the one before it: all, one after the other
  Grid,        ///< all blocks for all, at a counter
  Lock         ///< for the one who has the lock: all sections, likewise
};
StringRef toString(WaitKind K); ///< "predecessor", "grid", "lock"

/// One place where blocks wait.
struct WaitChain {
  WaitKind Kind;
  const Instruction *Poll; ///< asks whether it may go on
  const Instruction
      *Signal; ///< lets the next one go on, or adds to the counter
  /// From the answer to the signal: loads from outside of the SM that depend on
  /// each other, and fences.
  unsigned RoundTrips = 0, Fences = 0;
};

/// A fence between the threads of several SMs, by itself.
bool isDeviceFence(const Instruction &I);
/// A store or atomic operation that such a fence comes before.
bool isDeviceRelease(const Instruction &I);
/// A load of global memory that must not find its value in L1.
bool isCoherentLoad(const Instruction &I);

/// Those of a kernel at a launch that is given. A look-back that may go on over
/// what blocks publish before they wait is none. Linear in the code times the
/// number of loops that poll.
std::vector<WaitChain> findWaitChains(const SymbolicValues &V);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_DEPENDENCE_WAITCHAINS_H

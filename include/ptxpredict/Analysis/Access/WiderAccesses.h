//===- WiderAccesses.h - Accesses of a lane that could be one ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_ACCESS_WIDERACCESSES_H
#define PTXPREDICT_ANALYSIS_ACCESS_WIDERACCESSES_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"

namespace ptxpredict {

/// Loads or stores of one lane whose bytes lie side by side and fill an aligned
/// piece of memory, so that one access could have all of them.
struct WiderAccess {
  std::vector<const Instruction *> Members; ///< by address
  unsigned Bytes = 0;                       ///< of all: 2, 4, 8 or 16
  /// The same for those of one block that lie near one base, apart by
  /// constants.
  unsigned Run = 0;

  friend bool operator==(const WiderAccess &A, const WiderAccess &B) {
    return A.Bytes == B.Bytes && A.Members == B.Members;
  }
};

/// Those of global and shared memory in the kernel and the functions that it
/// calls. Each is of one block and under one guard, with nothing in between
/// that may see or make a difference: no barrier, fence or call, no store under
/// loads, nothing that reads or writes what stores have. Alignment is that of
/// the launch: of its buffers, by the premise where it does not say, and of
/// known arguments. Different pointer arguments are different buffers. In a
/// function it holds for all of its calls that were looked into.
///
/// Cost is linear in the code.
std::vector<WiderAccess> findWiderAccesses(const SymbolicValues &V,
                                           const LaunchConfig &Launch);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_ACCESS_WIDERACCESSES_H

//===- SummarizeAccesses.h - What accesses could be -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_SUMMARIZEACCESSES_H
#define PTXPREDICT_LIB_CHARACTERISTICS_SUMMARIZEACCESSES_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "ptxpredict/Characteristics/KernelCharacteristics.h"

namespace ptxpredict {

/// What an access could be in place of what it is.
struct AccessSummary {
  unsigned WiderAccesses = 1, WiderBytes = 0, WiderRun = 0;
  std::string ReadOnlyPointer;
  bool IsBehindStore = false;

  /// Sets it in \p Out, which has all else that is known of the access.
  void applyTo(MemoryCharacteristics &Out) const;
};

/// Of the accesses that could be another; \p V is of the kernel at \p Launch.
llvm::DenseMap<const Instruction *, AccessSummary>
summarizeAccesses(const SymbolicValues &V, const LaunchConfig &Launch);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_SUMMARIZEACCESSES_H

//===- Recurrence.h - Chains that loops carry on ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_DEPENDENCE_RECURRENCE_H
#define PTXPREDICT_ANALYSIS_DEPENDENCE_RECURRENCE_H

#include "ptxpredict/Codegen/SchedClass.h"
#include "ptxpredict/Graph/CFG.h"

namespace ptxpredict {

/// Instructions of which each needs the one before, and the first one, some
/// iterations later, the last one.
struct Recurrence {
  double Cycles = 0;       ///< once around
  unsigned Iterations = 0; ///< once around; 0: there is none
  std::vector<const Instruction *> Instructions; ///< in that order
  double perIteration() const { return Iterations ? Cycles / Iterations : 0; }
};

/// Those that take a loop longest, by iteration.
struct LoopRecurrences {
  Recurrence Data; ///< through registers alone
  /// Through registers and the loop's branches, which nothing of the next
  /// iteration passes: the longer of both.
  Recurrence Any;
};

/// A loop with this many loops or more around one another in it has no
/// recurrences stated, so that no instruction is looked at more often.
constexpr unsigned MaxRecurrenceLevels = 8;

/// By cycle of \p CF. An inner loop's instructions count once. Cost is linear
/// in the code.
std::vector<LoopRecurrences> findRecurrences(const InstructionGraph &G,
                                             const ControlFlow &CF,
                                             const LatencyTable &Latencies);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_DEPENDENCE_RECURRENCE_H

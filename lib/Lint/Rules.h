//===- Rules.h - The checks of all rules ------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_LINT_RULES_H
#define PTXPREDICT_LIB_LINT_RULES_H

#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Support/Text.h"

namespace ptxpredict {

#define LINT_RULE(NAME, ID, REMARK, SEVERITY, FIRES_WHEN)                      \
  void check##NAME(const Rule &R, LintContext &C);
#include "ptxpredict/Lint/Rules.def"

/// " (assumed)" and the like behind a number that is no better known; empty
/// for one that is known or estimated.
std::string howKnown(Status S);

/// The number in short, and how it is known where that is not well.
std::string countText(const Count &C);

/// " on v100" where there are several devices; empty with one.
std::string onDevice(const LintContext &C, const KernelThere &K);

/// The lanes of the pipe that does the work; those of floats where all do it or
/// the device's file does not say.
double laneCount(Latency Kind, const Device &D);
/// Core cycles in which an SM issues one such warp instruction.
double issueCyclesOf(Latency Kind, const Device &D);

/// The memory instructions of one place in the source: one line that the
/// compiler unrolled is one place.
struct PlaceOfAccesses {
  std::vector<size_t> Accesses; ///< numbers in KernelCharacteristics::Memory
};
/// Groups those that \p Wanted chooses by place, in the order of the code.
std::vector<PlaceOfAccesses>
groupByPlace(const KernelCharacteristics &K,
             llvm::function_ref<bool(const MemoryCharacteristics &)> Wanted);

/// The most that well-shaped requests can need in the mean if they have that
/// many lanes in the mean: one that has few lanes needs a whole unit for them.
/// \p LanesPerUnit fill a sector or a pass.
double mostNeeded(double Lanes, double LanesPerUnit);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_LINT_RULES_H

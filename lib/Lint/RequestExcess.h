//===- RequestExcess.h - Requests that take too many units ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What bank-conflict and uncoalesced-access share: a place of the source whose
// requests take more of a unit, such as wavefronts or sectors, than they need.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_LINT_REQUESTEXCESS_H
#define PTXPREDICT_LIB_LINT_REQUESTEXCESS_H

#include "Rules.h"

namespace ptxpredict {

/// What a request takes, and what it needs at least.
struct RequestUnits {
  std::function<double(const MemoryCharacteristics &)> Taken, Needed;
  /// What is taken for nothing, per warp.
  double excessOf(const MemoryCharacteristics &M) const {
    return M.Requests.Value * (Taken(M) - Needed(M));
  }
};

/// The accesses of one place together, per warp.
struct RequestTotals {
  const MemoryCharacteristics *Worst; ///< the one with the greatest excess
  double Requests = 0, Taken = 0, Needed = 0;
};
RequestTotals totalsOf(const KernelCharacteristics &K,
                       const PlaceOfAccesses &Place, const RequestUnits &Units);

/// ": a lane's address is 128 B from the next lane's"; empty without a stride.
std::string strideText(const MemoryCharacteristics &M);
/// "; 3 such instructions here"; empty for one.
std::string othersText(const PlaceOfAccesses &Place);

/// Adds the values that both findings have; \p Unit is "sectors".
void addValues(Finding &F, const RequestTotals &Totals, StringRef Unit,
               Status HowKnown);

/// Reports each place of the accesses that \p IsWrong chooses, as \p Describe
/// describes it, priced by what \p TakeOut makes of the accesses. One that
/// nobody knows for a defect, by \p IsOpen, is a note.
void reportPlaces(
    LintContext &C, const RequestUnits &Units,
    llvm::function_ref<bool(const MemoryCharacteristics &)> IsWrong,
    llvm::function_ref<bool(const PlaceOfAccesses &)> IsOpen,
    llvm::function_ref<Finding(const PlaceOfAccesses &)> Describe,
    void (*TakeOut)(MemoryCharacteristics &));

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_LINT_REQUESTEXCESS_H

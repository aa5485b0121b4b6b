//===- MWPCWPIssue.h - What instructions take of issue time -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_MODEL_MWPCWPISSUE_H
#define PTXPREDICT_LIB_MODEL_MWPCWPISSUE_H

#include "ptxpredict/Model/MWPCWP.h"

namespace ptxpredict {

/// Shared memory limits computation when its passes take most issue time.
constexpr double MostOfTheTime = 0.5;

inline bool isDeviceMemory(AddressSpace S) {
  return S == AddressSpace::Global || S == AddressSpace::Local ||
         S == AddressSpace::Generic;
}

/// Core cycles in which an SM issues a warp instruction at full rate.
double baseIssueCycles(const Device &D);

/// How instructions are priced.
struct IssuePricing {
  double BaseCycles;     ///< of an instruction at full rate
  bool Published;        ///< nothing but the published factors
  EstimateMember Member; ///< of each count
};

/// Core cycles that an SM issues one warp instruction of \p Work in.
double issueCyclesOf(const Device &D, SchedClass Work,
                     const IssuePricing &Pricing);

/// Issue time of a warp's instructions, in core cycles.
struct IssueTime {
  double Cycles = 0; ///< of everything
  double Shared = 0; ///< of shared-memory accesses
};

IssueTime sumIssueTime(const KernelOnDevice &On, const IssuePricing &Pricing);

/// The kinds of work that are sequences of instructions, and that the device's
/// file gives no factor for, as far as \p On's kernel has them.
std::vector<StringRef> unpricedSequences(const KernelOnDevice &On);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_MODEL_MWPCWPISSUE_H

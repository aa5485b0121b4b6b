//===- Counted.h - A kernel by what profilers count -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_COUNTED_H
#define PTXPREDICT_MODEL_COUNTED_H

#include "ptxpredict/Model/Model.h"

namespace ptxpredict {

/// What \p Counters change of \p K on \p D, on which they were counted. \p K
/// has no corrections yet.
std::shared_ptr<const CounterCorrections>
findCorrections(const KernelCharacteristics &K, const Device &D,
                const KernelCounters &Counters);

/// A number for each counter; nothing where nothing says it.
using CounterEstimates = std::array<std::optional<Estimate>, NumCounters>;

/// What profilers would count of \p On, from the analysis and \p P, a
/// prediction of it: in the counters' units and scopes, occupancy as if the
/// grid never ended. Where it was counted, by K.Counted, what was.
CounterEstimates predictCounters(const KernelOnDevice &On, const Prediction &P);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_COUNTED_H

//===- CountBounds.h - How well a prediction is known -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_MODEL_COUNTBOUNDS_H
#define PTXPREDICT_LIB_MODEL_COUNTBOUNDS_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace ptxpredict {

/// Of what is made of a kernel's instructions and requests: an estimate at
/// best; a default of the launch or of a loop makes it an assumption.
inline Status statusOfCounts(const KernelCharacteristics &K) {
  Status S = K.Assumptions.empty() ? Status::Estimated : Status::Assumed;
  S = weakest(S, K.Instructions.Status);
  for (const MemoryCharacteristics &M : K.Memory) {
    S = weakest(S, M.Requests.Status);
    if (M.Sectors)
      S = weakest(S, M.Sectors->Status);
    if (M.Wavefronts)
      S = weakest(S, M.Wavefronts->Status);
  }
  return S;
}

/// A result with what it is at the two ends of all counts. It grows with every
/// count except across edges of cases, so that these are the bounds unless the
/// value itself lies beyond.
inline Estimate withinEnds(double Value, Status How, double End,
                           double OtherEnd) {
  // Counts without a bound meet in quotients.
  auto Bound = [](double E) {
    return std::isnan(E) ? std::numeric_limits<double>::infinity() : E;
  };
  End = Bound(End);
  OtherEnd = Bound(OtherEnd);
  return {Value, How, std::min({Value, End, OtherEnd}),
          std::max({Value, End, OtherEnd})};
}

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_MODEL_COUNTBOUNDS_H

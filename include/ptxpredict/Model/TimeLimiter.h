//===- TimeLimiter.h - What limits the time of a kernel ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_TIMELIMITER_H
#define PTXPREDICT_MODEL_TIMELIMITER_H

#include "ptxpredict/Support/LLVM.h"
#include <cstdint>
#include <initializer_list>
#include <optional>

namespace ptxpredict {

/// What a kernel is bound by on a device, by a model (docs/formats/Reports.md).
enum class TimeLimiter : uint8_t {
  None, ///< the model has no answer
#define TIME_LIMITER(MEMBER, NAME, WORDS) MEMBER,
#include "ptxpredict/Model/TimeLimiters.def"
};

/// "memory-bandwidth", …; empty for None.
StringRef toString(TimeLimiter L);
/// What people call it: "device memory"; empty for None.
StringRef plainNameOf(TimeLimiter L);
/// Nothing if there is none of that name; None for an empty one.
std::optional<TimeLimiter> findTimeLimiter(StringRef Name);

class TimeLimiterSet {
public:
  constexpr TimeLimiterSet(std::initializer_list<TimeLimiter> Members) {
    for (TimeLimiter L : Members)
      Bits |= 1u << unsigned(L);
  }
  constexpr bool has(TimeLimiter L) const { return Bits >> unsigned(L) & 1; }

private:
  uint32_t Bits = 0;
};

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_TIMELIMITER_H

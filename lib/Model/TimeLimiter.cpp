//===- TimeLimiter.cpp - What limits the time of a kernel -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/TimeLimiter.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

static constexpr StringRef TimeLimiterNames[] = {
    "",
#define TIME_LIMITER(MEMBER, NAME, WORDS) NAME,
#include "ptxpredict/Model/TimeLimiters.def"
};

static constexpr StringRef TimeLimiterWords[] = {
    "",
#define TIME_LIMITER(MEMBER, NAME, WORDS) WORDS,
#include "ptxpredict/Model/TimeLimiters.def"
};

StringRef ptxpredict::toString(TimeLimiter L) {
  return TimeLimiterNames[unsigned(L)];
}

StringRef ptxpredict::plainNameOf(TimeLimiter L) {
  return TimeLimiterWords[unsigned(L)];
}

std::optional<TimeLimiter> ptxpredict::findTimeLimiter(StringRef Name) {
  const StringRef *Found = llvm::find(TimeLimiterNames, Name);
  if (Found == std::end(TimeLimiterNames))
    return std::nullopt;
  return TimeLimiter(Found - std::begin(TimeLimiterNames));
}

//===- PathCache.cpp - Critical paths that were found before --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/PathCache.h"
#include "ptxpredict/Analysis/Dependence/CriticalPath.h"

using namespace ptxpredict;

double PathCache::cycles(PathOf Whose, const WarpPath &P, bool AsMachine,
                         const LatencyTable &T) {
  std::lock_guard<std::mutex> Lock(Mutex);
  auto [It, IsNew] = Known.try_emplace({Whose, AsMachine, T.Issue, T.Cycles});
  if (IsNew)
    It->second = findCriticalPath(AsMachine ? P.Machine : P.Summary, T).Cycles;
  return It->second;
}

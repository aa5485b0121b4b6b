//===- PathCache.cpp - Critical paths that were found before --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/PathCache.h"
#include "ptxpredict/Analysis/Dependence/CriticalPath.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

/// Whether a block issues in another order where registers are short.
static bool hasPackedOrder(const DependenceSummary &S) {
  return llvm::any_of(S.Functions, [](const FunctionDependence &F) {
    return llvm::any_of(
        F.Blocks, [](const IssuedBlock &B) { return !B.PackedOrder.empty(); });
  });
}

double PathCache::cycles(PathOf Whose, const WarpPath &P, PathOrder Order,
                         const LatencyTable &T) {
  std::lock_guard<std::mutex> Lock(Mutex);
  if (Order == PathOrder::Packed && !hasPackedOrder(P.Machine))
    Order = PathOrder::Machine;
  auto [It, IsNew] = Known.try_emplace({Whose, Order, T.Issue, T.Cycles});
  if (IsNew) {
    const bool IsCode = Order == PathOrder::Code;
    It->second =
        findCriticalPath(IsCode ? P.Summary : P.Machine, T,
                         /*WithWaits=*/false, Order == PathOrder::Packed)
            .Cycles;
  }
  return It->second;
}

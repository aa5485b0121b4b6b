//===- ClocksReport.cpp - The clocks that kernels should run at -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Clocks/ClocksReport.h"
#include <tuple>

using namespace ptxpredict;

KernelClocks ClocksReport::together() const {
  KernelClocks All;
  All.Weight = 0;
  for (const KernelClocks &K : Kernels) {
    if (K.Pairs.empty() || K.Weight == 0)
      continue;
    addKernel(All.Pairs, K.Pairs, K.Weight);
    All.Weight += K.Weight;
  }
  return All;
}

size_t ClocksReport::highest(ArrayRef<ClockPair> Pairs) {
  size_t Best = 0;
  for (size_t N = 1; N < Pairs.size(); ++N)
    if (std::tie(Pairs[Best].CoreMHz, Pairs[Best].MemMHz) <
        std::tie(Pairs[N].CoreMHz, Pairs[N].MemMHz))
      Best = N;
  return Best;
}

//===- LimiterWords.cpp - What people call what limits a time -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/LimiterWords.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

std::vector<const ResourceUse *>
ptxpredict::resourcesByShare(const Prediction &P) {
  std::vector<const ResourceUse *> Rows;
  for (const ResourceUse &U : P.Resources)
    if (std::isfinite(U.Cycles) && U.Cycles > 0)
      Rows.push_back(&U);
  llvm::stable_sort(Rows, [](const ResourceUse *A, const ResourceUse *B) {
    return A->Share > B->Share;
  });
  return Rows;
}

std::vector<ComponentShare> ptxpredict::componentShares(const Prediction &P) {
  std::vector<ComponentShare> Parts;
  for (const Term &T : P.Terms) {
    StringRef Name = T.Name;
    if (!Name.consume_front("share_") || !(T.Value > 0))
      continue;
    std::string Words = Name.str();
    std::replace(Words.begin(), Words.end(), '_', ' ');
    Parts.push_back({std::move(Words), T.Value});
  }
  llvm::stable_sort(Parts,
                    [](const ComponentShare &A, const ComponentShare &B) {
                      return A.Share > B.Share;
                    });
  return Parts;
}

/// Blocks that leave SMs without any, or that fill them in part.
static StringRef wordsOfFewBlocks(const Prediction &P,
                                  const KernelCharacteristics &K) {
  const LaunchConfig &Launch = P.Launch ? *P.Launch : K.Launch;
  const double SMs = P.On ? P.On->NumSMs.Value.value_or(0) : 0;
  return double(Launch.blocks()) < SMs ? "few blocks" : "partial wave";
}

StringRef ptxpredict::plainNameOf(const ResourceUse &U, const Prediction &P,
                                  const KernelCharacteristics &K) {
  // The limiter says why there is a latency only where that is the most.
  if (U.Resource != BottleneckResource::Latency ||
      llvm::any_of(P.Resources,
                   [&](const ResourceUse &O) { return O.Share > U.Share; }))
    return plainNameOf(U.Resource);
  return P.Limiter == TimeLimiter::Launch ? wordsOfFewBlocks(P, K)
                                          : plainNameOf(P.Limiter);
}

StringRef ptxpredict::limitedBy(const Prediction &P,
                                const KernelCharacteristics &K) {
  if (P.Limiter == TimeLimiter::None)
    return "";
  const auto Rows = resourcesByShare(P);
  if (!Rows.empty())
    return plainNameOf(*Rows.front(), P, K);
  return P.Limiter == TimeLimiter::Launch ? wordsOfFewBlocks(P, K)
                                          : plainNameOf(P.Limiter);
}

//===- Finding.cpp - What a rule found in a kernel ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Finding.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

std::optional<double> Finding::bestGain() const {
  std::optional<double> Best;
  for (const FindingGain &G : Gains)
    Best = std::max(Best.value_or(G.Share), G.Share);
  return Best;
}

void ptxpredict::sortFindings(std::vector<Finding> &Findings) {
  auto Before = [](const Finding &A, const Finding &B) {
    // What is wrong comes before what is slow.
    if (A.Level != B.Level &&
        (A.Level == Severity::Error || B.Level == Severity::Error))
      return A.Level == Severity::Error;
    double GainA = A.bestGain().value_or(0), GainB = B.bestGain().value_or(0);
    double CountsA = GainA < LeastGain ? 0 : GainA;
    double CountsB = GainB < LeastGain ? 0 : GainB;
    if (CountsA != CountsB)
      return CountsA > CountsB;
    return A.Level != B.Level ? A.Level < B.Level : GainA > GainB;
  };
  llvm::stable_sort(Findings, Before);
}

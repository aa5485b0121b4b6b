//===- ThroughputAdvisor.cpp - Cores, warps and clocks that do ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/ThroughputAdvisor.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

ThroughputAdvice ptxpredict::adviseThroughput(const ThroughputDemand &D) {
  ThroughputAdvice A;
  A.Cores = D.ActiveSM;
  A.N = D.N;
  if (D.MWPApp > D.MWPBW) {
    A.Alpha = D.MWPApp / D.MWPBW; // (85)
    A.BytesFactor = 1 / A.Alpha;
    A.Cores = std::max(1.0, std::ceil(D.ActiveSM / A.Alpha)); // (88)
    // (92) caps the demand by InfiN, so that warps beyond it count for nothing:
    // the demand falls only from there on.
    A.N = std::max(
        1.0, std::floor(std::min(D.N, D.InfiN) * D.MWPBW / D.MWPApp)); // (91)
  }
  if (D.N < D.InfiN && D.N > 1)
    A.CoreReduction = (D.InfiN - 1) / (D.N - 1); // (93)
  return A;
}

//===- Banks.cpp - Passes over the banks of shared memory -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Lanes.h"
#include <cmath>

using namespace ptxpredict;

static constexpr unsigned BankBytes = 4;

/// Lanes whose words the banks can serve at once.
static unsigned lanesAtOnce(unsigned BytesPerLane, unsigned Banks) {
  unsigned Lanes = Banks * BankBytes / std::max(BytesPerLane, BankBytes);
  return std::clamp(Lanes, 1u, WarpLanes);
}

unsigned ptxpredict::countWavefronts(const WarpAccess &A, unsigned Banks) {
  unsigned Lanes = lanesAtOnce(A.BytesPerLane, Banks);
  unsigned Passes = 0;
  SmallVector<unsigned, 32> WordsOfBank(Banks);
  for (unsigned First = 0; First < WarpLanes; First += Lanes) {
    unsigned Num = std::min(Lanes, WarpLanes - First);
    std::fill(WordsOfBank.begin(), WordsOfBank.end(), 0);
    unsigned Most = 0;
    for (uint64_t Word : unitsOf(A, First, Num, BankBytes))
      Most = std::max(Most, ++WordsOfBank[Word % Banks]);
    Passes += Most;
  }
  return Passes;
}

unsigned ptxpredict::fewestWavefronts(double ActiveLanes, unsigned BytesPerLane,
                                      unsigned Banks) {
  double Groups = ActiveLanes / lanesAtOnce(BytesPerLane, Banks);
  return std::max(1u, unsigned(std::ceil(Groups)));
}

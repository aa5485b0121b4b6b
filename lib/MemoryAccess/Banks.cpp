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
  return std::clamp(Lanes, 1u, WarpSize);
}

/// Whether each lane has the address of the neighbour whose number differs in
/// the bits \p Xor, as far as both take part.
static bool pairsAgree(const WarpAccess &A, unsigned Xor) {
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    if (A.isActive(Lane) && A.isActive(Lane ^ Xor) &&
        A.Address[Lane] != A.Address[Lane ^ Xor])
      return false;
  return true;
}

/// Passes with so many lanes at once.
static unsigned countPasses(const WarpAccess &A, unsigned Lanes,
                            unsigned Banks) {
  unsigned Passes = 0;
  SmallVector<unsigned, 32> WordsOfBank(Banks);
  // Nearly always a power of two; a division takes longer than all the rest.
  const uint64_t Mask = llvm::isPowerOf2_32(Banks) ? Banks - 1 : 0;
  for (unsigned First = 0; First < WarpSize; First += Lanes) {
    unsigned Num = std::min(Lanes, WarpSize - First);
    std::fill(WordsOfBank.begin(), WordsOfBank.end(), 0);
    unsigned Most = 0;
    for (uint64_t Word : unitsOf(A, First, Num, BankBytes))
      Most =
          std::max(Most, ++WordsOfBank[Mask != 0 ? Word & Mask : Word % Banks]);
    Passes += Most;
  }
  return Passes;
}

unsigned ptxpredict::countWavefronts(const WarpAccess &A, unsigned Banks) {
  return countPasses(A, lanesAtOnce(A.BytesPerLane, Banks), Banks);
}

unsigned ptxpredict::countPairedWavefronts(const WarpAccess &A,
                                           unsigned Banks) {
  unsigned Lanes = lanesAtOnce(A.BytesPerLane, Banks);
  if (A.BytesPerLane > BankBytes && (pairsAgree(A, 1) || pairsAgree(A, 2)))
    Lanes = std::min(2 * Lanes, WarpSize);
  return countPasses(A, Lanes, Banks);
}

unsigned ptxpredict::fewestWavefronts(double ActiveLanes, unsigned BytesPerLane,
                                      unsigned Banks) {
  // A file may say that there are more.
  double Groups = std::clamp(ActiveLanes, 0.0, double(WarpSize)) /
                  lanesAtOnce(BytesPerLane, Banks);
  return std::max(1u, unsigned(std::ceil(Groups)));
}

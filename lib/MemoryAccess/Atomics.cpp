//===- Atomics.cpp - Lanes that meet at one word --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace ptxpredict;

unsigned ptxpredict::countSharedAtomicPasses(const WarpAccess &A) {
  constexpr unsigned BankBytes = 4, Banks = 32;
  const unsigned Bytes = std::max(A.BytesPerLane, BankBytes);
  const unsigned Places = std::max(Banks * BankBytes / Bytes, 1u);
  std::array<unsigned, Banks> Lanes{};
  unsigned Most = 0;
  for (unsigned L = 0; L != WarpSize; ++L)
    if (A.isActive(L))
      Most = std::max(Most, ++Lanes[A.Address[L] / Bytes % Places]);
  return Most;
}

unsigned ptxpredict::countAtomicPasses(const WarpAccess &A) {
  constexpr unsigned SectorBytes = 32;
  SmallVector<uint64_t, WarpSize> Words;
  for (unsigned L = 0; L != WarpSize; ++L)
    if (A.isActive(L))
      Words.push_back(A.Address[L]);
  llvm::sort(Words);
  unsigned Passes = 0, Most = 0, Here = 0;
  for (size_t N = 0; N != Words.size(); ++N) {
    const bool IsSame = N != 0 && Words[N] == Words[N - 1];
    if (N != 0 && Words[N] / SectorBytes != Words[N - 1] / SectorBytes) {
      Passes += Most;
      Most = 0;
    }
    Here = IsSame ? Here + 1 : 1;
    Most = std::max(Most, Here);
  }
  return Passes + Most;
}

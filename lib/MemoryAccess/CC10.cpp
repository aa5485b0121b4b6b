//===- CC10.cpp - Transactions of devices 1.0 and 1.1 ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "llvm/ADT/bit.h"

using namespace ptxpredict;

/// Whether lane k accesses word k of a segment that is aligned to its size, of
/// 16 words, or of 8 words at 16 bytes (two such segments in sequence).
static bool isInSequence(const WarpAccess &A, unsigned First) {
  unsigned Bytes = A.BytesPerLane;
  if (Bytes != 4 && Bytes != 8 && Bytes != 16)
    return false;
  uint64_t SegmentBytes = Bytes == 4 ? 64 : 128;
  std::optional<uint64_t> Base;
  for (unsigned K = 0; K != HalfWarp; ++K) {
    if (!A.isActive(First + K))
      continue;
    uint64_t LaneBase = A.Address[First + K] - uint64_t(K) * Bytes;
    if (LaneBase % SegmentBytes || Base.value_or(LaneBase) != LaneBase)
      return false;
    Base = LaneBase;
  }
  return true;
}

Transactions ptxpredict::countCC10(const WarpAccess &A) {
  Transactions T;
  for (unsigned First = 0; First != WarpSize; First += HalfWarp) {
    unsigned Lanes = llvm::popcount(A.Active >> First & 0xFFFFu);
    if (!Lanes)
      continue;
    if (!isInSequence(A, First)) {
      T.Count += Lanes;
      T.Bytes += uint64_t(Lanes) * 32;
      continue;
    }
    unsigned Count = A.BytesPerLane == 16 ? 2 : 1;
    T.Count += Count;
    T.Bytes += Count * (A.BytesPerLane == 4 ? 64 : 128);
  }
  return T;
}

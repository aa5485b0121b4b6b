//===- CC12.cpp - Transactions of devices 1.2 and 1.3 ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include <algorithm>

using namespace ptxpredict;

/// Of the segment from \p Base, the part that is moved for the words in
/// [\p Low, \p High): halved while one half holds them all, not below 32 B.
static unsigned shrink(uint64_t Base, unsigned Size, uint64_t Low,
                       uint64_t High) {
  while (Size > 32) {
    uint64_t Middle = Base + Size / 2;
    if (Low < Middle && High > Middle)
      break;
    if (Low >= Middle)
      Base = Middle;
    Size /= 2;
  }
  return Size;
}

Transactions ptxpredict::countCC12(const WarpAccess &A) {
  unsigned SegmentBytes = A.BytesPerLane == 1   ? 32
                          : A.BytesPerLane == 2 ? 64
                                                : 128;
  Transactions T;
  for (unsigned First = 0; First != WarpSize; First += HalfWarp) {
    uint32_t Waiting = A.Active >> First & 0xFFFFu;
    for (unsigned Lead = 0; Lead != HalfWarp; ++Lead) {
      if (!(Waiting >> Lead & 1))
        continue;
      uint64_t Segment = A.Address[First + Lead] / SegmentBytes;
      uint64_t Low = UINT64_MAX, High = 0;
      for (unsigned K = Lead; K != HalfWarp; ++K) {
        uint64_t Address = A.Address[First + K];
        if (!(Waiting >> K & 1) || Address / SegmentBytes != Segment)
          continue;
        Waiting &= ~(1u << K);
        Low = std::min(Low, Address);
        High = std::max(High, Address + A.BytesPerLane);
      }
      ++T.Count;
      T.Bytes += shrink(Segment * SegmentBytes, SegmentBytes, Low, High);
    }
  }
  return T;
}

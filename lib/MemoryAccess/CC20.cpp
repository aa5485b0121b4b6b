//===- CC20.cpp - Transactions of devices 2.x -----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Lanes.h"

using namespace ptxpredict;

Transactions ptxpredict::countCC20(const WarpAccess &A) {
  unsigned Lanes = A.BytesPerLane <= 4   ? WarpSize
                   : A.BytesPerLane == 8 ? WarpSize / 2
                                         : WarpSize / 4;
  Transactions T;
  for (unsigned First = 0; First != WarpSize; First += Lanes)
    T.Count += unitsOf(A, First, Lanes, 128).size();
  T.Bytes = uint64_t(T.Count) * 128;
  return T;
}

//===- TensorShapes.cpp - Shapes of tcgen05.mma ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/ISA/TensorShapes.h"

using namespace ptxpredict;

bool ptxpredict::hasTensorShape(const TensorShape &S) {
  unsigned Step = S.M == 64 || (S.NumBlocks == 2 && S.M == 128) ? 8 : 16;
  unsigned Least = Step;
  if (S.IsStationary) {
    if (S.NumBlocks != 1 || (S.M != 32 && S.M != 64 && S.M != 128))
      return false;
    return S.N == 64 || S.N == 128 || S.N == 256;
  }
  if (S.NumBlocks == 2) {
    Step = Least = S.M == 256 ? 32 : 16;
    if (S.M != 256 && S.M != 128)
      return false;
  } else if (S.IsScaled ? S.M != 128 : S.M != 64 && S.M != 128) {
    return false;
  } else if (S.IsScaled) {
    Step = Least = 8;
  }
  if (S.IsInteger && S.NumBlocks == 1 && S.M == 64)
    return S.N == 8 || S.N == 24 || (S.N != 0 && S.N % 16 == 0 && S.N <= 256);
  return S.N >= Least && S.N <= 256 && S.N % Step == 0;
}

//===- Sector.cpp - Sectors and lines of a request ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Lanes.h"

using namespace ptxpredict;

unsigned ptxpredict::countUnits(const WarpAccess &A, unsigned UnitBytes) {
  return unitsOf(A, 0, WarpSize, UnitBytes).size();
}

Transactions ptxpredict::countSectorTransactions(const WarpAccess &A) {
  unsigned Sectors = countSectors(A);
  return {Sectors, uint64_t(Sectors) * 32};
}

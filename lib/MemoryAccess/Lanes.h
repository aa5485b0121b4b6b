//===- Lanes.h - Distinct units of a group of lanes -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_MEMORYACCESS_LANES_H
#define PTXPREDICT_LIB_MEMORYACCESS_LANES_H

#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace ptxpredict {

/// The indices of the aligned units of \p UnitBytes that lanes \p First to
/// \p First + \p Num touch: sorted, each once.
inline SmallVector<uint64_t, 64> unitsOf(const WarpAccess &A, unsigned First,
                                         unsigned Num, unsigned UnitBytes) {
  SmallVector<uint64_t, 64> Units;
  bool Sorted = true;
  // Nearly always a power of two, and divisions take longer than the rest.
  const bool IsPower = llvm::isPowerOf2_32(UnitBytes);
  const unsigned Shift = llvm::Log2_32(UnitBytes);
  for (unsigned Lane = First; Lane != First + Num; ++Lane) {
    if (!A.isActive(Lane))
      continue;
    const uint64_t Address = A.Address[Lane];
    uint64_t Unit = IsPower ? Address >> Shift : Address / UnitBytes;
    const uint64_t Offset = Address - Unit * UnitBytes;
    for (uint64_t End = Offset + A.BytesPerLane;; End -= UnitBytes, ++Unit) {
      // Neighbours mostly share a unit and ascend; then nothing is sorted.
      if (Units.empty() || Units.back() != Unit) {
        Sorted &= Units.empty() || Units.back() < Unit;
        Units.push_back(Unit);
      }
      if (End <= UnitBytes)
        break;
    }
  }
  if (!Sorted) {
    std::sort(Units.begin(), Units.end()); // llvm::sort calls qsort for these
    Units.erase(std::unique(Units.begin(), Units.end()), Units.end());
  }
  return Units;
}

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_MEMORYACCESS_LANES_H

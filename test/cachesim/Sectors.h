//===- Sectors.h - The sectors of a request ---------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_CACHESIM_SECTORS_H
#define PTXPREDICT_TEST_CACHESIM_SECTORS_H

#include "ptxpredict/Graph/Instruction.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include "ptxpredict/MemoryAccess/AccessRules.h"

namespace ptxpredict::cachesim {

/// The numbers of the sectors that the active lanes touch, each once, in the
/// order of the lanes.
inline SmallVector<uint64_t, 64> sectorsOf(const WarpAccess &A) {
  SmallVector<uint64_t, 64> Sectors;
  for (unsigned L = 0; L != WarpSize; ++L) {
    if (!A.isActive(L))
      continue;
    uint64_t Last = (A.Address[L] + A.BytesPerLane - 1) / SectorBytes;
    for (uint64_t S = A.Address[L] / SectorBytes; S <= Last; ++S)
      if (!llvm::is_contained(Sectors, S))
        Sectors.push_back(S);
  }
  return Sectors;
}

/// Whether what \p I requests of global memory is read, as by loads, atomics
/// and copies from there.
inline bool isRead(const Instruction &I) {
  return llvm::any_of(I.Effects, [](const MemoryEffect &E) {
    return E.Reads && E.Space != AddressSpace::Shared;
  });
}

/// Whether it is written there.
inline bool isWritten(const Instruction &I) {
  return llvm::any_of(I.Effects, [](const MemoryEffect &E) {
    return E.Writes && E.Space != AddressSpace::Shared;
  });
}

} // namespace ptxpredict::cachesim

#endif // PTXPREDICT_TEST_CACHESIM_SECTORS_H

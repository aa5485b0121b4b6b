//===- MemoryAccess.h - Where the lanes of a warp access memory -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MEMORYACCESS_H
#define PTXPREDICT_LIB_EMULATOR_MEMORYACCESS_H

#include "Machine.h"
#include "llvm/ADT/bit.h"

namespace ptxpredict::emulator {

/// One request of a warp, with the host's places.
struct Located {
  uint32_t Lanes = 0; ///< that have a place
  /// Lanes by the memory that they access; those of constant and parameter
  /// memory are in none.
  uint32_t Global = 0, Shared = 0, Local = 0;
  unsigned Bytes = 0;
  std::array<uint64_t, WarpLanes> Address; ///< in its space
  std::array<uint8_t *, WarpLanes> Host;
};

/// Finds the places of \p Bytes a lane at \p A. False if the run ends (the
/// block's Failure says why); with Check a wrong lane is reported and left out.
bool locate(WarpMachine &W, const Step &S, const AddressOperand &A,
            AddressSpace Space, unsigned Bytes, bool Writes, uint32_t Lanes,
            Located &Out);

/// The same for the addresses that \p Out has.
bool locateAddresses(WarpMachine &W, const Step &S, const AddressOperand &A,
                     AddressSpace Space, unsigned Bytes, bool Writes,
                     uint32_t Lanes, Located &Out);
void findAddresses(WarpMachine &W, const AddressOperand &A,
                   std::array<uint64_t, WarpLanes> &Out);

/// Counts the request, its bytes, and what --check must know of it.
void account(WarpMachine &W, const Step &S, const Located &At,
             SharedAccess Kind);

template <typename FnT>
void forEachLane(uint32_t Lanes, FnT Fn) {
  for (; Lanes; Lanes &= Lanes - 1)
    Fn(unsigned(llvm::countr_zero(Lanes)));
}

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MEMORYACCESS_H

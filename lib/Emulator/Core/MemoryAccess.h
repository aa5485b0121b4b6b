//===- MemoryAccess.h - Where the lanes of a warp access memory -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CORE_MEMORYACCESS_H
#define PTXPREDICT_LIB_EMULATOR_CORE_MEMORYACCESS_H

#include "Machine.h"
#include "llvm/ADT/bit.h"

namespace ptxpredict::emulator {

/// One request of a warp, with the host's places. Addresses are those in each
/// lane's space; lanes that take no part have the address of one that does.
struct Located : WarpAccess {
  uint32_t Lanes = 0; ///< that have a place
  /// Lanes by the memory that they access; those of constant and parameter
  /// memory are in none.
  uint32_t Global = 0, Shared = 0, Local = 0;
  /// Where all lanes' places are in one piece: the place of PieceAddress. Null:
  /// each has its own in Host.
  uint8_t *Piece = nullptr;
  uint64_t PieceAddress = 0;
  std::array<uint8_t *, WarpSize> Host;
  /// Bytes that each lane really accesses, where that is less; else null.
  const uint64_t *LaneBytes = nullptr;

  uint8_t *host(unsigned Lane) const {
    return Piece ? Piece + (Address[Lane] - PieceAddress) : Host[Lane];
  }
  /// Gives each lane its own place, which may then be changed.
  void separate() {
    for (unsigned L = 0; Piece && L != WarpSize; ++L)
      Host[L] = host(L);
    Piece = nullptr;
  }
};

/// What a warp asks of memory: so many bytes for each of some lanes, at the
/// address of an operand.
struct MemoryRequest {
  const AddressOperand &Operand;
  AddressSpace Space;
  unsigned BytesPerLane;
  bool Writes;
  uint32_t Lanes;
};

/// Finds the lanes' places. False if the run ends (the block's Failure says
/// why); with Check a wrong lane is reported and left out.
bool locate(WarpMachine &W, const Step &S, const MemoryRequest &R,
            Located &Out);

/// The same for the addresses that \p Out has.
bool locateAddresses(WarpMachine &W, const Step &S, const MemoryRequest &R,
                     Located &Out);
void findAddresses(WarpMachine &W, const AddressOperand &A,
                   std::array<uint64_t, WarpSize> &Out);

/// The memory that a generic address lies in, and the address there.
AddressSpace resolveGeneric(uint64_t &Address);

/// Counts the request, its bytes, and what --check must know of it.
void account(WarpMachine &W, const Step &S, Located &At, SharedAccess Kind);
/// Tells --check, which is on, of an access to shared memory by \p W, which is
/// filled into \p R.
void checkShared(WarpMachine &W, SharedRequest R, const WarpAccess &A);
/// Counts a request to shared memory that is checked elsewhere.
void countShared(WarpMachine &W, const Step &S, const WarpAccess &A);

template <typename FnT>
void forEachLane(uint32_t Lanes, FnT Fn) {
  for (; Lanes; Lanes &= Lanes - 1)
    Fn(unsigned(llvm::countr_zero(Lanes)));
}

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CORE_MEMORYACCESS_H

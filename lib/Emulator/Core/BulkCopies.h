//===- BulkCopies.h - What bulk copies have in common -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A lane moves any number of bytes at once; those that it names an mbarrier
// with are signalled there. Everything is done when it is issued.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CORE_BULKCOPIES_H
#define PTXPREDICT_LIB_EMULATOR_CORE_BULKCOPIES_H

#include "MemoryAccess.h"

namespace ptxpredict::emulator {

/// What one lane moves at one address.
struct PieceRequest {
  AddressSpace Space;
  uint64_t Bytes;
  unsigned Align; ///< bytes
};

/// One lane's piece of memory.
struct Piece {
  AddressSpace Space = AddressSpace::Generic;
  uint64_t Address = 0;
  uint8_t *Host = nullptr;
};

/// The address of an operand as one lane has it.
uint64_t laneAddress(WarpMachine &W, const AddressOperand &A, unsigned Lane);

/// Finds a piece as the lane sees it. False if the run ends.
bool findPiece(WarpMachine &W, const Step &S, unsigned Lane, uint64_t Address,
               const PieceRequest &R, Piece &Out);

/// A copy between shared memory and somewhere else as the profile has it.
class BulkCounter {
public:
  BulkCounter(WarpMachine &W, const Step &S) : W(W), S(S) {}

  /// The copy touches so many bytes of global memory, which go on where those
  /// of the call before ended or lie elsewhere.
  void addGlobal(uint64_t Address, uint64_t Bytes);
  /// There is a request, be it for no bytes.
  void startGlobal() { HasGlobal = S.MemoryIndex >= 0; }
  /// All pieces of global memory are one request, if there was any.
  void endGlobal();
  /// What --check must know of a piece of shared memory: it is read, or written
  /// until \p MBarrier is told.
  void readShared(uint64_t Address, uint64_t Bytes);
  void writeShared(uint64_t Address, uint64_t Bytes, uint64_t MBarrier);
  void read(const Piece &P, uint64_t Bytes) {
    P.Space == AddressSpace::Global ? addWhole(P, Bytes)
                                    : readShared(P.Address, Bytes);
  }
  void write(const Piece &P, uint64_t Bytes, uint64_t MBarrier) {
    P.Space == AddressSpace::Global ? addWhole(P, Bytes)
                                    : writeShared(P.Address, Bytes, MBarrier);
  }

private:
  void addWhole(const Piece &P, uint64_t Bytes) {
    startGlobal();
    addGlobal(P.Address, Bytes);
    endGlobal();
  }

  WarpMachine &W;
  const Step &S;
  bool HasGlobal = false;
  uint64_t Sectors = 0, Lines = 0, NextSector = 0, NextLine = 0;
  std::vector<uint64_t> Seen; ///< sectors, where somebody observes
};

/// \p Bytes have come for the mbarrier at \p Address of shared memory. False if
/// the run ends.
bool completeBytes(WarpMachine &W, const Step &S, unsigned Lane,
                   uint64_t Address, uint64_t Bytes);

/// One arrival at the mbarrier at \p Address of shared memory. False if the run
/// ends.
bool arriveOnce(WarpMachine &W, const Step &S, unsigned Lane, uint64_t Address);

/// To which blocks of the cluster a copy goes.
struct CopyTargets {
  /// Bits by rank; 0: to where the address says.
  uint32_t Ranks = 0;
  /// With .cta_group::2 the mbarrier may be that of the block beside.
  bool SignalsPair = false;

  /// Calls \p Fn with the addresses of the destination and of the mbarrier for
  /// each block. False once \p Fn is.
  template <typename FnT>
  bool forEach(uint64_t Address, uint64_t Barrier, FnT Fn) const {
    if (!Ranks)
      return Fn(Address, Barrier);
    for (uint32_t Rest = Ranks; Rest; Rest &= Rest - 1) {
      auto Rank = uint64_t(llvm::countr_zero(Rest));
      uint64_t Signalled = Rank;
      if (SignalsPair)
        Signalled = (Rank & ~uint64_t(1)) | (Barrier >> ClusterRankShift & 1);
      if (!Fn((Address & SharedOffsetMask) | Rank << ClusterRankShift,
              (Barrier & SharedOffsetMask) | Signalled << ClusterRankShift))
        return false;
    }
    return true;
  }
};

/// Whether it goes to several blocks: `.multicast::cluster`, with `::16b` or
/// `::32b` for the mask's bits.
bool isMulticast(const Step &S);

/// Reads the mask of .multicast::cluster, the source at \p Index. False if the
/// run ends.
bool findTargets(WarpMachine &W, const Step &S, unsigned Lane, unsigned Index,
                 CopyTargets &Out);

/// cp.async.bulk.tensor and its relatives.
Handler tensorCopyHandler(ptx::Opcode Op, Step &S);
/// clusterlaunchcontrol.
Handler launchControlHandler(ptx::Opcode Op, Step &S);
/// What changes and copies tensor maps.
Handler tensorMapHandler(ptx::Opcode Op, Step &S);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CORE_BULKCOPIES_H

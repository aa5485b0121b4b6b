//===- BulkHandlers.cpp - Bulk copies and asynchronous stores -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A lane moves any number of bytes at once; those that it names an mbarrier
// with are signalled there. Everything is done when it is issued.
//===----------------------------------------------------------------------===//
#include "MBarrier.h"
#include "MemoryAccess.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::hasModifier;
using ptx::Opcode;

namespace {
/// What one lane moves at one operand.
struct PieceRequest {
  const AddressOperand &Operand;
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
} // namespace

/// Finds a piece as the lane sees it. False if the run ends.
static bool find(WarpMachine &W, const Step &S, unsigned Lane,
                 const PieceRequest &R, Piece &Out) {
  std::array<uint64_t, WarpSize> Addresses;
  findAddresses(W, R.Operand, Addresses);
  Out.Space = R.Space;
  Out.Address = Addresses[Lane];
  Out.Host = hostPlace(W, Lane, R.Space, Out.Address, R.Bytes);
  if (!Out.Host || Out.Address % R.Align != 0) {
    W.fail(S, "'" + S.I->Mnemonic + "' moves " + Twine(R.Bytes) +
                  " bytes at 0x" + Twine::utohexstr(Out.Address) +
                  (Out.Host ? ", which is no multiple of " + Twine(R.Align)
                            : Twine(", of which not all are there")));
    return false;
  }
  if (R.Space == AddressSpace::Generic)
    Out.Space = resolveGeneric(Out.Address);
  return true;
}

/// Counts a piece: its sectors and lines as one request's.
static void count(WarpMachine &W, const Step &S, const Piece &P, uint64_t Bytes,
                  bool Writes) {
  if (S.MemoryIndex < 0 || Bytes == 0)
    return;
  Worker &K = W.Block.W;
  if (P.Space == AddressSpace::Global) {
    MemoryProfile &Sum = K.Memory[size_t(S.MemoryIndex)].Sum;
    ++Sum.Requests;
    ++Sum.Lanes;
    uint64_t Last = P.Address + Bytes - 1;
    Sum.Sectors += Last / 32 - P.Address / 32 + 1;
    Sum.Lines += Last / 128 - P.Address / 128 + 1;
    K.Touched.add(unsigned(S.MemoryIndex), P.Address, Bytes);
  } else if (P.Space == AddressSpace::Shared && W.Block.Check) {
    // The check takes a warp's request at a time.
    for (uint64_t At = 0; At < Bytes; At += uint64_t(WarpSize) * 16) {
      WarpAccess A;
      A.BytesPerLane = 16;
      for (unsigned L = 0; L != WarpSize && At + L * 16 < Bytes; ++L) {
        A.Address[L] = P.Address + At + L * 16;
        A.Active |= 1u << L;
      }
      W.Block.Check->access({W.Number, S.Index,
                             Writes ? SharedAccess::Write : SharedAccess::Read},
                            A);
    }
  }
}

/// Bytes have come for an mbarrier. False if the run ends.
static bool complete(WarpMachine &W, const Step &S, const AddressOperand &A,
                     uint64_t Bytes, unsigned Lane) {
  Piece At;
  if (!find(W, S, Lane, {A, AddressSpace::Shared, 8, 8}, At))
    return false;
  uint64_t Bits;
  memcpy(&Bits, At.Host, 8);
  MBarrier B = MBarrier::unpack(Bits);
  B.Tx -= int64_t(Bytes);
  bool Ended = B.advance();
  Bits = B.pack();
  memcpy(At.Host, &Bits, 8);
  if (W.Block.Check) {
    W.Block.Check->order().mbarrierArrive(W.Number, At.Address);
    if (Ended)
      W.Block.Check->order().mbarrierComplete(At.Address);
  }
  return true;
}

static Outcome runBulkCopy(WarpMachine &W, const Step &S, uint32_t Lanes) {
  bool Signals = hasModifier(S.I->Modifiers, "mbarrier::complete_tx::bytes");
  for (; Lanes; Lanes &= Lanes - 1) {
    auto L = unsigned(llvm::countr_zero(Lanes));
    uint64_t Bytes = W.value(S.Sources[0], L);
    if (Bytes % 16 != 0)
      return W.fail(S, "a bulk copy of " + Twine(Bytes) +
                           " bytes; it must be a multiple of 16");
    Piece To, From;
    if (!find(W, S, L, {S.Address, S.I->Effects[0].Space, Bytes, 16}, To) ||
        !find(W, S, L, {S.Address2, S.I->Effects[1].Space, Bytes, 16}, From))
      return Outcome::Stop;
    count(W, S, From, Bytes, false);
    count(W, S, To, Bytes, true);
    memmove(To.Host, From.Host, Bytes);
    if (Signals && !complete(W, S, S.Address3, Bytes, L))
      return Outcome::Stop;
  }
  return Outcome::Next;
}

/// st.bulk: zeros.
static Outcome runBulkStore(WarpMachine &W, const Step &S, uint32_t Lanes) {
  for (; Lanes; Lanes &= Lanes - 1) {
    auto L = unsigned(llvm::countr_zero(Lanes));
    uint64_t Bytes = W.value(S.Sources[0], L);
    Piece To;
    if (!find(W, S, L, {S.Address, S.Space, Bytes, 8}, To))
      return Outcome::Stop;
    count(W, S, To, Bytes, true);
    memset(To.Host, 0, Bytes);
  }
  return Outcome::Next;
}

/// st.async to shared memory of the cluster, which is the block's own.
static Outcome runAsyncStore(WarpMachine &W, const Step &S, uint32_t Lanes) {
  unsigned Elements = S.Detail, Each = S.BytesPerLane / Elements;
  for (; Lanes; Lanes &= Lanes - 1) {
    auto L = unsigned(llvm::countr_zero(Lanes));
    Piece To;
    if (!find(W, S, L,
              {S.Address, AddressSpace::Shared, S.BytesPerLane, S.BytesPerLane},
              To))
      return Outcome::Stop;
    for (unsigned E = 0; E != Elements; ++E) {
      uint64_t V = W.value(S.Sources[E], L);
      memcpy(To.Host + size_t(E) * Each, &V, Each);
    }
    if (W.Block.Check) {
      WarpAccess A;
      A.BytesPerLane = S.BytesPerLane;
      A.Address[L] = To.Address;
      A.Active = 1u << L;
      W.Block.Check->access({W.Number, S.Index, SharedAccess::Write}, A);
    }
    if (!complete(W, S, S.Address2, S.BytesPerLane, L))
      return Outcome::Stop;
  }
  return Outcome::Next;
}

Handler emulator::bulkHandler(Opcode Op, Step &S) {
  StringRef M = S.I->Modifiers;
  switch (Op) {
  case Opcode::CpAsyncBulk:
    if (S.NumSources == 0 || S.I->Effects.size() < 2 || S.NumAddresses < 2 ||
        hasModifier(M, "ignore_oob") || hasModifier(M, "cp_mask"))
      return nullptr;
    if (hasModifier(M, "mbarrier::complete_tx::bytes") && S.NumAddresses < 3)
      return nullptr;
    return runBulkCopy;
  case Opcode::StBulk:
    return S.NumSources ? runBulkStore : nullptr;
  case Opcode::StAsync:
    S.Detail = S.NumSources;
    return S.NumSources && S.NumAddresses == 2 &&
                   hasModifier(M, "mbarrier::complete_tx::bytes") &&
                   S.BytesPerLane % S.NumSources == 0 &&
                   S.BytesPerLane / S.NumSources <= 8
               ? runAsyncStore
               : nullptr;
  default:
    return nullptr;
  }
}

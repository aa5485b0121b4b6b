//===- BulkHandlers.cpp - Bulk copies and asynchronous stores -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AtomicOperations.h"
#include "BulkCopies.h"
#include "MBarrier.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::hasModifier;
using ptx::Opcode;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

uint64_t emulator::laneAddress(WarpMachine &W, const AddressOperand &A,
                               unsigned Lane) {
  std::array<uint64_t, WarpSize> Addresses;
  findAddresses(W, A, Addresses);
  return Addresses[Lane];
}

bool emulator::findPiece(WarpMachine &W, const Step &S, unsigned Lane,
                         uint64_t Address, const PieceRequest &R, Piece &Out) {
  Out.Space = R.Space;
  // As locate() does.
  Out.Address = R.Space == AddressSpace::Shared ? uint32_t(Address) : Address;
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

void BulkCounter::addGlobal(uint64_t Address, uint64_t Bytes) {
  if (S.MemoryIndex < 0 || Bytes == 0)
    return;
  HasGlobal = true;
  const uint64_t Last = Address + Bytes - 1;
  if (W.Block.R.Options.Observer)
    for (uint64_t N = Address / 32 + (Address / 32 + 1 == NextSector);
         N <= Last / 32; ++N)
      Seen.push_back(N);
  auto Count = [&](uint64_t Unit, uint64_t &Next, uint64_t &Sum) {
    uint64_t First = Address / Unit;
    // The unit in which the piece before ended is counted.
    First += First + 1 == Next;
    Sum += Last / Unit + 1 - First;
    Next = Last / Unit + 1;
  };
  Count(32, NextSector, Sectors);
  Count(128, NextLine, Lines);
  W.Block.W.Touched.add(unsigned(S.MemoryIndex), Address, Bytes);
}

void BulkCounter::endGlobal() {
  if (!HasGlobal)
    return;
  MemoryProfile &Sum = W.memoryCounter(S).Sum;
  ++Sum.Requests;
  ++Sum.Lanes;
  Sum.Sectors += Sectors;
  Sum.Lines += Lines;
  if (EmulationObserver *Observer = W.Block.R.Options.Observer;
      Observer && W.counts() &&
      S.I->Effects.front().Access != AccessKind::Prefetch)
    Observer->onCopy(W.Block.Index, W.Number, *S.I, Seen);
  Seen.clear();
  HasGlobal = false;
  Sectors = Lines = NextSector = NextLine = 0;
}

/// Calls \p Fn with a warp's request at a time, as the check takes them.
template <typename FnT>
static void forEachRequest(uint64_t Address, uint64_t Bytes, FnT Fn) {
  for (uint64_t At = 0; At < Bytes; At += uint64_t(WarpSize) * 16) {
    WarpAccess A;
    A.BytesPerLane = 16;
    for (unsigned L = 0; L != WarpSize && At + L * 16 < Bytes; ++L) {
      A.Address[L] = Address + At + L * 16;
      A.Active |= 1u << L;
    }
    Fn(A);
  }
}

/// The request with the addresses that the check has.
static WarpAccess checked(const WarpMachine &W, WarpAccess A) {
  for (uint64_t &Address : A.Address)
    Address = W.Block.Cluster.checkAddress(Address);
  return A;
}

void BulkCounter::readShared(uint64_t Address, uint64_t Bytes) {
  if (!W.Block.Check)
    return;
  checkAsyncRead(W, S, Address, Bytes);
  const bool IsGroup = hasModifier(S.I->Modifiers, "bulk_group");
  forEachRequest(Address, Bytes, [&](const WarpAccess &A) {
    const SharedRequest R = {W.checkNumber(), S.Index, SharedAccess::Read};
    if (!IsGroup)
      return checkShared(W, R, A);
    W.OpenReads.push_back(checked(W, A));
    W.Block.Check->startRead(R, W.OpenReads.back());
  });
}

void BulkCounter::writeShared(uint64_t Address, uint64_t Bytes,
                              uint64_t MBarrier) {
  if (!W.Block.Check)
    return;
  forEachRequest(Address, Bytes, [&](const WarpAccess &A) {
    checkShared(W, {0, S.Index, SharedAccess::CopyStart}, A);
    W.Block.Cluster.Async->start(MBarrier, checked(W, A));
  });
}

/// Changes the mbarrier at \p Address by \p Change, which is false for what
/// cannot be. False if the run ends.
template <typename FnT>
static bool signalBarrier(WarpMachine &W, const Step &S, unsigned Lane,
                          uint64_t Address, FnT Change) {
  Piece At;
  if (!findPiece(W, S, Lane, Address, {AddressSpace::Shared, 8, 8}, At))
    return false;
  uint64_t Bits;
  memcpy(&Bits, At.Host, 8);
  MBarrier B = MBarrier::unpack(Bits);
  if (!Change(B)) {
    W.fail(S, "more arrivals at an mbarrier than it was initialised for");
    return false;
  }
  bool Ended = B.advance();
  W.SwitchSoon |= Ended;
  Bits = B.pack();
  memcpy(At.Host, &Bits, 8);
  if (W.Block.Check) {
    W.Block.Check->order().mbarrierArrive(W.checkNumber(), At.Address);
    if (Ended) {
      W.Block.Check->order().mbarrierComplete(At.Address);
      W.Block.Cluster.Async->complete(At.Address);
    }
  }
  return true;
}

bool emulator::completeBytes(WarpMachine &W, const Step &S, unsigned Lane,
                             uint64_t Address, uint64_t Bytes) {
  return signalBarrier(W, S, Lane, Address, [&](MBarrier &B) {
    B.Tx -= int64_t(Bytes);
    return true;
  });
}

bool emulator::arriveOnce(WarpMachine &W, const Step &S, unsigned Lane,
                          uint64_t Address) {
  return signalBarrier(W, S, Lane, Address,
                       [](MBarrier &B) { return B.Pending-- != 0; });
}

bool emulator::isMulticast(const Step &S) {
  return llvm::any_of(
      std::initializer_list<StringRef>{"multicast::cluster",
                                       "multicast::cluster::16b",
                                       "multicast::cluster::32b"},
      [&](StringRef Name) { return hasModifier(S.I->Modifiers, Name); });
}

bool emulator::findTargets(WarpMachine &W, const Step &S, unsigned Lane,
                           unsigned Index, CopyTargets &Out) {
  Out.SignalsPair = hasModifier(S.I->Modifiers, "cta_group::2");
  if (!isMulticast(S))
    return true;
  const bool IsWide = hasModifier(S.I->Modifiers, "multicast::cluster::32b");
  Out.Ranks =
      uint32_t(W.value(S.Sources[Index], Lane) & (IsWide ? ~0u : 0xffff));
  const size_t NumBlocks = W.Block.Cluster.Blocks.size();
  if (Out.Ranks && Out.Ranks >> NumBlocks == 0)
    return true;
  W.fail(S, "'" + S.I->Mnemonic + "' names blocks by the mask 0x" +
                Twine::utohexstr(Out.Ranks) + " of a cluster that has " +
                Twine(NumBlocks));
  return false;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {
/// What cp.async.bulk and cp.reduce.async.bulk move of one lane.
struct BulkMove {
  Piece From;
  uint64_t Bytes = 0;
  const ReductionForm *Reduction = nullptr; ///< null: a copy
  uint32_t Mask = 0xffff; ///< of each 16 bytes those that are copied
};
} // namespace

static void move(WarpMachine &W, const Step &S, const BulkMove &M,
                 const Piece &To, uint64_t Barrier) {
  BulkCounter(W, S).write(To, M.Bytes, Barrier);
  if (M.Mask != 0xffff) {
    for (uint64_t At = 0; At != M.Bytes; ++At)
      if (M.Mask >> At % 16 & 1)
        To.Host[At] = M.From.Host[At];
    return;
  }
  if (!M.Reduction) {
    memmove(To.Host, M.From.Host, M.Bytes);
    return;
  }
  const unsigned Each = M.Reduction->Bytes;
  for (uint64_t At = 0; At != M.Bytes; At += Each) {
    uint64_t V = 0;
    memcpy(&V, M.From.Host + At, Each);
    reduceInto(To.Host + At, *M.Reduction, V, To.Space == AddressSpace::Shared);
  }
}

static Outcome runBulkCopy(WarpMachine &W, const Step &S, uint32_t Lanes) {
  const bool Signals =
      hasModifier(S.I->Modifiers, "mbarrier::complete_tx::bytes");
  std::optional<ReductionForm> Reduction;
  if (Opcode(S.I->Opcode) == Opcode::CpReduceAsyncBulk)
    Reduction = findReduction(S.I->Modifiers);
  for (; Lanes; Lanes &= Lanes - 1) {
    auto L = unsigned(llvm::countr_zero(Lanes));
    BulkMove M;
    M.Bytes = W.value(S.Sources[0], L);
    M.Reduction = Reduction ? &*Reduction : nullptr;
    if (hasModifier(S.I->Modifiers, "cp_mask"))
      M.Mask = uint32_t(W.value(S.Sources[S.NumSources - 1], L) & 0xffff);
    if (M.Bytes % 16 != 0)
      return W.fail(S, "a bulk copy of " + Twine(M.Bytes) +
                           " bytes; it must be a multiple of 16");
    CopyTargets Targets;
    if (!findTargets(W, S, L, 1, Targets) ||
        !findPiece(W, S, L, laneAddress(W, S.Address2, L),
                   {S.I->Effects[1].Space, M.Bytes, 16}, M.From))
      return Outcome::Stop;
    BulkCounter(W, S).read(M.From, M.Bytes);
    auto MoveTo = [&](uint64_t Address, uint64_t Barrier) {
      Piece To;
      if (!findPiece(W, S, L, Address, {S.I->Effects[0].Space, M.Bytes, 16},
                     To))
        return false;
      move(W, S, M, To, Barrier);
      return !Signals || completeBytes(W, S, L, Barrier, M.Bytes);
    };
    if (!Targets.forEach(laneAddress(W, S.Address, L),
                         Signals ? laneAddress(W, S.Address3, L) : 0, MoveTo))
      return Outcome::Stop;
  }
  return Outcome::Next;
}

/// cp.async.bulk.prefetch: nothing but requests.
static Outcome runBulkPrefetch(WarpMachine &W, const Step &S, uint32_t Lanes) {
  for (; Lanes; Lanes &= Lanes - 1) {
    auto L = unsigned(llvm::countr_zero(Lanes));
    const uint64_t Bytes = W.value(S.Sources[0], L);
    if (Bytes % 16 != 0)
      return W.fail(S, "a bulk prefetch of " + Twine(Bytes) +
                           " bytes; it must be a multiple of 16");
    Piece From;
    if (!findPiece(W, S, L, laneAddress(W, S.Address, L),
                   {AddressSpace::Global, Bytes, 16}, From))
      return Outcome::Stop;
    BulkCounter(W, S).read(From, Bytes);
  }
  return Outcome::Next;
}

/// st.bulk: zeros.
static Outcome runBulkStore(WarpMachine &W, const Step &S, uint32_t Lanes) {
  for (; Lanes; Lanes &= Lanes - 1) {
    auto L = unsigned(llvm::countr_zero(Lanes));
    uint64_t Bytes = W.value(S.Sources[0], L);
    Piece To;
    if (!findPiece(W, S, L, laneAddress(W, S.Address, L), {S.Space, Bytes, 8},
                   To))
      return Outcome::Stop;
    if (To.Space == AddressSpace::Global)
      BulkCounter(W, S).write(To, Bytes, 0);
    else if (W.Block.Check)
      forEachRequest(To.Address, Bytes, [&](const WarpAccess &A) {
        checkShared(W, {0, S.Index, SharedAccess::Write}, A);
      });
    memset(To.Host, 0, Bytes);
  }
  return Outcome::Next;
}

/// st.async and red.async to shared memory of the cluster.
static Outcome runAsyncStore(WarpMachine &W, const Step &S, uint32_t Lanes) {
  unsigned Elements = S.Detail, Each = S.BytesPerLane / Elements;
  std::optional<ReductionForm> Reduction;
  if (Opcode(S.I->Opcode) == Opcode::RedAsync)
    Reduction = findReduction(S.I->Modifiers);
  for (; Lanes; Lanes &= Lanes - 1) {
    auto L = unsigned(llvm::countr_zero(Lanes));
    const uint64_t Barrier = laneAddress(W, S.Address2, L);
    Piece To;
    if (!findPiece(W, S, L, laneAddress(W, S.Address, L),
                   {AddressSpace::Shared, S.BytesPerLane, S.BytesPerLane}, To))
      return Outcome::Stop;
    for (unsigned E = 0; E != Elements; ++E) {
      uint64_t V = W.value(S.Sources[E], L);
      if (Reduction)
        reduceInto(To.Host, *Reduction, V, /*IsShared=*/true);
      else
        memcpy(To.Host + size_t(E) * Each, &V, Each);
    }
    if (W.Block.Check) {
      WarpAccess A;
      A.BytesPerLane = S.BytesPerLane;
      A.Address[L] = To.Address;
      A.Active = 1u << L;
      checkShared(W,
                  {0, S.Index,
                   Reduction ? SharedAccess::Atomic : SharedAccess::CopyStart},
                  A);
      if (!Reduction)
        W.Block.Cluster.Async->start(Barrier, checked(W, A));
    }
    if (!completeBytes(W, S, L, Barrier, S.BytesPerLane))
      return Outcome::Stop;
  }
  return Outcome::Next;
}

Handler emulator::bulkHandler(Opcode Op, Step &S) {
  StringRef M = S.I->Modifiers;
  switch (Op) {
  case Opcode::CpReduceAsyncBulk:
    if (!findReduction(M))
      return nullptr;
    [[fallthrough]];
  case Opcode::CpAsyncBulk: {
    const bool Signals = hasModifier(M, "mbarrier::complete_tx::bytes");
    if (S.I->Effects.size() < 2 || S.NumAddresses < (Signals ? 3 : 2) ||
        S.NumSources < (isMulticast(S) ? 2 : 1) ||
        (hasModifier(M, "cp_mask") && S.NumSources < 2))
      return nullptr;
    // Not `ignore_oob`; a reduction knows its own ones.
    if (Op == Opcode::CpAsyncBulk &&
        !hasOnlyModifiers(
            S, {"global", "shared::", "mbarrier::complete_tx::bytes",
                "bulk_group", "multicast::cluster",
                "multicast::cluster::", "L2::cache_hint", "cp_mask"}))
      return nullptr;
    return runBulkCopy;
  }
  case Opcode::CpAsyncBulkPrefetch:
    return S.NumSources && S.NumAddresses ? runBulkPrefetch : nullptr;
  case Opcode::StBulk:
    return S.NumSources ? runBulkStore : nullptr;
  case Opcode::RedAsync:
    if (std::optional<ReductionForm> R = findReduction(M);
        !R || R->Bytes != S.BytesPerLane)
      return nullptr;
    [[fallthrough]];
  case Opcode::StAsync:
    S.Detail = S.NumSources;
    return S.NumSources && S.NumAddresses == 2 &&
                   hasModifier(M, "mbarrier::complete_tx::bytes") &&
                   S.BytesPerLane % S.NumSources == 0 &&
                   S.BytesPerLane / S.NumSources <= 8
               ? runAsyncStore
               : nullptr;
  default:
    return tensorCopyHandler(Op, S);
  }
}

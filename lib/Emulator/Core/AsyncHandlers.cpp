//===- AsyncHandlers.cpp - Asynchronous copies and mbarriers --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Copies are made when they are issued, which asynchronous ones may be.
//===----------------------------------------------------------------------===//
#include "MBarrier.h"
#include "MemoryAccess.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::hasModifier;
using ptx::Opcode;

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

static WarpAccess sharedAccess(const Located &At) {
  WarpAccess A;
  A.Address = At.Address;
  A.Active = At.Shared;
  A.BytesPerLane = At.BytesPerLane;
  return A;
}

/// Finds what a copy reads, of each lane as many bytes as \p Read says: what
/// lies behind them need not be there.
static bool locateSources(WarpMachine &W, const Step &S, unsigned Bytes,
                          const std::array<uint64_t, WarpSize> &Read,
                          uint32_t Lanes, Located &From) {
  uint32_t Whole = 0;
  for (unsigned L = 0; L != WarpSize; ++L)
    Whole |= uint32_t(Read[L] == Bytes) << L;
  Whole &= Lanes;
  if (!locate(W, S, S.Address2, AddressSpace::Global, Bytes, false, Whole,
              From))
    return false;
  From.separate();
  if (Whole != Lanes)
    From.LaneBytes = Read.data();
  for (uint32_t Rest = Lanes & ~Whole; Rest; Rest &= Rest - 1) {
    auto L = unsigned(llvm::countr_zero(Rest));
    Located Part;
    if (!locate(W, S, S.Address2, AddressSpace::Global, unsigned(Read[L]),
                false, 1u << L, Part))
      return false;
    From.Lanes |= Part.Lanes, From.Global |= Part.Global;
    From.Address[L] = Part.Address[L];
    From.Host[L] = Part.host(L);
  }
  return true;
}

static Outcome runCopyAsync(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  unsigned Bytes = S.BytesPerLane;
  // Behind the size: the bytes that are read, or whether none are; the rest is
  // zeros.
  std::array<uint64_t, WarpSize> Read;
  uint32_t Reading = 0;
  for (unsigned L = 0; L != WarpSize; ++L) {
    Read[L] = Bytes;
    if (S.Detail && S.Sources[1].Bytes == 0)
      Read[L] = W.predicate(S.Sources[1]) >> L & 1 ? 0 : Bytes;
    else if (S.Detail)
      Read[L] = std::min<uint64_t>(Bytes, W.value(S.Sources[1], L));
    Reading |= uint32_t(Read[L] != 0) << L;
  }
  Located To, From;
  if (!locateSources(W, S, Bytes, Read, Lanes & Reading, From) ||
      !locate(W, S, S.Address, AddressSpace::Shared, Bytes, true, Lanes, To))
    return Outcome::Stop;
  account(W, S, From, SharedAccess::Read);
  WarpAccess A = sharedAccess(To);
  countShared(W, S, A);
  bool Check = W.Block.R.Options.Check;
  if (Check) {
    W.Block.Check->access(W.Number, S.Index, A, SharedAccess::CopyStart);
    W.OpenCopies.emplace_back(S.Index, A);
  }
  forEachLane(To.Lanes, [&](unsigned L) {
    uint64_t N = From.Lanes >> L & 1 ? Read[L] : 0;
    if (N)
      memcpy(To.host(L), From.host(L), N);
    memset(To.host(L) + N, 0, Bytes - N);
  });
  return Outcome::Next;
}

static Outcome runCommit(WarpMachine &W, const Step &, uint32_t Lanes) {
  if (Lanes && W.Block.R.Options.Check) {
    W.CopyGroups.push_back(std::move(W.OpenCopies));
    W.OpenCopies.clear();
  }
  return Outcome::Next;
}

static void endCopies(WarpMachine &W, CopyGroup &G) {
  for (const auto &[Index, A] : G)
    W.Block.Check->access(W.Number, Index, A, SharedAccess::CopyEnd);
  G.clear();
}

static void endAllCopies(WarpMachine &W) {
  for (CopyGroup &G : W.CopyGroups)
    endCopies(W, G);
  W.CopyGroups.clear();
  endCopies(W, W.OpenCopies);
}

static Outcome runWaitGroup(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes || !W.Block.R.Options.Check)
    return Outcome::Next;
  bool All = S.NumSources == 0;
  uint64_t Left = All ? 0 : W.value(S.Sources[0], 0);
  if (W.CopyGroups.size() > Left) {
    auto End = W.CopyGroups.end() - long(Left);
    for (auto It = W.CopyGroups.begin(); It != End; ++It)
      endCopies(W, *It);
    W.CopyGroups.erase(W.CopyGroups.begin(), End);
  }
  if (All)
    endCopies(W, W.OpenCopies);
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// mbarrier
//===----------------------------------------------------------------------===//

static Outcome runMBarrier(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  Located At;
  AddressSpace Space =
      S.Space == AddressSpace::Global ? AddressSpace::Generic : S.Space;
  if (!locate(W, S, S.Address, Space, 8, true, Lanes, At))
    return Outcome::Stop;
  countShared(W, S, sharedAccess(At));
  auto Op = Opcode(S.I->Opcode);
  StringRef M = S.I->Modifiers;
  bool Check = W.Block.R.Options.Check;
  WarpOrder *Order = Check ? &W.Block.Check->order() : nullptr;
  // It arrives once this thread's copies are complete.
  if (Check && Op == Opcode::CpAsyncMbarrierArrive)
    endAllCopies(W);
  uint64_t Old[WarpSize] = {};
  uint32_t Done = 0;
  bool Failed = false;
  forEachLane(At.Shared, [&](unsigned L) {
    uint64_t Bits;
    memcpy(&Bits, At.host(L), 8);
    Old[L] = Bits;
    MBarrier B = MBarrier::unpack(Bits);
    uint64_t Operand = S.NumSources ? W.value(S.Sources[0], L) : 1;
    uint64_t Arriving = 0;
    switch (Op) {
    case Opcode::MbarrierInit:
      B = {Operand, Operand, 0, false};
      if (Check)
        Order->mbarrierInit(At.Address[L]);
      break;
    case Opcode::MbarrierExpectTx:
      B.Tx += int64_t(Operand);
      break;
    case Opcode::MbarrierCompleteTx:
      B.Tx -= int64_t(Operand);
      break;
    case Opcode::CpAsyncMbarrierArrive:
      Arriving = hasModifier(M, "noinc") ? 1 : 0;
      break;
    case Opcode::MbarrierArrive:
    case Opcode::MbarrierArriveDrop:
      if (hasModifier(M, "expect_tx")) {
        B.Tx += int64_t(Operand);
        Arriving = 1;
      } else {
        Arriving = Operand;
      }
      if (Op == Opcode::MbarrierArriveDrop)
        B.Expected -= Arriving;
      break;
    case Opcode::MbarrierTestWait:
    case Opcode::MbarrierTryWait: {
      bool Phase = hasModifier(M, "parity") ? Operand & 1 : Operand >> 63;
      if (B.Phase != Phase) {
        Done |= 1u << L;
        if (Check)
          Order->mbarrierWait(W.Number, At.Address[L]);
      }
      return;
    }
    default:
      return;
    }
    Failed |= Arriving > B.Pending;
    B.Pending -= Arriving;
    if (Check && Arriving)
      Order->mbarrierArrive(W.Number, At.Address[L]);
    if (Op != Opcode::MbarrierInit && B.advance() && Check)
      Order->mbarrierComplete(At.Address[L]);
    Bits = B.pack();
    memcpy(At.host(L), &Bits, 8);
  });
  if (Failed)
    return W.fail(S, "more arrivals at an mbarrier than it was initialised "
                     "for");
  if (S.Detail) {
    W.writePredicate(S.Dests[0], Done, Lanes);
    W.YieldSoon |= (Lanes & ~Done) != 0;
  } else if (S.NumDests) {
    W.write(S.Dests[0], Old, Lanes);
  }
  return Outcome::Next;
}

static Outcome runPendingCount(WarpMachine &W, const Step &S, uint32_t Lanes) {
  uint32_t Out[WarpSize];
  for (unsigned L = 0; L != WarpSize; ++L)
    Out[L] = uint32_t(MBarrier::unpack(W.value(S.Sources[0], L)).Pending);
  LaneOperand D = S.Dests[0];
  D.Wanted = 4;
  W.write(D, Out, Lanes);
  return Outcome::Next;
}

static Outcome runNanosleep(WarpMachine &W, const Step &, uint32_t Lanes) {
  W.YieldSoon |= Lanes != 0;
  return Outcome::Next;
}

Handler emulator::asyncHandler(Opcode Op, Step &S) {
  StringRef M = S.I->Modifiers;
  switch (Op) {
  case Opcode::CpAsync: {
    if (!S.NumSources)
      return nullptr;
    const LaneOperand &Size = S.Sources[0];
    if (Size.From != Bank::Constant)
      return nullptr;
    S.BytesPerLane = 0; // the first source's value, a constant
    for (const Operand &O : S.I->Operands)
      if (O.Kind == Operand::KindTy::Integer && !S.BytesPerLane)
        S.BytesPerLane = uint32_t(O.Bits);
    unsigned NumHints = hasModifier(M, "L2::cache_hint") ? 1 : 0;
    S.Detail = S.NumSources > 1 + NumHints; // a source size or a predicate
    return S.BytesPerLane ? runCopyAsync : nullptr;
  }
  case Opcode::CpAsyncCommitGroup:
    return runCommit;
  case Opcode::CpAsyncWaitGroup:
  case Opcode::CpAsyncWaitAll:
    return runWaitGroup;
  case Opcode::CpAsyncBulkCommitGroup:
  case Opcode::CpAsyncBulkWaitGroup:
  case Opcode::Griddepcontrol:
  case Opcode::Pmevent:
  case Opcode::Setmaxnreg:
  case Opcode::Brkpt:
    return runNothing;
  case Opcode::MbarrierTestWait:
  case Opcode::MbarrierTryWait:
    if (hasModifier(M, "phase_type::primary") || !S.NumSources || !S.NumDests)
      return nullptr;
    S.Detail = 1;
    return runMBarrier;
  case Opcode::MbarrierInit:
  case Opcode::MbarrierInval:
  case Opcode::MbarrierExpectTx:
  case Opcode::MbarrierCompleteTx:
  case Opcode::MbarrierArrive:
  case Opcode::MbarrierArriveDrop:
  case Opcode::CpAsyncMbarrierArrive:
    if (hasModifier(M, "multicast::cluster::32b"))
      return nullptr;
    return runMBarrier;
  case Opcode::MbarrierPendingCount:
    return runPendingCount;
  case Opcode::Nanosleep:
    return runNanosleep;
  default:
    return bulkHandler(Op, S);
  }
}

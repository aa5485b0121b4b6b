//===- AsyncHandlers.cpp - Asynchronous copies and mbarriers --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Copies are made when they are issued, which asynchronous ones may be.
//===----------------------------------------------------------------------===//
#include "BulkCopies.h"
#include "MBarrier.h"

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
static bool locateSources(WarpMachine &W, const Step &S,
                          const std::array<uint64_t, WarpSize> &Read,
                          uint32_t Lanes, Located &From) {
  MemoryRequest R = {S.Address2, AddressSpace::Global, S.BytesPerLane,
                     /*Writes=*/false, 0};
  uint32_t Whole = 0;
  for (unsigned L = 0; L != WarpSize; ++L)
    Whole |= uint32_t(Read[L] == S.BytesPerLane) << L;
  Whole &= Lanes;
  R.Lanes = Whole;
  if (!locate(W, S, R, From))
    return false;
  From.separate();
  if (Whole != Lanes)
    From.LaneBytes = Read.data();
  for (uint32_t Rest = Lanes & ~Whole; Rest; Rest &= Rest - 1) {
    auto L = unsigned(llvm::countr_zero(Rest));
    R.BytesPerLane = unsigned(Read[L]);
    R.Lanes = 1u << L;
    Located Part;
    if (!locate(W, S, R, Part))
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
  if (!locateSources(W, S, Read, Lanes & Reading, From) ||
      !locate(W, S,
              {S.Address, AddressSpace::Shared, Bytes, /*Writes=*/true, Lanes},
              To))
    return Outcome::Stop;
  account(W, S, From, SharedAccess::Read);
  WarpAccess A = sharedAccess(To);
  countShared(W, S, A);
  if (W.Block.Check) {
    checkShared(W, {0, S.Index, SharedAccess::CopyStart}, A);
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
  if (Lanes && W.Block.Check) {
    W.CopyGroups.push_back(std::move(W.OpenCopies));
    W.OpenCopies.clear();
  }
  return Outcome::Next;
}

static void endCopies(WarpMachine &W, CopyGroup &G) {
  for (const auto &[Index, A] : G)
    checkShared(W, {0, Index, SharedAccess::CopyEnd}, A);
  G.clear();
}

static void endAllCopies(WarpMachine &W) {
  for (CopyGroup &G : W.CopyGroups)
    endCopies(W, G);
  W.CopyGroups.clear();
  endCopies(W, W.OpenCopies);
}

static Outcome runWaitGroup(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes || !W.Block.Check)
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
// Groups of bulk copies, whose reads --check follows
//===----------------------------------------------------------------------===//

static Outcome runBulkCommit(WarpMachine &W, const Step &, uint32_t Lanes) {
  if (Lanes && W.Block.Check)
    W.ReadGroups.push_back(std::exchange(W.OpenReads, {}));
  return Outcome::Next;
}

static Outcome runBulkWait(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes || !W.Block.Check)
    return Outcome::Next;
  const uint64_t Left = S.NumSources ? W.value(S.Sources[0], 0) : 0;
  while (W.ReadGroups.size() > Left) {
    for (const WarpAccess &A : W.ReadGroups.front())
      W.Block.Check->endRead(A);
    W.ReadGroups.erase(W.ReadGroups.begin());
  }
  return Outcome::Next;
}

//===----------------------------------------------------------------------===//
// mbarrier
//===----------------------------------------------------------------------===//

namespace {

/// One instruction's effect on the mbarriers that its lanes name.
class MBarrierStep {
public:
  MBarrierStep(WarpMachine &W, const Step &S)
      : W(W), S(S), Op(Opcode(S.I->Opcode)), Modifiers(S.I->Modifiers),
        Order(W.Block.Check ? &W.Block.Check->order() : nullptr) {}

  /// What each lane found there.
  uint64_t Old[WarpSize] = {};
  /// Lanes that waited for a phase that is complete.
  uint32_t Done = 0;
  /// More lanes arrived than were expected.
  bool Failed = false;

  void run(unsigned Lane, uint64_t Address, uint8_t *Host);

private:
  void wait(unsigned Lane, uint64_t Address, const MBarrier &B,
            uint64_t Operand);
  /// Changes \p B; returns how many arrivals the lane makes.
  uint64_t change(MBarrier &B, uint64_t Operand) const;

  WarpMachine &W;
  const Step &S;
  Opcode Op;
  StringRef Modifiers;
  WarpOrder *Order; ///< null without --check
};

} // namespace

void MBarrierStep::wait(unsigned Lane, uint64_t Address, const MBarrier &B,
                        uint64_t Operand) {
  bool Phase = hasModifier(Modifiers, "parity") ? Operand & 1 : Operand >> 63;
  if (B.Phase == Phase)
    return;
  Done |= 1u << Lane;
  if (Order) {
    Order->mbarrierWait(W.checkNumber(), Address);
    noteWait(W, Address);
  }
}

uint64_t MBarrierStep::change(MBarrier &B, uint64_t Operand) const {
  switch (Op) {
  case Opcode::MbarrierInit:
    B = {Operand, Operand, 0, false};
    return 0;
  case Opcode::MbarrierExpectTx:
    B.Tx += int64_t(Operand);
    return 0;
  case Opcode::MbarrierCompleteTx:
    B.Tx -= int64_t(Operand);
    return 0;
  case Opcode::CpAsyncMbarrierArrive:
    return hasModifier(Modifiers, "noinc") ? 1 : 0;
  default: { // arrive and arrive_drop
    uint64_t Arriving = Operand;
    if (hasModifier(Modifiers, "expect_tx")) {
      B.Tx += int64_t(Operand);
      Arriving = 1;
    }
    if (Op == Opcode::MbarrierArriveDrop)
      B.Expected -= Arriving;
    return Arriving;
  }
  }
}

void MBarrierStep::run(unsigned Lane, uint64_t Address, uint8_t *Host) {
  uint64_t Bits;
  memcpy(&Bits, Host, 8);
  Old[Lane] = Bits;
  if (Op == Opcode::MbarrierInval)
    return;
  MBarrier B = MBarrier::unpack(Bits);
  // The last one of a multicast is the mask of the blocks.
  const bool HasOperand = S.NumSources > (isMulticast(S) ? 1 : 0);
  const uint64_t Operand = HasOperand ? W.value(S.Sources[0], Lane) : 1;
  if (Op == Opcode::MbarrierTestWait || Op == Opcode::MbarrierTryWait)
    return wait(Lane, Address, B, Operand);
  uint64_t Arriving = change(B, Operand);
  Failed |= Arriving > B.Pending;
  B.Pending -= Arriving;
  if (Order && Op == Opcode::MbarrierInit)
    Order->mbarrierInit(Address);
  if (Order && Arriving)
    Order->mbarrierArrive(W.checkNumber(), Address);
  if (Op != Opcode::MbarrierInit && B.advance()) {
    W.SwitchSoon = true;
    if (Order) {
      Order->mbarrierComplete(Address);
      W.Block.Cluster.Async->complete(Address);
    }
  }
  Bits = B.pack();
  memcpy(Host, &Bits, 8);
}

/// Does the same to the mbarriers at the place of one lane's in several blocks
/// of the cluster. False if the run ends.
static bool runOnBlocks(WarpMachine &W, const Step &S, MBarrierStep &M,
                        unsigned Lane, uint64_t Address) {
  CopyTargets Targets;
  return findTargets(W, S, Lane, unsigned(S.NumSources) - 1, Targets) &&
         Targets.forEach(0, Address, [&](uint64_t, uint64_t Barrier) {
           Piece At;
           if (!findPiece(W, S, Lane, Barrier, {AddressSpace::Shared, 8, 8},
                          At))
             return false;
           M.run(Lane, At.Address, At.Host);
           return true;
         });
}

static Outcome runMBarrier(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  Located At;
  AddressSpace Space =
      S.Space == AddressSpace::Global ? AddressSpace::Generic : S.Space;
  if (!locate(W, S, {S.Address, Space, 8, /*Writes=*/true, Lanes}, At))
    return Outcome::Stop;
  countShared(W, S, sharedAccess(At));
  // It arrives once this thread's copies are complete.
  if (W.Block.Check && Opcode(S.I->Opcode) == Opcode::CpAsyncMbarrierArrive)
    endAllCopies(W);
  MBarrierStep M(W, S);
  if (isMulticast(S)) {
    for (uint32_t Rest = At.Shared; Rest; Rest &= Rest - 1) {
      const auto L = unsigned(llvm::countr_zero(Rest));
      if (!runOnBlocks(W, S, M, L, At.Address[L]))
        return Outcome::Stop;
    }
  } else {
    forEachLane(At.Shared,
                [&](unsigned L) { M.run(L, At.Address[L], At.host(L)); });
  }
  if (M.Failed)
    return W.fail(S, "more arrivals at an mbarrier than it was initialised "
                     "for");
  if (S.Detail) {
    W.writePredicate(S.Dests[0], M.Done, Lanes);
    if (uint32_t Vain = Lanes & At.Shared & ~M.Done) {
      const auto L = unsigned(llvm::countr_zero(Vain));
      W.YieldSoon = true;
      W.Polled = {&S, At.Address[L], M.Old[L]};
    }
  } else if (S.NumDests) {
    W.writeElements(S.Dests[0], M.Old, Lanes);
  }
  return Outcome::Next;
}

static Outcome runPendingCount(WarpMachine &W, const Step &S, uint32_t Lanes) {
  uint32_t Out[WarpSize];
  for (unsigned L = 0; L != WarpSize; ++L)
    Out[L] = uint32_t(MBarrier::unpack(W.value(S.Sources[0], L)).Pending);
  W.writeElements(S.Dests[0], Out, Lanes);
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
    return runBulkCommit;
  case Opcode::CpAsyncBulkWaitGroup:
    return runBulkWait;
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
    return isMulticast(S) && !S.NumSources ? nullptr : runMBarrier;
  case Opcode::MbarrierPendingCount:
    return runPendingCount;
  case Opcode::Nanosleep:
    return runNanosleep;
  case Opcode::ClusterlaunchcontrolTryCancel:
  case Opcode::ClusterlaunchcontrolQueryCancel:
    return launchControlHandler(Op, S);
  default:
    return bulkHandler(Op, S);
  }
}

//===- BarrierHandlers.cpp - Barriers of a block --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MemoryAccess.h"
#include "llvm/ADT/bit.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::hasModifier;
using ptx::Opcode;

void BlockMachine::checkBarrier(unsigned Barrier, const Step *S) {
  BarrierState &B = Barriers[Barrier];
  if (!B.InUse)
    return;
  uint64_t Arrived = 0, Living = 0;
  for (const auto &Warp : Warps) {
    uint32_t Here = B.Arrived[Warp->Number], Live = Warp->live();
    Living += unsigned(llvm::popcount(Live));
    if (!B.Expected)
      Arrived += unsigned(llvm::popcount(Here & Live));
    else // whole warps (PTX ISA, barrier); who arrived may have ended since
      Arrived += Here && (Live & ~Here) == 0 ? WarpSize
                                             : unsigned(llvm::popcount(Here));
  }
  if (Arrived < (B.Expected ? B.Expected : Living))
    return;
  uint64_t Waiting = 0;
  for (const auto &Warp : Warps) {
    if (Warp->release(Barrier, B.Result) && Check)
      Waiting |= uint64_t(1) << Warp->checkNumber();
  }
  if (R.Options.Check) {
    if (Check)
      Check->order().barrierRelease(Rank * (NumBarriers + 1) + Barrier,
                                    Waiting);
    if (S && !B.Expected && NumExited)
      report("divergent-barrier", *S,
             Twine(NumExited) + " threads of block " + Twine(Index) +
                 " ended without reaching this barrier");
  }
  B.Result = {};
  B.InUse = false;
  B.Expected = 0;
  B.Arrived.assign(Warps.size(), 0);
}

void BlockMachine::checkAllBarriers() {
  for (unsigned N = 0; N != NumBarriers; ++N)
    if (Barriers[N].InUse)
      checkBarrier(N, Barriers[N].Last);
}

void ClusterMachine::checkBarrier(const Step *S) {
  if (!Barrier.InUse)
    return;
  uint64_t NumExited = 0;
  for (const auto &Block : Blocks) {
    for (const auto &Warp : Block->Warps)
      if (Warp->live() & ~Barrier.Arrived[Warp->checkNumber()])
        return;
    NumExited += Block->NumExited;
  }
  uint64_t Waiting = 0;
  for (const auto &Block : Blocks)
    for (const auto &Warp : Block->Warps) {
      Warp->release(BlockMachine::ClusterBarrier, {});
      // Who has arrived waits too, perhaps later.
      if (Check && Barrier.Arrived[Warp->checkNumber()])
        Waiting |= uint64_t(1) << Warp->checkNumber();
    }
  if (Check)
    Check->order().barrierRelease(BlockMachine::ClusterBarrier, Waiting);
  // Of several blocks some may well have ended (PTX ISA, "barrier.cluster").
  if (R.Options.Check && S && NumExited && Blocks.size() == 1)
    Blocks.front()->report("divergent-barrier", *S,
                           Twine(NumExited) + " threads of block " +
                               Twine(Blocks.front()->Index) +
                               " ended without reaching this barrier");
  Barrier.InUse = false;
  Barrier.Arrived.assign(Barrier.Arrived.size(), 0);
}

/// The lanes have come to the barrier.
static void arrive(WarpMachine &W, const Step &S, unsigned Barrier,
                   uint32_t Lanes, uint64_t Expected) {
  BlockMachine &Block = W.Block;
  BarrierState &B = Block.Barriers[Barrier];
  B.Arrived.resize(Block.Warps.size());
  if (Block.Check && !B.Arrived[W.Number])
    Block.Check->order().barrierArrive(
        W.checkNumber(),
        Block.Rank * (BlockMachine::NumBarriers + 1) + Barrier);
  B.InUse = true;
  B.Expected = Expected;
  B.Last = &S;
  B.Arrived[W.Number] |= Lanes;
}

namespace {
/// What Step::Detail holds.
enum BarrierKind : uint32_t { Sync, Arrive, CountTrue, AllTrue, AnyTrue };
constexpr uint32_t Aligned = 256; ///< the lanes must be together
} // namespace

static void writeReduction(WarpMachine &W, const Step &S, uint32_t Lanes) {
  const BarrierResult &R = W.Now->Result;
  switch (S.Detail & 0xff) {
  case CountTrue: {
    uint32_t Out[WarpSize];
    std::fill_n(Out, WarpSize, R.Count);
    return W.writeElements(S.Dests[0], Out, Lanes);
  }
  case AllTrue:
    return W.writePredicate(S.Dests[0], R.All ? ~0u : 0, Lanes);
  case AnyTrue:
    return W.writePredicate(S.Dests[0], R.Any ? ~0u : 0, Lanes);
  default:
    return;
  }
}

static Outcome runBarrier(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (!Lanes)
    return Outcome::Next;
  if (W.Now->Passed) {
    writeReduction(W, S, Lanes);
    return Outcome::Next;
  }
  unsigned First = unsigned(llvm::countr_zero(Lanes));
  uint64_t Id = W.value(S.Sources[0], First);
  if (Id >= BlockMachine::ClusterBarrier)
    return W.fail(S, "barrier " + Twine(Id) +
                         " does not exist; there are 0 to 15");
  bool Reduces = (S.Detail & 0xff) >= CountTrue;
  bool HasCount = S.NumSources > (Reduces ? 2u : 1u);
  uint64_t Expected = HasCount ? W.value(S.Sources[1], First) : 0;
  if (HasCount && (Expected == 0 || Expected % WarpSize != 0))
    return W.fail(S, "a barrier for " + Twine(Expected) +
                         " threads: it must be for whole warps");
  if (W.Block.R.Options.Check && S.Detail & Aligned && Lanes != W.live())
    W.Block.report("divergent-barrier", S,
                   Twine(unsigned(llvm::popcount(Lanes))) + " of the " +
                       Twine(unsigned(llvm::popcount(W.live()))) +
                       " threads of warp " + Twine(W.Number) + " in block " +
                       Twine(W.Block.Index) +
                       " reach this barrier, the others go elsewhere");
  arrive(W, S, unsigned(Id), Lanes, Expected);
  BarrierState &B = W.Block.Barriers[Id];
  if (Reduces) {
    uint32_t P = W.predicate(S.Sources[S.NumSources - 1]);
    B.Result.Count += unsigned(llvm::popcount(P & Lanes));
    B.Result.All &= (~P & Lanes) == 0;
    B.Result.Any |= (P & Lanes) != 0;
  }
  if ((S.Detail & 0xff) == Arrive) {
    W.Block.checkBarrier(unsigned(Id), &S);
    return Outcome::Next;
  }
  W.keepOnly(S, Lanes);
  W.Now->Is = Group::State::AtBarrier;
  W.Now->Barrier = uint8_t(Id);
  W.Block.checkBarrier(unsigned(Id), &S);
  return Outcome::Wait;
}

static Outcome runClusterBarrier(WarpMachine &W, const Step &S,
                                 uint32_t Lanes) {
  if (!Lanes || W.Now->Passed)
    return Outcome::Next;
  ClusterMachine &C = W.Block.Cluster;
  uint32_t &Arrived = C.Barrier.Arrived[W.checkNumber()];
  if (hasModifier(S.I->Modifiers, "arrive")) {
    if (Arrived & Lanes)
      return W.fail(S, Twine(unsigned(llvm::popcount(Arrived & Lanes))) +
                           " threads of warp " + Twine(W.Number) +
                           " arrive at the cluster's barrier again without "
                           "having waited");
    if (C.Check && !Arrived)
      C.Check->order().barrierArrive(W.checkNumber(),
                                     BlockMachine::ClusterBarrier);
    C.Barrier.InUse = true;
    C.Barrier.Last = &S;
    Arrived |= Lanes;
    C.checkBarrier(&S);
    return Outcome::Next;
  }
  if (!C.Barrier.InUse || !(Arrived & Lanes))
    return Outcome::Next; // all have come
  W.keepOnly(S, Lanes);
  W.Now->Is = Group::State::AtBarrier;
  W.Now->Barrier = BlockMachine::ClusterBarrier;
  return Outcome::Wait;
}

static Outcome runFence(WarpMachine &W, const Step &S, uint32_t Lanes) {
  if (Lanes) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (W.Block.Check) {
      W.Block.Check->order().fence(W.checkNumber());
      if (hasModifier(S.I->Modifiers, "proxy") &&
          (hasModifier(S.I->Modifiers, "async") ||
           hasModifier(S.I->Modifiers, "async::generic")))
        W.Block.Cluster.Async->fenceProxy(W.checkNumber());
    }
  }
  return Outcome::Next;
}

Handler emulator::barrierHandler(Opcode Op, Step &S) {
  StringRef M = S.I->Modifiers;
  switch (Op) {
  case Opcode::Bar:
  case Opcode::Barrier:
    if (!S.NumSources)
      return nullptr;
    S.Detail = hasModifier(M, "arrive") ? Arrive
               : hasModifier(M, "popc") ? CountTrue
               : hasModifier(M, "and")  ? AllTrue
               : hasModifier(M, "or")   ? AnyTrue
                                        : Sync;
    if (Op == Opcode::Bar || hasModifier(M, "aligned"))
      S.Detail |= Aligned;
    return runBarrier;
  case Opcode::BarrierCluster:
    return runClusterBarrier;
  case Opcode::Membar:
  case Opcode::Fence:
    return runFence;
  default:
    return nullptr;
  }
}

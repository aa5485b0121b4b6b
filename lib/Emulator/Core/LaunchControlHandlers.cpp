//===- LaunchControlHandlers.cpp - clusterlaunchcontrol -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A cluster asks for the place of one that has not started, and gets the number
// of its first block (PTX ISA, "clusterlaunchcontrol.try_cancel"). The answer
// is there when it is asked for. The ISA leaves its bits open; here they are
// the three indices and 1, or zeros.
//===----------------------------------------------------------------------===//
#include "BulkCopies.h"
#include "ClusterQueue.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::hasModifier;
using ptx::Opcode;

static constexpr unsigned AnswerBytes = 16;

namespace {
struct PlaceAnswer {
  std::array<uint32_t, 3> First; ///< %ctaid of the first block
  uint32_t IsGiven;
};
static_assert(sizeof(PlaceAnswer) == AnswerBytes);
} // namespace

/// Asks for a place on behalf of the cluster.
static PlaceAnswer takePlace(ClusterMachine &C) {
  PlaceAnswer A = {};
  const std::optional<uint64_t> Index = C.R.Queue.takeOver();
  if (!Index)
    return A;
  ++C.NumTakenOver;
  C.GivesWay = true;
  const Dim3 First = firstBlockOf(C.R.Launch, *Index);
  A.First = {uint32_t(First.X), uint32_t(First.Y), uint32_t(First.Z)};
  A.IsGiven = 1;
  return A;
}

static Outcome runTryCancel(WarpMachine &W, const Step &S, uint32_t Lanes) {
  const StringRef M = S.I->Modifiers;
  const AddressSpace Space = hasModifier(M, "shared::cta")
                                 ? AddressSpace::Shared
                                 : AddressSpace::Generic;
  for (; Lanes; Lanes &= Lanes - 1) {
    const auto L = unsigned(llvm::countr_zero(Lanes));
    uint64_t Barrier = laneAddress(W, S.Address2, L);
    Piece To;
    if (!findPiece(W, S, L, laneAddress(W, S.Address, L),
                   {Space, AnswerBytes, AnswerBytes}, To))
      return Outcome::Stop;
    if (To.Space != AddressSpace::Shared ||
        (Space == AddressSpace::Generic &&
         resolveGeneric(Barrier) != AddressSpace::Shared))
      return W.fail(S, "the answer or its mbarrier is not in shared memory");
    CopyTargets Targets;
    if (hasModifier(M, "multicast::cluster::all"))
      Targets.Ranks = (1u << W.Block.Cluster.Blocks.size()) - 1;
    const PlaceAnswer A = takePlace(W.Block.Cluster);
    auto Write = [&](uint64_t Address, uint64_t Signalled) {
      Piece There;
      if (!findPiece(W, S, L, Address,
                     {AddressSpace::Shared, AnswerBytes, AnswerBytes}, There))
        return false;
      BulkCounter(W, S).writeShared(There.Address, AnswerBytes, Signalled);
      memcpy(There.Host, &A, AnswerBytes);
      return completeBytes(W, S, L, Signalled, AnswerBytes);
    };
    if (!Targets.forEach(To.Address, Barrier, Write))
      return Outcome::Stop;
  }
  return Outcome::Next;
}

static Outcome runQueryCancel(WarpMachine &W, const Step &S, uint32_t Lanes) {
  alignas(64) Bits128 Storage[WarpSize];
  const auto *From =
      static_cast<const Bits128 *>(W.adapted(S.Sources[0], Storage));
  PlaceAnswer Answers[WarpSize];
  for (unsigned L = 0; L != WarpSize; ++L)
    memcpy(&Answers[L], &From[L], AnswerBytes);
  const StringRef M = S.I->Modifiers;
  if (hasModifier(M, "is_canceled")) {
    uint32_t Given = 0;
    for (unsigned L = 0; L != WarpSize; ++L)
      Given |= (Answers[L].IsGiven & 1) << L;
    W.writePredicate(S.Dests[0], Given, Lanes);
    return Outcome::Next;
  }
  // All four of a vector, whose last one means nothing, or one index.
  const unsigned First = hasModifier(M, "get_first_ctaid::y")   ? 1
                         : hasModifier(M, "get_first_ctaid::z") ? 2
                                                                : 0;
  for (unsigned D = 0; D != S.NumDests; ++D) {
    uint32_t Out[WarpSize];
    for (unsigned L = 0; L != WarpSize; ++L)
      Out[L] = D == 3 ? 0 : Answers[L].First[First + D];
    W.writeElements(S.Dests[D], Out, Lanes);
  }
  return Outcome::Next;
}

Handler emulator::launchControlHandler(Opcode Op, Step &S) {
  if (Op == Opcode::ClusterlaunchcontrolTryCancel)
    return S.NumAddresses == 2 &&
                   hasModifier(S.I->Modifiers, "mbarrier::complete_tx::bytes")
               ? runTryCancel
               : nullptr;
  if (Op != Opcode::ClusterlaunchcontrolQueryCancel || S.NumSources != 1)
    return nullptr;
  const bool IsVector = hasModifier(S.I->Modifiers, "v4");
  return S.NumDests == (IsVector ? 4 : 1) ? runQueryCancel : nullptr;
}

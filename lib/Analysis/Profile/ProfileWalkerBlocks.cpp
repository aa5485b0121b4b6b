//===- ProfileWalkerBlocks.cpp - Blocks and their events ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ProfileWalker.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "ptxpredict/Launch/BufferContents.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Basis = Condition::BasisTy;

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

static uint32_t maskOf(const CompiledExpressions *C, unsigned Root) {
  if (Root == Guard::True || Root == Guard::False)
    return Root == Guard::True ? ~0u : 0;
  if (C->isScalar(Root))
    return C->lane(Root, 0) & 1 ? ~0u : 0;
  uint32_t Mask = 0;
  for (unsigned L = 0; L != WarpSize; ++L)
    Mask |= uint32_t(C->lane(Root, L) & 1) << L;
  return Mask;
}

/// Whether a guard knows the counter of a loop that may run on.
bool ProfileWalker::knowsBeyond(const Guard &G) const {
  return llvm::any_of(
      G.Counts, [&](const Region *R) { return Regions[R->Number].IsBeyond; });
}

ConditionLanes ProfileWalker::lanesOf(const Guard &G,
                                      const BlockState &S) const {
  ConditionLanes L;
  const CompiledExpressions *C = S.Compiled.get();
  L.Must = maskOf(C, G.Must);
  L.May = G.May == G.Must ? L.Must : maskOf(C, G.May);
  L.Likely = G.Likely == G.Must  ? L.Must
             : G.Likely == G.May ? L.May
                                 : maskOf(C, G.Likely);
  L.Basis = G.Basis;
  if (!G.Given) {
    L.May &= G.MayHold;
    L.Must |= ~G.MayFail;
    L.HoldsAlike = G.HoldsAlike;
    L.FailsAlike = G.FailsAlike;
  }
  // In iterations that nobody looks at it may be otherwise.
  const bool KnowsBeyond = Weight.IsUnbounded && knowsBeyond(G);
  if (L.Must == L.May && KnowsBeyond) {
    L.Must = 0;
    L.May = ~0u;
    L.Basis = Basis::Launch;
  }
  L.VariesInWarp = G.VariesInWarp;
  L.PartedBy = G.PartsBlock ? G.I : nullptr;
  // Nobody knows whether lanes go a hidden way in any launch.
  L.IsTypical = KnowsBeyond || (G.IsHidden && !G.Given && !G.LeavesIf);
  L.Probability = G.Given.value_or(G.Probability);
  L.Status = Status::Assumed;
  if (G.Given) { // nothing but the launch's word counts
    L.Status = Status::Known;
    if (L.Basis >= Basis::Launch && L.Basis <= Basis::Index)
      L.Basis = Basis::Uniform;
  }
  return L;
}

/// Where lanes go from an exit of the region's loop that nothing decides: they
/// stay but in the last iteration.
GuardSides ProfileWalker::leaveOrStay(const Region &R, const ActiveLanes &F,
                                      const ConditionLanes &C, bool Leaves) {
  RegionState &S = state(R);
  double Stay = R.HeaderRuns ? S.StayShare : 1;
  double Out = 1 - Stay;
  // Other exits have their part, but not where the first thing is a test.
  if (S.ExitsLeft > 1 && Out > 0 && !R.TestsFirst)
    Out /= S.ExitsLeft;
  S.ExitsLeft -= S.ExitsLeft != 0;
  ActiveLanes Leaving = F, Staying = F;
  if (R.IsGiven && Out == 1) {
    Staying = ActiveLanes();
  } else if (R.IsGiven && Out == 0) {
    Leaving = ActiveLanes();
  } else {
    for (ActiveLanes *Side : {&Leaving, &Staying}) {
      Side->doubt(R.IsGiven ? Status::Known : Status::Assumed);
      C.mark(*Side);
      Side->IsCertain = F.IsCertain && !C.VariesInWarp;
    }
    Leaving.Weight *= Out;
    Staying.Weight *= 1 - Out;
  }
  return Leaves ? GuardSides(Leaving, Staying) : GuardSides(Staying, Leaving);
}

GuardSides ProfileWalker::branch(const Region &R, const Guard &G,
                                 const ActiveLanes &F, const BlockState &S) {
  ConditionLanes C = lanesOf(G, S);
  const bool IsOpen = F.May & C.May & ~C.Must;
  if (R.Polling && G.LeavesIf) {
    bool Leaves = R.Polling->isExit(*G.I);
    return Leaves == *G.LeavesIf ? GuardSides(F, ActiveLanes())
                                 : GuardSides(ActiveLanes(), F);
  }
  if (G.LeavesIf && (R.IsGiven || (R.HeaderRuns && state(R).StayShare < 1) ||
                     (IsOpen && G.Basis > Basis::Bounded)))
    return leaveOrStay(R, F, C, *G.LeavesIf);
  if (IsOpen && G.LeavesIf && G.Basis == Basis::Bounded)
    Assumptions.noteBounds(R);
  else if (IsOpen)
    Assumptions.noteBranch(G);
  return split(F, C);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

bool ProfileWalker::runCall(const Event &E, const ActiveLanes &Active,
                            ActiveLanes &F) {
  if (!Active)
    return true;
  ActiveLanes Entry = Active;
  if (E.NumTargets > 1) { // one of them is called, always or never
    Entry.doubt(Status::Assumed);
    Entry.Weight /= double(E.NumTargets);
  }
  for (const CallContext *To : E.Callees) {
    ExitFlows Exits;
    ActiveLanes Back;
    if (!runRegion({*To, To->whole(), Exits, Back}, Entry))
      return false;
    if (To->MayExit)
      F.doubt(Status::Assumed);
  }
  for (const InstructionGraph *G : E.Alone) { // run later, for all callers
    if (isCounting())
      Counts->addCall(*Program.Alone.lookup(G), Entry, Weight);
    if (Program.EndsThreads)
      F.doubt(Status::Assumed);
  }
  return true;
}

/// Whether lanes of \p Mask that have not ended may be elsewhere.
bool ProfileWalker::isMissing(const ActiveLanes &F, uint32_t Mask) const {
  uint32_t Needed = Mask & Alive.May;
  return Needed && Needed & ~F.must() && !F.sameLanes(Alive) &&
         !(F.IsCertain && (Needed & ~F.Likely) == 0);
}

/// Whether one of the lanes is not within the buffer, which is at 0 itself.
static bool isBeyond(const Access &M, const LaneArray &Offsets,
                     uint32_t Lanes) {
  for (unsigned L = 0; L != WarpSize; ++L)
    if (Lanes >> L & 1 && !M.Contents->holds(Offsets[L], M.Bytes))
      return true;
  return false;
}

/// Whether lanes read beyond the end of a buffer at an end of the runs of
/// blocks, warps and iterations that are taken together: a linear form is
/// largest or smallest there.
bool ProfileWalker::readsBeyondAtEnds(const Access &M, uint32_t Lanes) {
  const uint64_t FirstWarp = A.Warp;
  const bool HasWarps = WarpRun != 1 && M.Address->Varies & VariesInBlock;
  bool IsRun = HasWarps, Found = false;
  for (bool Largest : {true, false}) {
    SmallVector<uint64_t, 8> First;
    for (const Dimension &D : Dimensions) {
      First.push_back(D.Count == 1 ? 0 : valueOf(*D.Counter, A));
      if (D.Count == 1 || !dependsOn(*M.Address, *D.Counter))
        continue;
      IsRun = true;
      if ((slopeOf(M, *D.Counter, &A).Value > 0) == Largest)
        setValue(*D.Counter, A, First.back() + D.Count - 1);
    }
    for (const uint64_t Last : {FirstWarp, FirstWarp + WarpRun - 1}) {
      if (!IsRun || Found || (Last != FirstWarp && !HasWarps))
        continue;
      A.Warp = Last;
      Found = isBeyond(M, ptxpredict::evaluate(*M.Address, A), Lanes);
      ++Spent;
    }
    A.Warp = FirstWarp;
    for (auto [D, V] : llvm::zip(Dimensions, First))
      if (D.Count != 1)
        setValue(*D.Counter, A, V);
  }
  return Found;
}

/// Notes whether lanes read beyond the end of a buffer, of which nobody says
/// what is there.
void ProfileWalker::checkContents(const Access &M, const BlockState &S,
                                  const ActiveLanes &Lanes) {
  if (llvm::is_contained(ReadBeyond, M.Contents))
    return;
  LaneArray Here;
  for (unsigned L = 0; L != WarpSize; ++L)
    Here[L] = S.Located->lane(M.Root, L);
  // Of what is taken to be a run nobody knows where it ends, and lanes that may
  // not come there perhaps ask first whether they are within.
  const bool IsRun = Thoroughness == Effort::All && !Weight.IsUnbounded;
  if (isBeyond(M, Here, Lanes.May & M.Lanes) ||
      (IsRun && readsBeyondAtEnds(M, Lanes.must() & M.Lanes)))
    ReadBeyond.push_back(M.Contents);
}

/// What it takes to look at a warp's lanes where each warp's lie otherwise.
static constexpr uint64_t StepsOfWarp = 8;

void ProfileWalker::countRequests(const BlockVisit &V, const Event &E,
                                  const ActiveLanes &By) {
  std::optional<ActiveLanes> Reading;
  if (E.Reads >= 0)
    Reading = split(By, lanesOf(V.P.Guards[unsigned(E.Reads)], V.State)).first;
  for (unsigned N = E.FirstAccess; N != E.FirstAccess + E.NumAccesses; ++N) {
    const Access &M = V.P.Accesses[N];
    const ActiveLanes &Lanes = M.IsOfReads && Reading ? *Reading : By;
    if (!(Lanes.May & M.Lanes))
      continue;
    Assumptions.noteStride(*E.I, M);
    Assumptions.noteScale(*E.I, M);
    Assumptions.noteCopy(*E.I, M);
    if (M.Contents)
      checkContents(M, V.State, Lanes);
    const bool IsPart =
        Weight.IsUnbounded || Thoroughness != Effort::All || Lanes.IsParted;
    const RequestBatch Batch{Lanes,      V.State.Located.get(), A,
                             Dimensions, Weight.Multiple,       WarpRun,
                             IsPart};
    const unsigned Number = V.P.FirstAccess + N;
    const double Sectors = Counts->addRequests(M, Number, Batch, Weight);
    if (!Records || M.Record < 0)
      continue;
    Records->addRequests({M, Counts->access(Number), Batch,
                          E.ReadsPart && M.IsOfReads, Sectors});
    if (!Counts->access(Number).Warps &&
        Records->readsData(unsigned(M.Record)) &&
        M.Address->Varies & VariesInBlock)
      Spent += StepsOfWarp * WarpRun;
  }
}

bool ProfileWalker::runEvent(BlockVisit &V, const Event &E, ActiveLanes &F) {
  if (isMissing(F, E.Waits))
    F.Waited = ++NumWaits;
  const bool IsLast = E.I == V.B.terminator();
  if (!isCounting() && !E.isCall() && !IsLast)
    return true;
  const ActiveLanes *By = &F; // what executes it
  if (E.Guard >= 0) {
    const Guard &G = V.P.Guards[unsigned(E.Guard)];
    if (IsLast) {
      V.Sides = branch(V.R, G, F, V.State);
    } else {
      V.Sides = split(F, lanesOf(G, V.State));
      if (E.I->IsCall && V.Sides.first && V.Sides.second)
        Assumptions.noteBranch(G);
    }
    By = &V.Sides.first;
    if (isCounting())
      Counts->addGuard(G, F, V.Sides, Weight);
  }
  if (isCounting()) {
    if (E.I->IsBlockBarrier && *By)
      Barriers.add({&V.C, E.I}, *By, Alive,
                   {Weight.Multiple * By->Weight / Apiece, V.WasParted});
    countRequests(V, E, *By);
  }
  if (!E.isCall())
    return true;
  if (!runCall(E, ActiveLanes(*By), F)) // F may change
    return false;
  evaluate(V.State); // what loops left behind has changed
  if (Now == Pass::FindRuns)
    limitRuns(V.P, V.State.Compared.get(), F.May);
  return true;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void ProfileWalker::evaluate(BlockState &S) {
  if (S.Compiled)
    S.Compiled->run(A);
  if (S.Located && isCounting())
    S.Located->run(A);
}

void ProfileWalker::countBlock(const BlockVisit &V, const ActiveLanes &F) {
  Counts->addBlock(V.C, V.B, F, Weight);
  if (!WorkNow)
    return;
  WorkNow->Instructions +=
      Weight.Multiple / Apiece * F.Weight * V.P.NumInstructions;
  WorkNow->IsCertain &= F.IsPlain && !Weight.IsUnbounded;
  WorkNow->MostInstructions +=
      Weight.most() / Apiece *
      (F.IsParted ? double(llvm::popcount(F.May)) : 1) * V.P.NumInstructions;
}

/// Ends threads at an exit.
void ProfileWalker::endThreads(const BlockVisit &V, const ActiveLanes &F) {
  const Instruction *T = V.B.terminator();
  const bool Returns = T && ptx::Opcode(T->Opcode) == ptx::Opcode::Ret;
  if (!T || !T->IsExit || (Returns && &V.C != &Program.kernel()))
    return;
  if (F.sameLanes(Alive))
    Alive = T->HasGuard ? V.Sides.second : ActiveLanes();
  else if (Alive.IsPlain)
    Alive.Likely = Alive.May &= ~(T->HasGuard ? V.Sides.first : F).must();
}

/// Finds what goes to each successor.
void ProfileWalker::leaveBlock(BlockVisit &V, const ActiveLanes &F,
                               SmallVectorImpl<ActiveLanes> &Sent) {
  const Instruction *T = V.B.terminator();
  const bool IsGuarded = T && T->HasGuard;
  const size_t Number = V.B.Successors.size();
  if (Number == 0)
    return;
  if (T && T->IsExit) { // goes on where its guard does not hold
    Sent.resize(Number);
    if (IsGuarded)
      Sent.back() = std::move(V.Sides.second);
  } else if (IsGuarded && Number == 2) {
    Sent.push_back(std::move(V.Sides.first));
    Sent.push_back(std::move(V.Sides.second));
  } else if (Number == 1) {
    Sent.push_back(F);
  } else { // a jump table: any of its targets alike
    ActiveLanes Part = F;
    for (size_t Half = 1; Half < Number; Half *= 2)
      Part.doubt(Status::Assumed);
    Part.Weight /= double(Number);
    Sent.append(Number, Part);
  }
}

/// Runs a block. \p Sent gets what goes to each successor.
bool ProfileWalker::runBlock(const RegionVisit &Around, const Block &B,
                             ActiveLanes &F,
                             SmallVectorImpl<ActiveLanes> &Sent) {
  const PreparedBlock &P = Around.C.Blocks[B.Number];
  if (!spend(P.Conditions.size() + P.Addresses.size() + 1))
    return false;
  BlockVisit V{Around.C,           Around.R,   B,           P,
               state(Around.C, B), F.IsParted, GuardSides()};
  evaluate(V.State);
  if (Now == Pass::FindRuns)
    limitRuns(P, V.State.Compared.get(), F.May);
  // Where some lanes wait at a barrier the others go on at once.
  for (unsigned N : P.GuardedBarriers)
    if (auto [Waiting, Others] = split(F, lanesOf(P.Guards[N], V.State));
        Waiting && Others)
      F.part();
  if (isCounting())
    countBlock(V, F);
  ArrayRef<Event> Events = P.Events;
  if (!isCounting() && !P.HasCallsOrWaits && !Events.empty())
    Events = Events.take_back(); // no other is more than counted
  for (const Event &E : Events)
    if (!runEvent(V, E, F))
      return false;
  endThreads(V, F);
  leaveBlock(V, F, Sent);
  return true;
}

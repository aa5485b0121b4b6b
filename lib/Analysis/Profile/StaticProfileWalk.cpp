//===- StaticProfileWalk.cpp - A warp's way through the code --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "StaticProfileImpl.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Basis = Condition::BasisTy;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Adds so much for each warp that comes: what is likely, and bounds.
void StaticProfiler::add(Estimate &To, const ActiveLanes &F, double Likely,
                         double Fewest, double Most) {
  double Times = Multiple * F.Weight;
  if (Fewest == Most && F.Status == Status::Known && !IsUnbounded) {
    To += Estimate::known(Times * Likely);
    return;
  }
  To += Estimate(Times * Likely, weakest(F.Status, Status::Assumed),
                 F.must() && !IsUnbounded ? Multiple * Fewest * LowScale : 0,
                 Most == 0     ? 0
                 : IsUnbounded ? Infinity
                               : Multiple * Most * HighScale);
}

void StaticProfiler::addRuns(Estimate &To, const ActiveLanes &F) {
  // Lanes that parted come one by one at the most, and perhaps in different
  // iterations together.
  if (F.IsParted)
    add(To, F, 1, LoopNow == nullptr, llvm::popcount(F.May));
  else if (!IsUnbounded && F.must())
    To += Estimate::known(Multiple);
  else
    add(To, F, 1, 1, 1);
}

void StaticProfiler::addLanes(Estimate &To, const ActiveLanes &F) {
  add(To, F, llvm::popcount(F.Likely), llvm::popcount(F.must()),
      llvm::popcount(F.May));
}

//===----------------------------------------------------------------------===//
// Blocks
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

ConditionLanes StaticProfiler::lanesOf(const Guard &G,
                                       const PreparedBlock &P) const {
  ConditionLanes L;
  const CompiledExpressions *C = P.Compiled.get();
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
  if (L.Must == L.May && IsUnbounded && G.knowsBeyond()) {
    L.Must = 0;
    L.May = ~0u;
    L.Basis = Basis::Launch;
  }
  L.VariesInWarp = G.VariesInWarp;
  L.PartedBy = G.PartsBlock ? G.I : nullptr;
  L.IsTypical = IsUnbounded && G.knowsBeyond();
  L.Probability = G.Given.value_or(G.Probability);
  L.Status = Status::Assumed;
  if (G.Given) { // nothing but the launch's word counts
    L.Status = Status::Known;
    if (L.Basis == Basis::Index || L.Basis == Basis::Launch)
      L.Basis = Basis::Uniform;
  }
  return L;
}

/// Where lanes go from an exit of the region's loop that nothing decides: they
/// stay but in the last iteration.
static std::pair<ActiveLanes, ActiveLanes> leaveOrStay(Region &R,
                                                       const ActiveLanes &F,
                                                       const ConditionLanes &C,
                                                       bool Leaves) {
  double Stay = R.HeaderRuns ? R.StayShare : 1;
  double Out = 1 - Stay;
  // Other exits have their part, but not where the first thing is a test.
  if (R.ExitsLeft > 1 && Out > 0 && !R.TestsFirst)
    Out /= R.ExitsLeft;
  R.ExitsLeft -= R.ExitsLeft != 0;
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
  return Leaves ? std::pair(Leaving, Staying) : std::pair(Staying, Leaving);
}

std::pair<ActiveLanes, ActiveLanes>
StaticProfiler::branch(Region &R, Guard &G, const ActiveLanes &F,
                       const PreparedBlock &P) {
  ConditionLanes C = lanesOf(G, P);
  if (G.LeavesIf && (R.IsGiven || (R.HeaderRuns && R.StayShare < 1) ||
                     (F.May & C.May & ~C.Must && G.Basis > Basis::Launch)))
    return leaveOrStay(R, F, C, *G.LeavesIf);
  if (F.May & C.May & ~C.Must)
    noteBranch(G);
  return split(F, C);
}

bool StaticProfiler::runCall(const Event &E, const ActiveLanes &Active,
                             ActiveLanes &F) {
  if (!Active)
    return true;
  ActiveLanes Entry = Active;
  if (E.NumTargets > 1) { // one of them is called, always or never
    Entry.doubt(Status::Assumed);
    Entry.Weight /= double(E.NumTargets);
  }
  for (CallContext *To : E.Callees) {
    ExitFlows Exits;
    ActiveLanes Back;
    if (!runRegion(*To, To->Regions.back(), Entry, Exits, Back))
      return false;
    if (To->MayExit)
      F.doubt(Status::Assumed);
  }
  for (const InstructionGraph *G : E.Alone) { // run later, for all callers
    if (Now == Pass::Count)
      addRuns(Alone.lookup(G)->Entries, Entry);
    if (endsThreads())
      F.doubt(Status::Assumed);
  }
  return true;
}

/// Runs the functions that are called with unknown arguments, once for all who
/// call them; nobody knows with which lanes.
bool StaticProfiler::runAlone() {
  uint64_t Lanes = std::min<uint64_t>(WarpSize, Launch.threadsPerBlock());
  A.Warp = 0;
  A.BlockIndex = {0, 0, 0};
  Dimensions.clear();
  if (Records)
    Records->beginAlone();
  Now = Pass::Count;
  bool Good = true;
  for (CallContext *C : AloneOrder) {
    const Estimate N = C->Entries;
    if (N.High == 0 || !Good)
      continue;
    bool IsLikely = N.Value > 0, IsBounded = std::isfinite(N.High);
    Multiple = IsLikely ? N.Value : IsBounded ? N.High : 1;
    LowScale = IsLikely ? N.Low / N.Value : 0;
    HighScale = IsLikely && IsBounded ? N.High / N.Value : 1;
    IsUnbounded = !IsBounded || C->CallsItself;
    ActiveLanes Entry =
        ActiveLanes::plain(uint32_t((uint64_t(1) << Lanes) - 1));
    bool IsKnown = N.isKnown() && !C->CallsItself;
    Entry.doubt(IsKnown ? Status::Known : Status::Assumed);
    Entry.Weight = IsLikely;
    Alive = Entry;
    ExitFlows Exits;
    ActiveLanes Back;
    Good = runRegion(*C, C->Regions.back(), Entry, Exits, Back);
  }
  LowScale = HighScale = Multiple = 1;
  IsUnbounded = false;
  return Good;
}

/// Whether lanes of \p Mask that have not ended may be elsewhere.
bool StaticProfiler::isMissing(const ActiveLanes &F, uint32_t Mask) const {
  uint32_t Needed = Mask & Alive.May;
  return Needed && Needed & ~F.must() && !F.sameLanes(Alive) &&
         !(F.IsCertain && (Needed & ~F.Likely) == 0);
}

/// Runs a block. \p Out gets what goes to each successor.
bool StaticProfiler::runBlock(CallContext &C, Region &R, const Block &B,
                              ActiveLanes &F,
                              SmallVectorImpl<ActiveLanes> &Out) {
  PreparedBlock &P = C.Blocks[B.Number];
  if (!spend(P.Conditions.size() + P.Addresses.size() + 1))
    return false;
  auto Evaluate = [&] {
    if (P.Compiled)
      P.Compiled->run(A);
    if (P.Located && Now == Pass::Count)
      P.Located->run(A);
  };
  Evaluate();
  if (Now == Pass::FindRuns)
    limitRuns(R, P, F.May);
  const bool WasParted = F.IsParted;
  // Of a barrier for some lanes the others go on at once.
  for (unsigned N : P.GuardedBarriers)
    if (auto [Waiting, Others] = split(F, lanesOf(P.Guards[N], P));
        Waiting && Others)
      F.part();
  bool Counts = Now == Pass::Count;
  if (Counts) {
    BlockCounts &N = C.Out->Blocks[B.Number];
    addRuns(N.Runs, F);
    addLanes(N.Lanes, F);
    if (Records)
      Records->addInstructions(Multiple * F.Weight * P.NumInstructions,
                               F.IsPlain && !IsUnbounded &&
                                   Thoroughness == Effort::All);
  }
  const Instruction *T = B.terminator();
  std::pair<ActiveLanes, ActiveLanes>
      Sides; // of the last guard, in the end the terminator
  MutableArrayRef<Event> Events(P.Events);
  if (!Counts && !P.HasCallsOrWaits && !Events.empty())
    Events = Events.take_back(); // no other is more than counted
  for (Event &E : Events) {
    if (isMissing(F, E.Waits))
      F.Waited = ++NumWaits;
    bool Calls = !E.Callees.empty() || !E.Alone.empty();
    if (!Counts && !Calls && E.I != T)
      continue;
    const ActiveLanes *By = &F; // what executes it
    if (E.Guard >= 0) {
      Guard &G = P.Guards[unsigned(E.Guard)];
      if (E.I == T) {
        Sides = branch(R, G, F, P);
      } else {
        Sides = split(F, lanesOf(G, P));
        if (E.I->IsCall && Sides.first && Sides.second)
          noteBranch(G);
      }
      const ActiveLanes &Active = Sides.first;
      By = &Active;
      if (Counts) {
        if (Active)
          addRuns(G.Out->Any, Active);
        if (Active)
          addLanes(G.Out->Lanes, Active);
        bool MaySplit = Sides.first && Sides.second;
        bool BothLikely =
            F.Weight == 0 || (Active.Weight != 0 && Sides.second.Weight != 0);
        bool Splits =
            MaySplit && BothLikely &&
            (Active.Likely != F.Likely || G.Basis == Basis::Divergent);
        bool IsExact = !(Sides.first.May & Sides.second.May) &&
                       (F.IsPlain || F.IsCertain) && !IsUnbounded;
        bool Must = Sides.first.must() && Sides.second.must();
        // Lanes that parted may come together in different iterations.
        if (F.IsParted && G.Must != Guard::True && G.May != Guard::False)
          add(G.Out->Split, F, Splits, 0, llvm::popcount(F.May) / 2.0);
        else if (G.VariesInWarp && MaySplit)
          add(G.Out->Split, F, Splits, IsExact ? Splits : Must,
              Splits || !IsExact);
      }
    }
    if (Counts && E.I->IsBlockBarrier && *By)
      Barriers.add(C, *E.I, *By, Alive, Multiple * By->Weight / Apiece,
                   WasParted);
    std::optional<ActiveLanes> Reading;
    if (E.Reads >= 0 && Counts)
      Reading = split(*By, lanesOf(P.Guards[unsigned(E.Reads)], P)).first;
    for (Access &M :
         MutableArrayRef(P.Accesses).slice(E.FirstAccess, E.NumAccesses)) {
      const ActiveLanes &Lanes = M.IsOfReads && Reading ? *Reading : *By;
      if (!Counts || !(Lanes.May & M.Lanes))
        continue;
      addRuns(M.Requests, Lanes);
      if (M.StrideOf && !std::exchange(M.IsStrideNoted, true))
        noteStride(*E.I, *M.StrideOf);
      bool IsPart =
          IsUnbounded || Thoroughness != Effort::All || Lanes.IsParted;
      double Before = M.Sum[Sectors];
      Costs.count(M, Lanes, P.Located.get(), A, Dimensions, Multiple, WarpRun,
                  IsPart);
      if (M.Record >= 0)
        Records->add(M, Lanes, P.Located.get(), A, Dimensions, Multiple,
                     WarpRun, IsPart, E.ReadsPart && M.IsOfReads,
                     M.Sum[Sectors] - Before);
    }
    if (Calls) {
      if (!runCall(E, ActiveLanes(*By), F)) // F may change
        return false;
      Evaluate(); // what loops left behind has changed
    }
  }
  bool IsGuarded = T && T->HasGuard;
  if (T && T->IsExit &&
      (&C == Contexts.front().get() ||
       ptx::Opcode(T->Opcode) != ptx::Opcode::Ret)) {
    if (F.sameLanes(Alive))
      Alive = IsGuarded ? Sides.second : ActiveLanes();
    else if (Alive.IsPlain)
      Alive.Likely = Alive.May &= ~(IsGuarded ? Sides.first : F).must();
  }
  if (B.Successors.empty())
    return true;
  if (T && T->IsExit) { // goes on where its guard does not hold
    Out.resize(B.Successors.size());
    if (IsGuarded)
      Out.back() = Sides.second;
  } else if (IsGuarded && B.Successors.size() == 2) {
    Out.push_back(Sides.first);
    Out.push_back(Sides.second);
  } else if (B.Successors.size() == 1) {
    Out.push_back(F);
  } else { // a jump table: any of its targets alike
    for (size_t N = 0; N != B.Successors.size(); ++N) {
      ActiveLanes Part = F;
      for (size_t Half = 1; Half < B.Successors.size(); Half *= 2)
        Part.doubt(Status::Assumed);
      Part.Weight /= double(B.Successors.size());
      Out.push_back(Part);
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

void counting::sendTo(ExitFlows &Exits, const Block *To, const ActiveLanes &F) {
  if (!F)
    return;
  for (auto &[B, Former] : Exits)
    if (B == To) {
      Former.merge(F, /*Settles=*/false);
      return;
    }
  Exits.push_back({To, F});
}

std::optional<int> CallContext::loopInside(const Region &R,
                                           const Block *B) const {
  const ControlFlow &CF = V->controlFlow();
  int In = cycleOf(B), Last = -1;
  for (; In != R.Cycle; In = CF.cycles()[size_t(In)].ParentIndex) {
    if (In < 0)
      return std::nullopt;
    Last = In;
  }
  return Last;
}

/// Runs the blocks of a region once. Lanes that leave it are added to \p Exits,
/// those that go back to its header to \p Back.
bool StaticProfiler::runRegion(CallContext &C, Region &R,
                               const ActiveLanes &Entry, ExitFlows &Exits,
                               ActiveLanes &Back) {
  ArrayRef<Cycle> Cycles = C.V->controlFlow().cycles();
  const Block *Header = R.Items.front().B;
  for (const Region::Item &Item : R.Items)
    C.Arrived[Item.B->Number] = ActiveLanes();
  C.Arrived[Header->Number] = Entry;
  auto Send = [&](const Block *To, const ActiveLanes &F) {
    if (!F)
      return;
    if (R.Cycle >= 0 && To == Header) {
      Back.merge(F);
    } else if (std::optional<int> Loop = C.loopInside(R, To)) {
      if (*Loop >= 0) // perhaps not by its header
        To = Cycles[size_t(*Loop)].Header;
      C.Arrived[To->Number].merge(F);
    } else {
      sendTo(Exits, To, F);
    }
  };
  for (const Region::Item &Item : R.Items) {
    ActiveLanes &Here = C.Arrived[Item.B->Number];
    if (!Here)
      continue;
    const Block &B = *Item.B;
    // Lanes that parted behind the dominator are all together again.
    if (Item.Above && !Here.IsPlain) {
      const ActiveLanes &Above = Item.AboveLoop < 0
                                     ? C.Arrived[Item.Above->Number]
                                     : C.Entered[size_t(Item.AboveLoop)];
      if (!Here.IsParted && Here.sameLanes(Above)) {
        unsigned Waited = Here.Waited;
        Here = Above;
        Here.Waited = Waited;
      } else {
        Here.Weight = std::min(Here.Weight, Above.Weight);
      }
    }
    // Here those meet whom a condition parted.
    if (const Instruction *By = Here.PartedBy;
        By && By->Parent != &B && By->Parent->Parent == B.Parent &&
        C.V->controlFlow().postDominates(&B, By->Parent))
      Here.PartedBy = nullptr;
    if (Item.Inner >= 0) {
      Region &Loop = C.Regions[size_t(Item.Inner)];
      ExitFlows Left;
      ActiveLanes Into = C.Entered[size_t(Item.Inner)] = Here;
      if (!(Loop.IsReducible ? runLoop(C, Loop, Into, Left)
                             : runIrreducible(C, Loop, Into, Left)))
        return false;
      for (const auto &[To, F] : Left)
        Send(To, F);
      continue;
    }
    SmallVector<ActiveLanes, 2> Out;
    ActiveLanes F = Here;
    if (!runBlock(C, R, B, F, Out))
      return false;
    if (&B == Header && R.Cycle >= 0 && Now == Pass::Count) {
      // Where the header may leave the loop, what runs on is a body.
      ActiveLanes Body = F;
      if (R.TestsFirst) {
        Body = ActiveLanes();
        for (size_t N = 0; N != Out.size(); ++N)
          if (Cycles[size_t(R.Cycle)].contains(B.Successors[N]))
            Body.merge(Out[N]);
      }
      if (Body)
        addRuns(R.Bodies, Body);
      if (Body)
        R.BodiesNow += Multiple * Body.Weight;
    }
    for (size_t N = 0; N != Out.size(); ++N)
      Send(B.Successors[N], Out[N]);
  }
  return true;
}

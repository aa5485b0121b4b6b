//===- StaticCountsWalk.cpp - A warp's way through the code ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "StaticCountsImpl.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Basis = Condition::Basis;

/// Iterations after which a loop is taken not to end.
static constexpr uint64_t Endless = uint64_t(1) << 40;
/// With little effort: iterations of one entry that are looked at one by one.
static constexpr uint64_t FewIterations = 8;

static constexpr double Infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Adds so much for each warp that comes: what is likely, and bounds.
void StaticCounter::add(Count &To, const Flow &F, double Likely, double Fewest,
                        double Most) {
  double Times = Multiple * F.Weight;
  if (Fewest == Most && F.How == Status::Known && !IsUnbounded) {
    To += Count::known(Times * Likely);
    return;
  }
  To += Count(Times * Likely, weakest(F.How, Status::Assumed),
              F.must() && !IsUnbounded ? Multiple * Fewest : 0,
              Most == 0     ? 0
              : IsUnbounded ? Infinity
                            : Multiple * Most);
}

void StaticCounter::addRuns(Count &To, const Flow &F) {
  if (!IsUnbounded && F.must())
    To += Count::known(Multiple);
  else
    add(To, F, 1, 1, 1);
}

void StaticCounter::addLanes(Count &To, const Flow &F) {
  add(To, F, llvm::popcount(F.Likely), llvm::popcount(F.must()),
      llvm::popcount(F.May));
}

//===----------------------------------------------------------------------===//
// What is assumed
//===----------------------------------------------------------------------===//

void StaticCounter::assume(Assumption A) {
  if (Assumed.insert(A.Option).second)
    Result.Assumptions.push_back(std::move(A));
}

void StaticCounter::noteBranch(Guard &G) {
  if (std::exchange(G.IsNoted, true) || G.Given || G.Why <= Basis::Launch)
    return;
  const Instruction &I = *G.I;
  if (!I.IsTerminator && !I.IsCall)
    return;
  std::string Line = std::to_string(I.Line);
  Assumption A;
  A.Line = I.Line;
  A.What = I.IsCall ? "guarded call made" : "branch taken";
  double Taken = G.Probability;
  if (G.Why == Basis::Index) {
    Taken = G.Likely != Guard::False;
    if (!I.IsCall)
      A.What += Taken ? ", index within bounds" : ", index out of bounds";
  } else if (G.EntersLoop) {
    A.What += Taken != 0 ? " into the loop" : " past the loop";
  } else if (G.Why == Basis::Divergent) {
    Taken = 1;
  }
  A.Value = shortestDecimal(Taken);
  A.Option = "--branch-probability=" + Line + "=P";
  assume(std::move(A));
}

/// How an option names a block: its label without leading '$', or its line.
static std::string optionName(const Block &B) {
  StringRef Label = B.Label;
  Label.consume_front("$");
  return Label.empty() ? std::to_string(B.Line) : Label.str();
}

void StaticCounter::noteLoop(const Context &C, Region &R) {
  if (std::exchange(R.IsNoted, true) || R.IsGiven)
    return;
  const Block &Header = *C.V->controlFlow().cycles()[size_t(R.Cycle)].Header;
  Assumption A;
  std::string Name = optionName(Header);
  A.What = "trip count of " + (Header.Label.empty() ? "the loop at line " + Name
                                                    : Header.Label.str());
  A.Value = std::to_string(int(DefaultTripCount));
  A.Line = Header.Line;
  A.Option = "--trip-count=" + Name + "=N";
  assume(std::move(A));
}

/// A lane stride that contains a parameter, once for each.
void StaticCounter::noteStride(const Instruction &I, const Symbol &Parameter) {
  Assumption A;
  A.What = "lane stride that contains " + Parameter.Name;
  A.Value = "a sector each";
  A.IsNumber = false;
  A.Line = I.Line;
  A.Option = "--arg=" + Parameter.Name + "=VALUE";
  assume(std::move(A));
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

/// It knows the counter of a loop that may run on.
static bool knowsBeyond(const Guard &G) {
  return llvm::any_of(G.Counts, [](const Region *R) { return R->IsBeyond; });
}

ConditionLanes StaticCounter::lanesOf(const Guard &G, const Place &P) const {
  ConditionLanes L;
  const CompiledExpressions *C = P.Compiled.get();
  L.Must = maskOf(C, G.Must);
  L.May = G.May == G.Must ? L.Must : maskOf(C, G.May);
  L.Likely = G.Likely == G.Must  ? L.Must
             : G.Likely == G.May ? L.May
                                 : maskOf(C, G.Likely);
  L.Why = G.Why;
  // In iterations that nobody looks at it may be otherwise.
  if (L.Must == L.May && IsUnbounded && knowsBeyond(G)) {
    L.Must = 0;
    L.May = ~0u;
    L.Why = Basis::Launch;
  }
  L.VariesInWarp = G.VariesInWarp;
  L.Probability = G.Given.value_or(G.Probability);
  L.How = Status::Assumed;
  if (G.Given) { // nothing but the launch's word counts
    L.How = Status::Known;
    if (L.Why == Basis::Index || L.Why == Basis::Launch)
      L.Why = Basis::Uniform;
  }
  return L;
}

/// Where lanes go from an exit of the region's loop that nothing decides: they
/// stay but in the last iteration.
static std::pair<Flow, Flow> leaveOrStay(Region &R, const Flow &F,
                                         const ConditionLanes &C, bool Leaves) {
  double Stay = R.HeaderRuns ? R.StayShare : 1;
  double Out = 1 - Stay;
  // Other exits have their part, but not where the first thing is a test.
  if (R.ExitsLeft > 1 && Out > 0 && !R.TestsFirst)
    Out /= R.ExitsLeft;
  R.ExitsLeft -= R.ExitsLeft != 0;
  Flow Leaving = F, Staying = F;
  if (R.IsGiven && Out == 1) {
    Staying = Flow();
  } else if (R.IsGiven && Out == 0) {
    Leaving = Flow();
  } else {
    for (Flow *Side : {&Leaving, &Staying}) {
      Side->doubt(R.IsGiven ? Status::Known : Status::Assumed);
      Side->IsCertain = F.IsCertain && !C.VariesInWarp;
    }
    Leaving.Weight *= Out;
    Staying.Weight *= 1 - Out;
  }
  return Leaves ? std::pair(Leaving, Staying) : std::pair(Staying, Leaving);
}

std::pair<Flow, Flow> StaticCounter::branch(Region &R, Guard &G, const Flow &F,
                                            const Place &P) {
  ConditionLanes C = lanesOf(G, P);
  if (G.LeavesIf && (R.IsGiven || (R.HeaderRuns && R.StayShare < 1) ||
                     (F.May & C.May & ~C.Must && G.Why > Basis::Launch)))
    return leaveOrStay(R, F, C, *G.LeavesIf);
  if (F.May & C.May & ~C.Must)
    noteBranch(G);
  return split(F, C);
}

bool StaticCounter::runCall(Context &, const Event &E, const Flow &Active,
                            Flow &F) {
  if (!Active)
    return true;
  for (Context *To : E.Callees) {
    Flow Entry = Active;
    if (E.NumTargets > 1) { // one of them is called, always or never
      Entry.doubt(Status::Assumed);
      Entry.Weight /= double(E.NumTargets);
    }
    ExitFlows Exits;
    Flow Back;
    if (!runRegion(*To, To->Regions.back(), Entry, Exits, Back))
      return false;
    if (To->MayExit)
      F.doubt(Status::Assumed);
  }
  return true;
}

/// Runs a block. \p Out gets what goes to each successor.
bool StaticCounter::runBlock(Context &C, Region &R, const Block &B, Flow &F,
                             SmallVectorImpl<Flow> &Out) {
  Place &P = C.Places[B.Number];
  if (!spend(P.Roots.size() + 1))
    return false;
  if (P.Compiled)
    P.Compiled->run(A);
  if (Now == Pass::FindRuns)
    limitRuns(R, P, F.May);
  bool Counts = Now == Pass::Count;
  if (Counts) {
    BlockCounts &N = C.Out->Blocks[B.Number];
    addRuns(N.Runs, F);
    addLanes(N.Lanes, F);
  }
  const Instruction *T = B.terminator();
  std::pair<Flow, Flow> Sides(F, Flow());
  for (Event &E : P.Events) {
    Flow Active = F;
    if (E.Guard >= 0) {
      Guard &G = P.Guards[unsigned(E.Guard)];
      if (E.I == T) {
        Sides = branch(R, G, F, P);
      } else {
        Sides = split(F, lanesOf(G, P));
        if (E.I->IsCall && Sides.first && Sides.second)
          noteBranch(G);
      }
      Active = Sides.first;
      if (Counts) {
        if (Active)
          addRuns(G.Out->Any, Active);
        if (Active)
          addLanes(G.Out->Lanes, Active);
        bool MaySplit = Sides.first && Sides.second;
        bool BothLikely =
            F.Weight == 0 || (Active.Weight != 0 && Sides.second.Weight != 0);
        bool Splits = MaySplit && BothLikely &&
                      (Active.Likely != F.Likely || G.Why == Basis::Divergent);
        bool IsExact = !(Sides.first.May & Sides.second.May) &&
                       (F.IsPlain || F.IsCertain) && !IsUnbounded;
        bool Must = Sides.first.must() && Sides.second.must();
        if (G.VariesInWarp && MaySplit)
          add(G.Out->Split, F, Splits, IsExact ? Splits : Must,
              Splits || !IsExact);
      }
    }
    Flow Reading = Active;
    if (E.Reads >= 0 && Counts)
      Reading = split(Active, lanesOf(P.Guards[unsigned(E.Reads)], P)).first;
    for (Access &M :
         MutableArrayRef(P.Accesses).slice(E.FirstAccess, E.NumAccesses)) {
      if (!Counts)
        continue;
      const Flow &By = M.IsOfReads ? Reading : Active;
      if (!(By.May & M.Lanes))
        continue;
      addRuns(M.Requests, By);
      if (M.StrideOf)
        noteStride(*E.I, *M.StrideOf);
      Costs.count(M, By, P.Compiled.get(), A, Dimensions, Multiple, WarpRun,
                  IsUnbounded || How != Effort::All);
    }
    if (!E.Callees.empty()) {
      if (!runCall(C, E, Active, F))
        return false;
      if (P.Compiled)
        P.Compiled->run(A); // what loops left behind has changed
    }
  }
  if (B.Successors.empty())
    return true;
  bool IsGuarded = T && T->HasGuard;
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
      Flow Part = F;
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

/// Lanes that leave a loop; of different iterations their shares mean nothing
/// until settleExits().
static void sendTo(ExitFlows &Exits, const Block *To, const Flow &F) {
  if (!F)
    return;
  for (auto &[B, Former] : Exits)
    if (B == To) {
      Former.merge(F, /*Settles=*/false);
      return;
    }
  Exits.push_back({To, F});
}

/// Runs the blocks of a region once. Lanes that leave it are added to \p Exits,
/// those that go back to its header to \p Back.
bool StaticCounter::runRegion(Context &C, Region &R, const Flow &Entry,
                              ExitFlows &Exits, Flow &Back) {
  const ControlFlow &CF = C.V->controlFlow();
  ArrayRef<Cycle> Cycles = CF.cycles();
  const Block *Header = R.Items.front().B;
  for (const Region::Item &Item : R.Items)
    C.Arrived[Item.B->Number] = Flow();
  C.Arrived[Header->Number] = Entry;
  // The loop directly in this region that holds a block; -1 for the region.
  auto Inside = [&](const Block *B) -> std::optional<int> {
    int In = CF.innermostCycle(B), Last = -1;
    for (; In != R.Cycle; In = Cycles[size_t(In)].ParentIndex) {
      if (In < 0)
        return std::nullopt;
      Last = In;
    }
    return Last;
  };
  auto Send = [&](const Block *To, const Flow &F) {
    if (!F)
      return;
    if (R.Cycle >= 0 && To == Header) {
      Back.merge(F);
    } else if (std::optional<int> Loop = Inside(To)) {
      if (*Loop >= 0) // perhaps not by its header
        To = Cycles[size_t(*Loop)].Header;
      C.Arrived[To->Number].merge(F);
    } else {
      sendTo(Exits, To, F);
    }
  };
  for (const Region::Item &Item : R.Items) {
    Flow &Here = C.Arrived[Item.B->Number];
    if (!Here)
      continue;
    const Block &B = *Item.B;
    // Lanes that parted behind the dominator are all together again.
    if (const Block *D = CF.immediateDominator(&B);
        D && &B != Header && !Here.IsPlain)
      if (std::optional<int> Loop = Inside(D)) {
        const Flow &Above =
            *Loop < 0 ? C.Arrived[D->Number] : C.Entered[size_t(*Loop)];
        if (Here.sameLanes(Above))
          Here = Above;
        else
          Here.Weight = std::min(Here.Weight, Above.Weight);
      }
    if (Item.Inner >= 0) {
      Region &Loop = C.Regions[size_t(Item.Inner)];
      ExitFlows Left;
      Flow Into = C.Entered[size_t(Item.Inner)] = Here;
      if (!(Loop.IsReducible ? runLoop(C, Loop, Into, Left)
                             : runIrreducible(C, Loop, Into, Left)))
        return false;
      for (const auto &[To, F] : Left)
        Send(To, F);
      continue;
    }
    SmallVector<Flow, 2> Out;
    Flow F = Here;
    if (!runBlock(C, R, B, F, Out))
      return false;
    if (&B == Header && R.Cycle >= 0 && Now == Pass::Count) {
      // Where the header may leave the loop, what runs on is a body.
      Flow Body = F;
      if (R.TestsFirst) {
        Body = Flow();
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

/// Where the lanes go from one iteration, without counting anything.
bool StaticCounter::peek(Context &C, Region &R, const Flow &Entry, Flow &Back) {
  Pass Former = std::exchange(Now, Pass::Peek);
  ExitFlows Ignored;
  unsigned ExitsLeft = R.ExitsLeft;
  bool Good = runRegion(C, R, Entry, Ignored, Back);
  R.ExitsLeft = ExitsLeft;
  Now = Former;
  return Good;
}

/// Notes in which iteration lanes have left the loop.
void StaticCounter::leaveLoop(const Region &R, uint32_t Lanes, uint64_t K) {
  for (const Expression *S : R.ExitCount) {
    if (S->isUniform()) {
      A.Values[S] = K; // who is left leaves later, and sets it then
      continue;
    }
    LaneArray &Values = A.LaneValues[S];
    for (unsigned L = 0; L != WarpSize; ++L)
      if (Lanes >> L & 1)
        Values[L] = K;
  }
}

/// All lanes that entered a loop leave it: they do by one exit, or have their
/// share in each by which they may.
void StaticCounter::settleExits(const Region &R, const Flow &Entry,
                                ExitFlows &Exits) {
  bool ArePlain = Entry.IsPlain;
  for (const auto &[To, F] : Exits)
    ArePlain &= F.IsPlain;
  if (ArePlain)
    return;
  double Left = 0;
  for (auto &[To, F] : Exits)
    Left += F.Weight;
  std::array<float, WarpSize> Rest;
  std::array<unsigned, WarpSize> Ways{};
  for (unsigned L = 0; L != WarpSize; ++L) {
    Rest[L] = R.HasThreadExit ? Entry.share(L) / 2 : Entry.share(L);
    for (const auto &[To, F] : Exits)
      Ways[L] += F.May >> L & 1;
  }
  for (auto &[To, F] : Exits) {
    if (Left == 0) // none is likely
      F.Weight = Entry.Weight / double(Exits.size());
    F.setShares([&](unsigned L) {
      float Part = Ways[L]-- == 1 ? Rest[L] : Rest[L] / 2;
      Rest[L] -= Part;
      return Part;
    });
  }
  for (auto &[To, F] : Exits) {
    if (Exits.size() == 1 && F.sameLanes(Entry)) {
      F = Entry;
      continue;
    }
    F.Weight = std::min(F.Weight, Entry.Weight);
    F.settle();
  }
}

bool StaticCounter::runLoop(Context &C, Region &R, const Flow &Entry,
                            ExitFlows &Exits) {
  if (Now == Pass::Count)
    addRuns(R.Entries, Entry);
  double FormerBodies = std::exchange(R.BodiesNow, 0), Scale = Multiple;
  bool FormerUnbounded = IsUnbounded;
  double FormerMultiple = Multiple;
  const double Runs = R.HeaderRuns.value_or(Infinity);
  bool IsOfDefault = R.HeaderRuns && !R.IsGiven;
  // Lanes may come back that nobody takes to.
  bool IsUnsure = IsOfDefault || R.IsByLaunch ||
                  (IsUnbounded && llvm::any_of(R.Exits, [](const Guard *G) {
                     return knowsBeyond(*G);
                   }));
  bool FormerBeyond = R.IsBeyond;
  if (IsOfDefault)
    noteLoop(C, R);
  bool Good = true;
  uint64_t K = 0;
  unsigned Looks = 0;
  for (Flow Active = Entry; Active;) {
    setValue(R.Counter, A, K);
    double Limit = Runs - 1 - double(K); // iterations that surely stay
    R.StayShare = std::clamp(Limit, 0.0, 1.0);
    R.ExitsLeft = R.OpenExits;
    uint64_t Run = 1;
    bool IsLast = false; // whatever its conditions say
    if (How == Effort::One) {
      // One look at the first iteration stands for all.
      Run = R.CanRun ? signRun(R, Endless, Active.May) + 1
                     : uint64_t(std::min(Runs, DefaultTripCount));
      if (Run >= Endless)
        Run = uint64_t(DefaultTripCount);
      if (R.HeaderRuns)
        Run = uint64_t(std::max(*R.HeaderRuns, 1.0));
      IsLast = true;
    } else if (R.CanRun) {
      uint64_t Most =
          Limit >= 1 ? uint64_t(std::min(Limit, double(Endless))) : 1;
      Run = signRun(R, Most, Active.May);
    } else if (How == Effort::Some && Looks >= FewIterations) {
      uint64_t Most = std::max<uint64_t>(K, 1); // as many again
      if (Limit < double(Most))
        Most = Limit >= 1 ? uint64_t(Limit) : 1;
      Run = signRun(R, Most, Active.May);
    }
    ++Looks;
    Flow Back;
    if (Run != 1 && R.CanRun && !IsLast) {
      // Lanes that leave now do not come again.
      if (!(Good = peek(C, R, Active, Back)))
        break;
      Flow Next = carry(Back, Active, Entry);
      Next.IsCertain &= Active.IsCertain;
      if (!(Next == Active))
        Run = 1;
      Back = Flow();
    }
    if (Run >= Endless) { // no exit is ever taken
      R.IsEndless = true;
      IsOfDefault = true;
      noteLoop(C, R);
      Run = uint64_t(DefaultTripCount);
      IsLast = true;
    }
    if (R.IsEndless || (IsUnsure && (K != 0 || IsLast || Entry.Weight == 0)))
      IsUnbounded = R.IsBeyond = true;
    if (IsLast)
      R.StayShare = 0;
    if (IsLast || (Run != 1 && !R.CanRun)) { // others differ
      Active.doubt(Status::Assumed);
      IsUnbounded = true;
    }
    const Quantity *FormerLoop = std::exchange(LoopNow, &R.Counter);
    uint64_t FormerRun = std::exchange(LoopRun, Run);
    Dimensions.push_back({&R.Counter, Run});
    Multiple = FormerMultiple * double(Run);
    Good = runRegion(C, R, Active, Exits, Back);
    Multiple = FormerMultiple;
    Dimensions.pop_back();
    LoopNow = FormerLoop;
    LoopRun = FormerRun;
    if (!Good)
      break;
    K += Run;
    if (Back.Weight == 0 && Active.Weight != 0) // nobody takes it to stay
      Back.Likely = 0;
    leaveLoop(R, Active.Likely & ~Back.Likely, K - 1);
    if (IsLast) {
      // Who is left goes where others went.
      for (const Block *B :
           C.V->controlFlow().cycles()[size_t(R.Cycle)].ExitingBlocks)
        for (const Block *S : B->Successors)
          if (Back.Likely &&
              !C.V->controlFlow().cycles()[size_t(R.Cycle)].contains(S) &&
              !R.IsEndless) {
            Flow Rest = Entry;
            Rest.doubt(Status::Assumed);
            sendTo(Exits, S, Rest);
          }
      break;
    }
    // What may run on is looked at once more, for its bounds.
    if ((R.HeaderRuns && double(K) >= Runs) ||
        (IsUnsure && Back.Weight == 0 && Active.Weight == 0))
      Back = Flow();
    Active = carry(Back, Active, Entry);
    // In iterations that nobody looks at other lanes may run.
    if (IsUnsure && R.LanesDiffer)
      Active.IsCertain = false;
    if (K >= Endless)
      Active = Flow();
  }
  setValue(R.Counter, A, 0);
  IsUnbounded = FormerUnbounded;
  R.IsBeyond = FormerBeyond;
  Multiple = FormerMultiple;
  if (Now == Pass::Count && Entry.Weight > 0 && Scale > 0) {
    double Trips = R.BodiesNow / (Scale * Entry.Weight);
    R.Fewest = std::min(R.Fewest, Trips);
    R.Most = std::max(R.Most, Trips);
  }
  R.BodiesNow = FormerBodies;
  if (Good)
    settleExits(R, Entry, Exits);
  return Good;
}

/// What enters the next iteration. Lanes that may have left for good at some
/// time have half a share from then on, so that iterations are alike.
Flow StaticCounter::carry(Flow Back, const Flow &Active, const Flow &Entry) {
  if (Back.IsPlain)
    return Back;
  Flow Former = Back;
  Back.setShares([&](unsigned L) {
    return Former.share(L) < Active.share(L) ? Entry.share(L) / 2
                                             : Former.share(L);
  });
  Back.settle();
  return Back;
}

/// A cycle with several entries: its blocks in order, again and again. Which
/// lanes go together is not told, so nothing of it is known.
bool StaticCounter::runIrreducible(Context &C, Region &R, const Flow &Entry,
                                   ExitFlows &Exits) {
  noteLoop(C, R);
  if (Now == Pass::Count)
    addRuns(R.Entries, Entry);
  Flow Active = Entry;
  Active.doubt(Status::Assumed);
  bool FormerUnbounded = std::exchange(IsUnbounded, true);
  double FormerMultiple = Multiple;
  R.StayShare = 0;
  R.ExitsLeft = R.OpenExits;
  Multiple *= R.HeaderRuns.value_or(DefaultTripCount);
  Flow Back;
  bool Good = runRegion(C, R, Active, Exits, Back);
  Multiple = FormerMultiple;
  IsUnbounded = FormerUnbounded;
  R.Most = R.HeaderRuns.value_or(DefaultTripCount);
  if (Good)
    settleExits(R, Entry, Exits);
  for (auto &[To, F] : Exits)
    F.Weight = Entry.Weight / double(Exits.size());
  return Good;
}

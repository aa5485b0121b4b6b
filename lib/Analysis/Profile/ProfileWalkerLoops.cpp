//===- ProfileWalkerLoops.cpp - Iterations, alike taken together ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ProfileWalker.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// Iterations after which a loop is taken not to end.
static constexpr uint64_t Endless = uint64_t(1) << 40;
/// With little effort, so many iterations of an entry are looked at one by one.
static constexpr uint64_t FewIterations = 8;

/// Where the lanes go from one iteration, without counting anything.
bool ProfileWalker::peek(const CallContext &C, const Region &R,
                         const ActiveLanes &Entry, ActiveLanes &Back) {
  Pass Former = std::exchange(Now, Pass::Peek);
  ExitFlows Ignored;
  unsigned ExitsLeft = state(R).ExitsLeft;
  ActiveLanes FormerAlive = Alive;
  bool Good = runRegion({C, R, Ignored, Back}, Entry);
  Alive = std::move(FormerAlive);
  state(R).ExitsLeft = ExitsLeft;
  Now = Former;
  return Good;
}

/// Notes in which iteration lanes have left the loop.
void ProfileWalker::leaveLoop(const Region &R, uint32_t Lanes, uint64_t K) {
  for (const Symbol *S : R.ExitCount) {
    A.Values[S] = K; // those who stay set it when they leave
    if (!R.ExitCountVaries)
      continue;
    LaneArray &Values = A.LaneValues[S];
    for (unsigned L = 0; L != WarpSize; ++L)
      if (Lanes >> L & 1)
        Values[L] = K;
  }
}

/// Gives each exit its share of the lanes that entered a loop: a lane leaves by
/// the only exit by which it may, or has its share in each of them.
static void shareOut(const Region &R, const ActiveLanes &Entry,
                     ExitFlows &Exits) {
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
}

/// All lanes that entered a loop leave it.
static void settleExits(const Region &R, const ActiveLanes &Entry,
                        ExitFlows &Exits) {
  if (Entry.IsPlain &&
      llvm::all_of(Exits, [](const auto &Exit) { return Exit.second.IsPlain; }))
    return;
  shareOut(R, Entry, Exits);
  for (auto &[To, F] : Exits) {
    if (Exits.size() == 1 && !F.IsParted && F.sameLanes(Entry)) {
      unsigned Waited = F.Waited;
      F = Entry;
      F.Waited = Waited;
      continue;
    }
    F.Weight = std::min(F.Weight, Entry.Weight);
    F.settle();
  }
}

/// What enters the next iteration. Lanes that may have left for good at some
/// time have half a share from then on, so that iterations are alike.
static ActiveLanes carry(ActiveLanes Back, const ActiveLanes &Active,
                         const ActiveLanes &Entry) {
  if (Back.IsPlain)
    return Back;
  ActiveLanes Former = Back;
  Back.setShares([&](unsigned L) {
    return Former.share(L) < Active.share(L) ? Entry.share(L) / 2
                                             : Former.share(L);
  });
  Back.settle();
  return Back;
}

/// Those of \p Active that come to what a look stands for, whose first
/// iteration is \p First, in a loop that lanes leave one after the other.
static ActiveLanes takeRounds(const Region &R, const ActiveLanes &Active,
                              uint64_t First, uint64_t Number) {
  ActiveLanes Here = Active;
  const auto Lanes = unsigned(llvm::popcount(Active.Likely));
  if (R.Rounds.empty() || Lanes == 0)
    return Here;
  const ArrayRef<double> All = R.Rounds[Lanes];
  const uint64_t Begin = std::min<uint64_t>(First, All.size() - 1);
  Here.Rounds = All.slice(Begin, std::min(Number, All.size() - Begin));
  if (llvm::all_of(Here.Rounds, [](double Share) { return Share == 1; })) {
    Here.Rounds = Active.Rounds;
    return Here;
  }
  // How often they come is as well known as before.
  Here.halveShares();
  Here.IsCertain = false;
  return Here;
}

/// Looks at one iteration.
bool ProfileWalker::lookAt(const LoopVisit &L, const ActiveLanes &Entering,
                           const Look &Of, ActiveLanes &Back) {
  const Region &R = L.R;
  const ActiveLanes Active =
      takeRounds(R, Entering, valueOf(R.Counter, A) - Of.Before, Of.Run);
  const Quantity *FormerLoop = std::exchange(LoopNow, &R.Counter);
  uint64_t FormerRun = std::exchange(LoopRun, Of.Run);
  double Former = Weight.Multiple;
  Weight.Multiple *= double(Of.Run);
  Weight.IsInLoop = true;
  Dimensions.push_back({&R.Counter, Of.Run});
  if (LocalityRecorder *To = records())
    To->beginIterations(valueOf(R.Counter, A), Of.Run, Of.Before);
  if (Active.IsParted)
    Counts->loop(R).HasParted = true;
  bool Good = runRegion({L.C, R, L.Exits, Back}, Active);
  // Who leaves later has parted: a peek is not worth another within it.
  if (Now == Pass::Peek && Back.IsParted)
    for (auto &[To, F] : L.Exits)
      F.part();
  for (auto &[To, F] : L.Exits)
    F.Rounds = Entering.Rounds;
  Back.Rounds = Entering.Rounds;
  if (LocalityRecorder *To = records())
    To->end();
  Dimensions.pop_back();
  Weight.Multiple = Former;
  LoopNow = FormerLoop;
  Weight.IsInLoop = LoopNow != nullptr;
  LoopRun = FormerRun;
  return Good;
}

/// Lets lanes leave that no condition lets go, by whichever way there is.
void ProfileWalker::leaveByAnyExit(const LoopVisit &L, ExitFlows &Left) const {
  const Cycle &Loop = L.C.cycles()[size_t(L.R.Cycle)];
  for (const Block *B : Loop.ExitingBlocks)
    for (const Block *S : B->Successors)
      if (!Loop.contains(S)) {
        ActiveLanes Rest = L.Entry;
        Rest.doubt(Status::Assumed);
        Rest.Weight = 0;
        sendTo(Left, S, Rest);
      }
}

/// One look stands for several iterations: lanes that part in one of them come
/// to the next one by one. False if the budget is spent.
bool ProfileWalker::partIterations(const LoopVisit &L, ActiveLanes &Active) {
  if (L.R.mayPart()) {
    Active.part();
    return true;
  }
  if (!L.R.HasWaits || Active.IsParted || Now == Pass::Peek)
    return true;
  if (Thoroughness == Effort::One && isOverBudget()) {
    Active.part();
    return true;
  }
  ActiveLanes Back;
  if (!peek(L.C, L.R, Active, Back))
    return false;
  if (Back.IsParted)
    Active.part();
  return true;
}

/// The last look of an entry: so many iterations and the leaving of the loop,
/// whatever its conditions say of it.
bool ProfileWalker::lookAtRest(const LoopVisit &L, ActiveLanes Active,
                               uint64_t Run) {
  const Region &R = L.R;
  const bool IsEndless = Counts->loop(R).IsEndless;
  goBeyond(R, Run, Active);
  if (IsEndless) // whatever its formula says
    Weight.Beyond = Infinity;
  bool IsCertain = Active.IsCertain && !R.LanesDiffer && !R.LanesLeave &&
                   !IsEndless && Thoroughness == Effort::All;
  if (Active.IsPlain)
    Active.doubt(Status::Assumed);
  Active.IsCertain = IsCertain;
  Active.IsTypical |= R.LanesDiffer;
  uint64_t First = valueOf(R.Counter, A);
  setValue(R.Counter, A, First + (Run - 1) / 2); // typical of all
  startLook(R, 1 - 1 / double(Run));
  if (!partIterations(L, Active))
    return false;
  ExitFlows Left;
  ActiveLanes Back;
  if (!lookAt({L.C, R, L.Entry, Left}, Active, {Run, (Run - 1) / 2}, Back))
    return false;
  double Gone = 0; // the share of lanes, in the mean over the iterations
  for (auto &[To, F] : Left)
    Gone += F.Weight;
  if (Gone == 0 && !Counts->loop(R).IsEndless)
    leaveByAnyExit(L, Left);
  for (auto &[To, F] : Left) {
    F.Weight = Gone == 0 ? L.Entry.Weight / double(Left.size())
                         : Active.Weight * F.Weight / Gone;
    sendTo(L.Exits, To, F);
  }
  leaveLoop(R, Active.Likely, First + Run - 1);
  return true;
}

/// How many iterations from the present one on are alike; 0 if the budget is
/// spent.
uint64_t ProfileWalker::alike(const LoopVisit &L, const ActiveLanes &Active,
                              uint64_t Most, uint64_t Looks) {
  const Region &R = L.R;
  uint64_t K = valueOf(R.Counter, A);
  if (!R.CanRun) { // each differs, perhaps
    if (Thoroughness == Effort::All ||
        Looks < (isSampling(Thoroughness) ? FewIterations : 1))
      return 1;
    uint64_t Run =
        signRun(R, std::min(Most, std::max<uint64_t>(K, 1)), Active.May);
    ActiveLanes Back;
    if (Run == 1 || peek(L.C, R, Active, Back)) // who leaves now stays away
      return Run == 1 || Back.Weight == 0 ? 1 : Run;
    return 0;
  }
  uint64_t Run = signRun(R, Most, Active.May);
  if (Run <= 2) // two looks are as many
    return 1;
  // Lanes that leave now do not come again.
  ActiveLanes Back;
  if (!peek(L.C, R, Active, Back))
    return 0;
  ActiveLanes Next = carry(Back, Active, L.Entry);
  Next.IsCertain &= Active.IsCertain;
  return Next == Active ? Run : 1;
}

bool ProfileWalker::runLoop(const LoopVisit &L) {
  const Region &R = L.R;
  if (isCounting())
    Counts->addEntry(R, L.Entry, Weight);
  RegionState &S = state(R);
  if (WorkNow && !R.Polling &&
      std::exchange(S.NotedIn, NumWarpRuns) != NumWarpRuns)
    WorkNow->Loops.push_back(R.Number);
  double FormerBodies = std::exchange(S.BodiesNow, 0);
  bool FormerUnbounded = Weight.IsUnbounded, FormerBeyond = S.IsBeyond;
  const double FormerMost = Weight.Beyond, FormerEntry = S.EntryBeyond;
  S.EntryBeyond = Weight.IsUnbounded ? Weight.Beyond : 1;
  if (LocalityRecorder *To = records())
    To->beginLoop(Counts->countsOf(L.C), *R.Items.front().B,
                  {R.HasBarrier, R.LoadStretches});
  bool Good = runIterations(L);
  if (LocalityRecorder *To = records())
    To->end();
  setValue(R.Counter, A, 0);
  Weight.IsUnbounded = FormerUnbounded;
  Weight.Beyond = FormerMost;
  S.IsBeyond = FormerBeyond;
  S.EntryBeyond = FormerEntry;
  if (isCounting() && L.Entry.Weight > 0 && Weight.Multiple > 0)
    Counts->addTripCount(R, S.BodiesNow / (Weight.Multiple * L.Entry.Weight));
  S.BodiesNow = FormerBodies;
  if (Good)
    settleExits(R, L.Entry, L.Exits);
  return Good;
}

/// Those comparisons of a loop that decide whether an iteration is its last,
/// and not only what the iteration does.
static std::vector<Comparison> comparisonsOfExits(const Region &R) {
  llvm::DenseSet<const Expression *> Seen;
  SmallVector<const Expression *, 8> Open;
  for (const Guard *G : R.Exits)
    if (G->Evaluated && Seen.insert(G->Evaluated).second)
      Open.push_back(G->Evaluated);
  while (!Open.empty())
    for (const Expression *Operand : Open.pop_back_val()->Operands)
      if (Seen.insert(Operand).second)
        Open.push_back(Operand);
  std::vector<Comparison> Found;
  for (const Comparison &X : R.Comparisons)
    if (Seen.contains(X.E))
      Found.push_back(X);
  return Found;
}

/// With least effort, one look stands for all iterations.
bool ProfileWalker::lookAtOne(const LoopVisit &L, const ActiveLanes &Active) {
  const Region &R = L.R;
  auto Run = uint64_t(DefaultTripCount);
  if (R.HeaderRuns) {
    Run = uint64_t(std::max(*R.HeaderRuns, 1.0));
  } else if (!isOverBudget()) { // each level of loops would double the looks
    startLook(R, 1);
    ActiveLanes Back; // the iterations of those who stay are counted
    if (!peek(L.C, R, Active, Back))
      return false;
    if (Back.Weight == 0) {
      Run = 1;
    } else {
      const std::vector<Comparison> Exits = comparisonsOfExits(R);
      Run = signRun(Exits, compileComparisons(Exits).get(), R.Counter, Endless,
                    Active.May) +
            1;
    }
  }
  return lookAtRest(L, Active,
                    Run < Endless ? Run : uint64_t(DefaultTripCount));
}

/// Whether lanes may come back though nobody takes them to.
bool ProfileWalker::isUnsure(const Region &R) const {
  bool IsByDefault = R.HeaderRuns && !R.IsGiven;
  return IsByDefault || R.IsByLaunch ||
         (Weight.IsUnbounded && llvm::any_of(R.Exits, [&](const Guard *G) {
            return knowsBeyond(*G);
          }));
}

/// Other entries of the loop, for which this one stands, may have more
/// iterations than the \p Run from the present one on, of lanes \p Active.
void ProfileWalker::boundBeyond(const Region &R, uint64_t Run,
                                const ActiveLanes &Active) {
  const double Entry = state(R).EntryBeyond;
  Weight.Beyond = Entry == 0 ? 0
                             : Entry * R.mostOf(valueOf(R.Counter, A), Run,
                                                Active.Weight > 0);
}

/// What is looked at from now on may run more often than it does.
void ProfileWalker::goBeyond(const Region &R, uint64_t Run,
                             const ActiveLanes &Active) {
  Weight.IsUnbounded = state(R).IsBeyond = true;
  boundBeyond(R, Run, Active);
}

void ProfileWalker::startLook(const Region &R, double StayShare) {
  state(R).StayShare = StayShare;
  state(R).ExitsLeft = unsigned(R.Exits.size());
}

bool ProfileWalker::runIterations(const LoopVisit &L) {
  const Region &R = L.R;
  const double Runs = R.HeaderRuns.value_or(Infinity);
  const bool IsByDefault = R.HeaderRuns && !R.IsGiven;
  const bool IsUnsure = isUnsure(R);
  if (IsByDefault)
    Assumptions.noteLoop(R);
  ActiveLanes Active = L.Entry;
  uint64_t K = 0;
  for (uint64_t Looks = 0; Active; ++Looks) {
    setValue(R.Counter, A, K);
    double Limit = Runs - 1 - double(K); // iterations that surely stay
    // In a loop that lanes leave one after the other all come but once.
    if (!R.Rounds.empty() && K == 0)
      Limit = std::min(Limit, 1.0);
    uint64_t Most = Limit >= 1 ? uint64_t(std::min(Limit, double(Endless))) : 1;
    if (Thoroughness == Effort::One)
      return lookAtOne(L, Active);
    // Iterations that nobody counted are taken together, but for the first.
    if (IsByDefault && !R.IsRare && Limit >= 1 &&
        (Looks >= FewIterations / 2 ||
         (!R.IsRead && (K != 0 || !Active.IsPlain))))
      return lookAtRest(L, Active, uint64_t(Runs) - K);
    // One that is taken to be the only one stands for those beyond it.
    if (IsByDefault && !R.IsRare && Runs < 2 && !R.SharesWork)
      return lookAtRest(L, Active, 1);
    startLook(R, std::clamp(Limit, 0.0, 1.0));
    uint64_t Run = alike(L, Active, Most, Looks);
    if (Run == 0)
      return false;
    if (Run >= Endless) { // no exit is ever taken
      Counts->loop(R).IsEndless = true;
      Assumptions.noteLoop(R);
      return lookAtRest(L, Active, uint64_t(DefaultTripCount));
    }
    if (IsUnsure && (K != 0 || L.Entry.Weight == 0))
      goBeyond(R, Run, Active);
    else if (Weight.IsUnbounded)
      boundBeyond(R, Run, Active);
    // Nobody is taken to come: this look stands for all others.
    if (IsUnsure && K == 0 && L.Entry.Weight == 0 && !partIterations(L, Active))
      return false;
    uint64_t Before = 0;
    if (Run != 1 && !R.CanRun) { // others differ
      Active.doubt(Status::Assumed);
      Active.IsTypical = true;
      goBeyond(R, Run, Active);
      Before = (Run - 1) / 2; // typical of all
      setValue(R.Counter, A, K + Before);
      if (!partIterations(L, Active))
        return false;
    }
    ActiveLanes Back;
    if (!lookAt(L, Active, {Run, Before}, Back))
      return false;
    K += Run;
    if (Back.Weight == 0 && Active.Weight != 0) // nobody takes it to stay
      Back.Likely = 0;
    // What may run on is looked at once more, for its bounds.
    if (Active.Weight != 0 || L.Entry.Weight == 0)
      leaveLoop(R, Active.Likely & ~Back.Likely, K - 1);
    if ((R.HeaderRuns && double(K) >= Runs) || K >= Endless ||
        (IsUnsure && Back.Weight == 0 && Active.Weight == 0))
      break;
    if (Back.May && !Back.Likely)
      Back.Likely = Back.May;
    Active = carry(Back, Active, L.Entry);
    // In iterations that nobody looks at other lanes may run.
    if (IsUnsure && R.LanesDiffer) {
      Active.IsCertain = false;
      Active.IsTypical = true;
    }
  }
  return true;
}

/// A cycle with several entries: its blocks in order, again and again. Which
/// lanes go together, and which of its blocks they come to, is not told, so
/// nothing of it is known.
bool ProfileWalker::runIrreducible(const LoopVisit &L) {
  const Region &R = L.R;
  Assumptions.noteLoop(R);
  if (isCounting())
    Counts->addEntry(R, L.Entry, Weight);
  ActiveLanes Active = L.Entry;
  Active.doubt(Status::Assumed);
  Active.part();
  bool FormerUnbounded = std::exchange(Weight.IsUnbounded, true);
  const double FormerMost = std::exchange(Weight.Beyond, Infinity);
  double FormerMultiple = Weight.Multiple;
  startLook(R, 0);
  Weight.Multiple *= R.HeaderRuns.value_or(DefaultTripCount);
  ActiveLanes Back;
  bool Good = runRegion({L.C, R, L.Exits, Back}, Active);
  Weight.Multiple = FormerMultiple;
  Weight.IsUnbounded = FormerUnbounded;
  Weight.Beyond = FormerMost;
  Counts->loop(R).Most = R.HeaderRuns.value_or(DefaultTripCount);
  for (auto &[To, F] : L.Exits)
    F.IsParted = L.Entry.IsParted; // they meet behind it
  if (Good)
    settleExits(R, L.Entry, L.Exits);
  const auto IsLikely = [](const auto &Exit) { return Exit.second.Weight > 0; };
  const bool AnyIsLikely = llvm::any_of(L.Exits, IsLikely);
  const auto Ways = double(AnyIsLikely ? llvm::count_if(L.Exits, IsLikely)
                                       : int64_t(L.Exits.size()));
  for (auto &Exit : L.Exits)
    if (!AnyIsLikely || IsLikely(Exit))
      Exit.second.Weight = L.Entry.Weight / Ways;
  return Good;
}

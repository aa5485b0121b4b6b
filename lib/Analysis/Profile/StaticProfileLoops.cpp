//===- StaticProfileLoops.cpp - Iterations, alike taken together ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "StaticProfileImpl.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// Iterations after which a loop is taken not to end.
static constexpr uint64_t Endless = uint64_t(1) << 40;
/// With little effort: iterations of one entry that are looked at one by one.
static constexpr uint64_t FewIterations = 8;

bool Guard::knowsBeyond() const {
  return llvm::any_of(Counts, [](const Region *R) { return R->IsBeyond; });
}

/// Where the lanes go from one iteration, without counting anything.
bool StaticProfiler::peek(CallContext &C, Region &R, const ActiveLanes &Entry,
                          ActiveLanes &Back) {
  Pass Former = std::exchange(Now, Pass::Peek);
  ExitFlows Ignored;
  unsigned ExitsLeft = R.ExitsLeft;
  ActiveLanes FormerAlive = Alive;
  bool Good = runRegion(C, R, Entry, Ignored, Back);
  Alive = std::move(FormerAlive);
  R.ExitsLeft = ExitsLeft;
  Now = Former;
  return Good;
}

/// Notes in which iteration lanes have left the loop.
void StaticProfiler::leaveLoop(const Region &R, uint32_t Lanes, uint64_t K) {
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
void StaticProfiler::settleExits(const Region &R, const ActiveLanes &Entry,
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
ActiveLanes StaticProfiler::carry(ActiveLanes Back, const ActiveLanes &Active,
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

/// One look, which stands for \p Run iterations, the present one and others,
/// \p Before of them before it.
bool StaticProfiler::lookAt(CallContext &C, Region &R,
                            const ActiveLanes &Active, uint64_t Run,
                            ExitFlows &Exits, ActiveLanes &Back,
                            uint64_t Before) {
  const Quantity *FormerLoop = std::exchange(LoopNow, &R.Counter);
  uint64_t FormerRun = std::exchange(LoopRun, Run);
  double Former = Multiple;
  Multiple *= double(Run);
  Dimensions.push_back({&R.Counter, Run});
  if (Records && Now == Pass::Count)
    Records->beginIterations(valueOf(R.Counter, A), Run, Before);
  if (Active.IsParted)
    R.IsSelfContained = false;
  bool Good = runRegion(C, R, Active, Exits, Back);
  if (Records && Now == Pass::Count)
    Records->end();
  Dimensions.pop_back();
  Multiple = Former;
  LoopNow = FormerLoop;
  LoopRun = FormerRun;
  return Good;
}

/// The last look of an entry: so many iterations and the leaving of the loop,
/// whatever its conditions say of it.
bool StaticProfiler::lookAtRest(CallContext &C, Region &R, ActiveLanes Active,
                                uint64_t Run, const ActiveLanes &Entry,
                                ExitFlows &Exits) {
  IsUnbounded = R.IsBeyond = true;
  bool IsCertain = Active.IsCertain && !R.LanesDiffer && !R.LanesLeave &&
                   !R.IsEndless && Thoroughness == Effort::All;
  if (Active.IsPlain)
    Active.doubt(Status::Assumed);
  Active.IsCertain = IsCertain;
  Active.IsTypical |= R.LanesDiffer;
  if (R.mayPart())
    Active.part();
  uint64_t First = valueOf(R.Counter, A);
  setValue(R.Counter, A, First + (Run - 1) / 2); // typical of all
  R.StayShare = 1 - 1 / double(Run);
  R.ExitsLeft = R.OpenExits;
  ExitFlows Left;
  ActiveLanes Back;
  if (!lookAt(C, R, Active, Run, Left, Back, (Run - 1) / 2))
    return false;
  double Gone = 0; // of the lanes, in the mean over the iterations
  for (auto &[To, F] : Left)
    Gone += F.Weight;
  const Cycle &L = C.V->controlFlow().cycles()[size_t(R.Cycle)];
  if (Gone == 0 && !R.IsEndless) // by whichever way there is
    for (const Block *B : L.ExitingBlocks)
      for (const Block *S : B->Successors)
        if (!L.contains(S)) {
          ActiveLanes Rest = Entry;
          Rest.doubt(Status::Assumed);
          Rest.Weight = 0;
          sendTo(Left, S, Rest);
        }
  for (auto &[To, F] : Left) {
    F.Weight = Gone == 0 ? Entry.Weight / double(Left.size())
                         : Active.Weight * F.Weight / Gone;
    sendTo(Exits, To, F);
  }
  leaveLoop(R, Active.Likely, First + Run - 1);
  return true;
}

/// How many iterations from the present one on are alike; 0 if the budget is
/// spent.
uint64_t StaticProfiler::alike(CallContext &C, Region &R,
                               const ActiveLanes &Active,
                               const ActiveLanes &Entry, uint64_t Most,
                               uint64_t Looks) {
  uint64_t K = valueOf(R.Counter, A);
  if (!R.CanRun) { // each differs, perhaps
    if (Thoroughness == Effort::All ||
        Looks < (Thoroughness == Effort::Some ? FewIterations : 1))
      return 1;
    uint64_t Run =
        signRun(R, std::min(Most, std::max<uint64_t>(K, 1)), Active.May);
    ActiveLanes Back;
    if (Run == 1 || peek(C, R, Active, Back)) // who leaves now stays away
      return Run == 1 || Back.Weight == 0 ? 1 : Run;
    return 0;
  }
  uint64_t Run = signRun(R, Most, Active.May);
  if (Run <= 2) // two looks are as many
    return 1;
  // Lanes that leave now do not come again.
  ActiveLanes Back;
  if (!peek(C, R, Active, Back))
    return 0;
  ActiveLanes Next = carry(Back, Active, Entry);
  Next.IsCertain &= Active.IsCertain;
  return Next == Active ? Run : 1;
}

bool StaticProfiler::runLoop(CallContext &C, Region &R,
                             const ActiveLanes &Entry, ExitFlows &Exits) {
  if (Now == Pass::Count)
    addRuns(R.Entries, Entry);
  double FormerBodies = std::exchange(R.BodiesNow, 0);
  bool FormerUnbounded = IsUnbounded, FormerBeyond = R.IsBeyond;
  if (Records && Now == Pass::Count)
    Records->beginLoop(*C.Out, *R.Items.front().B, R.HasBarrier);
  bool Good = runIterations(C, R, Entry, Exits);
  if (Records && Now == Pass::Count)
    Records->end();
  setValue(R.Counter, A, 0);
  IsUnbounded = FormerUnbounded;
  R.IsBeyond = FormerBeyond;
  if (Now == Pass::Count && Entry.Weight > 0 && Multiple > 0) {
    double Trips = R.BodiesNow / (Multiple * Entry.Weight);
    R.Fewest = std::min(R.Fewest, Trips);
    R.Most = std::max(R.Most, Trips);
  }
  R.BodiesNow = FormerBodies;
  if (Good)
    settleExits(R, Entry, Exits);
  return Good;
}

bool StaticProfiler::runIterations(CallContext &C, Region &R,
                                   const ActiveLanes &Entry, ExitFlows &Exits) {
  const double Runs = R.HeaderRuns.value_or(Infinity);
  bool IsOfDefault = R.HeaderRuns && !R.IsGiven;
  // Lanes may come back that nobody takes to.
  bool IsUnsure = IsOfDefault || R.IsByLaunch ||
                  (IsUnbounded && llvm::any_of(R.Exits, [](const Guard *G) {
                     return G->knowsBeyond();
                   }));
  if (IsOfDefault)
    noteLoop(C, R);
  ActiveLanes Active = Entry;
  uint64_t K = 0;
  for (uint64_t Looks = 0; Active; ++Looks) {
    setValue(R.Counter, A, K);
    double Limit = Runs - 1 - double(K); // iterations that surely stay
    uint64_t Most = Limit >= 1 ? uint64_t(std::min(Limit, double(Endless))) : 1;
    if (Thoroughness == Effort::One) {
      auto Run = uint64_t(DefaultTripCount);
      if (R.HeaderRuns) {
        Run = uint64_t(std::max(*R.HeaderRuns, 1.0));
      } else {
        R.StayShare = 1;
        R.ExitsLeft = R.OpenExits;
        ActiveLanes Back; // of those who stay the iterations are counted
        if (!peek(C, R, Active, Back))
          return false;
        Run = Back.Weight > 0 ? signRun(R, Endless, Active.May) + 1 : 1;
      }
      return lookAtRest(C, R, Active,
                        Run < Endless ? Run : uint64_t(DefaultTripCount), Entry,
                        Exits);
    }
    // But for the first ones iterations that nobody counted are taken together.
    if (IsOfDefault && Limit >= 1 &&
        (Looks >= FewIterations / 2 ||
         (!R.IsRead && (K != 0 || !Active.IsPlain))))
      return lookAtRest(C, R, Active, uint64_t(Runs) - K, Entry, Exits);
    R.StayShare = std::clamp(Limit, 0.0, 1.0);
    R.ExitsLeft = R.OpenExits;
    uint64_t Run = alike(C, R, Active, Entry, Most, Looks);
    if (Run == 0)
      return false;
    if (Run >= Endless) { // no exit is ever taken
      R.IsEndless = true;
      noteLoop(C, R);
      return lookAtRest(C, R, Active, uint64_t(DefaultTripCount), Entry, Exits);
    }
    if (IsUnsure && (K != 0 || Entry.Weight == 0))
      IsUnbounded = R.IsBeyond = true;
    uint64_t Before = 0;
    if (Run != 1 && !R.CanRun) { // others differ
      Active.doubt(Status::Assumed);
      Active.IsTypical = true;
      if (R.mayPart())
        Active.part();
      IsUnbounded = R.IsBeyond = true;
      Before = (Run - 1) / 2; // typical of all
      setValue(R.Counter, A, K + Before);
    }
    ActiveLanes Back;
    if (!lookAt(C, R, Active, Run, Exits, Back, Before))
      return false;
    K += Run;
    if (Back.Weight == 0 && Active.Weight != 0) // nobody takes it to stay
      Back.Likely = 0;
    leaveLoop(R, Active.Likely & ~Back.Likely, K - 1);
    // What may run on is looked at once more, for its bounds.
    if ((R.HeaderRuns && double(K) >= Runs) || K >= Endless ||
        (IsUnsure && Back.Weight == 0 && Active.Weight == 0))
      break;
    if (Back.May && !Back.Likely)
      Back.Likely = Back.May;
    Active = carry(Back, Active, Entry);
    // In iterations that nobody looks at other lanes may run.
    if (IsUnsure && R.LanesDiffer) {
      Active.IsCertain = false;
      Active.IsTypical = true;
    }
  }
  return true;
}

/// A cycle with several entries: its blocks in order, again and again. Which
/// lanes go together is not told, so nothing of it is known.
bool StaticProfiler::runIrreducible(CallContext &C, Region &R,
                                    const ActiveLanes &Entry,
                                    ExitFlows &Exits) {
  noteLoop(C, R);
  if (Now == Pass::Count)
    addRuns(R.Entries, Entry);
  ActiveLanes Active = Entry;
  Active.doubt(Status::Assumed);
  bool FormerUnbounded = std::exchange(IsUnbounded, true);
  double FormerMultiple = Multiple;
  R.StayShare = 0;
  R.ExitsLeft = R.OpenExits;
  Multiple *= R.HeaderRuns.value_or(DefaultTripCount);
  ActiveLanes Back;
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

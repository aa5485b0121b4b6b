//===- CriticalPath.cpp - How long a warp takes by itself -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Executions in different states are kept apart while they are few; of more at
// one block, two become one, the mean. Lanes of a warp that parted are at
// several positions; the first of them goes on.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/CriticalPath.h"
#include "PathMachine.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <set>
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::path;

namespace {

/// Executions of a loop's body that are followed one by one.
constexpr unsigned MaxFollowed = 256;
/// Instructions followed beyond the first time, for each that there is.
constexpr uint64_t PassesAllowed = 64;
/// States that a block is run in one by one.
constexpr size_t MaxStates = 4;

class PathFinder {
public:
  PathFinder(const FunctionDependence &F, const LatencyTable &T,
             ArrayRef<CallCost> Callees, bool IsKernel);

  CallCost run();
  bool IsExact = true;
  PathMachine M;

private:
  /// A stretch of blocks that is gone through once: a loop's body, or all.
  struct Pass {
    enum class Mode { Through, Again, Last } Is = Mode::Through;
    uint32_t First = 0, End = 0; ///< of a loop: First is its header
    /// Last: by position of a block with a way out, the share that leaves here
    /// of what has not left before.
    llvm::DenseMap<uint32_t, double> LeavingShare;
    std::vector<PathState> Back;    ///< came to the header again
    std::vector<PathState> Leaving; ///< went elsewhere

    bool contains(uint32_t P) const { return P >= First && P < End; }
  };
  /// The shares of a block with two edges.
  struct WayShares {
    double Edges[2] = {}; ///< with all lanes
    double Both = 0;
  };
  /// What following a loop once gave.
  struct Followed {
    bool IsValid = false;
    PathState Entry;
    std::vector<PathState> Leaving; ///< for a mass of 1 that enters at 0
    Totals Sums;
  };

  void runPass(Pass &P);
  void runStates(uint32_t Position, std::vector<PathState> States);
  /// \p Chosen: the ways of these executions; the block's own without.
  void runBlock(uint32_t Position, PathState S, const WayShares *Chosen);
  void runLoop(uint32_t Loop, PathState Entry);
  std::vector<PathState> follow(uint32_t Loop, const PathState &Entry);
  PathState iterate(uint32_t Loop, PathState S, double Times);
  void prepareLast(uint32_t Loop, Pass &P);
  void distribute(uint32_t Position, const PathState &S, const BlockEnd &E,
                  const WayShares *Chosen);
  void route(uint32_t Position, PathState S);
  void addTo(std::vector<PathState> &States, PathState S);
  void arrive(uint32_t Position, PathState S);
  /// What has arrived, which is no longer there.
  std::vector<PathState> takeIncoming(uint32_t Position);
  PathState mergeAll(std::vector<PathState> States);
  /// Whether an edge may be taken as things are.
  bool isOpen(uint32_t To) const;
  bool isSpent() const { return M.Issued > Budget; }

  const FunctionDependence &F;
  uint64_t Budget;
  std::vector<std::vector<PathState>> Incoming; ///< by position
  std::set<uint32_t> Pending; ///< positions with something in Incoming
  std::vector<int> LoopAt;    ///< by position of its header; -1: none
  /// By loop: positions of the blocks with an edge out of it, ascending.
  std::vector<SmallVector<uint32_t, 2>> Exits;
  std::vector<Followed> Known; ///< by loop
  std::vector<Pass *> Passes;  ///< outer ones first
};

} // namespace

PathFinder::PathFinder(const FunctionDependence &F, const LatencyTable &T,
                       ArrayRef<CallCost> Callees, bool IsKernel)
    : M(F, T, Callees, IsKernel), F(F),
      Budget((PassesAllowed + 1) * F.Instructions.size()),
      Incoming(F.Blocks.size()), LoopAt(F.Blocks.size(), -1),
      Exits(F.Loops.size()), Known(F.Loops.size()) {
  for (uint32_t L = 0; L != F.Loops.size(); ++L)
    LoopAt[F.Loops[L].First] = int(L);
  SmallVector<uint32_t, 8> Inside; // loops, outer ones first
  for (uint32_t At = 0; At != F.Blocks.size(); ++At) {
    while (!Inside.empty() && F.Loops[Inside.back()].End <= At)
      Inside.pop_back();
    if (LoopAt[At] >= 0)
      Inside.push_back(uint32_t(LoopAt[At]));
    for (uint32_t Loop : llvm::reverse(Inside)) {
      const IssuedLoop &L = F.Loops[Loop];
      if (llvm::all_of(F.Blocks[At].Edges, [&](const IssuedBlock::Edge &E) {
            return E.To >= L.First && E.To < L.End;
          }))
        break;
      Exits[Loop].push_back(At);
    }
  }
}

/// Adds a state to those that are kept apart. Where they are too many, the one
/// that fits best and is least likely takes it in.
void PathFinder::addTo(std::vector<PathState> &States, PathState S) {
  constexpr double Least = 1e-9;
  if (S.Mass <= Least)
    return;
  for (PathState &Known : States)
    if (isSame(Known, S)) {
      merge(Known, S);
      return;
    }
  if (States.size() < MaxStates) {
    States.push_back(std::move(S));
    return;
  }
  PathState *Best = nullptr;
  for (PathState &Known : States)
    if (!Best || std::pair(Known.At != S.At, Known.Mass) <
                     std::pair(Best->At != S.At, Best->Mass))
      Best = &Known;
  IsExact &= merge(*Best, S);
}

void PathFinder::arrive(uint32_t Position, PathState S) {
  addTo(Incoming[Position], std::move(S));
  if (!Incoming[Position].empty())
    Pending.insert(Position);
}

std::vector<PathState> PathFinder::takeIncoming(uint32_t Position) {
  Pending.erase(Position);
  return std::exchange(Incoming[Position], {});
}

PathState PathFinder::mergeAll(std::vector<PathState> States) {
  PathState All = std::move(States.front());
  for (const PathState &S : ArrayRef(States).drop_front())
    IsExact &= merge(All, S);
  return All;
}

bool PathFinder::isOpen(uint32_t To) const {
  for (const Pass *P : llvm::reverse(Passes)) {
    if (P->Is == Pass::Mode::Last && To == P->First)
      return false;
    if (P->contains(To)) // and so do outer ones, behind their headers
      return true;
    if (P->Is == Pass::Mode::Again)
      return false;
  }
  return true;
}

/// Sends lanes on that are at S.At, behind the block at \p Position.
void PathFinder::route(uint32_t Position, PathState S) {
  Pass &P = *Passes.back();
  auto Next = llvm::find_if(
      S.At, [&](uint32_t At) { return At > Position && At < P.End; });
  if (Next != S.At.end())
    return arrive(*Next, std::move(S));
  if (P.Is != Pass::Mode::Through && llvm::is_contained(S.At, P.First))
    return addTo(P.Back, std::move(S));
  addTo(P.Leaving, std::move(S));
}

void PathFinder::distribute(uint32_t Position, const PathState &S,
                            const BlockEnd &E, const WayShares *Chosen) {
  const IssuedBlock &B = F.Blocks[Position];
  auto Send = [&](double Share, ArrayRef<uint32_t> To, double Clock) {
    if (Share <= 0)
      return;
    PathState Out = S;
    Out.Mass *= Share;
    Out.Clock = Clock;
    // What is in flight is told from the clock.
    double Later = Clock - S.Clock;
    auto Advance = [&](double &Cycles) {
      Cycles = std::max(0.0, Cycles - Later);
    };
    Advance(Out.Busy);
    Advance(Out.Open.Ready);
    Advance(Out.Bulk.Ready);
    for (CopyGroup &G : Out.Groups)
      Advance(G.Ready);
    for (Result &R : Out.Results)
      Advance(R.Ready);
    llvm::erase_if(Out.Results, [](const Result &R) {
      return R.Ready == 0 && R.FreshLong == 0 && R.FreshShared == 0;
    });
    for (uint32_t T : To)
      if (T != IssuedBlock::Leave)
        IsExact &= addPlace(Out, T);
    route(Position, std::move(Out));
  };

  struct Way {
    double Share = 0;
    SmallVector<uint32_t, 2> To;
    double Clock = 0;
    bool Leaves = false; ///< the loop whose last pass this is
  };
  SmallVector<Way, 4> Ways;
  const Pass &P = *Passes.back();
  bool IsConditional = B.IsBranch && B.Edges.size() == 2;
  auto ClockOf = [&](unsigned N) {
    if (B.Edges[N].To == IssuedBlock::Leave)
      return E.Left;
    return IsConditional && N == 1 ? E.NotTaken : E.Taken;
  };
  auto Add = [&](double Share, SmallVector<uint32_t, 2> To, double Clock) {
    bool Leaves = P.Is == Pass::Mode::Last &&
                  llvm::any_of(To, [&](uint32_t T) { return !P.contains(T); });
    Ways.push_back({Share, std::move(To), Clock, Leaves});
  };
  for (unsigned N = 0; N != B.Edges.size(); ++N)
    if (isOpen(B.Edges[N].To))
      Add(Chosen ? Chosen->Edges[N] : B.Edges[N].Share, {B.Edges[N].To},
          ClockOf(N));
  double Both = Chosen ? Chosen->Both : B.Both;
  if (Both > 0) {
    SmallVector<uint32_t, 2> To;
    for (const IssuedBlock::Edge &Edge : B.Edges)
      if (isOpen(Edge.To) && Edge.To != IssuedBlock::Leave)
        To.push_back(Edge.To);
    // Of lanes of which some end, the others go on behind the instruction.
    bool SomeEnd = B.Edges[0].To == IssuedBlock::Leave;
    if (!To.empty())
      Add(Both, std::move(To), SomeEnd ? E.NotTaken : E.Taken);
  }
  double Sum = 0, SumLeaving = 0;
  for (const Way &W : Ways)
    (W.Leaves ? SumLeaving : Sum) += W.Share;
  double LeavingShare =
      P.Is == Pass::Mode::Last ? P.LeavingShare.lookup(Position) : 0;
  bool CanStay = llvm::any_of(Ways, [](const Way &W) { return !W.Leaves; });
  if (SumLeaving <= 0)
    LeavingShare = 0;
  else if (!CanStay)
    LeavingShare = 1;
  if (Ways.empty()) { // every way out is shut: the loop ends here
    PathState Out = S;
    return route(Position, std::move(Out));
  }
  for (const Way &W : Ways) {
    double Of = W.Leaves ? SumLeaving : Sum;
    double Share = W.Leaves ? LeavingShare : 1 - LeavingShare;
    double Alike = 1.0 / double(llvm::count_if(Ways, [&](const Way &O) {
                     return O.Leaves == W.Leaves;
                   }));
    Send(Share * (Of > 0 ? W.Share / Of : Alike), W.To, W.Clock);
  }
}

void PathFinder::runBlock(uint32_t Position, PathState S,
                          const WayShares *Chosen) {
  llvm::erase(S.At, Position);
  M.load(S);
  BlockEnd E = M.run(F.Blocks[Position], S.Mass);
  IsExact &= M.save(S);
  distribute(Position, S, E, Chosen);
}

/// Runs a block in each of \p States. Which of them go where is not known; it
/// is mostly checks of bounds that send warps apart, and they agree with each
/// other: those that have had the most to do have more to do.
void PathFinder::runStates(uint32_t Position, std::vector<PathState> States) {
  const IssuedBlock &B = F.Blocks[Position];
  bool IsOpenChoice =
      llvm::count_if(B.Edges,
                     [](const IssuedBlock::Edge &E) { return E.Share > 0; }) +
          (B.Both > 0) >
      1;
  IsExact &= States.size() == 1 || !IsOpenChoice;
  bool Chooses =
      States.size() > 1 && IsOpenChoice && B.Edges.size() == 2 &&
      llvm::all_of(B.Edges, [&](const IssuedBlock::Edge &E) {
        return isOpen(E.To) && (Passes.back()->Is != Pass::Mode::Last ||
                                Passes.back()->contains(E.To));
      });
  if (!Chooses) {
    for (PathState &S : States)
      runBlock(Position, std::move(S), nullptr);
    return;
  }
  llvm::stable_sort(States, [](const PathState &X, const PathState &Y) {
    return X.Clock > Y.Clock;
  });
  // What comes sooner is what a check guards; some lanes do less than all.
  unsigned Guarded = B.Edges[0].To < B.Edges[1].To ? 0 : 1;
  double Mass = 0, Sum = B.Edges[0].Share + B.Edges[1].Share + B.Both;
  for (const PathState &S : States)
    Mass += S.Mass;
  double Left[] = {B.Edges[Guarded].Share, B.Both, B.Edges[1 - Guarded].Share};
  for (double &L : Left)
    L *= Mass / Sum;
  unsigned Way = 0;
  for (PathState &S : States) {
    double Taken[3] = {};
    for (double Rest = S.Mass;;) {
      double Part = Way == 2 ? Rest : std::min(Rest, Left[Way]);
      Taken[Way] += Part / S.Mass;
      Left[Way] -= Part;
      Rest -= Part;
      if (Rest <= 0)
        break;
      ++Way;
    }
    WayShares Chosen;
    Chosen.Edges[Guarded] = Taken[0];
    Chosen.Both = Taken[1];
    Chosen.Edges[1 - Guarded] = Taken[2];
    runBlock(Position, std::move(S), &Chosen);
  }
}

/// Goes through the blocks once, with what has come in.
void PathFinder::runPass(Pass &P) {
  Passes.push_back(&P);
  for (uint32_t At = P.First; At < P.End; ++At) {
    // The loop that begins here, but for the one that this is a pass of.
    int Number = LoopAt[At];
    if (Number < 0 || (P.Is != Pass::Mode::Through && At == P.First)) {
      runStates(At, takeIncoming(At));
      continue;
    }
    // An irreducible one may be entered anywhere.
    uint32_t End = F.Loops[size_t(Number)].End;
    std::vector<PathState> Entering;
    for (auto It = Pending.lower_bound(At); It != Pending.end() && *It < End;) {
      uint32_t In = *It++;
      for (PathState &S : takeIncoming(In)) {
        llvm::erase(S.At, In);
        addTo(Entering, std::move(S));
      }
    }
    for (PathState &S : Entering)
      runLoop(uint32_t(Number), std::move(S));
    At = End - 1;
  }
  Passes.pop_back();
}

/// Which share of those who have not left the loop before leaves where.
void PathFinder::prepareLast(uint32_t Loop, Pass &P) {
  double Later = 0;
  for (uint32_t At : llvm::reverse(Exits[Loop])) {
    const IssuedBlock &B = F.Blocks[At];
    double Here = 0;
    for (const IssuedBlock::Edge &E : B.Edges)
      if (!P.contains(E.To) && isOpen(E.To))
        Here += B.Runs * (E.Share + B.Both);
    P.LeavingShare[At] = Later + Here > 0 ? Here / (Later + Here) : 0;
    Later += Here;
  }
}

/// The state at the header when the body has run \p Times times, from \p S with
/// a mass of 1.
PathState PathFinder::iterate(uint32_t Loop, PathState S, double Times) {
  const IssuedLoop &L = F.Loops[Loop];
  struct Point {
    PathState State;
    Totals Sums;
  };
  std::vector<Point> Points{{std::move(S), {}}};
  Totals Before = M.Sums;
  M.Sums = Totals();
  auto At = [&](size_t N) -> const Point & { return Points[N]; };
  // The point at a whole number of iterations, by the period if there is one.
  size_t Start = 0, Period = 0;
  double Whole = std::floor(Times);
  double Needed = Whole + (Times > Whole ? 1 : 0);
  while (double(Points.size() - 1) < Needed) {
    size_t Last = Points.size() - 1;
    constexpr size_t LongestPeriod = 16;
    for (size_t Back = 1; Back <= std::min(Last, LongestPeriod); ++Back)
      if (isSame(At(Last).State, At(Last - Back).State)) {
        Start = Last - Back;
        Period = Back;
        break;
      }
    if (Period)
      break;
    if (Last >= MaxFollowed || (Last > 0 && isSpent())) {
      // As in the last ones, on the average.
      Period = std::max<size_t>(1, Last / 2);
      Start = Last - Period;
      IsExact = false;
      break;
    }
    Pass P;
    P.Is = Pass::Mode::Again;
    P.First = L.First;
    P.End = L.End;
    PathState In = At(Last).State;
    IsExact &= addPlace(In, L.First);
    arrive(L.First, std::move(In));
    runPass(P);
    llvm::append_range(P.Back, P.Leaving); // nowhere else to go
    if (P.Back.empty()) {                  // cannot come back
      Period = 1;
      Start = Last;
      IsExact = false;
      break;
    }
    PathState Next = mergeAll(std::move(P.Back));
    llvm::erase(Next.At, L.First);
    Next.Mass = 1;
    Points.push_back({std::move(Next), M.Sums});
  }
  Totals Sums;
  auto PointAt = [&](double N, Totals &To) {
    if (N <= double(Points.size() - 1)) {
      To = At(size_t(N)).Sums;
      return At(size_t(N)).State;
    }
    double Beyond = N - double(Start);
    double Periods = std::floor(Beyond / double(Period));
    size_t Rest = size_t(Beyond - Periods * double(Period));
    const Point &Base = At(Start);
    const Point &Near = At(std::min(Start + Rest, Points.size() - 1));
    const Point &End = At(std::min(Start + Period, Points.size() - 1));
    PathState Out = Near.State;
    Out.Clock += Periods * (End.State.Clock - Base.State.Clock);
    To = Near.Sums;
    To.add(End.Sums, Periods);
    To.add(Base.Sums, -Periods);
    return Out;
  };
  PathState Out = PointAt(Whole, Sums);
  if (double Part = Times - Whole; Part > 0) {
    Totals More;
    PathState Next = PointAt(Whole + 1, More);
    Out.Mass = 1 - Part;
    Next.Mass = Part;
    IsExact &= merge(Out, Next);
    IsExact = false;
    Totals Mean;
    Mean.add(Sums, 1 - Part);
    Mean.add(More, Part);
    Sums = Mean;
    Out.Mass = 1;
  }
  M.Sums = Before;
  M.Sums.add(Sums, 1);
  return Out;
}

/// All of a loop, entered by one execution at the clock 0.
std::vector<PathState> PathFinder::follow(uint32_t Loop,
                                          const PathState &Entry) {
  const IssuedLoop &L = F.Loops[Loop];
  PathState S = iterate(Loop, Entry, std::max(0.0, L.Runs - 1));
  Pass P;
  P.Is = Pass::Mode::Last;
  P.First = L.First;
  P.End = L.End;
  prepareLast(Loop, P);
  IsExact &= addPlace(S, L.First);
  arrive(L.First, std::move(S));
  runPass(P);
  llvm::append_range(P.Leaving, P.Back);
  return std::move(P.Leaving);
}

void PathFinder::runLoop(uint32_t Loop, PathState Entry) {
  const IssuedLoop &L = F.Loops[Loop];
  double Mass = Entry.Mass, Clock = Entry.Clock;
  Entry.Mass = 1;
  Entry.Clock = 0;
  Followed &Past = Known[Loop];
  bool Repeats = Past.IsValid && isSame(Past.Entry, Entry);
  IsExact &= Repeats || !(Past.IsValid && isSpent());
  if (!Repeats && !(Past.IsValid && isSpent())) {
    Totals Before = M.Sums;
    M.Sums = Totals();
    std::vector<PathState> Leaving = follow(Loop, Entry);
    Past = {true, Entry, std::move(Leaving), M.Sums};
    M.Sums = Before;
  }
  M.Sums.add(Past.Sums, Mass);
  double Left = 0;
  for (const PathState &S : Past.Leaving)
    Left += S.Mass;
  for (PathState S : Past.Leaving) {
    S.Mass *= Mass / Left;
    S.Clock += Clock;
    route(L.End - 1, std::move(S));
  }
}

CallCost PathFinder::run() {
  CallCost Cost;
  if (F.Blocks.empty())
    return Cost;
  Pass P;
  P.End = uint32_t(F.Blocks.size());
  PathState S;
  S.Mass = 1;
  S.At = {0};
  arrive(0, std::move(S));
  runPass(P);
  double Mass = 0, Cycles = 0;
  for (const PathState &Left : P.Leaving) {
    Mass += Left.Mass;
    Cycles += Left.Mass * Left.Clock;
  }
  Cost.Cycles = Mass > 0 ? Cycles / Mass : 0;
  Cost.Sums = M.Sums;
  return Cost;
}

/// What the instructions of a function were waited for, of \p Entries entries.
static void addWaits(const FunctionDependence &F, uint32_t Number,
                     const PathMachine &M, double Entries,
                     std::vector<PathWait> &Out) {
  std::vector<double> Cycles(F.Instructions.size());
  for (const auto &[N, B] : llvm::enumerate(F.Blocks))
    for (uint32_t I = B.FirstInstruction; I != B.EndInstruction; ++I)
      if (M.Waited[I] > 0 && M.Mass[N] > 0)
        Cycles[M.WaitedFor[I]] += M.Waited[I] / M.Mass[N] * B.Runs * Entries;
  for (uint32_t I = 0; I != Cycles.size(); ++I)
    if (Cycles[I] > 0)
      Out.push_back({Number, I, Cycles[I]});
}

CriticalPath ptxpredict::findCriticalPath(const DependenceSummary &S,
                                          const LatencyTable &Latencies,
                                          bool WithWaits) {
  CriticalPath Out;
  size_t Num = S.Functions.size();
  if (Num == 0)
    return Out;
  // How often each function is entered; callers stand before callees. What a
  // function calls that stands before it, or itself, takes no time there: it is
  // entered more often than it is called from before.
  std::vector<double> Entries(Num), Repeats(Num, 1);
  Entries[0] = 1;
  for (size_t N = 0; N != Num; ++N) {
    const FunctionDependence &F = S.Functions[N];
    constexpr double Rounding = 1 + 1e-9;
    if (Entries[N] > 0 && F.Entries > Entries[N] * Rounding) {
      Repeats[N] = F.Entries / Entries[N];
      Entries[N] = F.Entries;
    }
    for (const IssuedBlock &B : F.Blocks) {
      double Runs = B.Runs * Entries[N];
      for (const IssuedInstruction &I :
           ArrayRef(F.Instructions)
               .slice(B.FirstInstruction,
                      B.EndInstruction - B.FirstInstruction)) {
        Out.Instructions += Runs;
        Out.LongLoads += I.IsLongLoad ? Runs : 0;
        Out.SharedLoads += I.IsSharedLoad ? Runs : 0;
        if (I.Result != Latency::Call)
          continue;
        if (I.Argument > int32_t(N))
          Entries[size_t(I.Argument)] += Runs;
        else if (Runs > 0) // not seen, or a function that calls itself
          Out.IsExact = false;
      }
    }
  }
  std::vector<CallCost> Costs(Num);
  double LoadCycles = 0;
  for (size_t N = Num; N-- != 0;) {
    const FunctionDependence &F = S.Functions[N];
    PathFinder Finder(F, Latencies, Costs, N == 0);
    Costs[N] = Finder.run();
    Costs[N].Cycles *= Repeats[N];
    Totals Once = std::exchange(Costs[N].Sums, Totals());
    Costs[N].Sums.add(Once, Repeats[N]);
    Out.IsExact &= Finder.IsExact;
    for (const IssuedBlock &B : F.Blocks)
      for (uint32_t I = B.FirstInstruction; I != B.EndInstruction; ++I)
        if (F.Instructions[I].IsLongLoad)
          LoadCycles +=
              B.Runs * Entries[N] * Latencies.of(F.Instructions[I].Result);
    if (WithWaits)
      addWaits(F, uint32_t(N), Finder.M, Entries[N], Out.Waits);
  }
  Out.Cycles = Costs[0].Cycles;
  Out.RoundTrips = Costs[0].Sums.RoundTrips;
  Out.SharedRoundTrips = Costs[0].Sums.SharedRoundTrips;
  if (double Busy = Costs[0].Sums.BusyCycles; Busy > 0)
    Out.LoadsInFlight = LoadCycles / Busy;
  llvm::stable_sort(Out.Waits, [](const PathWait &A, const PathWait &B) {
    return A.Cycles > B.Cycles;
  });
  return Out;
}

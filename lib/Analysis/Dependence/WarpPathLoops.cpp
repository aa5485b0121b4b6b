//===- WarpPathLoops.cpp - The ways of warps through loops ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WarpPathWalker.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::path;

/// Executions of a loop's body that are followed one by one.
static constexpr unsigned MaxFollowed = 256;

/// Which share of those who have not left the loop before leaves where.
void WarpPathWalker::prepareLast(uint32_t Loop, Pass &P) {
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

/// The states at a loop's header from the first execution of its body on: some
/// were followed; behind them the last Period ones repeat.
struct WarpPathWalker::HeaderStates {
  struct Point {
    WarpState State;
    Totals Sums; ///< of all executions of the body before
  };
  std::vector<Point> Points;
  size_t Start = 0, Period = 0; ///< points; no period: 0

  /// Whether the last point is as a former one was, but for its clock.
  bool findPeriod(double Slack);
  /// \p N executions of the body from the first point on.
  Point at(double N) const;
};

bool WarpPathWalker::HeaderStates::findPeriod(double Slack) {
  constexpr size_t LongestPeriod = 16;
  const size_t Last = Points.size() - 1;
  for (size_t Back = 1; Back <= std::min(Last, LongestPeriod); ++Back)
    if (isSame(Points[Last].State, Points[Last - Back].State, Slack)) {
      Start = Last - Back;
      Period = Back;
      return true;
    }
  return false;
}

WarpPathWalker::HeaderStates::Point
WarpPathWalker::HeaderStates::at(double N) const {
  if (N <= double(Points.size() - 1))
    return Points[size_t(N)];
  double Beyond = N - double(Start);
  double Periods = std::floor(Beyond / double(Period));
  size_t Rest = size_t(Beyond - Periods * double(Period));
  const Point &Base = Points[Start];
  const Point &End = Points[std::min(Start + Period, Points.size() - 1)];
  Point Out = Points[std::min(Start + Rest, Points.size() - 1)];
  Out.State.Clock += Periods * (End.State.Clock - Base.State.Clock);
  Out.Sums.add(End.Sums, Periods);
  Out.Sums.add(Base.Sums, -Periods);
  return Out;
}

/// Runs the body once. The state at the header, with a mass of 1; nothing if no
/// way leads back there.
std::optional<WarpState> WarpPathWalker::runBody(uint32_t Loop, WarpState S) {
  const IssuedLoop &L = F.Loops[Loop];
  Pass P;
  P.Is = Pass::Mode::Again;
  P.First = L.First;
  P.End = L.End;
  IsExact &= addPlace(S, L.First);
  addTo(Incoming[L.First], std::move(S));
  runPass(P);
  llvm::append_range(P.Back, P.Leaving); // nowhere else to go
  if (P.Back.empty())
    return std::nullopt;
  WarpState Next = mergeAll(std::move(P.Back));
  llvm::erase(Next.Index, L.First);
  Next.Mass = 1;
  return Next;
}

/// Follows the body \p Times times at most, until there is a period.
WarpPathWalker::HeaderStates
WarpPathWalker::followIterations(uint32_t Loop, WarpState S, double Times) {
  HeaderStates H;
  H.Points.reserve(4); // most loops repeat by then
  H.Points.push_back({std::move(S), {}});
  // Means of several states come nearer to their limit each time, and never
  // there. As near as this, times are those of loops that are followed on.
  constexpr double SlackOfMeans = 0.01; // cycles
  while (double(H.Points.size() - 1) < Times &&
         !H.findPeriod(IsExact ? 0 : SlackOfMeans)) {
    const size_t Last = H.Points.size() - 1;
    if (Last >= MaxFollowed || (Last > 0 && isSpent())) {
      // As in the last ones, on the average.
      H.Period = std::max<size_t>(1, Last / 2);
      H.Start = Last - H.Period;
      IsExact = false;
      break;
    }
    std::optional<WarpState> Next = runBody(Loop, H.Points.back().State);
    if (!Next) {
      H.Period = 1;
      H.Start = Last;
      IsExact = false;
      break;
    }
    H.Points.push_back({std::move(*Next), M.Sums});
  }
  return H;
}

/// The state at the header when the body has run \p Times times, from \p S with
/// a mass of 1.
WarpState WarpPathWalker::iterate(uint32_t Loop, WarpState S, double Times) {
  const double Whole = std::floor(Times), Part = Times - Whole;
  const Totals Before = std::exchange(M.Sums, Totals());
  const HeaderStates H = followIterations(Loop, std::move(S), std::ceil(Times));
  HeaderStates::Point Out = H.at(Whole);
  if (Part > 0) {
    HeaderStates::Point Next = H.at(Whole + 1);
    Out.State.Mass = 1 - Part;
    Next.State.Mass = Part;
    (void)merge(Out.State, Next.State);
    IsExact = false;
    Totals Mean;
    Mean.add(Out.Sums, 1 - Part);
    Mean.add(Next.Sums, Part);
    Out.Sums = Mean;
    Out.State.Mass = 1;
  }
  M.Sums = Before;
  M.Sums.add(Out.Sums, 1);
  return std::move(Out.State);
}

/// All of a loop, entered by one execution at the clock 0.
std::vector<WarpState> WarpPathWalker::follow(uint32_t Loop,
                                              const WarpState &Entry) {
  const IssuedLoop &L = F.Loops[Loop];
  WarpState S = iterate(Loop, Entry, std::max(0.0, L.Runs - 1));
  Pass P;
  P.Is = Pass::Mode::Last;
  P.First = L.First;
  P.End = L.End;
  prepareLast(Loop, P);
  IsExact &= addPlace(S, L.First);
  addTo(Incoming[L.First], std::move(S));
  runPass(P);
  llvm::append_range(P.Leaving, P.Back);
  return std::move(P.Leaving);
}

void WarpPathWalker::runLoop(uint32_t Loop, WarpState Entry) {
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
    std::vector<WarpState> Leaving = follow(Loop, Entry);
    Past = {true, Entry, std::move(Leaving), M.Sums};
    M.Sums = Before;
  }
  M.Sums.add(Past.Sums, Mass);
  double Left = 0;
  for (const WarpState &S : Past.Leaving)
    Left += S.Mass;
  for (WarpState S : Past.Leaving) {
    S.Mass *= Mass / Left;
    S.Clock += Clock;
    route(L.End - 1, std::move(S));
  }
}

//===- WarpPathLoops.cpp - The ways of warps through loops ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WarpPathWalker.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

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

/// The state at the header when the body has run \p Times times, from \p S with
/// a mass of 1.
WarpState WarpPathWalker::iterate(uint32_t Loop, WarpState S, double Times) {
  const IssuedLoop &L = F.Loops[Loop];
  struct Point {
    WarpState State;
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
    WarpState In = At(Last).State;
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
    WarpState Next = mergeAll(std::move(P.Back));
    llvm::erase(Next.Index, L.First);
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
    WarpState Out = Near.State;
    Out.Clock += Periods * (End.State.Clock - Base.State.Clock);
    To = Near.Sums;
    To.add(End.Sums, Periods);
    To.add(Base.Sums, -Periods);
    return Out;
  };
  WarpState Out = PointAt(Whole, Sums);
  if (double Part = Times - Whole; Part > 0) {
    Totals More;
    WarpState Next = PointAt(Whole + 1, More);
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
  arrive(L.First, std::move(S));
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

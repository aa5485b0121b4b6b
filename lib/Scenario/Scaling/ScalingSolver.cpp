//===- ScalingSolver.cpp - Sizes and clocks of an efficiency --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Scaling/ScalingSolver.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

/// From here on there is hardly any overhead.
static constexpr double HardlyBelowOne = 0.99;

StringRef ptxpredict::toString(ScalingStatus S) {
  switch (S) {
  case ScalingStatus::Found:
    return "found";
  case ScalingStatus::None:
    return "none";
  case ScalingStatus::Every:
    return "every";
  case ScalingStatus::Insensitive:
    return "insensitive";
  case ScalingStatus::NoAnswer:
    return "no answer";
  }
  return "";
}

StringRef ptxpredict::describe(ScalingCategory C) {
  switch (C) {
  case ScalingCategory::ComputeOnly:
    return "compute bound, hardly any overhead: n and p do not matter";
  case ScalingCategory::ComputeAndCommunication:
    return "computation with noticeable overhead: a larger n helps";
  case ScalingCategory::CommunicationBound:
    return "communication bound: a larger n helps";
  case ScalingCategory::NotByN:
    return "overhead that grows as the work does: n does not help, and p "
           "hurts";
  }
  return "";
}

ScalingCategory ptxpredict::categoryOf(const CategoryFacts &F) {
  if (F.LowestEfficiency >= HardlyBelowOne)
    return ScalingCategory::ComputeOnly;
  if (F.ChangeOverN < InsensitiveBelow)
    return ScalingCategory::NotByN;
  return F.NetworkSeconds > std::max(F.ComputeSeconds, F.MemorySeconds)
             ? ScalingCategory::CommunicationBound
             : ScalingCategory::ComputeAndCommunication;
}

namespace {

/// A size, its efficiency, and by how much that exceeds what is wanted.
struct SizeAt {
  double N = 0, Efficiency = 0, Excess = 0;
};

/// Sizes of a range are asked for.
class SizeSearch {
public:
  SizeSearch(EfficiencyOfSize Of, const SizeRange &Range, double Theta)
      : Of(Of), Range(Range), Theta(Theta) {}

  SizeSolution solve();

private:
  std::optional<SizeAt> at(double N);
  double sizeOf(unsigned Step) const;
  /// The largest size from \p Good up to \p Bad that has an answer.
  SizeAt lastGood(SizeAt Good, double Bad);
  SizeAt refine(SizeAt Low, SizeAt High);
  SizeAt refineWhole(SizeAt Low, SizeAt High);

  EfficiencyOfSize Of;
  const SizeRange &Range;
  double Theta;
};

} // namespace

std::optional<SizeAt> SizeSearch::at(double N) {
  const std::optional<double> E = Of(N);
  if (!E)
    return std::nullopt;
  return SizeAt{N, *E, *E - Theta};
}

double SizeSearch::sizeOf(unsigned Step) const {
  if (Step == 0)
    return Range.From;
  if (Step >= Range.Steps)
    return Range.To;
  const double N = Range.From * std::pow(Range.To / Range.From,
                                         double(Step) / double(Range.Steps));
  return Range.IsWhole ? std::round(N) : N;
}

SizeAt SizeSearch::lastGood(SizeAt Good, double Bad) {
  // Halved until the ends are one whole size, or hardly anything, apart.
  constexpr double Close = 1e-9;
  while (Range.IsWhole ? Bad - Good.N > 1 : Bad / Good.N > 1 + Close) {
    double Middle = std::sqrt(Good.N) * std::sqrt(Bad);
    if (Range.IsWhole) // between both, however near they are
      Middle = std::clamp(std::floor(Middle), Good.N + 1, Bad - 1);
    if (std::optional<SizeAt> A = at(Middle))
      Good = *A;
    else
      Bad = Middle;
  }
  return Good;
}

SizeAt SizeSearch::refineWhole(SizeAt Low, SizeAt High) {
  while (High.N - Low.N > 1) {
    const double Middle = Low.N + std::floor((High.N - Low.N) / 2);
    const std::optional<SizeAt> A = at(Middle);
    if (!A)
      break;
    ((A->Excess >= 0) == (High.Excess >= 0) ? High : Low) = *A;
  }
  return High.Excess >= 0 ? High : Low;
}

SizeAt SizeSearch::refine(SizeAt Low, SizeAt High) {
  // The false position of Illinois, which halves the weight of an end that
  // stays twice; and bisection, where that does not halve the part in three
  // steps.
  constexpr double Close = 1e-14, Equal = 1e-15;
  constexpr unsigned MaxSteps = 300;
  int Moved = 0; // which end, last time
  double X = std::log(Low.N), Y = std::log(High.N);
  double F = Low.Excess, G = High.Excess;
  double Width = Y - X;
  unsigned SinceHalved = 0;
  for (unsigned N = 0; N != MaxSteps && Y - X > Close; ++N) {
    double Z = X - F * (Y - X) / (G - F);
    if (SinceHalved == 3 || !(Z > X && Z < Y)) {
      Z = X + (Y - X) / 2;
      SinceHalved = 0;
    }
    if (!(Z > X && Z < Y)) // no number is between them
      break;
    const std::optional<SizeAt> A = at(std::exp(Z));
    if (!A)
      break;
    if (std::abs(A->Excess) <= Equal)
      return *A;
    if ((A->Excess >= 0) == (G >= 0)) {
      Y = Z;
      G = A->Excess;
      High = *A;
      F = Moved == 1 ? F / 2 : F;
      Moved = 1;
    } else {
      X = Z;
      F = A->Excess;
      Low = *A;
      G = Moved == -1 ? G / 2 : G;
      Moved = -1;
    }
    ++SinceHalved;
    if (Y - X <= Width / 2) {
      Width = Y - X;
      SinceHalved = 0;
    }
  }
  return std::abs(Low.Excess) < std::abs(High.Excess) ? Low : High;
}

SizeSolution SizeSearch::solve() {
  SizeSolution R;
  std::optional<SizeAt> Before, Root;
  double FirstBad = 0; ///< behind the last good one
  double Last = 0;
  auto See = [&](const SizeAt &Now) {
    const double E = Now.Efficiency;
    R.Lowest = Before ? std::min(R.Lowest, E) : E;
    R.Highest = Before ? std::max(R.Highest, E) : E;
    if (Before && !Root && (Before->Excess >= 0) != (Now.Excess >= 0))
      Root = Range.IsWhole ? refineWhole(*Before, Now) : refine(*Before, Now);
    Before = Now;
    FirstBad = 0;
  };
  for (unsigned Step = 0; Step <= Range.Steps; ++Step) {
    const double N = sizeOf(Step);
    if (Step != 0 && N == Last)
      continue;
    Last = N;
    if (std::optional<SizeAt> Now = at(N))
      See(*Now);
    else if (Before && FirstBad == 0)
      FirstBad = N;
  }
  if (!Before)
    return R;
  if (FirstBad != 0) {
    const SizeAt Edge = lastGood(*Before, FirstBad);
    if (Edge.N != Before->N)
      See(Edge);
    R.Largest = Edge.N;
  }
  if (R.isInsensitive()) { // where a curve is flat a root means nothing
    R.Status = ScalingStatus::Insensitive;
  } else if (Root) {
    R.Status = ScalingStatus::Found;
    R.N = Root->N;
    R.Efficiency = Root->Efficiency;
  } else {
    R.Status = R.Lowest >= Theta ? ScalingStatus::Every : ScalingStatus::None;
  }
  return R;
}

SizeSolution ptxpredict::solveSize(EfficiencyOfSize Of, const SizeRange &Range,
                                   double Theta) {
  return SizeSearch(Of, Range, Theta).solve();
}

ClockSolution ptxpredict::solveClock(ArrayRef<double> Efficiencies,
                                     std::optional<double> Theta) {
  ClockSolution R;
  R.Best = size_t(llvm::max_element(Efficiencies) - Efficiencies.begin());
  const auto *Least = llvm::min_element(Efficiencies);
  R.IsInsensitive = Efficiencies[R.Best] - *Least < InsensitiveBelow;
  const auto *At = llvm::find_if(
      Efficiencies, [&](double E) { return !Theta || E >= *Theta; });
  if (At != Efficiencies.end()) {
    R.Status = ScalingStatus::Found;
    R.Lowest = size_t(At - Efficiencies.begin());
  } else if (R.IsInsensitive) {
    R.Status = ScalingStatus::Insensitive;
  }
  return R;
}

//===- BestClocks.cpp - The pair of clocks that serves a goal -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/BestClocks.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>
#include <tuple>

using namespace ptxpredict;

StringRef ptxpredict::toString(ClockGoal G) {
  static constexpr StringRef Names[] = {"time", "energy", "ed", "ed2", "e2d"};
  return Names[unsigned(G)];
}

double ptxpredict::costOf(const ClockPair &P, ClockGoal G) {
  const double D = P.TimeUs, E = P.EnergyJ;
  switch (G) {
  case ClockGoal::Time:
    return D;
  case ClockGoal::Energy:
    return E;
  case ClockGoal::ED:
    return E * D;
  case ClockGoal::ED2:
    return E * D * D;
  case ClockGoal::E2D:
    return E * E * D;
  }
  return D;
}

std::optional<size_t> ptxpredict::bestClocks(ArrayRef<ClockPair> Points,
                                             ClockGoal G,
                                             const ClockLimits &Limits) {
  double Least = std::numeric_limits<double>::infinity();
  for (const ClockPair &P : Points)
    Least = std::min(Least, P.TimeUs);
  std::optional<size_t> Best;
  auto KeyOf = [&](size_t N) {
    const ClockPair &P = Points[N];
    const double Energy = std::isnan(P.EnergyJ) ? 0 : P.EnergyJ;
    return std::tuple(costOf(P, G), Energy, P.CoreMHz, P.MemMHz);
  };
  for (size_t N = 0; N != Points.size(); ++N) {
    const ClockPair &P = Points[N];
    // A power that nobody knows is not within a limit.
    if ((Limits.PowerW && !(P.PowerW <= *Limits.PowerW)) ||
        (Limits.Slowdown && !(P.TimeUs <= Least * (1 + *Limits.Slowdown))) ||
        !std::isfinite(costOf(P, G)))
      continue;
    if (!Best || KeyOf(N) < KeyOf(*Best))
      Best = N;
  }
  return Best;
}

std::vector<size_t> ptxpredict::energyTimeFront(ArrayRef<ClockPair> Points) {
  std::vector<size_t> Order;
  for (size_t N = 0; N != Points.size(); ++N)
    if (std::isfinite(Points[N].TimeUs) && std::isfinite(Points[N].EnergyJ))
      Order.push_back(N);
  llvm::sort(Order, [&](size_t A, size_t B) {
    auto KeyOf = [&](size_t N) {
      const ClockPair &P = Points[N];
      return std::tuple(P.TimeUs, P.EnergyJ, P.CoreMHz, P.MemMHz);
    };
    return KeyOf(A) < KeyOf(B);
  });
  std::vector<size_t> Front;
  double Least = std::numeric_limits<double>::infinity();
  for (size_t N : Order)
    if (Points[N].EnergyJ < Least) {
      Least = Points[N].EnergyJ;
      Front.push_back(N);
    }
  return Front;
}

void ptxpredict::addKernel(std::vector<ClockPair> &Sum, ArrayRef<ClockPair> Of,
                           double Weight) {
  if (Sum.empty()) {
    Sum.assign(Of.begin(), Of.end());
    for (ClockPair &P : Sum)
      P.TimeUs = P.EnergyJ = 0;
  }
  for (size_t N = 0; N != Of.size(); ++N) {
    Sum[N].TimeUs += Weight * Of[N].TimeUs;
    Sum[N].EnergyJ += Weight * Of[N].EnergyJ;
    // A kernel whose power nobody knows may draw the most.
    if (!(Of[N].PowerW <= Sum[N].PowerW))
      Sum[N].PowerW = Of[N].PowerW;
  }
}

//===- SplitEnergy.cpp - Time and energy of work that is split ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/SplitEnergy.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cassert>
#include <cmath>

using namespace ptxpredict;

bool SplitParty::canRun() const {
  return std::isfinite(Work.secondsOfAll()) && std::isfinite(Work.FixedSeconds);
}

std::optional<size_t> SplitSystem::base() const {
  const auto At =
      llvm::find_if(Parties, [](const SplitParty &P) { return P.canRun(); });
  if (At == Parties.end())
    return std::nullopt;
  return size_t(At - Parties.begin());
}

size_t SplitPoint::numAtWork() const {
  return size_t(llvm::count_if(Shares, [](double S) { return S > 0; }));
}

StringRef ptxpredict::toString(SplitGoal G) {
  return G == SplitGoal::Time ? "time" : "energy";
}

static std::vector<SplitDevice> devicesOf(const SplitSystem &S) {
  std::vector<SplitDevice> Devices;
  Devices.reserve(S.Parties.size());
  for (const SplitParty &P : S.Parties)
    Devices.push_back(P.Work);
  return Devices;
}

/// Time, power and energy, not compared with anything.
static SplitPoint plainPoint(const SplitSystem &S, std::vector<double> Shares) {
  SplitPoint P;
  P.Shares = std::move(Shares);
  P.Seconds = secondsOfSplit(devicesOf(S), P.Shares);
  P.PowerW = S.IdleW;
  for (auto [Party, Share] : llvm::zip_equal(S.Parties, P.Shares))
    if (Share > 0)
      P.PowerW += Party.DynamicW;
  if (const size_t AtWork = P.numAtWork(); S.JointW && AtWork > 1)
    P.PowerW =
        AtWork == S.Parties.size() ? *S.JointW : std::min(P.PowerW, *S.JointW);
  P.EnergyJ = P.PowerW * P.Seconds;
  return P;
}

/// All of the work for one of \p Count parties.
static std::vector<double> allFor(size_t Party, size_t Count) {
  std::vector<double> Shares(Count, 0);
  Shares[Party] = 1;
  return Shares;
}

SplitPoint ptxpredict::pointOfSplit(const SplitSystem &S,
                                    std::vector<double> Shares) {
  SplitPoint P = plainPoint(S, std::move(Shares));
  if (std::optional<size_t> Base = S.base()) {
    const SplitPoint Old = plainPoint(S, allFor(*Base, S.Parties.size()));
    P.Gain = energyGain(P.Seconds / Old.Seconds, P.PowerW / Old.PowerW);
  }
  return P;
}

static double costOf(const SplitPoint &P, SplitGoal G) {
  return G == SplitGoal::Time ? P.Seconds : P.EnergyJ;
}

/// \p Other is better than \p Best, or as good with fewer parties.
static bool isBetter(const SplitPoint &Other, const SplitPoint &Best,
                     SplitGoal G) {
  constexpr double Rounding = 1e-12;
  const double New = costOf(Other, G), Old = costOf(Best, G);
  return New < Old * (1 - Rounding) ||
         (New <= Old * (1 + Rounding) && Other.numAtWork() < Best.numAtWork());
}

static bool isPowerKnown(const SplitSystem &S) {
  return llvm::all_of(S.Parties, [](const SplitParty &P) {
    return !P.canRun() || !std::isnan(P.DynamicW);
  });
}

std::optional<SplitPoint> ptxpredict::bestAlone(const SplitSystem &S,
                                                SplitGoal G) {
  std::optional<SplitPoint> Best;
  if (G == SplitGoal::Energy && !isPowerKnown(S))
    return Best;
  for (auto [I, P] : llvm::enumerate(S.Parties)) {
    if (!P.canRun())
      continue;
    SplitPoint Here = pointOfSplit(S, allFor(I, S.Parties.size()));
    if (!Best || isBetter(Here, *Best, G))
      Best = std::move(Here);
  }
  return Best;
}

std::optional<SplitPoint> ptxpredict::bestSplit(const SplitSystem &S,
                                                SplitGoal G) {
  assert(S.Parties.size() <= MostSplitParties && "too many sets");
  std::optional<SplitPoint> Best = bestAlone(S, G);
  if (!Best)
    return Best;
  const std::vector<SplitDevice> All = devicesOf(S);
  auto Try = [&](ArrayRef<SplitDevice> Devices) {
    SplitPoint Here = pointOfSplit(S, splitWork(Devices).Shares);
    if (isBetter(Here, *Best, G))
      Best = std::move(Here);
  };
  if (G == SplitGoal::Time) {
    Try(All);
    return Best;
  }
  // Which parties work decides the power, and then the time the energy.
  unsigned Able = 0;
  for (auto [I, P] : llvm::enumerate(S.Parties))
    Able |= unsigned(P.canRun()) << I;
  for (unsigned Set = 1; Set <= Able; ++Set) {
    if ((Set & ~Able) != 0)
      continue;
    std::vector<SplitDevice> Some = All;
    for (auto [I, D] : llvm::enumerate(Some))
      if ((Set >> I & 1) == 0)
        D.Seconds = std::numeric_limits<double>::infinity();
    Try(Some);
  }
  return Best;
}

std::vector<SplitPoint> ptxpredict::sweepShares(const SplitSystem &S,
                                                unsigned Points) {
  std::vector<SplitPoint> Sweep;
  const std::optional<size_t> Base = S.base();
  if (!Base)
    return Sweep;
  const size_t Count = S.Parties.size();
  Sweep.push_back(pointOfSplit(S, allFor(*Base, Count)));
  if (llvm::count_if(S.Parties,
                     [](const SplitParty &P) { return P.canRun(); }) < 2)
    return Sweep;
  Points = std::max(Points, 2U);
  Sweep.reserve(Points);
  for (unsigned I = 1; I != Points; ++I) {
    const double Given = double(I) / (Points - 1);
    std::vector<SplitDevice> Others = devicesOf(S);
    for (SplitDevice &D : Others) {
      D.Seconds *= Given;
      D.Bytes *= Given;
    }
    Others[*Base].Seconds = std::numeric_limits<double>::infinity();
    std::vector<double> Shares = splitWork(Others).Shares;
    for (double &Share : Shares)
      Share *= Given;
    Shares[*Base] = 1 - Given;
    Sweep.push_back(pointOfSplit(S, std::move(Shares)));
  }
  return Sweep;
}

bool ptxpredict::isLinear(ArrayRef<SplitPoint> Points) {
  std::vector<EnergyGain> Gains;
  for (const SplitPoint &P : Points)
    if (std::isfinite(P.Gain.Speedup) && std::isfinite(P.Gain.Efficiency))
      Gains.push_back(P.Gain);
  llvm::sort(Gains, [](const EnergyGain &A, const EnergyGain &B) {
    return std::pair(A.Speedup, A.Efficiency) <
           std::pair(B.Speedup, B.Efficiency);
  });
  constexpr double Rounding = 1e-9;
  std::vector<EnergyGain> Distinct;
  for (const EnergyGain &G : Gains) {
    if (Distinct.empty() ||
        G.Speedup > Distinct.back().Speedup * (1 + Rounding))
      Distinct.push_back(G);
    else if (G.Efficiency > Distinct.back().Efficiency * (1 + Rounding))
      return false; // two energies at one speed are no function of it
  }
  return isLinear(Distinct);
}

SplitSystem ptxpredict::applySeries(const SplitSystem &Base,
                                    const SystemSeries &Series, double Factor) {
  assert(Base.Parties.size() == 2 && "Table 16 is of two sides");
  SplitSystem S = Base;
  const bool Fast[] = {Series.FastCPU, Series.FastGPU};
  const bool HighPower[] = {Series.HighPowerCPU, Series.HighPowerGPU};
  for (unsigned I = 0; I != 2; ++I) {
    if (!Fast[I])
      S.Parties[I].Work.Seconds *= Factor;
    if (HighPower[I])
      S.Parties[I].DynamicW *= Factor;
  }
  S.JointW.reset(); // it was measured of one of them
  return S;
}

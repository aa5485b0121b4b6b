//===- ExcessBandwidth.cpp - More memory clock than is of use -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Excess.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

std::optional<Economy> ptxpredict::bestEconomy(const KernelThere &There,
                                               ArrayRef<DevicePoint> Points) {
  const double MostUs = There.timeUs() * (1 + MostTimeLost);
  auto IsFastEnough = [&](const DevicePoint &P) {
    std::optional<PointPrediction> A = There.Ready->at(P);
    return A && A->TimeUs.Value <= MostUs;
  };
  // Most kernels are slower at the first already.
  if (Points.empty() || !IsFastEnough(Points.front()))
    return std::nullopt;
  const DevicePoint &Least =
      *std::prev(llvm::partition_point(Points.drop_front(), IsFastEnough));
  const PreparedPower Power(There.Ready->place(), There.Options);
  if (!Power)
    return Economy{Least, std::nullopt};
  auto EnergyAt = [&](const DevicePoint &P) {
    const PointPrediction A = *There.Ready->at(P);
    return Power.watts(P, A.Cycles).Value * A.TimeUs.Value;
  };
  const double Saved = 1 - EnergyAt(Least) / EnergyAt(There.On.Point);
  if (!(Saved >= LeastEnergySaved))
    return std::nullopt;
  return Economy{Least, Saved};
}

std::string ptxpredict::energyText(const Economy &E) {
  return E.EnergySaved
             ? " and save " + percent(*E.EnergySaved) + " of the energy"
             : "";
}

std::vector<DevicePoint> ptxpredict::lowerClocks(const DevicePoint &From,
                                                 double DevicePoint::*Member) {
  std::vector<DevicePoint> Points;
  constexpr int Steps = 100;
  for (int I = int(std::lround(Steps * (1 - LeastExcess)));
       I >= int(std::lround(Steps * LowestClock)); --I) {
    Points.push_back(From);
    Points.back().*Member = From.*Member * I / Steps;
  }
  return Points;
}

void ptxpredict::checkExcessBandwidth(const Rule &R, LintContext &C) {
  Finding F = C.start(R);
  for (const KernelThere &There : C.devices()) {
    const DevicePoint &At = There.On.Point;
    std::optional<Economy> Slow =
        bestEconomy(There, lowerClocks(At, &DevicePoint::MemMHz));
    if (!Slow)
      continue;
    if (F.Message.empty())
      F.Message = "a memory clock of " + shortNumber(Slow->Point.MemMHz) +
                  " MHz in place of " + shortNumber(At.MemMHz) +
                  onDevice(C, There) + " would cost no time" +
                  energyText(*Slow);
    F.add("mem_mhz", At.MemMHz, There.name());
    F.add("enough_mem_mhz", Slow->Point.MemMHz, There.name());
    if (Slow->EnergySaved)
      F.add("energy_saved", *Slow->EnergySaved, There.name());
  }
  if (F.Message.empty())
    return;
  F.Help = "where energy counts, lower the memory clock, or run beside it what "
           "needs bandwidth";
  C.report(std::move(F));
}

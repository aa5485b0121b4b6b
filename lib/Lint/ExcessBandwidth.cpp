//===- ExcessBandwidth.cpp - More memory clock than is of use -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Excess.h"
#include <cmath>

using namespace ptxpredict;

static double energyAt(const PreparedPower &Power, const DevicePoint &P,
                       const PointPrediction &A) {
  return Power.watts(P, A.Cycles).Value * A.TimeUs.Value;
}

std::optional<Economy> ptxpredict::bestEconomy(const KernelThere &There,
                                               ArrayRef<DevicePoint> Points) {
  const PreparedPower Power(There.Ready->place(), There.Options);
  std::optional<PointPrediction> Now = There.Ready->at(There.On.At);
  if (!Now)
    return std::nullopt;
  std::optional<Economy> Best;
  for (const DevicePoint &P : Points) {
    std::optional<PointPrediction> A = There.Ready->at(P);
    if (!A || !(A->TimeUs.Value <= Now->TimeUs.Value * (1 + MostTimeLost)))
      break;
    Economy E{P, std::nullopt};
    if (Power) {
      E.EnergySaved =
          1 - energyAt(Power, P, *A) / energyAt(Power, There.On.At, *Now);
      if (!(*E.EnergySaved > (Best ? *Best->EnergySaved : 0)))
        continue;
    }
    Best = E;
  }
  return Best;
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
  for (int I = 1; I <= int(std::lround(Steps * (1 - LowestClock))); ++I) {
    Points.push_back(From);
    Points.back().*Member = From.*Member * (Steps - I) / Steps;
  }
  return Points;
}

void ptxpredict::checkExcessBandwidth(const Rule &R, LintContext &C) {
  Finding F = C.start(R);
  for (const KernelThere &There : C.devices()) {
    const DevicePoint &At = There.On.At;
    std::optional<Economy> Slow =
        bestEconomy(There, lowerClocks(At, &DevicePoint::MemMHz));
    if (!Slow || Slow->At.MemMHz > At.MemMHz * (1 - LeastExcess))
      continue;
    if (F.Message.empty())
      F.Message = "a memory clock of " + shortNumber(Slow->At.MemMHz) +
                  " MHz in place of " + shortNumber(At.MemMHz) +
                  onDevice(C, There) + " would cost no time" +
                  energyText(*Slow);
    F.add("mem_mhz", At.MemMHz, There.name());
    F.add("enough_mem_mhz", Slow->At.MemMHz, There.name());
    if (Slow->EnergySaved)
      F.add("energy_saved", *Slow->EnergySaved, There.name());
  }
  if (F.Message.empty())
    return;
  F.Help = "where energy counts, lower the memory clock, or run beside it what "
           "needs bandwidth";
  C.report(std::move(F));
}

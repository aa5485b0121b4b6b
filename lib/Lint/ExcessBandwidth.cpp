//===- ExcessBandwidth.cpp - More memory clock than is of use -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Excess.h"
#include <cmath>

using namespace ptxpredict;

std::optional<DevicePoint>
ptxpredict::slowestWithout(const KernelThere &There,
                           ArrayRef<DevicePoint> Points) {
  std::optional<DevicePoint> Last;
  for (const DevicePoint &P : Points) {
    std::optional<PointPrediction> A = There.Ready->at(P);
    if (!A || !(A->TimeUs.Value <= There.timeUs() * (1 + MostTimeLost)))
      break;
    Last = P;
  }
  return Last;
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
    std::optional<DevicePoint> Slow =
        slowestWithout(There, lowerClocks(At, &DevicePoint::MemMHz));
    if (!Slow || Slow->MemMHz > At.MemMHz * (1 - LeastExcess))
      continue;
    if (F.Message.empty())
      F.Message = "a memory clock of " + shortNumber(Slow->MemMHz) +
                  " MHz in place of " + shortNumber(At.MemMHz) +
                  onDevice(C, There) + " would cost no time";
    F.add("mem_mhz", At.MemMHz, There.name());
    F.add("enough_mem_mhz", Slow->MemMHz, There.name());
  }
  if (F.Message.empty())
    return;
  F.Help = "where energy counts, lower the memory clock, or run beside it what "
           "needs bandwidth";
  C.report(std::move(F));
}

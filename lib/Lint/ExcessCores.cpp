//===- ExcessCores.cpp - More SMs or core clock than are of use -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Excess.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

/// The fewest SMs and, apart from that, the lowest core clock that do.
static std::string textFor(const LintContext &C, const KernelThere &There,
                           Finding &F) {
  const DevicePoint &At = There.On.Point;
  SmallVector<std::string, 2> Parts;
  std::vector<DevicePoint> Fewer;
  // What leaves SMs without blocks is another rule's concern.
  if (C.kernel().Launch.blocks() >= At.ActiveSMs)
    for (auto SMs = unsigned(At.ActiveSMs * (1 - LeastExcess)); SMs != 0;
         --SMs) {
      Fewer.push_back(At);
      Fewer.back().ActiveSMs = SMs;
    }
  if (std::optional<Economy> E = bestEconomy(There, Fewer)) {
    Parts.push_back(std::to_string(E->Point.ActiveSMs) + " of the " +
                    std::to_string(At.ActiveSMs) + " SMs" + onDevice(C, There) +
                    " would be as fast" + energyText(*E));
    F.add("sms", At.ActiveSMs, There.name());
    F.add("enough_sms", E->Point.ActiveSMs, There.name());
    if (E->EnergySaved)
      F.add("energy_saved_by_sms", *E->EnergySaved, There.name());
  }
  if (std::optional<Economy> E =
          bestEconomy(There, lowerClocks(At, &DevicePoint::CoreMHz))) {
    Parts.push_back("a core clock of " + shortNumber(E->Point.CoreMHz) +
                    " MHz in place of " + shortNumber(At.CoreMHz) +
                    onDevice(C, There) + " would be as fast" + energyText(*E));
    F.add("core_mhz", At.CoreMHz, There.name());
    F.add("enough_core_mhz", E->Point.CoreMHz, There.name());
    if (E->EnergySaved)
      F.add("energy_saved_by_clock", *E->EnergySaved, There.name());
  }
  return llvm::join(Parts, "; ");
}

void ptxpredict::checkExcessCores(const Rule &R, LintContext &C) {
  Finding F = C.start(R);
  for (const KernelThere &There : C.devices()) {
    std::string Text = textFor(C, There, F);
    if (F.Message.empty() && !Text.empty())
      F.Message = std::move(Text);
  }
  if (F.Message.empty())
    return;
  F.Help = "where energy counts, lower the clock, or leave SMs to another "
           "kernel";
  C.report(std::move(F));
}

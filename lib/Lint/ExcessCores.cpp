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
  const DevicePoint &At = There.On.At;
  SmallVector<std::string, 2> Parts;
  std::vector<DevicePoint> Fewer;
  // What leaves SMs without blocks is another rule's concern.
  if (C.kernel().Launch.blocks() >= At.ActiveSMs)
    for (unsigned SMs = At.ActiveSMs - 1; SMs != 0 && At.ActiveSMs != 0;
         --SMs) {
      Fewer.push_back(At);
      Fewer.back().ActiveSMs = SMs;
    }
  if (std::optional<DevicePoint> P = slowestWithout(There, Fewer);
      P && P->ActiveSMs <= At.ActiveSMs * (1 - LeastExcess)) {
    Parts.push_back(std::to_string(P->ActiveSMs) + " of the " +
                    std::to_string(At.ActiveSMs) + " SMs");
    F.add("enough_sms", P->ActiveSMs, There.name());
    F.add("sms", At.ActiveSMs, There.name());
  }
  if (std::optional<DevicePoint> P =
          slowestWithout(There, lowerClocks(At, &DevicePoint::CoreMHz));
      P && P->CoreMHz <= At.CoreMHz * (1 - LeastExcess)) {
    Parts.push_back("a core clock of " + shortNumber(P->CoreMHz) +
                    " MHz in place of " + shortNumber(At.CoreMHz));
    F.add("enough_core_mhz", P->CoreMHz, There.name());
    F.add("core_mhz", At.CoreMHz, There.name());
  }
  return llvm::join(Parts, " or ");
}

void ptxpredict::checkExcessCores(const Rule &R, LintContext &C) {
  Finding F = C.start(R);
  for (const KernelThere &There : C.devices()) {
    std::string Text = textFor(C, There, F);
    if (F.Message.empty() && !Text.empty())
      F.Message = Text + onDevice(C, There) + " would be as fast";
  }
  if (F.Message.empty())
    return;
  F.Help = "where energy counts, lower the clock, or leave SMs to another "
           "kernel";
  C.report(std::move(F));
}

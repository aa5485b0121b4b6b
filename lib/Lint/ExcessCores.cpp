//===- ExcessCores.cpp - More SMs or core clock than are of use -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Excess.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

/// How the SMs are asked for, and what else was asked about them.
static std::string helpFor(const LintContext &C, const KernelThere &There,
                           const FewerSMs &Few, Finding &F) {
  const SMRequest Asked = requestSMs(There.dev(), Few.SMs);
  if (Asked.GreenContext)
    F.add("green_context_sms", *Asked.GreenContext, There.name());
  if (Asked.MPSPercent)
    F.add("mps_percent", *Asked.MPSPercent, There.name());
  F.add("left_sms", Asked.Left, There.name());
  const CoreAdvice Advice =
      adviseCores(There.On.Place, There.On.Point, There.Options);
  for (const auto &[Name, SMs] : Advice.byName())
    F.add(Name.lower(), SMs, There.name());
  std::string Text = requestText(Asked);
  if (const std::string Others = coreAdviceText(Advice); !Others.empty())
    Text += "; other models: " + Others;
  if (C.request().WithGated) {
    F.add("energy_saved_gated", Few.GatedSaved, There.name());
    Text += "; if SMs without blocks drew nothing, " + percent(Few.GatedSaved) +
            " of the energy would be saved";
  }
  if (C.request().WithPlacement) {
    std::string Numbers;
    for (unsigned SM : preferredSMs(There.dev(), Few.SMs))
      Numbers += (Numbers.empty() ? "" : " ") + std::to_string(SM);
    if (!Numbers.empty())
      F.add("preferred_sms", Numbers, There.name());
    Text += "; " + placementText(There.dev(), Few.SMs);
  }
  return Text;
}

/// The fewest SMs and, apart from that, the lowest core clock that do.
static std::string textFor(const LintContext &C, const KernelThere &There,
                           Finding &F, std::string &Help) {
  const DevicePoint &At = There.On.Point;
  SmallVector<std::string, 2> Parts;
  // What leaves SMs without blocks is another rule's concern.
  if (std::optional<FewerSMs> Few =
          findFewerSMs(*There.Ready, At, There.Options)) {
    Parts.push_back(
        std::to_string(Few->SMs) + " of the " + std::to_string(Few->All) +
        " SMs" + onDevice(C, There) + " would be as fast" +
        (Few->EnergySaved ? energyText({At, Few->EnergySaved}) : ""));
    F.add("sms", Few->All, There.name());
    F.add("enough_sms", Few->SMs, There.name());
    if (Few->EnergySaved)
      F.add("energy_saved_by_sms", *Few->EnergySaved, There.name());
    if (!There.dev().IsCPU)
      Help = helpFor(C, There, *Few, F);
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
  std::string SMs; // how those of the message are asked for
  for (const KernelThere &There : C.devices()) {
    std::string Request;
    std::string Text = textFor(C, There, F, Request);
    if (F.Message.empty() && !Text.empty()) {
      F.Message = std::move(Text);
      SMs = std::move(Request);
    }
  }
  if (F.Message.empty())
    return;
  F.Help = "where energy counts, lower the clock, or leave SMs to another "
           "kernel";
  if (!SMs.empty())
    F.Help += ": " + SMs;
  C.report(std::move(F));
}

//===- ClocksJSON.cpp - Pairs of clocks as JSON ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Clocks/ClocksReport.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"

using namespace ptxpredict;

static void writePair(JSONWriter &J, const ClockPair &P) {
  J.number("core_mhz", P.CoreMHz);
  J.number("mem_mhz", P.MemMHz);
  J.number("time_us", P.TimeUs);
  J.number("power_w", P.PowerW);
  J.number("energy_j", P.EnergyJ);
}

static void writeUse(JSONWriter &J, const ClocksReport &R, const FewerSMs &F) {
  J.attribute("sms", F.SMs);
  J.number("time_lost", F.TimeLost);
  if (F.EnergySaved)
    J.number("energy_saved", *F.EnergySaved);
  if (R.WithGated)
    J.number("energy_saved_gated", F.GatedSaved);
}

static void writeSMs(JSONWriter &J, const ClocksReport &R, const ClocksSMs &S) {
  J.number("core_mhz", S.At.CoreMHz);
  J.number("mem_mhz", S.At.MemMHz);
  if (S.Enough)
    J.attributeObject("enough", [&] { writeUse(J, R, *S.Enough); });
  for (const auto &[Name, F] : S.Advised)
    J.attributeObject(Name.lower(),
                      [&J, &R, Use = &F] { writeUse(J, R, *Use); });
  if (S.Request)
    J.attributeObject("request", [&] {
      if (S.Request->GreenContext)
        J.attribute("green_context_sms", *S.Request->GreenContext);
      if (S.Request->MPSPercent)
        J.attribute("mps_percent", *S.Request->MPSPercent);
      J.attribute("left_sms", S.Request->Left);
    });
  if (!S.Preferred.empty())
    J.attributeArray("preferred_sms", [&] {
      for (unsigned SM : S.Preferred)
        J.value(SM);
    });
}

static void writePairs(JSONWriter &J, const ClocksReport &R,
                       const KernelClocks &K) {
  J.number("weight", K.Weight);
  if (!K.Measured.empty())
    J.text("measured", K.Measured);
  if (!K.Why.empty()) {
    J.text("why", K.Why);
    return;
  }
  if (K.CoreReduction > 1)
    J.number("core_reduction", K.CoreReduction);
  if (K.SMs)
    J.attributeObject("fewer_sms", [&] { writeSMs(J, R, *K.SMs); });
  J.attributeObject("highest",
                    [&] { writePair(J, K.Pairs[R.highest(K.Pairs)]); });
  J.attributeObject("best", [&] {
    for (unsigned G = 0; G != NumClockGoals; ++G)
      if (auto Best = bestClocks(K.Pairs, ClockGoal(G), R.Limits))
        J.attributeObject(toString(ClockGoal(G)),
                          [&] { writePair(J, K.Pairs[*Best]); });
  });
  J.attributeArray("front", [&] {
    for (size_t N : energyTimeFront(K.Pairs))
      J.object([&] { writePair(J, K.Pairs[N]); });
  });
  J.attributeArray("pairs", [&] {
    for (const ClockPair &P : K.Pairs)
      J.object([&] { writePair(J, P); });
  });
}

void ptxpredict::printClocksJSON(const ClocksReport &R, raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(ClocksSchemaName, ClocksSchemaVersion);
    J.text("device", R.Device);
    J.text("model", R.Model);
    J.text("by", toString(R.Goal));
    if (R.Limits.PowerW)
      J.number("power_cap_w", *R.Limits.PowerW);
    if (R.Limits.Slowdown)
      J.number("slowdown", *R.Limits.Slowdown);
    if (R.Scaling)
      J.attributeObject("scaling", [&] {
        J.attribute("by", "maxbips");
        J.number("static_share", R.Scaling->StaticShare);
        J.attribute("as_printed", R.Scaling->AsPrinted);
        J.attribute("power_from", R.IsPowerTheLimit ? "limit" : "model");
      });
    J.attribute("clocks_assumed", R.AreCoreClocksAssumed);
    J.texts("premises", R.Premises);
    J.attributeArray("kernels", [&] {
      for (const KernelClocks &K : R.Kernels)
        J.object([&] {
          J.text("path", K.Path);
          J.text("kernel", K.Name);
          J.text("demangled", K.Demangled);
          if (K.LaunchLine)
            J.attribute("launch_line", K.LaunchLine);
          writePairs(J, R, K);
        });
    });
    if (const KernelClocks All = R.together();
        R.Kernels.size() > 1 && !All.Pairs.empty())
      J.attributeObject("together", [&] { writePairs(J, R, All); });
    J.attributeArray("diagnostics", [&] {
      for (const Diagnostic &D : R.Diagnostics)
        J.diagnostic(D);
    });
  });
  OS << '\n';
}

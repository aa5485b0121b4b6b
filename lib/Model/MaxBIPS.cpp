//===- MaxBIPS.cpp - Time and power at another core clock -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/MaxBIPS.h"
#include <cmath>
#include <map>

using namespace ptxpredict;

MaxBIPSMode ptxpredict::scaleMaxBIPS(const MaxBIPSMode &From, double CoreMHz,
                                     double Voltage, bool AsPrinted) {
  const double Clock = CoreMHz / From.CoreMHz;
  const double Volts = Voltage / From.Voltage;
  MaxBIPSMode To;
  To.CoreMHz = CoreMHz;
  To.Voltage = Voltage;
  To.TimeUs = From.TimeUs / Clock;
  To.DynamicW =
      From.DynamicW * Volts * Volts * (AsPrinted ? Clock * Clock : Clock);
  To.StaticW = From.StaticW * Volts * Volts * Volts;
  return To;
}

void ptxpredict::scalePairs(MutableArrayRef<ClockPair> Pairs, double BoardW,
                            const MaxBIPSOptions &Options) {
  std::map<double, MaxBIPSMode> Highest; // by memory clock
  for (const ClockPair &P : Pairs) {
    MaxBIPSMode &From = Highest[P.MemMHz];
    if (P.CoreMHz <= From.CoreMHz)
      continue;
    const double Watts = std::isnan(P.PowerW) ? BoardW : P.PowerW;
    From = {P.CoreMHz, P.CoreMHz, P.TimeUs, Watts * (1 - Options.StaticShare),
            Watts * Options.StaticShare};
  }
  for (ClockPair &P : Pairs) {
    const MaxBIPSMode To = scaleMaxBIPS(Highest[P.MemMHz], P.CoreMHz, P.CoreMHz,
                                        Options.AsPrinted);
    P.TimeUs = To.TimeUs;
    P.PowerW = To.DynamicW + To.StaticW;
    P.EnergyJ = P.PowerW * P.TimeUs * 1e-6;
  }
}

//===- UnitPower.cpp - Power by unit from access rates --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/UnitPower.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

StringRef ptxpredict::toString(PowerUnit U) {
  static constexpr StringRef Names[] = {
#define POWER_UNIT(ENUM, NAME, KEY, SCOPE, MEANING) NAME,
#include "ptxpredict/Device/PowerUnits.def"
  };
  return Names[unsigned(U)];
}

namespace {
enum class UnitScope { SM, GPU };
} // namespace

bool ptxpredict::servesAllSMs(PowerUnit U) {
  static constexpr UnitScope Scopes[] = {
#define POWER_UNIT(ENUM, NAME, KEY, SCOPE, MEANING) UnitScope::SCOPE,
#include "ptxpredict/Device/PowerUnits.def"
  };
  return Scopes[unsigned(U)] == UnitScope::GPU;
}

double AccessRateFunction::operator()(double Rate) const {
  if (!(Rate > 0))
    return 0;
  // The logarithm falls below zero at small rates and without end at none.
  if (LogSlope != 0)
    return std::clamp(LogSlope * std::log(Rate) + LogOffset, 0.0, LogOffset);
  double Share = Rate;
  if (KneeRate > 0)
    Share = Rate <= KneeRate ? Rate / KneeRate * KneeShare
                             : KneeShare + (Rate - KneeRate) / (1 - KneeRate) *
                                               (1 - KneeShare);
  return Step + (1 - Step) * Share;
}

double ptxpredict::accessRate(double PerWarp, double WarpsPerSM, double Cycles,
                              double IssueCycles) {
  return PerWarp * WarpsPerSM / (Cycles / IssueCycles);
}

double ptxpredict::warpsPerSM(double WarpsOfBlock, double Blocks,
                              double ActiveSMs) {
  return WarpsOfBlock * Blocks / ActiveSMs;
}

double ptxpredict::logScaling(double ActiveSMs, double NumSMs, double Beta) {
  double Alpha = (10 - Beta) / NumSMs; // (46)
  return std::log10(Alpha * ActiveSMs + Beta);
}

double PowerParameters::voltage(double Clock, bool MemoryIsLow) const {
  const double Needed =
      1 + VoltageSlope * std::max(0.0, Clock - VoltageKnee) +
      VoltageSteepSlope * std::max(0.0, Clock - VoltageSteepKnee);
  return MemoryIsLow ? Needed : std::max(Needed, VoltageFloor);
}

PowerScales PowerScales::at(const PowerParameters &P, double Core,
                            double Memory) {
  const bool IsLow = Memory <= P.MemoryLowClock;
  const double Volts =
      P.voltage(Core, IsLow) / P.voltage(1, /*MemoryIsLow=*/false);
  PowerScales S;
  S.Core = Core * Volts * Volts;
  // Rates are per core cycle; what an access of memory costs, no clock changes.
  S.Memory = Core;
  S.MemoryClock = Memory;
  S.Activation = IsLow ? 0 : 1;
  S.Leakage = Volts * Volts;
  return S;
}

PowerBreakdown ptxpredict::evaluateUnitPower(const PowerParameters &P,
                                             const ByPowerUnit<double> &Rates,
                                             double ActiveSMs,
                                             const PowerScales &Scales) {
  PowerBreakdown R;
  R.GPU = P.IdleW;
  // The logarithm would leave something of SMs that do not run.
  if (!(ActiveSMs > 0))
    return R;
  const double Running = ActiveSMs / P.NumSMs;
  R.SMScaling =
      P.LogBeta ? logScaling(ActiveSMs, P.NumSMs, *P.LogBeta) : Running;
  for (unsigned I = 0; I != NumPowerUnits; ++I) {
    const PowerParameters::Unit &Unit = P.Units[I];
    const auto U = PowerUnit(I);
    const bool OfMemory = U == PowerUnit::Global || U == PowerUnit::Local;
    const double Scale = OfMemory ? Scales.Memory : Scales.Core;
    if (servesAllSMs(U)) {
      // (48) lets it grow with the SMs as they do; without that it is used as
      // often as all SMs together use it.
      const double Rate = P.LogBeta ? Rates[I] : Rates[I] * Running;
      R.RP[I] = Unit.MaxW * Unit.Function(Rate) * Scale;
      R.RPMemory += R.RP[I]; // (43)
    } else {
      R.RP[I] = Unit.MaxW * Unit.Function(Rates[I]) * Scale; // (39)
      R.SMSum += R.RP[I];                                    // (37)
    }
  }
  R.RPConstSM = P.ConstSMW * Scales.Core;
  R.SMSum += R.RPConstSM;
  R.MaxSM = P.NumSMs * R.SMSum; // (45)
  R.Runtime = R.MaxSM * R.SMScaling +
              R.RPMemory * (P.LogBeta ? R.SMScaling : 1) + // (48)
              P.ActivationW * Scales.Activation +
              P.MemoryClockW * Scales.MemoryClock + P.LeakageW * Scales.Leakage;
  R.GPU = R.Runtime + P.IdleW; // (35)
  return R;
}

double PowerBreakdown::wattsOf(PowerUnit U, const PowerParameters &P) const {
  if (servesAllSMs(U))
    return RP.of(U) * (P.LogBeta ? SMScaling : 1);
  return RP.of(U) * P.NumSMs * SMScaling;
}

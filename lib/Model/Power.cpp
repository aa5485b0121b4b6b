//===- Power.cpp - Power and temperature of a kernel ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Power.h"
#include "CountBounds.h"
#include "ptxpredict/Model/WaitingPower.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace ptxpredict;

namespace {

/// A unit's keys in device files.
struct UnitKeys {
  StringRef Max, Peak, LogSlope, LogOffset, Step, Knee, KneeShare;
};
constexpr UnitKeys Keys[] = {
#define POWER_UNIT(ENUM, NAME, KEY, SCOPE, MEANING)                            \
  {KEY "_max",                                                                 \
   KEY "_peak",                                                                \
   KEY "_rate_log_slope",                                                      \
   KEY "_rate_log_offset",                                                     \
   KEY "_rate_step",                                                           \
   KEY "_rate_knee",                                                           \
   KEY "_rate_knee_share"},
#include "ptxpredict/Device/PowerUnits.def"
};

} // namespace

/// A parameter of the model in the file of \p D.
static bool readParameter(const Device &D, StringRef Key, double &Into) {
  const Quantity *Q = D.modelParameter(IPPName, Key);
  if (!Q || !*Q)
    return false;
  Into = **Q;
  return true;
}

void ptxpredict::holdAtWaiting(PowerParameters &P, const Device &D) {
  double Waiting;
  if (!readParameter(D, "waiting", Waiting))
    return;
  P.IdleW = std::min(P.IdleW, Waiting);
  const double Above = Waiting - P.IdleW;
  const double Drawn = P.LeakageW + P.ActivationW + P.MemoryClockW;
  if (!(Drawn > 0))
    return;
  P.LeakageW *= Above / Drawn;
  P.ActivationW *= Above / Drawn;
  P.MemoryClockW *= Above / Drawn;
}

PowerParameters ptxpredict::powerParametersOf(const Device &D,
                                              ByPowerUnit<bool> *Has) {
  auto Read = [&D](StringRef Key, double &Into) {
    return readParameter(D, Key, Into);
  };
  PowerParameters P;
  for (unsigned I = 0; I != NumPowerUnits; ++I) {
    PowerParameters::Unit &U = P.Units[I];
    AccessRateFunction &F = U.Function;
    const bool IsThere = Read(Keys[I].Max, U.MaxW);
    if (Has)
      (*Has)[I] = IsThere;
    Read(Keys[I].Peak, U.Peak);
    Read(Keys[I].LogSlope, F.LogSlope);
    Read(Keys[I].LogOffset, F.LogOffset);
    Read(Keys[I].Step, F.Step);
    Read(Keys[I].Knee, F.KneeRate);
    Read(Keys[I].KneeShare, F.KneeShare);
  }
  P.NumSMs = *D.NumSMs;
  P.IdleW = D.IdleWatts.Value.value_or(0);
  Read("const_sm", P.ConstSMW);
  Read("activation", P.ActivationW);
  Read("memory_clock", P.MemoryClockW);
  Read("leakage", P.LeakageW);
  double Beta;
  if (Read("sm_log_beta", Beta))
    P.LogBeta = Beta;
  Read("voltage_knee", P.VoltageKnee);
  Read("voltage_slope", P.VoltageSlope);
  Read("voltage_steep_knee", P.VoltageSteepKnee);
  Read("voltage_steep_slope", P.VoltageSteepSlope);
  Read("voltage_floor", P.VoltageFloor);
  if (double LowMHz; Read("memory_low_clock", LowMHz))
    P.MemoryLowClock = LowMHz / *D.MemoryMHz;
  Read("bounds", P.Bounds);
  holdAtWaiting(P, D);
  return P;
}

/// How the device warms up, where its file says it.
static std::optional<ThermalParameters> thermalParametersOf(const Device &D) {
  auto Read = [&D](StringRef Key, double &Into) {
    return readParameter(D, Key, Into);
  };
  ThermalParameters T;
  if (Read("idle_temperature", T.IdleC) && Read("rc_rise", T.RiseSeconds) &&
      Read("rc_decay", T.DecaySeconds) && Read("mu", T.Mu) &&
      Read("lambda", T.Lambda) && Read("rho", T.Rho) && Read("sigma", T.Sigma))
    return T;
  return std::nullopt;
}

PreparedPower::PreparedPower(const KernelOnDevice &On,
                             const ModelOptions &Options)
    : Status(statusOfCounts(On.Kernel)) {
  const Device &D = On.Dev;
  Parameters = powerParametersOf(D, &Rules.Has);
  Thermal = thermalParametersOf(D);
  if (!llvm::is_contained(Rules.Has, true))
    Missing.emplace_back("models.ipp: power of any unit, such as fds_max");
  if (!D.IdleWatts)
    Missing.emplace_back("power.idle");
  TDPWatts = D.TDPWatts.Value;
  BoostMHz = *D.BoostMHz;
  MemoryMHz = *D.MemoryMHz;
  // The issue time of mwp-cwp where the papers give it, else an issue slot.
  const Quantity *Issue = D.modelParameter("mwp-cwp", "issue_cycles");
  IssueCycles = Issue && *Issue ? **Issue : 1 / *D.Schedulers;
  Blocks = double(On.Kernel.Launch.blocks());
  WarpsOfBlock = std::ceil(double(On.Kernel.Launch.threadsPerBlock()) / 32);
  if (!*this)
    return;

  Rules.Published = Options.Published;
  Rules.ByTraffic = Rules.Has.of(PowerUnit::L2);
  Rules.ByMachine = Rules.ByTraffic && !Rules.Has.of(PowerUnit::ALU);
  std::optional<CacheHits> Caches;
  if (Rules.ByTraffic)
    Caches = findCacheHits(On);
  const CacheHits *Known = Caches ? &*Caches : nullptr;
  Value = countUnitAccess(On, Rules, Known);
  Low = countUnitAccess(On, Rules, Known, &Estimate::Low);
  High = countUnitAccess(On, Rules, Known, &Estimate::High);
}

PowerAtPoint PreparedPower::at(const DevicePoint &P, double Cycles,
                               const UnitAccess &Access,
                               const PowerParameters &Of) const {
  PowerAtPoint R;
  R.ActiveSMs = std::min(double(P.ActiveSMs), Blocks);
  R.WarpsPerSM = warpsPerSM(WarpsOfBlock, Blocks, R.ActiveSMs);
  for (unsigned I = 0; I != NumPowerUnits; ++I) {
    if (!Rules.Has[I] || !(Access.PerWarp[I] > 0))
      continue;
    double Rate =
        accessRate(Access.PerWarp[I], R.WarpsPerSM, Cycles, IssueCycles) /
        Of.Units[I].Peak;
    // More than all the time no unit is accessed: then the time is too short,
    // or nothing bounds the accesses. Memory keeps its pace when cores slow
    // down.
    const auto U = PowerUnit(I);
    const bool OfMemory = U == PowerUnit::Global || U == PowerUnit::Local;
    const double Most = OfMemory ? std::max(1.0, BoostMHz / P.CoreMHz) : 1;
    R.Rates[I] = Rate < Most ? Rate : Most;
  }
  R.Power = evaluateUnitPower(Of, R.Rates, R.ActiveSMs, scales(P, Of));
  return R;
}

Estimate PreparedPower::watts(const DevicePoint &P, const Estimate &Cycles,
                              const PowerParameters &Of) const {
  const double W = at(P, Cycles.Value, Value, Of).Power.GPU;
  // Less work in more time draws less; more work in less time draws no more
  // than units that are accessed all the time.
  const double Least = at(P, Cycles.High, Low, Of).Power.GPU;
  const double Most = at(P, Cycles.Low, High, Of).Power.GPU;
  return {W, weakest(Cycles.Status, Status),
          std::min(W, Least) / (1 + Of.Bounds),
          std::max(W, Most) * (1 + Of.Bounds)};
}

std::vector<UnitPower> PreparedPower::units(const DevicePoint &P,
                                            const PowerAtPoint &Point) const {
  constexpr double JustOn = std::numeric_limits<double>::quiet_NaN();
  std::vector<UnitPower> Units;
  for (unsigned I = 0; I != NumPowerUnits; ++I)
    if (Rules.Has[I])
      Units.push_back({toString(PowerUnit(I)),
                       Point.Power.wattsOf(PowerUnit(I), Parameters),
                       Point.Rates[I]});
  auto Constant = [&Units](StringRef Name, double Watts) {
    if (Watts > 0)
      Units.push_back({Name, Watts, JustOn});
  };
  Constant("CONST_SM", Point.Power.wattsOfConstSM(Parameters));
  const PowerScales Scales = scales(P);
  Constant("ACTIVATION", Parameters.ActivationW * Scales.Activation);
  Constant("MEMORY_CLOCK", Parameters.MemoryClockW * Scales.MemoryClock);
  Constant("LEAKAGE", Parameters.LeakageW * Scales.Leakage);
  Constant("IDLE", Parameters.IdleW);
  return Units;
}

void PreparedPower::addTo(Prediction &Result, const DevicePoint &P) const {
  if (!*this || !Result.Cycles)
    return;
  Result.PowerW = watts(P, *Result.Cycles);
  if (Result.TimeUs) {
    Result.EnergyJ = (*Result.PowerW * *Result.TimeUs).scaled(1e-6);
    if (std::isnan(Result.EnergyJ->High))
      Result.EnergyJ->High = std::numeric_limits<double>::infinity();
  }
  Result.PowerUnits = units(P, at(P, Result.Cycles->Value));
  if (TDPWatts && Result.PowerW->Value > *TDPWatts)
    Result.Applies.Notes.push_back(
        "the predicted power is above the board's limit of " +
        shortestDecimal(*TDPWatts) + " W: the board would lower its clocks");
}

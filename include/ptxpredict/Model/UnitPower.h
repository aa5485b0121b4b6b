//===- UnitPower.h - Power by unit from access rates ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Hong, "Modeling performance and power for energy-efficient GPGPU
// computing", PhD thesis, Georgia Tech, 2012, chapter 3 (first published by S.
// Hong and H. Kim at ISCA 2010). Numbers in parentheses are the thesis's
// equations; docs/models/Power.md has them all, with the errata followed.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_UNITPOWER_H
#define PTXPREDICT_MODEL_UNITPOWER_H

#include "ptxpredict/Support/LLVM.h"
#include <array>
#include <optional>

namespace ptxpredict {

/// What draws power by how often it is used.
enum class PowerUnit : uint8_t {
#define POWER_UNIT(ENUM, NAME, KEY, SCOPE, MEANING) ENUM,
#include "ptxpredict/Device/PowerUnits.def"
};
constexpr unsigned NumPowerUnits = unsigned(PowerUnit::Local) + 1;

/// A number for each unit.
template <typename T>
struct ByPowerUnit : std::array<T, NumPowerUnits> {
  T &of(PowerUnit U) { return (*this)[unsigned(U)]; }
  const T &of(PowerUnit U) const { return (*this)[unsigned(U)]; }
};

/// The name of PowerUnits.def: "FP".
StringRef toString(PowerUnit U);
/// There is one of it for all SMs.
bool servesAllSMs(PowerUnit U);

/// How much of a unit's greatest power an access rate draws: nothing at none.
/// With a log slope it is slope x ln(rate) + offset within [0, offset] ("Spec.
/// Linear" of the thesis's table 8: 0.1365 and 1.001375). Else a step, and from
/// there to 1 at rate 1 either straight or over a knee.
struct AccessRateFunction {
  double LogSlope = 0, LogOffset = 0;
  double Step = 0; ///< drawn by any use at all, from 0 to 1
  /// A corner of the line: at this rate, from 0 to 1 and 0 for none, this share
  /// of what the step leaves.
  double KneeRate = 0, KneeShare = 0;

  double operator()(double Rate) const;
};

/// What a device draws by the model. Watts.
struct PowerParameters {
  struct Unit {
    double MaxW = 0; ///< at rate 1; of an SM or, if it serves all, of the GPU
    /// Accesses of an SM in an issue slot that are rate 1.
    double Peak = 1;
    AccessRateFunction Function;
  };
  ByPowerUnit<Unit> Units{};
  double IdleW = 0;
  /// Of the GPU while a kernel runs; most of it is the interface's to memory,
  /// and it is not drawn in a low state of that.
  double ActivationW = 0;
  double MemoryClockW = 0; ///< of the memory's clock while a kernel runs
  double LeakageW = 0;     ///< of the GPU while a kernel runs, at its voltage
  double ConstSMW = 0;     ///< of an SM while it runs: CONST_SM
  double NumSMs = 1;
  /// beta of (44) to (48), where power grows with the logarithm of the SMs that
  /// run; without it power grows with their number.
  std::optional<double> LogBeta;
  /// The voltage is 1 + slope x (clock - knee) above the knee and 1 below, as
  /// a share of that at the boost clock; clocks are shares of that one.
  double VoltageKnee = 1, VoltageSlope = 0;
  /// Above another knee it rises by so much more: beyond the clocks that a
  /// board is sold for.
  double VoltageSteepKnee = 1, VoltageSteepSlope = 0;
  /// It is not below this unless memory is in its low state.
  double VoltageFloor = 1;
  /// Up to this share of its clock memory is in a low state.
  double MemoryLowClock = 0;
  /// By how much more or less the board may draw than it is predicted to.
  double Bounds = 0;

  /// At a core clock over the boost clock, as a share of the least one.
  double voltage(double Clock, bool MemoryIsLow) const;
};

/// Shares by which power differs from that at the clocks of the parameters.
struct PowerScales {
  double Core = 1;        ///< of what SMs and caches draw
  double Memory = 1;      ///< of what device memory draws by use
  double MemoryClock = 1; ///< of MemoryClockW
  double Activation = 1;  ///< of ActivationW
  double Leakage = 1;     ///< of LeakageW

  /// At shares of the clocks that the parameters are of.
  static PowerScales at(const PowerParameters &P, double Core, double Memory);
};

/// Power by the equations. Watts of the whole GPU unless said otherwise.
struct PowerBreakdown {
  /// RP_comp (39): of an SM or, if the unit serves all, of the GPU.
  ByPowerUnit<double> RP{};
  double RPConstSM = 0; ///< of an SM
  double SMSum = 0;     ///< (37), of an SM
  double MaxSM = 0;     ///< (45): SM_sum of all SMs
  double RPMemory = 0;  ///< (43) and, where there is one, L2
  double SMScaling = 0; ///< log10(alpha x Active_SMs + beta), or Active/All
  double Runtime = 0;   ///< (48), with all else but idle power
  double GPU = 0;       ///< (35)

  /// What \p U draws of Runtime with so many of \p P's SMs running.
  double wattsOf(PowerUnit U, const PowerParameters &P) const;
  /// The same of CONST_SM.
  double wattsOfConstSM(const PowerParameters &P) const {
    return RPConstSM * P.NumSMs * SMScaling;
  }
};

/// (40), (61): accesses of a unit per issue slot of an SM. \p PerWarp: dynamic
/// accesses of a warp (41). \p WarpsPerSM: that an SM runs in all (42).
/// \p Cycles: of the whole kernel, barriers included.
double accessRate(double PerWarp, double WarpsPerSM, double Cycles,
                  double IssueCycles);

/// (42).
double warpsPerSM(double WarpsOfBlock, double Blocks, double ActiveSMs);

/// log10(alpha x Active + beta) of (44), (48) with alpha by (46): 1 if all run.
double logScaling(double ActiveSMs, double NumSMs, double Beta);

/// (35) to (48) from rates by accessRate() over the units' peaks. Rates of
/// units that serve all SMs are those of an SM; with a scaling that is linear
/// they count in proportion to the SMs that run. No SM: idle power.
PowerBreakdown evaluateUnitPower(const PowerParameters &P,
                                 const ByPowerUnit<double> &Rates,
                                 double ActiveSMs,
                                 const PowerScales &Scales = {});

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_UNITPOWER_H

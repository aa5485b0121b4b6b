//===- Power.h - Power and temperature of a kernel --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_POWER_H
#define PTXPREDICT_MODEL_POWER_H

#include "ptxpredict/Model/Temperature.h"
#include "ptxpredict/Model/UnitAccess.h"
#include <vector>

namespace ptxpredict {

/// The model's name in device files: of its block of power parameters, too.
constexpr StringRef IPPName = "ipp";

/// The power of a kernel's units by the rates that they are accessed at.
struct PowerAtPoint {
  double ActiveSMs = 0;
  double WarpsPerSM = 0;       ///< (42)
  ByPowerUnit<double> Rates{}; ///< (61), of 1 at the unit's peak
  PowerBreakdown Power;
};

/// What \p D draws by its file, and by \p Has which units that tells apart.
PowerParameters powerParametersOf(const Device &D,
                                  ByPowerUnit<bool> *Has = nullptr);

/// Power of a kernel on a device for any model's time: what no clock and no SM
/// changes is computed once. Keeps nothing of the device's but numbers.
class PreparedPower {
public:
  PreparedPower(const KernelOnDevice &On, const ModelOptions &Options);

  /// What the device's file lacks for an answer; empty if nothing.
  ArrayRef<std::string> missing() const { return Missing; }
  /// Power can be predicted.
  explicit operator bool() const { return Missing.empty(); }

  /// Power where the kernel takes \p Cycles of the core clock, barriers
  /// included. Allocates nothing and takes well under a microsecond.
  PowerAtPoint at(const DevicePoint &P, double Cycles) const {
    return at(P, Cycles, Value, Parameters);
  }
  /// Watts of the board in the mean over the time that \p Cycles are, with
  /// bounds from theirs, the counts' and the device's. Likewise.
  Estimate watts(const DevicePoint &P, const Estimate &Cycles) const {
    return watts(P, Cycles, Parameters);
  }
  /// The same with other watts and voltages than the device's.
  Estimate watts(const DevicePoint &P, const Estimate &Cycles,
                 const PowerParameters &Of) const;
  /// What \p Point is the sum of, by unit, in the order of PowerUnits.def.
  std::vector<UnitPower> units(const DevicePoint &P,
                               const PowerAtPoint &Point) const;
  /// Fills PowerW, EnergyJ, PowerUnits and notes of \p Result, whose Cycles a
  /// model has filled.
  void addTo(Prediction &Result, const DevicePoint &P) const;

  const PowerParameters &parameters() const { return Parameters; }
  const ByPowerUnit<bool> &has() const { return Rules.Has; }
  /// Nothing where the device's file does not say how it warms up.
  const std::optional<ThermalParameters> &thermal() const { return Thermal; }
  double memoryIntensity() const { return Value.MemoryIntensity; } ///< (54)
  double issueCycles() const { return IssueCycles; }
  /// By how much the clocks of \p P change the power of use.
  PowerScales scales(const DevicePoint &P) const {
    return scales(P, Parameters);
  }
  PowerScales scales(const DevicePoint &P, const PowerParameters &Of) const {
    return PowerScales::at(Of, P.CoreMHz / BoostMHz, P.MemMHz / MemoryMHz);
  }

private:
  PowerParameters Parameters;
  UnitAccessRules Rules;
  std::optional<ThermalParameters> Thermal;
  std::vector<std::string> Missing;
  UnitAccess Value, Low, High;
  ptxpredict::Status Status = Status::Estimated; ///< of the counts
  double IssueCycles = 1;
  double WarpsOfBlock = 0, Blocks = 0;
  double BoostMHz = 1, MemoryMHz = 1;
  std::optional<double> TDPWatts;

  PowerAtPoint at(const DevicePoint &P, double Cycles, const UnitAccess &Access,
                  const PowerParameters &Of) const;
};

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_POWER_H

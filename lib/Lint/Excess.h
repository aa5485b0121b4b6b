//===- Excess.h - How far a device may be slowed down -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_LINT_EXCESS_H
#define PTXPREDICT_LIB_LINT_EXCESS_H

#include "Rules.h"
#include "ptxpredict/Model/FewerSMs.h"
#include "ptxpredict/Model/Power.h"

namespace ptxpredict {

/// Clocks are not lowered under half of what they are.
constexpr double LowestClock = 0.5;

/// A way to ask less of the device that costs no time.
struct Economy {
  DevicePoint Point;
  /// The share of energy saved; nothing where no power is predicted.
  std::optional<double> EnergySaved;
};

/// Of \p Points, each of which asks less of the device than the one before, the
/// last at which the kernel is no slower. Nothing where that saves less than
/// LeastEnergySaved, as far as power is predicted. Less of a device makes no
/// kernel faster: the search is by halves.
std::optional<Economy> bestEconomy(const KernelThere &There,
                                   ArrayRef<DevicePoint> Points);

/// ", saving 12 % of the energy"; empty where that is not known.
std::string energyText(const Economy &E);

/// The clock \p Member in steps of a hundredth, from the least excess
/// downwards.
std::vector<DevicePoint> lowerClocks(const DevicePoint &From,
                                     double DevicePoint::*Member);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_LINT_EXCESS_H

//===- Excess.h - How far a device may be slowed down -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_LINT_EXCESS_H
#define PTXPREDICT_LIB_LINT_EXCESS_H

#include "Rules.h"

namespace ptxpredict {

/// Time that may be lost, and what must be saved of a clock or of the SMs to
/// be worth a word. Clocks are not lowered under half of what they are.
constexpr double MostTimeLost = 0.02, LeastExcess = 0.1, LowestClock = 0.5;

/// The last of \p Points, each of which asks less of the device, at which the
/// kernel is as fast as now; nothing without one. Stops where it is not.
std::optional<DevicePoint> slowestWithout(const KernelThere &There,
                                          ArrayRef<DevicePoint> Points);

/// The clock \p Member in steps of a hundredth, downwards.
std::vector<DevicePoint> lowerClocks(const DevicePoint &From,
                                     double DevicePoint::*Member);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_LINT_EXCESS_H

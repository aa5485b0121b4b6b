//===- TaskEnergy.h - What single tasks draw ----------------------*- C++ -*-=//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_PLAN_TASKENERGY_H
#define PTXPREDICT_LIB_SCENARIO_PLAN_TASKENERGY_H

#include "ptxpredict/Scenario/Plan/ScenarioResult.h"

namespace ptxpredict {

/// Of each of a component, in W: what the system says, else its device.
double idleWatts(const SystemComponent &C);
/// What the whole system draws while nothing runs, supplies included.
double restingWatts(const SystemLayout &Layout);

/// What tasks draw above idle.
class TaskEnergies {
public:
  TaskEnergies(const SystemLayout &Layout, const Plan &P, const Timeline &T);

  struct Part {
    unsigned Kind = 0; ///< of nodes
    double CPUJ = 0, GPUJ = 0, LinkJ = 0;
    double sum() const { return CPUJ + GPUJ + LinkJ; }
  };
  Part of(TaskNumber Task) const;

private:
  const SystemLayout &Layout;
  const Plan &P;
  const Timeline &T;
  bool HasLinkPower = false;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_PLAN_TASKENERGY_H

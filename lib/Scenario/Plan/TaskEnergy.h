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
    double CPUJ = 0, GPUJ = 0, LinkJ = 0;
    double SupplyJ = 0; ///< that power supplies lose of these
    double sum() const { return CPUJ + GPUJ + LinkJ + SupplyJ; }
  };
  Part of(TaskNumber Task) const;
  /// What supplies of nodes of a kind lose of \p Joules.
  double lost(unsigned Kind, double Joules) const;

private:
  void addLinks();

  const SystemLayout &Layout;
  const Plan &P;
  const Timeline &T;
  struct LinkPart {
    double LinkJ = 0, SupplyJ = 0;
  };
  std::vector<LinkPart> Links; ///< by task; empty where no link has a power
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_PLAN_TASKENERGY_H

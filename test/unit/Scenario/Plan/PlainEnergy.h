//===- PlainEnergy.h - The energy of a random scenario, plainly -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_PLAINENERGY_H
#define PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_PLAINENERGY_H

#include "PlannedScenario.h"
#include "RandomScenario.h"

namespace ptxpredict {

/// What the system draws while nothing runs, in W.
double plainRestingWatts(const RandomSystem &S);
/// From what \p S says and when \p P was what, without what the project's own
/// sums are made of.
ScenarioEnergy plainEnergy(const RandomScenario &S, const PlannedScenario &P);

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_PLAINENERGY_H

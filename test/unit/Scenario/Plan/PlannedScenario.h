//===- PlannedScenario.h - A scenario run from texts ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_PLANNEDSCENARIO_H
#define PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_PLANNEDSCENARIO_H

#include "ptxpredict/Scenario/Plan/ScenarioResult.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace ptxpredict {

/// A scenario whose kernels need no code, planned and simulated.
class PlannedScenario {
public:
  PlannedScenario(StringRef ScenarioText, StringRef SystemText,
                  ArrayRef<std::string> LinkTexts) {
    bool Failed = false;
    for (const std::string &Link : LinkTexts) {
      DiagnosticEngine D = engine(Link, "link.yaml");
      Failed |= Links.addFile(D);
      note(D);
    }
    DiagnosticEngine D = engine(SystemText, "system.yaml");
    On = parseSystem(D, {Devices, Links});
    note(D);
    Diags = engine(ScenarioText, "scenario.yaml");
    Failed |= parseScenario(Diags, Of);
    note(Diags);
    if (Failed || !On)
      return;
    Layout.emplace(*On, std::nullopt, Of.ConcurrentKernels);
    Kernels = std::make_unique<KernelTimes>(Of, KernelTimeOptions(), Shared);
    Kernels->read(Diags);
    Tasks = makePlan(Of, *Layout, *Kernels, PlanRequest());
    for (const PlanError &E : Tasks.Errors)
      Errors += "line " + std::to_string(Diags.lineAndColumn(E.Place).first) +
                ": " + E.Text + "\n";
    if (Tasks.Errors.empty())
      When = simulate(Tasks.Graph);
  }

  ScenarioTotals totals() const { return totalsOf(Of, *Layout, Tasks, When); }

  std::string Errors; ///< all that is wrong
  Scenario Of;
  std::unique_ptr<System> On;
  std::optional<SystemLayout> Layout;
  Plan Tasks;
  Timeline When;

private:
  static DiagnosticEngine engine(StringRef Text, StringRef Name) {
    return DiagnosticEngine(llvm::MemoryBuffer::getMemBufferCopy(Text, Name));
  }
  void note(const DiagnosticEngine &D) {
    llvm::raw_string_ostream OS(Errors);
    D.print(OS, /*Colors=*/false);
  }

  DeviceRegistry Devices;
  LinkRegistry Links;
  SharedDevices Shared{Devices};
  DiagnosticEngine Diags;
  std::unique_ptr<KernelTimes> Kernels;
};

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_PLANNEDSCENARIO_H

//===- ScenarioView.cpp - What follows from a scenario's run --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/View/ScenarioView.h"
#include "ptxpredict/Model/ParallelScaling.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

/// Operations whose gain is looked for.
static constexpr size_t MaxGains = 8;
/// How much worse than the best is hardly worse.
static constexpr double FlatShare = 0.05;

ScenarioReport ptxpredict::makeScenarioReport(const ScenarioRun &Run,
                                              ScenarioWhole &W) {
  const Scenario &S = Run.scenario();
  ScenarioReport R{S, W, listOperations(S), {}, {}, {}, {}, {}, {}, {}};
  R.Path = criticalPath(W.Tasks, W.When);
  R.ByOperation = operationTotals(S, W.Tasks, W.When, R.Path);
  if (W.Tasks.Tasks.size() <= MaxTasksForGains)
    findGains(R.ByOperation, W.Tasks, W.Point.Totals.Seconds, MaxGains);
  R.Resources = resourceTotals(*W.Layout, W.Tasks, W.When);
  R.Phases = phaseTotals(S, *W.Layout, W.Tasks, W.When);
  R.Processes = processTotals(W.Tasks, W.When, R.Operations);
  R.Assumptions = Run.assumptions();
  return R;
}

ArrayRef<StringRef> ptxpredict::scenarioObjectives() {
  static constexpr StringRef Names[] = {"time", "energy", "ed", "e2d", "ed2"};
  return Names;
}

double ptxpredict::objectiveOf(ScenarioObjective O, const ScenarioTotals &T) {
  const double D = T.Seconds, E = T.Energy.totalJ();
  switch (O) {
  case ScenarioObjective::Time:
    return D;
  case ScenarioObjective::Energy:
    return E;
  case ScenarioObjective::ED:
    return E * D;
  case ScenarioObjective::E2D:
    return E * E * D;
  case ScenarioObjective::ED2:
    return E * D * D;
  }
  return 0;
}

std::optional<BestPoint> ptxpredict::findBest(ArrayRef<ScenarioPoint> Points,
                                              ScenarioObjective O) {
  std::optional<BestPoint> Best;
  for (const auto &[N, P] : llvm::enumerate(Points)) {
    if (!P.Errors.empty())
      continue;
    if (!Best)
      Best = BestPoint{N, {}};
    if (objectiveOf(O, P.Totals) < objectiveOf(O, Points[Best->Best].Totals))
      Best->Best = N;
  }
  if (!Best)
    return Best;
  const double Most =
      objectiveOf(O, Points[Best->Best].Totals) * (1 + FlatShare);
  for (const auto &[N, P] : llvm::enumerate(Points))
    if (P.Errors.empty() && objectiveOf(O, P.Totals) <= Most)
      Best->Near.push_back(N);
  return Best;
}

std::vector<ScenarioScaling>
ptxpredict::scalingOf(ArrayRef<ScenarioAxis> Axes,
                      ArrayRef<ScenarioPoint> Points) {
  auto RateOf = [](const ScenarioTotals &T) {
    return T.Work.value_or(1) / T.Seconds;
  };
  auto SizeOf = [](const ScenarioTotals &T) {
    return double(T.NumGPUs ? T.NumGPUs : T.NumProcesses);
  };
  // Without an axis of nodes all points have the same key.
  const bool HasNodes = llvm::any_of(Axes, [](const ScenarioAxis &A) {
    return A.What == ScenarioAxis::WhatTy::Nodes;
  });
  std::map<std::vector<std::string>, const ScenarioTotals *> First;
  std::vector<ScenarioScaling> All(Points.size());
  for (const auto &[N, P] : llvm::enumerate(Points)) {
    if (!P.Errors.empty() || P.Totals.Seconds == 0)
      continue;
    std::vector<std::string> Key;
    for (const auto &[A, Value] : llvm::zip(Axes, P.Values))
      if (HasNodes && A.What != ScenarioAxis::WhatTy::Nodes)
        Key.push_back(Value);
    const ScenarioTotals &Base =
        *First.try_emplace(std::move(Key), &P.Totals).first->second;
    All[N].Speedup = RateOf(P.Totals) / RateOf(Base);
    All[N].Efficiency = All[N].Speedup * SizeOf(Base) / SizeOf(P.Totals);
    const double Energy = P.Totals.Energy.totalJ() / Base.Energy.totalJ();
    if (HasNodes && Energy > 0 && std::isfinite(Energy))
      All[N].NormalizedEfficiency =
          normalizedEfficiency(All[N].Speedup, Energy);
  }
  return All;
}

std::optional<OperationKind> ptxpredict::longestKind(const ScenarioTotals &T) {
  const auto At = llvm::max_element(T.PathSeconds);
  if (At == T.PathSeconds.end() || *At == 0)
    return std::nullopt;
  return OperationKind(At - T.PathSeconds.begin());
}

std::string ptxpredict::nameOf(const ResourceName &R,
                               const SystemLayout &Layout) {
  std::string Name;
  if (Layout.numNodes() > 1)
    Name = "node " + std::to_string(R.Of.Node) + " ";
  const StringRef Own = R.By ? StringRef(R.By->Name) : R.Component->Name;
  Name += Own.str() + " " + std::to_string(R.Of.Index);
  switch (R.Part) {
  case ResourceName::PartTy::Cores:
    return Name + " cores";
  case ResourceName::PartTy::Kernels:
    return Name + " kernels";
  case ResourceName::PartTy::CopyIn:
    return Name + " copies in";
  case ResourceName::PartTy::CopyOut:
    return Name + " copies out";
  case ResourceName::PartTy::LinkForward:
    return Name + " forth";
  case ResourceName::PartTy::LinkBack:
    return Name + " back";
  case ResourceName::PartTy::LinkBoth:
    return Name;
  }
  return Name;
}

std::string ptxpredict::nameOf(const PlannedProcess &P, const Scenario &S) {
  return S.Processes[P.Label].Label + " " + std::to_string(P.Rank);
}

std::string ptxpredict::nameOf(const Operation &Op) {
  if (Op.HasOwnName)
    return Op.Name;
  return Op.Name + " (line " + std::to_string(Op.Line) + ")";
}

std::string ptxpredict::processesText(size_t Number) {
  return std::to_string(Number) + (Number == 1 ? " process" : " processes");
}

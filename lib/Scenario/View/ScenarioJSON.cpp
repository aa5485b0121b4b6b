//===- ScenarioJSON.cpp - A scenario's run as JSON and CSV ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/CSVRow.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "ptxpredict/Scenario/View/ScenarioView.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

static void writeTotals(JSONWriter &J, const ScenarioTotals &T) {
  J.number("seconds", T.Seconds);
  J.number("energy_j", T.Energy.totalJ());
  J.attributeObject("energy", [&] {
    J.number("base_j", T.Energy.BaseJ);
    J.number("idle_j", T.Energy.IdleJ);
    J.number("cpu_j", T.Energy.CPUJ);
    J.number("gpu_j", T.Energy.GPUJ);
    J.number("link_j", T.Energy.LinkJ);
    J.number("supply_j", T.Energy.SupplyJ);
  });
  J.number("mean_w", T.meanW());
  J.number("failure_chance", T.FailureChance);
  if (T.Work)
    J.number("work", *T.Work);
  J.attribute("processes", T.NumProcesses);
  J.attribute("nodes", T.NumNodes);
  J.attribute("gpus", T.NumGPUs);
  J.attribute("tasks", T.NumTasks);
  J.number("busiest_seconds", T.BusiestSeconds);
  J.attributeObject("path_seconds", [&] {
    for (const auto &[Kind, Seconds] : llvm::enumerate(T.PathSeconds))
      if (Seconds > 0)
        J.number(toString(OperationKind(Kind)), Seconds);
  });
}

static void writeOperations(JSONWriter &J, const ScenarioReport &R) {
  J.attributeArray("operations", [&] {
    for (const OperationTotals &O : R.ByOperation)
      J.object([&] {
        const Operation &Op = *R.Operations[O.Operation];
        J.attribute("number", Op.Number);
        J.text("name", nameOf(Op));
        J.text("kind", toString(Op.Kind));
        J.attribute("times", O.Count);
        J.number("busy_seconds", O.Seconds);
        J.number("wait_seconds", O.WaitSeconds);
        J.number("path_seconds", O.PathSeconds);
        if (O.GainSeconds)
          J.number("gain_seconds_of_a_tenth", *O.GainSeconds);
      });
  });
}

static void writeResources(JSONWriter &J, const ScenarioReport &R) {
  J.attributeArray("resources", [&] {
    for (const ResourceTotals &U : R.Resources)
      J.object([&] {
        J.text("name", nameOf(U.Name, *R.Run.Layout));
        J.attribute("node", U.Name.Of.Node);
        J.attribute("places", U.Places);
        J.attribute("tasks", U.Count);
        J.number("busy_seconds", U.BusySeconds);
        J.number("idle_seconds",
                 R.Run.Point.Totals.Seconds * U.Places - U.BusySeconds);
        J.number("wait_seconds", U.WaitSeconds);
      });
  });
}

static void writeTask(JSONWriter &J, const ScenarioReport &R, TaskNumber T) {
  const PlannedTask &Task = R.Run.Tasks.Tasks[T];
  J.attribute("operation", Task.Operation);
  J.text("name", nameOf(*R.Operations[Task.Operation]));
  J.text("process", nameOf(R.Run.Tasks.Processes[Task.Process], R.S));
}

static void writeMeasured(JSONWriter &J, ArrayRef<MeasuredAgainst> All) {
  auto Number = [&J](StringRef Key, const std::optional<double> &V) {
    if (V)
      J.number(Key, *V);
  };
  J.attributeArray("measured", [&] {
    for (const MeasuredAgainst &M : All)
      J.object([&] {
        J.text("label", M.Label);
        Number("predicted_seconds", M.PredictedSeconds);
        Number("measured_seconds", M.MeasuredSeconds);
        Number("seconds_error", M.secondsError());
        Number("predicted_j", M.PredictedJoules);
        Number("measured_j", M.MeasuredJoules);
        Number("energy_error", M.joulesError());
        Number("power_error", M.wattsError());
      });
  });
}

void ptxpredict::printScenarioJSON(const ScenarioReport &R, raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(ScenarioRunSchemaName, ScenarioRunSchemaVersion);
    J.text("name", R.S.Name);
    J.text("system", R.Run.Point.System);
    J.attributeObject("variables", [&] {
      for (const auto &[V, Value] :
           llvm::zip(R.S.Variables, R.Run.Tasks.Variables))
        J.number(V.Name, Value);
    });
    J.attributeObject("totals", [&] { writeTotals(J, R.Run.Point.Totals); });
    writeOperations(J, R);
    writeResources(J, R);
    J.attributeArray("phases", [&] {
      for (const PhaseTotals &P : R.Phases)
        J.object([&] {
          J.text("name", P.Phase == 0 ? StringRef() : R.S.Phases[P.Phase - 1]);
          J.number("start_seconds", P.Start);
          J.number("end_seconds", P.End);
          J.number("energy_j", P.EnergyJ);
        });
    });
    J.attributeArray("processes", [&] {
      for (const auto &Each : llvm::zip(R.Processes, R.Run.Tasks.Processes))
        J.object([&] {
          const ProcessTotals &P = std::get<0>(Each);
          const PlannedProcess &Of = std::get<1>(Each);
          J.text("label", R.S.Processes[Of.Label].Label);
          J.attribute("rank", Of.Rank);
          J.attribute("node", Of.Place.Node);
          J.number("end_seconds", P.End);
          J.number("host_seconds", P.HostSeconds);
          J.number("copy_seconds", P.CopySeconds);
          J.number("kernel_seconds", P.KernelSeconds);
          J.number("message_seconds", P.MessageSeconds);
        });
    });
    J.attributeArray("critical_path", [&] {
      for (const PathStep &Step : R.Path)
        J.object([&] {
          writeTask(J, R, Step.Task);
          J.number("start_seconds", Step.Start);
          J.number("end_seconds", Step.End);
          J.attribute("waited_for_place", Step.WaitedForPlace);
        });
    });
    if (!R.Measured.empty())
      writeMeasured(J, R.Measured);
    J.texts("assumptions", R.Assumptions);
  });
  OS << '\n';
}

void ptxpredict::printSweepJSON(const ScenarioSweepReport &R, raw_ostream &OS) {
  const std::vector<ScenarioScaling> Scaling = scalingOf(R.Axes, R.Points);
  JSONWriter J(OS);
  J.object([&] {
    J.header(ScenarioRunSchemaName, ScenarioRunSchemaVersion);
    J.text("name", R.S.Name);
    J.attributeArray("points", [&] {
      for (const auto &Each : llvm::zip(R.Points, Scaling))
        J.object([&] {
          const ScenarioPoint &P = std::get<0>(Each);
          const ScenarioScaling &Scale = std::get<1>(Each);
          J.attribute("number", P.Number);
          J.attributeObject("values", [&] {
            for (const auto &[A, Value] : llvm::zip(R.Axes, P.Values))
              J.text(A.Name, Value);
          });
          J.text("system", P.System);
          if (!P.Errors.empty()) {
            J.text("error", P.Errors.front().Text);
            return;
          }
          J.attributeObject("totals", [&] { writeTotals(J, P.Totals); });
          J.number("speed_up", Scale.Speedup);
          J.number("efficiency", Scale.Efficiency);
          if (Scale.NormalizedEfficiency)
            J.number("normalized_efficiency", *Scale.NormalizedEfficiency);
        });
    });
    if (R.Best)
      if (std::optional<BestPoint> B = findBest(R.Points, *R.Best))
        J.attributeObject("best", [&] {
          J.attribute("by", scenarioObjectives()[size_t(*R.Best)]);
          J.attribute("point", R.Points[B->Best].Number);
          J.attributeArray("within_5_percent", [&] {
            for (size_t N : B->Near)
              J.value(int64_t(R.Points[N].Number));
          });
        });
    J.texts("assumptions", R.Assumptions);
  });
  OS << '\n';
}

void ptxpredict::printSweepCSV(const ScenarioSweepReport &R, raw_ostream &OS) {
  {
    CSVRow Head(OS);
    Head.text("point");
    for (const ScenarioAxis &A : R.Axes)
      Head.text(A.Name);
    for (StringRef Name :
         {"on", "seconds", "energy_j", "mean_w", "gpus", "processes", "work",
          "busiest_seconds", "failure_chance", "longest_on_path", "error"})
      Head.text(Name);
  }
  for (const ScenarioPoint &P : R.Points) {
    CSVRow Row(OS);
    Row.number(double(P.Number));
    for (StringRef Value : P.Values)
      Row.text(Value);
    Row.text(P.System);
    const ScenarioTotals &T = P.Totals;
    const bool Good = P.Errors.empty();
    for (double N : {T.Seconds, T.Energy.totalJ(), T.meanW(), double(T.NumGPUs),
                     double(T.NumProcesses), T.Work.value_or(NAN),
                     T.BusiestSeconds, T.FailureChance})
      Row.number(Good ? N : NAN);
    const std::optional<OperationKind> Longest = longestKind(T);
    Row.text(Good && Longest ? toString(*Longest) : StringRef());
    Row.text(Good ? StringRef() : StringRef(P.Errors.front().Text));
  }
}

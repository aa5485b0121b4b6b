//===- ScenarioText.cpp - A scenario's run as text ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Scenario/View/ScenarioView.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using Align = TextTable::Align;

/// Rows of a table that is not asked for as a whole.
static constexpr size_t MaxRows = 12;

static std::string timeText(double Seconds) { return shortTime(Seconds * 1e6); }

/// "24 %" of \p Whole, or nothing of nothing.
static std::string shareText(double Part, double Whole) {
  return Part > 0 && Whole > 0 ? percent(Part / Whole) : "";
}

static void printHead(const ScenarioReport &R, raw_ostream &OS) {
  const ScenarioTotals &T = R.Run.Point.Totals;
  OS << (R.S.Name.empty() ? "scenario" : StringRef(R.S.Name)) << " on "
     << R.Run.Point.System << ": " << timeText(T.Seconds) << ", "
     << shortEnergy(T.Energy.totalJ()) << " (" << shortNumber(T.meanW())
     << " W)\n  " << processesText(T.NumProcesses) << " on "
     << plural(T.NumNodes, "node");
  if (T.NumGPUs != 0)
    OS << " with " << plural(T.NumGPUs, "GPU");
  if (T.Work && T.Seconds > 0)
    OS << "; " << shortNumber(*T.Work / T.Seconds) << " " << R.S.WorkUnit
       << "s a second, " << shortEnergy(T.Energy.totalJ() / *T.Work) << " a "
       << R.S.WorkUnit;
  OS << '\n';
}

static void printOperations(const ScenarioReport &R, raw_ostream &OS,
                            bool Verbose) {
  const double All = R.Run.Point.Totals.Seconds;
  std::vector<const OperationTotals *> Order;
  Order.reserve(R.ByOperation.size());
  for (const OperationTotals &O : R.ByOperation)
    Order.push_back(&O);
  // What is equal but for rounding stays in the order of the file.
  llvm::stable_sort(Order, [](const auto *A, const auto *B) {
    return float(A->PathSeconds) > float(B->PathSeconds);
  });
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right});
  T.addRow({"operation", "times", "busy", "waits", "on the path", "share",
            "a tenth less gains"});
  for (const auto &[N, O] : llvm::enumerate(Order)) {
    if (!Verbose && N == MaxRows)
      break;
    T.addRow({printable(nameOf(*R.Operations[O->Operation])),
              std::to_string(O->Count), timeText(O->Seconds),
              O->WaitSeconds > 0 ? timeText(O->WaitSeconds) : "",
              O->PathSeconds > 0 ? timeText(O->PathSeconds) : "",
              shareText(O->PathSeconds, All),
              O->GainSeconds ? timeText(*O->GainSeconds) : ""});
  }
  OS << '\n';
  T.print(OS);
  if (!Verbose && Order.size() > MaxRows)
    OS << "  and " << plural(Order.size() - MaxRows, "more operation")
       << " (--verbose)\n";
}

static void printResources(const ScenarioReport &R, raw_ostream &OS,
                           bool Verbose) {
  const double All = R.Run.Point.Totals.Seconds;
  std::vector<const ResourceTotals *> Order;
  Order.reserve(R.Resources.size());
  for (const ResourceTotals &U : R.Resources)
    Order.push_back(&U);
  llvm::stable_sort(Order, [](const auto *A, const auto *B) {
    return float(A->BusySeconds / A->Places) >
           float(B->BusySeconds / B->Places);
  });
  TextTable T(
      {Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
  T.addRow({"used", "tasks", "busy", "share", "waited for"});
  for (const auto &[N, U] : llvm::enumerate(Order)) {
    if (!Verbose && N == MaxRows)
      break;
    T.addRow({nameOf(U->Name, *R.Run.Layout), std::to_string(U->Count),
              timeText(U->BusySeconds),
              shareText(U->BusySeconds / U->Places, All),
              U->WaitSeconds > 0 ? timeText(U->WaitSeconds) : ""});
  }
  OS << '\n';
  T.print(OS);
  if (!Verbose && Order.size() > MaxRows)
    OS << "  and " << Order.size() - MaxRows << " more"
       << " (--verbose)\n";
}

static void printPhases(const ScenarioReport &R, raw_ostream &OS) {
  if (R.S.Phases.empty())
    return;
  TextTable T(
      {Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
  T.addRow({"phase", "from", "to", "takes", "energy"});
  for (const PhaseTotals &P : R.Phases)
    T.addRow({P.Phase == 0 ? "before the first" : R.S.Phases[P.Phase - 1],
              timeText(P.Start), timeText(P.End), timeText(P.End - P.Start),
              shortEnergy(P.EnergyJ)});
  OS << '\n';
  T.print(OS);
}

static void printProcesses(const ScenarioReport &R, raw_ostream &OS,
                           bool Verbose) {
  if (R.Processes.size() < 2)
    return;
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Right});
  T.addRow({"process", "ends", "host", "copies", "kernels", "messages"});
  auto Text = [](double Seconds) {
    return Seconds > 0 ? timeText(Seconds) : std::string();
  };
  size_t Shown = 0;
  for (const auto &[P, Of] : llvm::zip(R.Processes, R.Run.Tasks.Processes)) {
    if (!Verbose && Shown++ == MaxRows)
      break;
    T.addRow({nameOf(Of, R.S), timeText(P.End), Text(P.HostSeconds),
              Text(P.CopySeconds), Text(P.KernelSeconds),
              Text(P.MessageSeconds)});
  }
  OS << '\n';
  T.print(OS);
  if (!Verbose && R.Processes.size() > MaxRows)
    OS << "  and " << R.Processes.size() - MaxRows << " more processes"
       << " (--verbose)\n";
}

static void printPath(const ScenarioReport &R, raw_ostream &OS) {
  OS << "\n  critical path, from its begin\n";
  TextTable T(
      {Align::Right, Align::Right, Align::Left, Align::Left, Align::Left});
  T.addRow({"from", "takes", "operation", "of", ""});
  for (const PathStep &Step : R.Path) {
    const PlannedTask &Task = R.Run.Tasks.Tasks[Step.Task];
    T.addRow({timeText(Step.Start), timeText(Step.End - Step.Start),
              printable(nameOf(*R.Operations[Task.Operation])),
              nameOf(R.Run.Tasks.Processes[Task.Process], R.S),
              Step.WaitedForPlace ? "waited for its place" : ""});
  }
  T.print(OS, 4);
}

static void printSums(const ScenarioReport &R, raw_ostream &OS) {
  const ScenarioTotals &T = R.Run.Point.Totals;
  const ScenarioEnergy &E = T.Energy;
  OS << "\n  energy: base " << shortEnergy(E.BaseJ) << ", idle "
     << shortEnergy(E.IdleJ);
  const std::pair<StringRef, double> Parts[] = {
      {"CPUs", E.CPUJ},
      {"GPUs", E.GPUJ},
      {"links", E.LinkJ},
      {"lost by power supplies", E.SupplyJ}};
  for (const auto &[Name, Joules] : Parts)
    if (Joules > 0)
      OS << ", " << Name << " " << shortEnergy(Joules);
  OS << "\n  overlap: the busiest is at work for " << timeText(T.BusiestSeconds)
     << "; perfect overlap would save "
     << timeText(std::max(0.0, T.Seconds - T.BusiestSeconds)) << '\n';
  if (T.FailureChance > 0)
    OS << "  a failure while it runs: " << shortNumber(T.FailureChance * 100)
       << " %\n";
}

/// A list that "assumed:" begins.
static void printAssumed(ArrayRef<std::string> All, raw_ostream &OS) {
  if (All.empty())
    return;
  OS << "\n  assumed\n";
  for (const std::string &A : All) {
    OS << "    ";
    printWrapped(OS, printable(A), 4, 6);
  }
}

void ptxpredict::printScenarioText(const ScenarioReport &R, raw_ostream &To,
                                   bool Verbose) {
  PrintableStream OS(To);
  printHead(R, OS);
  printOperations(R, OS, Verbose);
  printResources(R, OS, Verbose);
  printPhases(R, OS);
  printProcesses(R, OS, Verbose);
  if (Verbose)
    printPath(R, OS);
  printSums(R, OS);
  if (!R.Measured.empty())
    printMeasuredText(R.Measured, OS);
  printAssumed(R.Assumptions, OS);
}

void ptxpredict::printSweepText(const ScenarioSweepReport &R, raw_ostream &To) {
  PrintableStream OS(To);
  OS << (R.S.Name.empty() ? "scenario" : StringRef(R.S.Name)) << ", "
     << plural(R.Points.size(), "point") << '\n';
  const bool HasWork = R.S.Work != NoFormula;
  std::vector<Align> Columns(R.Axes.size(), Align::Right);
  std::vector<std::string> Head;
  for (const ScenarioAxis &A : R.Axes)
    Head.push_back(A.Name);
  for (StringRef Name : {"GPUs", "time", "speed-up", "efficiency", "energy",
                         "power", "speed-up/energy"})
    Head.emplace_back(Name);
  if (HasWork) {
    Head.push_back(R.S.WorkUnit + "s/s");
    Head.push_back("energy a " + R.S.WorkUnit);
  }
  Head.emplace_back("longest on the path");
  Columns.resize(Head.size() - 1, Align::Right);
  Columns.push_back(Align::Left);
  TextTable T(Columns);
  T.addRow(std::move(Head));
  const std::vector<ScenarioScaling> Scaling = scalingOf(R.Axes, R.Points);
  for (const auto &[P, Scale] : llvm::zip(R.Points, Scaling)) {
    std::vector<std::string> Row = P.Values;
    const ScenarioTotals &Sum = P.Totals;
    if (!P.Errors.empty()) {
      Row.resize(Columns.size() - 1);
      Row.emplace_back("error");
      T.addRow(std::move(Row));
      continue;
    }
    const double Joules = Sum.Energy.totalJ();
    Row.insert(Row.end(),
               {std::to_string(Sum.NumGPUs), timeText(Sum.Seconds),
                shortNumber(Scale.Speedup), percent(Scale.Efficiency),
                shortEnergy(Joules), shortNumber(Sum.meanW()) + " W",
                Scale.NormalizedEfficiency
                    ? shortNumber(*Scale.NormalizedEfficiency)
                    : ""});
    if (HasWork) {
      Row.push_back(shortNumber(*Sum.Work / Sum.Seconds));
      Row.push_back(shortEnergy(Joules / *Sum.Work));
    }
    const std::optional<OperationKind> Longest = longestKind(Sum);
    Row.push_back(
        Longest ? (toString(*Longest) + ", " +
                   percent(Sum.PathSeconds[size_t(*Longest)] / Sum.Seconds))
                      .str()
                : "");
    T.addRow(std::move(Row));
  }
  T.print(OS);
  if (R.Best)
    if (std::optional<BestPoint> B = findBest(R.Points, *R.Best)) {
      auto Name = [&](size_t N) {
        std::string Text;
        for (const auto &[A, V] : llvm::zip(R.Axes, R.Points[N].Values))
          Text += (Text.empty() ? "" : ", ") + A.Name + " " + V;
        return Text;
      };
      OS << "  best by " << scenarioObjectives()[size_t(*R.Best)] << ": "
         << Name(B->Best);
      if (B->Near.size() > 1)
        OS << "; " << plural(B->Near.size(), "point")
           << " within 5 % of it, from " << Name(B->Near.front()) << " to "
           << Name(B->Near.back());
      OS << '\n';
    }
  printAssumed(R.Assumptions, OS);
}

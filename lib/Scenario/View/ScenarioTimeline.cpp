//===- ScenarioTimeline.cpp - A scenario's run over time ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/HTMLStyle.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "ptxpredict/Report/Writers/SVG.h"
#include "ptxpredict/Scenario/View/ScenarioView.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

/// Rows and spans of a page; more are in the trace.
static constexpr size_t MaxPageRows = 64, MaxPageSpans = 4000;

namespace {

/// What goes on at one server, or in a process that holds none.
struct Lane {
  std::string Name;
  uint32_t Node = 0;
  std::vector<TaskNumber> Tasks;
};

} // namespace

/// A lane for each server and each link that is used, and for the hosts of
/// processes: every task stands in those that it holds.
static std::vector<Lane> lanesOf(const ScenarioReport &R) {
  const Plan &P = R.Run.Tasks;
  const Timeline &T = R.Run.When;
  std::vector<Lane> Servers(P.Graph.numServers()), Links(P.Graph.numLinks()),
      Hosts(P.Processes.size());
  for (TaskNumber N = 0; N != P.Tasks.size(); ++N) {
    if (T.End[N] <= T.Start[N])
      continue;
    for (ServerNumber S : P.Graph.servers(N))
      Servers[S].Tasks.push_back(N);
    for (const LinkUse &U : P.Graph.links(N))
      Links[U.Link].Tasks.push_back(N);
    if (P.Tasks[N].IsOfHost ||
        (P.Graph.servers(N).empty() && P.Graph.links(N).empty()))
      Hosts[P.Tasks[N].Process].Tasks.push_back(N);
  }
  std::vector<Lane> Used;
  for (const auto &[Number, L] : llvm::enumerate(Hosts))
    if (!L.Tasks.empty()) {
      L.Name = nameOf(P.Processes[Number], R.S);
      L.Node = P.Processes[Number].Place.Node;
      Used.push_back(std::move(L));
    }
  auto Add = [&](Lane &L, const ResourceName &Name) {
    L.Name = nameOf(Name, *R.Run.Layout);
    L.Node = Name.Of.Node;
    Used.push_back(std::move(L));
  };
  for (const auto &[Number, L] : llvm::enumerate(Servers))
    if (!L.Tasks.empty())
      Add(L, R.Run.Layout->nameOfServer(ServerNumber(Number)));
  for (const auto &[Number, L] : llvm::enumerate(Links))
    if (!L.Tasks.empty())
      Add(L, R.Run.Layout->nameOfLink(LinkNumber(Number)));
  llvm::stable_sort(
      Used, [](const Lane &A, const Lane &B) { return A.Node < B.Node; });
  for (Lane &L : Used)
    llvm::stable_sort(L.Tasks, [&](TaskNumber A, TaskNumber B) {
      return T.Start[A] < T.Start[B];
    });
  return Used;
}

void ptxpredict::printScenarioTrace(const ScenarioReport &R, raw_ostream &OS) {
  const Plan &P = R.Run.Tasks;
  const Timeline &T = R.Run.When;
  JSONWriter J(OS, /*Indent=*/0);
  J.object([&] {
    J.attribute("displayTimeUnit", "ms");
    J.attributeArray("traceEvents", [&] {
      std::optional<uint32_t> Node;
      size_t Number = 0;
      for (const Lane &L : lanesOf(R)) {
        auto Meta = [&](StringRef What, StringRef Name) {
          J.object([&] {
            J.attribute("ph", "M");
            J.attribute("pid", L.Node);
            J.attribute("tid", Number);
            J.attribute("name", What);
            J.attributeObject("args", [&] { J.text("name", Name); });
          });
        };
        if (Node != L.Node)
          Meta("process_name", "node " + std::to_string(L.Node));
        Node = L.Node;
        Meta("thread_name", L.Name);
        for (TaskNumber Task : L.Tasks)
          J.object([&] {
            const PlannedTask &Of = P.Tasks[Task];
            J.attribute("ph", "X");
            J.attribute("pid", L.Node);
            J.attribute("tid", Number);
            J.number("ts", T.Start[Task] * 1e6);
            J.number("dur", (T.End[Task] - T.Start[Task]) * 1e6);
            J.text("name", nameOf(*R.Operations[Of.Operation]));
            J.attributeObject("args", [&] {
              J.text("process", nameOf(P.Processes[Of.Process], R.S));
              if (Of.Phase != 0)
                J.text("phase", R.S.Phases[Of.Phase - 1]);
            });
          });
        ++Number;
      }
    });
  });
  OS << '\n';
}

/// \p IsWhole: nothing is left out.
static svg::Timeline timelineOf(const ScenarioReport &R, bool &IsWhole) {
  const Plan &P = R.Run.Tasks;
  const Timeline &T = R.Run.When;
  const double Scale = T.total() < 1e-3 ? 1e6 : T.total() < 1 ? 1e3 : 1;
  svg::Timeline Page;
  Page.Title = "what is done where, over time";
  Page.Axis = Scale == 1 ? "s" : Scale == 1e3 ? "ms" : "us";
  std::vector<OperationKind> Kinds;
  auto ColorOf = [&](OperationKind K) {
    const auto At = llvm::find(Kinds, K);
    if (At != Kinds.end())
      return unsigned(At - Kinds.begin()) % svg::NumColors;
    Kinds.push_back(K);
    const unsigned Color = unsigned(Kinds.size() - 1) % svg::NumColors;
    Page.Legend.emplace_back(Color, toString(K).str());
    return Color;
  };
  size_t Spans = 0;
  for (const Lane &L : lanesOf(R)) {
    if (Page.Rows.size() == MaxPageRows) {
      IsWhole = false;
      break;
    }
    svg::Timeline::Row Row;
    Row.Label = L.Name;
    for (TaskNumber Task : L.Tasks) {
      if (++Spans > MaxPageSpans) {
        IsWhole = false;
        break;
      }
      const Operation &Op = *R.Operations[P.Tasks[Task].Operation];
      Row.Spans.push_back(
          {T.Start[Task] * Scale, T.End[Task] * Scale, ColorOf(Op.Kind),
           printable(nameOf(Op)) + ", " +
               nameOf(P.Processes[P.Tasks[Task].Process], R.S) + ": " +
               shortTime((T.End[Task] - T.Start[Task]) * 1e6)});
    }
    Page.Rows.push_back(std::move(Row));
  }
  return Page;
}

void ptxpredict::printScenarioHTML(const ScenarioReport &R, raw_ostream &OS) {
  const ScenarioTotals &T = R.Run.Point.Totals;
  const std::string Name = R.S.Name.empty() ? "scenario" : R.S.Name;
  html::printHead({escapeHTML(Name),
                   escapeHTML(Name + " on " + R.Run.Point.System),
                   escapeHTML(shortTime(T.Seconds * 1e6) + ", " +
                              shortEnergy(T.Energy.totalJ()) + ", " +
                              plural(T.NumProcesses, "process"))},
                  OS);
  OS << "<main>\n<section>\n<h2>Timeline</h2>\n";
  bool IsWhole = true;
  svg::print(timelineOf(R, IsWhole), OS);
  if (!IsWhole)
    OS << "<p class=\"hint\">The first " << MaxPageRows << " rows and "
       << MaxPageSpans << " spans; --trace-out writes all of them.</p>\n";
  OS << "</section>\n<section>\n<h2>All of it</h2>\n<pre>";
  std::string Text;
  llvm::raw_string_ostream TextOS(Text);
  printScenarioText(R, TextOS, /*Verbose=*/false);
  OS << escapeHTML(Text) << "</pre>\n</section>\n</main>\n</body>\n</html>\n";
}

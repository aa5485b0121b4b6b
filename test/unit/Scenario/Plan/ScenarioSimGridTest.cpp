//===- ScenarioSimGridTest.cpp - Whole scenarios against SimGrid ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PlannedScenario.h"
#include "ScenarioOracle.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;

namespace {

/// Compares them, and knows the largest difference.
class Comparison {
public:
  /// False when all that follows would differ, too.
  bool compare(const ScenarioOracle &Right, const PlannedScenario &Ours);
  double Worst = 0; ///< over the time
  size_t NumSpans = 0;

private:
  void see(double Ours, double Right) {
    if (Ours != Right)
      Worst = std::max(Worst, std::abs(Ours - Right) / Right);
  }
};

} // namespace

bool Comparison::compare(const ScenarioOracle &Right,
                         const PlannedScenario &Ours) {
  std::map<std::pair<unsigned, unsigned>, std::deque<OracleSpan>> Spans;
  const TaskGraph &G = Ours.Tasks.Graph;
  for (TaskNumber T = 0; T != G.numTasks(); ++T)
    if (G.seconds(T) > 0 || G.bytes(T) > 0 || !G.servers(T).empty())
      Spans[{Ours.Tasks.Tasks[T].Process, Ours.Tasks.Tasks[T].Operation}]
          .push_back({Ours.When.Start[T], Ours.When.End[T]});
  EXPECT_EQ(Spans.size(), Right.Spans.size());
  double Total = 0;
  for (const auto &[Of, All] : Right.Spans) {
    const auto &Own = Spans[Of];
    EXPECT_EQ(Own.size(), All.size())
        << "operation " << Of.second << " of process " << Of.first;
    for (const auto &[A, B] : llvm::zip(Own, All)) {
      const std::string Where = "operation " + std::to_string(Of.second) +
                                " of process " + std::to_string(Of.first);
      EXPECT_NEAR(A.Start, B.Start, 1e-8 * B.Start) << Where;
      EXPECT_NEAR(A.End, B.End, 1e-8 * B.End) << Where;
      see(A.Start, B.Start);
      see(A.End, B.End);
      Total = std::max(Total, B.End);
      ++NumSpans;
    }
  }
  EXPECT_NEAR(Ours.When.total(), Total, 1e-8 * Total);
  return !testing::Test::HasFailure();
}

TEST(ScenarioSimGrid, AgreesOnRandomScenarios) {
  std::string Name = "oracle", Quiet = "--log=root.thresh:critical";
  std::vector<char *> Args = {Name.data(), Quiet.data(), nullptr};
  int NumArgs = 2;
  s4u::Engine Engine(&NumArgs, Args.data());
  for (const char *Setting :
       {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0",
        "surf/precision:1e-12", "maxmin/precision:1e-12",
        "contexts/stack-size:64"})
    s4u::Engine::set_config(std::string(Setting));
  s4u::NetZone &All = *s4u::create_full_zone("all");
  RandomScenarioOptions O;
  O.HasWholeWeights = true;
  std::deque<RandomScenario> Scenarios;
  std::deque<ScenarioOracle> Oracles;
  for (unsigned N = 0; N != 500; ++N) {
    Scenarios.push_back(randomScenario(N, O));
    Oracles.emplace_back(Scenarios.back(), All, std::to_string(N));
  }
  All.seal();
  Engine.run();

  Comparison C;
  std::map<OperationKind, size_t> Counts;
  for (unsigned N = 0; N != Scenarios.size(); ++N) {
    SCOPED_TRACE("scenario " + std::to_string(N));
    const RandomScenario &S = Scenarios[N];
    const PlannedScenario Ours(S.text(), S.On.text(), S.On.linkTexts());
    ASSERT_EQ(Ours.Errors, "");
    ASSERT_TRUE(C.compare(Oracles[N], Ours)) << S.text() << S.On.text();
    for (const auto &[Kind, Count] : Oracles[N].Counts)
      Counts[Kind] += Count;
  }
  // What the figures of docs/commands/Scenario.md are from.
  RecordProperty("spans", int(C.NumSpans));
  RecordProperty("worst", std::to_string(C.Worst * 1e12) + "e-12");
  for (const auto &[Kind, Count] : Counts)
    RecordProperty(toString(Kind).str(), int(Count));
}

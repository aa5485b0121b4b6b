//===- RandomScenarioTest.cpp - What holds of every scenario --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RandomScenario.h"
#include "PlainEnergy.h"
#include "PlannedScenario.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using Kind = OperationKind;

namespace {

/// Relative, for what is summed up another way here.
constexpr double Rounding = 1e-9;
constexpr unsigned NumScenarios = PTXPREDICT_IS_SANITIZED ? 100 : 2000;

/// What \p T takes if nothing else is in the way.
double secondsAlone(const TaskGraph &G, TaskNumber T) {
  double Flows = 0;
  for (const LinkUse &U : G.links(T))
    Flows = std::max(Flows, G.bytes(T) * U.Weight / G.bytesPerSecond(U.Link));
  return G.seconds(T) + Flows;
}

/// Nothing starts before what it waits for, and no chain is longer than the
/// whole.
void expectOrder(const PlannedScenario &P) {
  const TaskGraph &G = P.Tasks.Graph;
  const Timeline &T = P.When;
  std::vector<std::vector<TaskNumber>> After(G.numTasks());
  std::vector<unsigned> NumBefore(G.numTasks());
  for (const TaskGraph::Dependence &D : G.dependences()) {
    EXPECT_LE(T.End[D.Before], T.Start[D.After]);
    After[D.Before].push_back(D.After);
    ++NumBefore[D.After];
  }
  std::vector<double> Chain(G.numTasks());
  std::vector<TaskNumber> Ready;
  for (TaskNumber N = 0; N != G.numTasks(); ++N) {
    EXPECT_GE(T.End[N], (T.Start[N] + secondsAlone(G, N)) * (1 - Rounding));
    if (NumBefore[N] == 0)
      Ready.push_back(N);
  }
  for (size_t I = 0; I != Ready.size(); ++I) {
    Chain[Ready[I]] += secondsAlone(G, Ready[I]);
    EXPECT_LE(Chain[Ready[I]], T.End[Ready[I]] * (1 + Rounding));
    for (TaskNumber Next : After[Ready[I]]) {
      Chain[Next] = std::max(Chain[Next], Chain[Ready[I]]);
      if (--NumBefore[Next] == 0)
        Ready.push_back(Next);
    }
  }
  EXPECT_EQ(Ready.size(), G.numTasks());
}

/// Of what a process does itself, nothing is done at once or in another order.
void expectHostOrder(const PlannedScenario &P) {
  std::map<uint32_t, double> Until;
  for (TaskNumber N = 0; N != P.Tasks.Tasks.size(); ++N) {
    const PlannedTask &Of = P.Tasks.Tasks[N];
    if (!Of.IsOfHost)
      continue;
    EXPECT_GE(P.When.Start[N], Until[Of.Process]);
    Until[Of.Process] = P.When.End[N];
  }
}

/// No server has more tasks at once than places, and none is busy for longer
/// than the whole takes.
void expectPlaces(const PlannedScenario &P) {
  const TaskGraph &G = P.Tasks.Graph;
  std::vector<std::vector<std::pair<double, int>>> Changes(G.numServers());
  std::vector<double> Work(G.numServers()), Flows(G.numLinks());
  for (TaskNumber N = 0; N != G.numTasks(); ++N) {
    const double Start = P.When.Start[N], End = P.When.End[N];
    for (ServerNumber S : G.servers(N)) {
      Work[S] += End - Start;
      if (End == Start)
        continue;
      Changes[S].emplace_back(Start, 1);
      Changes[S].emplace_back(End, -1);
    }
    for (const LinkUse &U : G.links(N))
      Flows[U.Link] += G.bytes(N) * U.Weight / G.bytesPerSecond(U.Link);
  }
  double Busiest = 0;
  for (ServerNumber S = 0; S != G.numServers(); ++S) {
    llvm::sort(Changes[S]); // what ends before what starts
    int Num = 0;
    for (const auto &[Time, Change] : Changes[S])
      EXPECT_LE(Num += Change, int(G.places(S)));
    Busiest = std::max(Busiest, Work[S] / G.places(S));
  }
  for (double Seconds : Flows)
    Busiest = std::max(Busiest, Seconds);
  EXPECT_GE(P.When.total(), Busiest * (1 - Rounding));
  EXPECT_NEAR(P.totals().BusiestSeconds, Busiest, Busiest * Rounding);
}

/// What a trace says of its operations is what the totals are made of.
void expectTotals(const PlannedScenario &P) {
  const ScenarioTotals T = P.totals();
  EXPECT_EQ(T.Seconds, P.When.total());
  double Path = 0, Until = 0;
  for (const PathStep &Step : criticalPath(P.Tasks, P.When)) {
    EXPECT_EQ(Step.Start, Until) << "the path has no gaps";
    Until = Step.End;
    Path += Step.End - Step.Start;
  }
  EXPECT_EQ(Until, T.Seconds);
  double OfKinds = 0;
  for (double Seconds : T.PathSeconds)
    OfKinds += Seconds;
  EXPECT_NEAR(OfKinds, Path, Path * Rounding);
}

void expectEnergy(const RandomScenario &S, const PlannedScenario &P) {
  const ScenarioEnergy Right = plainEnergy(S, P);
  const ScenarioEnergy E = P.totals().Energy;
  const double Least = Right.totalJ() * Rounding;
  EXPECT_NEAR(E.BaseJ, Right.BaseJ, Least);
  EXPECT_NEAR(E.IdleJ, Right.IdleJ, Least);
  EXPECT_NEAR(E.CPUJ, Right.CPUJ, Least);
  EXPECT_NEAR(E.GPUJ, Right.GPUJ, Least);
  EXPECT_NEAR(E.LinkJ, Right.LinkJ, Least);
  EXPECT_NEAR(E.SupplyJ, Right.SupplyJ, Least);
  // What phases draw above idle is all that is drawn above idle.
  const double Resting = plainRestingWatts(S.On);
  double OfPhases = 0;
  for (const PhaseTotals &F : phaseTotals(P.Of, *P.Layout, P.Tasks, P.When))
    OfPhases += F.EnergyJ - Resting * (F.End - F.Start);
  EXPECT_NEAR(OfPhases, E.totalJ() - Resting * P.When.total(), Least);
}

TEST(RandomScenario, InvariantsHold) {
  std::map<Kind, size_t> Counts;
  for (unsigned N = 0; N != NumScenarios; ++N) {
    SCOPED_TRACE("scenario " + std::to_string(N));
    const RandomScenario S = randomScenario(10'000 + N, {});
    const PlannedScenario P(S.text(), S.On.text(), S.On.linkTexts());
    ASSERT_EQ(P.Errors, "") << S.text();
    ASSERT_TRUE(P.When.Stuck.empty()) << S.text();
    expectOrder(P);
    expectHostOrder(P);
    expectPlaces(P);
    expectTotals(P);
    expectEnergy(S, P);
    ASSERT_FALSE(HasFailure()) << S.text() << S.On.text();
    const std::vector<const Operation *> All = listOperations(P.Of);
    for (const PlannedTask &T : P.Tasks.Tasks)
      ++Counts[All[T.Operation]->Kind];
  }
  // They hold what they should; what makes no task of its own is within others.
  for (unsigned K = 0; K <= unsigned(Kind::Barrier); ++K)
    if (Kind(K) != Kind::Alloc && Kind(K) != Kind::Free) {
      EXPECT_GT(Counts[Kind(K)], NumScenarios / 20) << toString(Kind(K)).str();
    }
}

double totalOf(const RandomScenario &S) {
  const PlannedScenario P(S.text(), S.On.text(), S.On.linkTexts());
  EXPECT_EQ(P.Errors, "");
  return P.When.total();
}

TEST(RandomScenario, OneProcessAloneIsNeverSlowerWithMoreBandwidth) {
  RandomScenarioOptions O;
  O.IsOneChain = true;
  for (unsigned N = 0; N != NumScenarios / 4; ++N) {
    SCOPED_TRACE("scenario " + std::to_string(N));
    RandomScenario S = randomScenario(20'000 + N, O);
    ASSERT_EQ(S.Processes.size(), 1u);
    ASSERT_EQ(S.Processes[0].Count, 1u);
    RandomNumbers R(N);
    double Before = totalOf(S);
    for (unsigned K = 0; K != 4; ++K) {
      for (RandomJoint &J : S.On.Nodes[0].Joints)
        J.Of.GBs *= 1 + R.thousandths(0, 1000);
      const double Total = totalOf(S);
      EXPECT_LE(Total, Before * (1 + 1e-14));
      Before = Total;
    }
    ASSERT_FALSE(HasFailure()) << S.text();
  }
}

/// With several streams it may be: who comes first is served first (R. Graham,
/// "Bounds on Multiprocessing Timing Anomalies", 1969). A copy of 6 s lets the
/// short kernel go before the long one, and its process goes on at 26 s; a copy
/// of 4 s does not.
TEST(RandomScenario, SeveralStreamsMayBeSlowerWithMoreBandwidth) {
  auto Total = [](const char *GBs) {
    const std::string Link =
        "schema: ptx-predict/link\nversion: 1\nname: wire\ndescription: x\n"
        "source: made up\nbandwidth: " +
        std::string(GBs) + "\n";
    const PlannedScenario P(R"(
schema: ptx-predict/scenario
version: 1
launch_us: 0
kernels: {long: {time_us: 10M}, short: {time_us: 1M}}
processes:
- label: worker
  operations:
  - h2d: {bytes: 12M, stream: a}
  - launch: {kernel: long, stream: a}
  - delay: {seconds: 5, stream: b}
  - launch: {kernel: short, stream: b}
  - sync: {stream: b}
  - host: 20
)",
                            R"(
schema: ptx-predict/system
version: 1
name: small
description: x
source: made up
nodes:
- name: node
  cpus: [{name: cpu}]
  gpus: [{name: gpu, device: v100, labels: {worker: 1}}]
  links: [{between: [cpu, gpu], link: wire, sharing: fifo}]
)",
                            {Link});
    EXPECT_EQ(P.Errors, "");
    return P.When.total();
  };
  EXPECT_DOUBLE_EQ(Total("0.002"), 26);
  EXPECT_DOUBLE_EQ(Total("0.003"), 35);
}

} // namespace

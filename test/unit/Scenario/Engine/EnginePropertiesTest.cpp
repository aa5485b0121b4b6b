//===- EnginePropertiesTest.cpp - What holds of every graph ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RandomGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <limits>

using namespace ptxpredict;

namespace {

/// Relative, for what is summed up another way here.
constexpr double Rounding = 1e-9;

/// How long a task's bytes flow if nothing else does.
double flowAlone(const TaskGraph &G, TaskNumber T) {
  double Seconds = 0;
  for (const LinkUse &U : G.links(T))
    Seconds =
        std::max(Seconds, G.bytes(T) * U.Weight / G.bytesPerSecond(U.Link));
  return Seconds;
}

void expectOrder(const TaskGraph &G, const Timeline &R) {
  EXPECT_TRUE(R.Stuck.empty());
  std::vector<double> Ready(G.numTasks());
  for (const TaskGraph::Dependence &D : G.dependences())
    Ready[D.After] = std::max(Ready[D.After], R.End[D.Before]);
  EXPECT_EQ(R.Ready, Ready);
  for (TaskNumber T = 0; T != G.numTasks(); ++T) {
    EXPECT_GE(R.Start[T], R.Ready[T]);
    EXPECT_EQ(R.Start[T], R.Cause[T] == NoTask ? 0 : R.End[R.Cause[T]]);
    const double End = R.Start[T] + G.seconds(T) + flowAlone(G, T);
    EXPECT_GE(R.End[T], End * (1 - Rounding));
    if (G.bytes(T) == 0) {
      EXPECT_EQ(R.End[T], R.Start[T] + G.seconds(T));
    }
    // What it waited for is one before it, or was at one of its servers.
    bool IsKnown = R.Cause[T] == NoTask;
    for (const TaskGraph::Dependence &D : G.dependences())
      IsKnown |= D.After == T && D.Before == R.Cause[T];
    for (ServerNumber S : G.servers(T))
      IsKnown |= !IsKnown && llvm::is_contained(G.servers(R.Cause[T]), S);
    EXPECT_TRUE(IsKnown);
  }
}

void expectPlaces(const TaskGraph &G, const Timeline &R) {
  for (ServerNumber S = 0; S != G.numServers(); ++S) {
    std::vector<TaskNumber> Tasks;
    for (TaskNumber T = 0; T != G.numTasks(); ++T)
      if (llvm::is_contained(G.servers(T), S))
        Tasks.push_back(T);
    double Work = 0;
    for (TaskNumber T : Tasks) {
      Work += R.End[T] - R.Start[T];
      unsigned NumAtOnce = 0;
      for (TaskNumber U : Tasks)
        NumAtOnce += R.Start[U] <= R.Start[T] && R.Start[T] < R.End[U];
      EXPECT_LE(NumAtOnce, G.places(S));
      // Who waits only here is served in turn.
      for (TaskNumber U : Tasks)
        if (G.servers(T).size() == 1 && G.servers(U).size() == 1 &&
            R.Ready[T] < R.Ready[U]) {
          EXPECT_LE(R.Start[T], R.Start[U]);
        }
    }
    EXPECT_GE(R.total(), Work / G.places(S) * (1 - Rounding));
  }
}

/// The rates of \p Flows, by the definition: link by link, that one first whose
/// flows get least.
std::vector<double> rates(const TaskGraph &G, ArrayRef<TaskNumber> Flows) {
  std::vector<double> Rates(Flows.size(), -1);
  for (;;) {
    double Least = std::numeric_limits<double>::infinity();
    LinkNumber Full = 0;
    for (LinkNumber L = 0; L != G.numLinks(); ++L) {
      double Left = G.bytesPerSecond(L);
      double Weight = 0;
      for (size_t I = 0; I != Flows.size(); ++I)
        for (const LinkUse &U : G.links(Flows[I]))
          if (U.Link == L) {
            Left -= std::max(0.0, Rates[I]) * U.Weight;
            Weight += Rates[I] < 0 ? U.Weight : 0;
          }
      if (Weight > 0 && Left / Weight < Least) {
        Least = Left / Weight;
        Full = L;
      }
    }
    if (!std::isfinite(Least))
      return Rates;
    for (size_t I = 0; I != Flows.size(); ++I)
      for (const LinkUse &U : G.links(Flows[I]))
        if (U.Link == Full && Rates[I] < 0)
          Rates[I] = Least;
  }
}

/// From when each flowed to when, follows how many bytes did.
void expectFairFlows(const TaskGraph &G, const Timeline &R) {
  std::vector<double> Begin(R.Start);
  std::vector<double> Times;
  for (TaskNumber T = 0; T != G.numTasks(); ++T)
    if (G.bytes(T) > 0) {
      Begin[T] += G.seconds(T);
      Times.insert(Times.end(), {Begin[T], R.End[T]});
    }
  std::sort(Times.begin(), Times.end());
  std::vector<double> Bytes(G.numTasks());
  for (size_t I = 1; I < Times.size(); ++I) {
    std::vector<TaskNumber> Flows;
    for (TaskNumber T = 0; T != G.numTasks(); ++T)
      if (G.bytes(T) > 0 && Begin[T] < Times[I] && R.End[T] >= Times[I])
        Flows.push_back(T);
    const std::vector<double> Rates = rates(G, Flows);
    for (size_t F = 0; F != Flows.size(); ++F)
      Bytes[Flows[F]] += Rates[F] * (Times[I] - Times[I - 1]);
  }
  for (TaskNumber T = 0; T != G.numTasks(); ++T)
    if (G.bytes(T) > 0) {
      EXPECT_NEAR(Bytes[T], G.bytes(T), G.bytes(T) * Rounding);
    }
}

/// The longest chain, each task as fast as it can be.
double longestChain(const TaskGraph &G) {
  std::vector<double> End(G.numTasks());
  for (bool Changes = true; Changes;) {
    std::vector<double> Start(G.numTasks());
    for (const TaskGraph::Dependence &D : G.dependences())
      Start[D.After] = std::max(Start[D.After], End[D.Before]);
    Changes = false;
    for (TaskNumber T = 0; T != G.numTasks(); ++T) {
      const double E = Start[T] + G.seconds(T) + flowAlone(G, T);
      Changes |= E != End[T];
      End[T] = E;
    }
  }
  return *std::max_element(End.begin(), End.end());
}

void expectSame(const Timeline &A, const Timeline &B) {
  EXPECT_EQ(A.Ready, B.Ready);
  EXPECT_EQ(A.Start, B.Start);
  EXPECT_EQ(A.End, B.End);
  EXPECT_EQ(A.Cause, B.Cause);
  EXPECT_EQ(A.Stuck, B.Stuck);
}

void expectAll(const RandomGraphOptions &O, unsigned Seed) {
  std::mt19937 Random(Seed);
  for (unsigned N = 0; N != 1000; ++N) {
    SCOPED_TRACE("graph " + std::to_string(N));
    const TaskGraph G = randomGraph(Random, O);
    const Timeline R = simulate(G);
    expectOrder(G, R);
    expectPlaces(G, R);
    expectFairFlows(G, R);
    EXPECT_GE(R.total(), longestChain(G) * (1 - Rounding));
    expectSame(R, simulate(G));
    if (testing::Test::HasFailure())
      return;
  }
}

TEST(EngineProperties, HoldWhereNothingHappensAtOnce) { expectAll({}, 1); }

TEST(EngineProperties, HoldWhereMuchHappensAtOnce) {
  RandomGraphOptions O;
  O.HasTies = true;
  expectAll(O, 2);
}

TEST(EngineProperties, TimesDoNotDependOnTheOrderOfDependences) {
  std::mt19937 Random(3);
  RandomGraphOptions O;
  O.HasTies = true;
  for (unsigned N = 0; N != 200; ++N) {
    const TaskGraph G = randomGraph(Random, O);
    TaskGraph Reversed;
    for (ServerNumber S = 0; S != G.numServers(); ++S)
      Reversed.addServer(G.places(S));
    for (LinkNumber L = 0; L != G.numLinks(); ++L)
      Reversed.addLink(G.bytesPerSecond(L));
    for (TaskNumber T = 0; T != G.numTasks(); ++T)
      Reversed.addTask(G.seconds(T), G.servers(T), G.bytes(T), G.links(T));
    for (size_t I = G.dependences().size(); I-- != 0;)
      Reversed.addDependence(G.dependences()[I].Before,
                             G.dependences()[I].After);
    EXPECT_EQ(simulate(G).End, simulate(Reversed).End);
  }
}

TEST(EngineProperties, AChainAloneIsNeverSlowerWithMoreBandwidth) {
  std::mt19937 Random(4);
  auto From0To1 = [&] { return double(Random()) / 4294967296.0; };
  for (unsigned N = 0; N != 200; ++N) {
    double Before = std::numeric_limits<double>::infinity();
    std::vector<double> Amounts;
    for (unsigned I = 0; I != 20; ++I)
      Amounts.push_back(From0To1());
    double Rate = 1;
    for (unsigned K = 0; K != 10; ++K) {
      Rate *= 1 + From0To1();
      TaskGraph G;
      const LinkNumber L = G.addLink(Rate);
      const ServerNumber S = G.addServer();
      for (TaskNumber T = 0; T != Amounts.size(); ++T) {
        G.addTask(Amounts[T], {S}, 10 * Amounts[19 - T], {{L, 1}});
        if (T != 0)
          G.addDependence(T - 1, T);
      }
      const double Total = simulate(G).total();
      EXPECT_LE(Total, Before);
      Before = Total;
    }
  }
}

} // namespace

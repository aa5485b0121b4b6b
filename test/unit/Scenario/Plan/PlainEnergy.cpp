//===- PlainEnergy.cpp - The energy of a random scenario, plainly ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PlainEnergy.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <set>
#include <tuple>

using namespace ptxpredict;
using Kind = OperationKind;

/// Of one node, what stands in it whatever runs; without its base.
static double idleWatts(const RandomSystem &S, const RandomNode &N) {
  double Watts = 0;
  for (const RandomPart &P : N.Parts) {
    Watts += P.Count * P.IdleW.value_or(0);
    if (S.Network && P.Kind == ComponentKind::NIC)
      Watts += P.Count * S.Network->Of.IdleW.value_or(0);
  }
  for (const RandomJoint &J : N.Joints)
    Watts += J.Count * J.Of.IdleW.value_or(0);
  return Watts;
}

double ptxpredict::plainRestingWatts(const RandomSystem &S) {
  double Watts = 0;
  for (const RandomNode &N : S.Nodes)
    Watts += N.Count * (N.BaseW + idleWatts(S, N)) / N.SupplyEfficiency;
  return Watts;
}

namespace {

/// When something is in use, and by how much its energy is multiplied.
struct Span {
  double Start, End, Factor;
};

} // namespace

/// Those that use it at a time share its time.
static double sharedSeconds(const std::vector<Span> &Spans) {
  std::set<double> Times;
  for (const Span &S : Spans)
    Times.insert({S.Start, S.End});
  double Sum = 0;
  for (auto At = Times.begin(); At != Times.end(); ++At) {
    const auto Next = std::next(At);
    double Factors = 0;
    unsigned Num = 0;
    for (const Span &S : Spans)
      if (S.Start <= *At && *At < S.End) {
        Factors += S.Factor;
        ++Num;
      }
    if (Num != 0)
      Sum += (*Next - *At) * Factors / Num;
  }
  return Sum;
}

static void addAll(const std::vector<RandomOperation> &List,
                   std::vector<const RandomOperation *> &All) {
  for (const RandomOperation &Op : List) {
    All.push_back(&Op);
    addAll(Op.Body, All);
    addAll(Op.Otherwise, All);
  }
}

static const RandomPart &partOf(const RandomNode &N, const std::string &Name) {
  return *llvm::find_if(N.Parts,
                        [&](const RandomPart &P) { return P.Name == Name; });
}

ScenarioEnergy ptxpredict::plainEnergy(const RandomScenario &S,
                                       const PlannedScenario &P) {
  ScenarioEnergy E;
  auto Lose = [&](const RandomNode &N, double Joules) {
    E.SupplyJ += Joules / N.SupplyEfficiency - Joules;
  };
  const double Total = P.When.total();
  for (const RandomNode &N : S.On.Nodes) {
    const double Base = N.Count * N.BaseW * Total;
    const double Idle = N.Count * idleWatts(S.On, N) * Total;
    E.BaseJ += Base;
    E.IdleJ += Idle;
    Lose(N, Base + Idle);
  }
  std::vector<const RandomOperation *> All;
  for (const RandomProcess &Of : S.Processes)
    addAll(Of.Operations, All);
  const SystemLayout &L = *P.Layout;
  const TaskGraph &G = P.Tasks.Graph;
  /// By node, kind of link and number, whichever direction.
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::vector<Span>> Links;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, const RandomNode *> At;
  for (TaskNumber T = 0; T != G.numTasks(); ++T) {
    const PlannedTask &Of = P.Tasks.Tasks[T];
    const RandomOperation &Op = *All[Of.Operation];
    const double Seconds = P.When.End[T] - P.When.Start[T];
    if (Of.IsOfHost) {
      const ComponentPlace &CPU = *P.Tasks.Processes[Of.Process].CPU;
      const RandomNode &N = S.On.Nodes[CPU.Kind];
      const RandomPart &Part = partOf(N, L.component(CPU).Name);
      const double Joules =
          Part.ActiveW
              ? (*Part.ActiveW - Part.IdleW.value_or(0)) / Part.Cores * Seconds
              : 0;
      E.CPUJ += Joules;
      Lose(N, Joules);
      continue;
    }
    if (Op.Kind == Kind::Launch && !G.servers(T).empty()) {
      const ComponentPlace GPU = L.nameOfServer(G.servers(T).front()).Of;
      const RandomNode &N = S.On.Nodes[GPU.Kind];
      const RandomPart &Part = partOf(N, L.component(GPU).Name);
      const double Watts = S.Kernels[Op.Kernel].PowerW.value_or(
          Part.ActiveW.value_or(Part.BoardW));
      const double Joules = std::max(0.0, Watts - *Part.IdleW) * Seconds;
      E.GPUJ += Joules;
      Lose(N, Joules);
      continue;
    }
    // A message's policy holds from so many bytes on, if it goes anywhere.
    const PlannedProcess &Sender = P.Tasks.Processes[Of.Process];
    const auto &Factors = P.Tasks.EnergyFactors;
    const auto Known =
        llvm::find_if(Factors, [&](const auto &F) { return F.first == T; });
    const double Factor = Known == Factors.end() ? 1 : Known->second;
    if (Known != Factors.end()) {
      EXPECT_TRUE(Op.Kind == Kind::Send && Op.HasPolicy);
      EXPECT_EQ(Factor,
                S.On.Nodes[Sender.Place.Kind].Joints[0].Of.EnergyFactor);
    }
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> Used;
    auto Add = [&](const ResourceName &Name) {
      if (!Name.By)
        return;
      const std::tuple<uint32_t, uint32_t, uint32_t> Key{
          Name.Of.Node, Name.Of.Component, Name.Of.Index};
      At[Key] = &S.On.Nodes[Name.Of.Kind];
      if (Used.insert(Key).second)
        Links[Key].push_back({P.When.Start[T], P.When.End[T], Factor});
    };
    for (ServerNumber N : G.servers(T))
      Add(L.nameOfServer(N));
    for (const LinkUse &U : G.links(T))
      Add(L.nameOfLink(U.Link));
  }
  for (const auto &[Key, Spans] : Links) {
    const RandomNode &N = *At.at(Key);
    const size_t Number = std::get<1>(Key);
    const RandomLink &Of =
        Number < N.Joints.size() ? N.Joints[Number].Of : S.On.Network->Of;
    if (!Of.ActiveW)
      continue;
    const double Joules =
        (*Of.ActiveW - Of.IdleW.value_or(0)) * sharedSeconds(Spans);
    E.LinkJ += Joules;
    Lose(N, Joules);
  }
  return E;
}

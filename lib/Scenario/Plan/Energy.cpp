//===- Energy.cpp - What a run of a scenario draws ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TaskEnergy.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

double ptxpredict::idleWatts(const SystemComponent &C) {
  if (C.IdleW)
    return *C.IdleW;
  return C.On ? C.On->IdleWatts.Value.value_or(0) : 0;
}

TaskEnergies::TaskEnergies(const SystemLayout &Layout, const Plan &P,
                           const Timeline &T)
    : Layout(Layout), P(P), T(T) {
  auto See = [this](const SystemLinkKind &K) {
    HasLinkPower |= K.Of && K.Of->ActiveW;
  };
  for (const NodeKind &N : Layout.system().Nodes)
    llvm::for_each(N.Links, See);
  See(Layout.system().Network);
}

TaskEnergies::Part TaskEnergies::of(TaskNumber Task) const {
  const PlannedTask &Of = P.Tasks[Task];
  const double Seconds = T.End[Task] - T.Start[Task];
  Part R;
  if (Of.Kernel != 0) {
    const ComponentPlace GPU =
        Layout.nameOfServer(P.Graph.servers(Task).front()).Of;
    const std::optional<double> &Watts = P.Kernels[Of.Kernel - 1].Watts;
    R.Kind = GPU.Kind;
    if (Watts)
      R.GPUJ =
          std::max(0.0, *Watts - idleWatts(Layout.component(GPU))) * Seconds;
  } else if (Of.IsOfHost && P.Processes[Of.Process].CPU) {
    const ComponentPlace &CPU = *P.Processes[Of.Process].CPU;
    const SystemComponent &C = Layout.component(CPU);
    R.Kind = CPU.Kind;
    if (C.ActiveW)
      R.CPUJ =
          std::max(0.0, *C.ActiveW - idleWatts(C)) / double(C.Cores) * Seconds;
  } else if (HasLinkPower) {
    R.Kind = P.Processes[Of.Process].Place.Kind;
    auto Add = [&](const ResourceName &Name) {
      if (Name.By && Name.By->ActiveW)
        R.LinkJ += std::max(0.0, *Name.By->ActiveW -
                                     Name.By->IdleW.Value.value_or(0)) *
                   Seconds;
    };
    for (ServerNumber S : P.Graph.servers(Task))
      Add(Layout.nameOfServer(S));
    const bool HasServers = !P.Graph.servers(Task).empty();
    for (const LinkUse &L : P.Graph.links(Task))
      if (ResourceName Name = Layout.nameOfLink(L.Link);
          !HasServers || Name.IsFair)
        Add(Name);
    const auto At = llvm::partition_point(
        P.EnergyFactors, [&](const auto &F) { return F.first < Task; });
    if (At != P.EnergyFactors.end() && At->first == Task)
      R.LinkJ *= At->second;
  }
  return R;
}

/// What the parts of one node of a kind draw whatever runs, in W.
static double idleOf(const SystemLayout &Layout, const NodeKind &N,
                     unsigned Kind) {
  double Watts = 0;
  for (const SystemComponent &C : N.Components)
    Watts += double(C.Count) * idleWatts(C);
  for (const SystemLink &L : N.Links)
    Watts += double(L.Count) * L.Of->IdleW.Value.value_or(0);
  if (const Link *Network = Layout.system().Network.Of)
    Watts += double(Layout.numNICs(Kind)) * Network->IdleW.Value.value_or(0);
  return Watts;
}

double ptxpredict::restingWatts(const SystemLayout &Layout) {
  double Watts = 0;
  for (const auto &[Kind, N] : llvm::enumerate(Layout.system().Nodes))
    Watts += double(Layout.numNodes(unsigned(Kind))) *
             (N.BaseW.Value.value_or(0) + idleOf(Layout, N, unsigned(Kind))) /
             N.PSUEfficiency.Value.value_or(1);
  return Watts;
}

ScenarioEnergy ptxpredict::energyOf(const SystemLayout &Layout, const Plan &P,
                                    const Timeline &T, double Seconds) {
  ScenarioEnergy E;
  const auto &Nodes = Layout.system().Nodes;
  auto Lost = [&](unsigned Kind, double Joules) {
    return Joules * (1 / Nodes[Kind].PSUEfficiency.Value.value_or(1) - 1);
  };
  for (const auto &[Kind, N] : llvm::enumerate(Nodes)) {
    const auto Count = double(Layout.numNodes(unsigned(Kind)));
    const double Base = Count * N.BaseW.Value.value_or(0) * Seconds;
    const double Idle = Count * idleOf(Layout, N, unsigned(Kind)) * Seconds;
    E.BaseJ += Base;
    E.IdleJ += Idle;
    E.SupplyJ += Lost(unsigned(Kind), Base + Idle);
  }
  const TaskEnergies Each(Layout, P, T);
  for (TaskNumber N = 0; N != P.Tasks.size(); ++N) {
    const TaskEnergies::Part Own = Each.of(N);
    E.CPUJ += Own.CPUJ;
    E.GPUJ += Own.GPUJ;
    E.LinkJ += Own.LinkJ;
    E.SupplyJ += Lost(Own.Kind, Own.sum());
  }
  return E;
}

double ptxpredict::failureChance(const SystemLayout &Layout, double Seconds) {
  double PerHour = 0;
  auto Add = [&](double Count, const Quantity &MTBF) {
    if (MTBF)
      PerHour += Count / *MTBF;
  };
  const Link *Network = Layout.system().Network.Of;
  for (const auto &[Kind, N] : llvm::enumerate(Layout.system().Nodes)) {
    const auto Nodes = double(Layout.numNodes(unsigned(Kind)));
    Add(Nodes, N.MTBFHours);
    for (const SystemComponent &C : N.Components)
      Add(Nodes * double(C.Count), C.MTBFHours);
    for (const SystemLink &L : N.Links)
      Add(Nodes * double(L.Count), L.Of->MTBFHours);
    if (Network)
      Add(Nodes * double(Layout.numNICs(unsigned(Kind))), Network->MTBFHours);
  }
  return -std::expm1(-PerHour * Seconds / 3600);
}

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
  bool HasPower = false;
  auto See = [&](const SystemLinkKind &K) {
    HasPower |= K.Of && K.Of->ActiveW;
  };
  for (const NodeKind &N : Layout.system().Nodes)
    llvm::for_each(N.Links, See);
  See(Layout.system().Network);
  if (HasPower)
    addLinks();
}

double TaskEnergies::lost(unsigned Kind, double Joules) const {
  const Quantity &Efficiency = Layout.system().Nodes[Kind].PSUEfficiency;
  return Joules * (1 / Efficiency.Value.value_or(1) - 1);
}

namespace {

/// From when to when a task has a link.
struct LinkSpan {
  double Start, End;
  TaskNumber Task;
};

} // namespace

/// For how long each of \p Spans has had the link, where those that have it at
/// the same time share it out equally.
static std::vector<double> sharesOf(ArrayRef<LinkSpan> Spans) {
  std::vector<std::pair<double, int>> Changes;
  Changes.reserve(2 * Spans.size());
  for (const LinkSpan &S : Spans) {
    Changes.emplace_back(S.Start, 1);
    Changes.emplace_back(S.End, -1);
  }
  llvm::sort(Changes);
  // What one that was there from the beginning would have had until then.
  std::vector<double> Until(Changes.size());
  double Sum = 0, Before = 0;
  int Num = 0;
  for (const auto &[N, Change] : llvm::enumerate(Changes)) {
    if (Num > 0)
      Sum += (Change.first - Before) / Num;
    Until[N] = Sum;
    Before = Change.first;
    Num += Change.second;
  }
  auto At = [&](double Time) {
    return Until[size_t(
        llvm::partition_point(Changes,
                              [&](const auto &C) { return C.first < Time; }) -
        Changes.begin())];
  };
  std::vector<double> Shares;
  Shares.reserve(Spans.size());
  for (const LinkSpan &S : Spans)
    Shares.push_back(At(S.End) - At(S.Start));
  return Shares;
}

/// A link is active while any task has it, in whichever direction.
void TaskEnergies::addLinks() {
  std::map<std::array<uint32_t, 3>,
           std::pair<ResourceName, std::vector<LinkSpan>>>
      All;
  for (TaskNumber Task = 0; Task != P.Tasks.size(); ++Task) {
    auto Add = [&](const ResourceName &Name) {
      if (!Name.By || !Name.By->ActiveW || T.End[Task] == T.Start[Task])
        return;
      auto &[Of, Spans] = All[{Name.Of.Node, Name.Of.Component, Name.Of.Index}];
      Of = Name;
      if (Spans.empty() || Spans.back().Task != Task) // both directions
        Spans.push_back({T.Start[Task], T.End[Task], Task});
    };
    for (ServerNumber S : P.Graph.servers(Task))
      Add(Layout.nameOfServer(S));
    for (const LinkUse &L : P.Graph.links(Task))
      Add(Layout.nameOfLink(L.Link));
  }
  Links.resize(P.Tasks.size());
  for (const auto &[Key, Link] : All) {
    const auto &[Of, Spans] = Link;
    const double Watts =
        std::max(0.0, *Of.By->ActiveW - Of.By->IdleW.Value.value_or(0));
    for (const auto &[S, Seconds] : llvm::zip(Spans, sharesOf(Spans))) {
      double Joules = Watts * Seconds;
      const auto At = llvm::partition_point(
          P.EnergyFactors,
          [&, Task = S.Task](const auto &F) { return F.first < Task; });
      if (At != P.EnergyFactors.end() && At->first == S.Task)
        Joules *= At->second;
      Links[S.Task].LinkJ += Joules;
      Links[S.Task].SupplyJ += lost(Of.Of.Kind, Joules);
    }
  }
}

TaskEnergies::Part TaskEnergies::of(TaskNumber Task) const {
  const PlannedTask &Of = P.Tasks[Task];
  const double Seconds = T.End[Task] - T.Start[Task];
  Part R;
  if (Of.Kernel != 0) {
    const ComponentPlace GPU =
        Layout.nameOfServer(P.Graph.servers(Task).front()).Of;
    const std::optional<double> &Watts = P.Kernels[Of.Kernel - 1].Watts;
    if (Watts)
      R.GPUJ =
          std::max(0.0, *Watts - idleWatts(Layout.component(GPU))) * Seconds;
    R.SupplyJ = lost(GPU.Kind, R.GPUJ);
  } else if (Of.IsOfHost && P.Processes[Of.Process].CPU) {
    const ComponentPlace &CPU = *P.Processes[Of.Process].CPU;
    const SystemComponent &C = Layout.component(CPU);
    if (C.ActiveW)
      R.CPUJ =
          std::max(0.0, *C.ActiveW - idleWatts(C)) / double(C.Cores) * Seconds;
    R.SupplyJ = lost(CPU.Kind, R.CPUJ);
  } else if (!Links.empty()) {
    R.LinkJ = Links[Task].LinkJ;
    R.SupplyJ = Links[Task].SupplyJ;
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
  const TaskEnergies Each(Layout, P, T);
  for (const auto &[Kind, N] : llvm::enumerate(Layout.system().Nodes)) {
    const auto Count = double(Layout.numNodes(unsigned(Kind)));
    const double Base = Count * N.BaseW.Value.value_or(0) * Seconds;
    const double Idle = Count * idleOf(Layout, N, unsigned(Kind)) * Seconds;
    E.BaseJ += Base;
    E.IdleJ += Idle;
    E.SupplyJ += Each.lost(unsigned(Kind), Base + Idle);
  }
  for (TaskNumber N = 0; N != P.Tasks.size(); ++N) {
    const TaskEnergies::Part Own = Each.of(N);
    E.CPUJ += Own.CPUJ;
    E.GPUJ += Own.GPUJ;
    E.LinkJ += Own.LinkJ;
    E.SupplyJ += Own.SupplyJ;
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

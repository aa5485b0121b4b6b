//===- ScenarioResult.cpp - What a run of a scenario takes ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Plan/ScenarioResult.h"
#include "TaskEnergy.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace ptxpredict;

static double secondsOf(const Timeline &T, TaskNumber Task) {
  return T.End[Task] - T.Start[Task];
}

/// How many different numbers there are.
template <typename T>
static size_t countDifferent(std::vector<T> All) {
  llvm::sort(All);
  return size_t(std::unique(All.begin(), All.end()) - All.begin());
}

ScenarioTotals ptxpredict::totalsOf(const Scenario &S,
                                    const SystemLayout &Layout, const Plan &P,
                                    const Timeline &T) {
  ScenarioTotals R;
  R.Seconds = T.total();
  R.Energy = energyOf(Layout, P, T, R.Seconds);
  R.FailureChance = failureChance(Layout, R.Seconds);
  R.Work = P.Work;
  R.NumProcesses = P.Processes.size();
  R.NumTasks = P.Tasks.size();
  std::vector<ServerNumber> GPUs;
  std::vector<uint32_t> Nodes;
  Nodes.reserve(P.Processes.size());
  for (const PlannedProcess &Each : P.Processes) {
    Nodes.push_back(Each.Place.Node);
    if (Each.GPU)
      GPUs.push_back(Layout.kernelsOf(*Each.GPU));
  }
  R.NumNodes = countDifferent(std::move(Nodes));
  R.NumGPUs = countDifferent(std::move(GPUs));
  // Of links what their flows take if nothing else is in the way.
  std::vector<double> Servers(P.Graph.numServers()), Links(P.Graph.numLinks());
  for (TaskNumber N = 0; N != P.Tasks.size(); ++N) {
    for (ServerNumber Server : P.Graph.servers(N))
      Servers[Server] += secondsOf(T, N) / P.Graph.places(Server);
    for (const LinkUse &U : P.Graph.links(N))
      Links[U.Link] +=
          P.Graph.bytes(N) * U.Weight / P.Graph.bytesPerSecond(U.Link);
  }
  for (const std::vector<double> &All : {Servers, Links})
    for (double Busy : All)
      R.BusiestSeconds = std::max(R.BusiestSeconds, Busy);
  const std::vector<const Operation *> All = listOperations(S);
  R.PathSeconds.resize(size_t(OperationKind::Phase) + 1);
  for (const PathStep &Step : criticalPath(P, T))
    R.PathSeconds[size_t(P.operation(All, Step.Task).Kind)] +=
        Step.End - Step.Start;
  return R;
}

std::vector<PathStep> ptxpredict::criticalPath(const Plan &P,
                                               const Timeline &T) {
  std::vector<PathStep> Path;
  TaskNumber At = NoTask;
  for (TaskNumber N = 0; N != P.Tasks.size(); ++N)
    if (At == NoTask || T.End[N] > T.End[At])
      At = N;
  for (; At != NoTask; At = T.Cause[At])
    if (T.End[At] > T.Start[At])
      Path.push_back({At, T.Start[At], T.End[At], T.Start[At] > T.Ready[At]});
  std::reverse(Path.begin(), Path.end());
  return Path;
}

std::vector<OperationTotals>
ptxpredict::operationTotals(const Scenario &S, const Plan &P, const Timeline &T,
                            ArrayRef<PathStep> Path) {
  const std::vector<const Operation *> Operations = listOperations(S);
  std::vector<OperationTotals> All(S.NumOperations);
  for (const auto &[Number, O] : llvm::enumerate(All))
    O.Operation = unsigned(Number);
  for (TaskNumber N = 0; N != P.Tasks.size(); ++N) {
    OperationTotals &O = All[P.Tasks[N].Operation];
    // The process's part of a launch is no launch of its own.
    O.Count += !P.Tasks[N].IsOfHost ||
               Operations[O.Operation]->Kind != OperationKind::Launch;
    O.Seconds += secondsOf(T, N);
    O.WaitSeconds += T.Start[N] - T.Ready[N];
  }
  for (const PathStep &Step : Path)
    All[P.Tasks[Step.Task].Operation].PathSeconds += Step.End - Step.Start;
  llvm::erase_if(All, [](const OperationTotals &O) { return O.Seconds == 0; });
  return All;
}

void ptxpredict::findGains(std::vector<OperationTotals> &Totals, Plan &P,
                           double Seconds, size_t Most) {
  std::vector<OperationTotals *> Order;
  for (OperationTotals &O : Totals)
    if (O.PathSeconds > 0)
      Order.push_back(&O);
  llvm::stable_sort(Order, [](const auto *A, const auto *B) {
    return A->PathSeconds > B->PathSeconds;
  });
  Order.resize(std::min(Order.size(), Most));
  for (OperationTotals *O : Order) {
    std::vector<std::pair<double, double>> Work;
    auto ForEach = [&](auto Do) {
      for (TaskNumber N = 0; N != P.Tasks.size(); ++N)
        if (P.Tasks[N].Operation == O->Operation)
          Do(N);
    };
    ForEach([&](TaskNumber N) {
      Work.emplace_back(P.Graph.seconds(N), P.Graph.bytes(N));
      P.Graph.setWork(N, Work.back().first * 0.9, Work.back().second * 0.9);
    });
    O->GainSeconds = Seconds - simulate(P.Graph).total();
    size_t Next = 0;
    ForEach([&](TaskNumber N) {
      P.Graph.setWork(N, Work[Next].first, Work[Next].second);
      ++Next;
    });
  }
}

std::vector<ResourceTotals>
ptxpredict::resourceTotals(const SystemLayout &Layout, const Plan &P,
                           const Timeline &T) {
  std::vector<ResourceTotals> Servers(P.Graph.numServers());
  std::vector<ResourceTotals> Links(P.Graph.numLinks());
  std::vector<std::vector<std::pair<double, double>>> Spans(Links.size());
  for (TaskNumber N = 0; N != P.Tasks.size(); ++N) {
    for (ServerNumber S : P.Graph.servers(N)) {
      ++Servers[S].Count;
      Servers[S].BusySeconds += secondsOf(T, N);
      Servers[S].WaitSeconds += T.Start[N] - T.Ready[N];
    }
    for (const LinkUse &U : P.Graph.links(N)) {
      ++Links[U.Link].Count;
      Spans[U.Link].emplace_back(T.Start[N], T.End[N]);
    }
  }
  for (const auto &[Number, Own] : llvm::enumerate(Spans)) {
    llvm::sort(Own);
    double Until = 0;
    for (const auto &[Start, End] : Own) {
      Links[Number].BusySeconds += std::max(0.0, End - std::max(Start, Until));
      Until = std::max(Until, End);
    }
  }
  std::vector<ResourceTotals> Used;
  for (const auto &[Number, R] : llvm::enumerate(Servers))
    if (R.Count != 0) {
      R.Name = Layout.nameOfServer(ServerNumber(Number));
      R.Places = P.Graph.places(ServerNumber(Number));
      Used.push_back(R);
    }
  for (const auto &[Number, R] : llvm::enumerate(Links))
    if (R.Count != 0) {
      R.Name = Layout.nameOfLink(LinkNumber(Number));
      R.IsServer = false;
      Used.push_back(R);
    }
  return Used;
}

std::vector<PhaseTotals> ptxpredict::phaseTotals(const Scenario &S,
                                                 const SystemLayout &Layout,
                                                 const Plan &P,
                                                 const Timeline &T) {
  std::vector<PhaseTotals> All(S.Phases.size() + 1);
  std::vector<bool> IsSeen(All.size());
  const TaskEnergies Each(Layout, P, T);
  const std::vector<const Operation *> Operations = listOperations(S);
  for (TaskNumber N = 0; N != P.Tasks.size(); ++N) {
    const unsigned Phase = P.Tasks[N].Phase;
    PhaseTotals &F = All[Phase];
    F.EnergyJ += Each.of(N).sum();
    // A launch holds its process long before its kernel runs.
    if (P.Tasks[N].IsOfHost &&
        P.operation(Operations, N).Kind == OperationKind::Launch)
      continue;
    F.Start = IsSeen[Phase] ? std::min(F.Start, T.Start[N]) : T.Start[N];
    F.End = std::max(F.End, T.End[N]);
    IsSeen[Phase] = true;
  }
  const double Resting = restingWatts(Layout);
  std::vector<PhaseTotals> Seen;
  for (const auto &[Phase, F] : llvm::enumerate(All))
    if (IsSeen[Phase]) {
      F.Phase = unsigned(Phase);
      F.EnergyJ += Resting * (F.End - F.Start);
      Seen.push_back(F);
    }
  return Seen;
}

std::vector<ProcessTotals>
ptxpredict::processTotals(const Plan &P, const Timeline &T,
                          ArrayRef<const Operation *> All) {
  std::vector<ProcessTotals> R(P.Processes.size());
  for (TaskNumber N = 0; N != P.Tasks.size(); ++N) {
    ProcessTotals &Own = R[P.Tasks[N].Process];
    Own.End = std::max(Own.End, T.End[N]);
    const double Seconds = secondsOf(T, N);
    if (P.Tasks[N].IsOfHost) {
      Own.HostSeconds += Seconds;
      continue;
    }
    switch (groupOf(P.operation(All, N).Kind)) {
    case OperationGroup::Copy:
      Own.CopySeconds += Seconds;
      break;
    case OperationGroup::Kernel:
      Own.KernelSeconds += Seconds;
      break;
    case OperationGroup::Message:
    case OperationGroup::Collective:
      Own.MessageSeconds += Seconds;
      break;
    default:
      break;
    }
  }
  return R;
}

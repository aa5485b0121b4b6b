//===- OracleProcess.cpp - What processes do, for SimGrid -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScenarioOracle.h"

using namespace ptxpredict;
using Kind = OperationKind;

void ScenarioOracle::runProcess(Process &P) {
  runList(P, S.Processes[P.Label].Operations, 0);
  auto End = [this](Stream &Of) {
    if (!Of.Filled)
      return;
    Of.Items.emplace_back();
    Of.Items.back().IsEnd = true;
    On.release(Of.Filled);
  };
  for (Stream &Of : P.Streams)
    End(Of);
  for (auto &[GPU, Of] : P.GPUs)
    End(Of.Default);
}

void ScenarioOracle::runList(Process &P,
                             const std::vector<RandomOperation> &List,
                             unsigned Depth) {
  for (const RandomOperation &Op : List)
    runOperation(P, Op, Depth);
}

void ScenarioOracle::runOperation(Process &P, const RandomOperation &Op,
                                  unsigned Depth) {
  ++Counts[Op.Kind];
  switch (Op.Kind) {
  case Kind::Repeat: {
    const auto Times = unsigned(Op.Amount.Of(P.Names));
    for (unsigned I = 0; I != Times; ++I) {
      P.Names.Counters[Depth] = I;
      runList(P, Op.Body, Depth + 1);
    }
    return;
  }
  case Kind::If:
    return runList(P, Op.Amount.Of(P.Names) != 0 ? Op.Body : Op.Otherwise,
                   Depth);
  case Kind::Host:
    return runHost(P, Op);
  case Kind::HostToDevice:
  case Kind::DeviceToHost:
  case Kind::PeerToPeer:
  case Kind::WithinDevice:
  case Kind::Fill:
    return runCopy(P, Op);
  case Kind::Launch:
    return runLaunch(P, Op);
  case Kind::Send:
  case Kind::Receive:
    return runMessage(P, Op);
  case Kind::AllReduce:
  case Kind::AllGather:
  case Kind::ReduceScatter:
  case Kind::Broadcast:
  case Kind::AllToAll:
  case Kind::Barrier:
    return runTogether(P, Op);
  default:
    return runOrder(P, Op);
  }
}

void ScenarioOracle::runHost(Process &P, const RandomOperation &Op) {
  OracleJob J = nextJob(P);
  if (Op.Operations)
    J.Seconds = Op.Operations.Of(P.Names) /
                (Op.Performance ? Op.Performance.Of(P.Names)
                                : On.Layout.part(P.CPU).Performance);
  else
    J.Seconds = Op.Amount.Of(P.Names);
  J.Servers = {On.coresOf(P.CPU)};
  keepTimes(J, Op, P.Number);
  On.run(J);
}

void ScenarioOracle::runCopy(Process &P, const RandomOperation &Op) {
  const PlainPlace GPU = gpuOf(P, Op), CPU = On.Layout.cpuOf(GPU);
  const double Bytes = Op.Amount.Of(P.Names);
  OracleJob J = nextJob(P);
  const bool IsIn = Op.Kind == Kind::HostToDevice;
  const bool IsOut = Op.Kind == Kind::DeviceToHost;
  if (Op.Kind == Kind::WithinDevice || Op.Kind == Kind::Fill) {
    const double Passes = Op.Kind == Kind::WithinDevice ? 2 : 1;
    J.Servers = {On.kernelsOf(GPU)};
    J.Seconds = Passes * Bytes / (On.Layout.part(GPU).DRAMGBs * 1e9);
  } else {
    const HostMemory M = Op.Stream != 0 || Op.IsPinned ? HostMemory::Pinned
                                                       : HostMemory::Pageable;
    J.Servers = {On.copiesOf(GPU, !IsIn)};
    On.addLoad(
        J,
        IsIn ? On.Layout.transfer(CPU, GPU, TransferWay::HostToDevice, M)
        : IsOut
            ? On.Layout.transfer(GPU, CPU, TransferWay::DeviceToHost, M)
            : On.Layout.transfer(
                  GPU, On.Layout.gpu(P.At.Node, unsigned(Op.Peer.Of(P.Names))),
                  TransferWay::PeerToPeer, M),
        Bytes);
  }
  if (Op.Seconds) {
    J.Seconds = Op.Seconds.Of(P.Names);
    J.Bytes = 0;
  }
  keepTimes(J, Op, P.Number);
  Item I;
  I.Work = std::move(J);
  const LatchPtr Done = issue(P, GPU, Op.Stream, std::move(I));
  if (Op.Stream == 0 && (IsIn || IsOut))
    On.wait(Done);
}

void ScenarioOracle::runLaunch(Process &P, const RandomOperation &Op) {
  const PlainPlace GPU = gpuOf(P, Op);
  RandomNames Names = P.Names;
  if (Op.With)
    Names.Variables[0] = Op.With.Of(P.Names);
  const double Holds = S.LaunchUs.value_or(On.Layout.part(GPU).LaunchUs) * 1e-6;
  const auto Times = unsigned(Op.Times ? Op.Times.Of(P.Names) : 1);
  for (unsigned N = 0; N != Times; ++N) {
    if (Holds > 0) {
      OracleJob J = nextJob(P);
      J.Seconds = Holds;
      J.Servers = {On.coresOf(P.CPU)};
      keepTimes(J, Op, P.Number);
      On.run(J);
    }
    Item I;
    I.Work = nextJob(P);
    I.Work->Seconds = S.Kernels[Op.Kernel].TimeUs.Of(Names) * 1e-6;
    I.Work->Servers = {On.kernelsOf(GPU)};
    keepTimes(*I.Work, Op, P.Number);
    issue(P, GPU, Op.Stream, std::move(I));
  }
}

void ScenarioOracle::runOrder(Process &P, const RandomOperation &Op) {
  const PlainPlace Own = gpuOf(P, Op);
  const PlainPlace GPU = P.StreamGPU[Op.Stream].value_or(Own);
  switch (Op.Kind) {
  case Kind::Delay: {
    OracleJob J = nextJob(P);
    J.Seconds = Op.Amount.Of(P.Names);
    keepTimes(J, Op, P.Number);
    if (Op.Stream == 0)
      return On.run(J);
    Item I;
    I.Work = std::move(J);
    issue(P, GPU, Op.Stream, std::move(I));
    return;
  }
  case Kind::Event: {
    std::vector<LatchPtr> &Marks = P.Events[Op.Event];
    Marks.clear();
    if (Op.Stream != 0) {
      Marks.push_back(issue(P, GPU, Op.Stream, {}));
      return;
    }
    std::vector<PlainPlace> Used;
    Used.reserve(P.GPUs.size());
    for (const auto &[Each, G] : P.GPUs)
      Used.push_back(Each);
    for (const PlainPlace &Each : Used)
      Marks.push_back(issue(P, Each, 0, {}));
    return;
  }
  case Kind::Wait: {
    const std::vector<LatchPtr> &Marks = P.Events[Op.Event];
    if (Op.Stream != 0) {
      Item I;
      I.Before = Marks;
      issue(P, GPU, Op.Stream, std::move(I));
      return;
    }
    for (const LatchPtr &L : std::vector<LatchPtr>(Marks))
      On.wait(L);
    return;
  }
  case Kind::Sync:
    return Op.Stream != 0 ? On.wait(P.LastOfStream[Op.Stream]) : waitForAll(P);
  default: // Alloc, Free and Phase take nothing
    return;
  }
}

//===- PlanCopies.cpp - Copies and kernels of processes -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PlanBuilder.h"
#include "ptxpredict/Model/BottleneckSetup.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using Kind = OperationKind;

PlanBuilder::GPUState *PlanBuilder::gpuOf(const Operation &Op) {
  const PlannedProcess &P = Result.Processes[Now.Number];
  std::optional<ComponentPlace> At = P.GPU;
  const OperationGroup Group = groupOf(Op.Kind);
  if (Op.HasStream && Now.Streams[Op.Stream].GPU &&
      (Group == OperationGroup::Order || Group == OperationGroup::Collective)) {
    At = Now.Streams[Op.Stream].GPU; // they have no GPU of their own
  } else if (Op.GPU != NoFormula) {
    std::optional<uint64_t> Number = whole(Op.GPU, "gpu", 0);
    if (!Number)
      return nullptr;
    At = Layout.gpu(P.Place.Node, *Number);
    if (!At) {
      error(Op.Place, "there is no GPU " + Twine(*Number) +
                          " in the node: it has " +
                          plural(Layout.numGPUs(P.Place.Kind), "GPU"));
      return nullptr;
    }
  }
  if (!At) {
    error(Op.Place, "the node of process '" + Now.Of->Label + "' has no GPU");
    return nullptr;
  }
  for (GPUState &G : Now.GPUs)
    if (G.Place == *At)
      return &G;
  Now.GPUs.push_back({*At, {}});
  Now.GPUs.back().Last.resize(Now.Of->Streams.size());
  return &Now.GPUs.back();
}

TaskNumber PlanBuilder::lastOf(const Operation &Op, const GPUState &G,
                               unsigned Stream) {
  const Issued &Default = G.Last[0];
  if (Stream != 0) {
    const TaskNumber Own = Now.Streams[Stream].Last;
    if (G.Last[Stream].Order > Default.Order) // it waited for the default one
      return Own;
    if (G.Last[Stream].Task == Own) // for which the default one waited
      return Default.Task;
    return join(Op, {Own, Default.Task}); // it was on another GPU
  }
  SmallVector<TaskNumber, 4> All;
  for (const Issued &I : ArrayRef(G.Last).drop_front())
    if (I.Order > Default.Order)
      All.push_back(I.Task);
  return All.empty() ? Default.Task : join(Op, All);
}

TaskNumber PlanBuilder::lastOfAll(const Operation &Op) {
  SmallVector<TaskNumber, 4> All;
  for (const GPUState &G : Now.GPUs)
    All.push_back(lastOf(Op, G, 0));
  return join(Op, All);
}

void PlanBuilder::issue(GPUState &G, const Operation &Op, TaskNumber Task) {
  G.Last[Op.HasStream ? Op.Stream : 0] = {Task, ++Now.Order};
  if (Op.HasStream)
    Now.Streams[Op.Stream] = {Task, G.Place};
}

PlanBuilder::TransferCost PlanBuilder::costOf(ArrayRef<RouteHop> Hops,
                                              TransferWay Way,
                                              HostMemory Memory) {
  TransferCost C;
  C.IsFlow = llvm::any_of(Hops, [](const RouteHop &H) { return !H.Server; });
  for (const auto &[Number, H] : llvm::enumerate(Hops)) {
    const Link &L = *H.By->Of;
    const Link::Timing T = L.timing(Way, Memory);
    C.Startup += T.StartupSeconds;
    // Twice over one of half duplex that it comes to and goes from.
    auto IsSame = [H = H](const RouteHop &O) {
      return O.Server == H.Server && O.Link == H.Link;
    };
    if (llvm::any_of(Hops.take_front(Number), IsSame))
      continue;
    const auto Passes = double(llvm::count_if(Hops, IsSame));
    C.SecondsPerByte = std::max(C.SecondsPerByte, Passes / T.BytesPerSecond);
    if (H.Server)
      C.Servers.push_back(*H.Server);
    if (C.IsFlow && H.Link)
      C.Links.push_back(
          {*H.Link, Passes * *L.BandwidthGBs * 1e9 / T.BytesPerSecond});
    const std::string Which = (Way == TransferWay::PeerToPeer
                                   ? toString(Way)
                                   : StringRef((toString(Way) + " from " +
                                                toString(Memory) + " memory")
                                                   .str()))
                                  .str();
    if (T.StartupIsAssumed)
      assume(L.Name + ": startup of " + Which + " " +
             shortNumber(T.StartupSeconds * 1e6) + " us (--link-file)");
    if (T.EfficiencyIsAssumed)
      assume(L.Name + ": efficiency of " + Which + " " +
             shortNumber(T.BytesPerSecond / (*L.BandwidthGBs * 1e9)) +
             " (--link-file)");
  }
  return C;
}

void PlanBuilder::runCopy(const Operation &Op) {
  GPUState *G = gpuOf(Op);
  if (!G)
    return;
  const PlannedProcess &P = Result.Processes[Now.Number];
  ComponentPlace From = G->Place, To = G->Place;
  TransferWay Way = TransferWay::PeerToPeer;
  if (Op.Kind == Kind::PeerToPeer) {
    std::optional<uint64_t> Number = whole(Op.Peer, "to", 0);
    if (!Number)
      return;
    std::optional<ComponentPlace> Other = Layout.gpu(P.Place.Node, *Number);
    if (!Other)
      return error(Op.Place, "there is no GPU " + Twine(*Number) +
                                 " in the node: it has " +
                                 plural(Layout.numGPUs(P.Place.Kind), "GPU"));
    To = *Other;
  } else {
    const std::optional<ComponentPlace> Host = Layout.cpuOf(G->Place);
    if (!Host)
      return error(Op.Place, "no link joins '" +
                                 Layout.component(G->Place).Name +
                                 "' to a CPU");
    Way = Op.Kind == Kind::HostToDevice ? TransferWay::HostToDevice
                                        : TransferWay::DeviceToHost;
    (Way == TransferWay::HostToDevice ? From : To) = *Host;
  }
  const std::optional<SystemRoute> R = Layout.route(From, To);
  if (!R)
    return error(Op.Place, "there is no way from '" +
                               Layout.component(From).Name + "' to '" +
                               Layout.component(To).Name + "'");
  const double Bytes = value(Op.Amount, "bytes");
  TransferCost C = costOf(*R, Way, Op.Memory);
  C.Servers.insert(C.Servers.begin(), Layout.copiesOf(G->Place, Way));
  TaskNumber T = NoTask;
  if (Op.Seconds != NoFormula)
    T = addTask(Op, value(Op.Seconds, "seconds"), C.Servers);
  else if (C.IsFlow)
    T = addTask(Op, C.Startup, C.Servers, Bytes, C.Links);
  else
    T = addTask(Op, C.Startup + Bytes * C.SecondsPerByte, C.Servers);
  after(T, Now.Host);
  after(T, lastOf(Op, *G, Op.HasStream ? Op.Stream : 0));
  issue(*G, Op, T);
  if (!Op.HasStream && Op.Kind != Kind::PeerToPeer)
    Now.Host = T;
}

void PlanBuilder::runWithin(const Operation &Op) {
  GPUState *G = gpuOf(Op);
  if (!G)
    return;
  const SystemComponent &C = Layout.component(G->Place);
  // A copy reads and writes every byte.
  const double Passes = Op.Kind == Kind::WithinDevice ? 2 : 1;
  const double Bytes = value(Op.Amount, "bytes");
  const double Seconds = Op.Seconds != NoFormula
                             ? value(Op.Seconds, "seconds")
                             : Passes * Bytes / (*C.On->DRAMBandwidth * 1e9);
  const TaskNumber T = addTask(Op, Seconds, Layout.kernelsOf(G->Place));
  after(T, Now.Host);
  after(T, lastOf(Op, *G, Op.HasStream ? Op.Stream : 0));
  issue(*G, Op, T);
}

double PlanBuilder::launchSeconds(const SystemComponent &C) {
  if (S.LaunchUs)
    return *S.LaunchUs * 1e-6;
  if (C.LaunchUs)
    return *C.LaunchUs * 1e-6;
  return BottleneckParameters::of(*C.On).LaunchOverheadUs * 1e-6;
}

std::optional<PlanBuilder::KernelUse>
PlanBuilder::kernelUse(const Operation &Op, const GPUState &G) {
  const SystemComponent &C = Layout.component(G.Place);
  // Where no formula is of the process, all have the same launch.
  bool IsSame = Op.With.empty();
  const ScenarioKernel &K = S.Kernels[Op.Kernel];
  auto See = [&](FormulaNumber F) {
    IsSame &= F == NoFormula || !S.Formulas[F].IsOfProcess;
  };
  if (IsSame) {
    llvm::for_each(K.Grid, See);
    llvm::for_each(K.Block, See);
    for (const ScenarioKernel::Argument &A : K.Arguments)
      See(A.Value), See(A.BufferBytes);
    for (const auto &[Label, F] : K.TripCounts)
      See(F);
    for (const auto &[Name, F] : K.Inputs)
      See(F);
    See(K.DynamicShared), See(K.Registers), See(K.TimeUs), See(K.PowerW);
  }
  KernelUse *Same = IsSame ? &SameKernels[{Op.Kernel, &C}] : nullptr;
  if (Same && Same->Number != 0)
    return *Same;

  std::vector<double> Own;
  if (!Op.With.empty()) {
    Own = Slots;
    for (const auto &[Slot, F] : Op.With)
      Own[Slot] = value(F, S.slotName(Slot), /*MayBeNegative=*/true);
  }
  SMLoc Place;
  Expected<KernelTime> T =
      Kernels.find(Op.Kernel, C, Own.empty() ? Slots : Own, Place);
  if (!T) {
    error(Place, llvm::toString(T.takeError()));
    return std::nullopt;
  }
  if (!T->Watts) {
    if (C.ActiveW)
      T->Watts = *C.ActiveW;
    else if (C.On->TDPWatts) {
      T->Watts = *C.On->TDPWatts;
      assume("power of kernel '" + K.Name + "' on " + C.On->Name +
             ": the board's limit, " + shortNumber(*T->Watts) + " W (power_w)");
    }
  }
  // Equal launches of a kernel follow each other.
  if (Result.Kernels.empty() || Result.Kernels.back().Seconds != T->Seconds ||
      Result.Kernels.back().Watts != T->Watts)
    Result.Kernels.push_back(*T);
  const KernelUse Use{uint32_t(Result.Kernels.size()), T->Seconds};
  if (Same)
    *Same = Use;
  return Use;
}

void PlanBuilder::runLaunch(const Operation &Op) {
  GPUState *G = gpuOf(Op);
  if (!G)
    return;
  std::optional<uint64_t> Times = whole(Op.Times, "times", 1);
  std::optional<KernelUse> Use = kernelUse(Op, *G);
  if (!Times || !Use)
    return;
  const PlannedProcess &P = Result.Processes[Now.Number];
  const double Launch = launchSeconds(Layout.component(G->Place));
  SmallVector<ServerNumber, 1> Cores;
  if (P.CPU && OnCPU[Layout.coresOf(*P.CPU)] > Layout.component(*P.CPU).Cores)
    Cores.push_back(Layout.coresOf(*P.CPU));
  for (uint64_t I = 0; I != *Times; ++I) {
    if (++NumSteps > Request.MaxTasks) {
      IsTooLong = true;
      return error(Op.Place, "the scenario has more than " +
                                 Twine(Request.MaxTasks) + " launches");
    }
    if (Launch > 0) {
      const TaskNumber Held = addTask(Op, Launch, Cores);
      Result.Tasks.back().IsOfHost = true;
      after(Held, Now.Host);
      Now.Host = Held;
    }
    const TaskNumber Before = lastOf(Op, *G, Op.HasStream ? Op.Stream : 0);
    const TaskNumber T = addTask(Op, Use->Seconds, Layout.kernelsOf(G->Place));
    Result.Tasks.back().Kernel = Use->Number;
    after(T, Now.Host);
    after(T, Before);
    issue(*G, Op, T);
  }
}

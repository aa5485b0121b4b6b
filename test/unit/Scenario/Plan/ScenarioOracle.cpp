//===- ScenarioOracle.cpp - Random scenarios run by SimGrid ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScenarioOracle.h"
#include "gtest/gtest.h"
#include <set>

using namespace ptxpredict;
using Kind = OperationKind;

ScenarioOracle::ScenarioOracle(const RandomScenario &S, s4u::NetZone &Around,
                               const std::string &Name)
    : S(S), On(S, Around, Name), Togethers(S.Processes.size()) {
  for (unsigned Label = 0; Label != S.Processes.size(); ++Label) {
    const RandomProcess &Of = S.Processes[Label];
    std::vector<PlainPlace> Places = On.Layout.places(Of.Label);
    EXPECT_LE(Of.Count, Places.size());
    Places.resize(Of.Count);
    First.push_back(unsigned(Processes.size()));
    for (unsigned Rank = 0; Rank != Of.Count; ++Rank)
      addProcess(Label, Rank, Places[Rank]);
    Rings.push_back(On.Layout.ring(Places));
    AllToAlls.push_back(On.Layout.allToAll(Places));
    On.addFlow(Rings.back());
    On.addFlow(AllToAlls.back());
  }
  for (const Process &P : Processes)
    addFlows(P);
  On.seal();
  for (Process &P : Processes)
    On.start([this, &P] { runProcess(P); });
}

void ScenarioOracle::addProcess(unsigned Label, unsigned Rank,
                                const PlainPlace &At) {
  const RandomProcess &Of = S.Processes[Label];
  Process &P = Processes.emplace_back();
  P.Number = unsigned(Processes.size() - 1);
  P.Label = Label;
  P.At = At;
  P.CPU = On.Layout.cpuOf(At);
  P.GPU = On.Layout.part(At).Kind == ComponentKind::GPU
              ? At
              : On.Layout.gpu(At.Node, 0);
  P.Names.Rank = Rank;
  P.Names.Size = Of.Count;
  P.Names.Node = At.Node;
  P.Names.GPU = On.Layout.gpuNumber(P.GPU);
  P.Names.CPUX = On.Layout.part(P.CPU).X;
  P.Names.GPUX = On.Layout.part(P.GPU).X;
  for (const auto &[Variable, Value] : S.Variables)
    P.Names.Variables.push_back(Value);
  P.Streams.resize(Of.Streams.size());
  P.LastOfStream.resize(Of.Streams.size());
  P.StreamGPU.resize(Of.Streams.size());
  P.Events.resize(Of.Events.size());
}

static void addKinds(const std::vector<RandomOperation> &List,
                     std::set<Kind> &Kinds) {
  for (const RandomOperation &Op : List) {
    Kinds.insert(Op.Kind);
    addKinds(Op.Body, Kinds);
    addKinds(Op.Otherwise, Kinds);
  }
}

/// All that \p P may need.
void ScenarioOracle::addFlows(const Process &P) {
  using Way = TransferWay;
  const PlainLayout &L = On.Layout;
  std::set<Kind> Does;
  addKinds(S.Processes[P.Label].Operations, Does);
  const unsigned GPUs = L.numGPUs(P.At.Node);
  for (unsigned G = 0; G != GPUs; ++G) {
    const PlainPlace GPU = L.gpu(P.At.Node, G), CPU = L.cpuOf(GPU);
    for (HostMemory M : {HostMemory::Pageable, HostMemory::Pinned}) {
      if (Does.count(Kind::HostToDevice))
        On.addFlow(L.transfer(CPU, GPU, Way::HostToDevice, M));
      if (Does.count(Kind::DeviceToHost))
        On.addFlow(L.transfer(GPU, CPU, Way::DeviceToHost, M));
    }
    for (unsigned H = 0; H != GPUs && Does.count(Kind::PeerToPeer); ++H)
      On.addFlow(L.transfer(GPU, L.gpu(P.At.Node, H), Way::PeerToPeer,
                            HostMemory::Pinned));
  }
  for (const Process &Q : Processes)
    if (Does.count(Kind::Send)) {
      const PlainLoad Load =
          L.transfer(P.At, Q.At, Way::PeerToPeer, HostMemory::Pinned);
      On.addFlow(Load);
      On.addFlow(Load, policyFactor());
    }
}

/// The next that \p P issues.
OracleJob ScenarioOracle::nextJob(Process &P) const {
  OracleJob J;
  J.Process = P.Number;
  J.Number = P.NumIssued++;
  return J;
}

void ScenarioOracle::keepTimes(OracleJob &J, const RandomOperation &Op,
                               unsigned Process) {
  if (!J.takesNothing())
    J.Into = &Spans[{Process, Op.Number}].emplace_back();
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// What comes later in a stream waits for what was in it before; in a named
/// one also for what was in the GPU's default one, and in that one for all.
LatchPtr ScenarioOracle::issue(Process &P, const PlainPlace &GPU,
                               unsigned Number, Item I) {
  OnGPU &G = P.GPUs[GPU];
  const LatchPtr Done = I.Done;
  if (Number == 0) {
    for (const auto &[Other, Last] : G.LastOfStream)
      I.Before.push_back(Last);
    G.LastOfDefault = Done;
  } else {
    I.Before.push_back(G.LastOfDefault);
    G.LastOfStream[Number] = P.LastOfStream[Number] = Done;
    P.StreamGPU[Number] = GPU;
  }
  Stream &Of = Number == 0 ? G.Default : P.Streams[Number];
  Of.Items.push_back(std::move(I));
  if (!Of.Filled) {
    Of.Filled = s4u::Semaphore::create(0);
    On.start([this, &Of] { runStream(Of); });
  }
  On.release(Of.Filled);
  return Done;
}

void ScenarioOracle::runStream(Stream &Of) {
  for (;;) {
    On.acquire(Of.Filled);
    Item I = std::move(Of.Items.front());
    Of.Items.pop_front();
    if (I.IsEnd)
      return;
    for (const LatchPtr &L : I.Before)
      On.wait(L);
    if (I.Work)
      On.run(*I.Work);
    if (I.With) {
      arrive(*I.With);
      On.wait(I.With->Done);
    }
    On.open(I.Done);
  }
}

void ScenarioOracle::waitForAll(Process &P) {
  for (const LatchPtr &L : P.LastOfStream)
    On.wait(L);
  for (const auto &[GPU, G] : P.GPUs)
    On.wait(G.LastOfDefault);
}

PlainPlace ScenarioOracle::gpuOf(const Process &P,
                                 const RandomOperation &Op) const {
  if (Op.GPU)
    return On.Layout.gpu(P.At.Node, unsigned(Op.GPU.Of(P.Names)));
  return P.GPU;
}

//===----------------------------------------------------------------------===//
// Together
//===----------------------------------------------------------------------===//

double ScenarioOracle::policyFactor() const {
  return S.On.Nodes[0].Joints[0].Of.LatencyFactor;
}

LatchPtr ScenarioOracle::Messages::at(size_t N) {
  while (All.size() <= N)
    All.push_back(std::make_shared<OracleLatch>());
  return All[N];
}

void ScenarioOracle::runMessage(Process &P, const RandomOperation &Op) {
  const unsigned Other = First[Op.Label] + unsigned(Op.Peer.Of(P.Names));
  const unsigned Tag = Op.Tag ? unsigned(Op.Tag.Of(P.Names)) : 0;
  if (Op.Kind == Kind::Receive) {
    Messages &M = Mail[{Other, P.Number, Tag}];
    return On.wait(M.at(M.NumReceived++));
  }
  Messages &M = Mail[{P.Number, Other, Tag}];
  const LatchPtr Done = M.at(M.NumSent++);
  const double Bytes = Op.Amount.Of(P.Names);
  OracleJob J = nextJob(P);
  const double Factor =
      Op.HasPolicy && Bytes >= RandomPolicyFrom ? policyFactor() : 1;
  On.addLoad(J,
             On.Layout.transfer(P.At, Processes[Other].At,
                                TransferWay::PeerToPeer, HostMemory::Pinned),
             Bytes, Factor);
  if (Op.Seconds) {
    J.Seconds = Op.Seconds.Of(P.Names);
    J.Bytes = 0;
  }
  keepTimes(J, Op, P.Number);
  On.start([this, J = std::move(J), Done]() mutable {
    On.run(J);
    On.open(Done);
  });
}

ScenarioOracle::Together
ScenarioOracle::makeTogether(Process &P, const RandomOperation &Op) {
  Together T;
  const double Size = P.Names.Size;
  T.NumMissing = unsigned(Size);
  if (Op.Seconds) {
    T.Work.Seconds = Op.Seconds.Of(P.Names);
  } else if (Size > 1) {
    const double Bytes = Op.Amount ? Op.Amount.Of(P.Names) : 0;
    const PlainCost Cost = plainCost(Op, Size, Bytes);
    PlainLoad L = (Op.Kind == Kind::AllToAll ? AllToAlls : Rings)[P.Label];
    L.Startup *= Cost.Startups;
    On.addLoad(T.Work, L, Cost.Bytes);
  }
  return T;
}

void ScenarioOracle::runTogether(Process &P, const RandomOperation &Op) {
  std::list<Together> &All = Togethers[P.Label];
  if (P.NumTogether == All.size())
    All.push_back(makeTogether(P, Op));
  Together &T = *std::next(All.begin(), P.NumTogether++);
  if (P.Number == First[P.Label]) {
    const OracleJob Own = nextJob(P);
    T.Work.Process = Own.Process;
    T.Work.Number = Own.Number;
    keepTimes(T.Work, Op, P.Number);
  }
  if (Op.Stream != 0) {
    Item I;
    I.With = &T;
    issue(P, P.StreamGPU[Op.Stream].value_or(gpuOf(P, Op)), Op.Stream,
          std::move(I));
    return;
  }
  waitForAll(P);
  arrive(T);
  On.wait(T.Done);
}

/// The last one starts it.
void ScenarioOracle::arrive(Together &T) {
  if (--T.NumMissing != 0)
    return;
  On.start([this, &T] {
    On.run(T.Work);
    On.open(T.Done);
  });
}

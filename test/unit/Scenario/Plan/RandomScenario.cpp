//===- RandomScenario.cpp - Scenarios that no one thought of --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RandomProgram.h"
#include "ptxpredict/Support/Text.h"

using namespace ptxpredict;
using Kind = OperationKind;

//===----------------------------------------------------------------------===//
// What processes do together
//===----------------------------------------------------------------------===//

RandomOperation ProgramMaker::message(Kind K, unsigned Label,
                                      RandomFormula Peer) {
  RandomOperation Op = operation(K);
  Op.Label = Label;
  Op.Peer = std::move(Peer);
  return Op;
}

/// Each sends to the next but some, and waits for those before it; of two
/// messages with tags perhaps for the second first.
void ProgramMaker::addShift(const RandomSurroundings &At, RandomList &Ops) {
  const unsigned Size = size(At.Label);
  if (Size < 2)
    return addSome(At, Ops, 2);
  const int Forth = int(R.from(1, Size - 1));
  std::vector<RandomFormula> Tags(R.from(1, 2));
  if (R.percent(50))
    for (RandomFormula &Tag : Tags)
      Tag = number(R.below(3));
  for (const RandomFormula &Tag : Tags) {
    RandomOperation Op = message(Kind::Send, At.Label, rank(Forth, Size));
    Op.Amount = bytes(At);
    Op.Tag = Tag;
    Op.HasPolicy = R.percent(20);
    if (R.percent(8))
      Op.Seconds = seconds(At);
    Ops.push_back(std::move(Op));
    if (R.percent(50))
      addSome(At, Ops, 2);
  }
  if (R.percent(50))
    std::swap(Tags.front(), Tags.back());
  for (const RandomFormula &Tag : Tags) {
    RandomOperation Op = message(Kind::Receive, At.Label, rank(-Forth, Size));
    Op.Tag = Tag;
    Ops.push_back(std::move(Op));
    if (R.percent(30))
      addHost(At, Ops);
  }
}

/// The first process of a label sends to all of another one, or they send to
/// it.
void ProgramMaker::addStar(unsigned First, unsigned All, bool IsOut) {
  const bool IsSame = First == All;
  const unsigned Num = size(All) - IsSame;
  if (Num == 0)
    return;
  const RandomSurroundings OfFirst{First, 1, {"i"}}, OfAll{All, 0, {}};
  RandomOperation Loop = operation(Kind::Repeat);
  Loop.Amount = number(Num);
  Loop.Counter = "i";
  RandomFormula Each{IsSame ? "i + 1" : "i", [IsSame](const RandomNames &N) {
                       return N.Counters[0] + IsSame;
                     }};
  RandomOperation Here =
      message(IsOut ? Kind::Send : Kind::Receive, All, std::move(Each));
  RandomOperation There =
      message(IsOut ? Kind::Receive : Kind::Send, First, number(0));
  RandomOperation &Sent = IsOut ? Here : There;
  Sent.Amount = bytes(IsOut ? OfFirst : OfAll);
  Sent.HasPolicy = R.percent(20);
  Loop.Body.push_back(std::move(Here));
  if (R.percent(50))
    addSome(OfFirst, Loop.Body, 2);
  RandomOperation IfFirst = operation(Kind::If);
  IfFirst.Amount = {"rank == 0",
                    [](const RandomNames &N) -> double { return N.Rank == 0; }};
  IfFirst.Body.push_back(std::move(Loop));
  if (IsSame) {
    IfFirst.Otherwise.push_back(std::move(There));
    S.Processes[First].Operations.push_back(std::move(IfFirst));
    return;
  }
  S.Processes[First].Operations.push_back(std::move(IfFirst));
  S.Processes[All].Operations.push_back(std::move(There));
}

void ProgramMaker::addCollective(const RandomSurroundings &At,
                                 RandomList &Ops) {
  RandomOperation Op = operation(R.oneOf<Kind>(
      {Kind::AllReduce, Kind::AllReduce, Kind::AllGather, Kind::ReduceScatter,
       Kind::Broadcast, Kind::AllToAll, Kind::Barrier}));
  // Of all to all over several nodes flows have parts of their bytes on links.
  if (Op.Kind == Kind::AllToAll && O.HasWholeWeights && !S.On.isFIFO() &&
      S.On.Network)
    Op.Kind = Kind::AllGather;
  if (Op.Kind != Kind::Barrier) {
    // A part for each: SimGrid takes whole bytes.
    Op.Amount =
        amount(At, 500'000, 8'000'000, /*IsWhole=*/true, /*IsSame=*/true);
    Op.Amount.Text = "(" + Op.Amount.Text + ") * size";
    Op.Amount.Of = [Of = std::move(Op.Amount.Of)](const RandomNames &N) {
      return Of(N) * N.Size;
    };
    if (R.percent(40))
      Op.Algorithm = CollectiveAlgorithm::Tree;
  }
  if (Op.Kind == Kind::Broadcast && R.percent(50))
    Op.Peer = number(0);
  if (R.percent(8))
    Op.Seconds = amount(At, 1000, 20'000, /*IsWhole=*/false, /*IsSame=*/true);
  setStream(At, Op, 60);
  const unsigned Stream = Op.Stream;
  Ops.push_back(std::move(Op));
  addDelay(At, Ops, Stream); // that all go on at different times
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void ProgramMaker::makeVariables() {
  const unsigned First = R.from(1, 3);
  S.Variables = {{"v", First}, {"w", First + 1}};
  S.VariableTexts = {std::to_string(First), "v + 1"};
}

void ProgramMaker::makeKernels() {
  for (unsigned N = R.from(1, 3); N != 0; --N) {
    RandomKernel K;
    K.Name = "kernel_" + std::to_string(N);
    const double Base = R.from(500'000, 9'000'000);
    K.TimeUs = {
        shortestDecimal(Base) + " * v",
        [Base](const RandomNames &Names) { return Base * Names.Variables[0]; }};
    if (R.percent(50))
      add(K.TimeUs, R.from(100'000, 2'000'000), "rank",
          [](const RandomNames &Names) { return Names.Rank; });
    if (R.percent(60))
      K.PowerW = R.from(50, 300);
    S.Kernels.push_back(std::move(K));
  }
}

void ProgramMaker::makeProcesses() {
  for (const char *Label : {"worker", "driver", "helper"}) {
    const unsigned Places = S.On.numPlaces(Label);
    const bool IsWorker = Label == StringRef("worker");
    if (Places == 0 || (!IsWorker && (O.IsOneChain || R.percent(50))))
      continue;
    RandomProcess P;
    P.Label = Label;
    P.Count = Places;
    if (O.IsOneChain || Places > 8 || R.percent(30)) {
      P.Count = O.IsOneChain ? 1 : R.from(1, std::min(Places, 8U));
      P.CountText = std::to_string(P.Count);
    }
    if (!O.IsOneChain)
      for (unsigned N = R.below(4); N != 0; --N)
        P.Streams.push_back("stream_" + std::to_string(N));
    P.Events = {"first", "second"};
    S.Processes.push_back(std::move(P));
  }
}

void ProgramMaker::addStep() {
  const auto NumLabels = unsigned(S.Processes.size());
  const RandomSurroundings At{R.below(NumLabels), 0, {}};
  RandomList &Ops = S.Processes[At.Label].Operations;
  const unsigned What = R.below(100);
  if (What < 35 || O.IsOneChain)
    return addSome(At, Ops, 4);
  if (What < 50)
    return addCollective(At, Ops);
  if (What < 65)
    return addShift(At, Ops);
  if (What < 80)
    return addLoop(At, Ops, /*HasMessages=*/true);
  addStar(At.Label, R.below(NumLabels), R.percent(50));
}

/// In the order in which they stand in the file.
void ProgramMaker::numberAll(RandomList &Ops) {
  for (RandomOperation &Op : Ops) {
    Op.Number = S.NumOperations++;
    numberAll(Op.Body);
    numberAll(Op.Otherwise);
  }
}

void ProgramMaker::make() {
  for (const RandomNode &N : S.On.Nodes) {
    unsigned GPUs = 0;
    for (const RandomPart &P : N.Parts)
      GPUs += P.Kind == ComponentKind::GPU ? P.Count : 0;
    FewestGPUs = std::min(FewestGPUs, GPUs);
  }
  if (R.percent(50))
    S.LaunchUs = R.percent(50) ? 0 : R.from(100'000, 3'000'000);
  if (R.percent(50))
    S.ConcurrentKernels = R.from(1, 2);
  makeVariables();
  makeKernels();
  makeProcesses();
  // They begin at different times; and every event and stream is there.
  for (unsigned L = 0; L != S.Processes.size(); ++L) {
    RandomProcess &P = S.Processes[L];
    const RandomSurroundings At{L, 0, {}};
    for (unsigned Stream = 0; Stream != P.Streams.size(); ++Stream)
      addDelay(At, P.Operations, Stream);
    for (unsigned Event = 0; Event != P.Events.size(); ++Event) {
      P.Operations.push_back(operation(Kind::Event));
      P.Operations.back().Event = Event;
      setStream(At, P.Operations.back(), 80);
    }
  }
  for (unsigned N = R.from(4, 12); N != 0; --N)
    addStep();
  for (RandomProcess &P : S.Processes) {
    if (R.percent(50))
      P.Operations.push_back(operation(Kind::Sync));
    numberAll(P.Operations);
  }
}

static RandomScenario make(RandomNumbers &R, const RandomScenarioOptions &O,
                           RandomSystem On) {
  RandomScenario S;
  S.On = std::move(On);
  ProgramMaker(R, O, S).make();
  return S;
}

RandomScenario ptxpredict::randomScenario(unsigned Seed,
                                          const RandomScenarioOptions &O) {
  RandomNumbers R(Seed);
  RandomSystem On = randomSystem(R, O);
  return make(R, O, std::move(On));
}

RandomScenario ptxpredict::randomScenario(unsigned Seed,
                                          const RandomScenarioOptions &O,
                                          RandomSystem On) {
  RandomNumbers R(Seed);
  return make(R, O, std::move(On));
}

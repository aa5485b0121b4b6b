//===- RandomOperations.cpp - What a process does by chance ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RandomProgram.h"
#include "ptxpredict/Support/Text.h"

using namespace ptxpredict;
using Kind = OperationKind;

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

RandomFormula ProgramMaker::number(double Value) {
  return {shortestDecimal(Value),
          [Value](const RandomNames &) { return Value; }};
}

void ProgramMaker::add(RandomFormula &F, double Factor, const std::string &Name,
                       std::function<double(const RandomNames &)> Of) {
  F.Text += " + " + shortestDecimal(Factor) + " * " + Name;
  F.Of = [First = std::move(F.Of), Factor, Of = std::move(Of)](
             const RandomNames &N) { return First(N) + Factor * Of(N); };
}

/// Between both, and somewhat more by the rank and the turn of a loop, so that
/// nothing takes the same time by chance. IsSame: of all processes.
RandomFormula ProgramMaker::amount(const RandomSurroundings &At, double Low,
                                   double High, bool IsWhole, bool IsSame) {
  auto Number = [&](double From, double To) {
    const unsigned N = R.from(unsigned(From), unsigned(To));
    return IsWhole ? N : N / 1000.0;
  };
  const double Base = Number(Low, High);
  RandomFormula F = number(Base);
  if (R.percent(30)) {
    const unsigned V = R.below(unsigned(S.Variables.size()));
    F.Text += " * " + S.Variables[V].first;
    F.Of = [Base, V](const RandomNames &N) { return Base * N.Variables[V]; };
  }
  auto Term = [&] { return Number(Low / 8, High / 8); };
  if (!IsSame) {
    add(F, Term(), "rank", [](const RandomNames &N) { return N.Rank; });
    if (R.percent(10))
      add(F, Term(), "gpu.x", [](const RandomNames &N) { return N.GPUX; });
    if (R.percent(10))
      add(F, Term(), "cpu.x", [](const RandomNames &N) { return N.CPUX; });
    if (R.percent(10))
      add(F, Term(), "node", [](const RandomNames &N) { return N.Node; });
    if (R.percent(10))
      add(F, Term(), "gpu", [](const RandomNames &N) { return N.GPU; });
    if (R.percent(10))
      add(F, Term(), "size", [](const RandomNames &N) { return N.Size; });
  }
  for (unsigned D = 0; D != At.Depth; ++D)
    if (!At.Counters[D].empty())
      add(F, Term(), At.Counters[D],
          [D](const RandomNames &N) { return N.Counters[D]; });
  return F;
}

/// A whole number from 0 to \p Most.
RandomFormula ProgramMaker::small(const RandomSurroundings &At, unsigned Most) {
  const unsigned First = R.below(Most + 1);
  RandomFormula F = number(First);
  const bool HasCounter = At.Depth != 0 && !At.Counters[0].empty();
  if (R.percent(50))
    return F;
  const std::string Name = HasCounter ? At.Counters[0] : "rank";
  F.Text = "(" + Name + " + " + F.Text + ") mod " + std::to_string(Most + 1);
  F.Of = [=](const RandomNames &N) {
    const double By = HasCounter ? N.Counters[0] : N.Rank;
    return double((unsigned(By) + First) % (Most + 1));
  };
  return F;
}

/// Another process of a label: the next but so many in the ring.
RandomFormula ProgramMaker::rank(int Offset, unsigned Size) {
  const unsigned Forth = unsigned(int(Size) + Offset) % Size;
  return {"(rank + " + std::to_string(Forth) + ") mod size",
          [=](const RandomNames &N) {
            return double((unsigned(N.Rank) + Forth) % Size);
          }};
}

//===----------------------------------------------------------------------===//
// What a process does by itself
//===----------------------------------------------------------------------===//

void ProgramMaker::setStream(const RandomSurroundings &At, RandomOperation &Op,
                             unsigned Chance) {
  const auto Num = unsigned(S.Processes[At.Label].Streams.size());
  if (Num > 1 && R.percent(Chance))
    Op.Stream = R.from(1, Num - 1);
}

void ProgramMaker::setGPU(const RandomSurroundings &At, RandomOperation &Op) {
  const bool IsOnCPU = S.Processes[At.Label].Label == "driver";
  if (!O.IsOneChain && R.percent(IsOnCPU ? 60 : 10))
    Op.GPU = small(At, FewestGPUs - 1);
}

void ProgramMaker::addHost(const RandomSurroundings &At, RandomList &Ops) {
  RandomOperation Op = operation(Kind::Host);
  if (R.percent(60)) {
    Op.Amount = seconds(At);
    Op.IsShort = R.percent(50);
  } else {
    Op.Operations = amount(At, 2000, 20'000, /*IsWhole=*/true);
    if (R.percent(50))
      Op.Performance = number(R.from(500, 2000));
  }
  Ops.push_back(std::move(Op));
}

void ProgramMaker::addCopy(const RandomSurroundings &At, RandomList &Ops) {
  std::vector<Kind> Kinds{Kind::HostToDevice, Kind::HostToDevice,
                          Kind::DeviceToHost, Kind::DeviceToHost,
                          Kind::WithinDevice, Kind::Fill};
  if (FewestGPUs > 1)
    Kinds.push_back(Kind::PeerToPeer);
  RandomOperation Op = operation(R.oneOf(Kinds));
  const bool IsWithin = Op.Kind == Kind::WithinDevice || Op.Kind == Kind::Fill;
  setStream(At, Op, 60);
  setGPU(At, Op);
  if (IsWithin && R.percent(50)) { // as much as takes seconds
    Op.Amount = amount(At, 1e6, 4e6, /*IsWhole=*/true);
    Op.Amount.Text = "(" + Op.Amount.Text + ") * 1000000";
    Op.Amount.Of = [Of = std::move(Op.Amount.Of)](const RandomNames &N) {
      return Of(N) * 1e6;
    };
  } else {
    Op.Amount = bytes(At);
    if (IsWithin || R.percent(8))
      Op.Seconds = seconds(At);
  }
  if (Op.Kind == Kind::PeerToPeer) { // of the node's first ones, not its own
    const unsigned G = FewestGPUs, Forth = R.from(1, G - 1);
    const RandomFormula Own = Op.GPU;
    Op.Peer = {"(" + (Own ? Own.Text : "gpu") + " + " + std::to_string(Forth) +
                   ") mod " + std::to_string(G),
               [=](const RandomNames &N) {
                 return double((unsigned(Own ? Own.Of(N) : N.GPU) + Forth) % G);
               }};
  } else if (!IsWithin) {
    Op.IsPinned = R.percent(30);
  }
  Op.IsShort = R.percent(50) && !Op.Stream && !Op.GPU && !Op.Seconds &&
               !Op.IsPinned && Op.Kind != Kind::PeerToPeer;
  Ops.push_back(std::move(Op));
}

void ProgramMaker::addLaunch(const RandomSurroundings &At, RandomList &Ops) {
  RandomOperation Op = operation(Kind::Launch);
  Op.Kernel = R.below(unsigned(S.Kernels.size()));
  setStream(At, Op, 70);
  setGPU(At, Op);
  if (R.percent(25))
    Op.Times = small(At, 3);
  if (R.percent(50))
    Op.With = amount(At, 500, 3000, /*IsWhole=*/false);
  Op.IsShort = !Op.Stream && !Op.GPU && !Op.Times && !Op.With;
  Ops.push_back(std::move(Op));
}

void ProgramMaker::addDelay(const RandomSurroundings &At, RandomList &Ops,
                            unsigned Stream) {
  RandomOperation Op = operation(Kind::Delay);
  Op.Amount = seconds(At);
  Op.Stream = Stream;
  Op.IsShort = Stream == 0 && R.percent(50);
  Ops.push_back(std::move(Op));
}

void ProgramMaker::addOrder(const RandomSurroundings &At, RandomList &Ops) {
  RandomOperation Op = operation(
      R.oneOf<Kind>({Kind::Delay, Kind::Alloc, Kind::Event, Kind::Event,
                     Kind::Wait, Kind::Wait, Kind::Sync, Kind::Phase}));
  switch (Op.Kind) {
  case Kind::Alloc: {
    Op.Amount = bytes(At);
    RandomOperation Free = Op;
    Free.Kind = Kind::Free;
    Ops.push_back(std::move(Op));
    addSome(At, Ops, 2);
    Ops.push_back(std::move(Free));
    return;
  }
  case Kind::Phase:
    Op.Name = "phase " + std::to_string(++NumPhases);
    break;
  case Kind::Event:
  case Kind::Wait:
    Op.Event = R.below(unsigned(S.Processes[At.Label].Events.size()));
    setStream(At, Op, 80);
    Op.IsShort = !Op.Stream && R.percent(50);
    break;
  case Kind::Sync:
    setStream(At, Op, 50);
    Op.IsShort = !Op.Stream && R.percent(50);
    break;
  default: {
    setStream(At, Op, 70);
    return addDelay(At, Ops, Op.Stream);
  }
  }
  Ops.push_back(std::move(Op));
}

void ProgramMaker::addLocal(const RandomSurroundings &At, RandomList &Ops) {
  const unsigned What = R.below(100);
  if (What < 15)
    return addHost(At, Ops);
  if (What < 45)
    return addCopy(At, Ops);
  if (What < 70)
    return addLaunch(At, Ops);
  if (What < 90 || At.Depth == 2)
    return addOrder(At, Ops);
  if (What < 95)
    return addLoop(At, Ops, /*HasMessages=*/false);
  addChoice(At, Ops);
}

void ProgramMaker::addSome(const RandomSurroundings &At, RandomList &Ops,
                           unsigned Most) {
  for (unsigned N = R.from(1, Most); N != 0; --N)
    addLocal(At, Ops);
}

void ProgramMaker::addLoop(const RandomSurroundings &At, RandomList &Ops,
                           bool HasMessages) {
  RandomOperation Op = operation(Kind::Repeat);
  Op.Amount = HasMessages ? number(R.from(1, 3)) : small(At, 3);
  RandomSurroundings Within = At;
  ++Within.Depth;
  // What is sent at the same time must not arrive at the same time.
  if (HasMessages || R.percent(70))
    Op.Counter = std::string(1, char('i' + At.Depth));
  Within.Counters.push_back(Op.Counter);
  addSome(Within, Op.Body, 3);
  if (HasMessages) {
    R.percent(50) ? addShift(Within, Op.Body) : addCollective(Within, Op.Body);
    addSome(Within, Op.Body, 2);
  }
  Ops.push_back(std::move(Op));
}

void ProgramMaker::addChoice(const RandomSurroundings &At, RandomList &Ops) {
  RandomOperation Op = operation(Kind::If);
  switch (R.below(3)) {
  case 0:
    Op.Amount = {"rank == 0",
                 [](const RandomNames &N) -> double { return N.Rank == 0; }};
    break;
  case 1:
    Op.Amount = {"rank mod 2", [](const RandomNames &N) -> double {
                   return unsigned(N.Rank) % 2;
                 }};
    break;
  default:
    Op.Amount = small(At, 2);
  }
  addSome(At, Op.Body, 3);
  if (R.percent(50))
    addSome(At, Op.Otherwise, 3);
  Ops.push_back(std::move(Op));
}

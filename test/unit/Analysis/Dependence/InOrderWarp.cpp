//===- InOrderWarp.cpp - The time of a warp that issues in order ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "InOrderWarp.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;
using ptx::Opcode;

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

static constexpr double WarpTime::*Numbers[] = {
    &WarpTime::Cycles,     &WarpTime::Instructions, &WarpTime::LongLoads,
    &WarpTime::RoundTrips, &WarpTime::SharedLoads,  &WarpTime::SharedRoundTrips,
    &WarpTime::LoadCycles, &WarpTime::CoveredBy,
};

WarpTime &WarpTime::operator+=(const WarpTime &Other) {
  for (double WarpTime::*N : Numbers)
    this->*N += Other.*N;
  return *this;
}

WarpTime WarpTime::scaled(double Factor) const {
  WarpTime T = *this;
  for (double WarpTime::*N : Numbers)
    T.*N *= Factor;
  return T;
}

WarpTime InOrderWarps::warp(uint64_t Block, unsigned Number) const {
  const Warp &W = Warps.at({Block, Number});
  WarpTime T = W.Time;
  T.Cycles = W.LastIssue + Table.of(SchedClass::Exit);
  return T;
}

WarpTime InOrderWarps::mean() const {
  WarpTime Sum;
  for (const auto &[Key, W] : Warps)
    Sum += warp(Key.first, Key.second);
  return Sum.scaled(1 / double(Warps.size()));
}

bool InOrderWarps::allEqual() const {
  const auto &[Key, First] = *Warps.begin();
  return llvm::all_of(Warps, [&First = First](const auto &W) {
    return W.second.LastIssue == First.LastIssue &&
           W.second.Time.Instructions == First.Time.Instructions;
  });
}

LatencyTable ptxpredict::deviceLikeTable() {
  LatencyTable T = LatencyTable::unit();
  T.Issue = 2;
  T.Cycles.fill(6);
  for (auto [Name, Cycles] :
       {std::pair(SchedClass::Int, 4.0),  {SchedClass::IntMultiply, 5.0},
        {SchedClass::IntDivide, 90.0},    {SchedClass::IntRemainder, 90.0},
        {SchedClass::FP16, 5.0},          {SchedClass::FP16FMA, 5.0},
        {SchedClass::FP32, 4.0},          {SchedClass::FP32FMA, 4.0},
        {SchedClass::FP32Divide, 120.0},  {SchedClass::FP64, 16.0},
        {SchedClass::FP64FMA, 16.0},      {SchedClass::FP64Divide, 300.0},
        {SchedClass::SFU, 20.0},          {SchedClass::Tensor, 33.0},
        {SchedClass::Convert, 14.0},      {SchedClass::FP64Convert, 20.0},
        {SchedClass::Compare, 5.0},       {SchedClass::Logic, 4.0},
        {SchedClass::Shift, 4.0},         {SchedClass::Move, 4.0},
        {SchedClass::CrossLane, 23.0},    {SchedClass::Param, 8.0},
        {SchedClass::Shared, 30.0},       {SchedClass::Global, 500.0},
        {SchedClass::Local, 35.0},        {SchedClass::Texture, 450.0},
        {SchedClass::SharedAtomic, 60.0}, {SchedClass::GlobalAtomic, 600.0},
        {SchedClass::AsyncCopy, 520.0},   {SchedClass::BulkCopy, 520.0},
        {SchedClass::BranchTaken, 12.0},  {SchedClass::BranchNotTaken, 10.0},
        {SchedClass::Barrier, 30.0},      {SchedClass::Fence, 40.0},
        {SchedClass::Call, 25.0},         {SchedClass::Exit, 11.0}})
    T.of(Name) = Cycles;
  return T;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void InOrderWarps::Arrival::join(const Arrival &Other) {
  Time = std::max(Time, Other.Time);
  Trip = std::max(Trip, Other.Trip);
  SharedTrip = std::max(SharedTrip, Other.SharedTrip);
}

/// A fence within the block takes as long as a barrier.
static SchedClass classOf(const Instruction &I) {
  return I.IsMemoryBarrier && ptx::hasModifier(I.Modifiers, "cta")
             ? SchedClass::Barrier
             : schedClassOf(I);
}

const InOrderWarps::Shape &InOrderWarps::shapeOf(const Instruction &I) {
  std::unique_ptr<Shape> &S = Shapes[&I];
  if (S)
    return *S;
  S = std::make_unique<Shape>();
  for (const Value *V : I.Uses)
    S->Reads.push_back(V->Register);
  for (const Value *V : I.Defs)
    S->Writes.push_back(V->Register);
  S->Latency = Table.of(classOf(I));
  S->IsLong = isLongLoad(I);
  S->IsShared = isSharedLoad(I);
  switch (Opcode(I.Opcode)) {
  case Opcode::CpAsync:
    S->Async = Shape::Copy;
    break;
  case Opcode::CpAsyncCommitGroup:
    S->Async = Shape::Commit;
    break;
  case Opcode::CpAsyncWaitGroup:
    S->Async = Shape::WaitGroup;
    S->Allowed = I.Operands[0].Bits;
    break;
  case Opcode::CpAsyncWaitAll:
    S->Async = Shape::WaitAll;
    break;
  case Opcode::CpAsyncBulkWaitGroup:
  case Opcode::MbarrierTestWait:
  case Opcode::MbarrierTryWait:
    S->Async = Shape::WaitCopies;
    break;
  default:
    S->Async =
        schedClassOf(I) == SchedClass::BulkCopy ? Shape::BulkCopy : Shape::None;
  }
  return *S;
}

/// The first instruction of \p B, or of those behind it where it has none, that
/// a machine would execute.
static const Instruction *firstFrom(const InstructionGraph &G, size_t B) {
  for (; B < G.Blocks.size(); ++B)
    for (const Instruction *I : G.Blocks[B]->Instructions)
      if (!I->isPseudo())
        return I;
  return nullptr;
}

/// When the warp may issue \p I, if nothing is waited for.
double InOrderWarps::nextIssue(const Warp &W, const Instruction &I) const {
  const Instruction &Last = *W.Last;
  double Delay = 0;
  if (Last.IsExit) {
    // If lanes are left, they go on behind it.
    const Block &B = *Last.Parent;
    bool GoesOn = Last.HasGuard && (W.LastActive == 0 ||
                                    &I == firstFrom(*B.Parent, B.Number + 1));
    if (GoesOn)
      Delay = Table.of(SchedClass::BranchNotTaken);
    else if (W.Frames.size() > 1)
      Delay = Table.of(SchedClass::Call); // to the caller
  } else if (Last.IsTerminator) {
    Delay = Table.of(W.LastActive ? SchedClass::BranchTaken
                                  : SchedClass::BranchNotTaken);
  } else if (Last.IsCall || Last.IsBlockBarrier || Last.IsMemoryBarrier) {
    Delay = Table.of(classOf(Last));
  }
  return W.LastIssue + std::max(Table.Issue, Delay);
}

/// Makes the last frame that of \p I's function. No copy is waited for on the
/// other side of a call.
void InOrderWarps::enterFrame(Warp &W, const Instruction &I) {
  const InstructionGraph &G = *I.Parent->Parent;
  auto Enter = [&](uint32_t Lanes) {
    W.Frames.push_back({&G, Lanes, std::vector<Arrival>(G.Registers.size())});
    W.Groups.clear();
    W.Open = W.Copies = {};
  };
  if (W.Frames.empty())
    return Enter(~0u);
  const Instruction &Last = *W.Last;
  if (Last.IsCall && W.LastActive && &I == firstFrom(G, 0))
    return Enter(W.LastActive);
  if (Last.IsExit) {
    if (Opcode(Last.Opcode) == Opcode::Ret)
      W.Frames.back().Lanes &= ~W.LastActive;
    else
      for (Frame &F : W.Frames)
        F.Lanes &= ~W.LastActive;
  }
  // A function may also end without a return.
  while (W.Frames.size() > 1 &&
         (W.Frames.back().Lanes == 0 || W.Frames.back().G != &G)) {
    W.Frames.pop_back();
    W.Groups.clear();
    W.Open = W.Copies = {};
  }
}

/// The copies that a wait is for.
InOrderWarps::Arrival InOrderWarps::awaited(Warp &W, const Shape &S) const {
  Arrival A;
  switch (S.Async) {
  case Shape::WaitGroup:
    for (; W.Groups.size() > S.Allowed; W.Groups.pop_front())
      A.join(W.Groups.front());
    return A;
  case Shape::WaitAll:
    for (const Arrival &G : W.Groups)
      A.join(G);
    A.join(W.Open);
    W.Groups.clear();
    W.Open = {};
    return A;
  case Shape::WaitCopies:
    return W.Copies;
  default:
    return A;
  }
}

void InOrderWarps::onInstruction(uint64_t Block, unsigned Number,
                                 const Instruction &I, uint32_t Active) {
  if (!Current || CurrentKey != std::pair(Block, Number)) {
    CurrentKey = {Block, Number};
    Current = &Warps[CurrentKey];
  }
  Warp &W = *Current;
  const Shape &S = shapeOf(I);
  double Issue = W.Last ? nextIssue(W, I) : 0;
  enterFrame(W, I);
  std::vector<Arrival> &Registers = W.Frames.back().Registers;

  Arrival Inputs = awaited(W, S);
  for (unsigned R : S.Reads)
    Inputs.join(Registers[R]);
  Issue = std::max(Issue, Inputs.Time);
  if (Inputs.Trip == W.Trip) {
    ++W.Trip;
    ++W.Time.RoundTrips;
  }
  if (Inputs.SharedTrip == W.SharedTrip) {
    ++W.SharedTrip;
    ++W.Time.SharedRoundTrips;
  }
  ++W.Time.Instructions;
  W.Time.LongLoads += S.IsLong;
  W.Time.SharedLoads += S.IsShared;
  if (S.IsLong) {
    double End = Issue + S.Latency;
    W.Time.LoadCycles += S.Latency;
    W.Time.CoveredBy += std::max(End - std::max(Issue, W.Covered), 0.0);
    W.Covered = std::max(W.Covered, End);
  }

  Arrival Result{Issue + S.Latency, S.IsLong ? W.Trip : 0,
                 S.IsShared ? W.SharedTrip : 0};
  for (unsigned R : S.Writes) {
    if (!I.HasGuard)
      Registers[R] = {};
    Registers[R].join(Result);
  }
  if (S.Async == Shape::Copy)
    W.Open.join(Result);
  if (S.Async == Shape::Copy || S.Async == Shape::BulkCopy)
    W.Copies.join(Result);
  if (S.Async == Shape::Commit) {
    W.Groups.push_back(W.Open);
    W.Open = {};
  }
  W.Last = &I;
  W.LastActive = Active;
  W.LastIssue = Issue;
}

//===- WarpMachine.cpp - How the lanes of a warp go through the code ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

static constexpr size_t Alignment = 64;

uint64_t WarpMachine::addressBase(const AddressOperand &A) const {
  using Kind = AddressOperand::KindTy;
  uint64_t Base = A.Kind == Kind::FrameLocal ? Top->LocalBase
                  : A.Kind == Kind::Shared   ? Block.sharedBase()
                                             : 0;
  return Base + uint64_t(A.Offset);
}

WarpMachine::WarpMachine(BlockMachine &B, unsigned Number, uint32_t Lanes)
    : Block(B), Number(Number), Existing(Lanes) {
  const Program &P = B.R.Code;
  SpecialStorage.resize(P.SpecialBytes + Alignment + Program::Padding);
  auto Start = reinterpret_cast<uintptr_t>(SpecialStorage.data());
  Banks[unsigned(Bank::Constant)] = P.Constants.data();
  Banks[unsigned(Bank::Special)] =
      SpecialStorage.data() + (llvm::alignTo(Start, Alignment) - Start);
  setSpecials();
  enter(P.kernel(), nullptr, Lanes);
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

Frame *WarpMachine::enter(const Function &F, const Step *Call, uint32_t Lanes) {
  std::unique_ptr<Frame> New;
  if (!Spare.empty()) {
    New = std::move(Spare.back());
    Spare.pop_back();
  } else {
    New = std::make_unique<Frame>();
  }
  New->F = &F;
  New->CallStep = Call;
  New->Caller = Top;
  New->CallerGroup = Top ? Now->Id : 0;
  New->Entered = Lanes;
  New->Storage.assign(F.RegisterBytes + Alignment + Program::Padding, 0);
  auto Start = reinterpret_cast<uintptr_t>(New->Storage.data());
  New->Registers =
      New->Storage.data() + (llvm::alignTo(Start, Alignment) - Start);
  New->Params.assign(size_t(F.ParamBytes) * WarpSize, 0);
  New->LocalBase = llvm::alignTo(Top ? Top->LocalTop : 0, 16);
  New->LocalTop = New->LocalBase + F.LocalBytes;
  New->Visited.assign(F.NumVisits, 0);
  New->Groups.clear();
  Group G;
  G.Id = NextGroup++;
  G.Lanes = Lanes;
  New->Groups.push_back(G);
  Frames.push_back(std::move(New));
  return Frames.back().get();
}

void WarpMachine::freeFrame(Frame *F) {
  auto It = llvm::find_if(Frames, [F](const auto &P) { return P.get() == F; });
  Spare.push_back(std::move(*It));
  Frames.erase(It);
}

/// Ends frames without lanes; who called them goes on once all its calls have
/// returned.
void WarpMachine::leaveFrames() {
  for (size_t N = Frames.size(); N-- != 0;) {
    Frame *F = Frames[N].get();
    llvm::erase_if(F->Groups, [](const Group &G) { return G.Lanes == 0; });
    if (!F->Groups.empty() || !F->Caller)
      continue;
    for (Group &G : F->Caller->Groups)
      if (G.Id == F->CallerGroup && --G.Children == 0) {
        G.Is = Group::State::Ready;
        G.Lanes &= ~Exited;
      }
    freeFrame(F);
  }
}

/// Lanes that have returned go on without those that are still in the function
/// and perhaps wait for them: for a lock that one of them got there.
void WarpMachine::separateReturned() {
  for (const auto &F : Frames)
    for (size_t N = 0; N != F->Groups.size(); ++N) {
      Group &G = F->Groups[N];
      if (G.Is != Group::State::InCall)
        continue;
      uint32_t Inside = 0;
      for (const auto &Callee : Frames)
        if (Callee->Caller == F.get() && Callee->CallerGroup == G.Id)
          for (const Group &Other : Callee->Groups)
            Inside |= Other.Lanes;
      Group Returned;
      Returned.Id = NextGroup++;
      Returned.Block = G.Block;
      Returned.Next = G.Next;
      Returned.Again = G.Again;
      Returned.Lanes = G.Lanes & ~Inside & ~Exited;
      G.Lanes &= Inside;
      if (Returned.Lanes)
        F->Groups.push_back(Returned);
    }
}

unsigned WarpMachine::checkNumber() const {
  return Block.Rank * unsigned(Block.Warps.size()) + Number;
}

uint8_t *WarpMachine::local(unsigned Lane, uint64_t Address, uint64_t Bytes) {
  if (Address + Bytes < Address || Address + Bytes > Top->LocalTop)
    return nullptr;
  if (Top->LocalTop > LocalStride && !growLocal(Top->LocalTop))
    return nullptr;
  return Local.data() + Lane * LocalStride + Address;
}

bool WarpMachine::growLocal(uint64_t Bytes) {
  if (Bytes <= LocalStride)
    return true;
  if (Bytes > MaxLocalBytes)
    return false;
  uint64_t Stride = std::min(MaxLocalBytes, llvm::PowerOf2Ceil(Bytes));
  std::vector<uint8_t> Grown(Stride * WarpSize);
  for (unsigned L = 0; L != WarpSize && LocalStride; ++L)
    memcpy(Grown.data() + L * Stride, Local.data() + L * LocalStride,
           LocalStride);
  Local = std::move(Grown);
  LocalStride = Stride;
  return true;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void WarpMachine::send(uint32_t To, uint32_t Lanes) {
  if (!Lanes)
    return;
  Now->Lanes &= ~Lanes;
  // Lanes that fall out of a function return, or end with the kernel.
  if (To == NoBlock) {
    if (Top->Caller)
      returnLanes(Lanes);
    else
      exitLanes(Lanes);
    return;
  }
  if (!Now->Lanes) { // all of the group go there
    Now->Lanes = Lanes;
    Now->Enters = To > Now->Block;
    Now->Block = To;
    Now->Next = 0;
    return;
  }
  Group G;
  G.Id = NextGroup++;
  G.Block = To;
  G.Enters = To > Now->Block;
  G.Lanes = Lanes;
  size_t Here = size_t(Now - Top->Groups.data());
  Top->Groups.push_back(G);
  Now = &Top->Groups[Here];
}

void WarpMachine::exitLanes(uint32_t Lanes) {
  Exited |= Lanes; // groups that wait for a call drop them when it returns
  Now->Lanes &= ~Lanes;
  Block.NumExited += unsigned(llvm::popcount(Lanes));
  if (!live() && Block.Check)
    Block.Check->order().exit(checkNumber());
  if (!live() && Pending)
    Pending->finish(*this);
  if (Block.Check && Block.hasEnded())
    Block.Cluster.checkRemote(Block, checkNumber());
  Block.checkAllBarriers();
  Block.Cluster.checkBarrier(Block.Cluster.Barrier.Last);
}

void WarpMachine::merge(Frame &F) {
  for (size_t N = 0; N < F.Groups.size(); ++N) {
    Group &G = F.Groups[N];
    if (G.Is != Group::State::Ready || G.Passed)
      continue;
    for (size_t K = F.Groups.size(); --K > N;) {
      Group &Other = F.Groups[K];
      if (Other.Is != Group::State::Ready || Other.Passed ||
          Other.Block != G.Block || Other.Next != G.Next)
        continue;
      G.Lanes |= Other.Lanes;
      G.Again |= Other.Again;
      G.Enters |= Other.Enters;
      F.Groups.erase(F.Groups.begin() + long(K));
    }
  }
}

/// Whether a group has come back to the header of a loop, and others that can
/// go on have not: it waits for them there, before the next iteration.
static bool isAhead(const Frame &F, const Group &G) {
  const Function &Code = *F.F;
  const CodeBlock &Header = Code.Blocks[G.Block];
  if (!Header.IsHeader || G.Next != 0 || G.Passed || G.Enters)
    return false;
  return llvm::any_of(F.Groups, [&](const Group &Other) {
    if (&Other == &G || Other.Is != Group::State::Ready || !Other.Lanes)
      return false;
    int Loop = Code.Blocks[Other.Block].Loop;
    while (Loop >= 0 && Loop != Header.Loop)
      Loop = Code.LoopAround[size_t(Loop)];
    return Loop >= 0;
  });
}

/// Chooses the group that executes next: in the innermost frame that has one,
/// the one in the earliest block of the earliest iteration, or both the other
/// way round. False if none can go on. Where lanes spin, those that they wait
/// for may be in the next iteration.
bool WarpMachine::select() {
  leaveFrames();
  if (LatestFirst)
    separateReturned();
  for (size_t N = 0; N != Frames.size(); ++N) {
    Frame *F = Frames[LatestFirst ? N : Frames.size() - 1 - N].get();
    if (F->Groups.size() > 1)
      merge(*F);
    const bool InStep =
        F->Groups.size() > 1 && !LatestFirst && SpunTurns == 0 && Yields == 0;
    Group *Best = nullptr;
    std::tuple<bool, uint32_t, uint32_t> First;
    for (Group &G : F->Groups) {
      if (G.Is != Group::State::Ready || !G.Lanes)
        continue;
      const std::tuple At(InStep && isAhead(*F, G), G.Block, G.Next);
      if (!Best || (At < First) != LatestFirst) {
        Best = &G;
        First = At;
      }
    }
    if (!Best)
      continue;
    Top = F;
    Now = Best;
    Banks[unsigned(Bank::Frame)] = Top->Registers;
    return true;
  }
  return false;
}

bool WarpMachine::release(unsigned Barrier, const BarrierResult &Result) {
  bool Any = false;
  for (const auto &F : Frames)
    for (Group &G : F->Groups)
      if (G.Is == Group::State::AtBarrier && G.Barrier == Barrier) {
        G.Is = Group::State::Ready;
        G.Passed = true;
        G.Result = Result;
        Any = true;
      }
  return Any;
}

void WarpMachine::keepOnly(const Step &S, uint32_t Lanes) {
  uint32_t Others = Now->Lanes & ~Lanes;
  if (!Others)
    return;
  Group G;
  G.Id = NextGroup++;
  G.Block = Now->Block;
  G.Next = uint32_t(&S - Top->F->Blocks[Now->Block].Begin) + 1;
  G.Lanes = Others;
  G.Again = Now->Again;
  Now->Lanes = Lanes;
  size_t Here = size_t(Now - Top->Groups.data());
  Top->Groups.push_back(G);
  Now = &Top->Groups[Here];
}

bool WarpMachine::wakeSyncs() {
  bool Any = false;
  for (const auto &F : Frames)
    for (Group &G : F->Groups)
      if (G.Is == Group::State::AtWarpSync && G.Lanes) {
        G.Is = Group::State::Ready;
        G.Passed = true;
        Any = true;
      }
  return Any;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

StepCounter &WarpMachine::counter(const Step &S) const {
  return (counts() ? Block.W.Steps : Block.W.PollSteps)[S.Index];
}

MemoryCounter &WarpMachine::memoryCounter(const Step &S) const {
  return (counts() ? Block.W.Memory
                   : Block.W.PollMemory)[size_t(S.MemoryIndex)];
}

void WarpMachine::countProducts(const Step &S, uint64_t MACs,
                                uint32_t Descriptor) const {
  if (counts())
    Block.W.Products[{S.Index, Descriptor}] += MACs;
}

/// Notes that the present group runs a block. Its lanes for which this is no
/// part of a loop's one trip.
uint32_t WarpMachine::visit(const BlockPolling &B) const {
  uint32_t Again = B.IsOnce ? 0 : Now->Lanes;
  for (uint32_t N : B.Visits) {
    Again |= Top->Visited[N] & Now->Lanes;
    Top->Visited[N] |= Now->Lanes;
  }
  for (auto [First, End] : B.Entered)
    for (uint32_t N = First; N != End; ++N)
      Top->Visited[N] &= ~Now->Lanes;
  return Again;
}

Outcome WarpMachine::runGroup(uint64_t Limit) {
  EmulationObserver *Observer = Block.R.Options.Observer;
  for (;;) {
    const CodeBlock &B = Top->F->Blocks[Now->Block];
    const Step *S = B.Begin + Now->Next;
    if (B.Begin != B.End)
      Last = B.Begin;
    uint32_t Lanes = Now->Lanes;
    if (Now->Next == 0 && !Now->Passed) // not yet here, waiting
      Now->Again = LLVM_UNLIKELY(B.Polling) ? visit(*B.Polling) : 0;
    const bool Counts = counts();
    if (B.Counter != NoBlock && Counts && Now->Next == 0 && !Now->Passed) {
      BlockCounter &C = Block.W.CodeBlocks[B.Counter];
      ++C.Runs;
      C.Entries += Now->Enters;
    }
    const uint32_t Counted = Counts ? ~Now->Again : ~0u;
    StepCounter *Counters = (Counts ? Block.W.Steps : Block.W.PollSteps).data();
    unsigned NumLanes = unsigned(llvm::popcount(Lanes & Counted));
    for (; S != B.End; ++S) {
      uint32_t Active = Lanes;
      StepCounter &C = Counters[S->Index];
      if (S->HasGuard) {
        uint32_t Guard;
        memcpy(&Guard, Top->Registers + S->GuardOffset, 4);
        Active &= S->GuardNegated ? ~Guard : Guard;
        NumLanes = unsigned(llvm::popcount(Active & Counted));
        if (LLVM_UNLIKELY(S->Leaves != PollExit::None) && Counts)
          NumLanes = S->Leaves == PollExit::IfTaken
                         ? unsigned(llvm::popcount(Lanes & Counted))
                         : 0;
      }
      if (!Now->Passed) {
        ++Executed;
        ++C.Executions;
        C.Lanes += NumLanes;
        if (LLVM_UNLIKELY(Observer) && Counts)
          Observer->onInstruction(Block.Index, Number, *S->I, Active);
      }
      if (S->HasGuard)
        NumLanes = unsigned(llvm::popcount(Lanes & Counted));
      if (S->ReadsClock)
        setClock();
      Outcome O = S->Run(*this, *S, Active);
      if (LLVM_LIKELY(O == Outcome::Next)) {
        Now->Passed = false;
        continue;
      }
      if (O == Outcome::Wait)
        Now->Next = uint32_t(S - B.Begin);
      if (O == Outcome::Moved)
        break;
      return O;
    }
    if (S == B.End) { // nothing sent the lanes elsewhere
      if (B.Fallthrough == NoBlock) {
        send(NoBlock, Now->Lanes);
        return Outcome::Moved;
      }
      Now->Enters = B.Fallthrough > Now->Block;
      Now->Block = B.Fallthrough;
      Now->Next = 0;
    }
    // With others in the frame, who goes on is chosen anew at each block.
    if (!Now->Lanes || Top->Groups.size() > 1 ||
        Now->Is != Group::State::Ready || Executed >= Limit || YieldSoon ||
        SwitchSoon)
      return Outcome::Moved;
  }
}

WarpMachine::Status WarpMachine::run(uint64_t Budget) {
  uint64_t Limit = Executed + Budget;
  YieldSoon = SwitchSoon = false;
  Polled = {};
  uint64_t SpinsBefore = Spins;
  for (;;) {
    while (select()) {
      if (runGroup(Limit) == Outcome::Stop)
        return Status::Failed;
      if (Executed >= Limit || YieldSoon || SwitchSoon) {
        // Lanes in a loop may be waiting for lanes that have left it, or the
        // function; but first other warps have had turns enough.
        constexpr unsigned PatientYields = 256, PatientTurns = 8;
        Yields = YieldSoon && !LatestFirst ? Yields + 1 : 0;
        const bool Spun = Spins - SpinsBefore > Budget / 64;
        SpunTurns = Spun && !LatestFirst ? SpunTurns + 1 : 0;
        LatestFirst = !LatestFirst &&
                      (Yields >= PatientYields || SpunTurns >= PatientTurns);
        return Status::Runnable;
      }
    }
    if (!live())
      return Status::Done;
    bool AtBarrier = llvm::any_of(Frames, [](const auto &F) {
      return llvm::any_of(F->Groups, [](const Group &G) {
        return G.Is == Group::State::AtBarrier;
      });
    });
    if (AtBarrier || !wakeSyncs())
      return Status::Blocked;
  }
}

Outcome WarpMachine::fail(const Step &S, const Twine &Message) {
  Block.Failure = Fault{S.I, Message.str()};
  return Outcome::Stop;
}

//===- ClusterMachine.cpp - Blocks that run together ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MBarrier.h"
#include "VainWaits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

/// Instructions that a warp executes before the next one has its turn.
static constexpr uint64_t SliceInstructions = 1 << 16;
/// Instructions of a cluster that spins, before others have their turn.
static constexpr uint64_t TurnInstructions = 1 << 18;

static_assert(EmulationResult::MostCheckedWarps == WarpOrder::MaxWarps);

ClusterMachine::ClusterMachine(Run &R, Worker &W, uint64_t Index)
    : R(R), W(W), Index(Index) {
  const auto NumBlocks = unsigned(R.Launch.Cluster.count());
  const auto NumWarps = unsigned(R.Launch.warpsPerBlock()) * NumBlocks;
  Barrier.Arrived.resize(NumWarps);
  if (R.Options.Check && NumWarps <= WarpOrder::MaxWarps) {
    if (!W.SpareChecks.empty()) {
      Check = std::move(W.SpareChecks.back());
      W.SpareChecks.pop_back();
    } else {
      Check = std::make_unique<SharedMemoryCheck>();
    }
    const uint64_t Bytes =
        (NumBlocks - 1) * sharedStride() + R.Code.SharedBytes;
    Check->reset(NumWarps, Bytes);
    Async = std::make_unique<AsyncChecks>(NumWarps, Bytes);
  }
  Blocks.reserve(NumBlocks);
  for (unsigned Rank = 0; Rank != NumBlocks; ++Rank)
    Blocks.push_back(std::make_unique<BlockMachine>(*this, Rank));
}

uint64_t ClusterMachine::sharedStride() const {
  return llvm::alignTo(R.Code.SharedBytes, 16);
}

/// Where the group waits.
static const Step &stepOf(const Frame &F, const Group &G) {
  return F.F->Blocks[G.Block].Begin[G.Next];
}

/// What a warp waits for that meets the others of its warpgroup.
static std::string missingWarps(const WarpMachine &W) {
  const unsigned Group = W.Number / 4;
  SmallVector<std::string, 4> Names;
  for (unsigned N = 0; N != 4; ++N)
    if (!(W.Block.Warpgroups[Group].Arrived >> N & 1))
      Names.push_back(std::to_string(4 * Group + N));
  return (" wait here for the rest of their warpgroup, of which warp" +
          Twine(Names.size() == 1 ? " " : "s ") + llvm::join(Names, " and ") +
          " never " + (Names.size() == 1 ? "comes" : "come"))
      .str();
}

/// What the threads of a group wait for, that will not be.
static std::string whatItLacks(const WarpMachine &W, const Group &G) {
  if (G.Barrier == BlockMachine::WarpgroupBarrier)
    return missingWarps(W);
  if (G.Barrier != BlockMachine::TensorBarrier)
    return " wait at this barrier for others that never come";
  const unsigned Free = W.Block.Tensors->numFree();
  return (" wait for " + Twine(G.Awaited) +
          " columns of tensor memory, which nobody frees; " + Twine(Free) +
          " are free" + (Free < G.Awaited ? "" : ", but not side by side"))
      .str();
}

ClusterMachine::Status ClusterMachine::reportDeadlock() {
  // At the barrier of the first warp that waits; who waits elsewhere is told.
  const Step *First = nullptr;
  const WarpMachine *FirstWarp = nullptr;
  BlockMachine *In = nullptr;
  std::string Lacks;
  SmallVector<const Step *, 4> Others;
  uint64_t Here = 0, NumExited = 0;
  for (const auto &Block : Blocks) {
    NumExited += Block->NumExited;
    for (const auto &Warp : Block->Warps)
      for (const auto &F : Warp->frames())
        for (const Group &G : F->Groups) {
          if (G.Is != Group::State::AtBarrier)
            continue;
          const Step *S = &stepOf(*F, G);
          if (!First) {
            First = S, FirstWarp = Warp.get(), In = Block.get();
            Lacks = whatItLacks(*Warp, G);
          }
          const bool IsTogether = G.Barrier != BlockMachine::WarpgroupBarrier ||
                                  Warp->Number / 4 == FirstWarp->Number / 4;
          if (S == First && Block.get() == In && IsTogether)
            Here += unsigned(llvm::popcount(G.Lanes & Warp->live()));
          else if (S != First && !llvm::is_contained(Others, S))
            Others.push_back(S);
        }
  }
  if (!First) // cannot be: somebody must wait for something
    return Status::Failed;
  std::string Message =
      (Twine(Here) + " threads of block " + Twine(In->Index) + Lacks).str();
  for (const Step *S : Others)
    Message +=
        (S == Others.front() ? "; others wait at line " : " and at line ") +
        std::to_string(S->I->Line);
  if (NumExited)
    Message += "; " + std::to_string(NumExited) + " have ended";
  In->fail(*First, Message);
  return Status::Failed;
}

/// What the phase of an mbarrier waits for.
static std::string whatItLacks(const MBarrier &B) {
  std::string Text = ": its phase " + std::to_string(unsigned(B.Phase)) +
                     " lacks " + std::to_string(B.Pending) + " of " +
                     std::to_string(B.Expected) + " arrivals";
  if (B.Tx > 0)
    Text += " and " + std::to_string(B.Tx) + " expected bytes";
  else if (B.Tx < 0)
    Text +=
        ", and " + std::to_string(-B.Tx) + " bytes have come that none expects";
  return Text;
}

/// The mbarrier that a warp has polled in vain.
static std::string whatItPolls(const WarpMachine &W, const VainWait &Polled) {
  const uint64_t Address = Polled.Address;
  std::string Text =
      "the mbarrier at 0x" +
      llvm::utohexstr(Address & SharedOffsetMask, /*LowerCase=*/true) +
      " of shared memory";
  if (uint64_t Rank = Address >> ClusterRankShift; Rank != W.Block.Rank)
    Text += " of block " + std::to_string(Rank) + " of the cluster";
  if (Polled.Bits == 0)
    return Text + ", which was not initialised";
  return Text + whatItLacks(MBarrier::unpack(Polled.Bits));
}

/// All warps wait, at least one of them for an mbarrier.
ClusterMachine::Status ClusterMachine::reportVainWait() {
  const WarpMachine *First = nullptr;
  SmallVector<const Step *, 4> Others;
  for (const auto &Block : Blocks)
    for (const auto &Warp : Block->Warps)
      if (const Step *S = Warp->Polled.Where; S && Warp->live()) {
        if (!First)
          First = Warp.get();
        else if (S != First->Polled.Where && !llvm::is_contained(Others, S))
          Others.push_back(S);
      }
  if (!First) // cannot be: who did anything waited in vain
    return reportDeadlock();
  std::string Message = ("warp " + Twine(First->Number) + " of block " +
                         Twine(First->Block.Index) + " waits for ever for " +
                         whatItPolls(*First, First->Polled))
                            .str();
  for (const Step *S : Others)
    Message +=
        (S == Others.front() ? "; others wait at line " : " and at line ") +
        std::to_string(S->I->Line);
  First->Block.fail(*First->Polled.Where, Message);
  return Status::Failed;
}

void ClusterMachine::checkRemote(const BlockMachine &Block, unsigned LastWarp) {
  for (const auto &Other : Blocks)
    for (const auto &Warp : Other->Warps) {
      const AsyncChecks::Remote &R =
          Async->lastRemote(Warp->checkNumber(), Block.Rank);
      if (R.Where && Other.get() != &Block &&
          !Check->order().isBefore(Warp->checkNumber(), R.Time, LastWarp))
        Other->report(
            "exited-block", *R.Where,
            "warp " + Twine(Warp->Number) + " of block " + Twine(Other->Index) +
                " accesses shared memory of block " + Twine(Block.Index) +
                ", which does not wait for it before it ends");
    }
}

static StringRef verb(SharedAccess A) {
  switch (A) {
  case SharedAccess::Read:
  case SharedAccess::Peek:
    return "reads";
  case SharedAccess::Write:
    return "writes";
  case SharedAccess::Atomic:
    return "updates";
  default:
    return "copies to";
  }
}

void ClusterMachine::finish() {
  for (const auto &Block : Blocks)
    if (R.Options.Check && Block->hasEnded() && Block->Tensors)
      if (const void *Owner = Block->Tensors->firstOwner())
        Block->report("tensor-memory", *static_cast<const Step *>(Owner),
                      "block " + Twine(Block->Index) +
                          " ends without freeing this tensor memory");
  if (!Check)
    return;
  Check->finish();
  const uint64_t Threads = R.Launch.warpsPerBlock() * WarpSize;
  for (const SharedMemoryReport &P : Check->reports()) {
    const Step &Later = *R.Code.Steps[P.Second.Instruction];
    const Step &Earlier = *R.Code.Steps[P.First.Instruction];
    BlockMachine &Block = *Blocks[P.Second.Thread / Threads];
    auto Who = [&](const SharedMemoryReport::Access &A) {
      return ("thread " + Twine(A.Thread % Threads) + " of block " +
              Twine(Blocks[A.Thread / Threads]->Index) + " " + verb(A.Kind))
          .str();
    };
    const uint64_t Rank = Blocks.size() == 1 ? 0 : P.Address / sharedStride();
    std::string Where = " byte " +
                        std::to_string(P.Address - Rank * sharedStride()) +
                        " of shared memory";
    if (Rank != Block.Rank)
      Where += " of block " + std::to_string(Blocks[Rank]->Index);
    if (P.What == SharedMemoryReport::Kind::UninitializedRead)
      Block.report("uninitialized-read", Later,
                   Who(P.Second) + Where + ", which was never written");
    else
      Block.report("race", Later,
                   Who(P.Second) + Where +
                       " with no barrier behind another access",
                   &Earlier, Who(P.First) + " it here");
  }
  for (const auto &Block : Blocks)
    Block->Check = nullptr;
  W.SpareChecks.push_back(std::move(Check));
}

/// What the warps did, one turn each.
struct ClusterMachine::Round {
  bool Progress = false, AllDone = true;
  bool OnlyPolls = true;         ///< who did anything waited in vain
  uint64_t Spent = 0, Spins = 0; ///< over several rounds
};

/// Gives a warp its turn. What the cluster's run ends with, if it does.
std::optional<ClusterMachine::Status> ClusterMachine::runTurn(WarpMachine &Warp,
                                                              Round &Of) {
  const uint64_t Before = Warp.Executed, SpinsBefore = Warp.spins();
  const VainWait PolledBefore = Warp.Polled;
  const WarpMachine::Status S = Warp.run(std::min(
      SliceInstructions,
      llvm::SaturatingAdd(R.Options.MaxInstructions, uint64_t(1)) - Before));
  if (S == WarpMachine::Status::Failed)
    return Status::Failed;
  Of.Progress |= Warp.Executed != Before || S != WarpMachine::Status::Blocked;
  Of.OnlyPolls &= Warp.Executed == Before || Warp.Polled.Where;
  Of.Spent += Warp.Executed - Before;
  Of.Spins += Warp.spins() - SpinsBefore;
  Of.AllDone &= S == WarpMachine::Status::Done;
  if (Warp.Executed <= R.Options.MaxInstructions || !Warp.live() || !Warp.Last)
    return std::nullopt;
  const VainWait &Polled = Warp.Polled.Where ? Warp.Polled : PolledBefore;
  Warp.Block.fail(
      *Warp.Last,
      "warp " + Twine(Warp.Number) + " of block " + Twine(Warp.Block.Index) +
          " has executed more than " + Twine(R.Options.MaxInstructions) +
          " instructions without ending; is the loop endless? " +
          (Polled.Where
               ? "It last waited for " + whatItPolls(Warp, Polled) + ". "
               : std::string()) +
          "--max-instructions=N allows more");
  return Status::Failed;
}

/// Gives each warp its turn.
std::optional<ClusterMachine::Status> ClusterMachine::runRound(Round &Of) {
  Of.Progress = false;
  Of.AllDone = Of.OnlyPolls = true;
  for (const auto &Block : Blocks) {
    W.Touched.select(Block->Rank);
    for (const auto &Warp : Block->Warps) {
      if (R.FirstFault.load() < Index || R.isInterrupted())
        return Status::Abandoned;
      if (!Warp->live())
        continue;
      if (std::optional<Status> Ends = runTurn(*Warp, Of))
        return Ends;
    }
  }
  return Of.AllDone ? std::optional<Status>(Status::Done) : std::nullopt;
}

ClusterMachine::Status ClusterMachine::run() {
  Round Of;
  VainWaits Vain(*this);
  for (;;) {
    if (std::optional<Status> Ends = runRound(Of)) {
      if (*Ends != Status::Abandoned)
        finish();
      return *Ends;
    }
    if (!Of.Progress) {
      bool Woken = false;
      for (const auto &Block : Blocks)
        for (const auto &Warp : Block->Warps)
          Woken |= Warp->wakeSyncs();
      if (!Woken) {
        finish();
        return reportDeadlock();
      }
    } else if (Vain.isEndless(Of.OnlyPolls)) {
      finish();
      return reportVainWait();
    }
    if (std::exchange(GivesWay, false))
      return Status::Paused;
    if (Of.Spent > TurnInstructions) {
      if (Of.Spins > Of.Spent / 1024)
        return Status::Paused;
      Of.Spent = Of.Spins = 0;
    }
  }
}

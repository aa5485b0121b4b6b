//===- BlockMachine.cpp - The warps of a block ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

/// Instructions that a warp executes before the next one has its turn.
static constexpr uint64_t SliceInstructions = 1 << 16;
/// Instructions of a block that spins, before other blocks have their turn.
static constexpr uint64_t TurnInstructions = 1 << 18;

BlockMachine::BlockMachine(Run &R, Worker &W, uint64_t LinearIndex)
    : R(R), W(W), Index(LinearIndex) {
  const Dim3 &Grid = R.Launch.Grid;
  Position = {Index % Grid.X, Index / Grid.X % Grid.Y, Index / Grid.X / Grid.Y};
  Shared.resize(R.Code.SharedBytes);
  auto NumWarps = unsigned(R.Launch.warpsPerBlock());
  if (R.Options.Check) {
    if (!W.SpareChecks.empty()) {
      Check = std::move(W.SpareChecks.back());
      W.SpareChecks.pop_back();
    } else {
      Check = std::make_unique<SharedMemoryCheck>();
    }
    Check->reset(NumWarps, Shared.size());
  }
  uint64_t Threads = R.Launch.threadsPerBlock();
  for (unsigned N = 0; N != NumWarps; ++N) {
    uint64_t Here = std::min<uint64_t>(WarpSize, Threads - N * WarpSize);
    Warps.push_back(std::make_unique<WarpMachine>(
        *this, N, uint32_t((uint64_t(1) << Here) - 1)));
  }
}

void BlockMachine::report(StringRef Kind, const Step &S, const Twine &Message,
                          const Step *Other, const Twine &OtherMessage) {
  for (const EmulationProblem &P : Problems)
    if (P.Kind == Kind && P.Where == S.I &&
        P.Other == (Other ? Other->I : nullptr))
      return;
  EmulationProblem P;
  P.Kind = Kind.str();
  P.Where = S.I;
  P.Message = Message.str();
  P.Other = Other ? Other->I : nullptr;
  P.OtherMessage = OtherMessage.str();
  Problems.push_back(std::move(P));
}

BlockMachine::Status BlockMachine::fail(const Step &S, const Twine &Message) {
  Failure = Fault{S.I, Message.str()};
  return Status::Failed;
}

/// Where the group waits.
static const Step &stepOf(const Frame &F, const Group &G) {
  return F.F->Blocks[G.Block].Begin[G.Next];
}

BlockMachine::Status BlockMachine::reportDeadlock() {
  // At the barrier of the first warp that waits; who waits elsewhere is told.
  const Step *First = nullptr;
  SmallVector<const Step *, 4> Others;
  uint64_t Here = 0;
  for (const auto &Warp : Warps)
    for (const auto &F : Warp->frames())
      for (const Group &G : F->Groups) {
        if (G.Is != Group::State::AtBarrier)
          continue;
        const Step *S = &stepOf(*F, G);
        if (!First)
          First = S;
        if (S == First)
          Here += unsigned(llvm::popcount(G.Lanes & Warp->live()));
        else if (!llvm::is_contained(Others, S))
          Others.push_back(S);
      }
  if (!First) // cannot be: somebody must wait for something
    return Status::Failed;
  std::string Message = (Twine(Here) + " threads of block " + Twine(Index) +
                         " wait at this barrier for others that never come")
                            .str();
  for (const Step *S : Others)
    Message +=
        (S == Others.front() ? "; others wait at line " : " and at line ") +
        std::to_string(S->I->Line);
  if (NumExited)
    Message += "; " + std::to_string(NumExited) + " have ended";
  return fail(*First, Message);
}

static StringRef verb(SharedAccess A) {
  switch (A) {
  case SharedAccess::Read:
    return "reads";
  case SharedAccess::Write:
    return "writes";
  case SharedAccess::Atomic:
    return "updates";
  default:
    return "copies to";
  }
}

void BlockMachine::finish() {
  if (!Check)
    return;
  Check->finish();
  for (const SharedMemoryReport &P : Check->reports()) {
    const Step &Later = *R.Code.Steps[P.Second.Instruction];
    const Step &Earlier = *R.Code.Steps[P.First.Instruction];
    auto Who = [&](const SharedMemoryReport::Access &A) {
      return ("thread " + Twine(A.Thread) + " of block " + Twine(Index) + " " +
              verb(A.Kind))
          .str();
    };
    std::string Where =
        " byte " + std::to_string(P.Address) + " of shared memory";
    if (P.What == SharedMemoryReport::Kind::UninitializedRead)
      report("uninitialized-read", Later,
             Who(P.Second) + Where + ", which was never written");
    else
      report("race", Later,
             Who(P.Second) + Where + " with no barrier behind another access",
             &Earlier, Who(P.First) + " it here");
  }
  W.SpareChecks.push_back(std::move(Check));
}

BlockMachine::Status BlockMachine::run() {
  uint64_t Spent = 0, Spins = 0;
  for (;;) {
    bool Progress = false, AllDone = true;
    for (const auto &Warp : Warps) {
      if (R.FirstFault.load() < Index || R.isInterrupted())
        return Status::Abandoned;
      if (!Warp->live())
        continue;
      uint64_t Before = Warp->Executed, SpinsBefore = Warp->spins();
      WarpMachine::Status S = Warp->run(
          std::min(SliceInstructions,
                   llvm::SaturatingAdd(R.Options.MaxInstructions, uint64_t(1)) -
                       Before));
      if (S == WarpMachine::Status::Failed) {
        finish();
        return Status::Failed;
      }
      Progress |= Warp->Executed != Before || S != WarpMachine::Status::Blocked;
      Spent += Warp->Executed - Before;
      Spins += Warp->spins() - SpinsBefore;
      AllDone &= S == WarpMachine::Status::Done;
      if (Warp->Executed > R.Options.MaxInstructions && Warp->live() &&
          Warp->Last) {
        finish();
        return fail(*Warp->Last,
                    "warp " + Twine(Warp->Number) + " of block " +
                        Twine(Index) + " has executed more than " +
                        Twine(R.Options.MaxInstructions) +
                        " instructions without ending; is the loop endless? "
                        "--max-instructions=N allows more");
      }
    }
    if (AllDone) {
      finish();
      return Status::Done;
    }
    if (!Progress) {
      bool Woken = false;
      for (const auto &Warp : Warps)
        Woken |= Warp->wakeSyncs();
      if (!Woken) {
        finish();
        return reportDeadlock();
      }
    }
    if (Spent > TurnInstructions) {
      if (Spins > Spent / 1024)
        return Status::Paused;
      Spent = Spins = 0;
    }
  }
}

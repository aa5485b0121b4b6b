//===- VainWaits.cpp - Whether warps wait for ever ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "VainWaits.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::Opcode;

/// Rounds before the first that others are compared with; later ones are at
/// powers of two (Brent's algorithm).
static constexpr uint64_t FirstMark = 1024;
/// Rounds that are compared with one. Warps whose lanes diverged repeat what
/// they do after a few hundred for each of its turns.
static constexpr uint64_t MaxPeriod = 4096;

/// Whether executing the step changes no memory, and depends on none that
/// other clusters can change.
static bool isQuiet(const Step &S) {
  if (S.Call && !S.Call->Callee)
    return false;
  switch (Opcode(S.I->Opcode)) {
  case Opcode::MbarrierTestWait:
  case Opcode::MbarrierTryWait:
  case Opcode::Nanosleep:
  case Opcode::BarWarp:
  case Opcode::Membar:
  case Opcode::Fence:
    return true;
  default:
    break;
  }
  switch (S.I->Class) {
  case OpClass::Atomic:
  case OpClass::Async:
  case OpClass::Texture:
  case OpClass::Barrier:
  case OpClass::Tensor:
  case OpClass::Other:
    return false;
  case OpClass::Store: // tensor memory is in none of the effects
    if (S.I->Effects.empty())
      return false;
    break;
  default:
    break;
  }
  return llvm::all_of(S.I->Effects, [](const MemoryEffect &E) {
    const bool IsOthers = E.Space == AddressSpace::Global ||
                          E.Space == AddressSpace::Generic ||
                          E.Space == AddressSpace::Texture;
    // Parameters of functions are part of a frame.
    return !(E.Writes && E.Space != AddressSpace::Param) && !IsOthers;
  });
}

uint64_t VainWaits::state() const {
  uint64_t Hash = 0;
  for (const auto &Block : C.Blocks)
    for (const auto &Warp : Block->Warps)
      Hash = llvm::hash_combine(Hash, Warp->state());
  return Hash;
}

uint64_t VainWaits::effects() const {
  uint64_t Sum = 0;
  for (const Step *S : C.R.Code.Steps)
    if (!isQuiet(*S))
      Sum += C.W.Steps[S->Index].Executions +
             (C.W.PollSteps.empty() ? 0 : C.W.PollSteps[S->Index].Executions);
  return Sum;
}

bool VainWaits::isEndless(bool OnlyPolls) {
  if (!OnlyPolls) {
    Rounds = Mark = 0;
    return false;
  }
  ++Rounds;
  if (Rounds >= FirstMark && llvm::isPowerOf2_64(Rounds)) {
    Mark = Rounds;
    MarkedState = state();
    MarkedEffects = effects();
    return false;
  }
  return Mark && Rounds - Mark <= MaxPeriod && state() == MarkedState &&
         effects() == MarkedEffects;
}

/// Where the lanes of a group are, and what they wait for.
static llvm::hash_code hashOf(const Group &G) {
  return llvm::hash_combine(G.Block, G.Next, G.Lanes, G.Is, G.Barrier, G.Passed,
                            G.Result.Count, G.Result.All, G.Result.Any,
                            G.Awaited, G.Children);
}

uint64_t WarpMachine::state() const {
  llvm::hash_code Hash =
      llvm::hash_combine(Exited, LatestFirst, Yields, SpunTurns);
  for (const auto &F : Frames) {
    size_t Caller = 0; // the place of the group that called, as its Id changes
    while (F->Caller && F->Caller->Groups[Caller].Id != F->CallerGroup)
      ++Caller;
    Hash = llvm::hash_combine(
        Hash, F->F, F->Caller, Caller, F->CallStep, F->Carry, F->LocalTop,
        llvm::xxh3_64bits(
            ArrayRef(reinterpret_cast<const uint8_t *>(F->Registers),
                     F->F->RegisterBytes)),
        llvm::xxh3_64bits(F->Params));
    for (const Group &G : F->Groups)
      Hash = llvm::hash_combine(Hash, hashOf(G));
  }
  return Hash;
}

//===- WaitChains.cpp - Blocks that wait for each other -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Dependence/WaitChains.h"
#include "Analysis/Symbolic/WrittenArrays.h"
#include "ptxpredict/Codegen/SchedClass.h"
#include "ptxpredict/Graph/PollingLoops.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include <algorithm>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;
using Ref = const Expression *;

static constexpr StringRef KindNames[] = {"predecessor", "grid", "lock"};

StringRef ptxpredict::toString(WaitKind K) { return KindNames[unsigned(K)]; }

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static bool hasAny(const Instruction &I, ArrayRef<StringRef> Modifiers) {
  return ptx::hasAnyModifier(I.Modifiers, Modifiers);
}

bool ptxpredict::isDeviceFence(const Instruction &I) {
  if (I.isPseudo())
    return false;
  if (Opcode(I.Opcode) == Opcode::Membar)
    return hasAny(I, {"gl", "sys"});
  return Opcode(I.Opcode) == Opcode::Fence && hasAny(I, {"gpu", "sys"}) &&
         hasAny(I, {"sc", "acq_rel", "release"});
}

bool ptxpredict::isDeviceRelease(const Instruction &I) {
  return !I.isPseudo() && !I.IsMemoryBarrier && !I.Effects.empty() &&
         I.Effects[0].Writes && hasAny(I, {"release", "acq_rel"}) &&
         hasAny(I, {"gpu", "sys"}) &&
         (I.Effects[0].Space == AddressSpace::Global ||
          I.Effects[0].Space == AddressSpace::Generic);
}

bool ptxpredict::isCoherentLoad(const Instruction &I) {
  return !I.isPseudo() && Opcode(I.Opcode) == Opcode::Ld &&
         !I.Effects.empty() &&
         (I.Effects[0].Space == AddressSpace::Global ||
          I.Effects[0].Space == AddressSpace::Generic) &&
         hasAny(I, {"volatile", "relaxed", "acquire", "mmio", "cg", "cv"}) &&
         !hasAny(I, {"cta"});
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

namespace {

class WaitFinder {
public:
  explicit WaitFinder(const SymbolicValues &Values)
      : V(Values), CF(Values.controlFlow()),
        ArrayOf(Values.graph(), Values.launch()),
        Position(Values.graph().Blocks.size()) {
    for (const auto &[N, B] : llvm::enumerate(CF.reversePostOrder()))
      Position[B->Number] = unsigned(N);
  }

  std::vector<WaitChain> run();

private:
  /// What is written in an array of global memory.
  struct Write {
    const Instruction *I;
    Ref Address;
    bool IsAtomic;
  };
  const void *arrayOf(Ref Address);
  std::optional<WaitChain> match(const PollingLoop &L);
  std::optional<WaitChain> matchGrid(const PollingLoop &L,
                                     ArrayRef<Write> Writes) const;
  std::optional<WaitChain> matchBehind(const PollingLoop &L, Ref Asked,
                                       ArrayRef<Write> Writes) const;
  bool isOfPredecessor(Ref Asked, Ref Written) const;
  void addSection(const PollingLoop &L, WaitChain &To) const;

  /// Whether it comes behind the loop, on a way that leads there or around it.
  bool isBehind(const Instruction &I, const PollingLoop &L) const {
    return Position[I.Parent->Number] >
           Position[CF.cycles()[L.Cycle].Header->Number];
  }

  const SymbolicValues &V;
  const ControlFlow &CF;
  ArrayNames ArrayOf;
  std::vector<unsigned> Position; ///< of blocks in reverse post-order
};

} // namespace

const void *WaitFinder::arrayOf(Ref Address) {
  const Symbol *Base = Address ? findBase(*Address) : nullptr;
  return Base ? ArrayOf.of(*Base) : nullptr;
}

/// Whether each block asks for what the block before it in a row writes.
bool WaitFinder::isOfPredecessor(Ref Asked, Ref Written) const {
  const LaunchConfig &Launch = V.launch();
  const uint64_t Blocks = Launch.Grid.X;
  if (Launch.Grid.count() != Blocks || Blocks < 2)
    return false;
  auto At = [&](Ref X, uint64_t Block) {
    Assignment A;
    A.Block = Launch.Block;
    A.Grid = Launch.Grid;
    A.BlockIndex.X = Block;
    return evaluate(*X, A)[0];
  };
  for (Ref X : {Asked, Written})
    for (Ref S : X->Symbols)
      if (S->isSymbol(Symbol::KindTy::Opaque))
        return false;
  return llvm::all_of(ArrayRef<uint64_t>{1, Blocks / 2, Blocks - 1},
                      [&](uint64_t B) {
                        return B == 0 || At(Asked, B) == At(Written, B - 1);
                      }) &&
         At(Written, 0) != At(Written, 1);
}

/// Counts what follows one another from the end of the wait to the signal.
void WaitFinder::addSection(const PollingLoop &L, WaitChain &To) const {
  const Cycle &C = CF.cycles()[L.Cycle];
  llvm::DenseMap<const Value *, unsigned> Depth;
  unsigned Since = 0, Most = 0; // of all before the last fence, and of all
  auto Fence = [&] {
    ++To.Fences;
    Since = Most;
  };
  for (const Block *B : CF.reversePostOrder()) {
    if (C.contains(B) || Position[B->Number] < Position[C.Header->Number] ||
        !(CF.dominates(C.Header, B) || CF.dominates(B, To.Signal->Parent)))
      continue;
    for (const Instruction *I : B->Instructions) {
      if (isDeviceFence(*I) || isDeviceRelease(*I))
        Fence();
      unsigned Of = Since;
      for (const Value *U : I->Uses)
        Of = std::max(Of, Depth.lookup(U));
      if (I == To.Signal) {
        To.RoundTrips = Of;
        return;
      }
      Of += !I->isPseudo() && isLongLoad(*I);
      Most = std::max(Most, Of);
      for (const Value *D : I->Defs)
        Depth[D] = Of;
    }
  }
  To.RoundTrips = Since;
}

/// A counter that all blocks add to before they wait for it.
std::optional<WaitChain> WaitFinder::matchGrid(const PollingLoop &L,
                                               ArrayRef<Write> Writes) const {
  for (const Write &W : Writes)
    if (W.IsAtomic && CF.dominates(W.I->Parent, CF.cycles()[L.Cycle].Header))
      return WaitChain{WaitKind::Grid, L.Poll, W.I};
  return std::nullopt;
}

/// A lock, or a word of the block before, which is written behind the wait.
std::optional<WaitChain> WaitFinder::matchBehind(const PollingLoop &L,
                                                 Ref Asked,
                                                 ArrayRef<Write> Writes) const {
  const bool IsLock = L.Kind == PollKind::Lock;
  const Write *Signal = nullptr;
  for (const Write &W : Writes) {
    if (!IsLock && !isOfPredecessor(Asked, W.Address))
      continue;
    if (isBehind(*W.I, L))
      Signal = Signal ? Signal : &W;
    else if (!IsLock) // it publishes something before it waits
      return std::nullopt;
  }
  if (!Signal)
    return std::nullopt;
  WaitChain Found{IsLock ? WaitKind::Lock : WaitKind::Predecessor, L.Poll,
                  Signal->I};
  addSection(L, Found);
  return Found;
}

std::optional<WaitChain> WaitFinder::match(const PollingLoop &L) {
  const MemoryEffect &E = L.Poll->Effects[0];
  Ref Asked = addressOf(V, *L.Poll, E);
  if (!Asked || !isGlobal(E.Space, Asked))
    return std::nullopt;
  const void *Array = arrayOf(Asked);
  SmallVector<Write, 4> Writes;
  if (Array)
    V.graph().forEachInstruction([&](const Instruction &I) {
      if (CF.cycles()[L.Cycle].contains(I.Parent))
        return;
      for (const MemoryEffect &To : I.Effects) {
        Ref Address = To.Writes ? addressOf(V, I, To) : nullptr;
        if (Address && isGlobal(To.Space, Address) && arrayOf(Address) == Array)
          Writes.push_back({&I, Address, To.Access == AccessKind::Atomic});
      }
    });
  const bool IsCommon = !(Asked->Varies & VariesInGrid);
  if (L.Kind == PollKind::Lock)
    return IsCommon ? matchBehind(L, Asked, Writes) : std::nullopt;
  return IsCommon ? matchGrid(L, Writes) : matchBehind(L, Asked, Writes);
}

std::vector<WaitChain> WaitFinder::run() {
  std::vector<WaitChain> Found;
  for (const PollingLoop &L : V.graph().analysis<PollingLoops>().loops()) {
    if ((L.Kind != PollKind::Memory && L.Kind != PollKind::Lock) ||
        L.Poll->Effects.empty())
      continue;
    if (std::optional<WaitChain> W = match(L))
      Found.push_back(*W);
  }
  return Found;
}

std::vector<WaitChain> ptxpredict::findWaitChains(const SymbolicValues &V) {
  const LaunchConfig &L = V.launch();
  if (L.GridIsAssumed || L.BlockIsAssumed)
    return {};
  return WaitFinder(V).run();
}

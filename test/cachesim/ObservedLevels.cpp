//===- ObservedLevels.cpp - What a run's levels touch, counted ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ObservedLevels.h"
#include "Sectors.h"
#include <functional>

using namespace ptxpredict;
using namespace ptxpredict::cachesim;

void ObservedLevels::Instance::add(const Instance &Other) {
  for (unsigned K : {0, 1}) {
    Requested[K] += Other.Requested[K];
    Unique[K].insert(Other.Unique[K].begin(), Other.Unique[K].end());
  }
}

void ObservedLevels::Sums::add(const Instance &I, const Instance *Before) {
  if (!I.Requested[0])
    return;
  ++Instances;
  for (unsigned K : {0, 1}) {
    Requested[K] += double(I.Requested[K]);
    Unique[K] += double(I.Unique[K].size());
    for (uint64_t S : I.Unique[K])
      Fresh[K] += !Before || !Before->Unique[K].contains(S);
  }
}

LocalityLevel ObservedLevels::Sums::level() const {
  LocalityLevel L;
  L.Instances = Estimate::known(Instances);
  LevelTraffic *Traffic[] = {&L.All, &L.Loads};
  double Times = Instances > 0 ? 1 / Instances : 0;
  for (unsigned K : {0, 1}) {
    Traffic[K]->Requested = Estimate::known(Requested[K] * Times);
    Traffic[K]->Unique = Estimate::known(Unique[K] * Times);
    Traffic[K]->Fresh = Estimate::known(Fresh[K] * Times);
  }
  return L;
}

ObservedLevels::ObservedLevels(const InstructionGraph &Kernel, uint64_t Blocks)
    : Kernel(Kernel), CF(Kernel) {
  for (const Cycle &C : CF.cycles()) {
    const Instruction *First = nullptr;
    for (const Instruction *I : C.Header->Instructions)
      if (!I->isPseudo() && !First)
        First = I;
    FirstOfHeader.push_back(First);
  }
  Loops.resize(CF.cycles().size());
  LoopsSums.resize(CF.cycles().size());
  for (uint64_t N = 1;; N = std::min(2 * N, Blocks)) {
    Groups.emplace_back().Blocks = N;
    if (N >= Blocks)
      break;
  }
}

void ObservedLevels::onInstruction(uint64_t Block, unsigned Warp,
                                   const Instruction &I, uint32_t /*Active*/) {
  if (Block != CurrentBlock)
    endBlock();
  CurrentBlock = Block;
  if (I.Parent->Parent != &Kernel)
    return;
  if (Warps.size() <= Warp)
    Warps.resize(Warp + 1);
  WarpState &W = Warps[Warp];
  W.Entries.resize(Loops.size());
  ArrayRef<Cycle> Cycles = CF.cycles();
  SmallVector<int, 4> Nest; // inner loops first
  for (int L = CF.innermostCycle(I.Parent); L >= 0;
       L = Cycles[size_t(L)].ParentIndex)
    Nest.push_back(L);
  size_t Same = 0;
  while (Same != W.Nest.size() && Same != Nest.size() &&
         W.Nest[Same].Loop == Nest[Nest.size() - 1 - Same])
    ++Same;
  W.Nest.resize(Same);
  if (Same == Nest.size() && Same && &I == FirstOfHeader[size_t(Nest[0])])
    ++W.Nest.back().Iteration;
  for (; Same != Nest.size(); ++Same) {
    int L = Nest[Nest.size() - 1 - Same];
    W.Nest.push_back({L, W.Entries[size_t(L)]++, 0});
  }
}

void ObservedLevels::onRequest(uint64_t /*Block*/, unsigned Warp,
                               const Instruction &I, AddressSpace Space,
                               const WarpAccess &A) {
  if (Space != AddressSpace::Global)
    return;
  if (Warps.size() <= Warp)
    Warps.resize(Warp + 1);
  SmallVector<uint64_t, 64> Sectors = sectorsOf(A);
  auto Touch = [&](Instance &To) {
    for (unsigned K = 0; K != 1 + unsigned(isRead(I)); ++K) {
      To.Requested[K] += Sectors.size();
      To.Unique[K].insert(Sectors.begin(), Sectors.end());
    }
  };
  WarpState &W = Warps[Warp];
  Touch(W.All);
  for (const WarpState::Place &P : W.Nest) {
    LoopState &L = Loops[size_t(P.Loop)];
    if (L.OfWarp.size() <= Warp)
      L.OfWarp.resize(Warp + 1);
    Touch(L.OfWarp[Warp][{P.Entry, P.Iteration}]);
    Touch(L.OfBlock[{P.Entry, P.Iteration}]);
  }
}

void ObservedLevels::endLoop(const Instances &All, Sums &Iterations,
                             Sums &Loops) {
  Instance Loop, LoopBefore;
  const Instance *Before = nullptr;
  bool HasLoopBefore = false;
  for (auto It = All.begin(); It != All.end(); ++It) {
    Iterations.add(It->second, Before);
    Before = &It->second;
    Loop.add(It->second);
    auto Next = std::next(It);
    if (Next != All.end() && Next->first.first == It->first.first)
      continue;
    Before = nullptr;
    Loops.add(Loop, HasLoopBefore ? &LoopBefore : nullptr);
    LoopBefore = std::move(Loop);
    Loop = Instance();
    HasLoopBefore = true;
  }
}

void ObservedLevels::endBlock() {
  Instance Block;
  for (WarpState &W : Warps) {
    Block.add(W.All);
    WholeWarps.add(W.All, HasWarpBefore ? &WarpBefore : nullptr);
    WarpBefore = std::move(W.All);
    HasWarpBefore = true;
  }
  Warps.clear();
  for (size_t L = 0; L != Loops.size(); ++L) {
    LoopSums &S = LoopsSums[L];
    for (const Instances &OfWarp : Loops[L].OfWarp)
      endLoop(OfWarp, S.WarpIteration, S.WarpLoop);
    endLoop(Loops[L].OfBlock, S.BlockIteration, S.BlockLoop);
    Loops[L] = LoopState();
  }
  for (Group &G : Groups) {
    G.Now.add(Block);
    if (++G.InIt != G.Blocks)
      continue;
    G.Sum.add(G.Now, G.HasBefore ? &G.Before : nullptr);
    G.Before = std::move(G.Now);
    G.HasBefore = true;
    G.Now = Instance();
    G.InIt = 0;
  }
}

static bool hasBarrier(ArrayRef<Block *> Blocks) {
  return llvm::any_of(Blocks, [](const Block *B) {
    return llvm::any_of(B->Instructions,
                        [](const Instruction *I) { return I->IsBlockBarrier; });
  });
}

std::vector<LocalityLevel> ObservedLevels::take() {
  endBlock();
  for (Group &G : Groups)
    if (G.InIt)
      G.Sum.add(G.Now, G.HasBefore ? &G.Before : nullptr);

  std::vector<LocalityLevel> Levels;
  ArrayRef<Cycle> Cycles = CF.cycles();
  using Scope = LocalityLevel::ScopeTy;
  std::vector<size_t> InnerFirst;
  std::function<void(int)> AddInner = [&](int Outer) {
    for (size_t L = 0; L != Cycles.size(); ++L)
      if (Cycles[L].ParentIndex == Outer) {
        AddInner(int(L));
        InnerFirst.push_back(L);
      }
  };
  AddInner(-1);
  for (Scope Of : {Scope::Warp, Scope::Block}) {
    for (size_t L : InnerFirst) {
      const Cycle &C = Cycles[L];
      const LoopSums &S = LoopsSums[L];
      if (S.WarpIteration.Instances == 0)
        continue;
      bool OfWarp = Of == Scope::Warp;
      for (bool IsLoop : {false, true}) {
        LocalityLevel Level =
            IsLoop ? (OfWarp ? S.WarpLoop : S.BlockLoop).level()
                   : (OfWarp ? S.WarpIteration : S.BlockIteration).level();
        Level.Kind = IsLoop ? LocalityLevel::KindTy::Loop
                            : LocalityLevel::KindTy::Iteration;
        Level.Scope = Of;
        Level.Header = C.Header->Label.str();
        Level.Line = C.Header->Line;
        Level.Depth = C.Depth;
        Level.HasBarrier = hasBarrier(C.Blocks);
        Levels.push_back(std::move(Level));
      }
    }
    Levels.push_back(Of == Scope::Warp ? WholeWarps.level()
                                       : Groups.front().Sum.level());
    Levels.back().Scope = Of;
    Levels.back().HasBarrier = hasBarrier(Kernel.Blocks);
  }
  for (const Group &G : Groups) {
    if (G.Blocks == 1)
      continue;
    Levels.push_back(G.Sum.level());
    Levels.back().Scope = Scope::Blocks;
    Levels.back().NumBlocks = G.Blocks;
  }
  return Levels;
}

//===- PressureScheduler.cpp - A block's code in fewest registers ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PressureScheduler.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace ptxpredict;

/// The operations that each waits for: those that compute what it reads,
/// predicates among them, and the memory operations that it must stay behind.
void PressureScheduler::addEdges() {
  std::vector<unsigned> SeenBy(Ops.size(), None);
  SmallVector<unsigned, 32> Loads; ///< since the last store
  unsigned LastStore = None;
  for (unsigned K = 0; K != Ops.size(); ++K) {
    const MachineOp &Op = Ops[K];
    auto Add = [&](unsigned From, bool IsData) {
      if (From == None || SeenBy[From] == K)
        return;
      SeenBy[From] = K;
      unsigned Link = From << 1 | unsigned(IsData);
      Edges.push_back({Link, K});
      ++States[K].PredsLeft;
      States[K].PredXor ^= Link;
    };
    for (unsigned U : Op.Uses)
      Add(Values[U].Definer, /*IsData=*/true);
    for (const Value *U : Op.Source->Uses)
      if (U->Type == ScalarType::Pred) {
        while (U->Def && U->Def->isSelect())
          U = U->Def->Uses[1];
        Add(Values[U->Id].Definer, /*IsData=*/true);
      }
    bool IsStore = Op.Kind == MachineOp::KindTy::Store ||
                   Op.Kind == MachineOp::KindTy::Barrier;
    bool IsLoad =
        Op.Kind == MachineOp::KindTy::Load && Op.Space != AddressSpace::Const;
    if (IsStore || IsLoad)
      Add(LastStore, /*IsData=*/false);
    if (IsStore) {
      for (unsigned L : Loads)
        Add(L, /*IsData=*/false);
      Loads.clear();
      LastStore = K;
    } else if (IsLoad) {
      Loads.push_back(K);
    }
    for (unsigned D : Op.Defs)
      Values[D].Definer = K;
    for (const Value *D : Op.Source->Defs)
      if (D->Type == ScalarType::Pred)
        Values[D->Id].Definer = K;
  }
}

/// Less is better. From the top: whether registers are lost; then how many are
/// gained, or how many readers still wait and how many are lost; the place.
uint64_t PressureScheduler::keyOf(unsigned Place) const {
  int Change = 0;
  for (unsigned D : Ops[Place].Defs)
    if (Values[D].UsesLeft != 0)
      Change += Width[D];
  for (unsigned U : Ops[Place].Uses)
    if (Values[U].UsesLeft == 1)
      Change -= Width[U];
  constexpr int Bias = 1 << 14;
  uint64_t Biased = uint64_t(std::clamp(Change, -Bias, Bias - 1) + Bias);
  if (Change <= 0)
    return Biased << 48 | Place;
  uint64_t Waiting = std::min<uint64_t>(States[Place].Waiting, 0x7fff);
  return uint64_t(1) << 63 | Waiting << 48 | Biased << 32 | Place;
}

void PressureScheduler::push(unsigned Place) {
  Ready.push_back(keyOf(Place));
  std::push_heap(Ready.begin(), Ready.end(), std::greater<>());
}

void PressureScheduler::place(unsigned Place) {
  States[Place].IsPlaced = true;
  Order.push_back(Place);
  auto Improve = [&](unsigned Other) {
    if (!States[Other].IsPlaced && States[Other].PredsLeft == 0)
      push(Other);
  };
  for (unsigned U : Ops[Place].Uses) {
    Values[U].UserXor ^= Place;
    if (--Values[U].UsesLeft == 1)
      Improve(Values[U].UserXor);
  }
  for (unsigned S = States[Place].FirstSucc, E = States[Place + 1].FirstSucc;
       S != E; ++S) {
    OpState &User = States[Edges[S].To];
    User.PredXor ^= Edges[S].From;
    if (--User.PredsLeft == 0) {
      push(Edges[S].To);
    } else if (User.PredsLeft == 1 && (User.PredXor & 1) != 0) {
      // It only waits for the result of one more, which so becomes better.
      --States[User.PredXor >> 1].Waiting;
      Improve(User.PredXor >> 1);
    }
  }
}

void PressureScheduler::countUses(ArrayRef<MachineOp> AllOps,
                                  ArrayRef<unsigned> LiveAtEnd) {
  for (unsigned V : LiveAtEnd)
    ++Values[V].UsesLeft;
  if (AllOps.size() != Ops.size())
    for (unsigned U : AllOps.back().Uses)
      ++Values[U].UsesLeft;
  for (unsigned K = 0; K != Ops.size(); ++K)
    for (unsigned U : Ops[K].Uses) {
      ++Values[U].UsesLeft;
      Values[U].UserXor ^= K;
    }
}

void PressureScheduler::sortEdges() {
  llvm::sort(Edges, [](const Edge &A, const Edge &B) {
    return std::pair(A.From, A.To) < std::pair(B.From, B.To);
  });
  for (const Edge &E : Edges) {
    ++States[(E.From >> 1) + 1].FirstSucc;
    if ((E.From & 1) != 0 && States[E.To].PredsLeft > 1)
      ++States[E.From >> 1].Waiting;
  }
  for (unsigned K = 0; K != Ops.size(); ++K)
    States[K + 1].FirstSucc += States[K].FirstSucc;
}

void PressureScheduler::placeAll() {
  Ready.clear();
  for (unsigned K = 0; K != Ops.size(); ++K)
    if (States[K].PredsLeft == 0)
      push(K);
  while (!Ready.empty()) {
    std::pop_heap(Ready.begin(), Ready.end(), std::greater<>());
    uint64_t Key = Ready.back();
    Ready.pop_back();
    unsigned Place = unsigned(Key);
    // One that is out of date has been put in anew.
    if (!States[Place].IsPlaced && Key == keyOf(Place))
      place(Place);
  }
}

void PressureScheduler::forget(ArrayRef<MachineOp> AllOps,
                               ArrayRef<unsigned> LiveAtEnd) {
  for (unsigned V : LiveAtEnd)
    Values[V] = ValueState();
  for (const MachineOp &Op : AllOps) {
    for (unsigned U : Op.Uses)
      Values[U] = ValueState();
    for (unsigned D : Op.Defs)
      Values[D] = ValueState();
    for (const Value *D : Op.Source->Defs)
      Values[D->Id] = ValueState();
  }
}

ArrayRef<unsigned> PressureScheduler::of(ArrayRef<MachineOp> AllOps,
                                         ArrayRef<unsigned> LiveAtEnd,
                                         ArrayRef<uint8_t> Widths) {
  // What ends the block stays there.
  const bool EndsInBranch =
      !AllOps.empty() && AllOps.back().Source->IsTerminator;
  Ops = EndsInBranch ? AllOps.drop_back() : AllOps;
  Width = Widths;
  Order.clear();
  Edges.clear();
  Values.resize(std::max(Values.size(), Width.size()));
  States.assign(Ops.size() + 1, OpState());
  countUses(AllOps, LiveAtEnd);
  addEdges();
  sortEdges();
  placeAll();
  if (EndsInBranch)
    Order.push_back(unsigned(Ops.size()));
  forget(AllOps, LiveAtEnd);
  return Order;
}

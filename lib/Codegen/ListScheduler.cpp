//===- ListScheduler.cpp - A block's code as an assembler orders it -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/ListScheduler.h"
#include "ptxpredict/Codegen/Assembler.h"
#include "ptxpredict/Codegen/SchedClass.h"
#include <algorithm>
#include <numeric>

using namespace ptxpredict;

/// Cycles that an assembler foresees for a result.
static unsigned expectedLatency(const MachineOp &Op) {
  const Instruction &I = *Op.Source;
  if (isLongLoad(I))
    return assembler::ExpectedLongLoad;
  switch (schedClassOf(I)) {
  case SchedClass::SFU:
  case SchedClass::Convert:
  case SchedClass::FP64Convert:
  case SchedClass::CrossLane:
  case SchedClass::Shared:
  case SchedClass::SharedAtomic:
  case SchedClass::Tensor:
  case SchedClass::FP32Divide:
  case SchedClass::FP64Divide:
  case SchedClass::IntDivide:
  case SchedClass::IntRemainder:
    return assembler::ExpectedVariable;
  case SchedClass::Store:
    return 1;
  default:
    return assembler::ExpectedFixed;
  }
}

void ListScheduler::add(unsigned From, unsigned To, unsigned Cycles) {
  if (From == To)
    return;
  Edges.push_back({To, Cycles, FirstEdge[From]});
  FirstEdge[From] = unsigned(Edges.size() - 1);
  ++NumBefore[To];
}

ListScheduler::Slot &ListScheduler::slotOf(uint32_t Register) {
  if (Register >= Slots.size())
    Slots.resize(Register + 1);
  Slot &S = Slots[Register];
  if (S.Round != Round)
    S = {Round, None, None};
  return S;
}

void ListScheduler::read(uint32_t Register, unsigned K) {
  Slot &S = slotOf(Register);
  if (S.Writer != None)
    add(S.Writer, K, Latency[S.Writer]);
  Reads.push_back({K, S.Readers});
  S.Readers = unsigned(Reads.size() - 1);
}

void ListScheduler::write(uint32_t Register, unsigned K) {
  Slot &S = slotOf(Register);
  if (S.Writer != None)
    add(S.Writer, K, 1);
  for (unsigned R = S.Readers; R != None; R = Reads[R].Next)
    add(Reads[R].Op, K, 1);
  S.Writer = K;
  S.Readers = None;
}

void ListScheduler::addValues(const MachineOp &Op, const Value *Guard,
                              unsigned K, RegisterMap RegisterOf) {
  for (unsigned U : Op.Uses)
    read(RegisterOf(U), K);
  // Predicates need no register and are not among the uses.
  for (const Value *V : Op.Source->Uses)
    if (V->Type == ScalarType::Pred)
      read(V->Register, K);
  if (Guard)
    read(Guard->Register, K);
  for (unsigned D : Op.Defs)
    write(RegisterOf(D), K);
  for (const Value *V : Op.Source->Defs)
    if (V->Type == ScalarType::Pred)
      write(V->Register, K);
}

void ListScheduler::addMemory(const MachineOp &Op, unsigned K) {
  using KindTy = MachineOp::KindTy;
  auto After = [&](unsigned Before) {
    if (Before != None)
      add(Before, K, 1);
  };
  const bool IsBarrier = Op.Kind == KindTy::Barrier || Op.Source->IsUnknown;
  if (Op.Kind == KindTy::Load) {
    After(LastBarrier);
    if (Op.Space == AddressSpace::Generic)
      After(LastAnyStore);
    else if (Op.Space != AddressSpace::Const)
      for (AddressSpace S : {Op.Space, AddressSpace::Generic})
        After(LastStore[unsigned(S)]);
    Loads.push_back(K);
  } else if (Op.Kind == KindTy::Store || IsBarrier) {
    After(LastBarrier);
    After(LastAnyStore);
    for (unsigned L : Loads)
      After(L);
    Loads.clear();
    if (IsBarrier)
      LastBarrier = K;
    else
      LastAnyStore = LastStore[unsigned(Op.Space)] = K;
  }
}

std::vector<unsigned> ListScheduler::order(ArrayRef<MachineOp> Ops,
                                           ArrayRef<const Value *> Guards,
                                           unsigned Window,
                                           RegisterMap RegisterOf) {
  const auto Num = unsigned(Ops.size());
  std::vector<unsigned> Order(Num);
  std::iota(Order.begin(), Order.end(), 0U);
  if (Num < 3 || Window == 0)
    return Order;
  ++Round;
  Reads.clear();
  Edges.clear();
  Loads.clear();
  LastStore.fill(None);
  LastAnyStore = LastBarrier = None;
  FirstEdge.assign(Num, None);
  NumBefore.assign(Num, 0);
  Latency.resize(Num);
  for (unsigned K = 0; K != Num; ++K) {
    Latency[K] = expectedLatency(Ops[K]);
    addValues(Ops[K], Guards[K], K, RegisterOf);
    addMemory(Ops[K], K);
  }
  // The cycles from each to the end: what waits longest comes first.
  ToEnd.assign(Latency.begin(), Latency.end());
  for (unsigned K = Num; K-- != 0;)
    for (unsigned E = FirstEdge[K]; E != None; E = Edges[E].Next)
      ToEnd[K] = std::max(ToEnd[K], Edges[E].Cycles + ToEnd[Edges[E].To]);

  auto IsWorse = [&](unsigned A, unsigned B) {
    return ToEnd[A] != ToEnd[B] ? ToEnd[A] < ToEnd[B] : A > B;
  };
  auto IsLater = std::greater<std::pair<unsigned, unsigned>>();
  unsigned Cycle = 0;
  auto Add = [&](unsigned K) {
    if (At[K] <= Cycle) {
      Ready.push_back(K);
      std::push_heap(Ready.begin(), Ready.end(), IsWorse);
    } else {
      Later.emplace_back(At[K], K);
      std::push_heap(Later.begin(), Later.end(), IsLater);
    }
  };
  At.assign(Num, 0);
  IsDone.assign(Num, false);
  unsigned Oldest = 0, End = 0; // [Oldest, End) is looked at
  for (unsigned Place = 0; Place != Num; ++Place, ++Cycle) {
    while (IsDone[Oldest])
      ++Oldest;
    for (; End != Num && End - Oldest <= Window; ++End)
      if (NumBefore[End] == 0)
        Add(End);
    if (Ready.empty())
      Cycle = std::max(Cycle, Later.front().first);
    while (!Later.empty() && Later.front().first <= Cycle) {
      Ready.push_back(Later.front().second);
      std::push_heap(Ready.begin(), Ready.end(), IsWorse);
      std::pop_heap(Later.begin(), Later.end(), IsLater);
      Later.pop_back();
    }
    std::pop_heap(Ready.begin(), Ready.end(), IsWorse);
    const unsigned K = Ready.back();
    Ready.pop_back();
    Order[Place] = K;
    IsDone[K] = true;
    for (unsigned E = FirstEdge[K]; E != None; E = Edges[E].Next) {
      const unsigned To = Edges[E].To;
      At[To] = std::max(At[To], Cycle + Edges[E].Cycles);
      if (--NumBefore[To] == 0 && To < End)
        Add(To);
    }
  }
  return Order;
}

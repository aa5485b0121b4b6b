//===- LatencyScheduler.cpp - A block's code in a scheduler's order -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/LatencyScheduler.h"
#include "ptxpredict/Codegen/Assembler.h"
#include <array>

using namespace ptxpredict;

namespace {

/// The order by keys below \p End, a stable counting sort; empty if the keys
/// rise.
std::vector<unsigned> orderOf(ArrayRef<unsigned> Key, size_t End) {
  if (llvm::is_sorted(Key))
    return {};
  std::vector<unsigned> Place(End + 1);
  for (unsigned K : Key)
    ++Place[K + 1];
  for (size_t P = 1; P < Place.size(); ++P)
    Place[P] += Place[P - 1];
  std::vector<unsigned> Order(Key.size());
  for (unsigned K = 0; K != Key.size(); ++K)
    Order[Place[Key[K]]++] = K;
  return Order;
}

} // namespace

void Scheduler::Slots::reset(size_t NumValues) {
  Slots.resize(std::max(Slots.size(), NumValues));
  ++Round;
}

std::vector<unsigned>
Scheduler::hoistLoads(ArrayRef<MachineOp> Ops, ArrayRef<uint8_t> Width,
                      llvm::function_ref<bool(const MachineOp &)> IsSlow) {
  auto IsMoved = [&](const MachineOp &Op) {
    return Op.Kind == MachineOp::KindTy::Load ||
           (IsSlow && Op.Kind == MachineOp::KindTy::Pure && IsSlow(Op));
  };
  if (llvm::none_of(Ops, IsMoved))
    return {};
  // Which operations a load's address is computed by.
  std::vector<bool> InSlice(Ops.size());
  Slots &Wanted = OfValues;
  Wanted.reset(Width.size());
  for (size_t K = Ops.size(); K-- != 0;) {
    const MachineOp &Op = Ops[K];
    InSlice[K] =
        IsMoved(Op) ||
        (Op.Kind == MachineOp::KindTy::Pure &&
         llvm::any_of(Op.Defs, [&](unsigned D) { return Wanted.has(D); }));
    if (InSlice[K])
      for (unsigned U : Op.Uses)
        Wanted.set(U, 0);
  }

  // Keys are places, shifted by the window so that none is negative.
  std::vector<unsigned> Key(Ops.size());
  Slots &DefKey = OfValues;
  DefKey.reset(Width.size());
  constexpr unsigned NumSpaces = unsigned(AddressSpace::Texture) + 1;
  std::array<unsigned, NumSpaces> StoreKey{};
  unsigned BarrierKey = 0, AnyStoreKey = 0;
  for (unsigned K = 0; K != Ops.size(); ++K) {
    const MachineOp &Op = Ops[K];
    unsigned Own = InSlice[K] ? K : K + assembler::HoistWindow;
    for (unsigned U : Op.Uses)
      if (DefKey.has(U))
        Own = std::max(Own, DefKey.at(U));
    if (Op.Kind == MachineOp::KindTy::Load) {
      Own = std::max(Own, BarrierKey);
      if (Op.Space == AddressSpace::Generic)
        Own = std::max(Own, AnyStoreKey);
      else if (Op.Space != AddressSpace::Const)
        Own = std::max({Own, StoreKey[unsigned(Op.Space)],
                        StoreKey[unsigned(AddressSpace::Generic)]});
    } else if (Op.Kind == MachineOp::KindTy::Store) {
      AnyStoreKey = StoreKey[unsigned(Op.Space)] = Own;
    } else if (Op.Kind == MachineOp::KindTy::Barrier) {
      BarrierKey = Own;
    }
    Key[K] = Own;
    for (unsigned D : Op.Defs)
      DefKey.set(D, Own);
  }
  return orderOf(Key, Ops.size() + assembler::HoistWindow);
}

std::vector<unsigned> Scheduler::sinkToUses(ArrayRef<MachineOp> Ops,
                                            ArrayRef<unsigned> LiveAtEnd,
                                            ArrayRef<uint8_t> Width) {
  constexpr unsigned Never = Slots::None;
  // From the end: the place of each value's first use, and what is read later.
  Slots &FirstUse = OfValues;
  FirstUse.reset(Width.size());
  for (unsigned V : LiveAtEnd)
    FirstUse.set(V, Never);
  constexpr unsigned NumSpaces = unsigned(AddressSpace::Texture) + 1;
  std::array<unsigned, NumSpaces> NextStore;
  NextStore.fill(Never);
  unsigned NextBarrier = Never, NextAnyStore = Never;
  std::vector<unsigned> Key(Ops.size());
  for (unsigned K = unsigned(Ops.size()); K-- != 0;) {
    const MachineOp &Op = Ops[K];
    Key[K] = K;
    bool IsLoad = Op.Kind == MachineOp::KindTy::Load;
    if ((IsLoad || Op.Kind == MachineOp::KindTy::Pure) && !Op.Defs.empty()) {
      unsigned To = Never, Freed = 0, Held = 0;
      for (unsigned D : Op.Defs) {
        To = std::min(To, FirstUse.at(D));
        Freed += Width[D];
      }
      for (unsigned U : Op.Uses)
        if (!FirstUse.has(U))
          Held += Width[U];
      if (IsLoad && Op.Space != AddressSpace::Const) {
        To = std::min(To, NextBarrier);
        To = std::min(
            To, Op.Space == AddressSpace::Generic
                    ? NextAnyStore
                    : std::min(NextStore[unsigned(Op.Space)],
                               NextStore[unsigned(AddressSpace::Generic)]));
      }
      if (To != Never && Held <= Freed)
        Key[K] = std::max(K, To);
    }
    if (Op.Kind == MachineOp::KindTy::Store)
      NextAnyStore = NextStore[unsigned(Op.Space)] = K;
    else if (Op.Kind == MachineOp::KindTy::Barrier)
      NextBarrier = K;
    for (unsigned D : Op.Defs)
      FirstUse.erase(D);
    for (unsigned U : Op.Uses)
      FirstUse.set(U, std::min(FirstUse.at(U), Key[K]));
  }
  return orderOf(Key, Ops.size());
}

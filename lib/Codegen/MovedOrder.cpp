//===- MovedOrder.cpp - A block's order, and one of few registers ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/MovedOrder.h"
#include "ptxpredict/Codegen/Assembler.h"
#include <numeric>

using namespace ptxpredict;

/// The stretches that barriers part, each with its barrier: where they end.
/// A branch at the end is in none.
static SmallVector<unsigned, 4> endsOfStretches(ArrayRef<MachineOp> Ops) {
  SmallVector<unsigned, 4> Ends;
  for (unsigned K = 0; K != Ops.size(); ++K)
    if (Ops[K].Kind == MachineOp::KindTy::Barrier || K + 1 == Ops.size())
      Ends.push_back(K + 1);
  if (!Ops.empty() && Ops.back().Source->IsTerminator)
    --Ends.back();
  return Ends;
}

MovedOrder::MovedOrder(ListScheduler &Scheduler, ArrayRef<MachineOp> Ops,
                       ArrayRef<const Value *> Guards,
                       ListScheduler::RegisterMap RegisterOf)
    : Scheduler(Scheduler), Ops(Ops), Guards(Guards), RegisterOf(RegisterOf),
      Ends(endsOfStretches(Ops)), Order(Ops.size()),
      Windows(Ends.size(), assembler::ScheduleWindow) {
  std::iota(Order.begin(), Order.end(), 0U);
  InOrder = Order;
  for (unsigned S = 0; S != Ends.size(); ++S)
    arrange(S);
}

void MovedOrder::arrange(unsigned Stretch) {
  const unsigned First = Stretch == 0 ? 0 : Ends[Stretch - 1];
  const unsigned Num = Ends[Stretch] - First;
  std::vector<unsigned> Places =
      Scheduler.order(Ops.slice(First, Num), Guards.slice(First, Num),
                      Windows[Stretch], RegisterOf);
  for (unsigned K = 0; K != Num; ++K)
    Order[First + K] = First + Places[K];
}

bool MovedOrder::pack(BlockPressure &Pressure, ArrayRef<unsigned> AtEnd,
                      ArrayRef<uint8_t> Width, unsigned Most) {
  bool Changed = false;
  SmallVector<unsigned, 4> Bound;
  for (bool Again = true; Again;) {
    Again = false;
    const SmallVector<unsigned, 4> Needs =
        Pressure.ofStretches(Ops, Order, AtEnd, Width, Ends);
    for (unsigned S = 0; S != Ends.size(); ++S) {
      if (Needs[S] <= Most || Windows[S] <= assembler::PackedWindow)
        continue;
      if (Bound.empty())
        Bound = Pressure.ofStretches(Ops, InOrder, AtEnd, Width, Ends);
      if (Needs[S] <= Bound[S])
        continue;
      Windows[S] /= 2;
      arrange(S);
      Again = Changed = true;
    }
  }
  return Changed;
}

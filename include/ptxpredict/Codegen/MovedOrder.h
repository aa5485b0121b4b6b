//===- MovedOrder.h - A block's order, and one of few registers -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_MOVEDORDER_H
#define PTXPREDICT_CODEGEN_MOVEDORDER_H

#include "ptxpredict/Codegen/BlockPressure.h"
#include "ptxpredict/Codegen/ListScheduler.h"

namespace ptxpredict {

/// An order of a block's operations, and how far they move up in each stretch.
class MovedOrder {
public:
  /// What it is given outlives it. \p Guards and \p RegisterOf: see
  /// ListScheduler::order().
  MovedOrder(ListScheduler &Scheduler, ArrayRef<MachineOp> Ops,
             ArrayRef<const Value *> Guards,
             ListScheduler::RegisterMap RegisterOf);

  ArrayRef<unsigned> order() const { return Order; }
  /// Lets stretches move less that need more registers than \p Most and than
  /// the code as it is. Whether any does.
  bool pack(BlockPressure &Pressure, ArrayRef<unsigned> AtEnd,
            ArrayRef<uint8_t> Width, unsigned Most);

private:
  void arrange(unsigned Stretch);

  ListScheduler &Scheduler;
  ArrayRef<MachineOp> Ops;
  ArrayRef<const Value *> Guards;
  ListScheduler::RegisterMap RegisterOf;
  SmallVector<unsigned, 4> Ends;
  std::vector<unsigned> Order, InOrder;
  SmallVector<unsigned, 4> Windows; ///< by stretch
};

} // namespace ptxpredict

#endif // PTXPREDICT_CODEGEN_MOVEDORDER_H

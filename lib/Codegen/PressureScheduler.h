//===- PressureScheduler.h - A block's code in fewest registers -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// As LLVM's MachineScheduler before registers are allocated: list scheduling
// that tracks the pressure.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CODEGEN_PRESSURESCHEDULER_H
#define PTXPREDICT_LIB_CODEGEN_PRESSURESCHEDULER_H

#include "ptxpredict/Codegen/MachineCode.h"

namespace ptxpredict {

/// Orders a block's operations from its start so that values die soon, by list
/// scheduling: of the operations whose operands are there, one that frees at
/// least as many registers as it takes comes first; else the one whose users
/// wait for the fewest others. Time is O(E log E) in the dependences.
class PressureScheduler {
public:
  /// The order as indices into \p Ops. \p LiveAtEnd is what the block's
  /// successors read. Loads are not moved over stores and barriers, nor these
  /// over each other.
  ArrayRef<unsigned> of(ArrayRef<MachineOp> Ops, ArrayRef<unsigned> LiveAtEnd,
                        ArrayRef<uint8_t> Width);

private:
  static constexpr unsigned None = ~0U;

  /// What is known of a value, by its id; all as here between calls.
  struct ValueState {
    unsigned Definer = None;
    unsigned UsesLeft = 0; ///< operations, and one for the end of the block
    unsigned UserXor = 0;  ///< of the places of the operations left
  };
  /// Of an operation that is not placed yet.
  struct OpState {
    unsigned PredsLeft = 0, PredXor = 0; ///< what it waits for
    unsigned Waiting = 0; ///< readers that wait for others as well
    unsigned FirstSucc = 0;
    bool IsPlaced = false;
  };
  /// To an operation, from what it waits for: its place, shifted to the left,
  /// and a bit that says whether it reads the result.
  struct Edge {
    unsigned From, To;
  };

  /// Uses by operations, by what ends the block and by its successors.
  void countUses(ArrayRef<MachineOp> AllOps, ArrayRef<unsigned> LiveAtEnd);
  void addEdges();
  void sortEdges();
  void placeAll();
  /// Leaves the values as they were before the call.
  void forget(ArrayRef<MachineOp> AllOps, ArrayRef<unsigned> LiveAtEnd);
  uint64_t keyOf(unsigned Place) const;
  void push(unsigned Place);
  void place(unsigned Place);

  ArrayRef<MachineOp> Ops;
  ArrayRef<uint8_t> Width;
  std::vector<ValueState> Values;
  std::vector<OpState> States;
  std::vector<Edge> Edges;     ///< those from an operation begin at FirstSucc
  std::vector<uint64_t> Ready; ///< a heap of keys, some out of date
  std::vector<unsigned> Order;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CODEGEN_PRESSURESCHEDULER_H

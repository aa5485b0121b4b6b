//===- LatencyScheduler.h - A block in a scheduler's order ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// As LLVM's MachineScheduler where latency counts: loads early, within a
// window.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_LATENCYSCHEDULER_H
#define PTXPREDICT_CODEGEN_LATENCYSCHEDULER_H

#include "ptxpredict/Codegen/MachineCode.h"

namespace ptxpredict {

/// Orders of a block's operations, as indices into them. An empty order is that
/// of the code.
class Scheduler {
public:
  /// Moves loads, with what computes their addresses, up to 64 places up, as
  /// far as dependences allow. Likewise pure operations that \p IsSlow has, if
  /// it is given.
  std::vector<unsigned>
  hoistLoads(ArrayRef<MachineOp> Ops, ArrayRef<uint8_t> Width,
             llvm::function_ref<bool(const MachineOp &)> IsSlow = nullptr);

  /// The contrary: moves loads and pure operations down to their first use in
  /// the block where that shortens lives. \p LiveAtEnd is what the block's
  /// successors read.
  std::vector<unsigned> sinkToUses(ArrayRef<MachineOp> Ops,
                                   ArrayRef<unsigned> LiveAtEnd,
                                   ArrayRef<uint8_t> Width);

private:
  /// A place in the block for some of the values, by their ids.
  class Slots {
  public:
    static constexpr unsigned None = ~0U;
    /// Forgets all, and makes room for \p NumValues.
    void reset(size_t NumValues);
    bool has(unsigned V) const { return Slots[V].Round == Round; }
    /// None also where a value is at no place.
    unsigned at(unsigned V) const { return has(V) ? Slots[V].Place : None; }
    void set(unsigned V, unsigned Place) { Slots[V] = {Round, Place}; }
    void erase(unsigned V) { Slots[V].Round = 0; }

  private:
    struct Slot {
      unsigned Round = 0, Place = 0;
    };
    std::vector<Slot> Slots;
    unsigned Round = 0; ///< a slot of another round is empty
  };

  Slots OfValues;
};

} // namespace ptxpredict

#endif // PTXPREDICT_CODEGEN_LATENCYSCHEDULER_H

//===- BlockTickets.h - Numbers that blocks draw ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A block may take its number from a counter, in the order in which blocks
// start, in place of its index: one thread adds to the counter and hands what
// it found there to the others in shared memory. Each block then has another
// number. They are taken to be in the order of the indices, which changes
// nothing of the whole launch unless code mixes both.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BLOCKTICKETS_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BLOCKTICKETS_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"

namespace ptxpredict {

class BufferLoads;

/// What an atomic operation that one thread of each block executes once gives
/// to the block with number N, counted along x, y, z: First + N * Step.
struct BlockTicket {
  uint64_t First = 0, Step = 1;
};

/// Those of a kernel without calls, at a launch that is given.
class BlockTickets {
public:
  /// Null where there are none. A kernel that may have some costs as much as
  /// all its values once more. All arguments must outlive the result.
  static std::shared_ptr<const BlockTickets>
  find(const InstructionGraph &G, const ControlFlow &CF,
       const LaunchConfig &Launch, unsigned CallBudget,
       const std::shared_ptr<const BufferLoads> &Contents);

  /// Null for another instruction.
  const BlockTicket *of(const Instruction &I) const {
    auto It = Tickets.find(&I);
    return It == Tickets.end() ? nullptr : &It->second;
  }
  /// Of a load of shared memory: the store, by one thread of the block, of a
  /// ticket or of what comes from one, that it reads. Null for another one.
  const Instruction *storeFor(const Instruction &Load) const {
    return Loads.lookup(&Load);
  }
  /// Whether storeFor() gives \p Store for some load.
  bool isHandedOver(const Instruction &Store) const {
    return Stores.count(&Store);
  }
  ArrayRef<TicketPlace> places() const { return Places; }

private:
  class Finder;
  llvm::DenseMap<const Instruction *, BlockTicket> Tickets;
  llvm::DenseMap<const Instruction *, const Instruction *> Loads;
  llvm::DenseMap<const Instruction *, bool> Stores;
  SmallVector<TicketPlace, 1> Places;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BLOCKTICKETS_H

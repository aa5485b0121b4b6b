//===- PollingLoops.h - Loops that wait for others --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A loop that asks again and again whether other threads have come so far does
// no work of its own: how often it asks depends on when it comes. Its one trip
// is the one in which the answer is yes.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_POLLINGLOOPS_H
#define PTXPREDICT_GRAPH_POLLINGLOOPS_H

#include "ptxpredict/Graph/CFG.h"

namespace ptxpredict {

/// What a polling loop asks for.
enum class PollKind : uint8_t {
  MBarrier, ///< a phase of an mbarrier: mbarrier.try_wait, test_wait
  Memory,   ///< a value in memory: a volatile, relaxed or acquire load, or an
            ///< atomic operation that changes nothing
  Lock,     ///< a lock: atom.cas or atom.exch with the same operands each time
  Clock     ///< a time: a register that counts by itself
};
StringRef toString(PollKind K); ///< "mbarrier", "memory", "lock", "clock"

/// One of them.
struct PollingLoop {
  unsigned Cycle = 0; ///< in ControlFlow::cycles()
  PollKind Kind = PollKind::Memory;
  const Instruction *Poll = nullptr; ///< the first one that asks
  /// The variable or parameter that the poll's address comes from, if it is
  /// one; else empty.
  StringRef Object;
  /// Conditional branches out of the loop that an answer decides. Other
  /// branches out of it are for giving up, and are not taken.
  SmallVector<const Instruction *, 1> Exits;
  /// What runs in the one trip, in program order.
  SmallVector<const Block *, 2> Once;

  /// "mbarrier full", "memory": what it waits for, in words.
  std::string waitsFor() const;
  bool isExit(const Instruction &Branch) const {
    return llvm::is_contained(Exits, &Branch);
  }
  bool runs(const Block &B) const { return llvm::is_contained(Once, &B); }
};

/// The polling loops of one function, told by what they do:
/// - At least one branch out of the loop is decided by what a poll returned,
///   and by nothing else that changes. Other branches out of it depend on a
///   clock or on a number of attempts alone.
/// - A poll asks for the same thing each time. A strong load of global memory
///   may go on to other places unless something but polls ends the loop: a scan
///   that looks back at what the blocks before have done. If a polling loop
///   inside waits at each place first, the first block may end it, too.
/// - Nothing else is done: no store, no other effect on memory, no barrier, no
///   call, and nothing left behind that iterations added up. One thread may ask
///   for its block: what polls returned is stored at a place in shared memory
///   and loaded again, with barriers.
///
/// Cost is linear in the code of the loops, times their depth.
class PollingLoops {
public:
  explicit PollingLoops(const InstructionGraph &G);

  ArrayRef<PollingLoop> loops() const { return Loops; } ///< outer ones first
  /// Null if the cycle is none.
  const PollingLoop *of(unsigned Cycle) const;

private:
  std::vector<PollingLoop> Loops;
};

} // namespace ptxpredict

#endif // PTXPREDICT_GRAPH_POLLINGLOOPS_H

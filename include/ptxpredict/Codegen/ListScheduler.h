//===- ListScheduler.h - A block's code as an assembler orders it -*- C++
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// As LLVM's ScheduleDAGRRList and MachineScheduler, top down: what the end of
// the block waits for longest comes first, and nothing comes before its
// operands if something else can.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_LISTSCHEDULER_H
#define PTXPREDICT_CODEGEN_LISTSCHEDULER_H

#include "ptxpredict/Codegen/MachineCode.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>

namespace ptxpredict {

class ListScheduler {
public:
  /// Registers that values are in, by their ids.
  using RegisterMap = llvm::function_ref<uint32_t(unsigned)>;

  /// An order of the operations of a block without its branch, as indices into
  /// \p Ops: each is at most \p Window places before one that it overtakes. A
  /// register is read and written in the order of the code, and so are
  /// predicates; memory stays in order as Scheduler::hoistLoads has it. \p
  /// Guards: by operation, a predicate that it is executed under in addition to
  /// its own; null if there is none. Cost is that of sorting.
  std::vector<unsigned> order(ArrayRef<MachineOp> Ops,
                              ArrayRef<const Value *> Guards, unsigned Window,
                              RegisterMap RegisterOf);

private:
  static constexpr unsigned None = ~0U;
  /// What must come after an operation, by how many cycles.
  struct Edge {
    unsigned To, Cycles;
    unsigned Next; ///< of the same operation, or None
  };
  /// Of a register, if Round is that of the block.
  struct Slot {
    unsigned Round = 0;
    unsigned Writer = None;
    unsigned Readers = None; ///< since then: into Reads
  };
  struct Reader {
    unsigned Op, Next;
  };

  void addValues(const MachineOp &Op, const Value *Guard, unsigned K,
                 RegisterMap RegisterOf);
  void addMemory(const MachineOp &Op, unsigned K);
  Slot &slotOf(uint32_t Register);
  void read(uint32_t Register, unsigned K);
  void write(uint32_t Register, unsigned K);
  void add(unsigned From, unsigned To, unsigned Cycles);

  // Kept from block to block for their memory.
  unsigned Round = 0;
  std::vector<Slot> Slots; ///< by register
  std::vector<Reader> Reads;
  std::vector<Edge> Edges;
  std::vector<unsigned> FirstEdge, NumBefore, Latency, ToEnd, At;
  std::vector<bool> IsDone;
  std::vector<unsigned> Ready; ///< a heap
  std::vector<std::pair<unsigned, unsigned>>
      Later; ///< a heap: cycle, operation

  // Of memory in the block.
  static constexpr unsigned NumSpaces = unsigned(AddressSpace::Texture) + 1;
  std::array<unsigned, NumSpaces> LastStore{};
  unsigned LastAnyStore = None, LastBarrier = None;
  std::vector<unsigned> Loads; ///< since the last store or barrier
};

} // namespace ptxpredict

#endif // PTXPREDICT_CODEGEN_LISTSCHEDULER_H

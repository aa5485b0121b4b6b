//===- Mem2RegImpl.h - How local variables get SSA form ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_MEM2REGIMPL_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_MEM2REGIMPL_H

#include "ptxpredict/Analysis/Symbolic/Mem2Reg.h"
#include "ptxpredict/Graph/PhiPlacement.h"

namespace ptxpredict {

/// Finds slots, places phis and renames, as SSA construction does for
/// registers.
class Mem2Reg::Builder {
public:
  Builder(Mem2Reg &Result, const InstructionGraph &Graph,
          const ControlFlow &Flow)
      : Out(Result), G(Graph), CF(Flow) {}

  void run();

private:
  /// A local variable's address plus something.
  struct Pointer {
    unsigned Variable = 0;         ///< index
    std::optional<int64_t> Offset; ///< bytes; nothing if it is computed
  };

  /// One element of a load or store at a constant offset.
  struct Piece {
    const Instruction *I;
    unsigned Element;
    unsigned Variable;
    int64_t Offset;
    unsigned Bytes;
    int Slot = -1;
  };

  /// What happens to slots, in the order of the code.
  struct Event {
    const Instruction *I;
    unsigned Element;
    unsigned Slot;  ///< the slot, or the variable that is clobbered
    bool IsClobber; ///< of all slots of the variable
  };
  /// A local variable.
  struct State {
    const ptxpredict::Variable *Var = nullptr;
    bool IsLost = false; ///< nothing of it is promoted
    /// The address is somewhere where it cannot be followed.
    bool Escapes = false;
    unsigned FirstSlot = 0, NumSlots = 0, NumClobbers = 0;
    std::vector<Block *> ClobberBlocks;
  };
  struct Slot {
    ScalarType Type;
    StringRef Name;
    unsigned Variable;
    uint64_t Offset;
    unsigned Versions = 0;
  };
  /// Where a slot is written, read before it is written in the block, written
  /// whatever happens, and accessed at all.
  struct Life {
    SmallVector<Block *, 2> Defs, Uses, Kills, Accesses;
  };

  void followPointers();
  void use(const Instruction &I, const Operand &O, Pointer P);
  void access(const Instruction &I, Pointer P);
  void result(const Instruction &I, Pointer P);
  void findSlots();
  void findClobbers();
  void collect();
  bool addClobbers(const State &V, uint64_t &Budget);
  void placePhis(PhiPlacement &Places);
  void addPhi(unsigned S, Block *B);
  void rename(PhiPlacement &Places);
  void renameBlock(Block *B);
  void listUsers();
  Value *newValue(unsigned S, Instruction *Def);
  Value *current(unsigned S);
  void define(unsigned S, Value *V);

  Mem2Reg &Out;
  const InstructionGraph &G;
  const ControlFlow &CF;
  std::vector<State> Variables;
  llvm::DenseMap<const Variable *, unsigned> IndexOf;
  llvm::DenseMap<const Value *, Pointer> Pointers;
  std::vector<const Value *> Work; ///< pointers whose users are not seen yet
  std::vector<Piece> Pieces;
  std::vector<std::pair<const Instruction *, unsigned>> Clobbers;
  std::vector<Slot> Slots;
  std::vector<Event> Events;
  std::vector<unsigned> FirstEvent; ///< by block
  std::vector<Life> Lives;          ///< by slot
  std::vector<SmallVector<std::pair<unsigned, Instruction *>, 0>> PhiSlots;
  std::vector<std::vector<unsigned>> ClobberedSlots; ///< by block, ascending
  std::vector<Value *> Current; ///< by slot, during renaming
  std::vector<Value *> Undefined;
  std::vector<std::pair<unsigned, Value *>> Undo;
  std::vector<std::pair<Value *, Instruction *>> Uses; ///< in order
  /// By block and successor: the edge's place among the latter's predecessors.
  std::vector<SmallVector<unsigned, 2>> EdgeIndex;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_MEM2REGIMPL_H

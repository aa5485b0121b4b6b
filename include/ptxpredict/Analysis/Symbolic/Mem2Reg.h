//===- Mem2Reg.h - What local variables hold --------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_SYMBOLIC_MEM2REG_H
#define PTXPREDICT_ANALYSIS_SYMBOLIC_MEM2REG_H

#include "ptxpredict/Graph/CFG.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Allocator.h"

namespace ptxpredict {

/// The contents of `.local` variables in SSA form, beside the graph, whose
/// loads and stores stay what they are. Code that is not optimised keeps all
/// its variables there.
///
/// A slot is a run of bytes of a variable that is always accessed as a whole,
/// at the variable's address plus a constant. What overlaps another one is not
/// looked at. What else may write a slot is listed: a store at a computed
/// offset or, if the address got out of sight (into memory, a call, a phi, …),
/// any store, atomic or call.
class Mem2Reg {
public:
  Mem2Reg(const InstructionGraph &G, const ControlFlow &CF);
  Mem2Reg(const Mem2Reg &) = delete;
  Mem2Reg &operator=(const Mem2Reg &) = delete;

  /// Whether \p G has variables that may be promoted at all.
  static bool appliesTo(const InstructionGraph &G);

  /// What a slot holds at some point is a Value; their ids follow those of the
  /// graph. Its definition is a phi, a store, or nothing where nothing was
  /// written yet. Its type has the slot's width.
  size_t numValues() const { return NumValues; }

  /// The phis of slots at a block's start: pseudo instructions that stand in no
  /// block's list.
  ArrayRef<Instruction *> phis(const Block *B) const { return Phis[B->Number]; }

  /// One element of a load or store that accesses a slot.
  struct Element {
    /// What the slot held before; null if there is no slot.
    const Value *Before = nullptr;
    /// Of a store: what it holds then. Under a guard that is the former
    /// content where the guard does not hold.
    const Value *After = nullptr;
  };
  /// By element of the vector; empty where no element is of a slot.
  ArrayRef<Element> elements(const Instruction &I) const {
    auto It = Accesses.find(&I);
    return It == Accesses.end() ? ArrayRef<Element>() : It->second;
  }

  /// A slot that an instruction may write in ways that were not followed.
  struct Clobber {
    const Variable *Var;
    uint64_t Offset; ///< bytes
    unsigned Bytes;
    const Value *Before, *After;
  };
  ArrayRef<Clobber> clobbers(const Instruction &I) const {
    auto It = Clobbers.find(&I);
    return It == Clobbers.end() ? ArrayRef<Clobber>() : ArrayRef(It->second);
  }

private:
  class Builder;
  size_t NumValues = 0;
  std::vector<SmallVector<Instruction *, 0>> Phis; ///< by block
  llvm::DenseMap<const Instruction *, SmallVector<Element, 1>> Accesses;
  llvm::DenseMap<const Instruction *, std::vector<Clobber>> Clobbers;
  llvm::BumpPtrAllocator Arena; ///< phis, their operands, names
  llvm::SpecificBumpPtrAllocator<Value> Values;
};

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_SYMBOLIC_MEM2REG_H

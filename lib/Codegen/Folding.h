//===- Folding.h - What needs no register of its own ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Dead code, copies, constants, and what an address takes in: the facts of a
// graph's values that instruction selection and register pressure share. LLVM
// finds them in DeadMachineInstructionElim, RegisterCoalescer and the matching
// of addressing modes.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CODEGEN_FOLDING_H
#define PTXPREDICT_LIB_CODEGEN_FOLDING_H

#include "ptxpredict/Graph/InstructionGraph.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/DenseMap.h"

namespace ptxpredict {

/// A sum or difference.
inline bool isAdd(const Instruction &I) {
  return ptx::Opcode(I.Opcode) == ptx::Opcode::Add ||
         ptx::Opcode(I.Opcode) == ptx::Opcode::Sub;
}

/// An operand that machine instructions can name without a register.
inline bool isImmediate(const Operand &O) {
  return O.Kind == Operand::KindTy::Integer ||
         O.Kind == Operand::KindTy::Float32 ||
         O.Kind == Operand::KindTy::Float64 ||
         O.Kind == Operand::KindTy::Variable ||
         O.Kind == Operand::KindTy::Parameter ||
         O.Kind == Operand::KindTy::Function;
}

/// Integer conversions that only name fewer bits, or zero bits above them; and
/// those of a byte that its load has extended.
bool isFreeConversion(const Instruction &I);

/// What is folded in one graph. Cost is linear in the code.
class Folding {
public:
  explicit Folding(const InstructionGraph &G);

  /// Nothing depends on it.
  bool isDead(const Instruction &I) const { return !IsNeeded[I.Id]; }
  /// The value in whose register \p V is, itself where it has one of its own.
  unsigned root(const Value &V) const {
    unsigned Id = V.Id;
    while (Root[Id] != Id)
      Id = Root[Id];
    return Id;
  }
  /// The result of \p I is what another value's register already holds.
  bool isFolded(const Instruction &I) const {
    return !I.isPseudo() && !I.Guard && I.Defs.size() == 1 &&
           Root[I.Defs[0]->Id] != I.Defs[0]->Id;
  }
  /// The code writes its register once, so that it may stand for another.
  bool isWrittenOnce(const Value &V) const { return NumDefs[V.Register] == 1; }

  /// An operand can name the value: an immediate, an address that the linker
  /// knows, a kernel parameter, or anything else in constant memory.
  bool isConstant(const Value &V) const { return IsConstant[root(V)]; }
  bool isConstant(const Operand &O) const {
    return isImmediate(O) ||
           (O.Kind == Operand::KindTy::Register && isConstant(*O.Val));
  }
  /// \p I loads from a place of constant memory that an operand can name.
  bool isConstantLoad(const Instruction &I) const;

  /// The value is only used as an addend of integer sums.
  bool isAddend(const Value &V) const { return IsAddend[V.Id]; }
  /// The value is only used as an address of 32 bits (shared and local
  /// memory), or in what becomes one.
  bool isShortAddress(const Value &V) const { return IsShort[V.Id]; }
  /// \p I adds a constant address, that of a shared variable mostly, for
  /// addresses alone, which have it as an offset. The sum keeps a register and
  /// an operation all the same: without them the predicted times of measured
  /// kernels are worse (docs/internals/MachineInstructions.md).
  bool isVariableOffset(const Instruction &I) const;

  /// The operand is a register whose halves are one half of another: packed
  /// arithmetic names that half for both.
  bool isBroadcast(const Operand &O) const {
    return O.Kind == Operand::KindTy::Register && IsBroadcast[O.Val->Id];
  }

private:
  void foldCopies();
  void foldCopy(const Instruction &I);
  void foldHalves(const Instruction &I);
  void foldBroadcast(const Instruction &I);
  void dropDeadCode();
  void foldSign(const Instruction &I);
  void noteUses(const Instruction &I);
  void foldAddresses();
  void foldAddress(const Instruction &I);
  void foldSum(const Instruction &I);

  const InstructionGraph &G;
  std::vector<bool> IsNeeded;    ///< by instruction
  std::vector<unsigned> NumDefs; ///< by register
  /// By value: what it is a copy of, or itself.
  std::vector<unsigned> Root;
  std::vector<bool> IsConstant;  ///< by value
  std::vector<bool> IsBroadcast; ///< by value
  /// By value, by root alone while uses are noted. An address is only a base of
  /// memory accesses, or an addend of a sum that is such an address.
  std::vector<bool> IsAddress, IsShort, IsAddend;
  /// The 64-bit address sums of the block under way, by their addends.
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> Sums;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CODEGEN_FOLDING_H

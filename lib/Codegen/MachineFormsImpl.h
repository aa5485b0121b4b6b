//===- MachineFormsImpl.h - What finds the forms of a graph -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CODEGEN_MACHINEFORMSIMPL_H
#define PTXPREDICT_LIB_CODEGEN_MACHINEFORMSIMPL_H

#include "ptxpredict/Codegen/MachineForms.h"
#include "ptxpredict/ISA/PTXOpcode.h"

namespace ptxpredict {

/// What \p I is by itself, whatever is around it.
InstructionForm formByOpcode(const Instruction &I);

/// An operand that machine instructions can name without a register.
inline bool isImmediate(const Operand &O) {
  return O.Kind == Operand::KindTy::Integer ||
         O.Kind == Operand::KindTy::Float32 ||
         O.Kind == Operand::KindTy::Float64 ||
         O.Kind == Operand::KindTy::Variable ||
         O.Kind == Operand::KindTy::Parameter;
}

/// A sum or difference.
inline bool isAdd(const Instruction &I) {
  return ptx::Opcode(I.Opcode) == ptx::Opcode::Add ||
         ptx::Opcode(I.Opcode) == ptx::Opcode::Sub;
}

/// Finds the forms of a graph, block by block.
class FormFinder {
public:
  FormFinder(const InstructionGraph &G, const ControlFlow &CF,
             MachineForms &Out)
      : G(G), CF(CF), Out(Out), Dead(G.NumInstructions),
        HasJoined(G.NumInstructions), Constant(G.Values.size()),
        Invariant(G.Values.size()), Divergent(G.Values.size()),
        AddressOnly(G.Values.size()), ShortAddress(G.Values.size()) {}

  void run();

private:
  InstructionForm &form(const Instruction &I) { return Out.Forms[I.Id]; }

  bool isDead(const Instruction &I) const;
  void noteAddresses(const Instruction &I);
  void findDivergent();
  void visit(const Instruction &I);
  void join(const Instruction &I, InstructionForm &F);
  void addConstants(const Instruction &I, InstructionForm &F);
  bool isUniform(const Instruction &I, MachineForm F) const;
  bool isInvariant(const Instruction &I) const;
  bool isConstantLike(const Operand &O) const {
    return isImmediate(O) ||
           (O.Kind == Operand::KindTy::Register && Constant[O.Val->Id]);
  }
  MachineForm special(const Instruction &I);
  MachineForm load(const Instruction &I) const;
  bool accessRegisters(const Instruction &I, InstructionForm &F) const;
  MachineForm atomic(const Instruction &I) const;
  MachineForm move(const Instruction &I);
  MachineForm sign(const Instruction &I, MachineForm Result) const;
  void converge(const Block &B);
  bool isBeforeTarget(const Block &B) const;
  bool isPredicated(const Block &B) const;

  /// The only instruction that uses \p V; null if there are more, or none.
  const Instruction *onlyUser(const Value &V) const {
    const Instruction *Found = nullptr;
    for (const Instruction *U : V.Users) {
      if (Dead[U->Id])
        continue;
      if (Found)
        return nullptr;
      Found = U;
    }
    return Found;
  }
  /// What defines the operand if only \p User reads it, in the same block and
  /// without guards; null otherwise.
  const Instruction *joinable(const Operand &O, const Instruction &User) const {
    if (O.Kind != Operand::KindTy::Register || !O.Val->Def || User.Guard)
      return nullptr;
    const Instruction *D = O.Val->Def;
    if (D->isPseudo() || D->Guard || D->Parent != User.Parent ||
        onlyUser(*O.Val) != &User)
      return nullptr;
    return D;
  }

  const InstructionGraph &G;
  const ControlFlow &CF;
  MachineForms &Out;
  std::vector<bool> Dead;      ///< by instruction
  std::vector<bool> HasJoined; ///< by instruction: has taken another in
  std::vector<bool> Constant;  ///< by value: an immediate or parameter
  std::vector<bool> Invariant; ///< by value: computed before its loop
  std::vector<bool> Divergent; ///< by value: differs between lanes
  /// By value: it is only an address, or a sum that is only an address.
  std::vector<bool> AddressOnly;
  /// By value: likewise, and only of a memory whose addresses
  /// have 32 bits (shared, local, constant); also what only such values are
  /// made from.
  std::vector<bool> ShortAddress;
  SmallVector<StringRef, 8> SpecialsRead;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CODEGEN_MACHINEFORMSIMPL_H

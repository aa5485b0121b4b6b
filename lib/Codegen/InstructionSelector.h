//===- InstructionSelector.h - What each instruction becomes ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CODEGEN_INSTRUCTIONSELECTOR_H
#define PTXPREDICT_LIB_CODEGEN_INSTRUCTIONSELECTOR_H

#include "Folding.h"
#include "ptxpredict/Codegen/MachineCode.h"
#include "llvm/ADT/DenseSet.h"

namespace ptxpredict {

/// Finds the forms of a graph, in the order of the code.
class InstructionSelector {
public:
  InstructionSelector(const Folding &Folded, const InstructionGraph &G,
                      const ControlFlow &CF, MachineCode &Out)
      : Folded(Folded), G(G), CF(CF), Out(Out), HasJoined(G.NumInstructions),
        Invariant(G.Values.size()), Divergent(G.Values.size()),
        Uniform(G.Values.size()) {}

  void run();

  /// The value is made from constants and the block's index alone, by integer
  /// work that uniform registers have, since 7.5.
  bool isUniform(const Value &V) const { return Uniform[Folded.root(V)]; }

private:
  InstructionForm &form(const Instruction &I) { return Out.Forms[I.Id]; }

  void select(const Instruction &I);
  bool selectMemory(const Instruction &I, InstructionForm &F);
  bool selectWithoutWork(const Instruction &I, InstructionForm &F);
  bool shapeAddress(const Instruction &I, InstructionForm &F) const;
  MachineForm special(const Instruction &I);
  MachineForm fixedLoad(const Operand &Address);
  MachineForm load(const Instruction &I);
  bool accessRegisters(const Instruction &I, InstructionForm &F) const;
  MachineForm atomic(const Instruction &I) const;
  MachineForm move(const Instruction &I) const;
  MachineForm constant(const Instruction &I) const;
  bool isInvariant(const Instruction &I) const;
  bool hasUniformOperands(const Instruction &I) const;
  void noteUniform(const Instruction &I, InstructionForm &F);

  // InstructionCombiner.cpp
  bool takeIn(const Instruction &I, MachineForm From, MachineForm As,
              llvm::function_ref<bool(const Instruction &)> Fits);
  void combine(const Instruction &I, InstructionForm &F);
  void combineSum(const Instruction &I, InstructionForm &F);
  void combineSum64(const Instruction &I, InstructionForm &F);
  void addConstants(const Instruction &I, InstructionForm &F);

  // ControlForms.cpp
  void findDivergent();
  void converge(const Block &B);
  bool isBeforeTarget(const Block &B) const;
  bool isPredicated(const Block &B) const;

  /// The only instruction that uses \p V; null if there are more, or none.
  const Instruction *onlyUser(const Value &V) const;
  /// What defines the operand if only \p User reads it, in the same block and
  /// without guards; null otherwise.
  const Instruction *joinable(const Operand &O, const Instruction &User) const;

  const Folding &Folded;
  const InstructionGraph &G;
  const ControlFlow &CF;
  MachineCode &Out;
  std::vector<bool> HasJoined; ///< by instruction: has taken another in
  std::vector<bool> Invariant; ///< by value: computed before its loop
  std::vector<bool> Divergent; ///< by value: differs between lanes
  std::vector<bool> Uniform;   ///< by value
  /// By constant: the last block that has it in a register.
  llvm::DenseMap<std::pair<unsigned, uint64_t>, const Block *> ConstantIn;
  SmallVector<StringRef, 8> SpecialsRead;
  /// Places of constant memory that are read, as a base and an offset.
  llvm::DenseSet<std::pair<const void *, int64_t>> PlacesRead;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CODEGEN_INSTRUCTIONSELECTOR_H

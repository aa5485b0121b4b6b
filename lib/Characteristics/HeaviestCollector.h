//===- HeaviestCollector.h - What the heaviest blocks do --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_HEAVIESTCOLLECTOR_H
#define PTXPREDICT_LIB_CHARACTERISTICS_HEAVIESTCOLLECTOR_H

#include "EstimatedCounts.h"
#include "ptxpredict/Codegen/MachineCode.h"
#include "ptxpredict/Codegen/MatrixProduct.h"

namespace ptxpredict {

/// Adds executions to a count that may be absent.
void addTo(std::optional<Estimate> &Count, const Estimate &Executions);

/// Adds what an assembler makes of an instruction to the counts of \p To.
void addForm(const InstructionForm &F, const Estimate &Executions,
             KernelCharacteristics &To);

/// Adds so many multiply-adds of a matrix instruction to the counts of \p To.
void addMatrix(const MatrixProduct &P, const Estimate &MACs,
               KernelCharacteristics &To);

/// Finds what the heaviest blocks do over what the launch does in the mean, as
/// the code is gone through. Both are what the static analysis says, whatever a
/// run counted. Refers to what it is made from.
class HeaviestCollector {
public:
  HeaviestCollector(const WorkClass &C, const EstimatedCounts &Mean);

  void addInstruction(const Instruction &I, const InstructionForm &F);
  void addMatrix(const Instruction &I, const MatrixProduct &P);
  /// Something that an assembler puts into a block, or once into the kernel.
  void addForm(MachineForm F, const Block *B);
  /// Effects on memory in the order of KernelCharacteristics::Memory.
  void addMemory(const Instruction &I, unsigned Number);

  /// All but the path.
  HeaviestBlocksCharacteristics finish();

private:
  const WorkClass &Class;
  const EstimatedCounts Counts; ///< of these blocks
  const EstimatedCounts &Mean;  ///< of all
  KernelCharacteristics Here, All;
  std::vector<double> Requests;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_HEAVIESTCOLLECTOR_H

//===- OperationFacts.h - What machine operations do and take ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The table is ISA/SASSFacts.def.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_FRONTEND_SASS_OPERATIONFACTS_H
#define PTXPREDICT_FRONTEND_SASS_OPERATIONFACTS_H

#include "ptxpredict/Codegen/SchedClass.h"
#include "ptxpredict/Frontend/SASS/MachineInstruction.h"

namespace ptxpredict::sass {

/// The unit of an SM that runs an operation.
enum class Pipe : uint8_t {
  ALU,          ///< integers, logic, comparisons
  FMA,          ///< floats, and products of integers
  FP16,         ///< halves, where they have a pipe of their own
  FP64,         ///< doubles
  XU,           ///< special functions, most conversions
  Tensor,       ///< products of matrices
  TensorMemory, ///< the memory of the tensor cores
  LSU,          ///< memory, shuffles, special registers
  TEX,          ///< textures and surfaces
  TMA,          ///< bulk copies
  ADU,          ///< constants with an index, barriers of the block
  CBU,          ///< branches and where they meet
  Uniform,      ///< what is the same for the warp
  Other         ///< not known
};
StringRef toString(Pipe P); ///< "fma"

/// When results are there and operands are read.
enum class Timing : uint8_t {
  Fixed,   ///< after a number of cycles that the stalls before a use hold
  Variable ///< when the scoreboard says so
};

struct OperationFacts {
  Pipe RunsOn = Pipe::Other;
  Timing Results = Timing::Fixed;
  SchedClass Class = SchedClass::Other;
};

/// Those of \p I on \p Architecture (90); nothing if it is not known.
std::optional<OperationFacts> factsOf(const MachineInstruction &I,
                                      unsigned Architecture);

enum class RegisterFile : uint8_t {
  General,
  Uniform,
  Predicate,
  UniformPredicate,
  Convergence ///< where diverged lanes meet: B0
};

/// Registers side by side that an instruction reads or writes. The zero
/// registers and PT are none.
struct RegisterUse {
  RegisterFile File = RegisterFile::General;
  uint8_t First = 0, Number = 1;
  bool IsWritten = false;
};

/// Prints "R4".
void printRegister(RegisterFile File, unsigned Number, raw_ostream &OS);

/// What \p I reads, its guard among it, and then what it writes. Nothing of an
/// operation that is not known.
SmallVector<RegisterUse, 8> registersOf(const MachineInstruction &I,
                                        unsigned Architecture);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_FRONTEND_SASS_OPERATIONFACTS_H

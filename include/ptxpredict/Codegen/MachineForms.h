//===- MachineForms.h - What becomes of each instruction --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Which kind of machine work an instruction is once the assembler has folded
// what other instructions do in passing. How many machine instructions that is,
// a generation's compiler says (Model/MachineWork.h).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_MACHINEFORMS_H
#define PTXPREDICT_CODEGEN_MACHINEFORMS_H

#include "ptxpredict/Codegen/LocalArrays.h"
#include "ptxpredict/Codegen/SchedClass.h"
#include "ptxpredict/Graph/CFG.h"
#include <optional>
#include <vector>

namespace ptxpredict {

enum class MachineForm : uint8_t {
#define MACHINE_FORM(NAME, TEXT, WORK, MEANING) NAME,
#include "ptxpredict/Codegen/MachineForms.def"
};
constexpr unsigned NumMachineForms = unsigned(MachineForm::Other) + 1;

/// The name of MachineForms.def.
StringRef toString(MachineForm F);
/// The kind of work that it is.
SchedClass schedClassOf(MachineForm F);

/// Matrix instructions of a warp are counted by so many products: how large one
/// is, each generation decides.
constexpr double MatrixUnitMACs = 256;

/// What one instruction becomes.
struct InstructionForm {
  MachineForm Form = MachineForm::Folded;
  /// Integer work on what all lanes of a warp share.
  bool IsUniform = false;
  /// Constants that it needs in registers of their own.
  uint8_t ExtraConstants = 0;
  /// Accesses of shared memory that are one request together, itself included.
  uint8_t Joined = 1;
  /// Of an access of an array in registers: the moves, each of its form, and
  /// the comparisons.
  unsigned Moves = 0, Compares = 0;
  /// Products that a matrix instruction adds, of one warp.
  unsigned MACs = 0;
};

/// The forms of one graph's instructions.
class MachineForms {
public:
  /// \p CF is of \p G. Cost is linear in the code.
  MachineForms(const InstructionGraph &G, const ControlFlow &CF);

  /// Pseudo instructions are folded.
  InstructionForm of(const Instruction &I) const { return Forms[I.Id]; }
  /// Local variables that lie in registers.
  const LocalArrays &locals() const { return Locals; }
  /// The blocks, by number, before whose end the lanes that will part are told
  /// where to meet; a block stands once for each such place.
  ArrayRef<unsigned> convergence() const { return Converging; }

private:
  friend class FormFinder;
  LocalArrays Locals;
  std::vector<InstructionForm> Forms; ///< by instruction
  std::vector<unsigned> Converging;
};

} // namespace ptxpredict

#endif // PTXPREDICT_CODEGEN_MACHINEFORMS_H

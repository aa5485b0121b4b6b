//===- MachineCode.h - What an assembler makes of PTX -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Our instruction selection: what each PTX instruction becomes, and what it
// reads and writes in the register file, once dead code and copies are gone and
// other instructions have taken in what they do in passing. LLVM does this in
// SelectionDAGISel, PeepholeOptimizer and RegisterCoalescer; the schedulers and
// RegisterPressure work on the result, as on LLVM's MachineFunction.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_MACHINECODE_H
#define PTXPREDICT_CODEGEN_MACHINECODE_H

#include "ptxpredict/Codegen/LocalArrays.h"
#include "ptxpredict/Codegen/MachineForms.h"
#include "ptxpredict/Graph/CFG.h"
#include <vector>

namespace ptxpredict {

/// What one PTX instruction becomes.
struct InstructionForm {
  MachineForm Form = MachineForm::Folded;
  /// Integer work on what all lanes of a warp share.
  bool IsUniform = false;
  /// Constants that it is the first of its block to need in registers.
  uint8_t ExtraConstants = 0;
  /// Accesses of shared memory that are one request together, itself included.
  uint8_t Joined = 1;
  /// The moves, each of its form, and the comparisons that an access of an
  /// array in registers takes.
  unsigned Moves = 0, Compares = 0;
  /// Of the counting, the test and the jump of a loop that is unrolled: the
  /// iterations that share one.
  uint8_t SharedBy = 1;
  /// Products that a matrix instruction adds, of one warp.
  unsigned MACs = 0;
  /// The instruction that computes it in passing and reads its operands; null
  /// if it is an operation of its own, or none at all.
  const Instruction *Into = nullptr;
};

/// One operation that remains. Uses and Defs are ids of values that need a
/// register.
struct MachineOp {
  enum class KindTy : uint8_t { Other, Pure, Load, Store, Barrier };
  const Instruction *Source = nullptr;
  KindTy Kind = KindTy::Other;
  /// Which memory a load or store accesses; Const where nothing orders it.
  AddressSpace Space = AddressSpace::Const;
  uint8_t Temporaries = 0; ///< registers that only its expansion holds
  SmallVector<unsigned, 4> Uses;
  SmallVector<unsigned, 2> Defs;
};

/// A value that is merged at the start of a block.
struct MachinePhi {
  static constexpr unsigned NoValue = ~0U;
  unsigned Def = 0;
  SmallVector<unsigned, 2> Uses; ///< as the predecessors; NoValue if undefined
};

struct MachineBlock {
  const Block *Source = nullptr;
  bool IsUnrolled = false; ///< a loop that the assembler copies
  std::vector<MachinePhi> Phis;
  std::vector<MachineOp> Ops; ///< in the order of the code
};

/// The machine code of one graph.
class MachineCode {
public:
  /// \p CF is of \p G. Cost is linear in the code.
  MachineCode(const InstructionGraph &G, const ControlFlow &CF);
  /// As an analysis that is kept with the body.
  explicit MachineCode(const InstructionGraph &G)
      : MachineCode(G, G.analysis<ControlFlow>()) {}

  /// Pseudo instructions are folded.
  const InstructionForm &form(const Instruction &I) const {
    return Forms[I.Id];
  }
  /// Local variables that lie in registers.
  const LocalArrays &locals() const { return Locals; }
  /// The blocks, by number, before whose end the lanes that will part are told
  /// where to meet; a block stands once for each such place.
  ArrayRef<unsigned> convergence() const { return Converging; }

  ArrayRef<MachineBlock> blocks() const { return Blocks; } ///< by number
  /// 32-bit registers that a value takes, by id; 0 for what needs none: a
  /// predicate, a constant, what a uniform register holds, and what is in
  /// another value's register.
  ArrayRef<uint8_t> widths() const { return Widths; }

private:
  void unrollLoops();
  /// Of a graph that was lifted from machine code: as it stands.
  void take(const InstructionGraph &G);

  friend class InstructionSelector;
  friend class OperationBuilder;
  LocalArrays Locals;
  std::vector<InstructionForm> Forms; ///< by instruction
  std::vector<unsigned> Converging;
  std::vector<MachineBlock> Blocks;
  std::vector<uint8_t> Widths;
};

} // namespace ptxpredict

#endif // PTXPREDICT_CODEGEN_MACHINECODE_H

//===- InstructionGraph.cpp - One kernel or device function in SSA form ---===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/InstructionGraph.h"

using namespace ptxpredict;

void InstructionGraph::dropBody() {
  Analyses.clear();
  LocalVariables = {};
  FormalRegisters = {};
  Registers = {};
  Blocks = {};
  Values = {};
  NumInstructions = NumDroppedInstructions = 0;
  Memory.reset();
}

const InstructionGraph *Instruction::callee() const {
  for (const Operand &O : Operands)
    if (O.Kind == Operand::KindTy::Function && O.Callee)
      return O.Callee;
  return nullptr;
}

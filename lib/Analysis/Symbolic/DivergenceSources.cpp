//===- DivergenceSources.cpp - Where lanes begin to differ ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Symbolic/DivergenceSources.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;
using ptx::Opcode;

/// Of a call; of parameters, the kernel's and the function's own, nothing.
static bool readsResult(const Instruction &I, const MemoryEffect &E) {
  if (E.Space != AddressSpace::Param || E.Access != AccessKind::Load)
    return false;
  const Operand &O = I.Operands[E.AddressOperand];
  const Operand &Base = O.Elements.empty() ? O : O.Elements[0];
  return Base.Kind != Operand::KindTy::Parameter;
}

bool ptxpredict::isDivergenceSource(const Instruction &I,
                                    const LaunchConfig &Launch) {
  for (const Operand &O : I.Operands) {
    if (O.Kind != Operand::KindTy::Special)
      continue;
    if (O.Name == "%laneid" || O.Name.starts_with("%lanemask"))
      return true;
    if (O.Name == "%tid" || O.Name == "%tid.x" ||
        (O.Name.starts_with("%tid") && Launch.Block.X % WarpSize != 0))
      return true;
  }
  for (const MemoryEffect &E : I.Effects)
    if (E.Access == AccessKind::Atomic || E.Space == AddressSpace::Local ||
        E.Space == AddressSpace::Generic || readsResult(I, E))
      return true;
  Opcode Op = Opcode(I.Opcode);
  return I.IsCall || Op == Opcode::Shfl || Op == Opcode::Elect;
}

//===- DivergenceSources.cpp - Where lanes begin to differ ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Symbolic/DivergenceSources.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;
using ptx::Opcode;

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
        E.Space == AddressSpace::Generic)
      return true;
  Opcode Op = Opcode(I.Opcode);
  return I.IsCall || Op == Opcode::Shfl || Op == Opcode::Elect;
}

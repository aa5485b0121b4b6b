//===- WrittenArrays.cpp - What of global memory is written ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WrittenArrays.h"
#include "CallContexts.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;

bool counting::isGlobal(AddressSpace Space, const Expression *Address) {
  if (Space == AddressSpace::Generic && Address)
    Space = resolveSpace(*Address);
  return Space == AddressSpace::Global || Space == AddressSpace::Generic;
}

const Expression *counting::addressOf(const SymbolicValues &V,
                                      const Instruction &I,
                                      const MemoryEffect &E) {
  return V.of(I, I.Operands[E.AddressOperand], 64);
}

bool counting::isWeakLoad(const Instruction &I) {
  if (I.isPseudo() || Opcode(I.Opcode) != Opcode::Ld || I.Effects.size() != 1)
    return false;
  return !ptx::hasAnyModifier(I.Modifiers,
                              {"volatile", "relaxed", "acquire", "mmio", "cv"});
}

/// Functions of the toolkit's runtime that write nothing of the kernel's.
static bool writesNothing(const Instruction &Call) {
  return llvm::any_of(Call.Operands, [](const Operand &O) {
    return O.Kind == Operand::KindTy::Function && !O.Callee &&
           (O.Name == "vprintf" || O.Name == "__assertfail");
  });
}

WrittenArrays::WrittenArrays(const SymbolicValues &Kernel,
                             const LaunchConfig &Launch)
    : ArrayOf(Kernel.graph(), Launch) {
  forEachContext(Kernel, [this](const SymbolicValues &V) { add(V); });
}

void WrittenArrays::add(const SymbolicValues &V) {
  V.graph().forEachInstruction([&](const Instruction &I) {
    WritesAnywhere |=
        I.IsUnknown || (I.IsCall && !V.callee(I) && !writesNothing(I));
    for (const MemoryEffect &E : I.Effects) {
      const Expression *Address = E.Writes ? addressOf(V, I, E) : nullptr;
      if (!E.Writes || !isGlobal(E.Space, Address))
        continue;
      if (const Symbol *To = Address ? findBase(*Address) : nullptr)
        Written.insert(ArrayOf.of(*To));
      else
        WritesAnywhere = true;
    }
  });
}

//===- FormsByOpcode.h - Forms by opcode and types --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CODEGEN_FORMSBYOPCODE_H
#define PTXPREDICT_LIB_CODEGEN_FORMSBYOPCODE_H

#include "ptxpredict/Codegen/MachineCode.h"

namespace ptxpredict {

/// What \p I is by itself, whatever is around it.
InstructionForm formByOpcode(const Instruction &I);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CODEGEN_FORMSBYOPCODE_H

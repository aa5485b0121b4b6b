//===- MachineFormsImpl.h - Forms by opcode and types -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_MACHINEFORMSIMPL_H
#define PTXPREDICT_LIB_ANALYSIS_MACHINEFORMSIMPL_H

#include "ptxpredict/Analysis/MachineForms.h"
#include "ptxpredict/ISA/PTXOpcode.h"

namespace ptxpredict {

/// What \p I is by itself, whatever is around it.
InstructionForm formByOpcode(const Instruction &I);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_MACHINEFORMSIMPL_H

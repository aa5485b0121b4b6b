//===- LoopUnroller.h - Loops that an assembler unrolls ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// As LLVM's LoopUnrollPass, by the rule of ptxas: docs/internals/
// MachineInstructions.md.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_LOOPUNROLLER_H
#define PTXPREDICT_CODEGEN_LOOPUNROLLER_H

#include "ptxpredict/Codegen/MachineCode.h"

namespace ptxpredict {

/// An assembler copies \p B: a counted loop of one block that is small enough
/// and not marked. \p Code has the forms.
bool isUnrolled(const MachineBlock &B, const MachineCode &Code);

/// What a loop of one block has once, however often its body is copied: steps
/// of counters and pointers, its test and its jump.
SmallVector<const Instruction *, 8> loopControl(const Block &Loop);

/// \p B's operations if it is unrolled, copied: the values of the last copy
/// keep their ids, the others get new ones behind those of \p Width, and what
/// only counts is folded into offsets. Empty for another block.
std::vector<MachineOp> unrollOnPaper(const MachineBlock &B,
                                     std::vector<uint8_t> &Width);

} // namespace ptxpredict

#endif // PTXPREDICT_CODEGEN_LOOPUNROLLER_H

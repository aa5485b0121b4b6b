//===- InputLines.h - Where in its input an instruction stood ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_LLVMIR_INPUTLINES_H
#define PTXPREDICT_LIB_FRONTEND_LLVMIR_INPUTLINES_H

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace ptxpredict::llvmir {

/// The line of \p I in the text that it was parsed from, of bitcode in the text
/// that llvm-dis would write; 0 for one that a pass made, and for a module that
/// was not parsed.
unsigned inputLine(const llvm::Instruction &I);
/// The line of the function's head.
unsigned inputLine(const llvm::Function &F);

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_INPUTLINES_H

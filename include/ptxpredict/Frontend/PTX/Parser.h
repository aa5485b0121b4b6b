//===- Parser.h - PTX text to its syntax tree -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_FRONTEND_PTX_PARSER_H
#define PTXPREDICT_FRONTEND_PTX_PARSER_H

#include "ptxpredict/Frontend/PTX/AST.h"
#include "ptxpredict/Support/Diagnostics.h"
#include <memory>

namespace ptxpredict::ptx {

/// Blocks, vectors and expressions may be nested this deeply in each other.
constexpr unsigned MaxNesting = 256;
/// A range `%r<N>` may declare this many registers: far more than code can name
/// in a file of the largest size, and few enough to count them in 32 bits.
constexpr uint64_t MaxRegisterRange = uint64_t(1) << 30;

/// Parses and checks the engine's buffer, which must end with a NUL
/// (llvm::MemoryBuffer's default) and outlive the tree. Never null; if
/// `Diags.hasErrors()` afterwards, the tree holds what could be read and must
/// not be lowered. Takes time linear in the text.
std::unique_ptr<AST> parse(DiagnosticEngine &Diags);

/// Prints \p Module as PTX: print, parse, print gives the same text again.
void print(const AST &Module, raw_ostream &OS);
/// One operand as it is printed in an instruction.
void print(const Operand &O, raw_ostream &OS);

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_FRONTEND_PTX_PARSER_H

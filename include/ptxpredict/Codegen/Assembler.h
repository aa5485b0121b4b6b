//===- Assembler.h - What was found of the assembler ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_ASSEMBLER_H
#define PTXPREDICT_CODEGEN_ASSEMBLER_H

namespace ptxpredict::assembler {

/// What each stands for and where it is from, Assembler.def says.
#define ASSEMBLER_PARAMETER(NAME, TYPE, VALUE, MEANING, SOURCE)                \
  constexpr TYPE NAME = VALUE;
#include "ptxpredict/Codegen/Assembler.def"

} // namespace ptxpredict::assembler

#endif // PTXPREDICT_CODEGEN_ASSEMBLER_H

//===- SpecialRegisters.h - What special registers hold ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_SPECIALREGISTERS_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_SPECIALREGISTERS_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"

namespace ptxpredict {

/// What the special register \p Name, such as "%tid.x", holds where \p I reads
/// it (PTX ISA 9.5, chapter 10), as a number of \p Width bits.
const Expression *specialRegister(const SymbolicValues &V, StringRef Name,
                                  unsigned Width, const Instruction &I);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_SPECIALREGISTERS_H

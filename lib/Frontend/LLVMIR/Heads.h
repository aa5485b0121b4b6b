//===- Heads.h - Names, bounds and parameters of functions ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_LLVMIR_HEADS_H
#define PTXPREDICT_LIB_FRONTEND_LLVMIR_HEADS_H

#include "ModuleLowering.h"

namespace ptxpredict::llvmir {

/// Fills the head of \p G from \p F.
void lowerHead(ModuleLowering &Context, const llvm::Function &F,
               InstructionGraph &G);

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_HEADS_H

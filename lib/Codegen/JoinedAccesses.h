//===- JoinedAccesses.h - Narrow accesses that become one -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Neighbours in shared memory that an assembler reads
// or writes together.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CODEGEN_JOINEDACCESSES_H
#define PTXPREDICT_LIB_CODEGEN_JOINEDACCESSES_H

#include "ptxpredict/Graph/InstructionGraph.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxpredict {

/// Calls \p Join with the accesses of each request of 8 or 16 bytes that is
/// made of several: of one block, with nothing between them that may see the
/// difference, side by side, and aligned together. Those first in the code come
/// first. Cost is linear in the code.
void findJoinedAccesses(
    const InstructionGraph &G,
    llvm::function_ref<void(ArrayRef<const Instruction *>)> Join);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CODEGEN_JOINEDACCESSES_H

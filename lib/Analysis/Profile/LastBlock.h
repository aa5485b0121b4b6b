//===- LastBlock.h - The block that is done last ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_LASTBLOCK_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_LASTBLOCK_H

#include "ptxpredict/Graph/InstructionGraph.h"
#include <optional>

namespace ptxpredict::counting {

/// Whether the conditional \p Branch is taken by one block of the launch alone
/// (true), or by all but one (false): it asks whether the number that an atomic
/// addition or increment of global memory returned is the last of the
/// grid, be it through a variable in shared memory that is stored once. Nothing
/// for all others.
std::optional<bool> isOfLastBlock(const Instruction &Branch);

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_LASTBLOCK_H

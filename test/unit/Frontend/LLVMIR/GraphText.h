//===- GraphText.h - What a function computes, as lines ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_FRONTEND_LLVMIR_GRAPHTEXT_H
#define PTXPREDICT_TEST_UNIT_FRONTEND_LLVMIR_GRAPHTEXT_H

#include "ptxpredict/Graph/InstructionGraph.h"
#include <string>
#include <vector>

namespace ptxpredict::llvmir {

/// One line for each instruction of \p G but moves and those that fetch
/// arguments, return a result or fit either into a register: its mnemonic, its
/// class, its memory effects, and what it reads. An operand is traced through
/// moves to an argument (`p0`), a number, or the mnemonic that computed it, so
/// that the lines of two graphs agree if they compute the same, whatever the
/// registers are called. Sorted.
std::vector<std::string> graphText(const InstructionGraph &G);

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_TEST_UNIT_FRONTEND_LLVMIR_GRAPHTEXT_H

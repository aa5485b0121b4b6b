//===- ArgumentReduction.h - Tests for large arguments of sines -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The sines, cosines and tangents of CUDA's library reduce their argument with
// a few multiplications if it is small, and bit by bit (Payne and Hanek) if it
// is not. Programs rarely have such arguments.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_PROFILE_ARGUMENTREDUCTION_H
#define PTXPREDICT_LIB_ANALYSIS_PROFILE_ARGUMENTREDUCTION_H

#include "ptxpredict/Graph/Instruction.h"
#include <optional>

namespace ptxpredict::counting {

/// What a branch tells of a trigonometric argument.
struct ArgumentTest {
  unsigned Limit = 0;       ///< below which the reduction is short
  bool TakenIfSmall = true; ///< the branch is taken for arguments below
};

/// The test that \p I makes, if it is a branch on whether a magnitude is below
/// the limit of the library's reduction; nothing otherwise.
std::optional<ArgumentTest> argumentTest(const Instruction &I);

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_PROFILE_ARGUMENTREDUCTION_H

//===- TensorForms.h - Forms of tensor instructions -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What operands and modifiers say once and for all; nothing for another
// instruction, or for a form that is not covered.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CORE_TENSORFORMS_H
#define PTXPREDICT_LIB_EMULATOR_CORE_TENSORFORMS_H

#include "Program.h"

namespace ptxpredict::emulator {

/// The form of wgmma.mma_async, whose immediates are the last operands.
std::optional<WarpgroupOperation> decodeWarpgroup(const Instruction &I);

/// What tcgen05.ld and tcgen05.st move.
std::optional<TensorMove> decodeTensorMove(const Instruction &I);

/// A tcgen05.mma, whose sources are counted without what stands in
/// brackets.
std::optional<TensorOperation> decodeTensor(const Instruction &I);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CORE_TENSORFORMS_H

//===- VideoOperations.h - What video instructions select -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_LANES_VIDEOOPERATIONS_H
#define PTXPREDICT_LIB_EMULATOR_LANES_VIDEOOPERATIONS_H

#include "LaneOperation.h"

namespace ptxpredict::emulator {

/// What is written at an operand of a video instruction: `-%r1.h0` is
/// {"h0", true}.
struct VideoOperand {
  StringRef Selector; ///< without its dot; empty without one
  bool IsNegated = false;
};

/// What modifiers and selectors make of a video instruction (PTX ISA 9.7.18).
/// They have too many combinations for a function each, so that its function
/// reads this as its first source, 8 bytes that are the same in all lanes,
/// before those of the text. \p Operands are the destination and the sources.
/// Empty if \p Op is no video instruction or what is written is none of it.
std::optional<uint64_t> videoControl(ptx::Opcode Op, StringRef Modifiers,
                                     ArrayRef<VideoOperand> Operands);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_LANES_VIDEOOPERATIONS_H

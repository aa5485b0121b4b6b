//===- OneLane.h - What an instruction computes of numbers ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_EMULATOR_LANES_ONELANE_H
#define PTXPREDICT_EMULATOR_LANES_ONELANE_H

#include "ptxpredict/ISA/PTXOpcode.h"
#include <optional>

namespace ptxpredict::emulator {

/// The bits that an operand has, as many as the instruction's type says: 1 for
/// a predicate, at most 64.
struct LaneValue {
  uint64_t Bits = 0;
  unsigned Width = 32;
};

/// What an instruction with one result of \p DestWidth bits computes of
/// \p Sources, in the order of the text, where the carry flag is clear: the
/// bits that a run gives a lane, approximations included. A result of eight
/// bits is extended to 16 as its type says. Nothing if the instruction is not
/// lane-wise or not covered.
std::optional<uint64_t> computeInOneLane(ptx::Opcode Op, StringRef Modifiers,
                                         ArrayRef<LaneValue> Sources,
                                         unsigned DestWidth);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_EMULATOR_LANES_ONELANE_H

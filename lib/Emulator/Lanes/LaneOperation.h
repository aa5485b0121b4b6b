//===- LaneOperation.h - Arithmetic on the lanes of a warp ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Instructions whose result in a lane depends on that lane's operands alone.
// Each is a function over arrays of 32 elements that compilers vectorise.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_LANES_LANEOPERATION_H
#define PTXPREDICT_LIB_EMULATOR_LANES_LANEOPERATION_H

#include "ptxpredict/ISA/PTXOpcode.h"
#include "ptxpredict/MemoryAccess/AccessRules.h"

namespace ptxpredict::emulator {

/// A lane's element of a 128-bit register.
struct Bits128 {
  uint64_t Low = 0, High = 0;
};

/// What a register takes in a lane, bytes: 2 for 8 and 16 bits, else the type's
/// own size. 0 for a predicate, which is one bit of a uint32_t.
constexpr unsigned elementBytes(unsigned Bits) {
  return Bits == 1 ? 0 : Bits <= 16 ? 2 : Bits / 8;
}

/// The operands of one operation.
///
/// A register is an array with one element for each lane: `uint16_t[32]`,
/// `uint32_t[32]`, `uint64_t[32]` or `Bits128[32]`. Eight-bit values are in the
/// low byte of a uint16_t: an operation reads that byte alone and writes it
/// zero-extended, or sign-extended where its type is signed. A predicate is one
/// `uint32_t`, lane 0 its lowest bit. Immediates are arrays too, and a negated
/// predicate was negated before. Elements of operands that are vectors follow
/// each other in Dest and Source.
///
/// The elements are as wide as the operation's types say, whatever was
/// declared: the caller narrows and widens registers for `cvt`. No Dest
/// overlaps a Source, Carry or another Dest. All lanes of Dest may be written:
/// the caller discards those of inactive lanes.
struct LaneArguments {
  static constexpr unsigned MaxDests = 4, MaxSources = 8;
  void *Dest[MaxDests] = {};           ///< null for `_`; `p|q` are two
  const void *Source[MaxSources] = {}; ///< in the order of the text
  uint32_t *Carry = nullptr;           ///< CC.CF, a bit for each lane
  uint32_t Active = ~0u;               ///< lanes that count
};

using LaneFunction = void (*)(const LaneArguments &);

/// The function of an instruction, null if it is not lane-wise or not covered.
/// \p NumSources counts elements of vectors. Chosen once, when an instruction
/// is decoded.
LaneFunction findLaneOperation(ptx::Opcode Op, StringRef Modifiers,
                               unsigned NumSources);

// The families, each in a file of its own; null for instructions of others.
LaneFunction findIntegerOperation(ptx::Opcode Op, StringRef Modifiers,
                                  unsigned NumSources);
LaneFunction findLogicOperation(ptx::Opcode Op, StringRef Modifiers,
                                unsigned NumSources);
LaneFunction findCompareOperation(ptx::Opcode Op, StringRef Modifiers,
                                  unsigned NumSources);
LaneFunction findFloatOperation(ptx::Opcode Op, StringRef Modifiers,
                                unsigned NumSources);
LaneFunction findHalfOperation(ptx::Opcode Op, StringRef Modifiers,
                               unsigned NumSources);
LaneFunction findConvertOperation(ptx::Opcode Op, StringRef Modifiers,
                                  unsigned NumSources);
LaneFunction findApproximation(ptx::Opcode Op, StringRef Modifiers,
                               unsigned NumSources);
LaneFunction findVideoOperation(ptx::Opcode Op, StringRef Modifiers,
                                unsigned NumSources);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_LANES_LANEOPERATION_H

//===- LiftOperands.h - Operands of machine instructions --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_LIFTOPERANDS_H
#define PTXPREDICT_LIB_FRONTEND_SASS_LIFTOPERANDS_H

#include "ptxpredict/Frontend/SASS/MachineInstruction.h"
#include "ptxpredict/ISA/ISA.h"
#include "llvm/ADT/STLExtras.h"

namespace ptxpredict::sass {

/// A register, and two of them.
constexpr ScalarType Word = ScalarType::B32, Wide = ScalarType::B64;
constexpr unsigned WordBits = 32;

inline bool hasWord(const MachineInstruction &I, StringRef Word) {
  return I.has(Word);
}

/// The source \p N, from 0 on, in the order of printing; null if there is none.
const MachineOperand *sourceOf(const MachineInstruction &I, unsigned N);
/// All of them.
void listSources(const MachineInstruction &I,
                 SmallVectorImpl<const MachineOperand *> &All);
/// The predicate whose bits begin at \p Lowest; null if there is none.
const MachineOperand *predicateOf(const MachineInstruction &I, unsigned Lowest);
/// The register or uniform register of the result; null if there is none.
const MachineOperand *resultOf(const MachineInstruction &I);
/// What LEA shifts by.
std::optional<unsigned> shiftOf(const MachineInstruction &I);
/// The table of LOP3, by the bits of the sources: 0xf0, 0xcc, 0xaa.
std::optional<unsigned> tableOf(const MachineInstruction &I);
/// The first word of "F16", "F32", "F64" and "BF16"; empty without one.
StringRef firstFloatType(const MachineInstruction &I);
/// ".rn", ".rm.ftz.sat" and the like: how a float is rounded.
StringRef roundingOf(const MachineInstruction &I);
/// How PTX calls a comparison; empty for "never" and "always".
StringRef comparisonOf(const MachineInstruction &I);
/// How a comparison is joined with a predicate: "and", "or", "xor".
StringRef joinOf(const MachineInstruction &I);
/// The predicate that always holds.
bool isTrue(const MachineOperand &P);
/// A register or a number that is always 0.
bool isZero(const MachineOperand &O);
/// CS2R R2, SRZ.
bool isZeroRegister(const MachineInstruction &I);
/// What an instruction writes that makes a number of others: HFMA2 R2, -RZ, RZ,
/// 0, 1. Nothing if it does not.
std::optional<uint32_t> constantOf(const MachineInstruction &I);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_LIFTOPERANDS_H

//===- InstructionCases.h - What lane-wise instructions compute -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A table of instructions, each with its result in one lane worked out on
// APInt and APFloat, and the values to try. The table serves every level at
// which an instruction can be run.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_EMULATOR_LANES_INSTRUCTIONCASES_H
#define PTXPREDICT_TEST_UNIT_EMULATOR_LANES_INSTRUCTIONCASES_H

#include "ptxpredict/ISA/ISA.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace ptxpredict::emulator {

/// What a lane reads: the bits of each operand in the low bits of a number; of
/// a predicate 0 or 1.
struct LaneInput {
  uint64_t Source[6] = {};
  bool Carry = false;
};
struct LaneOutput {
  uint64_t Dest[2] = {};
  bool Carry = false;

  LaneOutput() = default;
  LaneOutput(uint64_t D, uint64_t Second = 0) : Dest{D, Second} {}
  LaneOutput(const llvm::APInt &D) : Dest{D.getZExtValue()} {}
};

struct InstructionCase {
  std::string Mnemonic;
  std::vector<ScalarType> Dests; ///< two: written as a pair, `p|q`
  std::vector<ScalarType> Sources;
  std::function<LaneOutput(const LaneInput &)> Reference;
  /// What the last source, or the one before a last predicate, is in all lanes:
  /// an immediate. Without a value: all sources are registers.
  std::optional<uint64_t> Immediate = std::nullopt;
  /// Of video instructions: the parts that are selected of the destination and
  /// of each source, "b0", after a "-" where the operand is negated.
  std::vector<std::string> Selectors = {};

  bool readsCarry() const;  ///< addc, subc, madc
  bool writesCarry() const; ///< .cc
  /// Index of the immediate among the sources, -1 without one.
  int immediateIndex() const;
};

std::vector<InstructionCase> integerCases();
std::vector<InstructionCase> logicCases();
std::vector<InstructionCase> compareCases();
std::vector<InstructionCase> floatCases();
std::vector<InstructionCase> conversionCases();
std::vector<InstructionCase> halfCases();
std::vector<InstructionCase> videoCases();
/// All of them.
std::vector<InstructionCase> instructionCases();

/// A value of type \p T to try: often one where results change.
uint64_t testValue(ScalarType T, std::mt19937_64 &Random);

/// The bits of \p Input's operand I as a number of the case's type.
inline llvm::APInt number(const LaneInput &Input, unsigned I, unsigned Bits) {
  return llvm::APInt(Bits, Input.Source[I], false, /*implicitTrunc=*/true);
}

/// With \p Flush a subnormal number is a zero of its sign.
inline llvm::APFloat flushed(const llvm::APFloat &F, bool Flush = true) {
  return Flush && F.isDenormal()
             ? llvm::APFloat::getZero(F.getSemantics(), F.isNegative())
             : F;
}

/// ".u32"
inline std::string dotted(ScalarType T) { return "." + toString(T).str(); }

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_TEST_UNIT_EMULATOR_LANES_INSTRUCTIONCASES_H

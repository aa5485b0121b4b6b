//===- InstructionCases.cpp - The table's parts and values ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

bool InstructionCase::readsCarry() const {
  StringRef Name = StringRef(Mnemonic).split('.').first;
  return Name == "addc" || Name == "subc" || Name == "madc";
}

bool InstructionCase::writesCarry() const {
  return ptx::hasModifier(ptx::decode(Mnemonic).Modifiers, "cc");
}

int InstructionCase::immediateIndex() const {
  if (!Immediate)
    return -1;
  return int(Sources.size()) - (Sources.back() == ScalarType::Pred ? 2 : 1);
}

std::vector<InstructionCase> emulator::instructionCases() {
  std::vector<InstructionCase> All;
  for (auto *Part : {integerCases, logicCases, compareCases, floatCases,
                     conversionCases, halfCases, videoCases})
    for (InstructionCase &C : Part())
      All.push_back(std::move(C));
  return All;
}

/// A float where rules change, by the layout of its bits.
static uint64_t floatValue(unsigned Bits, unsigned Mantissa,
                           std::mt19937_64 &Random) {
  uint64_t Sign = uint64_t(1) << (Bits - 1), R = Random();
  uint64_t Infinity = (Sign - 1) >> Mantissa << Mantissa;
  uint64_t One = ((Sign >> 2) - 1) >> Mantissa << Mantissa;
  uint64_t Low = (uint64_t(1) << Mantissa) - 1;
  const uint64_t Edges[] = {0,
                            1,                   // the least subnormal
                            Low,                 // the greatest one
                            Low + 1,             // the least normal number
                            Low + 2,             //
                            One,                 //
                            One + 1,             //
                            One - 1,             //
                            One + Low + 1,       // 2
                            Infinity - 1,        // the greatest number
                            Infinity,            //
                            Infinity | R % Low | // NaN, perhaps signalling
                                1,
                            Infinity | (Low + 1) >> 1, // the quiet NaN
                            Infinity | Low};
  uint64_t Value = Edges[R % std::size(Edges)];
  switch (R >> 8 & 7) {
  case 0:
  case 1:
    break; // an edge
  case 2:  // a subnormal number
    Value = Random() & Low;
    break;
  case 3: // near an edge
    Value += (R >> 16 & 7) - 3;
    break;
  case 4: // around 1: sums cancel, products stay finite
  case 5:
    Value = One + ((R >> 16 & 63) - 32) * (Low + 1) + (Random() & Low);
    break;
  default:
    Value = Random();
    break;
  }
  if (Random() & 1)
    Value ^= Sign;
  return Value & (Sign | (Sign - 1));
}

static uint64_t integerValue(unsigned Bits, std::mt19937_64 &Random) {
  uint64_t All = Bits == 64 ? ~uint64_t(0) : (uint64_t(1) << Bits) - 1;
  uint64_t R = Random();
  uint64_t Value = 0;
  switch (R & 7) {
  case 0:
    Value = R >> 8 & 3; // 0 to 3
    break;
  case 1:
    Value = 0 - (R >> 8 & 3);
    break;
  case 2:
    Value = All / 2 + (R >> 8 & 3) - 1; // around the greatest signed number
    break;
  case 3:
    Value = R >> 8 & 0xff; // a position or a length
    break;
  case 4:
    Value = uint64_t(1) << (R >> 8) % Bits;
    break;
  case 5:
    Value = Random() >> (R >> 8) % Bits;
    break;
  default:
    Value = Random();
    break;
  }
  return Value & All;
}

uint64_t emulator::testValue(ScalarType T, std::mt19937_64 &Random) {
  switch (T) {
  case ScalarType::Pred:
    return Random() & 1;
  case ScalarType::F16:
    return floatValue(16, 10, Random);
  case ScalarType::F32:
    return floatValue(32, 23, Random);
  case ScalarType::F64:
    return floatValue(64, 52, Random);
  case ScalarType::F16x2:
    return floatValue(16, 10, Random) | floatValue(16, 10, Random) << 16;
  default:
    return integerValue(bitWidth(T), Random);
  }
}

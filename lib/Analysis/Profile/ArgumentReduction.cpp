//===- ArgumentReduction.cpp - Tests for large arguments of sines ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ArgumentReduction.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;

/// The limits of CUDA's math library: those of sinf, cosf and tanf (48,039
/// before CUDA 8), and of sin, cos and tan.
static unsigned limitOf(const Operand &O) {
  const Operand *Number = &O;
  if (O.Kind == Operand::KindTy::Register && O.Val->Def &&
      Opcode(O.Val->Def->Opcode) == Opcode::Mov &&
      O.Val->Def->Operands.size() == 2)
    Number = &O.Val->Def->Operands[1];
  if (Number->Kind == Operand::KindTy::Float32)
    return Number->Bits == 0x47CE4780   ? 105615
           : Number->Bits == 0x473BA700 ? 48039
                                        : 0;
  if (Number->Kind == Operand::KindTy::Float64)
    return Number->Bits == 0x41E0000000000000 ? 2147483648U : 0;
  return 0;
}

/// Whether \p I clears the sign of a number.
static bool isMagnitude(const Instruction &I) {
  if (Opcode(I.Opcode) == Opcode::Abs)
    return true;
  constexpr uint64_t AllButSign32 = 0x7fffffff,
                     AllButSign64 = 0x7fffffffffffffff;
  return Opcode(I.Opcode) == Opcode::And && I.Operands.size() == 3 &&
         I.Operands[2].Kind == Operand::KindTy::Integer &&
         (I.Operands[2].Bits == AllButSign32 ||
          I.Operands[2].Bits == AllButSign64);
}

std::optional<ArgumentTest> counting::argumentTest(const Instruction &I) {
  if (!I.IsTerminator || I.IsExit || !I.Guard || !I.Guard->Def)
    return std::nullopt;
  const Instruction &Test = *I.Guard->Def;
  if (Opcode(Test.Opcode) != Opcode::Setp || Test.Operands.size() != 3)
    return std::nullopt;
  const Operand &X = Test.Operands[1];
  const unsigned Limit = limitOf(Test.Operands[2]);
  if (Limit == 0 || X.Kind != Operand::KindTy::Register || !X.Val->Def ||
      !isMagnitude(*X.Val->Def))
    return std::nullopt;
  auto Is = [&](auto... Names) {
    return (ptx::hasModifier(Test.Modifiers, Names) || ...);
  };
  const bool IsBelow = Is("lt", "ltu", "le", "leu");
  if (!IsBelow && !Is("gt", "gtu", "ge", "geu"))
    return std::nullopt;
  return ArgumentTest{Limit, IsBelow != I.GuardNegated};
}

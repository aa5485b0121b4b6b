//===- LiftParameters.cpp - Which parameters are floats -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A cubin says of a parameter how large it is, and no more. What computes with
// it tells floats from integers, so that a launch may give it as a number.
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {
/// How instructions take a value.
struct ValueUse {
  bool AsFloat = false, AsOther = false;
};
} // namespace

/// Whether it hands its operand on as it is, or with another sign.
static bool passesOn(const Instruction &I) {
  if (I.isPseudo())
    return true;
  switch (ptx::Opcode(I.Opcode)) {
  case ptx::Opcode::Mov:
    return true;
  case ptx::Opcode::Xor:
  case ptx::Opcode::And:
    // Signs of floats, and nothing else of machine code is so.
    return I.IsUncounted;
  default:
    return false;
  }
}

static ValueUse usesOf(const Value &V) {
  constexpr size_t Enough = 256;
  ValueUse Found;
  SmallVector<const Value *, 8> Work{&V};
  llvm::SmallPtrSet<const Value *, 16> Seen{&V};
  for (size_t N = 0; N != Work.size() && N != Enough; ++N)
    for (const Instruction *User : Work[N]->Users) {
      if (passesOn(*User)) {
        for (const Value *D : User->Defs)
          if (Seen.insert(D).second)
            Work.push_back(D);
      } else if (ptx::hasAnyModifier(User->Modifiers, {"f32", "f64"})) {
        Found.AsFloat = true;
      } else if (ptx::Opcode(User->Opcode) != ptx::Opcode::Selp &&
                 ptx::Opcode(User->Opcode) != ptx::Opcode::St) {
        Found.AsOther = true;
      }
    }
  return Found;
}

void sass::inferFloatParameters(InstructionGraph &G) {
  llvm::DenseMap<const Parameter *, ValueUse> Uses;
  G.forEachInstruction([&](const Instruction &I) {
    if (ptx::Opcode(I.Opcode) != ptx::Opcode::Ld || I.Defs.size() != 1)
      return;
    const Operand &At = I.Operands[1];
    if (At.Kind != Operand::KindTy::Address || At.Elements.empty() ||
        At.Elements[0].Kind != Operand::KindTy::Parameter)
      return;
    const ValueUse U = usesOf(*I.Defs[0]);
    ValueUse &Of = Uses[At.Elements[0].Param];
    Of.AsFloat |= U.AsFloat;
    Of.AsOther |= U.AsOther;
  });
  for (Parameter &P : G.Parameters) {
    const ValueUse U = Uses.lookup(&P);
    if (P.Elements != 1 || !U.AsFloat || U.AsOther)
      continue;
    if (P.Type == ScalarType::B32)
      P.Type = ScalarType::F32;
    else if (P.Type == ScalarType::B64)
      P.Type = ScalarType::F64;
  }
}

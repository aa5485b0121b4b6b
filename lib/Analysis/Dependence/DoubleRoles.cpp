//===- DoubleRoles.cpp - What instructions do with doubles ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DoubleRoles.h"

using namespace ptxpredict;
using namespace ptxpredict::doubles;
using ptx::Opcode;

bool doubles::isWork(Role R) {
  switch (R) {
  case Role::Arithmetic:
  case Role::Narrowing:
  case Role::Comparison:
  case Role::Transit:
  case Role::Unpack:
  case Role::Pack:
  case Role::Bits:
  case Role::Argument:
  case Role::Result:
    return true;
  default:
    return false;
  }
}

bool doubles::isDoubleWork(Role R) {
  return R == Role::Arithmetic || R == Role::Narrowing ||
         R == Role::Comparison || R == Role::Widening || R == Role::FromInteger;
}

bool doubles::takesPieces(Role R) { return R == Role::Pack || R == Role::Bits; }

std::pair<StringRef, StringRef> doubles::conversion(StringRef Modifiers) {
  auto [Rest, From] = Modifiers.rsplit('.');
  return {Rest.rsplit('.').second, From};
}

/// The variable that an address is counted from, as far as sums and moves show
/// it.
static const Variable *variableBehind(const Operand &Address) {
  if (Address.Elements.size() != 1)
    return nullptr;
  const Operand *O = Address.Elements.data();
  for (unsigned Steps = 0; Steps != 8; ++Steps) {
    if (O->Kind == Operand::KindTy::Variable)
      return O->Var;
    const Instruction *D =
        O->Kind == Operand::KindTy::Register ? O->Val->Def : nullptr;
    if (!D || D->isPseudo() || D->Operands.size() < 2)
      return nullptr;
    const Opcode Op = Opcode(D->Opcode);
    O = &D->Operands[1];
    // The base of a sum is the one that a move or another sum gives.
    if (Op == Opcode::Add && D->Operands.size() == 3) {
      auto IsBase = [](const Operand &X) {
        const Instruction *Of =
            X.Kind == Operand::KindTy::Register ? X.Val->Def : nullptr;
        return Of && !Of->isPseudo() &&
               (Opcode(Of->Opcode) == Opcode::Mov ||
                Opcode(Of->Opcode) == Opcode::Cvta);
      };
      if (!IsBase(*O) && IsBase(D->Operands[2]))
        O = &D->Operands[2];
    } else if (Op != Opcode::Mov && Op != Opcode::Cvta) {
      return nullptr;
    }
  }
  return nullptr;
}

/// A load out of a table of constants that a library brought, or that is as
/// good as one.
static bool isOfTable(const Instruction &I) {
  const MemoryEffect &E = I.Effects[0];
  if (!ptx::hasModifier(I.Modifiers, "nc"))
    return false;
  const Variable *V = variableBehind(I.Operands[E.AddressOperand]);
  return V && V->Link == Linkage::Internal && !V->Initializer.empty();
}

const Variable *doubles::parameterOf(const Instruction &I) {
  const Operand &A = I.Operands[I.Effects[0].AddressOperand];
  return A.Elements.size() == 1 &&
                 A.Elements[0].Kind == Operand::KindTy::Variable
             ? A.Elements[0].Var
             : nullptr;
}

static Role roleOfMove(const Instruction &I) {
  if (I.Operands.size() != 2)
    return Role::Other;
  if (I.Operands[0].Kind == Operand::KindTy::Vector)
    return Role::Unpack;
  switch (I.Operands[1].Kind) {
  case Operand::KindTy::Vector:
    return Role::Pack;
  case Operand::KindTy::Register:
    return Role::Transit;
  case Operand::KindTy::Integer:
  case Operand::KindTy::Float32:
  case Operand::KindTy::Float64:
  case Operand::KindTy::Variable: // a table's address
    return Role::Constant;
  default:
    return Role::Other;
  }
}

Role doubles::roleOf(const Instruction &I) {
  if (I.isPseudo())
    return Role::Transit;
  if (I.IsCall)
    return Role::Call;
  if (I.IsCrossLane || I.IsTerminator || I.IsUnknown)
    return Role::Other;
  if (!I.Effects.empty()) {
    const MemoryEffect &E = I.Effects[0];
    if (E.Space == AddressSpace::Param && parameterOf(I))
      return E.Access == AccessKind::Store ? Role::Argument : Role::Result;
    return E.Access == AccessKind::Load && isOfTable(I) ? Role::Constant
                                                        : Role::Other;
  }
  const bool IsDouble = I.Modifiers.ends_with(".f64");
  switch (Opcode(I.Opcode)) {
  case Opcode::Mov:
    return roleOfMove(I);
  case Opcode::Selp:
    return Role::Transit;
  case Opcode::Cvt: {
    auto [To, From] = conversion(I.Modifiers);
    if (From == "f64")
      return To == "f64" ? Role::Arithmetic : Role::Narrowing;
    if (To == "f64")
      return From.contains('f') ? Role::Widening : Role::FromInteger;
    return To.contains('f') || From.contains('f') ? Role::Floats : Role::Bits;
  }
  case Opcode::Setp:
  case Opcode::Set:
  case Opcode::Testp:
    return IsDouble ? Role::Comparison : Role::Floats;
  default:
    break;
  }
  switch (I.Class) {
  case OpClass::Fp64:
    return Role::Arithmetic;
  case OpClass::Int:
  case OpClass::Logic:
  case OpClass::Compare:
  case OpClass::Move:
    return I.Operands.size() < 2 || I.Uses.empty() ? Role::Other : Role::Bits;
  case OpClass::Fp32:
  case OpClass::Fp16:
  case OpClass::Convert:
    return Role::Floats;
  case OpClass::Sfu:
    return IsDouble ? Role::Arithmetic : Role::Floats;
  default:
    return Role::Other;
  }
}

//===- MachineFormsJoin.cpp - What an instruction takes in ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MachineFormsImpl.h"

using namespace ptxpredict;
using ptx::hasModifier;
using ptx::Opcode;

/// Takes what defines an operand of \p I in.
void FormFinder::join(const Instruction &I, InstructionForm &F) {
  auto TakeIn = [&](MachineForm From, MachineForm As,
                    llvm::function_ref<bool(const Instruction &)> Fits) {
    for (const Operand &O : llvm::drop_begin(I.Operands)) {
      const Instruction *D = joinable(O, I);
      if (!D || form(*D).Form != From || !Fits(*D))
        continue;
      form(*D).Form = As;
      return true;
    }
    return false;
  };
  auto IsSimple = [&](const Instruction &D) { return !HasJoined[D.Id]; };
  // Without a rounding of its own a product may be part of the sum.
  auto MayContract = [](const Instruction &D) {
    return Opcode(D.Opcode) == Opcode::Mul && !hasModifier(D.Modifiers, "rn") &&
           !hasModifier(D.Modifiers, "sat") &&
           !hasModifier(D.Modifiers, "rz") && !hasModifier(D.Modifiers, "rm") &&
           !hasModifier(D.Modifiers, "rp");
  };
  switch (F.Form) {
  case MachineForm::Add:
    if (TakeIn(MachineForm::Mul, MachineForm::Folded, IsSimple)) {
      F.Form = MachineForm::Mul;
      HasJoined[I.Id] = true;
    } else if (TakeIn(MachineForm::MulConstant, MachineForm::Folded,
                      IsSimple)) {
      F.Form = MachineForm::MulConstant;
      HasJoined[I.Id] = true;
    } else if (TakeIn(MachineForm::Shift, MachineForm::ShiftJoined,
                      [&](const Instruction &D) {
                        return Opcode(D.Opcode) != Opcode::Shr &&
                               isImmediate(D.Operands[2]);
                      })) {
      HasJoined[I.Id] = true;
    } else if (TakeIn(MachineForm::Add, MachineForm::AddJoined, IsSimple)) {
      HasJoined[I.Id] = true;
    }
    return;
  case MachineForm::Add64:
    for (const Operand &O : llvm::drop_begin(I.Operands))
      if (O.Kind == Operand::KindTy::Register && O.Val->Def &&
          (form(*O.Val->Def).Form == MachineForm::ScaleIndex ||
           form(*O.Val->Def).Form == MachineForm::ScaleOnce)) {
        F.Form = MachineForm::AddIndexed;
        return;
      }
    TakeIn(MachineForm::Shift64, MachineForm::Shift64Joined,
           [&](const Instruction &D) {
             return Opcode(D.Opcode) == Opcode::Shl &&
                    isImmediate(D.Operands[2]);
           });
    return;
  case MachineForm::Logic:
    HasJoined[I.Id] =
        TakeIn(MachineForm::Logic, MachineForm::LogicJoined, IsSimple);
    return;
  case MachineForm::Logic64:
    HasJoined[I.Id] =
        TakeIn(MachineForm::Logic64, MachineForm::Logic64Joined, IsSimple);
    return;
  case MachineForm::PredicateLogic:
    for (MachineForm C :
         {MachineForm::Compare, MachineForm::Compare64,
          MachineForm::FloatCompare, MachineForm::DoubleCompare})
      if (TakeIn(C, C, IsSimple)) {
        F.Form = MachineForm::Folded;
        return;
      }
    return;
  case MachineForm::FloatAdd:
    if (!hasModifier(I.Modifiers, "rn") &&
        TakeIn(MachineForm::FloatMul, MachineForm::Folded, MayContract))
      F.Form = MachineForm::FloatFMA;
    return;
  case MachineForm::DoubleAdd:
    if (!hasModifier(I.Modifiers, "rn") &&
        TakeIn(MachineForm::DoubleMul, MachineForm::Folded, MayContract))
      F.Form = MachineForm::DoubleFMA;
    return;
  case MachineForm::Half:
    if (isAdd(I) && !hasModifier(I.Modifiers, "rn"))
      TakeIn(MachineForm::Half, MachineForm::Folded, MayContract);
    return;
  default:
    return;
  }
}

/// An instruction has one operand that is no register.
void FormFinder::addConstants(const Instruction &I, InstructionForm &F) {
  unsigned Num = 0;
  switch (I.Class) {
  case OpClass::Store:
    for (const Operand &O : I.Operands) {
      ArrayRef<Operand> Stored =
          O.Kind == Operand::KindTy::Vector ? O.Elements : ArrayRef(O);
      if (O.Role == OperandRole::Read)
        for (const Operand &E : Stored)
          Num += isConstantLike(E) && !(isImmediate(E) && E.Bits == 0);
    }
    break;
  case OpClass::Int:
  case OpClass::Fp32:
  case OpClass::Move:
  case OpClass::Compare:
    if (I.Operands.size() < 3 || I.IsCrossLane)
      return;
    for (const Operand &O : llvm::drop_begin(I.Operands))
      Num += isConstantLike(O) &&
             !(O.Kind == Operand::KindTy::Integer && O.Bits == 0);
    Num = Num > 1 ? Num - 1 : 0;
    break;
  default:
    return;
  }
  F.ExtraConstants = uint8_t(std::min(Num, 8U));
}

/// Whether \p I multiplies or divides the same in each round of its innermost
/// loop: the assembler moves it out, where it runs too seldom to count.
bool FormFinder::isInvariant(const Instruction &I) const {
  if (I.Defs.size() != 1 || I.Guard || !I.Effects.empty() || I.IsCall ||
      I.IsTerminator || I.IsCrossLane || I.IsUnknown)
    return false;
  switch (Opcode(I.Opcode)) {
  case Opcode::Mul:
  case Opcode::Mul24:
  case Opcode::Div:
  case Opcode::Rem:
    break;
  default:
    return false;
  }
  const int C = CF.innermostCycle(I.Parent);
  if (C < 0)
    return false;
  return llvm::all_of(I.Uses, [&](const Value *U) {
    return !U->Def || Constant[U->Id] || Invariant[U->Id] ||
           !CF.cycles()[unsigned(C)].contains(U->Def->Parent);
  });
}

bool FormFinder::isUniform(const Instruction &I, MachineForm F) const {
  switch (F) {
  case MachineForm::Add:
  case MachineForm::AddJoined:
  case MachineForm::Add64:
  case MachineForm::Mul:
  case MachineForm::MulConstant:
  case MachineForm::MulWide:
  case MachineForm::MulWideConstant:
  case MachineForm::Shift:
  case MachineForm::ShiftJoined:
  case MachineForm::Shift64:
  case MachineForm::Logic:
  case MachineForm::LogicJoined:
  case MachineForm::Logic64:
  case MachineForm::Permute:
  case MachineForm::SignExtend:
    break;
  default:
    return false;
  }
  return !I.Guard && llvm::none_of(I.Uses, [&](const Value *U) {
    return Divergent[U->Id] || (U->Def && U->Def->isPseudo());
  });
}

//===- InstructionCombiner.cpp - What an instruction takes in -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// As LLVM's PeepholeOptimizer and MachineCombiner: machine instructions of
// three operands do what PTX writes as two instructions.
//===----------------------------------------------------------------------===//
#include "InstructionSelector.h"

using namespace ptxpredict;
using ptx::hasModifier;
using ptx::Opcode;

/// \p I takes the first instruction of form \p From in that defines one of its
/// operands for it alone and that \p Fits. That one is counted as \p As.
bool InstructionSelector::takeIn(
    const Instruction &I, MachineForm From, MachineForm As,
    llvm::function_ref<bool(const Instruction &)> Fits) {
  for (const Operand &O : llvm::drop_begin(I.Operands)) {
    const Instruction *D = joinable(O, I);
    if (!D || form(*D).Form != From || !Fits(*D))
      continue;
    form(*D).Form = As;
    if (As == MachineForm::Folded)
      form(*D).Into = &I;
    return true;
  }
  return false;
}

/// A product without a rounding of its own may be part of a sum.
static bool mayContract(const Instruction &D) {
  auto Has = [&](StringRef M) { return hasModifier(D.Modifiers, M); };
  return Opcode(D.Opcode) == Opcode::Mul && !Has("rn") && !Has("sat") &&
         !Has("rz") && !Has("rm") && !Has("rp");
}

/// A shift to the left by a constant.
static bool isScaling(const Instruction &D) {
  return Opcode(D.Opcode) == Opcode::Shl && isImmediate(D.Operands[2]);
}

void InstructionSelector::combineSum(const Instruction &I, InstructionForm &F) {
  auto IsSimple = [&](const Instruction &D) { return !HasJoined[D.Id]; };
  for (MachineForm Product : {MachineForm::Mul, MachineForm::MulConstant})
    if (takeIn(I, Product, MachineForm::Folded, IsSimple)) {
      F.Form = Product;
      HasJoined[I.Id] = true;
      return;
    }
  auto IsShift = [](const Instruction &D) {
    return Opcode(D.Opcode) != Opcode::Shr && isImmediate(D.Operands[2]);
  };
  HasJoined[I.Id] =
      takeIn(I, MachineForm::Shift, MachineForm::ShiftJoined, IsShift) ||
      takeIn(I, MachineForm::Add, MachineForm::AddJoined, IsSimple);
}

void InstructionSelector::combineSum64(const Instruction &I,
                                       InstructionForm &F) {
  for (const Operand &O : llvm::drop_begin(I.Operands))
    if (O.Kind == Operand::KindTy::Register && O.Val->Def &&
        (form(*O.Val->Def).Form == MachineForm::ScaleIndex ||
         form(*O.Val->Def).Form == MachineForm::ScaleOnce)) {
      F.Form = MachineForm::AddIndexed;
      return;
    }
  takeIn(I, MachineForm::Shift64, MachineForm::Shift64Joined, isScaling);
}

/// Takes what defines an operand of \p I in.
void InstructionSelector::combine(const Instruction &I, InstructionForm &F) {
  auto IsSimple = [&](const Instruction &D) { return !HasJoined[D.Id]; };
  bool IsRounded = hasModifier(I.Modifiers, "rn");
  switch (F.Form) {
  case MachineForm::Add:
    return combineSum(I, F);
  case MachineForm::Add64:
    return combineSum64(I, F);
  case MachineForm::Logic:
    HasJoined[I.Id] =
        takeIn(I, MachineForm::Logic, MachineForm::LogicJoined, IsSimple);
    return;
  case MachineForm::Logic64:
    HasJoined[I.Id] =
        takeIn(I, MachineForm::Logic64, MachineForm::Logic64Joined, IsSimple);
    return;
  case MachineForm::PredicateLogic:
    for (MachineForm C :
         {MachineForm::Compare, MachineForm::Compare64,
          MachineForm::FloatCompare, MachineForm::DoubleCompare})
      if (takeIn(I, C, C, IsSimple)) {
        F.Form = MachineForm::Folded;
        return;
      }
    return;
  case MachineForm::FloatAdd:
    if (!IsRounded &&
        takeIn(I, MachineForm::FloatMul, MachineForm::Folded, mayContract))
      F.Form = MachineForm::FloatFMA;
    return;
  case MachineForm::DoubleAdd:
    if (!IsRounded &&
        takeIn(I, MachineForm::DoubleMul, MachineForm::Folded, mayContract))
      F.Form = MachineForm::DoubleFMA;
    return;
  case MachineForm::Half:
    if (isAdd(I) && !IsRounded)
      takeIn(I, MachineForm::Half, MachineForm::Folded, mayContract);
    return;
  default:
    return;
  }
}

/// An instruction has one operand that is no register.
void InstructionSelector::addConstants(const Instruction &I,
                                       InstructionForm &F) const {
  unsigned Num = 0;
  switch (I.Class) {
  case OpClass::Store:
    for (const Operand &O : I.Operands) {
      ArrayRef<Operand> Stored =
          O.Kind == Operand::KindTy::Vector ? O.Elements : ArrayRef(O);
      if (O.Role == OperandRole::Read)
        for (const Operand &E : Stored)
          Num += Folded.isConstant(E) && !(isImmediate(E) && E.Bits == 0);
    }
    break;
  case OpClass::Int:
  case OpClass::Fp32:
  case OpClass::Move:
  case OpClass::Compare:
    if (I.Operands.size() < 3 || I.IsCrossLane)
      return;
    for (const Operand &O : llvm::drop_begin(I.Operands))
      Num += Folded.isConstant(O) &&
             !(O.Kind == Operand::KindTy::Integer && O.Bits == 0);
    Num = Num > 1 ? Num - 1 : 0;
    break;
  default:
    return;
  }
  F.ExtraConstants = uint8_t(std::min(Num, 8U));
}

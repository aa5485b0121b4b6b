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

/// What tells a constant from others: the number, if a copy or the operand says
/// it, or the value that holds it.
static std::pair<unsigned, uint64_t>
identityOf(const Operand &O, const Folding &Folded, const InstructionGraph &G) {
  constexpr unsigned OfValue = ~0U - 2; // the largest two are the map's own
  const Operand *Is = &O;
  if (O.Kind == Operand::KindTy::Register) {
    const unsigned Root = Folded.root(*O.Val);
    const Instruction *Def = G.Values[Root]->Def;
    if (!Def || Opcode(Def->Opcode) != Opcode::Mov || Def->Operands.size() != 2)
      return {OfValue, Root};
    Is = &Def->Operands[1];
  }
  switch (Is->Kind) {
  case Operand::KindTy::Integer:
  case Operand::KindTy::Float32:
  case Operand::KindTy::Float64:
    return {0, Is->Bits};
  case Operand::KindTy::Register:
    return {OfValue, Folded.root(*Is->Val)};
  default: // what has a name, or no number
    return {1, Is->Kind == Operand::KindTy::Variable ||
                       Is->Kind == Operand::KindTy::Parameter
                   ? reinterpret_cast<uintptr_t>(Is->Var)
                   : 0};
  }
}

/// An instruction has one operand that is no register. Other constants need
/// registers, which keep them for the rest of the block: they are counted where
/// the first instruction of the block wants them. The elements of a vector that
/// is stored stand side by side, each in a register of its own.
void InstructionSelector::addConstants(const Instruction &I,
                                       InstructionForm &F) {
  unsigned Num = 0;
  SmallVector<std::pair<unsigned, uint64_t>, 4> New;
  auto NeedRegister = [&](const Operand &O) {
    if (auto Id = identityOf(O, Folded, G); ConstantIn.lookup(Id) != I.Parent)
      New.push_back(Id);
  };
  switch (I.Class) {
  case OpClass::Store:
    for (const Operand &O : I.Operands) {
      if (O.Role != OperandRole::Read)
        continue;
      if (O.Kind == Operand::KindTy::Vector)
        Num += unsigned(llvm::count_if(O.Elements, [&](const Operand &E) {
          return Folded.isConstant(E) && !(isImmediate(E) && E.Bits == 0);
        }));
      else if (Folded.isConstant(O) && !(isImmediate(O) && O.Bits == 0))
        NeedRegister(O);
    }
    break;
  case OpClass::Int:
  case OpClass::Fp32:
  case OpClass::Move:
  case OpClass::Compare:
    if (I.Operands.size() < 3 || I.IsCrossLane)
      return;
    for (const Operand &O : llvm::drop_begin(I.Operands))
      if (Folded.isConstant(O) &&
          !(O.Kind == Operand::KindTy::Integer && O.Bits == 0))
        NeedRegister(O);
    if (!New.empty())
      New.pop_back(); // the operand that is no register
    break;
  default:
    return;
  }
  for (const auto &Id : New)
    Num += std::exchange(ConstantIn[Id], I.Parent) != I.Parent;
  F.ExtraConstants = uint8_t(std::min(Num, 8U));
}

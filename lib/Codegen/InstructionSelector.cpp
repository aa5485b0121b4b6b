//===- InstructionSelector.cpp - What each instruction becomes ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "InstructionSelector.h"
#include "FormsByOpcode.h"
#include "JoinedAccesses.h"

using namespace ptxpredict;
using ptx::hasModifier;
using ptx::Opcode;

void InstructionSelector::run() {
  Out.Forms.resize(G.NumInstructions);
  findDivergent();
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      if (!I->isPseudo() && !Folded.isDead(*I))
        select(*I);
  findJoinedAccesses(G, [&](ArrayRef<const Instruction *> Members) {
    for (const Instruction *I : Members) {
      form(*I).Joined = uint8_t(Members.size());
      if (I != Members.front())
        form(*I).Form = MachineForm::Folded;
    }
  });
  for (const Block *B : G.Blocks)
    if (isPredicated(*B))
      form(*B->terminator()).Form = MachineForm::Folded;
  for (const Block *B : G.Blocks)
    converge(*B);
}

const Instruction *InstructionSelector::onlyUser(const Value &V) const {
  const Instruction *Found = nullptr;
  for (const Instruction *U : V.Users) {
    if (Folded.isDead(*U))
      continue;
    if (Found)
      return nullptr;
    Found = U;
  }
  return Found;
}

const Instruction *
InstructionSelector::joinable(const Operand &O, const Instruction &User) const {
  if (O.Kind != Operand::KindTy::Register || !O.Val->Def || User.Guard)
    return nullptr;
  const Instruction *D = O.Val->Def;
  if (D->isPseudo() || D->Guard || D->Parent != User.Parent ||
      onlyUser(*O.Val) != &User)
    return nullptr;
  return D;
}

/// A register that the hardware provides is read once.
MachineForm InstructionSelector::special(const Instruction &I) {
  StringRef Name = I.Operands[1].Name;
  if (Name.starts_with("%clock") || Name.starts_with("%globaltimer"))
    return MachineForm::ReadClock;
  if (llvm::is_contained(SpecialsRead, Name))
    return MachineForm::Folded;
  SpecialsRead.push_back(Name);
  if (Folded.isConstant(*I.Defs[0]))
    return Name == "WARP_SZ" ? MachineForm::Folded : MachineForm::ConstantBank;
  return Name.starts_with("%ctaid") ? MachineForm::ReadBlock
                                    : MachineForm::ReadLane;
}

/// A constant needs a register where a loop or a join merges it with others.
MachineForm InstructionSelector::constant(const Instruction &I) const {
  const Value &To = *I.Operands[0].Val;
  const Operand &From = I.Operands[1];
  if (From.Kind == Operand::KindTy::Variable)
    return From.Var->Space == AddressSpace::Shared
               ? MachineForm::SharedAddress
               : MachineForm::VariableAddress;
  bool IsMerged = I.Guard || llvm::any_of(To.Users, [&](const Instruction *U) {
                    return U->isPseudo() && !Folded.isDead(*U);
                  });
  if (!IsMerged)
    return MachineForm::Folded;
  return From.Bits == 0           ? MachineForm::Zero
         : bitWidth(To.Type) > 32 ? MachineForm::Constant64
                                  : MachineForm::Constant;
}

MachineForm InstructionSelector::move(const Instruction &I) const {
  if (I.Operands.size() != 2)
    return MachineForm::Move;
  const Operand &To = I.Operands[0], &From = I.Operands[1];
  bool IsRegister = To.Kind == Operand::KindTy::Register;
  bool IsPair = IsRegister && bitWidth(To.Val->Type) > 32;
  if (From.Kind == Operand::KindTy::Vector)
    return IsRegister && !IsPair && !Folded.isFolded(I) &&
                   !llvm::any_of(From.Elements, isImmediate)
               ? MachineForm::Permute
               : MachineForm::Folded;
  if (I.Defs.size() != 1 || !IsRegister || To.Val->Type == ScalarType::Pred)
    return MachineForm::Folded;
  if (isImmediate(From))
    return constant(I);
  if (From.Kind == Operand::KindTy::Register && I.Guard)
    return IsPair ? MachineForm::Move64 : MachineForm::Move;
  return MachineForm::Folded;
}

/// A place of constant memory that operands can name, where they still can:
/// other generations load it once, with what shares its eight bytes.
MachineForm InstructionSelector::fixedLoad(const Operand &Address) {
  const Operand &Base = Address.Elements[0];
  const void *Of = nullptr; // of all parameters
  int64_t Offset = Address.integer();
  if (Base.Kind == Operand::KindTy::Parameter)
    Offset += int64_t(Base.Param->Offset);
  else if (Base.Kind == Operand::KindTy::Variable)
    Of = Base.Var;
  else if (Base.Kind == Operand::KindTy::Register)
    Of = G.Values[Folded.root(*Base.Val)];
  return PlacesRead.insert({Of, Offset / 8}).second ? MachineForm::ConstantBank
                                                    : MachineForm::Folded;
}

MachineForm InstructionSelector::load(const Instruction &I) {
  const MemoryEffect &E = I.Effects.front();
  switch (E.Space) {
  case AddressSpace::Param:
  case AddressSpace::Const: {
    const Operand &A = I.Operands[E.AddressOperand];
    if (Folded.isConstantLoad(I))
      return fixedLoad(A);
    bool IsFixed = A.Elements.empty() ||
                   A.Elements[0].Kind != Operand::KindTy::Register ||
                   Folded.isConstant(A.Elements[0]);
    return IsFixed ? MachineForm::Folded : MachineForm::LoadConstant;
  }
  case AddressSpace::Shared:
    return MachineForm::LoadShared;
  case AddressSpace::Local:
    return MachineForm::LoadLocal;
  default:
    return MachineForm::LoadGlobal;
  }
}

/// A load or store of a local variable that lies in registers.
bool InstructionSelector::accessRegisters(const Instruction &I,
                                          InstructionForm &F) const {
  const LocalAccesses &InRegisters = Out.Locals.inRegisters();
  auto It = InRegisters.find(&I);
  if (It == InRegisters.end())
    return false;
  F.Moves = It->second.Moves;
  F.Compares = It->second.Compares;
  // A constant comes to its place by a move of its own.
  if (F.Moves == 0 && I.Class == OpClass::Store)
    for (const Operand &O : I.Operands)
      if (O.Role == OperandRole::Read && O.Kind != Operand::KindTy::Address)
        F.Moves += O.Kind == Operand::KindTy::Vector
                       ? unsigned(llvm::count_if(O.Elements,
                                                 [&](const Operand &E) {
                                                   return Folded.isConstant(E);
                                                 }))
                       : Folded.isConstant(O);
  F.Form = F.Moves ? MachineForm::ArrayMove : MachineForm::Folded;
  return true;
}

MachineForm InstructionSelector::atomic(const Instruction &I) const {
  auto Has = [&](StringRef M) { return hasModifier(I.Modifiers, M); };
  bool IsFloat = Has("f32") || Has("f64") || Has("f16") || Has("f16x2");
  if (!I.Effects.empty() && I.Effects.front().Space == AddressSpace::Shared)
    return IsFloat && Has("add") ? MachineForm::SharedAtomicLoop
                                 : MachineForm::SharedAtomic;
  bool IsRead = llvm::any_of(I.Defs, [&](const Value *D) {
    return llvm::any_of(
        D->Users, [&](const Instruction *U) { return !Folded.isDead(*U); });
  });
  return IsRead ? MachineForm::Atomic : MachineForm::Reduction;
}

/// \p F of 64 bits with half as many.
static MachineForm shortened(MachineForm F) {
  switch (F) {
  case MachineForm::Add64:
    return MachineForm::Add;
  case MachineForm::MulWideConstant:
  case MachineForm::Shift64:
    return MachineForm::Shift;
  case MachineForm::MulWide:
  case MachineForm::Mul64:
    return MachineForm::Mul;
  case MachineForm::Logic64:
    return MachineForm::Logic;
  case MachineForm::SignExtend:
    return MachineForm::Folded;
  default:
    return F;
  }
}

/// Accesses of memory and of arrays in registers.
bool InstructionSelector::selectMemory(const Instruction &I,
                                       InstructionForm &F) {
  if (accessRegisters(I, F))
    return true;
  switch (Opcode(I.Opcode)) {
  case Opcode::Ld:
  case Opcode::Ldu:
    if (I.Effects.empty())
      return false;
    F.Form = load(I);
    return true;
  case Opcode::Atom:
  case Opcode::Red:
    F.Form = atomic(I);
    return true;
  default:
    return false;
  }
}

/// Copies, addresses, jumps and what an assembler moves out of a loop.
bool InstructionSelector::selectWithoutWork(const Instruction &I,
                                            InstructionForm &F) {
  Opcode Op = Opcode(I.Opcode);
  switch (Op) {
  case Opcode::Mov:
    F.Form = I.Operands.size() == 2 && !I.Defs.empty() &&
                     I.Operands[1].Kind == Operand::KindTy::Special
                 ? special(I)
                 : move(I);
    return true;
  case Opcode::Cvta:
    return true;
  case Opcode::Neg:
  case Opcode::Abs:
    if (I.Class == OpClass::Fp32 || I.Class == OpClass::Fp64) {
      F.Form = Folded.isFolded(I)         ? MachineForm::Folded
               : I.Class == OpClass::Fp32 ? MachineForm::FloatSign
                                          : MachineForm::DoubleSign;
      return true;
    }
    break;
  case Opcode::Bra:
    if (I.Guard || !isBeforeTarget(*I.Parent))
      F.Form = MachineForm::Branch;
    return true;
  default:
    break;
  }
  if (isInvariant(I)) {
    Invariant[I.Defs[0]->Id] = true;
    return true;
  }
  // A product that is folded is the index that sums scale.
  return (Folded.isFolded(I) && Op != Opcode::Mul) ||
         Folded.isVariableOffset(I) || isFreeConversion(I);
}

/// What has as few bits as an address, or scales an index: true for the latter.
bool InstructionSelector::shapeAddress(const Instruction &I,
                                       InstructionForm &F) const {
  if (I.Defs.size() != 1 || I.Guard)
    return false;
  const Value &D = *I.Defs[0];
  if (Folded.isShortAddress(D))
    F.Form = shortened(F.Form);
  if (!Folded.isAddend(D))
    return false;
  auto NumSums = llvm::count_if(
      D.Users, [&](const Instruction *U) { return !Folded.isDead(*U); });
  if (F.Form == MachineForm::MulWideConstant) {
    F.Form = NumSums == 1 ? MachineForm::ScaleOnce : MachineForm::ScaleIndex;
    return true;
  }
  // Each of several sums takes the shift in.
  if (F.Form != MachineForm::Shift || Opcode(I.Opcode) != Opcode::Shl ||
      NumSums < 2 || !isImmediate(I.Operands[2]))
    return false;
  F.Form = MachineForm::ShiftJoined;
  return true;
}

void InstructionSelector::select(const Instruction &I) {
  InstructionForm &F = form(I);
  if (selectMemory(I, F))
    return;
  if (selectWithoutWork(I, F)) {
    noteUniform(I, F);
    return;
  }
  F = formByOpcode(I);
  if (shapeAddress(I, F)) {
    noteUniform(I, F);
    return;
  }
  combine(I, F);
  if (F.Form == MachineForm::Half &&
      llvm::any_of(I.Operands,
                   [&](const Operand &O) { return Folded.isBroadcast(O); }))
    F.Form = MachineForm::HalfSwizzled;
  noteUniform(I, F);
  if (!F.IsUniform)
    addConstants(I, F);
}

/// Whether \p I multiplies or divides the same in each round of its innermost
/// loop: the assembler moves it out, where it runs too seldom to count.
bool InstructionSelector::isInvariant(const Instruction &I) const {
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
    return !U->Def || Folded.isConstant(*U) || Invariant[U->Id] ||
           !CF.cycles()[unsigned(C)].contains(U->Def->Parent);
  });
}

/// Work that the uniform datapath can do.
static bool hasUniformForm(MachineForm F) {
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
    return true;
  default:
    return false;
  }
}

/// Work on integers that is no sequence.
static bool isIntegerWork(const Instruction &I) {
  Opcode Op = Opcode(I.Opcode);
  return (I.Class == OpClass::Int || I.Class == OpClass::Logic ||
          I.Class == OpClass::Move || I.Class == OpClass::Convert) &&
         Op != Opcode::Div && Op != Opcode::Rem &&
         !I.Modifiers.contains(".f") && !I.Modifiers.contains(".bf");
}

bool InstructionSelector::hasUniformOperands(const Instruction &I) const {
  return llvm::all_of(I.Operands, [&](const Operand &O) {
    if (O.Role == OperandRole::Write || Folded.isConstant(O))
      return true;
    if (O.Kind == Operand::KindTy::Register)
      return isUniform(*O.Val);
    return O.Kind == Operand::KindTy::Special &&
           (O.Name.starts_with("%ctaid") || O.Name.starts_with("%ntid") ||
            O.Name.starts_with("%nctaid"));
  });
}

/// Integer work on constants and block indices goes to uniform registers. What
/// is merged or loaded is in the registers of the lanes.
void InstructionSelector::noteUniform(const Instruction &I,
                                      InstructionForm &F) {
  if (!I.Guard && I.Defs.size() == 1 && I.Effects.empty() && !I.IsCall &&
      !I.IsCrossLane && Folded.isWrittenOnce(*I.Defs[0]) &&
      I.Defs[0]->Type != ScalarType::Pred && hasUniformOperands(I) &&
      isIntegerWork(I)) {
    Uniform[I.Defs[0]->Id] = true;
    F.IsUniform = hasUniformForm(F.Form);
  }
}

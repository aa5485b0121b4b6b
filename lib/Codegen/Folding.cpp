//===- Folding.cpp - What needs no register of its own --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Folding.h"
#include "FormsByOpcode.h"
#include "ptxpredict/ISA/MachineUnits.h"

using namespace ptxpredict;
using ptx::hasModifier;
using ptx::Opcode;

bool Folding::isConstantLoad(const Instruction &I) const {
  if (I.isPseudo() || I.Effects.size() != 1 ||
      I.Effects[0].Access != AccessKind::Load)
    return false;
  const MemoryEffect &E = I.Effects[0];
  const Operand &A = I.Operands[E.AddressOperand];
  if (A.Elements.empty())
    return false;
  const Operand &Base = A.Elements[0];
  if (E.Space == AddressSpace::Const)
    return isConstant(Base);
  // A function's parameters, and what a call returns, come in registers.
  return E.Space == AddressSpace::Param && I.Parent->Parent->IsKernel &&
         (Base.Kind == Operand::KindTy::Parameter ||
          (Base.Kind == Operand::KindTy::Register && isConstant(*Base.Val)));
}

/// The block's and the grid's extent are in constant memory.
static bool isExtent(const Operand &O) {
  return O.Kind == Operand::KindTy::Special &&
         (O.Name.starts_with("%ntid") || O.Name.starts_with("%nctaid") ||
          O.Name == "WARP_SZ");
}

bool ptxpredict::isFreeConversion(const Instruction &I) {
  if (Opcode(I.Opcode) != Opcode::Cvt || I.Operands.size() != 2 ||
      I.Operands[1].Kind != Operand::KindTy::Register)
    return false;
  MachineForm Form = formByOpcode(I).Form;
  const Instruction *From = I.Operands[1].Val->Def;
  return Form == MachineForm::Folded ||
         (Form == MachineForm::Extend && From && !From->isPseudo() &&
          From->Class == OpClass::Load);
}

/// Halves of a register are operands of packed arithmetic where they lie.
void Folding::foldHalves(const Instruction &I) {
  if (Opcode(I.Opcode) != Opcode::Mov || I.Operands.size() != 2 ||
      I.Operands[0].Kind != Operand::KindTy::Vector ||
      I.Operands[1].Kind != Operand::KindTy::Register ||
      bitWidth(I.Operands[1].Val->Type) > 8 * RegisterBytes)
    return;
  for (const Value *D : I.Defs)
    if (isWrittenOnce(*D))
      Root[D->Id] = root(*I.Operands[1].Val);
}

/// One half for both is an operand of packed arithmetic where it lies.
void Folding::foldBroadcast(const Instruction &I) {
  if (Opcode(I.Opcode) != Opcode::Mov || I.Operands.size() != 2 ||
      I.Defs.size() != 1 || !isWrittenOnce(*I.Defs[0]) ||
      I.Operands[1].Kind != Operand::KindTy::Vector ||
      I.Operands[1].Elements.size() != 2)
    return;
  const Operand &Low = I.Operands[1].Elements[0],
                &High = I.Operands[1].Elements[1];
  const Value &D = *I.Defs[0];
  if (Low.Kind != Operand::KindTy::Register ||
      High.Kind != Operand::KindTy::Register || Low.Val != High.Val ||
      bitWidth(Low.Val->Type) != 16 || D.Users.empty() ||
      !llvm::all_of(D.Users, [](const Instruction *U) {
        return U->Class == OpClass::Fp16 &&
               formByOpcode(*U).Form == MachineForm::Half;
      }))
    return;
  Root[D.Id] = root(*Low.Val);
  IsBroadcast[D.Id] = true;
}

void Folding::foldCopy(const Instruction &I) {
  if (isConstantLoad(I)) {
    for (const Value *D : I.Defs)
      IsConstant[D->Id] = isWrittenOnce(*D);
    return;
  }
  if (I.Defs.size() != 1 || I.Operands.size() != 2 ||
      !isWrittenOnce(*I.Defs[0]))
    return;
  const Value &D = *I.Defs[0];
  const Operand &From = I.Operands[1];
  const Value *Source =
      From.Kind == Operand::KindTy::Register ? From.Val : nullptr;
  switch (Opcode(I.Opcode)) {
  case Opcode::Mov:
  case Opcode::Cvta:
    if (isImmediate(From) || isExtent(From))
      IsConstant[D.Id] = true;
    else if (Source && bitWidth(Source->Type) == bitWidth(D.Type))
      Root[D.Id] = root(*Source);
    return;
  case Opcode::Cvt:
    if (isFreeConversion(I))
      Root[D.Id] = root(*Source);
    return;
  default:
    return;
  }
}

void Folding::foldCopies() {
  for (const auto &V : G.Values) {
    Root[V->Id] = V->Id;
    if (V->Def || V->IsArgument)
      ++NumDefs[V->Register];
  }
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      if (!I->isPseudo() && !I->Guard) {
        foldHalves(*I);
        foldBroadcast(*I);
        foldCopy(*I);
      }
  // What is written under a guard goes into the register of the old value.
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      if (I->isSelect())
        Root[I->Uses[1]->Id] = I->Defs[0]->Id;
}

/// \p I does something besides its results.
static bool hasSideEffects(const Instruction &I) {
  return I.Defs.empty() || I.IsTerminator || I.IsCall || I.IsUnknown ||
         I.IsCrossLane || I.IsBlockBarrier || I.IsAsyncWait ||
         llvm::any_of(I.Effects,
                      [](const MemoryEffect &E) { return E.Writes; });
}

void Folding::dropDeadCode() {
  SmallVector<const Instruction *, 32> Work;
  auto Need = [&](const Instruction *I) {
    if (I && !IsNeeded[I->Id]) {
      IsNeeded[I->Id] = true;
      Work.push_back(I);
    }
  };
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      if (!I->isPseudo() && hasSideEffects(*I))
        Need(I);
  while (!Work.empty())
    for (const Value *U : Work.pop_back_val()->Uses)
      Need(U->Def);
}

/// Operands of float arithmetic have a magnitude and a sign of their own.
void Folding::foldSign(const Instruction &I) {
  Opcode Op = Opcode(I.Opcode);
  if ((Op != Opcode::Neg && Op != Opcode::Abs) ||
      (I.Class != OpClass::Fp32 && I.Class != OpClass::Fp64) || I.Guard ||
      I.Defs.size() != 1 || !isWrittenOnce(*I.Defs[0]) ||
      I.Operands[1].Kind != Operand::KindTy::Register)
    return;
  bool IsOperand = llvm::all_of(I.Defs[0]->Users, [&](const Instruction *U) {
    return isDead(*U) || (!U->isPseudo() && (U->Class == OpClass::Fp32 ||
                                             U->Class == OpClass::Fp64 ||
                                             U->Class == OpClass::Compare));
  });
  if (IsOperand)
    Root[I.Defs[0]->Id] = root(*I.Operands[1].Val);
}

/// \p I adds or subtracts integers.
static bool isIntegerSum(const Instruction &I) {
  return isAdd(I) && I.Class == OpClass::Int && !I.Guard &&
         I.Defs.size() == 1 && I.Operands.size() == 3;
}

/// What computes a result that is an address from another such one.
static bool passesAddress(const Instruction &I) {
  switch (Opcode(I.Opcode)) {
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
  case Opcode::Mad:
  case Opcode::Shl:
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Cvt:
  case Opcode::Cvta:
  case Opcode::Mov:
    return I.Defs.size() == 1 && I.Effects.empty();
  default:
    return false;
  }
}

/// Notes what the uses in \p I mean for the values. The uses of its results
/// have been noted before, but for those around a loop, which are in phis.
void Folding::noteUses(const Instruction &I) {
  if (isFolded(I)) // a copy uses nothing
    return;
  bool IsPseudo = I.isPseudo();
  bool IsSum = !IsPseudo && isIntegerSum(I);
  bool IsAddressSum =
      IsSum && isWrittenOnce(*I.Defs[0]) && IsAddress[root(*I.Defs[0])];
  bool MakesShort = !IsPseudo && passesAddress(I) && IsShort[root(*I.Defs[0])];
  SmallVector<std::pair<const Value *, AddressSpace>, 2> Bases;
  for (const MemoryEffect &E : I.Effects) {
    const Operand &A = I.Operands[E.AddressOperand];
    if (!A.Elements.empty() && A.Elements[0].Kind == Operand::KindTy::Register)
      Bases.push_back({A.Elements[0].Val, E.Space});
  }
  for (const Value *U : I.Uses) {
    unsigned R = root(*U);
    if (!IsSum)
      IsAddend[R] = false;
    auto *Base = llvm::find_if(Bases, [&](auto &B) { return B.first == U; });
    if (Base == Bases.end()) {
      IsAddress[R] = IsAddress[R] && IsAddressSum;
      IsShort[R] = IsShort[R] && MakesShort;
      continue;
    }
    IsShort[R] = IsShort[R] && (Base->second == AddressSpace::Shared ||
                                Base->second == AddressSpace::Local);
    Bases.erase(Base); // a further use of it is none as an address
  }
}

/// Folds the sum of an address, which only addresses use: a constant becomes
/// their offset, and one sum serves all that add the same.
void Folding::foldSum(const Instruction &I) {
  unsigned Def = I.Defs[0]->Id;
  const Operand &A = I.Operands[1], &B = I.Operands[2];
  if (A.Kind != Operand::KindTy::Register)
    return;
  if (B.Kind == Operand::KindTy::Integer) {
    Root[Def] = root(*A.Val);
  } else if (B.Kind == Operand::KindTy::Register &&
             Opcode(I.Opcode) == Opcode::Add &&
             (bitWidth(I.Defs[0]->Type) == 64 || IsShort[Def])) {
    unsigned X = root(*A.Val), Y = root(*B.Val);
    Root[Def] = Sums.try_emplace(std::minmax(X, Y), Def).first->second;
  }
}

bool Folding::isVariableOffset(const Instruction &I) const {
  if (I.isPseudo() || !isIntegerSum(I) || Opcode(I.Opcode) != Opcode::Add)
    return false;
  unsigned Def = I.Defs[0]->Id;
  return IsAddress[Def] && IsShort[Def] &&
         (isConstant(I.Operands[1]) || isConstant(I.Operands[2]));
}

void Folding::foldAddress(const Instruction &I) {
  if (isDead(I) || I.isPseudo() || I.Guard || I.Defs.size() != 1 ||
      I.Operands.size() != 3 || !isWrittenOnce(*I.Defs[0]) || isFolded(I))
    return;
  unsigned Def = I.Defs[0]->Id;
  if (isIntegerSum(I)) {
    if (IsAddress[Def])
      foldSum(I);
    return;
  }
  // Sums scale an index themselves.
  if (Opcode(I.Opcode) == Opcode::Mul && hasModifier(I.Modifiers, "wide") &&
      I.Operands[1].Kind == Operand::KindTy::Register &&
      I.Operands[2].Kind == Operand::KindTy::Integer && IsAddend[Def] &&
      !IsShort[Def])
    Root[Def] = root(*I.Operands[1].Val);
}

void Folding::foldAddresses() {
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      if (I->isPseudo() && IsNeeded[I->Id])
        noteUses(*I);
  for (const Block *B : llvm::reverse(G.Blocks))
    for (const Instruction *I : llvm::reverse(B->Instructions))
      if (!I->isPseudo() && IsNeeded[I->Id])
        noteUses(*I);
  // Folding changes the roots that this was noted by.
  for (const auto &V : G.Values) {
    unsigned R = root(*V);
    IsAddress[V->Id] = IsAddress[R];
    IsShort[V->Id] = IsShort[R];
    IsAddend[V->Id] = IsAddend[R];
  }
  for (const Block *B : G.Blocks) {
    Sums.clear();
    for (const Instruction *I : B->Instructions)
      foldAddress(*I);
  }
}

Folding::Folding(const InstructionGraph &G)
    : G(G), IsNeeded(G.NumInstructions), NumDefs(G.Registers.size()),
      Root(G.Values.size()), IsConstant(G.Values.size()),
      IsBroadcast(G.Values.size()), IsAddress(G.Values.size(), true),
      IsShort(G.Values.size(), true), IsAddend(G.Values.size(), true) {
  foldCopies();
  dropDeadCode();
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      if (IsNeeded[I->Id] && !I->isPseudo())
        foldSign(*I);
  foldAddresses();
}

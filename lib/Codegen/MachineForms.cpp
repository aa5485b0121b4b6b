//===- MachineForms.cpp - What becomes of each instruction ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/MachineForms.h"
#include "JoinedAccesses.h"
#include "MachineFormsImpl.h"
#include "ptxpredict/Support/TimeReport.h"

using namespace ptxpredict;
using ptx::hasModifier;
using ptx::Opcode;

static constexpr StringRef FormNames[] = {
#define MACHINE_FORM(NAME, TEXT, WORK, MEANING) TEXT,
#include "ptxpredict/Codegen/MachineForms.def"
};

StringRef ptxpredict::toString(MachineForm F) { return FormNames[unsigned(F)]; }

SchedClass ptxpredict::schedClassOf(MachineForm F) {
  static constexpr SchedClass Works[] = {
#define MACHINE_FORM(NAME, TEXT, WORK, MEANING) SchedClass::WORK,
#include "ptxpredict/Codegen/MachineForms.def"
  };
  return Works[unsigned(F)];
}

namespace ptxpredict {

void FormFinder::run() {
  Out.Forms.resize(G.NumInstructions);
  for (const Block *B : llvm::reverse(G.Blocks))
    for (const Instruction *I : llvm::reverse(B->Instructions)) {
      Dead[I->Id] = isDead(*I);
      if (!Dead[I->Id] && !I->isPseudo())
        noteAddresses(*I);
    }
  findDivergent();
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      if (!I->isPseudo() && !Dead[I->Id])
        visit(*I);
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

/// Whether a use of \p I's result as an address is one of its operand, too.
bool passesAddress(const Instruction &I) {
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

bool FormFinder::isDead(const Instruction &I) const {
  if (I.isPhi())
    return llvm::all_of(I.Defs[0]->Users,
                        [&](const Instruction *U) { return U == &I; }) ||
           (I.Defs[0]->Users.empty());
  if (I.Defs.empty() || I.IsTerminator || I.IsCall || I.IsUnknown ||
      I.IsCrossLane || I.IsBlockBarrier || I.IsAsyncWait)
    return false;
  for (const MemoryEffect &E : I.Effects)
    if (E.Writes)
      return false;
  for (const Value *D : I.Defs)
    for (const Instruction *U : D->Users)
      if (!Dead[U->Id])
        return false;
  return true;
}

/// Users have been seen before, but for those behind a loop's end.
void FormFinder::noteAddresses(const Instruction &I) {
  if (I.Defs.size() != 1 || !I.Effects.empty())
    return;
  const Value *D = I.Defs[0];
  bool IsAny = false, IsAddress = true, IsShort = true;
  for (const Instruction *U : D->Users) {
    if (Dead[U->Id])
      continue;
    IsAny = true;
    bool IsUsedShort =
        passesAddress(*U) && !U->isPseudo() && ShortAddress[U->Defs[0]->Id];
    bool IsUsed = isAdd(*U) && !U->Guard && U->Defs.size() == 1 &&
                  AddressOnly[U->Defs[0]->Id];
    for (const MemoryEffect &E : U->Effects) {
      const Operand &A = U->Operands[E.AddressOperand];
      // It may be stored as well as stored to.
      if (A.Elements.empty() ||
          A.Elements[0].Kind != Operand::KindTy::Register ||
          A.Elements[0].Val != D || llvm::count(U->Uses, D) != 1)
        continue;
      IsUsed = true;
      IsUsedShort =
          E.Space == AddressSpace::Shared || E.Space == AddressSpace::Local;
    }
    IsAddress &= IsUsed;
    IsShort &= IsUsedShort;
  }
  AddressOnly[D->Id] = IsAny && IsAddress;
  ShortAddress[D->Id] = IsAny && IsShort;
}

/// Whatever depends on what differs; what only control makes differ is left
/// out.
void FormFinder::findDivergent() {
  SmallVector<const Instruction *, 32> Work;
  auto Mark = [&](const Instruction &I) {
    for (const Value *D : I.Defs)
      if (!Divergent[D->Id]) {
        Divergent[D->Id] = true;
        llvm::append_range(Work, D->Users);
      }
  };
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions) {
      bool IsSource = I->IsCall || I->IsCrossLane;
      for (const MemoryEffect &E : I->Effects)
        IsSource |=
            E.Space != AddressSpace::Param && E.Space != AddressSpace::Const;
      for (const Operand &O : I->Operands)
        IsSource |= O.Kind == Operand::KindTy::Special &&
                    (O.Name.starts_with("%tid") || O.Name == "%laneid" ||
                     O.Name.starts_with("%lanemask"));
      if (IsSource)
        Mark(*I);
    }
  while (!Work.empty())
    Mark(*Work.pop_back_val());
}

/// A register that the hardware provides is read once.
MachineForm FormFinder::special(const Instruction &I) {
  StringRef Name = I.Operands[1].Name;
  if (Name.starts_with("%clock") || Name.starts_with("%globaltimer"))
    return MachineForm::ReadClock;
  if (Name.starts_with("%ntid") || Name.starts_with("%nctaid") ||
      Name == "WARP_SZ") {
    Constant[I.Defs[0]->Id] = true;
    return MachineForm::Folded;
  }
  if (llvm::is_contained(SpecialsRead, Name))
    return MachineForm::Folded;
  SpecialsRead.push_back(Name);
  return Name.starts_with("%ctaid") ? MachineForm::ReadBlock
                                    : MachineForm::ReadLane;
}

MachineForm FormFinder::move(const Instruction &I) {
  if (I.Operands.size() != 2)
    return MachineForm::Move;
  const Operand &To = I.Operands[0], &From = I.Operands[1];
  bool IsPair =
      To.Kind == Operand::KindTy::Register && bitWidth(To.Val->Type) > 32;
  if (From.Kind == Operand::KindTy::Special && !I.Defs.empty())
    return special(I);
  if (To.Kind == Operand::KindTy::Vector)
    return MachineForm::Folded;
  if (From.Kind == Operand::KindTy::Vector) {
    if (To.Kind == Operand::KindTy::Register && bitWidth(To.Val->Type) <= 32 &&
        !llvm::any_of(From.Elements, isImmediate))
      return MachineForm::Permute;
    return MachineForm::Folded;
  }
  if (I.Defs.size() != 1 || To.Kind != Operand::KindTy::Register)
    return MachineForm::Folded;
  if (To.Val->Type == ScalarType::Pred)
    return MachineForm::Folded;
  if (isImmediate(From)) {
    if (From.Kind == Operand::KindTy::Variable) {
      if (From.Var->Space != AddressSpace::Shared)
        return MachineForm::VariableAddress;
      Constant[To.Val->Id] = true;
      return MachineForm::SharedAddress;
    }
    // A loop or a join wants it in a register.
    bool IsMerged = I.Guard != nullptr;
    for (const Instruction *U : To.Val->Users)
      IsMerged |= U->isPseudo() && !Dead[U->Id];
    if (IsMerged)
      return From.Bits == 0 && From.Kind != Operand::KindTy::Variable
                 ? MachineForm::Zero
             : IsPair ? MachineForm::Constant64
                      : MachineForm::Constant;
    Constant[To.Val->Id] = true;
    return MachineForm::Folded;
  }
  if (From.Kind == Operand::KindTy::Register) {
    Constant[To.Val->Id] = Constant[From.Val->Id];
    if (I.Guard)
      return IsPair ? MachineForm::Move64 : MachineForm::Move;
  }
  return MachineForm::Folded;
}

/// Magnitude and negation are part of float operands.
MachineForm FormFinder::sign(const Instruction &I, MachineForm Result) const {
  for (const Instruction *U : I.Defs[0]->Users)
    if (!Dead[U->Id] && (U->isPseudo() || (U->Class != OpClass::Fp32 &&
                                           U->Class != OpClass::Fp64 &&
                                           U->Class != OpClass::Compare)))
      return Result;
  return MachineForm::Folded;
}

MachineForm FormFinder::load(const Instruction &I) const {
  const MemoryEffect &E = I.Effects.front();
  switch (E.Space) {
  case AddressSpace::Param:
  case AddressSpace::Const: {
    const Operand &A = I.Operands[E.AddressOperand];
    bool IsFixed = A.Elements.empty() ||
                   A.Elements[0].Kind != Operand::KindTy::Register ||
                   Constant[A.Elements[0].Val->Id];
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
bool FormFinder::accessRegisters(const Instruction &I,
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
                                                   return isConstantLike(E);
                                                 }))
                       : isConstantLike(O);
  F.Form = F.Moves ? MachineForm::ArrayMove : MachineForm::Folded;
  return true;
}

MachineForm FormFinder::atomic(const Instruction &I) const {
  auto Has = [&](StringRef M) { return hasModifier(I.Modifiers, M); };
  bool IsFloat = Has("f32") || Has("f64") || Has("f16") || Has("f16x2");
  if (!I.Effects.empty() && I.Effects.front().Space == AddressSpace::Shared)
    return IsFloat && Has("add") ? MachineForm::SharedAtomicLoop
                                 : MachineForm::SharedAtomic;
  bool IsRead = llvm::any_of(I.Defs, [&](const Value *D) {
    return llvm::any_of(D->Users,
                        [&](const Instruction *U) { return !Dead[U->Id]; });
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

void FormFinder::visit(const Instruction &I) {
  InstructionForm &F = form(I);
  Opcode Op = Opcode(I.Opcode);
  if (accessRegisters(I, F))
    return;
  bool IsLoad = !I.Effects.empty() && (Op == Opcode::Ld || Op == Opcode::Ldu);
  if (IsLoad) {
    F.Form = load(I);
    if (F.Form == MachineForm::Folded)
      for (const Value *D : I.Defs)
        Constant[D->Id] = true;
    return;
  }
  switch (Op) {
  case Opcode::Mov:
    F.Form = move(I);
    return;
  case Opcode::Cvta:
    if (I.Operands.size() == 2 && isConstantLike(I.Operands[1]) &&
        !I.Defs.empty())
      Constant[I.Defs[0]->Id] = true;
    F.Form = MachineForm::Folded;
    return;
  case Opcode::Atom:
  case Opcode::Red:
    F.Form = atomic(I);
    return;
  case Opcode::Neg:
  case Opcode::Abs:
    if (I.Class == OpClass::Fp32) {
      F.Form = sign(I, MachineForm::FloatSign);
      return;
    }
    if (I.Class == OpClass::Fp64) {
      F.Form = sign(I, MachineForm::DoubleSign);
      return;
    }
    break;
  case Opcode::Bra:
    if (!I.Guard && isBeforeTarget(*I.Parent))
      return;
    F.Form =
        isPredicated(*I.Parent) ? MachineForm::Folded : MachineForm::Branch;
    return;
  default:
    break;
  }
  if (isInvariant(I)) {
    Invariant[I.Defs[0]->Id] = true;
    return;
  }
  F = formByOpcode(I);
  if (I.Defs.size() == 1 && !I.Guard) {
    const Value &D = *I.Defs[0];
    // What is an address of 32 bits is computed with so many.
    bool IsShort = ShortAddress[D.Id];
    if (IsShort)
      F.Form = shortened(F.Form);
    // A sum with a constant that is only an address is an offset.
    if (isAdd(I) && I.Operands.size() == 3 && AddressOnly[D.Id] &&
        (I.Operands[2].Kind == Operand::KindTy::Integer ||
         (IsShort &&
          (isConstantLike(I.Operands[1]) || isConstantLike(I.Operands[2]))))) {
      F.Form = MachineForm::Folded;
      return;
    }
    // What only sums of 64 bits use scales an index.
    unsigned NumSums = 0;
    bool HasOthers = false;
    for (const Instruction *U : D.Users)
      if (!Dead[U->Id]) {
        bool IsSum = isAdd(*U) && !U->Guard;
        NumSums += IsSum;
        HasOthers |= !IsSum;
      }
    if (F.Form == MachineForm::MulWideConstant && !HasOthers) {
      F.Form = NumSums == 1 ? MachineForm::ScaleOnce : MachineForm::ScaleIndex;
      return;
    }
    // Each of several sums takes the shift in.
    if (F.Form == MachineForm::Shift && Op == Opcode::Shl && !HasOthers &&
        NumSums > 1 && isImmediate(I.Operands[2])) {
      F.Form = MachineForm::ShiftJoined;
      return;
    }
  }
  // One bit of the value is all that is wanted of a byte that was loaded so.
  if (F.Form == MachineForm::Extend) {
    const Operand &From = I.Operands[1];
    if (From.Kind == Operand::KindTy::Register && From.Val->Def &&
        From.Val->Def->Class == OpClass::Load)
      F.Form = MachineForm::Folded;
  }
  join(I, F);
  F.IsUniform = isUniform(I, F.Form);
  if (!F.IsUniform)
    addConstants(I, F);
}

/// Whether \p B, which ends with a jump, stands before the jump's target once
/// the assembler has put the blocks into an order of its own. It does if that
/// is so already, or if nothing else could stand there.
bool FormFinder::isBeforeTarget(const Block &B) const {
  if (B.Successors.size() != 1)
    return false;
  const Block *To = B.Successors[0];
  // A cycle has a jump that goes back, which stays one.
  const int C = CF.innermostCycle(To);
  auto GoesBack = [&](const Block *P) {
    return C >= 0 && CF.cycles()[unsigned(C)].Header == To &&
           CF.cycles()[unsigned(C)].contains(P);
  };
  if (GoesBack(&B))
    return false;
  if (To->Number == B.Number + 1)
    return true;
  return llvm::all_of(To->Predecessors, [&](const Block *P) {
    // The last successor of a branch is what follows it.
    return P == &B || GoesBack(P) ||
           (P->Successors.size() > 1 && P->Successors.back() != To);
  });
}

/// Whether the branch that ends \p B vanishes, since what it jumps over is
/// short enough to be executed under a predicate.
bool FormFinder::isPredicated(const Block &B) const {
  const Instruction *T = B.terminator();
  if (!T || !T->Guard || B.Successors.size() != 2)
    return false;
  const Block *To = B.Successors[0], *Next = B.Successors[1];
  if (Next->Predecessors.size() != 1 || Next->Successors.size() != 1 ||
      Next->Successors[0] != To)
    return false;
  constexpr unsigned MaxPredicated = 7;
  unsigned Num = 0;
  for (const Instruction *I : Next->Instructions) {
    if (I->isPseudo() || I->IsTerminator)
      continue;
    if (I->Class == OpClass::Barrier || I->IsCall || I->IsCrossLane)
      return false;
    Num += Out.Forms[I->Id].Form != MachineForm::Folded;
    if (Num > MaxPredicated)
      return false;
  }
  return true;
}

void FormFinder::converge(const Block &B) {
  const Instruction *T = B.terminator();
  if (!T || !T->Guard || B.Successors.size() != 2 ||
      form(*T).Form == MachineForm::Folded || !Divergent[T->Guard->Id])
    return;
  const Block *Meet = CF.immediatePostDominator(&B);
  if (!Meet || (Meet->terminator() && Meet->terminator()->IsExit &&
                Meet->Instructions.size() == 1))
    return;
  int C = CF.innermostCycle(&B);
  if (C >= 0 && !CF.cycles()[unsigned(C)].contains(Meet)) {
    const Block *Before =
        CF.immediateDominator(CF.cycles()[unsigned(C)].Header);
    if (Before)
      Out.Converging.push_back(Before->Number);
    return;
  }
  Out.Converging.push_back(B.Number);
}

MachineForms::MachineForms(const InstructionGraph &G, const ControlFlow &CF)
    : Locals(G, CF) {
  StageTimer Timer(Stage::MachineForms);
  FormFinder(G, CF, *this).run();
}

} // namespace ptxpredict

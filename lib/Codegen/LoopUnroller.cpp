//===- LoopUnroller.cpp - Loops that an assembler unrolls -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/LoopUnroller.h"
#include "ptxpredict/Codegen/Assembler.h"
#include "ptxpredict/Codegen/SchedClass.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <algorithm>

using namespace ptxpredict;
using ptx::Opcode;

namespace {

/// `x + constant`, where x is \p Phi's value: a step of a counter or pointer.
bool isStepOf(const Value *V, const Value *Phi, const Block *Loop) {
  const Instruction *I = V->Def;
  if (!I || I->isPseudo() || I->Parent != Loop || I->Guard ||
      I->Operands.size() != 3)
    return false;
  Opcode Op = Opcode(I->Opcode);
  return (Op == Opcode::Add || Op == Opcode::Sub) &&
         I->Operands[1].Kind == Operand::KindTy::Register &&
         I->Operands[1].Val == Phi &&
         I->Operands[2].Kind == Operand::KindTy::Integer;
}

/// What \p Phi becomes in the next round of the one-block loop \p Loop.
const Value *nextOf(const Instruction &Phi, const Block *Loop) {
  for (size_t P = 0; P != Phi.Uses.size(); ++P)
    if (Loop->Predecessors[P] == Loop)
      return Phi.Uses[P];
  return nullptr;
}

/// How a loop of one block ends: a counter is compared with what does not
/// change in it.
struct LoopTest {
  const Instruction *Test = nullptr; ///< null: otherwise
  bool IsKnown = false;              ///< how often it runs is a constant
};

bool isConstant(const Value *V) {
  const Instruction *I = V ? V->Def : nullptr;
  return I && Opcode(I->Opcode) == Opcode::Mov && !I->Guard &&
         I->Operands.size() == 2 &&
         I->Operands[1].Kind == Operand::KindTy::Integer;
}

/// The loop begins with a constant in \p Phi.
bool startsConstant(const Instruction &Phi, const Block &Loop) {
  for (size_t P = 0; P != Phi.Uses.size(); ++P)
    if (Loop.Predecessors[P] != &Loop && !isConstant(Phi.Uses[P]))
      return false;
  return true;
}

LoopTest testOf(const Block &Loop) {
  const Instruction *Branch = Loop.terminator();
  const Instruction *Test =
      Branch && Branch->Guard ? Branch->Guard->Def : nullptr;
  if (!Test || Test->isPseudo() || Test->Parent != &Loop ||
      Opcode(Test->Opcode) != Opcode::Setp || Test->Operands.size() != 3)
    return {};
  auto IsInvariant = [&](const Operand &O) {
    return O.Kind == Operand::KindTy::Integer ||
           (O.Kind == Operand::KindTy::Register &&
            (!O.Val->Def || O.Val->Def->Parent != &Loop));
  };
  auto CounterOf = [&](const Operand &O) -> const Instruction * {
    if (O.Kind != Operand::KindTy::Register)
      return nullptr;
    for (const Instruction &Phi : Loop.phis()) {
      const Value *Next = nextOf(Phi, &Loop);
      if (Next && isStepOf(Next, Phi.Defs[0], &Loop) &&
          (O.Val == Next || O.Val == Phi.Defs[0]))
        return &Phi;
    }
    return nullptr;
  };
  for (unsigned Side : {1, 2}) {
    const Operand &Bound = Test->Operands[3 - Side];
    const Instruction *Counter = CounterOf(Test->Operands[Side]);
    if (Counter && IsInvariant(Bound))
      return {Test, startsConstant(*Counter, Loop) &&
                        (Bound.Kind == Operand::KindTy::Integer ||
                         isConstant(Bound.Val))};
  }
  return {};
}

/// What an operation adds to the size by which a loop is unrolled, in machine
/// instructions of arithmetic.
unsigned sizeOf(const MachineOp &Op, MachineForm F) {
  switch (F) {
  case MachineForm::Atomic:
  case MachineForm::Reduction:
  case MachineForm::SharedAtomic:
  case MachineForm::SharedAtomicLoop:
    return assembler::UnrolledAtomic;
  case MachineForm::ApproxReciprocal:
  case MachineForm::ApproxRsqrt:
  case MachineForm::ApproxRoot:
  case MachineForm::ApproxLog:
  case MachineForm::ApproxExp:
    return assembler::UnrolledApproximation;
  default:
    return Op.Source->Effects.empty() ? 1 : assembler::UnrolledAccess;
  }
}

/// It becomes a loop, a call or a long sequence, none of which is copied.
bool isNotCopied(const Instruction &I) {
  switch (schedClassOf(I)) {
  case SchedClass::FP32Divide:
  case SchedClass::FP64Divide:
  case SchedClass::IntDivide:
  case SchedClass::IntRemainder:
    return true;
  default:
    return I.IsCall || I.IsUnknown;
  }
}

/// What the values of a loop's body are called in its copies.
class CopiedNames {
public:
  /// New values are added to \p Width.
  CopiedNames(const MachineBlock &B, std::vector<uint8_t> &Width);

  void startCopy(bool Last);
  /// It steps a counter or pointer: the last copy's step stands for all.
  bool isLeftOut(const MachineOp &Op) const {
    return !IsLast && Op.Defs.size() == 1 && StepOf.count(Op.Defs[0]);
  }
  unsigned use(unsigned Id) const;
  unsigned define(unsigned Id);

private:
  std::vector<uint8_t> &Width;
  // What the phis become from one copy to the next.
  llvm::DenseMap<unsigned, unsigned> Next;   ///< by the phi's id
  llvm::DenseMap<unsigned, unsigned> StepOf; ///< by the step's id: its phi
  // By the name in the body: in the copy before, and in this one.
  llvm::DenseMap<unsigned, unsigned> Before, Now;
  unsigned NumCopies = 0; ///< started
  bool IsFirst = true, IsLast = false;
};

} // namespace

CopiedNames::CopiedNames(const MachineBlock &B, std::vector<uint8_t> &Width)
    : Width(Width) {
  const Block *Loop = B.Source;
  const auto Latch =
      size_t(llvm::find(Loop->Predecessors, Loop) - Loop->Predecessors.begin());
  for (const MachinePhi &Phi : B.Phis)
    if (Phi.Uses[Latch] != MachinePhi::NoValue)
      Next[Phi.Def] = Phi.Uses[Latch];
  for (const Instruction &Phi : Loop->phis()) {
    const Value *N = nextOf(Phi, Loop);
    if (N && Next.count(Phi.Defs[0]->Id) && isStepOf(N, Phi.Defs[0], Loop))
      StepOf[N->Id] = Phi.Defs[0]->Id;
  }
}

void CopiedNames::startCopy(bool Last) {
  IsFirst = NumCopies++ == 0;
  IsLast = Last;
  Before.swap(Now);
  Now.clear();
}

unsigned CopiedNames::use(unsigned Id) const {
  if (auto It = Now.find(Id); It != Now.end())
    return It->second;
  if (auto It = StepOf.find(Id); It != StepOf.end())
    return It->second;
  auto Phi = Next.find(Id);
  if (IsFirst || Phi == Next.end() || StepOf.count(Phi->second))
    return Id;
  auto It = Before.find(Phi->second);
  return It != Before.end() ? It->second : Phi->second;
}

unsigned CopiedNames::define(unsigned Id) {
  unsigned Name = Id;
  if (!IsLast) {
    Name = unsigned(Width.size());
    Width.push_back(Width[Id]);
  }
  Now[Id] = Name;
  return Name;
}

SmallVector<const Instruction *, 8> ptxpredict::loopControl(const Block &Loop) {
  SmallVector<const Instruction *, 8> Control;
  for (const Instruction &Phi : Loop.phis()) {
    const Value *Next = nextOf(Phi, &Loop);
    if (Next && isStepOf(Next, Phi.Defs[0], &Loop))
      Control.push_back(Next->Def);
  }
  if (const Instruction *T = Loop.terminator()) {
    Control.push_back(T);
    if (T->Guard && T->Guard->Def && T->Guard->Users.size() == 1)
      Control.push_back(T->Guard->Def);
  }
  return Control;
}

bool ptxpredict::isUnrolled(const MachineBlock &B, const MachineCode &Code) {
  const Block &Loop = *B.Source;
  if (Loop.IsNotUnrolled || !llvm::is_contained(Loop.Successors, &Loop))
    return false;
  const LoopTest Test = testOf(Loop);
  if (!Test.Test)
    return false;
  llvm::SmallPtrSet<const Instruction *, 8> Control;
  for (const Instruction *I : loopControl(Loop))
    Control.insert(I);
  unsigned Size = 0, NumShared = 0;
  bool HasLongLoads = false;
  for (const MachineOp &Op : B.Ops) {
    if (isNotCopied(*Op.Source))
      return false;
    if (!Control.count(Op.Source))
      Size += sizeOf(Op, Code.form(*Op.Source).Form);
    NumShared += isSharedLoad(*Op.Source);
    HasLongLoads |= isLongLoad(*Op.Source);
  }
  // Copies hide what loads wait for, so that more of them are worth it.
  unsigned Most =
      std::min(assembler::MostUnrolledShared,
               assembler::MostUnrolled + NumShared * assembler::MoreForShared);
  if (HasLongLoads)
    Most = assembler::MostUnrolledLong;
  if (Test.IsKnown)
    Most = std::max(Most, assembler::MostUnrolledKnown);
  return Size <= Most;
}

std::vector<MachineOp> ptxpredict::unrollOnPaper(const MachineBlock &B,
                                                 std::vector<uint8_t> &Width) {
  if (!B.IsUnrolled)
    return {};
  CopiedNames Names(B, Width);
  std::vector<MachineOp> Out;
  Out.reserve(B.Ops.size() * assembler::NumUnrolledCopies);
  for (unsigned Copy = 0; Copy != assembler::NumUnrolledCopies; ++Copy) {
    Names.startCopy(Copy + 1 == assembler::NumUnrolledCopies);
    for (const MachineOp &Op : B.Ops) {
      if (Names.isLeftOut(Op))
        continue;
      MachineOp &C = Out.emplace_back(Op);
      for (unsigned &U : C.Uses)
        U = Names.use(U);
      for (unsigned &D : C.Defs)
        D = Names.define(D);
    }
  }
  return Out;
}

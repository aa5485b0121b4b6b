//===- MachineCode.cpp - What an assembler makes of PTX -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/MachineCode.h"
#include "InstructionSelector.h"
#include "ptxpredict/Codegen/Assembler.h"
#include "ptxpredict/Codegen/LoopUnroller.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include "ptxpredict/Support/TimeReport.h"

using namespace ptxpredict;
using ptx::hasModifier;

/// 32-bit registers that hold a value of type \p T.
static uint8_t widthOf(ScalarType T) {
  constexpr unsigned RegisterBits = 8 * RegisterBytes;
  return T == ScalarType::Pred
             ? 0
             : uint8_t((bitWidth(T) + RegisterBits - 1) / RegisterBits);
}

/// Registers that the expansion of \p I, of form \p F, holds besides its
/// operands and results.
static uint8_t temporaries(const Instruction &I, MachineForm F) {
  bool ByConstant = I.Operands.size() == 3 && isImmediate(I.Operands[2]);
  switch (F) {
#define TEMPORARIES(FORM, REGISTERS, BY_CONSTANT)                              \
  case MachineForm::FORM:                                                      \
    return ByConstant ? BY_CONSTANT : REGISTERS;
#include "Temporaries.def"
  default:
    return 0;
  }
}

/// How a scheduler may move the operation of \p I.
static void classify(const Instruction &I, MachineOp &Op) {
  using KindTy = MachineOp::KindTy;
  if (I.IsBlockBarrier || I.IsMemoryBarrier || I.IsAsyncWait || I.IsCall) {
    Op.Kind = KindTy::Barrier;
  } else if (I.Class == OpClass::Async && I.Effects.empty()) {
    // It closes the group of the copies before it.
    Op.Kind = KindTy::Store;
    Op.Space = AddressSpace::Shared;
  } else if (I.Effects.empty()) {
    bool IsPure = !I.IsTerminator && !I.IsCrossLane && !I.IsUnknown;
    Op.Kind = IsPure ? KindTy::Pure : KindTy::Other;
  } else if (llvm::any_of(I.Effects,
                          [](const MemoryEffect &E) { return E.Writes; })) {
    Op.Kind = KindTy::Store;
    Op.Space = I.Effects.front().Space;
  } else if (I.Effects.front().Access == AccessKind::Load) {
    Op.Kind = KindTy::Load;
    AddressSpace Space = I.Effects.front().Space;
    if (!hasModifier(I.Modifiers, "nc") && Space != AddressSpace::Texture)
      Op.Space = Space;
  }
}

namespace ptxpredict {

/// Makes the operations of a graph whose forms are known.
class OperationBuilder {
public:
  OperationBuilder(const Folding &Folded, const InstructionSelector &Selected,
                   MachineCode &Out)
      : Folded(Folded), Selected(Selected), Out(Out) {}

  void run(const InstructionGraph &G);

private:
  void findWidths(const InstructionGraph &G);
  void addPhi(const Instruction &I, MachineBlock &B) const;
  void addOp(const Instruction &I, MachineBlock &B) const;
  void addUse(const Value &V, MachineOp &Op) const;
  void addUses(const Instruction &I, MachineOp &Op) const;
  void addDefs(const Instruction &I, MachineOp &Op) const;

  const Folding &Folded;
  const InstructionSelector &Selected;
  MachineCode &Out;
};

} // namespace ptxpredict

void OperationBuilder::findWidths(const InstructionGraph &G) {
  Out.Widths.resize(G.Values.size());
  for (const auto &V : G.Values)
    if ((V->Def || V->IsArgument) && !Folded.isConstant(*V) &&
        !Selected.isUniform(*V))
      Out.Widths[V->Id] = widthOf(V->Type);
}

void OperationBuilder::addUse(const Value &V, MachineOp &Op) const {
  unsigned R = Folded.root(V);
  if (Out.Widths[R] != 0 && !llvm::is_contained(Op.Uses, R))
    Op.Uses.push_back(R);
}

/// What \p I takes in reads its own operands.
void OperationBuilder::addUses(const Instruction &I, MachineOp &Op) const {
  for (const Value *U : I.Uses)
    if (U->Def && Out.Forms[U->Def->Id].Into == &I)
      addUses(*U->Def, Op);
    else
      addUse(*U, Op);
}

void OperationBuilder::addDefs(const Instruction &I, MachineOp &Op) const {
  for (const Value *D : I.Defs) {
    unsigned R = Folded.root(*D);
    bool IsOwn = R == D->Id || I.Guard;
    if (IsOwn && Out.Widths[R] != 0 && !llvm::is_contained(Op.Defs, R))
      Op.Defs.push_back(R);
    if (I.Guard) // what it may leave in place
      for (const Instruction *User : D->Users)
        if (User->isSelect() && User->Uses[1] == D && !Folded.isDead(*User))
          addUse(*User->Uses[2], Op);
  }
}

void OperationBuilder::addPhi(const Instruction &I, MachineBlock &B) const {
  if (Out.Widths[I.Defs[0]->Id] == 0)
    return;
  MachinePhi &Phi = B.Phis.emplace_back();
  Phi.Def = I.Defs[0]->Id;
  for (const Value *U : I.Uses) {
    unsigned R = Folded.root(*U);
    Phi.Uses.push_back(Out.Widths[R] != 0 ? R : MachinePhi::NoValue);
  }
}

void OperationBuilder::addOp(const Instruction &I, MachineBlock &B) const {
  const InstructionForm &F = Out.form(I);
  if (F.Into || Folded.isConstantLoad(I))
    return;
  MachineOp Op;
  Op.Source = &I;
  addUses(I, Op);
  addDefs(I, Op);
  bool Vanishes = !I.Defs.empty() && Op.Defs.empty() && I.Effects.empty() &&
                  !I.IsTerminator && !I.IsCall &&
                  I.Defs[0]->Type != ScalarType::Pred;
  if (Vanishes)
    return;
  Op.Temporaries = temporaries(I, F.Form);
  classify(I, Op);
  B.Ops.push_back(std::move(Op));
}

void OperationBuilder::run(const InstructionGraph &G) {
  findWidths(G);
  Out.Blocks.resize(G.Blocks.size());
  for (const Block *B : G.Blocks) {
    MachineBlock &To = Out.Blocks[B->Number];
    To.Source = B;
    To.Ops.reserve(B->Instructions.size());
    for (const Instruction *I : B->Instructions)
      if (I->isPhi() && !Folded.isDead(*I))
        addPhi(*I, To);
      else if (!I->isPseudo() && !Folded.isDead(*I))
        addOp(*I, To);
  }
}

MachineCode::MachineCode(const InstructionGraph &G, const ControlFlow &CF)
    : Locals(G, CF) {
  StageTimer Timer(Stage::MachineCode);
  if (G.Assembled) {
    take(G);
    return;
  }
  Folding Folded(G);
  InstructionSelector Selected(Folded, G, CF, *this);
  Selected.run();
  OperationBuilder(Folded, Selected, *this).run(G);
  unrollLoops();
}

/// What machine code is.
static MachineForm assembledForm(const Instruction &I) {
  if (I.IsUncounted || !I.Machine)
    return MachineForm::Folded;
  const MemoryEffect *E = I.Effects.empty() ? nullptr : &I.Effects.front();
  const bool IsShared = E && E->Space == AddressSpace::Shared;
  const bool IsLocal = E && E->Space == AddressSpace::Local;
  switch (SchedClass(I.Machine->Class)) {
  case SchedClass::IntMultiply:
    return I.Machine->IsUniform ? MachineForm::OneUniform
                                : MachineForm::OneIntMultiply;
  case SchedClass::FP16:
  case SchedClass::FP16FMA:
    return I.Machine->IsSwizzled ? MachineForm::HalfSwizzled
                                 : MachineForm::OneFP16;
  case SchedClass::FP32:
  case SchedClass::FP32FMA:
    return MachineForm::OneFP32;
  case SchedClass::FP64:
  case SchedClass::FP64FMA:
    return MachineForm::OneFP64;
  case SchedClass::SFU:
    return MachineForm::OneSFU;
  case SchedClass::Tensor:
    return MachineForm::OneTensor;
  case SchedClass::Convert:
    return MachineForm::OneConvert;
  case SchedClass::FP64Convert:
    return MachineForm::OneFP64Convert;
  case SchedClass::CrossLane:
    return MachineForm::OneShuffle;
  case SchedClass::Param:
    return I.Machine->IsUniform ? MachineForm::OneUniform
                                : MachineForm::OneConstantLoad;
  case SchedClass::Shared:
    return MachineForm::OneSharedLoad;
  case SchedClass::Global:
    return MachineForm::OneGlobalLoad;
  case SchedClass::Local:
    return MachineForm::OneLocalLoad;
  case SchedClass::Texture:
    return MachineForm::OneTexture;
  case SchedClass::SharedAtomic:
    return MachineForm::OneSharedAtomic;
  case SchedClass::GlobalAtomic:
    return MachineForm::OneGlobalAtomic;
  case SchedClass::AsyncCopy:
  case SchedClass::BulkCopy:
    return MachineForm::OneAsyncCopy;
  case SchedClass::BranchTaken:
  case SchedClass::BranchNotTaken:
  case SchedClass::Call:
  case SchedClass::Exit:
    return MachineForm::OneControl;
  case SchedClass::Barrier:
    return MachineForm::OneBarrier;
  case SchedClass::Fence:
    return MachineForm::OneFence;
  case SchedClass::Store:
    return E && E->Access == AccessKind::Atomic ? MachineForm::OneReduction
           : IsShared                           ? MachineForm::OneSharedStore
           : IsLocal                            ? MachineForm::OneLocalStore
                                                : MachineForm::OneGlobalStore;
  case SchedClass::Other:
    return I.Machine->ReadsSystem ? MachineForm::OneSystemRegister
                                  : MachineForm::OneOther;
  default:
    return I.Machine->IsUniform ? MachineForm::OneUniform : MachineForm::OneInt;
  }
}

void MachineCode::take(const InstructionGraph &G) {
  Forms.resize(G.NumInstructions);
  Widths.resize(G.Values.size());
  Blocks.resize(G.Blocks.size());
  for (const Block *B : G.Blocks) {
    Blocks[B->Number].Source = B;
    for (const Instruction *I : B->Instructions)
      if (!I->isPseudo())
        Forms[I->Id].Form = assembledForm(*I);
  }
}

void MachineCode::unrollLoops() {
  for (MachineBlock &B : Blocks) {
    B.IsUnrolled = isUnrolled(B, *this);
    if (B.IsUnrolled)
      for (const Instruction *I : loopControl(*B.Source))
        Forms[I->Id].SharedBy = assembler::NumUnrolledCopies;
  }
}

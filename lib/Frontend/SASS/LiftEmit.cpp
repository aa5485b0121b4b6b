//===- LiftEmit.cpp - Writing operations into the graph -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Codec.h"
#include "LiftFunction.h"
#include "llvm/ADT/SmallString.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;
using Kind = Operand::KindTy;

bool FunctionLift::writesMachine(ArrayRef<Operand> Operands) {
  bool Writes = false;
  forEachOperand(Operands, [&](const Operand &O) {
    Writes |=
        O.Kind == Kind::Register &&
        (O.Role == OperandRole::Write || O.Role == OperandRole::ReadWrite) &&
        O.RegisterIndex < machine::NumRegisters;
  });
  return Writes;
}

void FunctionLift::append(InstructionInfo &Info, ArrayRef<Operand> Operands,
                          bool IsGuarded) {
  if (IsGuarded && OnlyIf && !Info.Guard) {
    Info.Guard = OnlyIf;
    Info.GuardNegated = OnlyIfNot;
  }
  const bool IsUnderGuard = IsGuarded || !ReadsMerged;
  if (Machine && !Info.Guard && Machine->Guard != PredicateTrue &&
      IsUnderGuard) {
    Info.GuardIsOfReads = !IsGuarded;
    Info.Guard = machine::numberOf(Machine->GuardIsUniform
                                       ? RegisterFile::UniformPredicate
                                       : RegisterFile::Predicate,
                                   Machine->Guard);
    Info.GuardNegated = Machine->GuardIsNegated;
  }
  Info.Line = Line;
  Info.Source = Source;
  Info.Operands = Operands;
  B->append(Info);
}

/// \p Operands with the roles that those of \p E have.
static SmallVector<Operand, 8> withRoles(const ptx::WrittenMnemonics::Entry &E,
                                         ArrayRef<Operand> Operands,
                                         GraphBuilder &B) {
  SmallVector<Operand, 8> All;
  for (size_t N = 0; N != Operands.size(); ++N) {
    const Operand &O = Operands[N];
    OperandRole Role = N < E.Signature.size()    ? E.Signature[N].Role
                       : O.Kind == Kind::Address ? OperandRole::Address
                                                 : OperandRole::Read;
    if (!O.Elements.empty() || O.Kind == Kind::Address) {
      All.push_back(B.withRole(O, Role));
      continue;
    }
    All.push_back(O);
    All.back().Role = Role;
  }
  return All;
}

const ptx::WrittenMnemonics::Entry &FunctionLift::mnemonic(StringRef Mnemonic,
                                                           unsigned NumOperands,
                                                           bool HasReturnList) {
  const unsigned Kind = NumOperands * 2 + HasReturnList;
  // Texts that are asked for again and again have places of their own, which a
  // few of their letters tell.
  const size_t Size = Mnemonic.size();
  const unsigned Hash = unsigned(Size) * 7 + unsigned(Mnemonic[Size - 1]) * 5 +
                        unsigned(Mnemonic[Size / 2]) * 3 +
                        unsigned(Mnemonic[0]) * 17 + Kind * 31;
  RecentMnemonic &Recent = RecentMnemonics[Hash % std::size(RecentMnemonics)];
  if (Recent.Of && Recent.Kind == Kind && Recent.Of->Info.Mnemonic == Mnemonic)
    return *Recent.Of;
  auto It = Mnemonics.find({Mnemonic, Kind});
  if (It == Mnemonics.end()) {
    const ptx::WrittenMnemonics::Entry &E =
        L.mnemonic(Mnemonic, NumOperands, HasReturnList);
    It = Mnemonics.try_emplace({E.Info.Mnemonic, Kind}, &E).first;
  }
  Recent = {Kind, It->second};
  return *It->second;
}

void FunctionLift::emit(const Twine &Mnemonic, ArrayRef<Operand> Operands) {
  emitAs(Mnemonic, Operands, /*IsMain=*/false);
}

void FunctionLift::emitMain(const Twine &Mnemonic, ArrayRef<Operand> Operands) {
  emitAs(Mnemonic, Operands, /*IsMain=*/true);
}

void FunctionLift::emitAs(const Twine &Mnemonic, ArrayRef<Operand> Operands,
                          bool IsMain) {
  if (Collects)
    return;
  llvm::SmallString<48> Text;
  const ptx::WrittenMnemonics::Entry &E =
      mnemonic(Mnemonic.toStringRef(Text), unsigned(Operands.size()));
  InstructionInfo Info = E.Info;
  Info.IsUncounted = !IsMain || std::exchange(IsCounted, true);
  if (!Info.IsUncounted)
    Info.Machine = facts(*Current);
  const SmallVector<Operand, 8> All = withRoles(E, Operands, *B);
  append(Info, All, IsMain || writesMachine(All) || !Info.Effects.empty());
}

Operand FunctionLift::guard() {
  if (Machine->Guard == PredicateTrue)
    return truth(true);
  const Operand P = registerOperand(
      machine::numberOf(Machine->GuardIsUniform ? RegisterFile::UniformPredicate
                                                : RegisterFile::Predicate,
                        Machine->Guard));
  return Machine->GuardIsNegated ? inverted(P) : P;
}

/// Whether \p I is a jump that all lanes take if one of them does.
static bool isJumpOfAny(const MachineInstruction *I) {
  return I && I->mnemonic() == "BRA" && hasWord(*I, "ANY");
}

bool FunctionLift::isLaneLoop(const Block &X) const {
  constexpr unsigned FirstResultAt = 81;
  const Instruction *Last = X.terminator();
  if (!Last || !isJumpOfAny(M.machineOf(*Last)) ||
      llvm::none_of(Last->Operands, [&](const Operand &O) {
        return O.Kind == Kind::Target && O.Dest == &X;
      }))
    return false;
  return llvm::any_of(X.Instructions, [&](const Instruction *I) {
    const MachineInstruction *Is = M.machineOf(*I);
    if (!Is || (Is->mnemonic() != "ELECT" && Is->mnemonic() != "R2UR"))
      return false;
    const MachineOperand *P = predicateOf(*Is, FirstResultAt);
    return P && P->Number != PredicateTrue;
  });
}

void FunctionLift::emitOnce(const Twine &Mnemonic, ArrayRef<Operand> Operands) {
  OnceIf.reset();
  const Instruction *Last = Current->Parent->terminator();
  // Otherwise a branch before lets one lane through, as in PTX.
  const bool MayBeSeveral =
      LoopLanes ||
      (Machine->GuardIsUniform && Machine->Guard != PredicateTrue) ||
      (Last && isJumpOfAny(M.machineOf(*Last)));
  if (Collects || !MayBeSeveral)
    return emitMain(Mnemonic, Operands);
  Operand Is;
  if (LoopLanes) {
    Is = *LoopLanes;
  } else {
    const Operand Lanes =
        compute("activemask.b32", ScalarType::B32, ArrayRef<Operand>());
    Is = temporary(ScalarType::Pred);
    emit("elect.sync", {vector({temporary(ScalarType::B32), Is}), Lanes});
  }
  Is = join("and", guard(), Is);
  if (isNumber(Is))
    return emitMain(Mnemonic, Operands);
  emitMainIf(Is, Mnemonic, Operands);
  OnceIf = Is.RegisterIndex;
}

void FunctionLift::emitAlsoOnce(const Twine &Mnemonic,
                                ArrayRef<Operand> Operands) {
  OnlyIf = OnceIf;
  emit(Mnemonic, Operands);
  OnlyIf.reset();
}

void FunctionLift::emitMainIf(const Operand &If, const Twine &Mnemonic,
                              ArrayRef<Operand> Operands, bool IsNegated) {
  OnlyIf = If.RegisterIndex;
  OnlyIfNot = IsNegated;
  emitMain(Mnemonic, Operands);
  OnlyIf.reset();
  OnlyIfNot = false;
}

Operand FunctionLift::compute(const Twine &Mnemonic, ScalarType T,
                              ArrayRef<Operand> Sources) {
  SmallVector<Operand, 4> All{temporary(T)};
  All.append(Sources.begin(), Sources.end());
  emit(Mnemonic, All);
  return All[0];
}

/// What kind of operation a class of work is.
static OpClass opClassOf(SchedClass C) {
  switch (C) {
  case SchedClass::Int:
  case SchedClass::IntMultiply:
    return OpClass::Int;
  case SchedClass::Logic:
  case SchedClass::Shift:
    return OpClass::Logic;
  case SchedClass::Compare:
    return OpClass::Compare;
  case SchedClass::Barrier:
  case SchedClass::Fence:
    return OpClass::Barrier;
  case SchedClass::Move:
    return OpClass::Move;
  case SchedClass::Tensor:
    return OpClass::Tensor;
  default:
    return OpClass::Other;
  }
}

void FunctionLift::emitNothing() {
  if (Collects)
    return;
  const ptx::WrittenMnemonics::Entry &E = mnemonic("mov.b32", 2);
  InstructionInfo Info = E.Info;
  Info.IsUncounted = std::exchange(IsCounted, true);
  Info.Machine = facts(*Current);
  Info.Class = opClassOf(SchedClass(Info.Machine->Class));
  append(
      Info,
      {B->withRole(temporary(ScalarType::B32), OperandRole::Write), number(0)},
      true);
}

void FunctionLift::emitUnknown() {
  if (Collects)
    return;
  InstructionInfo Info;
  Info.Machine = facts(*Current);
  Info.Mnemonic = Machine->Operation ? Info.Machine->Mnemonic : ".inst";
  Info.IsUnknown = true;
  Info.IsUncounted = std::exchange(IsCounted, true);
  SmallVector<Operand, 12> All;
  for (const Value *V : Current->Defs)
    All.push_back(
        B->withRole(registerOperand(V->Register), OperandRole::Write));
  for (const Value *V : Current->Uses)
    if (V != Current->Guard)
      All.push_back(
          B->withRole(registerOperand(V->Register), OperandRole::Read));
  append(Info, All, true);
}

Operand FunctionLift::inverted(const Operand &P) {
  if (isNumber(P))
    return truth(P.Bits == 0);
  return compute("not.pred", ScalarType::Pred, {P});
}

Operand FunctionLift::join(StringRef Operation, const Operand &A,
                           const Operand &B) {
  for (const auto &[X, Y] : {std::pair(&A, &B), std::pair(&B, &A)}) {
    if (!isNumber(*X))
      continue;
    const bool IsTrue = X->Bits != 0;
    if (Operation == "and")
      return IsTrue ? *Y : *X;
    if (Operation == "or")
      return IsTrue ? *X : *Y;
    return IsTrue ? inverted(*Y) : *Y;
  }
  return compute(Operation + ".pred", ScalarType::Pred, {A, B});
}

void FunctionLift::setPredicate(const Operand &To, const Operand &Value) {
  if (!isSink(To))
    emit("mov.pred", {To, Value});
}

void FunctionLift::move(const Operand &To, const Operand &From) {
  if (!isSink(To))
    emit(To.Type == ScalarType::Pred  ? "mov.pred"
         : To.Type == ScalarType::B64 ? "mov.b64"
                                      : "mov.b32",
         {To, From});
}

std::pair<Operand, Operand> FunctionLift::halves(const Operand &Wide) {
  if (isNumber(Wide))
    return {number(Wide.Bits), number(Wide.Bits >> 32)};
  Operand Low = temporary(ScalarType::B32), High = temporary(ScalarType::B32);
  emit("mov.b64", {vector({Low, High}), Wide});
  return {Low, High};
}

Operand FunctionLift::packed(const Operand &Low, const Operand &High) {
  if (isNumber(Low) && isNumber(High))
    return number(High.Bits << 32 | uint32_t(Low.Bits), ScalarType::B64);
  if (isNumber(High, 0))
    return zeroExtended(Low);
  return compute("mov.b64", ScalarType::B64, {vector({Low, High})});
}

Operand FunctionLift::zeroExtended(const Operand &O) {
  if (isNumber(O))
    return number(uint32_t(O.Bits), ScalarType::B64);
  return compute("cvt.u64.u32", ScalarType::B64, {O});
}

//===- LiftFunction.cpp - One function's machine code ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "OperationTable.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;
using Kind = Operand::KindTy;

constexpr static unsigned PredicateTrue = 7;

FunctionLift::FunctionLift(LiftModule &L, const CubinFunction &F,
                           InstructionGraph &G)
    : L(L), F(F), G(G), M(L.image(), F) {}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Operand FunctionLift::number(uint64_t Value, ScalarType T) {
  Operand O;
  O.Kind = Kind::Integer;
  O.Type = T;
  O.Bits = T == ScalarType::B32 ? uint32_t(Value) : Value;
  return O;
}

Operand FunctionLift::truth(bool Value) {
  return number(Value ? ~uint64_t(0) : 0, ScalarType::Pred);
}

Operand FunctionLift::special(StringRef Name) {
  Operand O;
  O.Kind = Kind::Special;
  O.Name = Name;
  O.Type = ptx::specialRegisterType(Name);
  return O;
}

Operand FunctionLift::registerOperand(unsigned Number) {
  Operand O;
  O.Kind = Kind::Register;
  O.Type = machine::isPredicate(Number) ? ScalarType::Pred : ScalarType::B32;
  O.RegisterIndex = Number;
  return O;
}

Operand FunctionLift::temporary(ScalarType T) {
  Operand O;
  O.Kind = Kind::Register;
  O.Type = T;
  O.RegisterIndex = machine::NumRegisters;
  if (!Collects)
    O.RegisterIndex = B->addRegister(L.keep((T == ScalarType::Pred  ? "p"
                                             : T == ScalarType::B64 ? "d"
                                             : T == ScalarType::B16 ? "h"
                                                                    : "t") +
                                            Twine(++NumTemporaries)),
                                     T);
  return O;
}

Operand FunctionLift::vector(ArrayRef<Operand> Elements) {
  Operand O;
  O.Kind = Kind::Vector;
  O.Bits = 0;
  if (!Collects)
    O.Elements = B->keep(Elements);
  return O;
}

Operand FunctionLift::address(Operand Base, int64_t Offset) {
  Operand O;
  O.Kind = Kind::Address;
  O.Role = OperandRole::Address;
  O.Bits = uint64_t(Offset);
  Base.Role = OperandRole::Read;
  if (!Collects)
    O.Elements = B->keep(Base);
  return O;
}

Operand FunctionLift::addressOf(ArrayRef<Operand> Elements) {
  Operand O;
  O.Kind = Kind::Address;
  O.Role = OperandRole::Address;
  O.Bits = 0;
  SmallVector<Operand, 6> All(Elements);
  for (Operand &E : All)
    E.Role = OperandRole::Read;
  if (!Collects)
    O.Elements = B->keep(All);
  return O;
}

Operand FunctionLift::word(unsigned Bank, uint32_t Offset, ScalarType T) {
  const std::pair Key{std::pair{Bank, Offset}, T == ScalarType::B64};
  if (Collects) {
    WantedWords.insert(Key);
    return number(0, T);
  }
  auto It = Words.find(Key);
  if (It == Words.end())
    return number(0, T);
  Operand O;
  O.Kind = Kind::Register;
  O.Type = T;
  O.RegisterIndex = It->second;
  return O;
}

Operand FunctionLift::raw(const MachineOperand &O, unsigned Ahead) {
  switch (O.Kind) {
  case OperandKind::Register:
    return O.Number == MachineOperand::RegisterZero
               ? number(0)
               : registerOperand(O.Number + Ahead);
  case OperandKind::Uniform:
    return O.Number == UniformZero
               ? number(0)
               : registerOperand(machine::FirstUniform + O.Number + Ahead);
  case OperandKind::Constant:
    return O.Offset
               ? number(0)
               : word(O.Number, uint32_t(O.Value) + 4 * Ahead, ScalarType::B32);
  case OperandKind::Double:
    return number(Ahead ? uint32_t(O.Value) : 0);
  case OperandKind::Predicate:
  case OperandKind::UniformPredicate:
    return predicate(O);
  default:
    return number(Ahead ? uint64_t(O.Value) >> 32 : uint64_t(O.Value));
  }
}

Operand FunctionLift::integer(unsigned N) {
  const MachineOperand *O = source(N);
  if (!O)
    return number(0);
  Operand R = raw(*O);
  if (O->Negated && !isNumber(R)) {
    Operand T = temporary(ScalarType::B32);
    emit("neg.s32", {T, R});
    return T;
  }
  if (O->Inverted && !isNumber(R)) {
    Operand T = temporary(ScalarType::B32);
    emit("not.b32", {T, R});
    return T;
  }
  if (O->Negated)
    R.Bits = uint32_t(0 - R.Bits);
  if (O->Inverted)
    R.Bits = uint32_t(~R.Bits);
  return R;
}

Operand FunctionLift::floating(const MachineOperand &O) {
  constexpr uint32_t Sign = 0x80000000;
  Operand R = raw(O);
  if (isNumber(R)) {
    auto Bits = uint32_t(R.Bits);
    if (O.Absolute)
      Bits &= ~Sign;
    if (O.Negated)
      Bits ^= Sign;
    R.Kind = Kind::Float32;
    R.Type = ScalarType::F32;
    R.Bits = Bits;
    return R;
  }
  // The signs are bits: what is no number keeps the others.
  if (O.Absolute) {
    Operand T = temporary(ScalarType::B32);
    emit("and.b32", {T, R, number(~Sign)});
    R = T;
  }
  if (O.Negated) {
    Operand T = temporary(ScalarType::B32);
    emit("xor.b32", {T, R, number(Sign)});
    R = T;
  }
  return R;
}

Operand FunctionLift::floating(unsigned N) {
  const MachineOperand *O = source(N);
  return O ? floating(*O) : number(0);
}

Operand FunctionLift::wideOf(PairNode *P) {
  if (Collects)
    Pairs->need(P);
  if (P->Kind == PairNode::Number)
    return number(P->Bits, ScalarType::B64);
  if (P->Kind == PairNode::Constant)
    return word(P->Low.Bank0, P->Low.Bits, ScalarType::B64);
  Operand O;
  O.Kind = Kind::Register;
  O.Type = ScalarType::B64;
  O.RegisterIndex = machine::NumRegisters;
  if (!Collects) {
    if (!P->Register)
      P->Register = temporary(ScalarType::B64).RegisterIndex;
    O.RegisterIndex = *P->Register;
  }
  return O;
}

Operand FunctionLift::wide(const MachineOperand &O, bool IsSigned) {
  return wideOf(Pairs->source(*Current, O, IsSigned));
}

Operand FunctionLift::wide(unsigned N, bool IsSigned) {
  const MachineOperand *O = source(N);
  return O ? wide(*O, IsSigned) : number(0, ScalarType::B64);
}

Operand FunctionLift::doubled(unsigned N) {
  constexpr uint64_t Sign = uint64_t(1) << 63;
  const MachineOperand *O = source(N);
  Operand R = wide(N);
  if (!O)
    return R;
  if (isNumber(R)) {
    if (O->Absolute)
      R.Bits &= ~Sign;
    if (O->Negated)
      R.Bits ^= Sign;
    R.Kind = Kind::Float64;
    R.Type = ScalarType::F64;
    return R;
  }
  if (O->Absolute) {
    Operand T = temporary(ScalarType::B64);
    emit("and.b64", {T, R, number(~Sign, ScalarType::B64)});
    R = T;
  }
  if (O->Negated) {
    Operand T = temporary(ScalarType::B64);
    emit("xor.b64", {T, R, number(Sign, ScalarType::B64)});
    R = T;
  }
  return R;
}

Operand FunctionLift::predicate(const MachineOperand &O) {
  if (O.Number == PredicateTrue)
    return truth(!O.Inverted);
  Operand P = registerOperand(machine::numberOf(
      O.Kind == OperandKind::UniformPredicate ? RegisterFile::UniformPredicate
                                              : RegisterFile::Predicate,
      O.Number));
  return O.Inverted ? inverted(P) : P;
}

Operand FunctionLift::predicate(unsigned Lowest) {
  const MachineOperand *O = predicateOf(*Machine, Lowest);
  return O ? predicate(*O) : truth(true);
}

std::optional<uint32_t> FunctionLift::numberIn(unsigned Register,
                                               bool IsUniform) {
  MachineOperand O;
  O.Kind = IsUniform ? OperandKind::Uniform : OperandKind::Register;
  O.Number = Register;
  const RegisterHalf H = Pairs->origin(Pairs->half(*Current, O));
  return H.Kind == RegisterHalf::Number ? std::optional(H.Bits) : std::nullopt;
}

Operand FunctionLift::result(unsigned Ahead) {
  const MachineOperand *O = resultOf(*Machine);
  if (!O || O->Number == MachineOperand::RegisterZero)
    return sink();
  return registerOperand(
      (O->Kind == OperandKind::Uniform ? machine::FirstUniform : 0) +
      O->Number + Ahead);
}

Operand FunctionLift::wideResult() {
  const Operand Low = result();
  if (isSink(Low))
    return temporary(ScalarType::B64);
  Value *V = MachineGraph::written(*Current, Low.RegisterIndex),
        *Upper = MachineGraph::written(*Current, Low.RegisterIndex + 1);
  if (!V || !Upper)
    return temporary(ScalarType::B64);
  return wideOf(Pairs->pair(RegisterHalf::of(V), RegisterHalf::of(Upper)));
}

Operand FunctionLift::predicateResult(unsigned Lowest) {
  const MachineOperand *O = predicateOf(*Machine, Lowest);
  if (!O || O->Number == PredicateTrue)
    return sink();
  return registerOperand(machine::numberOf(
      O->Kind == OperandKind::UniformPredicate ? RegisterFile::UniformPredicate
                                               : RegisterFile::Predicate,
      O->Number));
}

bool FunctionLift::isRead(const MachineOperand *O) const {
  if (!O || O->Number == PredicateTrue)
    return false;
  const Value *V = MachineGraph::written(
      *Current, machine::numberOf(O->Kind == OperandKind::UniformPredicate
                                      ? RegisterFile::UniformPredicate
                                      : RegisterFile::Predicate,
                                  O->Number));
  return V && !Pairs->isOnlyCarry(V);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

Operand FunctionLift::withRole(Operand O, OperandRole Role) {
  if (O.Kind == Kind::Address) {
    O.Role = Role == OperandRole::Address ? Role : OperandRole::Read;
    Role = OperandRole::Read;
  } else {
    O.Role = Role;
  }
  // Each instruction has elements of its own, which become values.
  if (!O.Elements.empty()) {
    SmallVector<Operand, 8> Elements;
    for (const Operand &E : O.Elements)
      Elements.push_back(withRole(E, Role));
    O.Elements = B->keep(Elements);
  }
  return O;
}

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
    Info.Guard = *OnlyIf;
    Info.GuardNegated = OnlyIfNot;
  }
  if (IsGuarded && Machine && !Info.Guard &&
      (Machine->Guard != PredicateTrue)) {
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

void FunctionLift::emit(const Twine &Mnemonic, ArrayRef<Operand> Operands) {
  if (Collects)
    return;
  llvm::SmallString<48> Text;
  const ptx::WrittenMnemonics::Entry &E =
      L.mnemonics().find(Mnemonic.toStringRef(Text), unsigned(Operands.size()));
  InstructionInfo Info = E.Info;
  Info.IsUncounted = true;
  SmallVector<Operand, 8> All;
  for (size_t N = 0; N != Operands.size(); ++N) {
    const Operand &O = Operands[N];
    OperandRole Role = N < E.Signature.size()    ? E.Signature[N].Role
                       : O.Kind == Kind::Address ? OperandRole::Address
                                                 : OperandRole::Read;
    All.push_back(withRole(O, Role));
  }
  append(Info, All, writesMachine(All) || !Info.Effects.empty());
}

void FunctionLift::emitMain(const Twine &Mnemonic, ArrayRef<Operand> Operands) {
  if (Collects)
    return;
  llvm::SmallString<48> Text;
  const ptx::WrittenMnemonics::Entry &E =
      L.mnemonics().find(Mnemonic.toStringRef(Text), unsigned(Operands.size()));
  InstructionInfo Info = E.Info;
  Info.IsUncounted = std::exchange(IsCounted, true);
  if (!Info.IsUncounted)
    Info.Machine = facts(*Current);
  SmallVector<Operand, 8> All;
  for (size_t N = 0; N != Operands.size(); ++N) {
    const Operand &O = Operands[N];
    OperandRole Role = N < E.Signature.size()    ? E.Signature[N].Role
                       : O.Kind == Kind::Address ? OperandRole::Address
                                                 : OperandRole::Read;
    All.push_back(withRole(O, Role));
  }
  append(Info, All, true);
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
  const ptx::WrittenMnemonics::Entry &E = L.mnemonics().find("mov.b32", 2);
  InstructionInfo Info = E.Info;
  Info.IsUncounted = std::exchange(IsCounted, true);
  Info.Machine = facts(*Current);
  Info.Class = opClassOf(SchedClass(Info.Machine->Class));
  append(Info,
         {withRole(temporary(ScalarType::B32), OperandRole::Write), number(0)},
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
    All.push_back(withRole(registerOperand(V->Register), OperandRole::Write));
  for (const Value *V : Current->Uses)
    if (V != Current->Guard)
      All.push_back(withRole(registerOperand(V->Register), OperandRole::Read));
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

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

Operand FunctionLift::read(const RegisterHalf &H) {
  switch (H.Kind) {
  case RegisterHalf::Number:
    return number(H.Bits);
  case RegisterHalf::Bank:
    return word(H.Bank0, H.Bits, ScalarType::B32);
  case RegisterHalf::Register:
    break;
  }
  if (auto It = Names.find(H.Val); It != Names.end()) {
    Operand O;
    O.Kind = Kind::Register;
    O.Type = ScalarType::B32;
    O.RegisterIndex = It->second;
    return O;
  }
  if (!H.Val->Def)
    return number(0);
  return registerOperand(H.Val->Register);
}

void FunctionLift::emitPair(PairNode &N, const Instruction *At) {
  if (!N.IsNeeded || N.Kind == PairNode::Number || N.Kind == PairNode::Constant)
    return;
  if (N.Kind == PairNode::Whole) {
    // The instruction has written it.
    const Operand Low = registerOperand(N.Low.Val->Register),
                  High = registerOperand(N.High.Val->Register);
    emit("mov.b64", {vector({Low, High}), wideOf(&N)});
    return;
  }
  const Operand To = wideOf(&N);
  constexpr auto Wide = ScalarType::B64;
  auto Term = [&](PairNode *P, bool Negates) {
    Operand O = wideOf(P);
    if (!Negates)
      return O;
    return isNumber(O) ? number(0 - O.Bits, Wide)
                       : compute("neg.s64", Wide, {O});
  };
  auto Emit = [&](const Twine &Mnemonic, ArrayRef<Operand> Operands) {
    if (At && Pairs->sumOf(*At) == &N)
      emitMain(Mnemonic, Operands);
    else
      emit(Mnemonic, Operands);
  };
  switch (N.Kind) {
  case PairNode::Sum: {
    SmallVector<std::pair<Operand, bool>, 3> Terms;
    for (auto [P, Negates] :
         {std::pair(N.A, N.NegatesA), std::pair(N.B, N.NegatesB),
          std::pair(N.C, N.NegatesC)})
      if (P)
        Terms.emplace_back(wideOf(P), Negates);
    // One that is added comes first.
    llvm::stable_sort(Terms, [](const auto &X, const auto &Y) {
      return X.second < Y.second;
    });
    if (Terms.empty()) {
      Emit("mov.b64", {To, number(0, Wide)});
      break;
    }
    Operand Sum = Terms[0].first;
    if (Terms[0].second)
      Sum = Term(N.A ? N.A : N.B, true);
    if (Terms.size() == 1) {
      Emit("mov.b64", {To, Sum});
      break;
    }
    for (size_t T = 1; T != Terms.size(); ++T) {
      const bool IsLast = T + 1 == Terms.size();
      const StringRef Mnemonic = Terms[T].second ? "sub.s64" : "add.s64";
      if (IsLast)
        Emit(Mnemonic, {To, Sum, Terms[T].first});
      else
        Sum = compute(Mnemonic, Wide, {Sum, Terms[T].first});
    }
    break;
  }
  case PairNode::Scaled: {
    Operand A = wideOf(N.A);
    A = isNumber(A) ? number(A.Bits << N.Shift, Wide)
                    : compute("shl.b64", Wide, {A, number(N.Shift)});
    Emit(N.NegatesB ? "sub.s64" : "add.s64", {To, A, wideOf(N.B)});
    break;
  }
  case PairNode::ShiftLeft:
    emit("shl.b64", {To, wideOf(N.A), number(N.Shift)});
    break;
  case PairNode::ShiftRight:
    emit("shr.u64", {To, wideOf(N.A), number(N.Shift)});
    break;
  case PairNode::ShiftRightSigned:
    emit("shr.s64", {To, wideOf(N.A), number(N.Shift)});
    break;
  case PairNode::SignExtended:
    emit("cvt.s64.s32", {To, read(N.Low)});
    break;
  case PairNode::ZeroExtended:
    emit("cvt.u64.u32", {To, read(N.Low)});
    break;
  case PairNode::Phi:
    if (!N.Merged)
      N.Merged = temporary(Wide).RegisterIndex;
    {
      Operand From = To;
      From.RegisterIndex = *N.Merged;
      emit("mov.b64", {To, From});
    }
    break;
  case PairNode::Merge:
  case PairNode::Select: {
    Operand P;
    if (N.Kind == PairNode::Merge) {
      P = registerOperand(N.Made->Uses[0]->Register);
      if (N.Made->GuardNegated)
        P = inverted(P);
    } else {
      P = predicate(*predicateOf(*M.machineOf(*N.Made), 87));
    }
    emit("selp.b64", {To, wideOf(N.A), wideOf(N.B), P});
    break;
  }
  case PairNode::Logic:
    emit(N.Table == 0xc0   ? "and.b64"
         : N.Table == 0xfc ? "or.b64"
                           : "xor.b64",
         {To, wideOf(N.A), wideOf(N.B)});
    break;
  default:
    emit("mov.b64", {To, vector({read(N.Low), read(N.High)})});
    break;
  }
  if (N.Kind == PairNode::Sum || N.Kind == PairNode::Scaled)
    if (At && Pairs->sumOf(*At) == &N)
      emit("mov.b64", {vector({temporary(ScalarType::B32),
                               registerOperand(N.High.Val->Register)}),
                       To});
}

void FunctionLift::emitPairs(ArrayRef<PairNode *> Nodes,
                             const Instruction *At) {
  for (PairNode *N : Nodes)
    emitPair(*N, At);
}

/// Copies of values that are read beyond their register.
void FunctionLift::emitNames(const Instruction *I, const Block *Of) {
  auto Name = [&](const Value *V) {
    if (!Pairs->isNamed(V))
      return;
    const Operand To = temporary(ScalarType::B32);
    Names[V] = To.RegisterIndex;
    emit("mov.b32", {To, registerOperand(V->Register)});
  };
  if (I) {
    for (const Value *V : I->Defs) {
      Name(V);
      for (const Instruction *User : V->Users)
        if (User->isSelect() && User->Uses[1] == V)
          Name(User->Defs[0]);
    }
    return;
  }
  for (const Instruction &Phi : Of->phis())
    Name(Phi.Defs[0]);
}

/// What the pairs that are merged in the successors are behind this block.
void FunctionLift::emitPhiCopies(const Block &Of) {
  llvm::SmallPtrSet<const Block *, 4> Seen;
  for (const Block *S : Of.Successors) {
    if (!Seen.insert(S).second)
      continue;
    for (PairNode *N : Pairs->startOf(*S)) {
      if (N->Kind != PairNode::Phi || !N->IsNeeded)
        continue;
      const auto *It = llvm::find(S->Predecessors, &Of);
      const size_t Edge = size_t(It - S->Predecessors.begin());
      if (Edge >= N->Incoming.size())
        continue;
      if (!N->Merged)
        N->Merged = temporary(ScalarType::B64).RegisterIndex;
      Operand To;
      To.Kind = Kind::Register;
      To.Type = ScalarType::B64;
      To.RegisterIndex = *N->Merged;
      emit("mov.b64", {To, wideOf(N->Incoming[Edge])});
    }
  }
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

const MachineFacts *FunctionLift::facts(const Instruction &I) {
  const MachineGraph::Place &P = M.placeOf(I);
  const MachineFacts *&Known = Facts[P.Address];
  if (Known)
    return Known;
  auto *New = new (L.memory().Allocate<MachineFacts>()) MachineFacts;
  const MachineInstruction &Of = *P.Machine;
  llvm::SmallString<32> Name(Of.mnemonic());
  for (StringRef Word : Of.Modifiers) {
    Name += '.';
    Name += Word;
  }
  New->Mnemonic = L.keep(Name);
  New->Address = P.Address;
  if (const std::optional<OperationFacts> Facts = factsOf(Of, architecture())) {
    // Some conversions are integer arithmetic to the machine.
    const bool IsArithmetic =
        Facts->Class == SchedClass::Convert && Facts->RunsOn == Pipe::ALU;
    New->Class = uint8_t(IsArithmetic ? SchedClass::Int : Facts->Class);
    New->Pipe = uint8_t(Facts->RunsOn);
  } else {
    New->Class = uint8_t(SchedClass::Other);
    New->Pipe = uint8_t(Pipe::Other);
  }
  New->IsUniform = Pipe(New->Pipe) == Pipe::Uniform;
  New->ReadsSystem = llvm::any_of(Of.Operands, [](const MachineOperand &O) {
    return O.Kind == OperandKind::Special;
  });
  const ControlCode &C = Of.Control;
  New->Stall = uint8_t(C.Stall);
  New->Yields = C.Yields;
  if (C.WriteBarrier)
    New->WriteBarrier = uint8_t(*C.WriteBarrier);
  if (C.ReadBarrier)
    New->ReadBarrier = uint8_t(*C.ReadBarrier);
  New->WaitMask = uint8_t(C.WaitMask);
  New->ReuseMask = uint8_t(C.ReuseMask);
  return Known = New;
}

void FunctionLift::dispatch() {
  StringRef Name = Machine->mnemonic();
  // The same for the warp is computed in the same way.
  const bool IsUniform = Name.size() > 2 && Name[0] == 'U' &&
                         !Name.starts_with("UT") && !Name.starts_with("UC") &&
                         !Name.starts_with("UB") && !Name.starts_with("UV");
  const bool IsOther = Name == "UR2UP" || Name == "UP2UR" ||
                       Name == "USETMAXREG" || Name == "UGETNEXTWORKID" ||
                       Name == "UMEMSETS" || Name == "UREDGR" || Name == "ULDC";
  if ((IsUniform && !IsOther) || Name == "UBMSK" || Name == "UBREV" ||
      Name == "UVIMNMX")
    Name = Name.drop_front();
  if (liftInteger(Name) || liftBits(Name) || liftMove(Name) ||
      liftFloat(Name) || liftHalf(Name) || liftConvert(Name) ||
      liftMemory(Name) || liftControl(Name) || liftMatrix(Name) ||
      liftAsync(Name) || liftCluster(Name) || liftBulk(Name) ||
      liftWarpgroup(Name) || liftTensorMemory(Name))
    return;
  emitUnknown();
}

void FunctionLift::liftInstruction(const Instruction &I) {
  const MachineGraph::Place &P = M.placeOf(I);
  Current = &I;
  Machine = P.Machine;
  IsCounted = false;
  if (!Machine) { // a jump of ours
    if (!Collects) {
      Operand To;
      To.Kind = Kind::Target;
      To.Dest = Blocks.lookup(I.Operands[0].Dest);
      emit("bra", {To});
    }
    return;
  }
  if (!Collects) {
    Line = L.line(F, P.Address);
    Source = L.location(F, P.Address);
  }
  if (I.IsTerminator)
    emitPhiCopies(*I.Parent);
  if (!Machine->Operation)
    emitUnknown();
  else if (Machine->Guard == PredicateTrue && Machine->GuardIsNegated &&
           !I.IsTerminator) // @!PT: never
    emitNothing();
  else if (PairNode *S = Pairs->sumOf(I)) // counted where it is computed
    wideOf(S);
  else
    dispatch();
  if (!Collects && !I.IsTerminator) {
    // Pairs that it computed are written to its registers first.
    emitPairs(Pairs->behind(I), &I);
    emitNames(&I, nullptr);
  }
  if (!Collects && !IsCounted)
    emitNothing();
}

void FunctionLift::liftBlock(const Block &Of) {
  Machine = nullptr;
  Current = nullptr;
  LoopLanes.reset();
  HasWaited = false;
  if (!Collects) {
    if (!Of.Instructions.empty())
      for (const Instruction *I : Of.Instructions)
        if (!I->isPseudo()) {
          Line = L.line(F, M.placeOf(*I).Address);
          break;
        }
    B->startBlock(Blocks.lookup(&Of), Line);
    // Names and pairs that are there from the start on.
    emitNames(nullptr, &Of);
    emitPairs(Pairs->startOf(Of), nullptr);
  }
  for (const Instruction *I : Of.Instructions)
    if (!I->isPseudo())
      liftInstruction(*I);
  if (!Collects && !Of.terminator()) {
    Machine = nullptr;
    emitPhiCopies(Of);
  }
}

/// A word of the parameters, or two; false if none of it is one. Where several
/// share a word, or one ends within it, it is put together.
bool FunctionLift::loadParameter(uint32_t Offset, const Operand &To) {
  const unsigned Bytes = bitWidth(To.Type) / 8;
  auto At = [&](const Parameter &P, uint64_t Ahead) {
    Operand O;
    O.Kind = Kind::Parameter;
    O.Type = P.Type;
    O.Param = &P;
    return address(O, int64_t(Ahead));
  };
  auto BeginOf = [&](const Parameter &P) {
    return uint64_t(F.ParameterBase) + F.Parameters[P.Position].Offset;
  };
  Operand All = number(0, To.Type);
  bool Found = false;
  for (const Parameter &P : G.Parameters) {
    const uint64_t Begin = BeginOf(P), End = Begin + P.Bytes;
    if (End <= Offset || Begin >= Offset + Bytes)
      continue;
    if (Begin <= Offset && End >= Offset + Bytes) {
      emit(Bytes == 8 ? "ld.param.b64" : "ld.param.b32",
           {To, At(P, Offset - Begin)});
      return true;
    }
    Found = true;
    // Pieces of two bytes where they lie so, else of one.
    for (uint64_t Byte = std::max<uint64_t>(Begin, Offset);
         Byte < std::min<uint64_t>(End, Offset + Bytes);) {
      const uint64_t Left = std::min<uint64_t>(End, Offset + Bytes) - Byte;
      const unsigned Size = Left >= 2 && Byte % 2 == 0 ? 2 : 1;
      const unsigned Shift = 8 * unsigned(Byte - Offset);
      const bool IsWide = Bytes == 8;
      Operand Piece = compute(Size == 2 ? "ld.param.u16" : "ld.param.u8",
                              To.Type, {At(P, Byte - Begin)});
      if (Shift != 0)
        Piece = compute(IsWide ? "shl.b64" : "shl.b32", To.Type,
                        {Piece, number(Shift)});
      All = isNumber(All, 0)
                ? Piece
                : compute(IsWide ? "or.b64" : "or.b32", To.Type, {All, Piece});
      Byte += Size;
    }
  }
  if (Found)
    move(To, All);
  return Found;
}

/// The generic address where shared or local memory begins: that of the only
/// variable that is there.
Operand FunctionLift::windowOf(AddressSpace Space) {
  Operand Begin = number(0, ScalarType::B64);
  const bool IsShared = Space == AddressSpace::Shared;
  for (const Variable *V : G.LocalVariables)
    if (IsShared && V->Space == Space) {
      Operand O;
      O.Kind = Kind::Variable;
      O.Var = V;
      Begin = compute("mov.u64", ScalarType::B64, {O});
    }
  return compute(IsShared ? "cvta.shared.u64" : "cvta.local.u64",
                 ScalarType::B64, {Begin});
}

void FunctionLift::loadWord(unsigned Bank, uint32_t Offset, ScalarType T) {
  const bool IsWide = T == ScalarType::B64;
  const std::pair Key{std::pair{Bank, Offset}, IsWide};
  const Operand To = temporary(T);
  Words[Key] = To.RegisterIndex;
  const unsigned Bytes = IsWide ? 8 : 4;
  const StringRef Type = IsWide ? ".b64" : ".b32";
  if (Bank == 0) {
    const LaunchWords &W = L.launchWords();
    if (!IsWide) {
      static constexpr StringRef Sizes[] = {"%ntid.x",   "%ntid.y",
                                            "%ntid.z",   "%nctaid.x",
                                            "%nctaid.y", "%nctaid.z"};
      for (unsigned D = 0; D != 3; ++D) {
        if (Offset == W.BlockSize + 4 * D)
          return emit("mov.u32", {To, special(Sizes[D])});
        if (Offset == W.GridSize + 4 * D)
          return emit("mov.u32", {To, special(Sizes[3 + D])});
      }
      if (Offset == W.StackTop) {
        // From the last byte of the frame down.
        const auto It = llvm::find_if(G.LocalVariables, [](const Variable *X) {
          return X->Space == AddressSpace::Local;
        });
        if (It != G.LocalVariables.end()) {
          const Variable *V = *It;
          Operand O;
          O.Kind = Kind::Variable;
          O.Var = V;
          Operand Begin = compute("mov.u32", ScalarType::B32, {O});
          return emit("add.u32", {To, Begin, number(V->Bytes)});
        }
        return emit("mov.b32", {To, number(0)});
      }
    }
    if (const uint32_t Window = parameterWindow();
        !G.Parameters.empty() &&
        (Offset == Window || (!IsWide && Offset == Window + 4))) {
      const Parameter &First = G.Parameters.front();
      Operand O;
      O.Kind = Kind::Parameter;
      O.Type = First.Type;
      O.Param = &First;
      Operand At = compute("mov.b64", ScalarType::B64, {O});
      At = compute("cvta.param.u64", ScalarType::B64, {At});
      if (const uint64_t Ahead = F.Parameters[First.Position].Offset)
        At = compute("sub.s64", ScalarType::B64,
                     {At, number(Ahead, ScalarType::B64)});
      if (IsWide)
        return move(To, At);
      const auto [Low, High] = halves(At);
      return move(To, Offset == Window ? Low : High);
    }
    if (!IsWide && emitClusterWord(To, Offset, /*IsIndexed=*/false))
      return;
    // Where local and shared memory begin among generic addresses.
    for (const auto &[Window, Space] :
         {std::pair(W.LocalWindow, AddressSpace::Local),
          std::pair(W.SharedWindow, AddressSpace::Shared)}) {
      if (!Window || (Offset != *Window && Offset != *Window + 4))
        continue;
      const Operand Begin = windowOf(Space);
      if (IsWide)
        return move(To, Begin);
      const auto [Low, High] = halves(Begin);
      return move(To, Offset == *Window ? Low : High);
    }
    if (loadParameter(Offset, To))
      return;
    // The descriptor of memory and other things of the system's.
    return emit("mov" + Type, {To, number(0, T)});
  }
  if (const CubinSection *S = L.image().bank(Bank, F.Name)) {
    if (const CubinRelocation *R = S->relocationAt(Offset))
      if (const Variable *V = L.variable(R->Symbol)) {
        Operand O;
        O.Kind = Kind::Variable;
        O.Var = V;
        Operand At = compute("mov.u64", ScalarType::B64, {O});
        if (V->Space != AddressSpace::Shared)
          At = compute(V->Space == AddressSpace::Const ? "cvta.const.u64"
                                                       : "cvta.global.u64",
                       ScalarType::B64, {At});
        if (R->Addend != 0)
          At = compute("add.s64", ScalarType::B64,
                       {At, number(uint64_t(R->Addend), ScalarType::B64)});
        if (IsWide)
          return move(To, At);
        return move(To, halves(At).first);
      }
    constexpr unsigned Variables = 3;
    if (Bank != Variables && Offset + Bytes <= S->Content.size()) {
      uint64_t Value = 0;
      memcpy(&Value, S->Content.data() + Offset, Bytes);
      return emit("mov" + Type, {To, number(Value, T)});
    }
    if (const Variable *V = L.variable(S->Name)) {
      Operand O;
      O.Kind = Kind::Variable;
      O.Var = V;
      return emit("ld.const" + Type, {To, address(O, Offset)});
    }
  }
  // The upper word of an address that a relocation of the lower one makes.
  if (Bank != 0 && Offset >= 4)
    if (const CubinSection *S = L.image().bank(Bank, F.Name))
      if (S->relocationAt(Offset - 4))
        if (auto It = Words.find({{Bank, Offset - 4}, true});
            It != Words.end()) {
          Operand From;
          From.Kind = Kind::Register;
          From.Type = ScalarType::B64;
          From.RegisterIndex = It->second;
          return move(To, halves(From).second);
        }
  emit("mov" + Type, {To, number(0, T)});
}

/// What holds from the start on is loaded once: the machine reads constants as
/// operands.
void FunctionLift::emitEntry() {
  Line = L.line(F, 0);
  Source = nullptr;
  B->startBlock(B->block("", this), Line);
  for (const Variable *V : G.LocalVariables)
    if (V->Space == AddressSpace::Shared) {
      Operand O;
      O.Kind = Kind::Variable;
      O.Var = V;
      emit("mov.u32", {temporary(ScalarType::B32), O});
    }
  for (const auto &[Place, IsWide] : WantedWords)
    if (IsWide)
      loadWord(Place.first, Place.second, ScalarType::B64);
  for (const auto &[Place, IsWide] : WantedWords)
    if (!IsWide)
      loadWord(Place.first, Place.second, ScalarType::B32);
}

bool FunctionLift::lift() {
  if (!M.build())
    return false;
  InstructionGraph &Of = M.graph();
  Pairs.emplace(M);
  Pairs->findSums();
  for (const Block *X : Of.analysis<ControlFlow>().reversePostOrder())
    liftBlock(*X);
  Pairs->finishPhis();
  // What pairs are made of may be words of constants.
  for (const Block *X : Of.Blocks) {
    auto Want = [&](ArrayRef<PairNode *> Nodes) {
      for (const PairNode *N : Nodes) {
        if (!N->IsNeeded)
          continue;
        if (N->Kind == PairNode::Constant)
          word(N->Low.Bank0, N->Low.Bits, ScalarType::B64);
        for (const RegisterHalf &H : {N->Low, N->High})
          if (H.Kind == RegisterHalf::Bank)
            word(H.Bank0, H.Bits, ScalarType::B32);
      }
    };
    Want(Pairs->startOf(*X));
    for (const Instruction *I : X->Instructions)
      Want(Pairs->behind(*I));
  }
  Collects = false;
  B.emplace(G);
  for (unsigned R = 0; R != machine::NumRegisters; ++R)
    B->addRegister(machine::nameOf(R), machine::isPredicate(R)
                                           ? ScalarType::Pred
                                           : ScalarType::B32);
  for (const Block *X : Of.Blocks) {
    std::string Label;
    if (const auto At = M.addressOf(*X)) {
      llvm::raw_string_ostream OS(Label);
      OS << "0x" << llvm::format_hex_no_prefix(At->first, 4);
      if (At->second != 0)
        OS << '.' << At->second;
    }
    Blocks[X] = B->block(L.keep(Label), X);
    Blocks[X]->IsUnlikely = M.isUnlikely(*X);
  }
  emitEntry();
  for (const Block *X : Of.Blocks)
    if (!X->Instructions.empty() || !X->Predecessors.empty() ||
        X == Of.Blocks.front())
      liftBlock(*X);
  if (!B->finish())
    return false;
  inferFloatParameters(G);
  return true;
}

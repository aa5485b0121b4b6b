//===- LiftValues.cpp - Operands of what is lifted ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Codec.h"
#include "LiftFunction.h"
#include "llvm/ADT/SmallString.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;
using Kind = Operand::KindTy;

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
  if (Collects)
    return O;
  // From the end on; there are many.
  char Name[12];
  char *const End = std::end(Name);
  char *At = End;
  for (unsigned Left = ++NumTemporaries; Left != 0; Left /= 10)
    *--At = char('0' + Left % 10);
  *--At = T == ScalarType::Pred  ? 'p'
          : T == ScalarType::B64 ? 'd'
          : T == ScalarType::B16 ? 'h'
                                 : 't';
  O.RegisterIndex =
      B->addRegister(StringRef(At, size_t(End - At)).copy(G.Memory->Arena), T);
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

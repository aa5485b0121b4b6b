//===- FloatOperation.cpp - Arithmetic on floats that are known -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FloatOperation.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using llvm::APFloat;
using llvm::APInt;
using llvm::APSInt;
using llvm::RoundingMode;
using ptx::Opcode;
using Ref = const Expression *;

static bool isSingleOrDouble(ScalarType T) {
  return T == ScalarType::F32 || T == ScalarType::F64;
}

static const llvm::fltSemantics &semanticsOf(ScalarType T) {
  return T == ScalarType::F32 ? APFloat::IEEEsingle() : APFloat::IEEEdouble();
}

/// With .ftz a subnormal counts as a zero of its sign.
static APFloat flushed(const APFloat &X, bool Flush) {
  return Flush && X.isDenormal()
             ? APFloat::getZero(X.getSemantics(), X.isNegative())
             : X;
}

/// With .sat a number outside [0, 1] becomes the nearest in it.
static APFloat saturated(const APFloat &X) {
  if (X.isNaN())
    return X;
  if (X.isNegative())
    return APFloat::getZero(X.getSemantics());
  APFloat One = APFloat::getOne(X.getSemantics());
  return X > One ? One : X;
}

/// The rounding that a modifier names; also to an integer ("rzi").
static std::optional<RoundingMode> roundingOf(StringRef Modifier) {
  Modifier.consume_back("i");
  return llvm::StringSwitch<std::optional<RoundingMode>>(Modifier)
      .Case("rn", RoundingMode::NearestTiesToEven)
      .Case("rz", RoundingMode::TowardZero)
      .Case("rm", RoundingMode::TowardNegative)
      .Case("rp", RoundingMode::TowardPositive)
      .Default(std::nullopt);
}

Ref FloatOperation::constant(const APFloat &X) const {
  if (X.isNaN())
    return nullptr;
  APInt Bits = X.bitcastToAPInt();
  return E.constant(Bits.getBitWidth(), Bits.getZExtValue());
}

/// The first sources as numbers of type \p T; nothing unless all are constants.
std::optional<FloatOperation::Numbers>
FloatOperation::sources(ScalarType T, size_t Count) const {
  if (!isSingleOrDouble(T) || View.sources().size() < Count)
    return std::nullopt;
  unsigned Width = bitWidth(T);
  Numbers Result;
  for (size_t N = 0; N != Count; ++N) {
    Ref X = View.operand(*View.sources()[N], Width);
    if (!X || !X->isConstant() || X->Width != Width)
      return std::nullopt;
    Result.push_back(flushed(APFloat(semanticsOf(T), APInt(Width, X->Addend)),
                             View.has("ftz")));
  }
  return Result;
}

Ref FloatOperation::compare(StringRef Name, ScalarType T) const {
  std::optional<Numbers> X = sources(T, 2);
  if (!X)
    return nullptr;
  APFloat::cmpResult Is = (*X)[0].compare((*X)[1]);
  bool Less = Is == APFloat::cmpLessThan, Equal = Is == APFloat::cmpEqual,
       More = Is == APFloat::cmpGreaterThan;
  bool IsNaN = Is == APFloat::cmpUnordered;
  if (Name == "num" || Name == "nan")
    return E.boolean(IsNaN == (Name == "nan"));
  // "equ" and the like also hold of a NaN.
  bool HoldsForNaN = Name.size() == 3 && Name.consume_back("u");
  std::optional<bool> Holds = llvm::StringSwitch<std::optional<bool>>(Name)
                                  .Case("eq", Equal)
                                  .Case("ne", Less || More)
                                  .Case("lt", Less)
                                  .Case("le", Less || Equal)
                                  .Case("gt", More)
                                  .Case("ge", More || Equal)
                                  .Default(std::nullopt);
  return Holds ? E.boolean(IsNaN ? HoldsForNaN : *Holds) : nullptr;
}

/// How many numbers the operation takes; two for what is none of those below.
static size_t arityOf(Opcode Op) {
  switch (Op) {
  case Opcode::Fma:
  case Opcode::Mad:
    return 3;
  case Opcode::Neg:
  case Opcode::Abs:
  case Opcode::Rcp:
    return 1;
  default:
    return 2;
  }
}

/// Nothing for an operation that IEEE 754 does not define.
static std::optional<APFloat> apply(Opcode Op, ArrayRef<APFloat> Numbers,
                                    RoundingMode Rounding) {
  APFloat X = Numbers[0];
  switch (Op) {
  case Opcode::Add:
    X.add(Numbers[1], Rounding);
    return X;
  case Opcode::Sub:
    X.subtract(Numbers[1], Rounding);
    return X;
  case Opcode::Mul:
    X.multiply(Numbers[1], Rounding);
    return X;
  case Opcode::Div:
    X.divide(Numbers[1], Rounding);
    return X;
  case Opcode::Rcp:
    X = APFloat::getOne(X.getSemantics());
    X.divide(Numbers[0], Rounding);
    return X;
  case Opcode::Fma:
  case Opcode::Mad:
    X.fusedMultiplyAdd(Numbers[1], Numbers[2], Rounding);
    return X;
  case Opcode::Neg:
    X.changeSign();
    return X;
  case Opcode::Abs:
    X.clearSign();
    return X;
  case Opcode::Min:
    return llvm::minimumnum(X, Numbers[1]);
  case Opcode::Max:
    return llvm::maximumnum(X, Numbers[1]);
  default:
    return std::nullopt;
  }
}

Ref FloatOperation::compute(ScalarType T) const {
  RoundingMode Rounding = RoundingMode::NearestTiesToEven;
  for (StringRef M : View.modifiers().drop_back())
    if (auto R = roundingOf(M))
      Rounding = *R;
    else if (M != "ftz" && M != "sat") // an approximation, or a rare form
      return nullptr;
  size_t Arity = arityOf(View.opcode());
  std::optional<Numbers> Given = sources(T, Arity);
  if (!Given || View.sources().size() != Arity)
    return nullptr;
  std::optional<APFloat> X = apply(View.opcode(), *Given, Rounding);
  if (!X)
    return nullptr;
  APFloat Result = flushed(*X, View.has("ftz"));
  return constant(View.has("sat") ? saturated(Result) : Result);
}

Ref FloatOperation::fromInteger(ScalarType To, ScalarType From,
                                RoundingMode Rounding) const {
  unsigned Width = bitWidth(From);
  Ref X = View.operand(*View.sources()[0], Width);
  if (!X || !X->isConstant() || X->Width != Width)
    return nullptr;
  APFloat R(semanticsOf(To));
  R.convertFromAPInt(APInt(Width, X->Addend), kindOf(From) == TypeKind::Signed,
                     Rounding);
  return constant(R);
}

Ref FloatOperation::convert(ScalarType To, ScalarType From) const {
  RoundingMode Rounding = RoundingMode::NearestTiesToEven;
  bool ToWhole = false;
  for (StringRef M : View.modifiers())
    if (auto R = roundingOf(M)) {
      Rounding = *R;
      ToWhole = M.ends_with("i");
    } else if (M != "ftz" && !parseScalarType(M)) {
      return nullptr;
    }
  auto IsInteger = [](ScalarType T) {
    return (kindOf(T) == TypeKind::Signed || kindOf(T) == TypeKind::Unsigned) &&
           bitWidth(T) >= 32;
  };
  const Operand &D = View.instruction().Operands[0];
  if (D.Kind != Operand::KindTy::Register ||
      bitWidth(D.Val->Type) != bitWidth(To))
    return nullptr;
  if (IsInteger(From) && isSingleOrDouble(To))
    return fromInteger(To, From, Rounding);
  std::optional<Numbers> Given = sources(From, 1);
  if (!Given)
    return nullptr;
  bool Unused;
  APFloat X = (*Given)[0];
  if (isSingleOrDouble(To)) {
    if (ToWhole)
      X.roundToIntegral(Rounding);
    X.convert(semanticsOf(To), Rounding, &Unused);
    return constant(flushed(X, View.has("ftz") && To == ScalarType::F32));
  }
  if (!IsInteger(To) || X.isNaN())
    return nullptr;
  // What does not fit becomes the nearest number that does.
  APSInt R(bitWidth(To), kindOf(To) == TypeKind::Unsigned);
  X.convertToInteger(R, Rounding, &Unused);
  return E.constant(bitWidth(To), R.getZExtValue());
}

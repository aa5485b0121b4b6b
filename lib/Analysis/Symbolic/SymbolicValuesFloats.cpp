//===- SymbolicValuesFloats.cpp - Arithmetic on floats that are known -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.7.3 and 9.7.9, of f32 and f64: constants and given arguments make
// constants, so that what they steer is known. Only what IEEE 754 defines to
// the last bit; a NaN is left open.
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"
#include "SymbolicValuesImpl.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using llvm::APFloat;
using llvm::APInt;
using llvm::APSInt;
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

/// The rounding that a modifier names; also to an integer ("rzi").
static std::optional<llvm::RoundingMode> roundingOf(StringRef Modifier) {
  Modifier.consume_back("i");
  return llvm::StringSwitch<std::optional<llvm::RoundingMode>>(Modifier)
      .Case("rn", llvm::RoundingMode::NearestTiesToEven)
      .Case("rz", llvm::RoundingMode::TowardZero)
      .Case("rm", llvm::RoundingMode::TowardNegative)
      .Case("rp", llvm::RoundingMode::TowardPositive)
      .Default(std::nullopt);
}

static Ref constantOf(Expressions &E, const APFloat &X) {
  if (X.isNaN())
    return nullptr;
  APInt Bits = X.bitcastToAPInt();
  return E.constant(Bits.getBitWidth(), Bits.getZExtValue());
}

/// The sources as numbers of type \p T; nothing unless all are constants.
std::optional<SmallVector<APFloat, 3>>
ValueBuilder::floatSources(ScalarType T, size_t Number) const {
  if (!isSingleOrDouble(T) || Sources.size() < Number)
    return std::nullopt;
  unsigned Width = bitWidth(T);
  SmallVector<APFloat, 3> Numbers;
  for (unsigned N = 0; N != Number; ++N) {
    Ref X = Out.of(*I, *Sources[N], Width);
    if (!X || !X->isConstant() || X->Width != Width)
      return std::nullopt;
    Numbers.push_back(
        flushed(APFloat(semanticsOf(T), APInt(Width, X->Addend)), has("ftz")));
  }
  return Numbers;
}

Ref ValueBuilder::floatComparison(StringRef Name, ScalarType T) const {
  auto Numbers = floatSources(T, 2);
  if (!Numbers)
    return nullptr;
  APFloat::cmpResult Is = (*Numbers)[0].compare((*Numbers)[1]);
  bool Less = Is == APFloat::cmpLessThan, Equal = Is == APFloat::cmpEqual,
       More = Is == APFloat::cmpGreaterThan;
  bool IsNaN = Is == APFloat::cmpUnordered;
  if (Name == "num" || Name == "nan")
    return E.boolean(IsNaN == (Name == "nan"));
  // "equ" and the like also hold of a NaN.
  bool OfNaN = Name.size() == 3 && Name.consume_back("u");
  std::optional<bool> Holds = llvm::StringSwitch<std::optional<bool>>(Name)
                                  .Case("eq", Equal)
                                  .Case("ne", Less || More)
                                  .Case("lt", Less)
                                  .Case("le", Less || Equal)
                                  .Case("gt", More)
                                  .Case("ge", More || Equal)
                                  .Default(std::nullopt);
  return Holds ? E.boolean(IsNaN ? OfNaN : *Holds) : nullptr;
}

Ref ValueBuilder::floatArithmetic(Opcode Op, ScalarType T) const {
  auto Rounding = llvm::RoundingMode::NearestTiesToEven;
  for (StringRef M : ArrayRef(Modifiers).drop_back())
    if (auto R = roundingOf(M))
      Rounding = *R;
    else if (M != "ftz" && M != "sat") // an approximation, or a rare form
      return nullptr;
  size_t Arity = Op == Opcode::Fma || Op == Opcode::Mad ? 3
                 : Op == Opcode::Neg || Op == Opcode::Abs || Op == Opcode::Rcp
                     ? 1
                     : 2;
  auto Numbers = floatSources(T, Arity);
  if (!Numbers || Sources.size() != Arity)
    return nullptr;
  APFloat X = (*Numbers)[0];
  switch (Op) {
  case Opcode::Add:
    X.add((*Numbers)[1], Rounding);
    break;
  case Opcode::Sub:
    X.subtract((*Numbers)[1], Rounding);
    break;
  case Opcode::Mul:
    X.multiply((*Numbers)[1], Rounding);
    break;
  case Opcode::Div:
    X.divide((*Numbers)[1], Rounding);
    break;
  case Opcode::Rcp:
    X = APFloat::getOne(X.getSemantics());
    X.divide((*Numbers)[0], Rounding);
    break;
  case Opcode::Fma:
  case Opcode::Mad:
    X.fusedMultiplyAdd((*Numbers)[1], (*Numbers)[2], Rounding);
    break;
  case Opcode::Neg:
    X.changeSign();
    break;
  case Opcode::Abs:
    X.clearSign();
    break;
  case Opcode::Min:
    X = llvm::minimumnum(X, (*Numbers)[1]);
    break;
  case Opcode::Max:
    X = llvm::maximumnum(X, (*Numbers)[1]);
    break;
  default:
    return nullptr;
  }
  X = flushed(X, has("ftz"));
  if (has("sat") && !X.isNaN()) {
    APFloat One = APFloat::getOne(X.getSemantics());
    if (X.isNegative())
      X = APFloat::getZero(X.getSemantics());
    else if (X > One)
      X = One;
  }
  return constantOf(E, X);
}

/// cvt of which one type is f32 or f64, and the other such or an integer.
Ref ValueBuilder::floatConversion(ScalarType To, ScalarType From) const {
  auto Rounding = llvm::RoundingMode::NearestTiesToEven;
  bool ToWhole = false;
  for (StringRef M : Modifiers)
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
  const Operand &D = I->Operands[0];
  if (D.Kind != Operand::KindTy::Register ||
      bitWidth(D.Val->Type) != bitWidth(To))
    return nullptr;
  bool Unused;
  if (IsInteger(From) && isSingleOrDouble(To)) {
    unsigned Width = bitWidth(From);
    Ref X = Out.of(*I, *Sources[0], Width);
    if (!X || !X->isConstant() || X->Width != Width)
      return nullptr;
    APFloat R(semanticsOf(To));
    R.convertFromAPInt(APInt(Width, X->Addend),
                       kindOf(From) == TypeKind::Signed, Rounding);
    return constantOf(E, R);
  }
  auto Numbers = floatSources(From, 1);
  if (!Numbers)
    return nullptr;
  APFloat X = (*Numbers)[0];
  if (isSingleOrDouble(To)) {
    if (ToWhole)
      X.roundToIntegral(Rounding);
    X.convert(semanticsOf(To), Rounding, &Unused);
    return constantOf(E, flushed(X, has("ftz") && To == ScalarType::F32));
  }
  if (!IsInteger(To) || X.isNaN())
    return nullptr;
  // What does not fit becomes the nearest number that does.
  APSInt R(bitWidth(To), kindOf(To) == TypeKind::Unsigned);
  X.convertToInteger(R, Rounding, &Unused);
  return E.constant(bitWidth(To), R.getZExtValue());
}

//===- IntrinsicsFloatParts.cpp - Functions of several instructions -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Rounding, scaling, saturation and classes of floating-point numbers, in the
// instructions that the back end takes for them.
//===----------------------------------------------------------------------===//
#include "IntrinsicsFloat.h"
#include "llvm/IR/Constants.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

static Operand number32(int64_t N) {
  return FunctionLowering::integer(N, ScalarType::B32);
}

//===----------------------------------------------------------------------===//
// Rounding and scaling
//===----------------------------------------------------------------------===//

/// trunc(x + copysign(0.5, x)); from 2^23 on x itself, below 0.5 trunc(x).
Operand FloatElement::roundAway(const Operand &X) {
  Operand Sign = L.op(Type, "and.b32", {X, number32(INT32_MIN)});
  Operand Half = L.op(Type, "or.b32", {Sign, number32(0x3f000000)});
  Operand Whole = roundTo("rzi", op("add.rn", {X, Half}));
  Operand Size = op("abs", {X});
  Operand Large = compare("gt", Size, number(0x1p23));
  Operand R = select(X, Whole, Large);
  Operand Zero = roundTo("rzi", X);
  return select(Zero, R, compare("lt", Size, number(0.5)));
}

Operand FloatElement::roundAwayDouble(const Operand &X) {
  Operand Size = op("abs", {X});
  Operand Small = compare("lt", Size, number(0.5));
  Operand Whole = roundTo("rzi", op("add.rn", {Size, number(0.5)}));
  Operand R = select(number(0), Whole, Small);
  R = L.op(Type, "copysign.f64", {X, R});
  return select(X, R, compare("gt", Size, number(0x1p52)));
}

/// Twice a factor that is still a normal number, up or down, where one would
/// not do; then the power itself, made of its exponent.
Operand FloatElement::scaleByPower(const Operand &X, const Operand &Power) {
  const llvm::fltSemantics &S = T->getFltSemantics();
  int64_t Max = llvm::APFloat::semanticsMaxExponent(S),
          Min = llvm::APFloat::semanticsMinExponent(S),
          Digits = llvm::APFloat::semanticsPrecision(S);
  int64_t Down = Min + Digits; // keeps all digits when it is applied twice
  auto Relation = [&](StringRef Name, int64_t N) {
    return L.op(ScalarType::Pred, "setp." + Name + "32", {Power, number32(N)});
  };
  auto Sum = [&](const Operand &A, int64_t N) {
    return L.op(ScalarType::B32, "add.s32", {A, number32(N)});
  };
  auto Pick = [&](const Operand &A, const Operand &B, const Operand &P) {
    return L.op(ScalarType::B32, "selp.b32", {A, B, P});
  };
  Operand FarUp = Relation("gt.u", 2 * Max);
  Operand Up = op("mul.rn", {X, number(std::ldexp(1.0, int(Max)))});
  Operand UpTwice = op("mul.rn", {Up, number(std::ldexp(1.0, int(Max)))});
  Operand Upward = select(UpTwice, Up, FarUp);
  Operand FarDown = Relation("lt.u", 2 * Min + Digits);
  Operand Low = op("mul.rn", {X, number(std::ldexp(1.0, int(Down)))});
  Operand LowTwice = op("mul.rn", {Low, number(std::ldexp(1.0, int(Down)))});
  Operand Downward = select(LowTwice, Low, FarDown);
  Operand IsLow = Relation("lt.s", Min), IsHigh = Relation("gt.s", Max);
  Operand Scaled = select(Upward, select(Downward, X, IsLow), IsHigh);

  Operand Above = L.op(ScalarType::B32, "min.s32", {Power, number32(3 * Max)});
  Above = Pick(Sum(Above, -2 * Max), Sum(Power, -Max), FarUp);
  Operand Below =
      L.op(ScalarType::B32, "max.s32", {Power, number32(3 * Min + 2 * Digits)});
  Below = Pick(Sum(Below, -2 * Down), Sum(Power, -Down), FarDown);
  Operand Exponent = Pick(Above, Pick(Below, Power, IsLow), IsHigh);
  if (Type == ScalarType::B32) {
    Operand Shifted = L.op(Type, "shl.b32", {Exponent, number32(Digits - 1)});
    return op("mul.rn", {Scaled, Sum(Shifted, Max << (Digits - 1))});
  }
  Operand Biased = Sum(Exponent, Max);
  Biased = L.op(Type, "cvt.u" + Bits + ".u32", {Biased});
  Operand Factor = L.op(Type, "shl.b" + Bits, {Biased, number32(Digits - 1)});
  return op("mul.rn", {Scaled, Factor});
}

//===----------------------------------------------------------------------===//
// To integers
//===----------------------------------------------------------------------===//

Operand FloatElement::toInteger(const Operand &X, unsigned Width,
                                bool IsSigned) {
  ScalarType To = Width <= 16   ? ScalarType::B16
                  : Width <= 32 ? ScalarType::B32
                                : ScalarType::B64;
  std::string ToBits = std::to_string(bitWidth(To));
  llvm::APInt Min = IsSigned ? llvm::APInt::getSignedMinValue(Width)
                             : llvm::APInt::getZero(Width),
              Max = IsSigned ? llvm::APInt::getSignedMaxValue(Width)
                             : llvm::APInt::getMaxValue(Width);
  auto Limit = [&](const llvm::APInt &N, bool &IsExact) {
    llvm::APFloat V(T->getFltSemantics());
    IsExact = V.convertFromAPInt(N, IsSigned, llvm::APFloat::rmTowardZero) ==
              llvm::APFloat::opOK;
    return V;
  };
  bool IsMinExact, IsMaxExact;
  Operand Low = FunctionLowering::floating(Limit(Min, IsMinExact)),
          High = FunctionLowering::floating(Limit(Max, IsMaxExact));
  auto Convert = [&](const Operand &O) {
    return L.op(To,
                "cvt.rzi" + llvm::Twine(IsSigned ? ".s" : ".u") + ToBits +
                    (T->isDoubleTy() ? ".f64" : ".f32"),
                {O});
  };
  auto Pick = [&](int64_t N, const Operand &O, const Operand &P) {
    return L.op(To, "selp.b" + ToBits,
                {FunctionLowering::integer(N, To), O, P});
  };
  if (IsMinExact && IsMaxExact) { // clamped before
    std::optional<Operand> NaN;
    if (IsSigned)
      NaN = compare("nan", X, X);
    Operand R = Convert(op("min", {op("max", {X, Low}), High}));
    return NaN ? Pick(0, R, *NaN) : R;
  }
  Operand Below = compare("ltu", X, Low);
  Operand R = Pick(Min.getSExtValue(), Convert(X), Below);
  R = Pick(Max.getSExtValue(), R, compare("gt", X, High));
  return IsSigned ? Pick(0, R, compare("nan", X, X)) : R;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

namespace {

/// Classes that one comparison of floats tells from all others.
struct ClassComparison {
  unsigned Mask; ///< llvm::FPClassTest
  StringRef Relation;
  bool OfMagnitude; ///< without its sign
  double Value;
};

constexpr double Infinity = std::numeric_limits<double>::infinity();
constexpr ClassComparison ClassComparisons[] = {
    {llvm::fcInf, "eq", true, Infinity},
    {llvm::fcAllFlags & ~llvm::fcInf, "neu", true, Infinity},
    {llvm::fcFinite, "ne", true, Infinity},
    {llvm::fcNegInf, "eq", false, -Infinity},
    {llvm::fcPosInf, "eq", false, Infinity},
    {llvm::fcNegInf | llvm::fcNan, "equ", false, -Infinity},
    {llvm::fcPosInf | llvm::fcNan, "equ", false, Infinity},
    {llvm::fcZero, "eq", false, 0},
};

/// Tells classes by a number's bits: whether it is of any that were added.
class ClassTest {
public:
  ClassTest(FloatElement &E, const Operand &X, unsigned Mask)
      : E(E), X(X), Mask(Mask), Sign(int64_t(~0ULL << (bitWidth(E.Type) - 1))) {
  }

  /// The classes with and without a sign that are the number \p Value.
  void addValue(unsigned Plus, unsigned Minus, int64_t Value);
  /// Those that are \p Count magnitudes from \p From on.
  void addRange(unsigned Plus, unsigned Minus, int64_t From, int64_t Count);
  /// \p Quiet is the least magnitude of a quiet NaN.
  void addNaNs(int64_t Infinite, int64_t Quiet);
  Operand result() const { return *Result; }

private:
  void add(const Operand &P) {
    Result = Result ? join("or.pred", *Result, P) : P;
  }
  Operand integer(int64_t N) const {
    return FunctionLowering::integer(N, E.Type);
  }
  Operand test(StringRef Relation, const Operand &A, int64_t N) {
    return E.L.op(ScalarType::Pred, "setp." + Relation + E.Bits,
                  {A, integer(N)});
  }
  Operand join(StringRef Name, const Operand &A, const Operand &B) {
    return E.L.op(ScalarType::Pred, Name, {A, B});
  }
  const Operand &magnitude() {
    if (!Magnitude)
      Magnitude = E.L.op(E.Type, "and.b" + E.Bits, {X, integer(~Sign)});
    return *Magnitude;
  }

  FloatElement &E;
  const Operand &X;
  const unsigned Mask;
  const int64_t Sign;
  std::optional<Operand> Result, Magnitude, Negative, Positive;
};

} // namespace

void ClassTest::addValue(unsigned Plus, unsigned Minus, int64_t Value) {
  bool HasPlus = Mask & Plus, HasMinus = Mask & Minus;
  if (HasPlus && HasMinus)
    add(test("eq.b", magnitude(), Value));
  else if (HasPlus)
    add(test("eq.b", X, Value));
  else if (HasMinus)
    add(test("eq.b", X, Value | Sign));
}

void ClassTest::addRange(unsigned Plus, unsigned Minus, int64_t From,
                         int64_t Count) {
  bool HasPlus = Mask & Plus, HasMinus = Mask & Minus;
  if (!HasPlus && !HasMinus)
    return;
  // What begins above 0 has no sign bit.
  bool IsPlain = From == 1 && !HasMinus;
  Operand Distance = E.L.op(E.Type, "add.s" + E.Bits,
                            {IsPlain ? X : magnitude(), integer(-From)});
  Operand In = test("lt.u", Distance, Count);
  if (HasPlus != HasMinus && !IsPlain) {
    std::optional<Operand> &Has = HasPlus ? Positive : Negative;
    if (!Has)
      Has = HasPlus ? test("gt.s", X, -1) : test("lt.s", X, 0);
    In = join("and.pred", In, *Has);
  }
  add(In);
}

void ClassTest::addNaNs(int64_t Infinite, int64_t Quiet) {
  if ((Mask & llvm::fcNan) == llvm::fcNan) {
    add(test("gt.s", magnitude(), Infinite));
  } else if (Mask & llvm::fcQNan) {
    add(test("gt.s", magnitude(), Quiet - 1));
  } else if (Mask & llvm::fcSNan) {
    Operand Below = test("lt.s", magnitude(), Quiet);
    add(join("and.pred", test("gt.s", magnitude(), Infinite), Below));
  }
}

Operand FloatElement::isClass(const Operand &X, unsigned Mask) {
  if (Mask == llvm::fcNone || Mask == llvm::fcAllFlags)
    return FunctionLowering::integer(Mask == llvm::fcNone ? 0 : -1,
                                     ScalarType::Pred);
  if (Mask == llvm::fcNan)
    return compare("nan", X, X);
  if (Mask == (llvm::fcAllFlags & ~llvm::fcNan))
    return compare("num", X, X);
  for (const ClassComparison &C : ClassComparisons)
    if (C.Mask == Mask)
      return compare(C.Relation, C.OfMagnitude ? op("abs", {X}) : X,
                     number(C.Value));

  const llvm::fltSemantics &S = T->getFltSemantics();
  auto Pattern = [&](const llvm::APFloat &V) {
    return V.bitcastToAPInt().getSExtValue();
  };
  const int64_t Infinite = Pattern(llvm::APFloat::getInf(S)),
                Quiet = Pattern(llvm::APFloat::getQNaN(S)),
                Normal = Pattern(llvm::APFloat::getSmallestNormalized(S));
  ClassTest Test(*this, X, Mask);
  Test.addValue(llvm::fcPosZero, llvm::fcNegZero, 0);
  Test.addRange(llvm::fcPosSubnormal, llvm::fcNegSubnormal, 1, Normal - 1);
  Test.addRange(llvm::fcPosNormal, llvm::fcNegNormal, Normal,
                Infinite - Normal);
  Test.addValue(llvm::fcPosInf, llvm::fcNegInf, Infinite);
  Test.addNaNs(Infinite, Quiet);
  return Test.result();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

bool IntrinsicLowering::lowerFloatConversion() {
  llvm::Type *Float = llvm::Type::getFloatTy(I.getContext());
  switch (ID) {
  case llvm::Intrinsic::fptosi_sat:
  case llvm::Intrinsic::fptoui_sat: {
    unsigned Width = I.getType()->getScalarSizeInBits();
    if (Width == 1 || Width > 64)
      return false;
    llvm::Type *T = I.getArgOperand(0)->getType()->getScalarType();
    FloatElement From(*this, T);
    FloatElement E(*this, From.Is16 ? Float : T);
    return mapElements(1, [&](ArrayRef<Operand> X) {
      return E.toInteger(From.widened(X[0]), Width,
                         ID == llvm::Intrinsic::fptosi_sat);
    });
  }
  case llvm::Intrinsic::is_fpclass: {
    llvm::Type *T = I.getArgOperand(0)->getType();
    if (T->isVectorTy() || T->isBFloatTy())
      return false;
    F.alias(&I, FloatElement(*this, T).isClass(argument(0).front(),
                                               unsigned(immediate(1))));
    return true;
  }
  case llvm::Intrinsic::convert_from_fp16:
    F.emit(I.getType()->isDoubleTy() ? "cvt.f64.f16" : "cvt.f32.f16",
           {F.defineOne(&I), argument(0).front()});
    return true;
  case llvm::Intrinsic::convert_to_fp16:
    F.emit(I.getArgOperand(0)->getType()->isDoubleTy() ? "cvt.rn.f16.f64"
                                                       : "cvt.rn.f16.f32",
           {F.defineOne(&I), argument(0).front()});
    return true;
  default:
    return false;
  }
}

//===- IntrinsicsFloat.cpp - Functions of floating-point numbers ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "IntrinsicsFloat.h"
#include "llvm/IR/Constants.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

namespace ptxpredict::llvmir {

/// An instruction that takes floats and writes one of the same type.
struct FloatInstruction {
  StringRef Name;        ///< up to the type
  unsigned Count;        ///< of operands
  unsigned HalfFrom;     ///< the capability that has it for f16; 0: none
  unsigned BFloatFrom;   ///< the one that has it for bf16
  bool Packed = true;    ///< two of 16 bits at once
  StringRef Behind = ""; ///< what stands between `.ftz` and the type
};

} // namespace ptxpredict::llvmir

static std::optional<FloatInstruction>
instructionOf(const llvm::IntrinsicInst &I, bool IsFast) {
  switch (I.getIntrinsicID()) {
  case llvm::Intrinsic::fabs:
    return FloatInstruction{"abs", 1, 53, 80};
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::fmuladd:
    return FloatInstruction{"fma.rn", 3, 53, 80};
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::minimumnum:
    return FloatInstruction{"min", 2, 80, 80};
  case llvm::Intrinsic::maxnum:
  case llvm::Intrinsic::maximumnum:
    return FloatInstruction{"max", 2, 80, 80};
  case llvm::Intrinsic::minimum:
    return FloatInstruction{"min", 2, 80, 80, true, ".NaN"};
  case llvm::Intrinsic::maximum:
    return FloatInstruction{"max", 2, 80, 80, true, ".NaN"};
  case llvm::Intrinsic::exp2:
    return FloatInstruction{"ex2.approx", 1, 75, 90};
  case llvm::Intrinsic::sqrt:
    return FloatInstruction{
        IsFast && !I.getType()->getScalarType()->isDoubleTy() ? "sqrt.approx"
                                                              : "sqrt.rn",
        1, 0, 0};
  case llvm::Intrinsic::sin:
    return FloatInstruction{"sin.approx", 1, 0, 0};
  case llvm::Intrinsic::cos:
    return FloatInstruction{"cos.approx", 1, 0, 0};
  case llvm::Intrinsic::tanh:
    return FloatInstruction{"tanh.approx", 1, 0, 0};
  default:
    return std::nullopt;
  }
}

/// Whether the back end refuses the call: what it has no instruction for and
/// knows no function for either.
static bool isRefused(const llvm::IntrinsicInst &I, bool IsFast) {
  bool IsDouble = I.getType()->getScalarType()->isDoubleTy();
  switch (I.getIntrinsicID()) {
  case llvm::Intrinsic::exp2:
    return IsDouble;
  case llvm::Intrinsic::sin:
  case llvm::Intrinsic::cos:
  case llvm::Intrinsic::tanh:
    return IsDouble || !IsFast;
  default:
    return false;
  }
}

/// The rounding of `cvt` to an integral number.
static StringRef integralRounding(llvm::Intrinsic::ID ID) {
  switch (ID) {
  case llvm::Intrinsic::ceil:
    return "rpi";
  case llvm::Intrinsic::floor:
    return "rmi";
  case llvm::Intrinsic::trunc:
    return "rzi";
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::nearbyint:
  case llvm::Intrinsic::roundeven:
    return "rni";
  default:
    return "";
  }
}

FloatElement::FloatElement(IntrinsicLowering &L, llvm::Type *T)
    : L(L), F(L.function()), T(T), Is16(T->isHalfTy() || T->isBFloatTy()),
      Type(T->isDoubleTy() ? ScalarType::B64
           : Is16          ? ScalarType::B16
                           : ScalarType::B32),
      Bits(std::to_string(bitWidth(Type))) {}

Operand FloatElement::number(double Value) const {
  if (Is16) {
    llvm::APFloat V(Value);
    bool Lost;
    V.convert(T->getFltSemantics(), llvm::APFloat::rmNearestTiesToEven, &Lost);
    return FunctionLowering::integer(int64_t(V.bitcastToAPInt().getZExtValue()),
                                     Type);
  }
  return FunctionLowering::floating(
      T->isDoubleTy() ? llvm::APFloat(Value) : llvm::APFloat(float(Value)));
}

Operand FloatElement::op(const llvm::Twine &Name, ArrayRef<Operand> X) {
  return L.op(Type, Name + F.floatSuffix(T), X);
}

Operand FloatElement::compare(StringRef Relation, const Operand &A,
                              const Operand &B) {
  return L.op(ScalarType::Pred, "setp." + Relation + F.floatSuffix(T), {A, B});
}

Operand FloatElement::select(const Operand &A, const Operand &B,
                             const Operand &P) {
  return L.op(Type, (Is16 ? "selp.b" : "selp.f") + Bits, {A, B, P});
}

Operand FloatElement::roundTo(StringRef Rounding, const Operand &X) {
  std::string Suffix = F.floatSuffix(T);
  bool Flushes = StringRef(Suffix).starts_with(".ftz");
  std::string Name = Suffix.substr(Flushes ? 4 : 0);
  return L.op(
      Type, "cvt." + Rounding + (Flushes && !Is16 ? ".ftz" : "") + Name + Name,
      {X});
}

Operand FloatElement::widened(const Operand &X) {
  return Is16 ? F.asFloat(X, T) : X;
}

Operand FloatElement::narrowed(const Operand &X) {
  if (!Is16)
    return X;
  return L.op(ScalarType::B16,
              T->isHalfTy() ? "cvt.rn.f16.f32" : "cvt.rn.bf16.f32", {X});
}

/// NaN if one is, and -0 below 0: what `.NaN` does where there is none.
static Operand strictMinMax(FloatElement &E, const FloatInstruction &Op,
                            ArrayRef<Operand> X, bool NoNaNs) {
  bool IsMax = Op.Name == "max";
  IntrinsicLowering &L = E.L;
  Operand R =
      E.Is16 ? E.select(X[0], X[1], E.compare(IsMax ? "gt" : "lt", X[0], X[1]))
             : E.op(Op.Name, X);
  if (NoNaNs)
    return R;
  Operand NaN = E.compare("nan", X[0], X[1]);
  R = E.select(E.number(std::numeric_limits<double>::quiet_NaN()), R, NaN);
  // Of two zeros the one with the right sign.
  Operand Zero = R;
  for (const Operand &O : X) {
    Operand Is = L.op(
        ScalarType::Pred, "setp.eq.b" + E.Bits,
        {O, FunctionLowering::integer(
                IsMax ? 0 : int64_t(1ULL << (bitWidth(E.Type) - 1)), E.Type)});
    Zero = E.select(O, Zero, Is);
  }
  return E.select(Zero, R, E.compare("eq", R, E.number(0)));
}

bool IntrinsicLowering::mapWidened(
    FloatElement &E, unsigned Count,
    llvm::function_ref<Operand(ArrayRef<Operand>)> Lower) {
  auto Wide = [&](ArrayRef<Operand> X) {
    SmallVector<Operand, 3> Floats;
    for (const Operand &O : X)
      Floats.push_back(E.widened(O));
    return Lower(Floats);
  };
  bool ByPair = FunctionLowering::elementsPerComponent(I.getType()) == 2 &&
                F.capability() >= 80;
  if (!ByPair)
    return mapElements(
        Count, [&](ArrayRef<Operand> X) { return E.narrowed(Wide(X)); });
  // One instruction makes a pair of two floats, the upper one first.
  SmallVector<SmallVector<Operand, 4>, 3> Arguments;
  for (unsigned A = 0; A != Count; ++A)
    Arguments.push_back(F.elements(I.getArgOperand(A)));
  SmallVector<Operand, 4> Results, Out;
  for (size_t N = 0; N != Arguments[0].size(); ++N) {
    SmallVector<Operand, 3> X;
    for (const SmallVector<Operand, 4> &A : Arguments)
      X.push_back(A[N]);
    Results.push_back(Wide(X));
  }
  for (size_t N = 0; N != Results.size(); N += 2)
    Out.push_back(op(ScalarType::B32,
                     E.T->isHalfTy() ? "cvt.rn.f16x2.f32" : "cvt.rn.bf16x2.f32",
                     {Results[N + 1], Results[N]}));
  F.alias(&I, Out);
  return true;
}

/// What one instruction does, if the device has it for the type.
bool IntrinsicLowering::lowerFloatInstruction(FloatElement &E,
                                              const FloatInstruction &Op) {
  llvm::Type *T = E.T;
  if (isRefused(I, I.hasApproxFunc()))
    return false;
  const unsigned Capability = F.capability();
  const unsigned From = T->isHalfTy() ? Op.HalfFrom : Op.BFloatFrom;
  const bool IsNative = !E.Is16 || (From != 0 && Capability >= From);
  const bool IsStrict = !Op.Behind.empty();
  if (IsStrict && (T->isDoubleTy() || Capability < 80))
    return mapElements(2, [&](ArrayRef<Operand> X) {
      return strictMinMax(E, Op, X, I.hasNoNaNs() && !E.Is16);
    });
  if (!IsNative) {
    FloatElement Single(*this, llvm::Type::getFloatTy(I.getContext()));
    return mapWidened(E, Op.Count, [&](ArrayRef<Operand> X) {
      return Single.op(Op.Name, X);
    });
  }
  std::string Suffix = F.floatSuffix(I.getType());
  if (IsStrict)
    Suffix.insert(Suffix.rfind('.'), Op.Behind);
  if (Op.Name == "ex2.approx" && T->isBFloatTy())
    Suffix.insert(0, ".ftz"); // there is no other
  SmallVector<Operand, 4> Out;
  for (size_t N = 0; N != argument(0).size(); ++N) {
    SmallVector<Operand, 3> X;
    for (unsigned A = 0; A != Op.Count; ++A)
      X.push_back(argument(A)[N]);
    Out.push_back(op(E.Is16 ? X[0].Type : E.Type, Op.Name + Suffix, X));
  }
  F.alias(&I, Out);
  return true;
}

bool IntrinsicLowering::lowerRounding(FloatElement &E, StringRef Rounding) {
  if (!E.T->isBFloatTy() || F.capability() >= 90)
    return mapElements(
        1, [&](ArrayRef<Operand> X) { return E.roundTo(Rounding, X[0]); });
  FloatElement Single(*this, llvm::Type::getFloatTy(I.getContext()));
  return mapWidened(E, 1, [&](ArrayRef<Operand> X) {
    return Single.roundTo(Rounding, X[0]);
  });
}

bool IntrinsicLowering::lowerFloat() {
  if (lowerFloatConversion())
    return true;
  if (!I.getType()->isFPOrFPVectorTy())
    return false;
  llvm::Type *T = I.getType()->getScalarType();
  if (!T->isFloatTy() && !T->isDoubleTy() && !T->isHalfTy() && !T->isBFloatTy())
    return false;
  FloatElement E(*this, T);
  if (std::optional<FloatInstruction> Op = instructionOf(I, I.hasApproxFunc()))
    return lowerFloatInstruction(E, *Op);
  if (StringRef Rounding = integralRounding(ID); !Rounding.empty())
    return lowerRounding(E, Rounding);
  switch (ID) {
  case llvm::Intrinsic::round: {
    FloatElement Single(*this, llvm::Type::getFloatTy(I.getContext()));
    return mapWidened(E, 1, [&](ArrayRef<Operand> X) {
      return T->isDoubleTy() ? E.roundAwayDouble(X[0]) : Single.roundAway(X[0]);
    });
  }
  case llvm::Intrinsic::canonicalize:
    if (T->isBFloatTy())
      return false; // the back end has none
    return mapElements(1, [&](ArrayRef<Operand> X) {
      return E.op("mul.rn", {X[0], E.number(1)});
    });
  case llvm::Intrinsic::copysign:
    return lowerCopySign(E);
  case llvm::Intrinsic::ldexp:
    if (T->isBFloatTy() || !I.getArgOperand(1)->getType()->isIntegerTy(32))
      return false;
    return mapElements(
        2, [&](ArrayRef<Operand> X) { return E.scaleByPower(X[0], X[1]); });
  default:
    return false;
  }
}

bool IntrinsicLowering::lowerCopySign(FloatElement &E) {
  llvm::Type *T = I.getType();
  auto Integer = [&](int64_t N, ScalarType Of) {
    return FunctionLowering::integer(N, Of);
  };
  if (!E.Is16)
    return mapElements(2, [&](ArrayRef<Operand> X) {
      // The sign comes first in PTX.
      return op(E.Type,
                T->getScalarType()->isDoubleTy() ? "copysign.f64"
                                                 : "copysign.f32",
                {X[1], X[0]});
    });
  bool HasAbs = F.capability() >= (E.T->isHalfTy() ? 53 : 80);
  if (FunctionLowering::elementsPerComponent(T) == 2 || !HasAbs) {
    ArrayRef<Operand> A = argument(0), B = argument(1);
    SmallVector<Operand, 4> Out;
    for (size_t N = 0; N != A.size(); ++N) {
      ScalarType Of = A[N].Type;
      bool IsPair = Of == ScalarType::B32;
      std::string Bits = IsPair ? "32" : "16";
      Operand Sign =
          op(Of, "and.b" + Bits,
             {B[N], Integer(IsPair ? int64_t(0x80008000) : 0x8000, Of)});
      Operand Rest = op(Of, "and.b" + Bits,
                        {A[N], Integer(IsPair ? 0x7fff7fff : 0x7fff, Of)});
      Out.push_back(op(Of, "or.b" + Bits, {Rest, Sign}));
    }
    F.alias(&I, Out);
    return true;
  }
  return mapElements(2, [&](ArrayRef<Operand> X) {
    Operand Plus = E.op("abs", {X[0]}), Minus = E.op("neg", {Plus});
    Operand Sign =
        op(ScalarType::B16, "shr.u16", {X[1], Integer(15, ScalarType::B32)});
    Sign = op(ScalarType::B16, "and.b16", {Sign, Integer(1, ScalarType::B16)});
    Operand IsMinus = op(ScalarType::Pred, "setp.ne.b16",
                         {Sign, Integer(0, ScalarType::B16)});
    return E.select(Minus, Plus, IsMinus);
  });
}

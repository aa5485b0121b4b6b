//===- HalfOperations.cpp - Arithmetic on f16 and bf16 --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HalfOperations.h"
#include "Conversions.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

// Sums and products are rounded twice, to float and to the half format. Since
// float has at least twice the half's bits and two more, the result is that of
// one rounding. In between, f16 products are exact.

namespace {
enum class Clamp { None, Unit, Relu };

/// Rounds the result once and treats it as the modifiers say.
template <class T, bool Ftz, Clamp Range, class S>
inline T finish(S Wide) {
  if constexpr (Range == Clamp::Unit) // NaN becomes 0
    Wide = Wide > 0 ? (Wide < 1 ? Wide : S(1)) : S(0);
  else if constexpr (Range == Clamp::Relu)
    Wide = Wide > 0 || isNaN(Wide) ? Wide : S(0);
  T Result = T::from(Wide);
  return Ftz ? Result.flush() : Result;
}

template <bool Ftz, class T>
inline float operand(T Value) {
  return Ftz ? Value.flush().widen() : Value.widen();
}

template <bool Ftz, Clamp Range>
struct AddHalves {
  template <class T>
  static T apply(T A, T B) {
    return finish<T, Ftz, Range>(operand<Ftz>(A) + operand<Ftz>(B));
  }
};

template <bool Ftz, Clamp Range>
struct SubtractHalves {
  template <class T>
  static T apply(T A, T B) {
    return finish<T, Ftz, Range>(operand<Ftz>(A) - operand<Ftz>(B));
  }
};

template <bool Ftz, Clamp Range>
struct MultiplyHalves {
  template <class T>
  static T apply(T A, T B) {
    return finish<T, Ftz, Range>(operand<Ftz>(A) * operand<Ftz>(B));
  }
};

/// One rounding: the product is exact, the sum rounded to odd. Products of bf16
/// have the range of double, those of f16 fit into float.
template <bool Ftz, Clamp Range>
struct FuseHalves {
  template <class T>
  static T apply(T A, T B, T C) {
    using S = std::conditional_t<std::is_same_v<T, Half>, float, double>;
    S Product = S(operand<Ftz>(A)) * S(operand<Ftz>(B));
    return finish<T, Ftz, Range>(addToOdd(Product, S(operand<Ftz>(C))));
  }
};

/// neg and abs.
template <bool Ftz, bool IsAbs>
struct SignOfHalf {
  template <class T>
  static T apply(T Value) {
    if (Ftz)
      Value = Value.flush();
    uint16_t Bits = IsAbs ? Value.Bits & 0x7fff : Value.Bits ^ 0x8000;
    return {Value.isNaN() ? uint16_t(T::Format::NaN) : Bits};
  }
};

/// Chooses a bit pattern; -0 is less than +0 and NaN more than nothing, or,
/// with .NaN, the result.
template <bool IsMax, bool Ftz, bool KeepsNaN, bool XorSign>
struct ExtremeHalf {
  template <class T>
  static T apply(T A, T B) {
    uint16_t Sign = (A.Bits ^ B.Bits) & 0x8000;
    A = prepare(A);
    B = prepare(B);
    bool TakesA = IsMax ? order(A) >= order(B) : order(A) <= order(B);
    uint16_t Bits = TakesA ? A.Bits : B.Bits;
    Bits = A.isNaN() ? B.Bits : Bits;
    Bits = B.isNaN() ? A.Bits : Bits;
    if constexpr (XorSign)
      Bits = uint16_t((Bits & 0x7fff) | Sign);
    bool IsNaN = KeepsNaN ? A.isNaN() || B.isNaN() : A.isNaN() && B.isNaN();
    return {IsNaN ? uint16_t(T::Format::NaN) : Bits};
  }

private:
  template <class T>
  static T prepare(T Value) {
    if (Ftz)
      Value = Value.flush();
    if (XorSign)
      Value.Bits &= 0x7fff;
    return Value;
  }
  template <class T>
  static uint16_t order(T Value) {
    return uint16_t(Value.Bits & 0x8000 ? ~Value.Bits : Value.Bits | 0x8000);
  }
};

/// add, sub and fma of halves and one f32 (PTX ISA 9.7.5): the exact result,
/// rounded once.
template <Rounding R, bool Sat, bool IsSub>
struct AddMixed {
  template <class T>
  static float apply(T A, float C) {
    return finishMixed(double(A.widen()), IsSub ? -double(C) : double(C));
  }
  template <class T>
  static float apply(T A, T B, float C) {
    return finishMixed(double(A.widen()) * double(B.widen()), double(C));
  }

private:
  static float finishMixed(double A, double B) {
    double Sum = addToOdd(A, B);
    // What cancels is -0 where rounding goes down.
    if constexpr (R == Rounding::Down)
      Sum = Sum == 0 && (std::signbit(A) || std::signbit(B)) ? -0.0 : Sum;
    float Result = llvm::bit_cast<float>(encode<F32Format, R>(Sum));
    if constexpr (Sat)
      Result = Result > 0 ? (Result < 1 ? Result : 1.0f) : 0.0f;
    return Result;
  }
};

/// Taken from the modifiers: which of them there are.
struct HalfFlags {
  bool Ftz, Sat, Relu;

  explicit HalfFlags(LaneModifiers &Left)
      : Ftz(Left.take("ftz")), Sat(Left.take("sat")), Relu(Left.take("relu")) {}
};
} // namespace

/// Op<Ftz, Range> with \p N operands. bf16 has neither .ftz nor .sat.
template <template <bool, Clamp> class Op, size_t N>
static LaneFunction findArithmetic(LaneModifiers Left, bool HasRelu) {
  HalfFlags Flags(Left);
  Left.take("rn"); // the only rounding
  if (Left.size() != 1 || (Flags.Relu && !HasRelu) || (Flags.Relu && Flags.Sat))
    return nullptr;
  StringRef Type = Left.takeBack();
  if (Type.starts_with("bf") && (Flags.Ftz || Flags.Sat))
    return nullptr;
  return forBool(Flags.Ftz, [&](auto Ftz) {
    constexpr bool F = decltype(Ftz)::value;
    if (Flags.Sat)
      return halfFunction<Op<F, Clamp::Unit>, N>(Type);
    return Flags.Relu ? halfFunction<Op<F, Clamp::Relu>, N>(Type)
                      : halfFunction<Op<F, Clamp::None>, N>(Type);
  });
}

template <bool IsAbs>
static LaneFunction findSign(LaneModifiers Left) {
  bool IsFtz = Left.take("ftz");
  StringRef Type = Left.takeBack();
  if (!Left.empty() || (IsFtz && Type.starts_with("bf")))
    return nullptr;
  return forBool(IsFtz, [&](auto Ftz) {
    return halfFunction<SignOfHalf<decltype(Ftz)::value, IsAbs>, 1>(Type);
  });
}

template <bool IsMax>
static LaneFunction findExtreme(LaneModifiers Left) {
  bool IsFtz = Left.take("ftz"), IsNaN = Left.take("NaN");
  bool IsXor = Left.take("xorsign");
  if (IsXor != Left.take("abs"))
    return nullptr;
  StringRef Type = Left.takeBack();
  if (!Left.empty() || (IsFtz && Type.starts_with("bf")))
    return nullptr;
  return forBool(IsFtz, [&](auto Ftz) {
    return forBool(IsNaN, [&](auto NaN) {
      return forBool(IsXor, [&](auto Xor) {
        using Op = ExtremeHalf<IsMax, decltype(Ftz)::value,
                               decltype(NaN)::value, decltype(Xor)::value>;
        return halfFunction<Op, 2>(Type);
      });
    });
  });
}

/// `.rn.sat.f32.f16`: N halves and an f32.
template <bool IsSub, size_t N>
static LaneFunction findMixed(LaneModifiers Left) {
  bool IsSat = Left.take("sat");
  auto To = Left.take("rz")   ? Rounding::Zero
            : Left.take("rm") ? Rounding::Down
            : Left.take("rp") ? Rounding::Up
                              : Rounding::Even;
  if (To == Rounding::Even)
    Left.take("rn");
  StringRef Type = Left.takeBack();
  if (Left.size() != 1 || Left.takeBack() != "f32" ||
      (Type != "f16" && Type != "bf16"))
    return nullptr;
  return forIEEERounding(To, [&](auto R) {
    return forBool(IsSat, [&](auto Sat) {
      using Op = AddMixed<decltype(R)::value, decltype(Sat)::value, IsSub>;
      if constexpr (N == 1)
        return Type == "f16" ? laneLoop<Op, float, Half, float>()
                             : laneLoop<Op, float, BFloat, float>();
      else
        return Type == "f16" ? laneLoop<Op, float, Half, Half, float>()
                             : laneLoop<Op, float, BFloat, BFloat, float>();
    });
  });
}

LaneFunction emulator::findHalfOperation(ptx::Opcode Op, StringRef Modifiers,
                                         unsigned NumSources) {
  LaneModifiers Left(Modifiers);
  StringRef Last = Left.empty() ? StringRef() : Left[Left.size() - 1];
  bool IsPacked = Last.consume_back("x2");
  bool IsHalf = Last == "f16" || Last == "bf16";
  if (Op == ptx::Opcode::Set || Op == ptx::Opcode::Setp)
    return IsHalf ? findHalfComparison(Op, Modifiers, NumSources) : nullptr;
  if (!IsHalf)
    return nullptr;
  bool IsMixed = !IsPacked && Left.size() > 1 && Left[Left.size() - 2] == "f32";
  switch (Op) {
  case ptx::Opcode::Add:
    if (NumSources != 2)
      return nullptr;
    return IsMixed ? findMixed<false, 1>(Left)
                   : findArithmetic<AddHalves, 2>(Left, false);
  case ptx::Opcode::Sub:
    if (NumSources != 2)
      return nullptr;
    return IsMixed ? findMixed<true, 1>(Left)
                   : findArithmetic<SubtractHalves, 2>(Left, false);
  case ptx::Opcode::Mul:
    return NumSources == 2 ? findArithmetic<MultiplyHalves, 2>(Left, false)
                           : nullptr;
  case ptx::Opcode::Fma:
    if (NumSources != 3)
      return nullptr;
    return IsMixed ? findMixed<false, 2>(Left)
                   : findArithmetic<FuseHalves, 3>(Left, true);
  case ptx::Opcode::Neg:
    return NumSources == 1 ? findSign<false>(Left) : nullptr;
  case ptx::Opcode::Abs:
    return NumSources == 1 ? findSign<true>(Left) : nullptr;
  case ptx::Opcode::Min:
    return NumSources == 2 ? findExtreme<false>(Left) : nullptr;
  case ptx::Opcode::Max:
    return NumSources == 2 ? findExtreme<true>(Left) : nullptr;
  default:
    return nullptr;
  }
}

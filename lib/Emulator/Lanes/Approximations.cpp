//===- Approximations.cpp - Approximate functions -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Conversions.h"
#include "HalfOperations.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

// PTX ISA 9.7.3 and 9.7.4 bound the errors and say what special values give;
// these functions stay well within the bounds. They are sums, products and
// choices without branches or fused operations, so that they become vectors
// and give the same bits on every CPU.

namespace {
/// To the nearest integer, for |Value| < 2^22 (2^51 for double).
inline float nearest(float Value) { return (Value + 0x1.8p23f) - 0x1.8p23f; }
inline double nearest(double Value) { return (Value + 0x1.8p52) - 0x1.8p52; }

/// 2^Power for Power from -126 to 127.
inline float powerOfTwo(int32_t Power) {
  return llvm::bit_cast<float>(uint32_t(Power + 127) << 23);
}

/// 2^X within an ulp: a Taylor polynomial on [-1/2, 1/2] times 2^n, which is
/// multiplied in halves so that subnormal results are rounded once.
inline float exp2Of(float X) {
  float Inside = X > -151.0f ? (X < 129.0f ? X : 129.0f) : -151.0f;
  float Whole = nearest(Inside);
  float F = Inside - Whole;
  float P = 0x1.ffcbfcp-17f;
  P = P * F + 0x1.430912p-13f;
  P = P * F + 0x1.5d87fep-10f;
  P = P * F + 0x1.3b2ab6p-7f;
  P = P * F + 0x1.c6b08ep-5f;
  P = P * F + 0x1.ebfbep-3f;
  P = P * F + 0x1.62e43p-1f;
  P = P * F + 1.0f;
  int32_t N = int32_t(Whole), Half = N >> 1;
  P = P * powerOfTwo(Half) * powerOfTwo(N - Half);
  return X != X ? canonical(X) : P;
}

/// log2(X) from log((1 + t) / (1 - t)) = 2 (t + t^3/3 + t^5/5 + …), where
/// (1 + t) / (1 - t) is X without a power of two, from sqrt(1/2) to sqrt(2).
inline float log2Of(float X) {
  bool IsSubnormal = X < 0x1p-126f;
  float Normal = IsSubnormal ? X * 0x1p23f : X;
  uint32_t Bits = llvm::bit_cast<uint32_t>(Normal);
  int32_t Exponent = int32_t(Bits - 0x3f3504f3) >> 23;
  float M = llvm::bit_cast<float>(Bits - (uint32_t(Exponent) << 23));
  float T = (M - 1.0f) / (M + 1.0f);
  float S = T * T;
  float P = 0x1.c71c72p-4f;   // 1/9
  P = P * S + 0x1.24924ap-3f; // 1/7
  P = P * S + 0x1.99999ap-3f; // 1/5
  P = P * S + 0x1.555556p-2f; // 1/3
  P = P * S + 1.0f;
  P = P * T * 0x1.715476p1f; // 2/ln(2)
  float Result = float(Exponent - (IsSubnormal ? 23 : 0)) + P;
  constexpr float Infinity = __builtin_inff();
  Result = X == Infinity ? Infinity : Result;
  Result = X == 0 ? -Infinity : Result;
  return X < 0 || X != X ? canonical(__builtin_nanf("")) : Result;
}

/// Sine or cosine: what is left of X after a multiple of pi/2, in double, and
/// Taylor polynomials on [-pi/4, pi/4].
template <bool IsCos>
inline float circular(float Single) {
  double X = Single;
  // Adding 0 keeps sin(-0) = -0.
  double K = nearest(X * 0x1.45f306dc9c883p-1) + 0.0;
  // pi/2 in two parts, so that the first product is exact.
  double R = (X - K * 0x1.921fb544p0) - K * 0x1.0b4611a626331p-34;
  // Beyond 2^51 nothing is left but a number in range.
  R = R > 0.8 ? 0.8 : R;
  R = R < -0.8 ? -0.8 : R;
  double S = R * R;
  double Sine = -1.0 / 39916800;
  Sine = Sine * S + 1.0 / 362880;
  Sine = Sine * S + -1.0 / 5040;
  Sine = Sine * S + 1.0 / 120;
  Sine = Sine * S + -1.0 / 6;
  Sine = R * (Sine * S + 1.0);
  double Cosine = 1.0 / 479001600;
  Cosine = Cosine * S + -1.0 / 3628800;
  Cosine = Cosine * S + 1.0 / 40320;
  Cosine = Cosine * S + -1.0 / 720;
  Cosine = Cosine * S + 1.0 / 24;
  Cosine = Cosine * S - 0.5;
  Cosine = Cosine * S + 1.0;
  // The quadrant, as a quarter turn: 0, 1/4, +-1/2 or -1/4.
  double Turn = K * 0.25 - nearest(K * 0.25);
  bool IsOdd = Turn == 0.25 || Turn == -0.25;
  bool IsNegative =
      Turn == 0.5 || Turn == -0.5 || Turn == (IsCos ? 0.25 : -0.25);
  double Result = IsOdd != IsCos ? Cosine : Sine;
  return canonical(float(IsNegative ? -Result : Result));
}

/// tanh: a continued fraction near 0, elsewhere 1 - 2 / (e^2x + 1).
inline float tanhOf(float X) {
  float Magnitude = std::fabs(X), U = X * X;
  float Near =
      X * (945.0f + U * (105.0f + U)) / (945.0f + U * (420.0f + U * 15.0f));
  float Far = 1.0f - 2.0f / (exp2Of(Magnitude * 0x1.715476p1f) + 1.0f);
  Far = std::copysign(Far, X);
  return canonical(Magnitude < 0.625f ? Near : Far);
}

struct Reciprocal {
  static float apply(float X) { return canonical(1.0f / X); }
};
struct SquareRoot {
  static float apply(float X) { return canonical(std::sqrt(X)); }
};
struct ReciprocalRoot {
  static float apply(float X) { return canonical(1.0f / std::sqrt(X)); }
};
struct Sine {
  static float apply(float X) { return circular<false>(X); }
};
struct Cosine {
  static float apply(float X) { return circular<true>(X); }
};
struct Logarithm {
  static float apply(float X) { return log2Of(X); }
};
struct Exponential {
  static float apply(float X) { return exp2Of(X); }
};
struct HyperbolicTangent {
  static float apply(float X) { return tanhOf(X); }
};

/// div.approx: A * (1/B), where the reciprocal of more than 2^126 is 0.
struct ApproximateQuotient {
  static float apply(float A, float B) {
    float Quotient = A * (1.0f / B);
    bool IsTiny = std::fabs(B) > 0x1p126f && std::fabs(B) <= 0x1.fffffep127f;
    return canonical(IsTiny ? A * std::copysign(0.0f, B) : Quotient);
  }
};
/// div.full may be off by 2 ulp and need not be.
struct FullQuotient {
  static float apply(float A, float B) { return canonical(A / B); }
};

/// .ftz: subnormal operands and results are zeros of their sign.
template <class Op>
struct Flushed {
  template <class... S>
  static float apply(S... Values) {
    return flush(Op::apply(flush(Values)...));
  }
};

/// A half's function: that of float, rounded.
template <class Op, bool Ftz>
struct OfHalf {
  template <class T>
  static T apply(T Value) {
    Value = Ftz ? Value.flush() : Value;
    T Result = T::from(Op::apply(Value.widen()));
    return Ftz ? Result.flush() : Result;
  }
};

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: only the upper 32 bits of
/// operand and result count, and NaN is 0x7fffffff00000000.
template <bool IsRoot>
struct UpperWord {
  static double apply(double Value) {
    double X = llvm::bit_cast<double>(upper(llvm::bit_cast<uint64_t>(Value)));
    double Result = 1.0 / (IsRoot ? std::sqrt(X) : X);
    uint64_t Bits = llvm::bit_cast<uint64_t>(Result);
    // To the nearest 1.11.20 number.
    Bits = upper(Bits + 0x80000000);
    return llvm::bit_cast<double>(Result != Result ? 0x7fffffff00000000 : Bits);
  }

private:
  static uint64_t upper(uint64_t Bits) {
    constexpr uint64_t Sign = uint64_t(1) << 63;
    bool IsSubnormal = (Bits & 0x7ff0000000000000) == 0;
    return IsSubnormal ? Bits & Sign : Bits & 0xffffffff00000000;
  }
};

struct DoubleReciprocalRoot {
  static double apply(double X) {
    double Result = 1.0 / std::sqrt(X);
    return Result != Result ? __builtin_nan("") : Result;
  }
};
} // namespace

template <class Op, class... S>
static LaneFunction findSingle(bool Ftz) {
  return Ftz ? laneLoop<Flushed<Op>, float, S...>()
             : laneLoop<Op, float, S...>();
}

static LaneFunction findSingle(ptx::Opcode Op, bool Ftz) {
  switch (Op) {
  case ptx::Opcode::Rcp:
    return findSingle<Reciprocal, float>(Ftz);
  case ptx::Opcode::Sqrt:
    return findSingle<SquareRoot, float>(Ftz);
  case ptx::Opcode::Rsqrt:
    return findSingle<ReciprocalRoot, float>(Ftz);
  case ptx::Opcode::Sin:
    return findSingle<Sine, float>(Ftz);
  case ptx::Opcode::Cos:
    return findSingle<Cosine, float>(Ftz);
  case ptx::Opcode::Lg2:
    return findSingle<Logarithm, float>(Ftz);
  case ptx::Opcode::Ex2:
    return findSingle<Exponential, float>(Ftz);
  case ptx::Opcode::Tanh:
    return Ftz ? nullptr : laneLoop<HyperbolicTangent, float, float>();
  default:
    return nullptr;
  }
}

static LaneFunction findDouble(ptx::Opcode Op, bool Ftz) {
  if (Op == ptx::Opcode::Rcp && Ftz)
    return laneLoop<UpperWord<false>, double, double>();
  if (Op == ptx::Opcode::Rsqrt)
    return Ftz ? laneLoop<UpperWord<true>, double, double>()
               : laneLoop<DoubleReciprocalRoot, double, double>();
  return nullptr;
}

/// ex2 of bf16 is always .ftz; nothing else has it.
static LaneFunction findHalf(ptx::Opcode Op, bool Ftz, StringRef Type) {
  bool IsBFloat = Type.starts_with("bf");
  if (Op == ptx::Opcode::Tanh && !Ftz)
    return halfFunction<OfHalf<HyperbolicTangent, false>, 1>(Type);
  if (Op == ptx::Opcode::Ex2 && Ftz == IsBFloat)
    return Ftz ? halfFunction<OfHalf<Exponential, true>, 1>(Type)
               : halfFunction<OfHalf<Exponential, false>, 1>(Type);
  return nullptr;
}

LaneFunction emulator::findApproximation(ptx::Opcode Op, StringRef Modifiers,
                                         unsigned NumSources) {
  LaneModifiers Left(Modifiers);
  bool IsFtz = Left.take("ftz"), IsFull = Left.take("full");
  if (IsFull == Left.take("approx") || Left.size() != 1)
    return nullptr;
  StringRef Type = Left.takeBack();
  if (Op == ptx::Opcode::Div) {
    if (NumSources != 2 || Type != "f32")
      return nullptr;
    return IsFull ? findSingle<FullQuotient, float, float>(IsFtz)
                  : findSingle<ApproximateQuotient, float, float>(IsFtz);
  }
  if (NumSources != 1 || IsFull)
    return nullptr;
  if (Type == "f32")
    return findSingle(Op, IsFtz);
  return Type == "f64" ? findDouble(Op, IsFtz) : findHalf(Op, IsFtz, Type);
}

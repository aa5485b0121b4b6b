//===- FloatOperations.cpp - Exact arithmetic on f32 and f64 --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.7.3 and 9.7.5: what IEEE 754 defines to the last bit, with results
// in f32, f32x2 or f64. Each function is compiled for rounding to nearest; in
// another direction it is called with the CPU's rounding mode changed.
//===----------------------------------------------------------------------===//
#include "DirectedRounding.h"
#include "FloatHelpers.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::Opcode;

namespace {

//===----------------------------------------------------------------------===//
// Operations on numbers
//===----------------------------------------------------------------------===//

struct Add {
  template <class T>
  static T apply(T A, T B) {
    return A + B;
  }
};
struct Sub {
  template <class T>
  static T apply(T A, T B) {
    return A - B;
  }
};
struct Mul {
  template <class T>
  static T apply(T A, T B) {
    return A * B;
  }
};
struct Div {
  template <class T>
  static T apply(T A, T B) {
    return A / B;
  }
};
struct Fma {
  static float apply(float A, float B, float C) {
    return __builtin_fmaf(A, B, C);
  }
  static double apply(double A, double B, double C) {
    return __builtin_fma(A, B, C);
  }
};
struct Rcp {
  template <class T>
  static T apply(T A) {
    return T(1) / A;
  }
};
struct Sqrt {
  static float apply(float A) { return __builtin_sqrtf(A); }
  static double apply(double A) { return __builtin_sqrt(A); }
};

/// Op in f32: with .ftz subnormals count as zeros and do not result; with .sat
/// the result is in [0, 1], NaN and -0 become 0; every NaN is the same.
template <class Op, bool Flush, bool Saturate>
struct Single {
  template <class... S>
  static float apply(S... Source) {
    float Result = Flush ? Op::apply(flush(Source)...) : Op::apply(Source...);
    if constexpr (Flush)
      Result = flush(Result);
    if constexpr (Saturate)
      return Result > 0 ? (Result < 1 ? Result : 1.0f) : 0.0f;
    else
      return canonical(Result);
  }
};

/// Op in f64: the first NaN among the operands goes on, quiet.
template <class Op>
struct WithPayload {
  template <class... S>
  static double apply(S... Source) {
    double Result = Op::apply(Source...);
    // Bits are chosen, as canonical() does.
    uint64_t NaN = firstNaN(Source...), Bits = bitsOf(Result);
    return fromBits<double>(isNaN(Result) ? NaN : Bits);
  }

private:
  static uint64_t firstNaN() { return FloatPattern<double>::NaN; }
  template <class... S>
  static uint64_t firstNaN(double A, S... More) {
    uint64_t Quiet = bitsOf(A) | FloatPattern<double>::QuietBit;
    uint64_t Other = firstNaN(More...);
    return isNaN(A) ? Quiet : Other;
  }
};

//===----------------------------------------------------------------------===//
// Minimum and maximum
//===----------------------------------------------------------------------===//

/// Of two numbers; +0 is greater than -0.
template <bool IsMax, class T>
T extreme(T A, T B) {
  // Equal numbers differ in the sign of zero at most.
  T Same = fromBits<T>(IsMax ? bitsOf(A) & bitsOf(B) : bitsOf(A) | bitsOf(B));
  T Other = IsMax ? (A > B ? A : B) : (A < B ? A : B);
  return A == B ? Same : Other;
}

/// One number instead of a NaN, or with Propagate a NaN instead of a number.
template <bool IsMax, bool Propagate>
struct Extreme {
  template <class T>
  static T apply(T A, T B) {
    T Result = extreme<IsMax>(A, B);
    if constexpr (Propagate) {
      Result = isNaN(B) ? B : Result;
      return isNaN(A) ? A : Result;
    } else {
      Result = isNaN(B) ? A : Result;
      return isNaN(A) ? B : Result;
    }
  }
  template <class T>
  static T apply(T A, T B, T C) {
    return apply(apply(A, B), C);
  }
};

/// .xorsign.abs: of the magnitudes, with the product's sign.
template <class Op>
struct XorSign {
  static float apply(float A, float B) {
    uint32_t Sign = (bitsOf(A) ^ bitsOf(B)) & FloatPattern<float>::Sign;
    float Result = Op::apply(fromBits<float>(magnitudeBits(A)),
                             fromBits<float>(magnitudeBits(B)));
    return fromBits<float>(bitsOf(Result) | Sign);
  }
};
/// .abs of three operands.
template <class Op>
struct OfMagnitudes {
  static float apply(float A, float B, float C) {
    return Op::apply(fromBits<float>(magnitudeBits(A)),
                     fromBits<float>(magnitudeBits(B)),
                     fromBits<float>(magnitudeBits(C)));
  }
};

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

template <bool Flush>
struct Abs {
  template <class T>
  static T apply(T A) {
    if constexpr (Flush)
      A = flush(A);
    return fromBits<T>(magnitudeBits(A));
  }
};
template <bool Flush>
struct Neg {
  template <class T>
  static T apply(T A) {
    if constexpr (Flush)
      A = flush(A);
    return fromBits<T>(bitsOf(A) ^ FloatPattern<T>::Sign);
  }
};
/// B with the sign of A.
struct CopySign {
  template <class T>
  static T apply(T A, T B) {
    return fromBits<T>((bitsOf(A) & FloatPattern<T>::Sign) | magnitudeBits(B));
  }
};

enum class Property { Finite, Infinite, Number, NaN, Normal, Subnormal };
template <Property P>
struct TestP {
  template <class T>
  static bool apply(T A) {
    using F = FloatPattern<T>;
    // Signed, for CPUs whose vectors compare so.
    using S = std::make_signed_t<typename F::Bits>;
    S M = S(magnitudeBits(A)), Infinity = S(F::Infinity),
      MinNormal = S(F::MinNormal);
    switch (P) {
    case Property::Finite:
      return M < Infinity;
    case Property::Infinite:
      return M == Infinity;
    case Property::Number:
      return M <= Infinity;
    case Property::NaN:
      return M > Infinity;
    case Property::Normal:
      return (M >= MinNormal) & (M < Infinity);
    case Property::Subnormal:
      return (M > 0) & (M < MinNormal);
    }
  }
};

//===----------------------------------------------------------------------===//
// Pairs and mixed types
//===----------------------------------------------------------------------===//

// Types of sources: how a lane's element is stored, and its numbers as f32.
struct F32 {
  using Storage = uint32_t;
  static float get(uint32_t Bits) { return fromBits<float>(Bits); }
};
struct F16 {
  using Storage = uint16_t;
  static float get(uint16_t Bits) { return Half{Bits}.widen(); }
};
struct BF16 {
  using Storage = uint16_t;
  static float get(uint16_t Bits) { return BFloat{Bits}.widen(); }
};
template <class Element>
struct PairOf {
  using Storage =
      std::conditional_t<std::is_same_v<Element, F32>, uint64_t, uint32_t>;
  static float get(Storage Bits, unsigned I) {
    return Element::get(
        typename Element::Storage(Bits >> (I * sizeof(Storage) * 4)));
  }
};

/// Op on numbers of types S.
template <class Op, class... S>
struct Mixed {
  static float apply(typename S::Storage... Source) {
    return Op::apply(S::get(Source)...);
  }
};
/// Op on each number of pairs.
template <class Op, class... S>
struct Paired {
  static uint64_t apply(typename S::Storage... Source) {
    return bitsOf(Op::apply(S::get(Source, 0)...)) |
           uint64_t(bitsOf(Op::apply(S::get(Source, 1)...))) << 32;
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Modifiers of arithmetic before the types.
namespace {
struct Arithmetic {
  Direction Toward = Direction::Nearest;
  bool IsFlushing = false;
  bool IsSaturating = false;
};
} // namespace

/// LaneLoop<Single<Op, …>, D, S…> for the modifiers.
template <class Op, template <class, class...> class Wrap, class D, class... S>
static LaneFunction wrapped(const Arithmetic &How) {
  if (How.IsFlushing)
    return How.IsSaturating
               ? laneLoopRounded<Wrap<Single<Op, true, true>, S...>, D,
                                 typename S::Storage...>(How.Toward)
               : laneLoopRounded<Wrap<Single<Op, true, false>, S...>, D,
                                 typename S::Storage...>(How.Toward);
  return How.IsSaturating
             ? laneLoopRounded<Wrap<Single<Op, false, true>, S...>, D,
                               typename S::Storage...>(How.Toward)
             : laneLoopRounded<Wrap<Single<Op, false, false>, S...>, D,
                               typename S::Storage...>(How.Toward);
}

template <class Op, class... T>
static LaneFunction onDoubles(const Arithmetic &How) {
  return How.IsFlushing || How.IsSaturating
             ? nullptr
             : laneLoopRounded<WithPayload<Op>, double, T...>(How.Toward);
}

template <class Op, class... S>
static LaneFunction onPairs(const Arithmetic &How) {
  return How.IsSaturating ? nullptr : wrapped<Op, Paired, uint64_t, S...>(How);
}

template <class Op>
static LaneFunction unary(const Arithmetic &How, const LaneModifiers &Types) {
  if (Types.size() != 1 || How.IsSaturating)
    return nullptr;
  if (Types[0] == "f32")
    return wrapped<Op, Mixed, float, F32>(How);
  return Types[0] == "f64" ? onDoubles<Op, double>(How) : nullptr;
}

/// With one type of all operands, or a first source of a narrower type:
/// `add.f32.f16`.
template <class Op, bool MayMix>
static LaneFunction binary(const Arithmetic &How, const LaneModifiers &Types) {
  if (Types.size() == 1) {
    if (Types[0] == "f32")
      return wrapped<Op, Mixed, float, F32, F32>(How);
    if (Types[0] == "f64")
      return onDoubles<Op, double, double>(How);
    if constexpr (!std::is_same_v<Op, Div>)
      if (Types[0] == "f32x2")
        return onPairs<Op, PairOf<F32>, PairOf<F32>>(How);
    return nullptr;
  }
  if constexpr (MayMix) {
    if (Types.size() != 2 || How.IsFlushing)
      return nullptr;
    if (Types[0] == "f32" && Types[1] == "f16")
      return wrapped<Op, Mixed, float, F16, F32>(How);
    if (Types[0] == "f32" && Types[1] == "bf16")
      return wrapped<Op, Mixed, float, BF16, F32>(How);
    if (Types[0] == "f32x2" && Types[1] == "f16x2")
      return onPairs<Op, PairOf<F16>, PairOf<F32>>(How);
    if (Types[0] == "f32x2" && Types[1] == "bf16x2")
      return onPairs<Op, PairOf<BF16>, PairOf<F32>>(How);
  }
  return nullptr;
}

/// `fma.f32x2.A.B.f32x2`.
template <class A>
static LaneFunction mixedPairs(const Arithmetic &How, StringRef TypeB) {
  if (TypeB == "f32x2")
    return onPairs<Fma, A, PairOf<F32>, PairOf<F32>>(How);
  if (TypeB == "f16x2")
    return onPairs<Fma, A, PairOf<F16>, PairOf<F32>>(How);
  return TypeB == "bf16x2" ? onPairs<Fma, A, PairOf<BF16>, PairOf<F32>>(How)
                           : nullptr;
}

static LaneFunction fma(const Arithmetic &How, const LaneModifiers &Types) {
  if (Types.size() == 1) {
    if (Types[0] == "f32")
      return wrapped<Fma, Mixed, float, F32, F32, F32>(How);
    if (Types[0] == "f64")
      return onDoubles<Fma, double, double, double>(How);
    return Types[0] == "f32x2"
               ? onPairs<Fma, PairOf<F32>, PairOf<F32>, PairOf<F32>>(How)
               : nullptr;
  }
  if (Types[0] == "f32x2") {
    StringRef A = Types[1], B = Types.size() == 2 ? A : Types[2];
    if (Types.size() != 2 && (Types.size() != 4 || Types[3] != "f32x2"))
      return nullptr;
    return A == "f16x2"    ? mixedPairs<PairOf<F16>>(How, B)
           : A == "bf16x2" ? mixedPairs<PairOf<BF16>>(How, B)
           : A == "f32x2"  ? mixedPairs<PairOf<F32>>(How, B)
                           : nullptr;
  }
  if (Types.size() != 2 || Types[0] != "f32" || How.IsFlushing)
    return nullptr;
  if (Types[1] == "f16")
    return wrapped<Fma, Mixed, float, F16, F16, F32>(How);
  return Types[1] == "bf16" ? wrapped<Fma, Mixed, float, BF16, BF16, F32>(How)
                            : nullptr;
}

/// Takes the modifiers of arithmetic. False if a rounding is needed and there
/// is none.
static bool takeArithmetic(LaneModifiers &M, bool NeedsRounding,
                           Arithmetic &How) {
  bool HasRounding = true;
  if (M.take("rz"))
    How.Toward = Direction::TowardZero;
  else if (M.take("rm"))
    How.Toward = Direction::Down;
  else if (M.take("rp"))
    How.Toward = Direction::Up;
  else
    HasRounding = M.take("rn");
  How.IsFlushing = M.take("ftz");
  How.IsSaturating = M.take("sat");
  return HasRounding || !NeedsRounding;
}

template <class Op, bool Flush>
static LaneFunction extremeOf(LaneModifiers &M, unsigned NumSources) {
  bool IsXor = M.take("xorsign"), IsAbs = M.take("abs");
  using F = float;
  if (!M.take("f32") || !M.empty())
    return nullptr;
  if (NumSources == 3) {
    if (IsXor)
      return nullptr;
    return IsAbs
               ? laneLoop<Single<OfMagnitudes<Op>, Flush, false>, F, F, F, F>()
               : laneLoop<Single<Op, Flush, false>, F, F, F, F>();
  }
  if (IsXor != IsAbs || NumSources != 2)
    return nullptr;
  return IsXor ? laneLoop<Single<XorSign<Op>, Flush, false>, F, F, F>()
               : laneLoop<Single<Op, Flush, false>, F, F, F>();
}

template <bool IsMax>
static LaneFunction extremeOf(LaneModifiers M, unsigned NumSources) {
  if (M[0] == "f64")
    return M.size() == 1 && NumSources == 2
               ? laneLoop<WithPayload<Extreme<IsMax, false>>, double, double,
                          double>()
               : nullptr;
  bool IsFlushing = M.take("ftz");
  if (M.take("NaN"))
    return IsFlushing ? extremeOf<Extreme<IsMax, true>, true>(M, NumSources)
                      : extremeOf<Extreme<IsMax, true>, false>(M, NumSources);
  return IsFlushing ? extremeOf<Extreme<IsMax, false>, true>(M, NumSources)
                    : extremeOf<Extreme<IsMax, false>, false>(M, NumSources);
}

template <template <bool> class Op>
static LaneFunction signOf(LaneModifiers M) {
  bool IsFlushing = M.take("ftz");
  if (M.size() != 1)
    return nullptr;
  if (M[0] == "f32")
    return IsFlushing ? laneLoop<Op<true>, float, float>()
                      : laneLoop<Op<false>, float, float>();
  return M[0] == "f64" && !IsFlushing ? laneLoop<Op<false>, double, double>()
                                      : nullptr;
}

template <class T>
static LaneFunction testP(StringRef Name) {
  if (Name == "finite")
    return laneLoop<TestP<Property::Finite>, Predicate, T>();
  if (Name == "infinite")
    return laneLoop<TestP<Property::Infinite>, Predicate, T>();
  if (Name == "number")
    return laneLoop<TestP<Property::Number>, Predicate, T>();
  if (Name == "notanumber")
    return laneLoop<TestP<Property::NaN>, Predicate, T>();
  if (Name == "normal")
    return laneLoop<TestP<Property::Normal>, Predicate, T>();
  if (Name == "subnormal")
    return laneLoop<TestP<Property::Subnormal>, Predicate, T>();
  return nullptr;
}

LaneFunction emulator::findFloatOperation(Opcode Op, StringRef Modifiers,
                                          unsigned NumSources) {
  LaneModifiers M(Modifiers);
  switch (Op) {
  case Opcode::Min:
    return extremeOf<false>(M, NumSources);
  case Opcode::Max:
    return extremeOf<true>(M, NumSources);
  case Opcode::Abs:
    return signOf<Abs>(M);
  case Opcode::Neg:
    return signOf<Neg>(M);
  case Opcode::Copysign:
    if (M.size() != 1)
      return nullptr;
    return M[0] == "f32"   ? laneLoop<CopySign, float, float, float>()
           : M[0] == "f64" ? laneLoop<CopySign, double, double, double>()
                           : nullptr;
  case Opcode::Testp:
    if (M.size() != 2)
      return nullptr;
    return M[1] == "f32"   ? testP<float>(M[0])
           : M[1] == "f64" ? testP<double>(M[0])
                           : nullptr;
  default:
    break;
  }
  // Division and roots without a rounding are approximations.
  bool NeedsRounding =
      Op == Opcode::Div || Op == Opcode::Rcp || Op == Opcode::Sqrt;
  Arithmetic How;
  if (!takeArithmetic(M, NeedsRounding, How))
    return nullptr;
  switch (Op) {
  case Opcode::Add:
    return binary<Add, true>(How, M);
  case Opcode::Sub:
    return binary<Sub, true>(How, M);
  case Opcode::Mul:
    return binary<Mul, false>(How, M);
  case Opcode::Fma:
    return fma(How, M);
  case Opcode::Mad:
    return M.size() == 1 && M[0] != "f32x2" ? fma(How, M) : nullptr;
  case Opcode::Div:
    return How.IsSaturating ? nullptr : binary<Div, false>(How, M);
  case Opcode::Rcp:
    return unary<Rcp>(How, M);
  case Opcode::Sqrt:
    return unary<Sqrt>(How, M);
  default:
    return nullptr;
  }
}

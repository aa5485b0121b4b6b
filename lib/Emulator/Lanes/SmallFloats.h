//===- SmallFloats.h - Floating-point formats and rounding ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Bit-exact conversion between float or double and the formats of PTX ISA 5.2
// and 9.7.9.22 (cvt), with every rounding. All of it is integer arithmetic
// without branches, so that loops over it become vectors.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_LANES_SMALLFLOATS_H
#define PTXPREDICT_LIB_EMULATOR_LANES_SMALLFLOATS_H

#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace ptxpredict::emulator {

/// How a value between two neighbours of a format becomes one of them. Away is
/// .rna; Stochastic adds random bits to what is dropped and truncates (.rs).
enum class Rounding { Even, Zero, Down, Up, Away, Stochastic };

/// A format with a sign bit, exponent and mantissa from high to low bits.
/// \p Max is the greatest finite magnitude, \p Inf infinity's, \p NotANumber
/// what conversions of NaN give. Formats without infinity or NaN name Max.
template <unsigned Exponent, unsigned Mantissa, uint32_t Max, uint32_t Inf,
          uint32_t NotANumber>
struct FloatFormat {
  static constexpr unsigned ExponentBits = Exponent, MantissaBits = Mantissa;
  static constexpr int Bias = (1 << (Exponent - 1)) - 1;
  static constexpr uint32_t MaxFinite = Max, Infinity = Inf, NaN = NotANumber;
  static constexpr uint32_t Sign = 1u << (Exponent + Mantissa);
};

using F16Format = FloatFormat<5, 10, 0x7bff, 0x7c00, 0x7fff>;
using BF16Format = FloatFormat<8, 7, 0x7f7f, 0x7f80, 0x7fff>;
/// Without the 13 low zeros that a register has below it.
using TF32Format = FloatFormat<8, 10, 0x3fbff, 0x3fc00, 0x3ffff>;
using F32Format = FloatFormat<8, 23, 0x7f7fffff, 0x7f800000, 0x7fffffff>;
using E4M3Format = FloatFormat<4, 3, 0x7e, 0x7e, 0x7f>;
using E5M2Format = FloatFormat<5, 2, 0x7b, 0x7c, 0x7f>;
using E2M3Format = FloatFormat<2, 3, 0x1f, 0x1f, 0x1f>;
using E3M2Format = FloatFormat<3, 2, 0x1f, 0x1f, 0x1f>;
using E2M1Format = FloatFormat<2, 1, 0x7, 0x7, 0x7>;

/// The layout of the host's type.
template <class S>
struct HostLayout;
template <>
struct HostLayout<float> {
  using Word = uint32_t;
  static constexpr unsigned MantissaBits = 23;
  static constexpr int Bias = 127;
};
template <>
struct HostLayout<double> {
  using Word = uint64_t;
  static constexpr unsigned MantissaBits = 52;
  static constexpr int Bias = 1023;
};

/// \p Value, a float or double, in the format \p F. An overflow becomes
/// infinity where the rounding says so, but MaxFinite with \p SatFinite or in
/// a format without infinity. For stochastic rounding \p RandomBits is how
/// many low bits of \p Random there are: they are added at the top of what is
/// dropped.
template <class F, Rounding R, bool SatFinite = false, unsigned RandomBits = 16,
          class S>
inline uint32_t encode(S Value, uint32_t Random = 0) {
  using Host = HostLayout<S>;
  constexpr bool IsStochastic = R == Rounding::Stochastic;
  using Bits = typename Host::Word;
  // Random bits may stand above the mantissa.
  using Word = std::conditional_t<IsStochastic, uint64_t, Bits>;
  using Int = std::make_signed_t<Word>;
  constexpr unsigned M = Host::MantissaBits;
  constexpr unsigned Drop = M - F::MantissaBits;
  constexpr Word HostInfinity = Word(2 * Host::Bias + 1) << M;
  static_assert(M > F::MantissaBits, "encode only narrows");

  Bits Raw = llvm::bit_cast<Bits>(Value);
  bool IsNegative = Raw >> (sizeof(Bits) * 8 - 1);
  Word Magnitude = Raw & (Bits(~Bits(0)) >> 1);
  Word Exponent = Magnitude >> M;
  Word Mantissa = Magnitude & ((Word(1) << M) - 1);
  Mantissa |= Word(Exponent != 0) << M;
  // The exponent that the result would have, biased, and 1 for its subnormals,
  // which drop more bits. No more than that leaves anything but a sticky bit.
  Int Target = Int(std::max<Word>(Exponent, 1)) - (Host::Bias - F::Bias);
  Int Extra = Target < 1 ? 1 - Target : 0;
  Int Most = M + 2 + (IsStochastic ? RandomBits : 0);
  Word Shift = Word(std::min<Int>(Int(Drop) + Extra, Most));
  Word Base = Target < 1 ? 0 : Word(Target - 1) << F::MantissaBits;

  Word AllOnes = (Word(1) << Shift) - 1, Half = Word(1) << (Shift - 1);
  Word Increment = 0;
  if constexpr (R == Rounding::Even)
    Increment = Half - 1 + (Mantissa >> Shift & 1);
  else if constexpr (R == Rounding::Away)
    Increment = Half;
  else if constexpr (R == Rounding::Up)
    Increment = IsNegative ? 0 : AllOnes;
  else if constexpr (R == Rounding::Down)
    Increment = IsNegative ? AllOnes : 0;
  else if constexpr (IsStochastic)
    Increment = Word(Random & ((1u << RandomBits) - 1)) << (Shift - RandomBits);
  Word Result = Base + ((Mantissa + Increment) >> Shift);

  Word Overflow = SatFinite ? F::MaxFinite : F::Infinity;
  if constexpr (!SatFinite && (R == Rounding::Zero || R == Rounding::Up ||
                               R == Rounding::Down)) {
    bool IsTowardsZero =
        R == Rounding::Zero || IsNegative == (R == Rounding::Up);
    Overflow = IsTowardsZero && Magnitude != HostInfinity ? Word(F::MaxFinite)
                                                          : Overflow;
  }
  Result = Result > F::MaxFinite ? Overflow : Result;
  Result |= IsNegative ? F::Sign : 0;
  return uint32_t(Magnitude > HostInfinity ? Word(F::NaN) : Result);
}

/// The value of the low bits of \p Bits, which float holds exactly. NaN is
/// 0x7fffffff, except that the formats with float's exponent keep the bits.
template <class F>
inline float decode(uint32_t Bits) {
  constexpr unsigned Up = 23 - F::MantissaBits;
  uint32_t Sign = (Bits & F::Sign) != 0 ? 0x80000000u : 0;
  uint32_t Magnitude = Bits & (F::Sign - 1);
  if constexpr (F::ExponentBits == 8)
    return llvm::bit_cast<float>(Sign | Magnitude << Up);
  constexpr uint32_t FirstNormal = 1u << F::MantissaBits;
  // An integer of 10 bits at most times a power of two is exact.
  constexpr uint32_t UnitBits =
      uint32_t(127 + 1 - F::Bias - int(F::MantissaBits)) << 23;
  uint32_t Subnormal = llvm::bit_cast<uint32_t>(
      float(int32_t(Magnitude)) * llvm::bit_cast<float>(UnitBits));
  uint32_t Wide = (Magnitude << Up) + (uint32_t(127 - F::Bias) << 23);
  Wide = Magnitude < FirstNormal ? Subnormal : Wide;
  if constexpr (F::Infinity != F::MaxFinite)
    Wide = Magnitude == F::Infinity ? 0x7f800000u : Wide;
  Wide |= Sign;
  if constexpr (F::NaN != F::MaxFinite) {
    constexpr uint32_t LastNumber = std::max(F::MaxFinite, F::Infinity);
    Wide = Magnitude > LastNumber ? 0x7fffffffu : Wide;
  }
  return llvm::bit_cast<float>(Wide);
}

/// A check that templates can use without comparing a value with itself.
inline bool isNaN(float Value) { return Value != Value; }
inline bool isNaN(double Value) { return Value != Value; }

/// \p S with its NaNs as the hardware's only one. Integers are compared: of
/// floats clang takes a choice between a root and a NaN for the root.
inline float canonical(float S) {
  auto Bits = llvm::bit_cast<int32_t>(S);
  return llvm::bit_cast<float>((Bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff
                                                                : Bits);
}

/// \p S with subnormal numbers as zeros of their sign.
inline float flush(float S) {
  uint32_t Bits = llvm::bit_cast<uint32_t>(S);
  return llvm::bit_cast<float>((Bits & 0x7f800000) == 0 ? Bits & 0x80000000
                                                        : Bits);
}

/// \p A + \p B, rounded to odd: a further rounding to a format with at least
/// two bits less gives what a single one would have.
template <class S>
inline S addToOdd(S A, S B) {
  using Word = typename HostLayout<S>::Word;
  S Sum = A + B;
  S Shadow = Sum - A;
  S Error = (A - (Sum - Shadow)) + (B - Shadow);
  Word Bits = llvm::bit_cast<Word>(Sum);
  // False for the NaN that infinite operands give.
  bool IsInexact = Error < 0 || Error > 0;
  bool IsBelow = (Error > 0) == (Sum > 0);
  Word Odd = IsBelow ? Bits + 1 : Bits - 1;
  return llvm::bit_cast<S>(IsInexact && (Bits & 1) == 0 ? Odd : Bits);
}

/// An element of a register of type f16 or bf16.
template <class F>
struct HalfFloat {
  using Format = F;
  uint16_t Bits;

  float widen() const { return decode<F>(Bits); }
  /// Rounds to nearest even.
  template <class S>
  static HalfFloat from(S Value) {
    return {uint16_t(encode<F, Rounding::Even>(Value))};
  }
  HalfFloat flush() const {
    return {uint16_t((Bits & F::Infinity) == 0 ? Bits & F::Sign : Bits)};
  }
  bool isNaN() const { return (Bits & 0x7fff) > F::Infinity; }
};
using Half = HalfFloat<F16Format>;
using BFloat = HalfFloat<BF16Format>;

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_LANES_SMALLFLOATS_H

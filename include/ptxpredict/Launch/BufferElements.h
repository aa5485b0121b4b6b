//===- BufferElements.h - What the elements of a buffer are -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The types of a launch file's buffers, and what `fill` makes of an element
// (docs/formats/LaunchFile.md). One place for what runs a kernel and for what
// analyses it.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LAUNCH_BUFFERELEMENTS_H
#define PTXPREDICT_LAUNCH_BUFFERELEMENTS_H

#include "ptxpredict/Launch/LaunchFile.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <limits>

namespace ptxpredict {

static_assert(llvm::endianness::native == llvm::endianness::little,
              "device memory is the host's memory");

/// A type of launch files. Integer types hold Low <= value < End.
struct ElementType {
  StringRef Name;
  unsigned Bytes;
  bool IsFloat;
  double Low, End;

  /// Whether it has that value; floating-point types round.
  bool holds(double Value) const {
    return IsFloat || (std::isfinite(Value) && std::trunc(Value) == Value &&
                       Value >= Low && Value < End);
  }
};
/// Null for an unknown name.
const ElementType *findElementType(StringRef Name);
/// "unknown type 'u33'; did you mean 'u32'?"
std::string unknownElementType(StringRef Name);

// Conversions of elements, for 16-bit types that the host's language lacks.

/// \p Value as IEEE binary16, rounded once to nearest, ties to even.
uint16_t doubleToHalf(double Value);
/// \p Value as bfloat16, rounded once to nearest, ties to even.
uint16_t doubleToBFloat(double Value);
float halfToFloat(uint16_t Bits);
float bfloatToFloat(uint16_t Bits);

namespace elements {

/// How each element type is stored and converted.
template <typename T>
struct Integer {
  using Stored = T;
  static constexpr bool IsFloat = false;
  static T fromIndex(uint64_t I) { return T(I); }
  /// Rounded downwards, and to the nearest that the type has.
  static T fromDouble(double V) {
    using Limits = std::numeric_limits<T>;
    // The largest value of 64 bits is no double, the one after it is.
    constexpr T Middle = Limits::max() / 2 + 1;
    constexpr double End = double(Middle) * 2;
    V = std::floor(V);
    if (V >= End)
      return Limits::max();
    return V >= double(Limits::min()) ? T(V) : Limits::min();
  }
};

/// \tparam Widen to a type of the host's that has all its values
template <typename T, auto Widen, auto Narrow>
struct Float {
  using Stored = T;
  static constexpr bool IsFloat = true;
  static T fromIndex(uint64_t I) { return Narrow(double(I)); }
  static T fromDouble(double V) { return Narrow(V); }
  static auto widened(T V) { return Widen(V); }
  static bool isNaN(T V) { return std::isnan(Widen(V)); }
};

inline float sameFloat(float V) { return V; }
inline float narrowFloat(double V) { return float(V); }
inline double sameDouble(double V) { return V; }

/// Calls \p F with an object of the class of \p Type's elements. False for an
/// unknown type.
template <typename Function>
bool withType(StringRef Type, Function F) {
  using Half = Float<uint16_t, halfToFloat, doubleToHalf>;
  using BFloat = Float<uint16_t, bfloatToFloat, doubleToBFloat>;
  using Single = Float<float, sameFloat, narrowFloat>;
  using Double = Float<double, sameDouble, sameDouble>;
  if (Type == "u8")
    F(Integer<uint8_t>());
  else if (Type == "s8")
    F(Integer<int8_t>());
  else if (Type == "u16")
    F(Integer<uint16_t>());
  else if (Type == "s16")
    F(Integer<int16_t>());
  else if (Type == "u32")
    F(Integer<uint32_t>());
  else if (Type == "s32")
    F(Integer<int32_t>());
  else if (Type == "u64")
    F(Integer<uint64_t>());
  else if (Type == "s64")
    F(Integer<int64_t>());
  else if (Type == "f16")
    F(Half());
  else if (Type == "bf16")
    F(BFloat());
  else if (Type == "f32")
    F(Single());
  else if (Type == "f64")
    F(Double());
  else
    return false;
  return true;
}

/// The number from 0 up to 1 that decides element \p I of a random buffer.
double randomUnit(uint64_t Seed, uint64_t I);

/// Element \p I of a buffer that is not filled from a file.
template <typename Element>
typename Element::Stored make(const BufferFill &Fill, uint64_t I) {
  switch (Fill.Kind) {
  case BufferFill::KindTy::Zeros:
  case BufferFill::KindTy::File:
    break;
  case BufferFill::KindTy::Iota:
    return Element::fromIndex(I);
  case BufferFill::KindTy::Constant:
    return Element::fromDouble(Fill.Constant);
  case BufferFill::KindTy::Random:
    return Element::fromDouble(Fill.Low + (Fill.High - Fill.Low) *
                                              randomUnit(Fill.Seed, I));
  }
  return typename Element::Stored(0);
}

} // namespace elements
} // namespace ptxpredict

#endif // PTXPREDICT_LAUNCH_BUFFERELEMENTS_H

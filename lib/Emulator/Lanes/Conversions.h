//===- Conversions.h - The families of cvt ----------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_LANES_CONVERSIONS_H
#define PTXPREDICT_LIB_EMULATOR_LANES_CONVERSIONS_H

#include "LaneLoops.h"
#include "SmallFloats.h"
#include <optional>

namespace ptxpredict::emulator {

/// What the modifiers of `cvt` say (PTX ISA 9.7.9.22).
struct Conversion {
  StringRef Dest, Source;     ///< the types: "u8", "bf16x2", …
  std::optional<Rounding> To; ///< .rn, .rz, .rni, …
  bool ToIntegral = false;    ///< To was .rni, .rzi, .rmi or .rpi
  bool Ftz = false, Sat = false, Relu = false, SatFinite = false;
  bool Scaled = false; ///< .scaled::n2::ue8m0

  /// True if neither .relu, .satfinite nor .scaled were given.
  bool isPlain() const { return !Relu && !SatFinite && !Scaled; }
};

/// From integers: to integers and to floating point.
LaneFunction findConversionOfInteger(const Conversion &C);
/// From f16, bf16, f32 and f64 to integers.
LaneFunction findConversionToInteger(const Conversion &C);
/// Between f16, bf16, f32, f64 and tf32.
LaneFunction findConversionOfFloat(const Conversion &C);
/// To and from packed formats. \p NumSources counts elements of vectors.
LaneFunction findPackedConversion(const Conversion &C, unsigned NumSources);

/// F(TypeTag<T>()) for the integer type \p Type; null for others.
template <class Fn>
LaneFunction forAnyInteger(StringRef Type, Fn F) {
  if (Type == "u8")
    return F(TypeTag<uint8_t>());
  if (Type == "s8")
    return F(TypeTag<int8_t>());
  return Type.starts_with("b") ? nullptr : forIntegerType(Type, F);
}

/// F(TypeTag<T>()) for f16, bf16, f32 and f64; null for others.
template <class Fn>
LaneFunction forAnyFloat(StringRef Type, Fn F) {
  if (Type == "f32")
    return F(TypeTag<float>());
  if (Type == "f16")
    return F(TypeTag<Half>());
  if (Type == "f64")
    return F(TypeTag<double>());
  if (Type == "bf16")
    return F(TypeTag<BFloat>());
  return nullptr;
}

template <Rounding R>
using RoundingTag = std::integral_constant<Rounding, R>;

/// F(RoundingTag<To>()) for the four roundings of IEEE 754; null for others.
template <class Fn>
LaneFunction forIEEERounding(Rounding To, Fn F) {
  switch (To) {
  case Rounding::Even:
    return F(RoundingTag<Rounding::Even>());
  case Rounding::Zero:
    return F(RoundingTag<Rounding::Zero>());
  case Rounding::Down:
    return F(RoundingTag<Rounding::Down>());
  case Rounding::Up:
    return F(RoundingTag<Rounding::Up>());
  default:
    return nullptr;
  }
}

/// F(std::true_type()) or F(std::false_type()).
template <class Fn>
LaneFunction forBool(bool Value, Fn F) {
  return Value ? F(std::true_type()) : F(std::false_type());
}

/// To the integer that \p R chooses.
template <Rounding R, class S>
inline S roundToIntegral(S Value) {
  if constexpr (R == Rounding::Even)
    return std::rint(Value);
  else if constexpr (R == Rounding::Zero)
    return std::trunc(Value);
  else if constexpr (R == Rounding::Down)
    return std::floor(Value);
  else
    return std::ceil(Value);
}

/// f16 and bf16 as float, float and double as they are.
template <class S>
inline auto widened(S Value) {
  if constexpr (std::is_floating_point_v<S>)
    return Value;
  else
    return Value.widen();
}

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_LANES_CONVERSIONS_H

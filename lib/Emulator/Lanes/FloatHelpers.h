//===- FloatHelpers.h - Patterns of f32 and f64 -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Tests and changes of bits, in a form that becomes vector instructions.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_LANES_FLOATHELPERS_H
#define PTXPREDICT_LIB_EMULATOR_LANES_FLOATHELPERS_H

#include "SmallFloats.h"
#include "llvm/ADT/bit.h"
#include <cstdint>

namespace ptxpredict::emulator {

template <class T>
struct FloatPattern;
template <>
struct FloatPattern<float> {
  using Bits = uint32_t;
  static constexpr Bits Sign = 0x80000000, Infinity = 0x7f800000,
                        MinNormal = 0x00800000, QuietBit = 0x00400000;
  /// The only NaN that single-precision instructions write (PTX ISA 9.7.3).
  static constexpr Bits NaN = 0x7fffffff;
};
template <>
struct FloatPattern<double> {
  using Bits = uint64_t;
  static constexpr Bits Sign = 0x8000000000000000,
                        Infinity = 0x7ff0000000000000,
                        MinNormal = 0x0010000000000000,
                        QuietBit = 0x0008000000000000;
  /// Of an operation without a NaN among its operands.
  static constexpr Bits NaN = 0x7ff8000000000000;
};

template <class T>
using FloatBits = typename FloatPattern<T>::Bits;

template <class T>
FloatBits<T> bitsOf(T Value) {
  return llvm::bit_cast<FloatBits<T>>(Value);
}
template <class T>
T fromBits(FloatBits<T> Bits) {
  return llvm::bit_cast<T>(Bits);
}
template <class T>
FloatBits<T> magnitudeBits(T Value) {
  return bitsOf(Value) & ~FloatPattern<T>::Sign;
}

template <class T>
bool isNaN(T Value) {
  return __builtin_isnan(Value);
}

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_LANES_FLOATHELPERS_H

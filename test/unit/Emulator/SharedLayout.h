//===- SharedLayout.h - Matrices in shared memory, by the figures -*- C++ -*-=//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The matrices are laid out here by the figures of the PTX ISA ("Shared Memory
// Matrix Layout", "Register Fragments and Shared Memory Matrix Layouts"), with
// other formulas than those that the emulator reads them by.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_EMULATOR_SHAREDLAYOUT_H
#define PTXPREDICT_TEST_UNIT_EMULATOR_SHAREDLAYOUT_H

#include "Emulator/Lanes/SmallFloats.h"
#include "ptxpredict/Support/LLVM.h"

namespace ptxpredict::emulator {

/// How a multiplicand lies in shared memory.
struct Layout {
  unsigned Start = 0;
  unsigned Span = 128; ///< of the swizzle; 0 for none
  bool Transposed = false;
  unsigned Leading = 16, Stride = 1024; ///< bytes

  uint64_t descriptor() const {
    const uint64_t Mode = Span == 128 ? 1 : Span == 64 ? 2 : Span == 32 ? 3 : 0;
    return Start / 16 | uint64_t(Leading / 16) << 16 |
           uint64_t(Stride / 16) << 32 | Mode << 62;
  }

  /// The same for tcgen05.
  uint64_t tensorDescriptor() const {
    const uint64_t Mode = Span == 128 ? 2 : Span == 64 ? 4 : Span == 32 ? 6 : 0;
    return Start / 16 | uint64_t(Leading / 16) << 16 |
           uint64_t(Stride / 16) << 32 | uint64_t(1) << 46 | Mode << 61;
  }

  /// Where byte \p Byte of line \p Line lies: of a row's k, or of a k's row.
  unsigned place(unsigned Line, unsigned Byte) const {
    const unsigned Chunk = Byte / 16, R = Line % 8;
    if (!Span)
      return Start + R * 16 + Byte % 16 +
             (Transposed ? Chunk * Stride + Line / 8 * Leading
                         : Chunk * Leading + Line / 8 * Stride);
    const unsigned PerSpan = Span / 16;
    const unsigned First = Start % Span / 16; // of a step along k
    const unsigned Turn = Span == 128 ? R : Span == 64 ? R / 2 : R / 4;
    return Start / Span * Span + Line / 8 * Stride + R * Span +
           (Chunk / PerSpan) * Leading +
           (((Chunk % PerSpan + First) ^ Turn) * 16) + Byte % 16;
  }
};

template <class F>
uint32_t encodeEven(float Value) {
  return encode<F, Rounding::Even>(Value);
}

/// A type of multiplicands.
struct Format {
  StringRef Name;
  unsigned Bits;
  uint32_t (*Encode)(float);
};
inline const Format F16 = {"f16", 16, encodeEven<F16Format>};
inline const Format BF16 = {"bf16", 16, encodeEven<BF16Format>};
inline const Format TF32 = {"tf32", 32, [](float F) {
                              // Bits that are not looked at.
                              return llvm::bit_cast<uint32_t>(F) | 0x1fff;
                            }};
inline const Format E4M3 = {"e4m3", 8, encodeEven<E4M3Format>};
inline const Format E5M2 = {"e5m2", 8, encodeEven<E5M2Format>};
inline const Format S8 = {"s8", 8,
                          [](float F) { return uint32_t(int32_t(F)) & 255; }};
inline const Format U8 = {"u8", 8, [](float F) { return uint32_t(F); }};

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_TEST_UNIT_EMULATOR_SHAREDLAYOUT_H

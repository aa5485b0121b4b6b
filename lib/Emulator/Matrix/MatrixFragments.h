//===- MatrixFragments.h - Fragments to matrices and back -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Registers of a warp as matrices of float, double or bits. Lane 4g+t of a
// fragment belongs to row g of a block of eight (of B and of nothing else:
// column g), and the four lanes of a row hold neighbouring elements, each as
// many as fill its register (PTX ISA 9.7.14.5, the figures of the fragments).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXFRAGMENTS_H
#define PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXFRAGMENTS_H

#include "MatrixOperations.h"

#include "llvm/ADT/bit.h"

namespace ptxpredict::emulator {

/// The registers of a multiplicand: that of the Block-th eight rows of A
/// (columns of B) and the Chunk-th piece along k.
struct MultiplicandLayout {
  unsigned Blocks = 1, Chunks = 1;
  unsigned BlockStep = 1, ChunkStep = 1;

  unsigned reg(unsigned Block, unsigned Chunk) const {
    return Block * BlockStep + Chunk * ChunkStep;
  }
};

/// Of A, \p Rows x \p K, with rows before k.
MultiplicandLayout layoutOfA(MatrixType Type, unsigned Rows, unsigned K);
/// Of B, \p K x \p Columns, with k before columns.
MultiplicandLayout layoutOfB(MatrixType Type, unsigned K, unsigned Columns);

/// The register of C or D for row 8 * \p Block + g and columns 8 * \p Column +
/// 2t and the next: with 16 bits an element both are in it, else the second is
/// in the next register.
inline unsigned accumulatorRegister(MatrixType Type, unsigned M, unsigned Block,
                                    unsigned Column) {
  unsigned Register = Column * (M / 8) + Block;
  return Type == MatrixType::F16 ? Register : 2 * Register;
}

/// A multiplicand as it is packed: 32-bit words, row by row of A, column by
/// column of B.
void gatherWords(const void *const *Registers, const MultiplicandLayout &Layout,
                 uint32_t *Words);
void gatherDoubles(const void *const *Registers,
                   const MultiplicandLayout &Layout, double *Elements);

/// The values of the elements packed in \p Words. Exact; integers too.
void widen(MatrixType Type, const uint32_t *Words, unsigned NumWords,
           float *Elements);

/// C or D, row by row: float of f16 and f32, int32_t of s32, double of f64.
template <typename T>
void gatherAccumulator(MatrixType Type, const void *const *Registers,
                       unsigned M, unsigned N, T *Elements);
/// Writes D; registers that are null are left out.
template <typename T>
void scatterAccumulator(MatrixType Type, void *const *Registers, unsigned M,
                        unsigned N, const T *Elements);

// Inline, since a loop over elements is to be vectorised.

inline float halfToFloat(uint32_t Bits) {
  uint32_t Magnitude = Bits & 0x7fff, Sign = (Bits & 0x8000) << 16;
  uint32_t Subnormal = llvm::bit_cast<uint32_t>(
      static_cast<float>(static_cast<int32_t>(Magnitude)) * 0x1p-24f);
  uint32_t Normal =
      (Magnitude << 13) + (Magnitude < 0x7c00 ? 0x38000000 : 0x70000000);
  return llvm::bit_cast<float>(Sign | (Magnitude < 0x400 ? Subnormal : Normal));
}

/// To nearest even; a NaN is 0x7fff.
inline uint32_t floatToHalf(float Value) {
  uint32_t Bits = llvm::bit_cast<uint32_t>(Value);
  uint32_t Sign = Bits >> 16 & 0x8000, Magnitude = Bits & 0x7fffffff;
  if (Magnitude > 0x7f800000)
    return 0x7fff;
  // The unit in the last place of 0.5f is that of f16's subnormal numbers, so
  // that the addition rounds to it.
  if (Magnitude < 0x38800000)
    return Sign |
           (llvm::bit_cast<uint32_t>(llvm::bit_cast<float>(Magnitude) + 0.5f) -
            0x3f000000);
  if (Magnitude >= 0x477ff000) // 65520, halfway to 2^16
    return Sign | 0x7c00;
  uint32_t Rounded = Magnitude - 0x38000000;
  Rounded += 0xfff + (Rounded >> 13 & 1);
  return Sign | Rounded >> 13;
}

/// A NaN is 0x7fffffff.
inline uint32_t floatBits(float Value) {
  return Value != Value ? 0x7fffffff : llvm::bit_cast<uint32_t>(Value);
}

/// The scale of .ue8m0 or .ue4m3.
float scaleValue(uint32_t Byte, bool E4M3);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXFRAGMENTS_H

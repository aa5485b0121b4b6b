//===- MatrixFragments.h - Fragments to matrices and back -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Registers of a warp as matrices of float, double or bits. Lane 4g+t of a
// fragment belongs to row g of a block of eight (of B and of nothing else:
// column g), and the four lanes of a row hold neighbouring elements, each as
// many as fill its register (PTX ISA 9.7.14.5, the figures of the fragments).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MATRIXFRAGMENTS_H
#define PTXPREDICT_LIB_EMULATOR_MATRIXFRAGMENTS_H

#include "MatrixOperations.h"

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

float halfToFloat(uint32_t Bits);
/// To nearest even; a NaN is 0x7fff.
uint32_t floatToHalf(float Value);
/// A NaN is 0x7fffffff.
uint32_t floatBits(float Value);
/// The scale of .ue8m0 or .ue4m3.
float scaleValue(uint32_t Byte, bool E4M3);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MATRIXFRAGMENTS_H

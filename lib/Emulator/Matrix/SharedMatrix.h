//===- SharedMatrix.h - Matrices that a descriptor names --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Multiplicands in shared memory, of wgmma and tcgen05 (PTX ISA, "Shared Memory
// Matrix Layout", "Strides", "Matrix Descriptor Format"; the canonical layouts
// as in CUTLASS, mma_sm90_desc.hpp).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MATRIX_SHAREDMATRIX_H
#define PTXPREDICT_LIB_EMULATOR_MATRIX_SHAREDMATRIX_H

#include "MatrixOperations.h"

namespace ptxpredict::emulator {

/// Which bytes of shared memory a matrix takes. Its smallest pieces are units
/// of 16 bytes: of neighbours along k, or with IsTransposed along the other
/// dimension (m of A, n of B).
struct SharedMatrix {
  uint64_t Start = 0;        ///< address, without the block's rank
  uint64_t Leading = 0;      ///< bytes: the leading dimension's offset
  uint64_t Stride = 0;       ///< bytes: the stride dimension's offset
  unsigned Swizzle = 0;      ///< 0, 32, 64 or 128 bytes
  unsigned BaseOffset = 0;   ///< lines of 128 bytes
  bool IsTransposed = false; ///< M-major or N-major

  /// The address of 16 bytes: of the \p Unit-th unit of row \p Row of A (column
  /// of B), or with IsTransposed of the \p Unit-th unit of the \p Row-th row
  /// along k.
  uint64_t unitAddress(uint64_t Row, uint64_t Unit) const;
  /// How many rows and units unitAddress takes, for \p Rows x \p K elements.
  std::pair<unsigned, unsigned> units(unsigned Rows, unsigned K,
                                      unsigned Bits) const {
    return IsTransposed ? std::pair(K, Rows * Bits / 128)
                        : std::pair(Rows, K * Bits / 128);
  }
};

/// Those of a matrix descriptor of wgmma that must be zero.
constexpr uint64_t WgmmaReservedBits = 0x3ff1c000c000c000;
/// A matrix descriptor of wgmma. Nothing for bits that must be zero.
std::optional<SharedMatrix> wgmmaMatrix(uint64_t Descriptor);

/// Shared memory of one block.
struct SharedBytes {
  const uint8_t *Data = nullptr;
  uint64_t Size = 0;
};

/// Reads a matrix of \p Rows (m or n) x \p K elements as floats, row by row.
/// The address of the first 16 bytes that are not there, if so.
std::optional<uint64_t> readMatrix(const SharedMatrix &M,
                                   const SharedBytes &From, MatrixType Type,
                                   unsigned Rows, unsigned K, float *Elements);

/// The same for words of bits: K / 32 of each row. Never transposed.
std::optional<uint64_t> readWords(const SharedMatrix &M,
                                  const SharedBytes &From, unsigned Rows,
                                  unsigned WordsPerRow, uint32_t *Words);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MATRIX_SHAREDMATRIX_H

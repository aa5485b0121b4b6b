//===- MatrixKernels.h - Multiplications of a warp --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXKERNELS_H
#define PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXKERNELS_H

#include "MatrixOperations.h"

namespace ptxpredict::emulator {

// Each is a MatrixOperation::Function.

/// Everything whose products are exact in float: f16, bf16, tf32, eight bits
/// and less, dense, N being 8, 16 or 32.
void multiplyDense(const MatrixOperation &Op, const MatrixArguments &Args);
/// mma.sp, and whatever has scales.
void multiplySparseOrScaled(const MatrixOperation &Op,
                            const MatrixArguments &Args);
void multiplyDouble(const MatrixOperation &Op, const MatrixArguments &Args);
/// b1.
void multiplyBits(const MatrixOperation &Op, const MatrixArguments &Args);
/// mma.m8n8k4 of f16: four products, each of eight lanes.
void multiplyQuadPairs(const MatrixOperation &Op, const MatrixArguments &Args);
/// movmatrix.
void transpose(const MatrixOperation &Op, const MatrixArguments &Args);

// What they share with products of larger matrices.

struct ProductShape {
  unsigned M, N, K;
};

/// Adds to the sums (M x N) the products of A (M x K) and B (K x N), all row by
/// row, in the order of k. M is even, N a multiple of eight.
void addProducts(const float *A, const float *B, float *Sums,
                 const ProductShape &Shape);
/// The same where A is M x K/2 and \p Columns has the k of each element.
void addSparseProducts(const float *A, const uint8_t *Columns, const float *B,
                       float *Sums, const ProductShape &Shape);
/// Numbers of common bits, with \p Xor of different ones. A by rows, B by
/// columns.
void addBitProducts(const uint32_t *A, const uint32_t *B, int32_t *Sums,
                    const ProductShape &Shape, bool Xor = false);

/// Metadata of a sparse A, as lanes of a warp hold it.
struct SparseLayout {
  MatrixType Type;
  unsigned M, K;
  unsigned Selector; ///< of the lanes that hold it
};
/// The k of each of A's elements.
void readMetadata(const SparseLayout &Layout, const uint32_t *Metadata,
                  uint8_t *Columns);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXKERNELS_H

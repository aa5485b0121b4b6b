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

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXKERNELS_H

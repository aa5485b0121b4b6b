//===- MatrixForms.h - Modifiers of matrix instructions ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXFORMS_H
#define PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXFORMS_H

#include "MatrixOperations.h"

namespace ptxpredict::emulator {

struct MatrixShape {
  unsigned M = 0, N = 0, K = 0; ///< K is 0 where none is written

  bool operator==(const MatrixShape &Other) const {
    return M == Other.M && N == Other.N && K == Other.K;
  }
};

/// "m16n8k16" or "m8n8".
std::optional<MatrixShape> parseMatrixShape(StringRef Part);
/// "f16", "e2m1" (which is E2M1, never packed) …
std::optional<MatrixType> parseMatrixType(StringRef Part);

/// Whether D and C may have these types with multiplicands of type \p A.
bool accumulates(MatrixType D, MatrixType C, MatrixType A);
/// Whether wmma has the shape for multiplicands of type \p A.
bool isWmmaForm(MatrixType A, const MatrixShape &Shape);

/// The registers of a matrix of so many elements, each held once.
MatrixFragment fragmentOf(MatrixType Type, unsigned Elements);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXFORMS_H

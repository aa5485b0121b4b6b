//===- MatrixProducts.h - What a kernel's matrices multiply -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_PROFILE_MATRIXPRODUCTS_H
#define PTXPREDICT_ANALYSIS_PROFILE_MATRIXPRODUCTS_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "ptxpredict/Codegen/MatrixProduct.h"

namespace ptxpredict {

/// A matrix instruction at a launch, wherever it is called from.
struct LaunchedProduct : MatrixProduct {
  /// Of an assumed one: the parameter that its descriptor is made of; empty if
  /// there is none.
  std::string Parameter;
};

using MatrixProducts = llvm::DenseMap<const Instruction *, LaunchedProduct>;

/// The matrix instructions of the kernel that \p V is of and of what it calls.
/// Cost is linear in the code.
MatrixProducts findMatrixProducts(const SymbolicValues &V);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_PROFILE_MATRIXPRODUCTS_H

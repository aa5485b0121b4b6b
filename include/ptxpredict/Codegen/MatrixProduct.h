//===- MatrixProduct.h - What a matrix instruction multiplies ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_MATRIXPRODUCT_H
#define PTXPREDICT_CODEGEN_MATRIXPRODUCT_H

#include "ptxpredict/Graph/Instruction.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include "ptxpredict/Support/Estimate.h"
#include <optional>
#include <string>

namespace ptxpredict {

/// The bits of an instruction descriptor that are known.
struct DescriptorBits {
  uint32_t Zeros = 0, Ones = 0;

  static DescriptorBits of(uint32_t Number) { return {~Number, Number}; }
};

/// Types and shape of one wmma.mma, mma, wgmma.mma_async or tcgen05.mma (PTX
/// ISA 9.7.14 to 9.7.16).
struct MatrixProduct {
  StringRef A, B, D; ///< types as PTX writes them: "bf16"
  /// Of a multiplication with scales for blocks of elements: "mxf4".
  StringRef Scaling;
  unsigned M = 0, N = 0, K = 0; ///< of a sparse one as if it were dense
  bool IsSparse = false;
  unsigned Times = 1; ///< m8n8k4 of halves: one for each quarter of the warp
  unsigned Warps = 1; ///< that execute it together
  unsigned SMs = 1;   ///< that multiply together
  /// One thread starts it, for its block or pair of blocks.
  bool IsOfThread = false;
  /// Of A and B that one instruction reads from shared memory; of several SMs
  /// together. What registers or tensor memory hold is not among them.
  unsigned SharedBytes = 0;
  /// Multiply-adds for each execution by a warp: M * N * K, by Times and Warps.
  Estimate MACs;
  /// The descriptor leaves a type or an extent open: they are the usual ones.
  bool IsAssumed = false;
  /// There is no such type or shape as the descriptor says: likewise.
  bool IsWrong = false;

  /// Of a warp that execute it together.
  unsigned lanes() const { return IsOfThread ? 1 : WarpSize; }
  /// "bf16-f32", "u8xs8-s32", "e2m1-f32-mxf4", "f16-f32-sparse": the type of A,
  /// that of B if it is another one, that of the sum, scaling, sparsity.
  std::string type() const;
  std::string shape() const; ///< "m128n256k16"
};

/// Nothing for another instruction, or where no shape is written. \p Bits is
/// what is known of \ref instructionDescriptorOf.
std::optional<MatrixProduct> findMatrixProduct(const Instruction &I,
                                               DescriptorBits Bits = {});

/// The instruction descriptor among the operands of tcgen05.mma; null if there
/// is none.
const Operand *instructionDescriptorOf(const Instruction &I);

} // namespace ptxpredict

#endif // PTXPREDICT_CODEGEN_MATRIXPRODUCT_H

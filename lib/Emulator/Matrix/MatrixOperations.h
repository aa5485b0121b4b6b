//===- MatrixOperations.h - Matrix instructions of a warp -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// mma, mma.sp, wmma.mma and movmatrix as functions over the registers of a warp
// (PTX ISA 9.7.14.4 to 9.7.14.6).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXOPERATIONS_H
#define PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXOPERATIONS_H

#include "ptxpredict/ISA/PTXOpcode.h"

#include <optional>

namespace ptxpredict::emulator {

/// The type of a matrix's elements. Those of six bits are in the low ones of
/// eight.
enum class MatrixType : uint8_t {
  F16,
  BF16,
  TF32,
  F32,
  F64,
  E4M3,
  E5M2,
  E3M2,
  E2M3,
  E2M1,       ///< in the middle of eight bits
  PackedE2M1, ///< eight in a register: .kind::mxf4 and mxf4nvf4
  S8,
  U8,
  S4,
  U4,
  B1,
  S32
};

/// Bits of an element where it lies packed, in memory and registers.
unsigned bitsOf(MatrixType Type);

/// The registers that hold a warp's fragment of one matrix.
struct MatrixFragment {
  MatrixType Type = MatrixType::F16;
  unsigned NumRegisters = 0;
  unsigned RegisterBytes = 4; ///< of a lane: 8 for f64, else 4
};

/// The operands of a multiplication: each register is a `uint32_t[32]`, or a
/// `uint64_t[32]` for f64, as LaneOperation.h says. No Dest overlaps a source
/// or another Dest.
struct MatrixArguments {
  static constexpr unsigned MaxRegisters = 8;
  void *Dest[MaxRegisters] = {}; ///< null for `_`
  const void *A[MaxRegisters] = {}, *B[MaxRegisters] = {};
  const void *C[MaxRegisters] = {};

  // Of mma.sp: the operands e and f.
  const uint32_t *Metadata = nullptr; ///< uint32_t[32]
  unsigned Selector = 0;

  // Of .block_scale: the data, then what the pair after it selects.
  const uint32_t *ScaleA = nullptr, *ScaleB = nullptr; ///< uint32_t[32]
  unsigned ByteA = 0, ThreadA = 0, ByteB = 0, ThreadB = 0;
};

/// One form of mma, mma.sp, wmma.mma or movmatrix.
///
/// The order of the sums and the rounding between them are not defined by PTX
/// and differ between devices. Here the sum starts with the element of C and
/// takes the products in the order of k. A product of anything narrower than
/// f64 is exact before it is added and rounded to f32 (of bf16, tf32 and scaled
/// elements unless it leaves the range of f32); one rounding to f16 follows
/// where D is f16. A step in f64 is one fused multiply-add with the rounding of
/// the instruction. A NaN in f32 or f16 is the device's canonical one. tf32
/// loses the 13 lowest bits of its register. Integers wrap, or saturate once
/// at the end with .satfinite.
struct MatrixOperation {
  unsigned M = 0, N = 0, K = 0;
  MatrixFragment D, A, B, C;
  bool ColumnA = false, ColumnB = false; ///< .col, which matters to m8n8k4.f16
  bool Wmma = false;        ///< the fragments are those of WmmaFragment
  bool Sparse = false;      ///< takes Metadata and Selector
  bool Saturate = false;    ///< .satfinite
  bool Xor = false;         ///< b1: .xor.popc, else .and.popc
  unsigned ScaleBlocks = 0; ///< .scale_vec: 1, 2 or 4; 0 without .block_scale
  bool ScaleE4M3 = false;   ///< scales are ue4m3, else ue8m0
  int Rounding = 0;         ///< f64: as <cfenv> has it
  void (*Function)(const MatrixOperation &, const MatrixArguments &) = nullptr;

  /// Multiply-adds of a warp, those with the zeros of a sparse A too; none of
  /// movmatrix. m8n8k4 of halves is a product for each quarter of the warp.
  unsigned products() const {
    const bool IsByQuarters = M == 8 && K == 4 && A.Type == MatrixType::F16;
    return B.NumRegisters ? M * N * K * (IsByQuarters ? 4 : 1) : 0;
  }

  /// All lanes take part: the warp must be converged.
  void run(const MatrixArguments &Arguments) const {
    Function(*this, Arguments);
  }
};

/// The form that \p Modifiers name; none for another instruction or for a form
/// that PTX does not have. movmatrix has one register in D and A, no B, no C.
std::optional<MatrixOperation> findMatrixOperation(ptx::Opcode Op,
                                                   StringRef Modifiers);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXOPERATIONS_H

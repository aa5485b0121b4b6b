//===- WarpgroupMatrices.h - wgmma.mma_async --------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MATRIX_WARPGROUPMATRICES_H
#define PTXPREDICT_LIB_EMULATOR_MATRIX_WARPGROUPMATRICES_H

#include "SharedMatrix.h"

namespace ptxpredict::emulator {

/// The registers of one warp for a wgmma.mma_async; each is a `uint32_t[32]`.
struct WarpgroupArguments {
  static constexpr unsigned MaxAccumulators = 128;
  const void *A[4] = {};              ///< without a descriptor
  const uint32_t *Metadata = nullptr; ///< of .sp
  /// C and D, which no other register overlaps.
  void *D[MaxAccumulators] = {};
};

/// One form of wgmma.mma_async (PTX ISA, "Asynchronous Warpgroup Level Matrix
/// Multiply-Accumulate Instructions"). Warp w of the group has rows 16w to
/// 16w + 15 of D and, where it is in registers, of A; the fragments are those
/// of mma with as many columns. Sums and roundings are as MatrixOperation says.
struct WarpgroupOperation {
  static constexpr unsigned WarpRows = 16;

  unsigned N = 0, K = 0;
  MatrixType D = MatrixType::F32, A = MatrixType::F16, B = MatrixType::F16;
  bool Sparse = false; ///< takes Metadata
  bool AInRegisters = false;
  bool Saturate = false;
  bool NegatesA = false, NegatesB = false;
  bool TransposesA = false, TransposesB = false;
  unsigned Selector = 0; ///< of the lanes with the metadata

  unsigned widthOfA() const { return Sparse ? K / 2 : K; }
  /// Multiply-adds of the four warps, those with the zeros of a sparse A too.
  unsigned products() const { return 4 * WarpRows * N * K; }
  unsigned numAccumulators() const {
    return D == MatrixType::F16 ? N / 4 : N / 2;
  }

  /// B as all four warps read it.
  struct Multiplicand {
    std::vector<float> Elements; ///< K x N, row by row
    std::vector<uint32_t> Words; ///< of b1: column by column
  };
  /// Reads B. The address of what is not there, if so.
  std::optional<uint64_t> readB(const SharedMatrix &M, const SharedBytes &From,
                                Multiplicand &Out) const;
  /// Reads all 64 rows of A, or takes those of one warp from its registers.
  std::optional<uint64_t> readA(const SharedMatrix &M, const SharedBytes &From,
                                Multiplicand &Out) const;
  void takeA(const WarpgroupArguments &Args, Multiplicand &Out) const;

  /// D = A * B + D, or without \p Accumulates D = A * B, for one warp, whose
  /// rows of \p A begin with \p FirstRow.
  void multiply(const Multiplicand &A, unsigned FirstRow, const Multiplicand &B,
                const WarpgroupArguments &Args, bool Accumulates) const;
};

/// What the immediates behind the predicate say.
struct WarpgroupImmediates {
  ArrayRef<int64_t> Values; ///< scales of A and B, then transpositions
  bool AInRegisters = false;
  unsigned Selector = 0;
};

/// The form that modifiers and immediates name; none that PTX does not have.
std::optional<WarpgroupOperation>
findWarpgroupOperation(ptx::Opcode Op, StringRef Modifiers,
                       const WarpgroupImmediates &Immediates);
/// Why there is no form with the types and the shape that the modifiers say;
/// empty where nothing speaks against it.
std::string whyNoWarpgroupForm(ptx::Opcode Op, StringRef Modifiers);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MATRIX_WARPGROUPMATRICES_H

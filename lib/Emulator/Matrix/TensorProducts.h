//===- TensorProducts.h - tcgen05.mma ---------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MATRIX_TENSORPRODUCTS_H
#define PTXPREDICT_LIB_EMULATOR_MATRIX_TENSORPRODUCTS_H

#include "SharedMatrix.h"
#include "TensorMemory.h"

namespace ptxpredict::emulator {

/// `.kind::…` of tcgen05.mma.
enum class TensorKind : uint8_t {
  F16,
  TF32,
  F8F6F4,
  I8,
  MXF8F6F4,
  MXF4,
  MXF4NVF4
};
std::optional<TensorKind> findTensorKind(StringRef Modifiers);

/// Where the elements of D lie (PTX ISA, "Data Path Layout Organization").
enum class TensorLayout : uint8_t {
  Rows,      ///< a lane for each row (A and D)
  Scattered, ///< of each 32 lanes the first 16 (C and F)
  Halves,    ///< the right half of the columns in the upper 64 lanes (B and E)
  Quarters   ///< a quarter of the columns in 32 lanes each (G)
};

/// One form of tcgen05.mma: an instruction descriptor with what the
/// instruction says (PTX ISA, "Instruction Descriptor").
struct TensorProduct {
  TensorKind Kind = TensorKind::F16;
  unsigned NumBlocks = 1;    ///< .cta_group
  bool IsStationary = false; ///< .ws
  bool IsSparse = false;     ///< half of A is zeros, which are not there
  unsigned M = 0, N = 0, K = 0;
  MatrixType D = MatrixType::F32, A = MatrixType::F16, B = MatrixType::F16;
  bool NegatesA = false, NegatesB = false, Saturates = false;
  bool TransposesA = false, TransposesB = false;
  unsigned ScaleBlocks = 0; ///< scales along k; 0 without
  bool ScaleE4M3 = false;
  unsigned ScaleByteA = 0, ScaleByteB = 0; ///< the first within a column

  /// Elements of a row of A that are there.
  unsigned widthOfA() const { return IsSparse ? K / 2 : K; }
  /// Of a sparse A: columns of tensor memory with the metadata.
  unsigned columnsOfMetadata() const { return bitsOf(A) >= 16 ? 1 : 2; }
  /// Multiply-adds of all blocks, those with zeros of a sparse A too.
  unsigned products() const { return M * N * K; }
  /// Rows of a block of the pair.
  unsigned rows() const { return M / NumBlocks; }
  TensorLayout layout() const;
  /// Columns of tensor memory that D takes.
  unsigned columnsOfD() const;
  /// Columns of tensor memory that a row of A takes.
  unsigned columnsOfA() const { return widthOfA() * bitsOf(A) / 32; }
  /// The cell of an element of D, from where its address says.
  TensorMove::Cell cellOfD(unsigned Row, unsigned Column) const;
  /// The lane of a row of A in tensor memory.
  unsigned laneOfA(unsigned Row) const {
    return layout() == TensorLayout::Scattered ? Row / 16 * 32 + Row % 16 : Row;
  }
};

/// What the modifiers say beside the descriptor.
struct TensorForm {
  TensorKind Kind;
  unsigned NumBlocks;
  bool IsStationary;
  unsigned ScaleBlocks;  ///< of .scale_vec or .block32 and the like; 0: default
  bool IsSparse = false; ///< .sp
};

/// The form, or in \p Why what is wrong with the descriptor.
std::optional<TensorProduct> findTensorProduct(const TensorForm &Form,
                                               uint32_t Descriptor,
                                               std::string &Why);

/// A descriptor of a matrix in shared memory (PTX ISA, "Shared Memory
/// Descriptor"). Nothing where its bits are wrong or not covered.
std::optional<SharedMatrix> tcgen05Matrix(uint64_t Descriptor);

/// Spreads 16 elements of four or six bits over 16 bytes, as they lie in tensor
/// memory.
void spreadElements(MatrixType Type, const uint8_t *From, uint8_t *To);

/// Reads rows of a multiplicand from shared memory, whose elements of four and
/// six bits, but for those of .kind::mxf4, take units of 16 bytes for each 16.
std::optional<uint64_t> readTensorMatrix(const SharedMatrix &M,
                                         const SharedBytes &From,
                                         MatrixType Type, unsigned Rows,
                                         unsigned K, float *Elements);

/// The factors of a multiplicand: ScaleBlocks for each row.
using TensorScales = std::vector<float>;

/// Where the metadata of a sparse A lies: of a chunk of a row four bits, from
/// \p Shift of a column on. Chunks have two (tf32) or else four elements.
///
/// Elements of 16 and 32 bits: as of mma.sp, lane 16 * (row / 16) + row % 8 has
/// four chunks of that row below four of the row eight behind it, and the lane
/// eight behind that one the next four chunks of both. Smaller ones: the row's
/// lane has eight chunks in each of two columns. (The ISA has figures only;
/// CUTLASS, mma_traits_sm100.hpp, tmem_e_frg, has these layouts for M = 128.)
struct MetadataPlace {
  unsigned Lane, Column, Shift;
};
MetadataPlace findMetadata(const TensorProduct &P, unsigned Row,
                           unsigned Chunk);
/// The k of the elements that a chunk's four bits keep: one of tf32, else two.
std::array<uint8_t, 2> keptColumns(const TensorProduct &P, unsigned Chunk,
                                   unsigned Bits);

/// The parts of a product. \p A is rows() x widthOfA(), B is N x K.
struct TensorFactors {
  const float *A, *B;
  TensorScales ScalesA, ScalesB;
  std::vector<uint8_t> Columns; ///< of a sparse A: the k of each element
};

/// Adds to \p Sums (rows() x N) the products, in the order of k. Sums of
/// integers are exact.
void addTensorProducts(const TensorProduct &P, const TensorFactors &F,
                       float *Sums);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MATRIX_TENSORPRODUCTS_H

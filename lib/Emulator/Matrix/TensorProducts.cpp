//===- TensorProducts.cpp - tcgen05.mma -----------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TensorProducts.h"
#include "MatrixFragments.h"
#include "MatrixKernels.h"
#include "ptxpredict/ISA/TensorShapes.h"

#include <cstring>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::hasModifier;

std::optional<TensorKind> emulator::findTensorKind(StringRef Modifiers) {
  static constexpr std::pair<StringRef, TensorKind> Kinds[] = {
      {"kind::f16", TensorKind::F16},
      {"kind::tf32", TensorKind::TF32},
      {"kind::f8f6f4", TensorKind::F8F6F4},
      {"kind::i8", TensorKind::I8},
      {"kind::mxf8f6f4", TensorKind::MXF8F6F4},
      {"kind::mxf4", TensorKind::MXF4},
      {"kind::mxf4nvf4", TensorKind::MXF4NVF4}};
  for (auto [Name, Kind] : Kinds)
    if (hasModifier(Modifiers, Name))
      return Kind;
  return std::nullopt;
}

TensorLayout TensorProduct::layout() const {
  if (NumBlocks == 2)
    return M == 128 ? TensorLayout::Halves : TensorLayout::Rows;
  if (M == 128)
    return TensorLayout::Rows;
  if (!IsStationary)
    return TensorLayout::Scattered;
  return M == 64 ? TensorLayout::Halves : TensorLayout::Quarters;
}

unsigned TensorProduct::columnsOfD() const {
  switch (layout()) {
  case TensorLayout::Halves:
    return N / 2;
  case TensorLayout::Quarters:
    return N / 4;
  default:
    return N;
  }
}

TensorMove::Cell TensorProduct::cellOfD(unsigned Row, unsigned Column) const {
  switch (layout()) {
  case TensorLayout::Scattered:
    return {Row / 16 * 32 + Row % 16, Column};
  case TensorLayout::Halves:
    return {Row + Column / (N / 2) * 64, Column % (N / 2)};
  case TensorLayout::Quarters:
    return {Row + Column / (N / 4) * 32, Column % (N / 4)};
  case TensorLayout::Rows:
    break;
  }
  return {Row, Column};
}

/// The type of a multiplicand by its field of the descriptor.
static std::optional<MatrixType> multiplicandType(TensorKind Kind,
                                                  unsigned Field) {
  switch (Kind) {
  case TensorKind::F16:
    return Field == 0   ? std::optional(MatrixType::F16)
           : Field == 1 ? std::optional(MatrixType::BF16)
                        : std::nullopt;
  case TensorKind::TF32:
    return Field == 2 ? std::optional(MatrixType::TF32) : std::nullopt;
  case TensorKind::I8:
    return Field == 0   ? std::optional(MatrixType::U8)
           : Field == 1 ? std::optional(MatrixType::S8)
                        : std::nullopt;
  case TensorKind::MXF4:
  case TensorKind::MXF4NVF4:
    return Field == 1 ? std::optional(MatrixType::PackedE2M1) : std::nullopt;
  case TensorKind::F8F6F4:
  case TensorKind::MXF8F6F4:
    break;
  }
  static constexpr std::optional<MatrixType> Types[] = {
      MatrixType::E4M3, MatrixType::E5M2, std::nullopt, MatrixType::E2M3,
      MatrixType::E3M2, MatrixType::E2M1, std::nullopt, std::nullopt};
  return Types[Field];
}

std::optional<TensorProduct> emulator::findTensorProduct(const TensorForm &Form,
                                                         uint32_t Descriptor,
                                                         std::string &Why) {
  auto Field = [&](unsigned Low, unsigned Count) {
    return Descriptor >> Low & ((1u << Count) - 1);
  };
  auto Fail = [&](const Twine &Text) {
    Why = ("0x" + Twine::utohexstr(Descriptor) +
           " as instruction descriptor: " + Text)
              .str();
    return std::nullopt;
  };
  TensorProduct P;
  P.Kind = Form.Kind;
  P.NumBlocks = Form.NumBlocks;
  P.IsStationary = Form.IsStationary;
  const bool Scaled = P.Kind >= TensorKind::MXF8F6F4;
  const bool Packed = P.Kind > TensorKind::MXF8F6F4;
  // Bit 3 saturates integers; what else is reserved (PTX ISA, "Instruction
  // Descriptor").
  const uint32_t Reserved = (Scaled                     ? 0x48
                             : P.Kind == TensorKind::I8 ? 0x20800040
                                                        : 0x20800048) |
                            (Packed ? 0x1000 : 0) |
                            (P.Kind == TensorKind::MXF8F6F4 ? 1u << 31 : 0);
  if (uint32_t Set = Descriptor & Reserved)
    return Fail("bit " + Twine(llvm::countr_zero(Set)) +
                " is reserved and must be 0");
  P.IsSparse = Form.IsSparse;
  if (Field(2, 1) != P.IsSparse)
    return Fail(P.IsSparse
                    ? "the instruction says that A is sparse, its bit 2 not"
                    : "its bit 2 says that A is sparse, the instruction not");
  std::optional<MatrixType> A = multiplicandType(P.Kind, Field(7, 3)),
                            B = multiplicandType(P.Kind, Field(10, 3 - Packed));
  if (!A || !B)
    return Fail("the kind has no such type of A or B");
  P.A = *A, P.B = *B;
  P.M = Field(24, 5) * 16, P.N = Field(17, 6) * 8;
  // Rows of 32 bytes; four and six bits take eight, but for packed ones.
  P.K = (Packed ? 64 : 256 / bitsOf(P.A)) * (P.IsSparse ? 2 : 1);
  P.NegatesA = Field(13, 1), P.NegatesB = Field(14, 1);
  P.TransposesA = Field(15, 1), P.TransposesB = Field(16, 1);
  if (Scaled) {
    if (Packed && Field(31, 1))
      return Fail("K of 96 is not covered by the emulator");
    P.ScaleE4M3 = !Field(23, 1);
    P.ScaleBlocks = Form.ScaleBlocks                 ? Form.ScaleBlocks
                    : P.Kind == TensorKind::MXF8F6F4 ? 1
                    : P.Kind == TensorKind::MXF4     ? 2
                                                     : 4;
    P.ScaleByteA = Field(29, 2), P.ScaleByteB = Field(4, 2);
    if (P.ScaleE4M3 && P.Kind != TensorKind::MXF4NVF4)
      return Fail("the kind's scales are ue8m0");
  } else {
    static constexpr MatrixType Accumulators[] = {
        MatrixType::F16, MatrixType::F32, MatrixType::S32, MatrixType::F64};
    P.D = Accumulators[Field(4, 2)];
    const bool IsInteger = P.Kind == TensorKind::I8;
    if ((P.D == MatrixType::S32) != IsInteger || P.D == MatrixType::F64 ||
        (P.D == MatrixType::F16 && P.Kind == TensorKind::TF32))
      return Fail("the kind has no such type of D");
    P.Saturates = Field(3, 1);
    if (IsInteger && (P.NegatesA || P.NegatesB))
      return Fail("integers are not negated");
  }
  if (bitsOf(P.A) < 8 && (P.TransposesA || P.TransposesB))
    return Fail("elements of four bits are not transposed");
  if (P.IsSparse && (Scaled || Field(0, 2) || P.rows() != TensorMemory::Lanes))
    return Fail("of a sparse A, scales, a selector of metadata and blocks with "
                "fewer than 128 rows are not covered by the emulator");
  if (!hasTensorShape({P.M, P.N, P.NumBlocks, P.IsStationary, Scaled,
                       P.Kind == TensorKind::I8}))
    return Fail("the instruction has no shape of M = " + Twine(P.M) +
                " and N = " + Twine(P.N));
  return P;
}

std::optional<SharedMatrix> emulator::tcgen05Matrix(uint64_t Descriptor) {
  constexpr uint64_t Field = 0x3fff;
  SharedMatrix M;
  M.Start = (Descriptor & Field) * 16;
  M.Leading = (Descriptor >> 16 & Field) * 16;
  M.Stride = (Descriptor >> 32 & Field) * 16;
  M.BaseOffset = unsigned(Descriptor >> 49 & 7);
  // Bits 46 to 48 are 0b001, 53 to 60 zero.
  if ((Descriptor >> 46 & 7) != 1 || (Descriptor >> 52 & 1) ||
      (Descriptor >> 53 & 0xff) || (Descriptor & 0xc000c000))
    return std::nullopt;
  switch (Descriptor >> 61) {
  case 0:
    return M;
  case 2:
    M.Swizzle = 128;
    return M;
  case 4:
    M.Swizzle = 64;
    return M;
  case 6:
    M.Swizzle = 32;
    return M;
  default: // 128 bytes in atoms of 32
    return std::nullopt;
  }
}

void emulator::spreadElements(MatrixType Type, const uint8_t *From,
                              uint8_t *To) {
  const unsigned Bits = Type == MatrixType::E2M1 ? 4 : 6;
  for (unsigned I = 0; I != 16; ++I) {
    const unsigned First = I * Bits;
    unsigned Word = From[First / 8];
    if (First / 8 + 1 < 16)
      Word |= unsigned(From[First / 8 + 1]) << 8;
    Word = Word >> First % 8 & ((1u << Bits) - 1);
    To[I] = uint8_t(Bits == 4 ? Word << 2 : Word);
  }
}

std::optional<uint64_t> emulator::readTensorMatrix(const SharedMatrix &M,
                                                   const SharedBytes &From,
                                                   MatrixType Type,
                                                   unsigned Rows, unsigned K,
                                                   float *Elements) {
  if (Type != MatrixType::E2M1 && Type != MatrixType::E2M3 &&
      Type != MatrixType::E3M2)
    return readMatrix(M, From, Type, Rows, K, Elements);
  std::vector<uint32_t> Words(size_t(Rows) * K / 4);
  if (auto Missing = readWords(M, From, Rows, K / 4, Words.data()))
    return Missing;
  for (size_t Unit = 0; Unit != Words.size(); Unit += 4) {
    uint32_t Spread[4];
    spreadElements(Type, reinterpret_cast<const uint8_t *>(&Words[Unit]),
                   reinterpret_cast<uint8_t *>(Spread));
    widen(Type, Spread, 4, Elements + Unit * 4);
  }
  return std::nullopt;
}

MetadataPlace emulator::findMetadata(const TensorProduct &P, unsigned Row,
                                     unsigned Chunk) {
  if (bitsOf(P.A) < 16)
    return {Row, Chunk / 8, Chunk % 8 * 4};
  return {Row / 16 * 16 + Row % 8 + Chunk / 4 * 8, 0,
          Row / 8 % 2 * 16 + Chunk % 4 * 4};
}

std::array<uint8_t, 2> emulator::keptColumns(const TensorProduct &P,
                                             unsigned Chunk, unsigned Bits) {
  if (P.A == MatrixType::TF32)
    return {uint8_t(Chunk * 2 + (Bits >> 1 & 1)), 0};
  return {uint8_t(Chunk * 4 + (Bits & 3)), uint8_t(Chunk * 4 + (Bits >> 2))};
}

void emulator::addTensorProducts(const TensorProduct &P, const TensorFactors &F,
                                 float *Sums) {
  const unsigned Rows = P.rows(), N = P.N, K = P.K;
  const float *A = F.A, *B = F.B;
  if (!P.ScaleBlocks) {
    std::vector<float> Lines(size_t(K) * N); // of B, row by row
    for (unsigned Column = 0; Column != N; ++Column)
      for (unsigned I = 0; I != K; ++I)
        Lines[size_t(I) * N + Column] = B[size_t(Column) * K + I];
    if (P.IsSparse)
      return addSparseProducts(A, F.Columns.data(), Lines.data(), Sums,
                               {Rows, N, K});
    return addProducts(A, Lines.data(), Sums, {Rows, N, K});
  }
  // In double, since one of the two scaled factors may leave float's range.
  const unsigned PerBlock = K / P.ScaleBlocks;
  for (unsigned Row = 0; Row != Rows; ++Row)
    for (unsigned Column = 0; Column != N; ++Column) {
      float Sum = Sums[size_t(Row) * N + Column];
      for (unsigned I = 0; I != K; ++I) {
        const unsigned Block = I / PerBlock;
        Sum += float(double(A[size_t(Row) * K + I]) *
                     F.ScalesA[size_t(Row) * P.ScaleBlocks + Block] *
                     (double(B[size_t(Column) * K + I]) *
                      F.ScalesB[size_t(Column) * P.ScaleBlocks + Block]));
      }
      Sums[size_t(Row) * N + Column] = Sum;
    }
}

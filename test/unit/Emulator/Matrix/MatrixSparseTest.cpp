//===- MatrixSparseTest.cpp - mma.sp and block scales ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MatrixTestSupport.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {

/// What a row of A holds in one chunk: the columns of the elements that are
/// kept, in their order, and the four bits of metadata that say so.
struct Chunk {
  std::vector<unsigned> Columns;
  unsigned Code;
};

/// PTX ISA 9.7.14.6.1. Without .ordered_metadata, the indices may fall.
Chunk randomChunk(MatrixType Type, bool Ordered, std::mt19937 &Random) {
  if (Type == MatrixType::TF32)
    return Random() % 2 ? Chunk{{1}, 0b1110} : Chunk{{0}, 0b0100};
  unsigned First = Random() % 4, Second = Random() % 4;
  while (First == Second || (Ordered && First > Second)) {
    First = Random() % 4;
    Second = Random() % 4;
  }
  unsigned Code = First | Second << 2;
  if (bitsOf(Type) == 4)
    return {{2 * First, 2 * First + 1, 2 * Second, 2 * Second + 1}, Code};
  return {{First, Second}, Code};
}

/// Metadata as CUTLASS lays it out for ldmatrix (tools/util, host_reorder.h): a
/// row's chunks are cut into units of 16 bits (two bytes an element and more)
/// or 32 bits. Of the former, 32 rows of two units fill a warp's registers, of
/// the latter 16 rows. Rows that are eight apart become neighbours, and each
/// block of two rows and two units is transposed.
struct MetadataWarp {
  bool Wide = false;
  std::array<uint32_t, 32> Lanes{};

  void put(unsigned Row, unsigned Unit, uint32_t Bits) {
    unsigned Moved = Row % 8 * (Wide ? 4 : 2) + Row / 8;
    unsigned Position = (Moved / 2 * 2 + Unit) * 2 + Moved % 2;
    if (!Wide)
      Lanes[Position] = Bits;
    else if (Position % 2)
      Lanes[Position / 2] = (Lanes[Position / 2] & 0xffff) | Bits << 16;
    else
      Lanes[Position / 2] = (Lanes[Position / 2] & 0xffff0000) | Bits;
  }
};

struct SparseForm {
  const char *Modifiers;
  unsigned Units, Selectors; ///< units of a row, values of the operand f
  bool MustBeOrdered = false;
};

const SparseForm SparseForms[] = {
    {".m16n8k16.row.col.f16.f16.f16.f16", 1, 4},
    {".m16n8k16.row.col.f32.bf16.bf16.f32", 1, 4},
    {".m16n8k32.row.col.f32.f16.f16.f32", 2, 2},
    {".m16n8k32.row.col.f16.f16.f16.f16", 2, 2},
    {".m16n8k32.row.col.f32.bf16.bf16.f32", 2, 2},
    {".m16n8k8.row.col.f32.tf32.tf32.f32", 1, 4},
    {".m16n8k16.row.col.f32.tf32.tf32.f32", 2, 2},
    {".m16n8k32.row.col.s32.s8.u8.s32", 1, 2},
    {".m16n8k64.row.col.satfinite.s32.u8.s8.s32", 2, 1},
    {".m16n8k64.row.col.s32.s4.s4.s32", 1, 2},
    {".m16n8k128.row.col.satfinite.s32.u4.s4.s32", 2, 1},
    {".m16n8k64.row.col.f32.e4m3.e5m2.f32", 2, 1},
    {".m16n8k64.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32", 2, 1, true},
    {".m16n8k64.row.col.kind::f8f6f4.f16.e2m3.e2m1.f16", 2, 1, true}};

/// Puts \p From into a fragment: along k, four lanes hold neighbouring
/// registers; \p Transposed for B.
void fillMultiplicand(Registers &Into, const MatrixFragment &Fragment,
                      Matrix &From, bool Transposed) {
  unsigned PerRegister = 32 / bitsOf(Fragment.Type);
  unsigned Rows = Transposed ? From.Columns : From.Rows;
  unsigned Width = Transposed ? From.Rows : From.Columns;
  for (unsigned Row = 0; Row != Rows; ++Row)
    for (unsigned K = 0; K != Width; ++K) {
      unsigned Piece = K / (4 * PerRegister);
      unsigned Register = Piece * (Rows / 8) + Row / 8;
      unsigned Lane = Row % 8 * 4 + K / PerRegister % 4;
      Into.setElement(
          Lane, Register * PerRegister + K % PerRegister, bitsOf(Fragment.Type),
          encode(Fragment.Type, Transposed ? From(K, Row) : From(Row, K)));
    }
}

/// Calls \p Function(Lane, I, Row, Column) for each element of C or D.
template <typename FunctionT>
void forAccumulator(FunctionT Function) {
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    for (unsigned I = 0; I != 4; ++I)
      Function(Lane, I, Lane / 4 + (I < 2 ? 0 : 8), Lane % 4 * 2 + I % 2);
}

void fillAccumulator(Registers &Into, const MatrixFragment &Fragment,
                     Matrix &From) {
  forAccumulator([&](unsigned Lane, unsigned I, unsigned Row, unsigned Column) {
    Into.setElement(Lane, I, bitsOf(Fragment.Type),
                    encode(Fragment.Type, From(Row, Column)));
  });
}

/// Random A in both forms, its metadata among other tiles' metadata.
void randomSparse(const MatrixOperation &Op, bool Ordered, unsigned Units,
                  unsigned Selector, std::mt19937 &Random, Matrix &Full,
                  Matrix &Packed, MetadataWarp &Metadata) {
  Metadata.Wide = bitsOf(Op.A.Type) >= 16;
  for (uint32_t &Word : Metadata.Lanes)
    Word = Random();
  unsigned PerUnit = Metadata.Wide ? 4 : 8;
  unsigned Chunks = Units * PerUnit, Step = Op.K / Chunks;
  // Wide: the selector counts tiles of 16 rows, and before them units where an
  // instruction takes one unit. Else it counts units.
  unsigned Tile = !Metadata.Wide ? 0 : Units == 2 ? Selector : Selector / 2;
  unsigned FirstUnit = Units == 2 ? 0 : Selector % 2;
  for (unsigned Row = 0; Row != 16; ++Row)
    for (unsigned Unit = 0; Unit != Units; ++Unit) {
      uint32_t Bits = 0;
      for (unsigned I = 0; I != PerUnit; ++I) {
        Chunk Kept = randomChunk(Op.A.Type, Ordered, Random);
        Bits |= Kept.Code << (4 * I);
        unsigned Index = Unit * PerUnit + I;
        for (unsigned J = 0; J != Kept.Columns.size(); ++J) {
          double Value = randomValue(Op.A.Type, Random);
          Full(Row, Index * Step + Kept.Columns[J]) = Value;
          Packed(Row, Index * Step / 2 + J) = Value;
        }
      }
      Metadata.put(Tile * 16 + Row, FirstUnit + Unit, Bits);
    }
}

TEST(MatrixSparse, MultipliesWhatTheMetadataNames) {
  std::mt19937 Random(4);
  for (const SparseForm &Form : SparseForms)
    for (bool Ordered : {false, true})
      for (unsigned Selector = 0; Selector != Form.Selectors; ++Selector) {
        SCOPED_TRACE(Form.Modifiers);
        auto Op = findMatrixOperation(Ordered ? ptx::Opcode::MmaSpOrdered
                                              : ptx::Opcode::MmaSp,
                                      Form.Modifiers);
        ASSERT_EQ(Op.has_value(), Ordered || !Form.MustBeOrdered);
        if (!Op)
          continue;
        EXPECT_TRUE(Op->Sparse);
        EXPECT_EQ(Op->A.NumRegisters,
                  Op->K * 16 / 2 * bitsOf(Op->A.Type) / 1024);
        EXPECT_EQ(Op->B.NumRegisters, Op->K * 8 * bitsOf(Op->B.Type) / 1024);
        Matrix Full(16, Op->K), Packed(16, Op->K / 2);
        MetadataWarp Metadata;
        randomSparse(*Op, Ordered, Form.Units, Selector, Random, Full, Packed,
                     Metadata);
        Matrix B = randomMatrix(Op->B.Type, Op->K, 8, Random);
        Matrix C = randomMatrix(Op->C.Type, 16, 8, Random);
        Operands Given(*Op);
        fillMultiplicand(Given.A, Op->A, Packed, false);
        fillMultiplicand(Given.B, Op->B, B, true);
        fillAccumulator(Given.C, Op->C, C);
        Given.Arguments.Metadata = Metadata.Lanes.data();
        Given.Arguments.Selector = Selector;
        Op->run(Given.Arguments);
        Matrix Wanted = product(*Op, Full, B, C);
        forAccumulator(
            [&](unsigned Lane, unsigned I, unsigned Row, unsigned Column) {
              EXPECT_EQ(Given.D.element(Lane, I, bitsOf(Op->D.Type)),
                        encode(Op->D.Type, Wanted(Row, Column)))
                  << "selector " << Selector << " row " << Row << " column "
                  << Column;
            });
      }
}

TEST(MatrixSparse, DoesNotMultiplyWhatIsLeftOut) {
  auto Op = findMatrixOperation(ptx::Opcode::MmaSp,
                                ".m16n8k16.row.col.f32.f16.f16.f32");
  ASSERT_TRUE(Op);
  Operands Given(*Op);
  Matrix A(16, 8), B(16, 8), C(16, 8);
  for (unsigned I = 0; I != 8; ++I)
    B(2, I) = INFINITY;
  fillMultiplicand(Given.A, Op->A, A, false);
  fillMultiplicand(Given.B, Op->B, B, true);
  fillAccumulator(Given.C, Op->C, C);
  std::array<uint32_t, 32> Metadata;
  Metadata.fill(0x44444444); // columns 0 and 1 of each four
  Given.Arguments.Metadata = Metadata.data();
  Op->run(Given.Arguments);
  EXPECT_EQ(Given.D.get(0, 0), 0U);
}

double scale(uint32_t Byte, bool E4M3) {
  return E4M3 ? decode(MatrixType::E4M3, Byte & 0x7f)
              : std::ldexp(1.0, static_cast<int>(Byte) - 127);
}

// PTX ISA 9.7.14.3.
TEST(MatrixScale, ScalesRowsAndColumns) {
  struct {
    const char *Modifiers;
    unsigned Blocks;
    bool Sparse;
  } Forms[] = {
      {".m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e2m1.f32.ue8m0",
       1, false},
      {".m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e3m2."
       "e5m2.f32.ue8m0",
       1, false},
      {".m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0", 2,
       false},
      {".m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1."
       "e2m1.f32.ue8m0",
       2, false},
      {".m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1."
       "e2m1.f32.ue4m3",
       4, false},
      {".m16n8k64.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e2m3.f32.ue8m0",
       1, true},
      {".m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1."
       "e2m1.f32.ue4m3",
       4, true}};
  std::mt19937 Random(5);
  for (auto &Form : Forms)
    for (unsigned Round = 0; Round != 8; ++Round) {
      SCOPED_TRACE(Form.Modifiers);
      auto Op = findMatrixOperation(Form.Sparse ? ptx::Opcode::MmaSpOrdered
                                                : ptx::Opcode::Mma,
                                    Form.Modifiers);
      ASSERT_TRUE(Op);
      ASSERT_EQ(Op->ScaleBlocks, Form.Blocks);
      Operands Given(*Op);
      Matrix A = randomMatrix(Op->A.Type, 16, Op->K, Random);
      Matrix B = randomMatrix(Op->B.Type, Op->K, 8, Random);
      Matrix C = randomMatrix(MatrixType::F32, 16, 8, Random);
      MetadataWarp Metadata;
      if (Form.Sparse) {
        A = Matrix(16, Op->K);
        Matrix Packed(16, Op->K / 2);
        randomSparse(*Op, true, 2, 0, Random, A, Packed, Metadata);
        fillMultiplicand(Given.A, Op->A, Packed, false);
        Given.Arguments.Metadata = Metadata.Lanes.data();
      } else {
        fillMultiplicand(Given.A, Op->A, A, false);
      }
      fillMultiplicand(Given.B, Op->B, B, true);
      fillAccumulator(Given.C, Op->C, C);
      // Powers of two between 1/4 and 2, or e4m3 numbers of that size.
      std::array<uint32_t, 32> ScaleA, ScaleB;
      for (auto *Words : {&ScaleA, &ScaleB})
        for (uint32_t &Word : *Words) {
          Word = 0;
          for (unsigned I = 0; I != 4; ++I)
            Word |= (Op->ScaleE4M3 ? 0x28 + Random() % 24 : 125 + Random() % 4)
                    << (8 * I);
        }
      Given.Arguments.ScaleA = ScaleA.data();
      Given.Arguments.ScaleB = ScaleB.data();
      auto RandomByte = [&] {
        return Form.Blocks == 1   ? Random() % 4
               : Form.Blocks == 2 ? Random() % 2 * 2
                                  : 0;
      };
      unsigned ByteA = Given.Arguments.ByteA = RandomByte();
      unsigned ByteB = Given.Arguments.ByteB = RandomByte();
      unsigned ThreadA = Given.Arguments.ThreadA = Random() % 2;
      unsigned ThreadB = Given.Arguments.ThreadB = Random() % 4;
      Op->run(Given.Arguments);
      unsigned Width = Op->K / Form.Blocks;
      for (unsigned K = 0; K != Op->K; ++K) {
        for (unsigned Row = 0; Row != 16; ++Row) {
          uint32_t Word = ScaleA[Row % 8 * 4 + ThreadA * 2 + (Row < 8 ? 0 : 1)];
          A(Row, K) *=
              scale(Word >> (8 * (ByteA + K / Width)) & 0xff, Op->ScaleE4M3);
        }
        for (unsigned Column = 0; Column != 8; ++Column) {
          uint32_t Word = ScaleB[Column * 4 + ThreadB];
          B(K, Column) *=
              scale(Word >> (8 * (ByteB + K / Width)) & 0xff, Op->ScaleE4M3);
        }
      }
      Matrix Wanted = product(*Op, A, B, C);
      forAccumulator(
          [&](unsigned Lane, unsigned I, unsigned Row, unsigned Column) {
            EXPECT_EQ(Given.D.element(Lane, I, 32),
                      encode(MatrixType::F32, Wanted(Row, Column)))
                << "row " << Row << " column " << Column;
          });
    }
}

} // namespace

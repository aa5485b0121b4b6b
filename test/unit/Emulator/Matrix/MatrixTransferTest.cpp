//===- MatrixTransferTest.cpp - ldmatrix, stmatrix, movmatrix and wmma ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Emulator/Matrix/MatrixTransfers.h"
#include "MatrixTestSupport.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {

using Rows =
    std::array<uint8_t, MatrixTransfer::MaxRows * MatrixTransfer::RowBytes>;
using Words =
    std::array<std::array<uint32_t, 32>, MatrixTransfer::MaxRegisters>;

Rows randomRows(std::mt19937 &Random) {
  Rows Result;
  for (uint8_t &Byte : Result)
    Byte = Random();
  return Result;
}

Words load(const MatrixTransfer &Form, const Rows &From) {
  Words Result{};
  uint32_t *Pointers[] = {Result[0].data(), Result[1].data(), Result[2].data(),
                          Result[3].data()};
  Form.distribute(From.data(), Pointers);
  return Result;
}

uint32_t half(const Rows &From, unsigned Matrix, unsigned Row,
              unsigned Column) {
  unsigned At = (Matrix * 8 + Row) * 16 + Column * 2;
  return From[At] | From[At + 1] << 8;
}

TEST(Ldmatrix, GivesEachLaneTwoElementsOfARow) {
  std::mt19937 Random(6);
  for (unsigned Count : {1, 2, 4}) {
    std::string Number = ".x" + std::to_string(Count);
    auto Plain = findMatrixTransfer(
        ptx::Opcode::Ldmatrix, ".sync.aligned.m8n8" + Number + ".shared.b16");
    auto Trans = findMatrixTransfer(ptx::Opcode::Ldmatrix,
                                    ".sync.aligned.m8n8" + Number +
                                        ".trans.shared::cta.b16");
    ASSERT_TRUE(Plain && Trans);
    EXPECT_EQ(Plain->NumRows, 8 * Count);
    EXPECT_EQ(Plain->NumRegisters, Count);
    EXPECT_EQ(Trans->NumRows, 8 * Count);
    Rows From = randomRows(Random);
    Words Straight = load(*Plain, From), Turned = load(*Trans, From);
    for (unsigned Matrix = 0; Matrix != Count; ++Matrix)
      for (unsigned Lane = 0; Lane != 32; ++Lane) {
        unsigned Row = Lane / 4, Column = Lane % 4 * 2;
        EXPECT_EQ(Straight[Matrix][Lane],
                  half(From, Matrix, Row, Column) |
                      half(From, Matrix, Row, Column + 1) << 16);
        EXPECT_EQ(Turned[Matrix][Lane], half(From, Matrix, Column, Row) |
                                            half(From, Matrix, Column + 1, Row)
                                                << 16);
      }
  }
}

/// Element \p I of a row of 16 elements of so many bits.
uint32_t packedElement(const uint8_t *Row, unsigned I, unsigned Bits) {
  uint32_t Value = 0;
  for (unsigned Bit = 0; Bit != Bits; ++Bit)
    Value |= (Row[(I * Bits + Bit) / 8] >> (I * Bits + Bit) % 8 & 1) << Bit;
  return Value;
}

TEST(Ldmatrix, LoadsBytesAndLess) {
  struct {
    const char *Modifiers;
    unsigned Bits, Registers, Rows;
    bool Square;
  } Forms[] = {{".m8n16.x1.shared.b8x16.b6x16_p32", 6, 1, 8, false},
               {".m8n16.x2.shared.b8x16.b4x16_p64", 4, 2, 16, false},
               {".m8n16.x4.b8x16.b6x16_p32", 6, 4, 32, false},
               {".m16n16.x1.trans.shared.b8", 8, 2, 16, true},
               {".m16n16.x2.trans.shared.b8", 8, 4, 32, true},
               {".m16n16.x2.trans.shared.b8x16.b6x16_p32", 6, 4, 32, true},
               {".m16n16.x1.trans.shared.b8x16.b4x16_p64", 4, 2, 16, true}};
  std::mt19937 Random(7);
  for (auto &Form : Forms) {
    SCOPED_TRACE(Form.Modifiers);
    auto Transfer = findMatrixTransfer(ptx::Opcode::Ldmatrix, Form.Modifiers);
    ASSERT_TRUE(Transfer);
    ASSERT_EQ(Transfer->NumRegisters, Form.Registers);
    EXPECT_EQ(Transfer->NumRows, Form.Rows);
    Rows From = randomRows(Random);
    Words Got = load(*Transfer, From);
    for (unsigned Register = 0; Register != Form.Registers; ++Register)
      for (unsigned Lane = 0; Lane != 32; ++Lane)
        for (unsigned I = 0; I != 4; ++I) {
          unsigned G = Lane / 4, K = Lane % 4 * 4 + I;
          // .trans: memory has the columns of the 16x16 matrix.
          unsigned Row = Form.Square ? Register / 2 * 16 + K : Register * 8 + G;
          unsigned Column = Form.Square ? G + Register % 2 * 8 : K;
          EXPECT_EQ(Got[Register][Lane] >> (8 * I) & 0xff,
                    packedElement(&From[Row * 16], Column, Form.Bits))
              << "register " << Register << " lane " << Lane << " byte " << I;
        }
  }
}

TEST(Stmatrix, UndoesLdmatrix) {
  std::mt19937 Random(8);
  for (const char *Count : {".x1", ".x2", ".x4"})
    for (const char *Trans : {"", ".trans"}) {
      std::string Modifiers =
          std::string(".sync.aligned.m8n8") + Count + Trans + ".shared.b16";
      auto Load = findMatrixTransfer(ptx::Opcode::Ldmatrix, Modifiers);
      auto Store = findMatrixTransfer(ptx::Opcode::Stmatrix, Modifiers);
      ASSERT_TRUE(Load && Store);
      EXPECT_TRUE(Store->Store);
      Rows From = randomRows(Random), To{};
      Words Registers = load(*Load, From);
      const uint32_t *Sources[] = {Registers[0].data(), Registers[1].data(),
                                   Registers[2].data(), Registers[3].data()};
      Store->collect(Sources, To.data());
      std::fill(From.begin() + Store->NumRows * 16, From.end(), 0);
      EXPECT_EQ(To, From) << Modifiers;
    }
}

TEST(Stmatrix, StoresBytesOfAnAccumulatorByColumns) {
  auto Store = findMatrixTransfer(ptx::Opcode::Stmatrix,
                                  ".sync.aligned.m16n8.x2.trans.shared.b8");
  ASSERT_TRUE(Store);
  EXPECT_EQ(Store->NumRows, 16U);
  Words Registers{};
  // Element (row, column) of matrix m is row + 16 * column + 128 * m.
  for (unsigned Matrix = 0; Matrix != 2; ++Matrix)
    for (unsigned Lane = 0; Lane != 32; ++Lane)
      for (unsigned I = 0; I != 4; ++I) {
        unsigned Row = Lane / 4 + (I < 2 ? 0 : 8),
                 Column = Lane % 4 * 2 + I % 2;
        Registers[Matrix][Lane] |= (Row + 16 * Column + 128 * Matrix)
                                   << (8 * I);
      }
  const uint32_t *Sources[] = {Registers[0].data(), Registers[1].data()};
  Rows To{};
  Store->collect(Sources, To.data());
  for (unsigned I = 0; I != 256; ++I)
    EXPECT_EQ(To[I], I);
}

TEST(MatrixTransfer, RefusesWhatPTXDoesNotHave) {
  for (const char *Modifiers :
       {".sync.aligned.m8n8.shared.b16", ".sync.aligned.m8n8.x1.shared.b8",
        ".sync.aligned.m16n16.x4.trans.shared.b8",
        ".sync.aligned.m16n16.x1.shared.b8",
        ".sync.aligned.m8n16.x1.shared.b8"})
    EXPECT_FALSE(findMatrixTransfer(ptx::Opcode::Ldmatrix, Modifiers))
        << Modifiers;
  EXPECT_FALSE(findMatrixTransfer(ptx::Opcode::Stmatrix,
                                  ".sync.aligned.m16n8.x1.shared.b8"));
}

TEST(Movmatrix, Transposes) {
  auto Op = findMatrixOperation(ptx::Opcode::Movmatrix,
                                ".sync.aligned.m8n8.trans.b16");
  ASSERT_TRUE(Op);
  EXPECT_EQ(Op->A.NumRegisters, 1U);
  EXPECT_EQ(Op->B.NumRegisters, 0U);
  Operands Given(*Op);
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    for (unsigned I = 0; I != 2; ++I)
      Given.A.setElement(Lane, I, 16, Lane / 4 * 100 + Lane % 4 * 2 + I);
  Op->run(Given.Arguments);
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    for (unsigned I = 0; I != 2; ++I)
      EXPECT_EQ(Given.D.element(Lane, I, 16),
                (Lane % 4 * 2 + I) * 100 + Lane / 4);
}

TEST(Ldmatrix, FeedsMma) {
  std::mt19937 Random(9);
  auto Op = findMatrixOperation(
      ptx::Opcode::Mma, ".sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  auto LoadA = findMatrixTransfer(ptx::Opcode::Ldmatrix, ".m8n8.x4.b16");
  auto LoadB = findMatrixTransfer(ptx::Opcode::Ldmatrix, ".m8n8.x2.trans.b16");
  ASSERT_TRUE(Op && LoadA && LoadB);
  Matrix A = randomMatrix(MatrixType::F16, 16, 16, Random);
  Matrix B = randomMatrix(MatrixType::F16, 16, 8, Random);
  Matrix C(16, 8);
  // A's 8x8 matrices: upper left, lower left, upper right, lower right; B is
  // stored row by row.
  Rows RowsA{}, RowsB{};
  auto Put = [](Rows &To, unsigned Row, unsigned Column, double Value) {
    uint64_t Code = encode(MatrixType::F16, Value);
    To[Row * 16 + Column * 2] = Code & 0xff;
    To[Row * 16 + Column * 2 + 1] = Code >> 8;
  };
  for (unsigned Row = 0; Row != 16; ++Row) {
    for (unsigned Column = 0; Column != 16; ++Column)
      Put(RowsA, Row + Column / 8 * 16, Column % 8, A(Row, Column));
    for (unsigned Column = 0; Column != 8; ++Column)
      Put(RowsB, Row, Column, B(Row, Column));
  }
  Words WordsA = load(*LoadA, RowsA), WordsB = load(*LoadB, RowsB);
  Operands Given(*Op);
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    for (unsigned I = 0; I != 4; ++I) {
      Given.A.set(I, Lane, WordsA[I][Lane]);
      if (I < 2)
        Given.B.set(I, Lane, WordsB[I][Lane]);
      Given.C.set(I, Lane, 0);
    }
  Op->run(Given.Arguments);
  Matrix Wanted = product(*Op, A, B, C);
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    for (unsigned I = 0; I != 4; ++I)
      EXPECT_EQ(Given.D.get(I, Lane),
                encode(MatrixType::F32,
                       Wanted(Lane / 4 + I / 2 * 8, Lane % 4 * 2 + I % 2)));
}

struct WmmaCase {
  const char *Shape, *Types; ///< Types of wmma.mma
  const char *TypeA, *TypeC, *TypeD;
  unsigned RegistersA, RegistersB, RegistersC, RegistersD;
};

// PTX ISA 9.7.14.4.1.
const WmmaCase WmmaCases[] = {
    {".m16n16k16", ".f32.f32", ".f16", ".f32", ".f32", 8, 8, 8, 8},
    {".m16n16k16", ".f16.f32", ".f16", ".f32", ".f16", 8, 8, 8, 4},
    {".m8n32k16", ".f32.f16", ".f16", ".f16", ".f32", 8, 8, 4, 8},
    {".m32n8k16", ".f16.f16", ".f16", ".f16", ".f16", 8, 8, 4, 4},
    {".m16n16k16", ".f32.bf16.bf16.f32", ".bf16", ".f32", ".f32", 4, 4, 8, 8},
    {".m8n32k16", ".f32.bf16.bf16.f32", ".bf16", ".f32", ".f32", 2, 8, 8, 8},
    {".m32n8k16", ".f32.bf16.bf16.f32", ".bf16", ".f32", ".f32", 8, 2, 8, 8},
    {".m16n16k8", ".f32.tf32.tf32.f32", ".tf32", ".f32", ".f32", 4, 4, 8, 8},
    {".m8n8k4", ".rn.f64.f64.f64.f64", ".f64", ".f64", ".f64", 1, 1, 2, 2},
    {".m16n16k16", ".s32.s8.s8.s32", ".s8", ".s32", ".s32", 2, 2, 8, 8},
    {".m8n32k16", ".s32.u8.u8.s32.satfinite", ".u8", ".s32", ".s32", 1, 4, 8,
     8},
    {".m32n8k16", ".s32.u8.u8.s32", ".u8", ".s32", ".s32", 4, 1, 8, 8},
    {".m8n8k32", ".s32.s4.s4.s32", ".s4", ".s32", ".s32", 1, 1, 2, 2},
    {".m8n8k32", ".s32.u4.u4.s32.satfinite", ".u4", ".s32", ".s32", 1, 1, 2, 2},
    {".m8n8k128", ".s32.b1.b1.s32.xor.popc", ".b1", ".s32", ".s32", 1, 1, 2, 2},
    {".m8n8k128", ".s32.b1.b1.s32.and.popc", ".b1", ".s32", ".s32", 1, 1, 2,
     2}};

/// A matrix in memory, with a stride that exceeds the default.
struct Stored {
  unsigned Stride;
  std::vector<uint8_t> Bytes;

  explicit Stored(const WmmaFragment &F)
      : Stride(F.defaultStride() + 128 / bitsOf(F.Registers.Type)),
        Bytes(Stride * std::max(F.Rows, F.Columns) * bitsOf(F.Registers.Type) /
              8) {}
  uint64_t bit(const WmmaFragment &F, unsigned Row, unsigned Column) const {
    return (F.ColumnMajor ? uint64_t(Column) * Stride + Row
                          : uint64_t(Row) * Stride + Column) *
           bitsOf(F.Registers.Type);
  }
  void set(const WmmaFragment &F, unsigned Row, unsigned Column,
           uint64_t Code) {
    for (unsigned I = 0; I != bitsOf(F.Registers.Type); ++I) {
      uint64_t Bit = bit(F, Row, Column) + I;
      Bytes[Bit / 8] |= (Code >> I & 1) << Bit % 8;
    }
  }
  uint64_t get(const WmmaFragment &F, unsigned Row, unsigned Column) const {
    uint64_t Code = 0;
    for (unsigned I = 0; I != bitsOf(F.Registers.Type); ++I) {
      uint64_t Bit = bit(F, Row, Column) + I;
      Code |= uint64_t(Bytes[Bit / 8] >> Bit % 8 & 1) << I;
    }
    return Code;
  }
};

/// As the core does: access by access.
template <typename Function>
void forAccesses(const WmmaFragment &F, unsigned Stride, Function Access) {
  for (unsigned Register = 0; Register != F.Registers.NumRegisters; ++Register)
    for (unsigned Lane = 0; Lane != 32; ++Lane)
      for (unsigned I = 0; I != F.accessesPerRegister(); ++I)
        Access(Register, Lane, I * F.accessBytes(),
               F.byteOffset(Lane, Register, I, Stride));
}

void wmmaLoad(const WmmaFragment &F, Matrix &From, Registers &Into) {
  Stored Memory(F);
  for (unsigned Row = 0; Row != F.Rows; ++Row)
    for (unsigned Column = 0; Column != F.Columns; ++Column)
      Memory.set(F, Row, Column, encode(F.Registers.Type, From(Row, Column)));
  forAccesses(
      F, Memory.Stride,
      [&](unsigned Register, unsigned Lane, unsigned At, uint64_t Offset) {
        ASSERT_LE(Offset + F.accessBytes(), Memory.Bytes.size());
        std::memcpy(&Into.Bytes[Register][Lane * Into.LaneBytes + At],
                    &Memory.Bytes[Offset], F.accessBytes());
      });
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    for (unsigned Register = 0; Register != F.Registers.NumRegisters;
         ++Register)
      for (unsigned I = 0; I != F.elementsPerRegister(); ++I) {
        MatrixElement At = F.element(Lane, Register, I);
        EXPECT_EQ(Into.element(Lane, Register * F.elementsPerRegister() + I,
                               bitsOf(F.Registers.Type)),
                  encode(F.Registers.Type, From(At.Row, At.Column)));
      }
}

TEST(Wmma, LoadsMultipliesAndStores) {
  std::mt19937 Random(10);
  for (const WmmaCase &Case : WmmaCases) {
    bool SubByte = StringRef(Case.Shape).starts_with(".m8n8k32") ||
                   StringRef(Case.Shape).starts_with(".m8n8k128");
    for (unsigned Layouts = 0; Layouts != 16; ++Layouts) {
      auto Major = [&](unsigned Bit) {
        return std::string(Layouts >> Bit & 1 ? ".col" : ".row");
      };
      if (SubByte && (Major(0) != ".row" || Major(1) != ".col"))
        continue;
      std::string Modifiers =
          ".sync.aligned" + Major(0) + Major(1) + Case.Shape + Case.Types;
      SCOPED_TRACE(Modifiers);
      auto Op = findMatrixOperation(ptx::Opcode::WmmaMma, Modifiers);
      ASSERT_TRUE(Op);
      EXPECT_TRUE(Op->Wmma);
      auto Find = [&](const char *Letter, unsigned Bit, const char *Type) {
        return findWmmaFragment(Letter[1] == 'd' ? ptx::Opcode::WmmaStore
                                                 : ptx::Opcode::WmmaLoad,
                                std::string(Letter) + ".sync.aligned" +
                                    Major(Bit) + Case.Shape + ".global" + Type);
      };
      auto FA = Find(".a", 0, Case.TypeA), FB = Find(".b", 1, Case.TypeA);
      auto FC = Find(".c", 2, Case.TypeC), FD = Find(".d", 3, Case.TypeD);
      ASSERT_TRUE(FA && FB && FC && FD);
      EXPECT_EQ(FA->Registers.NumRegisters, Case.RegistersA);
      EXPECT_EQ(FB->Registers.NumRegisters, Case.RegistersB);
      EXPECT_EQ(FC->Registers.NumRegisters, Case.RegistersC);
      EXPECT_EQ(FD->Registers.NumRegisters, Case.RegistersD);
      EXPECT_EQ(Op->A.NumRegisters, Case.RegistersA);
      EXPECT_EQ(Op->B.NumRegisters, Case.RegistersB);
      EXPECT_EQ(Op->C.NumRegisters, Case.RegistersC);
      EXPECT_EQ(Op->D.NumRegisters, Case.RegistersD);
      Matrix A = randomMatrix(Op->A.Type, Op->M, Op->K, Random);
      Matrix B = randomMatrix(Op->B.Type, Op->K, Op->N, Random);
      Matrix C = randomMatrix(Op->C.Type, Op->M, Op->N, Random);
      Operands Given(*Op);
      wmmaLoad(*FA, A, Given.A);
      wmmaLoad(*FB, B, Given.B);
      wmmaLoad(*FC, C, Given.C);
      Op->run(Given.Arguments);
      Stored Memory(*FD);
      std::vector<unsigned> Written(Memory.Bytes.size());
      forAccesses(
          *FD, Memory.Stride,
          [&](unsigned Register, unsigned Lane, unsigned At, uint64_t Offset) {
            ASSERT_LE(Offset + FD->accessBytes(), Memory.Bytes.size());
            std::memcpy(&Memory.Bytes[Offset],
                        &Given.D.Bytes[Register][Lane * Given.D.LaneBytes + At],
                        FD->accessBytes());
            for (unsigned I = 0; I != FD->accessBytes(); ++I)
              ++Written[Offset + I];
          });
      EXPECT_EQ(llvm::count(Written, 1U),
                Op->M * Op->N * bitsOf(Op->D.Type) / 8);
      Matrix Wanted = product(*Op, A, B, C);
      for (unsigned Row = 0; Row != Op->M; ++Row)
        for (unsigned Column = 0; Column != Op->N; ++Column)
          ASSERT_EQ(Memory.get(*FD, Row, Column),
                    encode(Op->D.Type, Wanted(Row, Column)))
              << "row " << Row << " column " << Column;
    }
  }
}

// PTX ISA 9.7.14.4.2.
TEST(Wmma, HasTheStridesOfTheTable) {
  auto Stride = [](const char *Modifiers) {
    auto F = findWmmaFragment(ptx::Opcode::WmmaLoad, Modifiers);
    EXPECT_TRUE(F) << Modifiers;
    return F ? F->defaultStride() : 0;
  };
  EXPECT_EQ(Stride(".a.sync.aligned.row.m8n32k16.f16"), 16U);
  EXPECT_EQ(Stride(".a.sync.aligned.col.m8n32k16.f16"), 8U);
  EXPECT_EQ(Stride(".b.sync.aligned.row.m8n32k16.f16"), 32U);
  EXPECT_EQ(Stride(".b.sync.aligned.m8n32k16.col.f16"), 16U);
  EXPECT_EQ(Stride(".c.sync.aligned.row.m8n32k16.shared.f32"), 32U);
  EXPECT_EQ(Stride(".c.sync.aligned.col.m8n32k16.f32"), 8U);
  EXPECT_EQ(Stride(".a.sync.aligned.row.m8n8k128.b1"), 128U);
  EXPECT_EQ(Stride(".b.sync.aligned.col.m8n8k32.u4"), 32U);
  EXPECT_EQ(Stride(".b.sync.aligned.row.m16n16k8.tf32"), 16U);
}

TEST(Wmma, RefusesWhatPTXDoesNotHave) {
  for (const char *Modifiers :
       {".a.sync.aligned.col.m8n8k32.global.s4",
        ".b.sync.aligned.row.m8n8k128.global.b1",
        ".a.sync.aligned.row.m16n16k8.f16", ".c.sync.aligned.row.m8n8k4.f32",
        ".d.sync.aligned.row.m16n16k16.f32", ".a.sync.aligned.m16n16k16.f16"})
    EXPECT_FALSE(findWmmaFragment(ptx::Opcode::WmmaLoad, Modifiers))
        << Modifiers;
  for (const char *Modifiers :
       {".sync.aligned.row.col.m32n8k16.s32.u8.s8.s32",
        ".sync.aligned.row.row.m8n8k32.s32.u4.u4.s32",
        ".sync.aligned.row.col.m16n16k16.f32.f16.f16.f32"})
    EXPECT_FALSE(findMatrixOperation(ptx::Opcode::WmmaMma, Modifiers))
        << Modifiers;
}

} // namespace

//===- MatrixMultiplyTest.cpp - Tests of mma against the ISA's layouts ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MatrixTestSupport.h"
#include "gtest/gtest.h"
#include <cfenv>
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {

struct Place {
  unsigned Row, Column;
};
/// Where a lane's i-th element belongs; g and t are groupID and
/// threadID_in_group of PTX ISA 9.7.14.5, whose formulas stand below.
using Layout = Place (*)(unsigned G, unsigned T, unsigned I);

// Eight rows: .m8n8k4 (f64), .m8n8k16, .m8n8k32, .m8n8k128.
template <unsigned PerLane>
Place aOf8(unsigned G, unsigned T, unsigned I) {
  return {G, T * PerLane + I};
}
template <unsigned PerLane>
Place bOneRegister(unsigned G, unsigned T, unsigned I) {
  return {T * PerLane + I, G};
}
Place cOf8(unsigned G, unsigned T, unsigned I) { return {G, T * 2 + (I & 1)}; }

// Sixteen rows.
Place cOf16(unsigned G, unsigned T, unsigned I) {
  return {I < 2 ? G : G + 8, T * 2 + (I & 1)};
}
// .m16n8k4
Place a16x4(unsigned G, unsigned T, unsigned I) {
  return {I == 0 ? G : G + 8, T};
}
// .m16n8k8 of f16 and bf16
Place a16x8Half(unsigned G, unsigned T, unsigned I) {
  return {I < 2 ? G : G + 8, T * 2 + (I & 1)};
}
// .m16n8k8 of tf32 and f64
Place a16x8(unsigned G, unsigned T, unsigned I) {
  return {I == 0 || I == 2 ? G : G + 8, I < 2 ? T : T + 4};
}
Place b8x8(unsigned G, unsigned T, unsigned I) {
  return {I == 0 ? T : T + 4, G};
}
// .m16n8k16 of f16 and bf16
Place a16x16Half(unsigned G, unsigned T, unsigned I) {
  return {I < 2 || (4 <= I && I < 6) ? G : G + 8,
          I < 4 ? T * 2 + (I & 1) : T * 2 + (I & 1) + 8};
}
Place b16x8Half(unsigned G, unsigned T, unsigned I) {
  return {I < 2 ? T * 2 + (I & 1) : T * 2 + (I & 1) + 8, G};
}
// .m16n8k16 of f64
Place a16x16Double(unsigned G, unsigned T, unsigned I) {
  return I % 2 == 0 ? Place{G, I * 2 + T} : Place{G + 8, I * 2 - 2 + T};
}
Place b16x8Double(unsigned G, unsigned T, unsigned I) { return {T + I * 4, G}; }
// .m16n8k16 of bytes
Place a16x16Byte(unsigned G, unsigned T, unsigned I) {
  return {I < 4 ? G : G + 8, T * 4 + (I & 3)};
}
// .m16n8k32 of bytes
Place a16x32Byte(unsigned G, unsigned T, unsigned I) {
  return {I < 4 || (8 <= I && I < 12) ? G : G + 8,
          I < 8 ? T * 4 + (I & 3) : T * 4 + (I & 3) + 16};
}
Place b32x8Byte(unsigned G, unsigned T, unsigned I) {
  return {I < 4 ? T * 4 + (I & 3) : T * 4 + (I & 3) + 16, G};
}
// .m16n8k32 and .m16n8k64 of four bits
Place a16x32Nibble(unsigned G, unsigned T, unsigned I) {
  return {I < 8 ? G : G + 8, T * 8 + (I & 7)};
}
Place a16x64Nibble(unsigned G, unsigned T, unsigned I) {
  return {I < 8 || (16 <= I && I < 24) ? G : G + 8,
          I < 16 ? T * 8 + (I & 7) : T * 8 + (I & 7) + 32};
}
Place b64x8Nibble(unsigned G, unsigned T, unsigned I) {
  return {I < 8 ? T * 8 + (I & 7) : T * 8 + (I & 7) + 32, G};
}
// .m16n8k128 and .m16n8k256
Place a16x128Bit(unsigned G, unsigned T, unsigned I) {
  return {I < 32 ? G : G + 8, T * 32 + (I & 31)};
}
Place a16x256Bit(unsigned G, unsigned T, unsigned I) {
  return {I < 32 || (64 <= I && I < 96) ? G : G + 8,
          I < 64 ? T * 32 + (I & 31) : T * 32 + (I & 31) + 128};
}
Place b256x8Bit(unsigned G, unsigned T, unsigned I) {
  return {I < 32 ? T * 32 + (I & 31) : T * 32 + (I & 31) + 128, G};
}

struct Form {
  const char *Shape;
  unsigned M, N, K;
  Layout A, B, C;
  unsigned RegistersA, RegistersB;
  std::vector<const char *> Types; ///< with what else the form needs
};

const Form Forms[] = {
    {".m8n8k4",
     8,
     8,
     4,
     aOf8<1>,
     bOneRegister<1>,
     cOf8,
     1,
     1,
     {".f64.f64.f64.f64"}},
    {".m16n8k4",
     16,
     8,
     4,
     a16x4,
     bOneRegister<1>,
     cOf16,
     2,
     1,
     {".f32.tf32.tf32.f32", ".f64.f64.f64.f64"}},
    {".m16n8k8",
     16,
     8,
     8,
     a16x8Half,
     bOneRegister<2>,
     cOf16,
     2,
     1,
     {".f16.f16.f16.f16", ".f32.f16.f16.f32", ".f32.bf16.bf16.f32"}},
    {".m16n8k8",
     16,
     8,
     8,
     a16x8,
     b8x8,
     cOf16,
     4,
     2,
     {".f32.tf32.tf32.f32", ".f64.f64.f64.f64"}},
    {".m16n8k16",
     16,
     8,
     16,
     a16x16Half,
     b16x8Half,
     cOf16,
     4,
     2,
     {".f16.f16.f16.f16", ".f32.f16.f16.f32", ".f32.bf16.bf16.f32"}},
    {".m16n8k16",
     16,
     8,
     16,
     a16x16Double,
     b16x8Double,
     cOf16,
     8,
     4,
     {".f64.f64.f64.f64", ".rz.f64.f64.f64.f64", ".f64.f64.f64.f64.rp"}},
    {".m8n8k16",
     8,
     8,
     16,
     aOf8<4>,
     bOneRegister<4>,
     cOf8,
     1,
     1,
     {".s32.s8.s8.s32", ".s32.u8.s8.s32", ".satfinite.s32.s8.u8.s32"}},
    {".m16n8k16",
     16,
     8,
     16,
     a16x16Byte,
     bOneRegister<4>,
     cOf16,
     2,
     1,
     {".s32.s8.s8.s32", ".s32.u8.u8.s32.satfinite", ".f32.e4m3.e5m2.f32",
      ".f16.e5m2.e4m3.f16", ".kind::f8f6f4.f16.e4m3.e4m3.f16"}},
    {".m16n8k32",
     16,
     8,
     32,
     a16x32Byte,
     b32x8Byte,
     cOf16,
     4,
     2,
     {".s32.s8.u8.s32", ".satfinite.s32.u8.s8.s32", ".f32.e4m3.e4m3.f32",
      ".f16.e5m2.e5m2.f16", ".kind::f8f6f4.f32.e3m2.e2m3.f32",
      ".kind::f8f6f4.f32.e2m1.e3m2.f32", ".kind::f8f6f4.f16.e2m3.e2m1.f16",
      ".kind::f8f6f4.f32.e4m3.e2m1.f32"}},
    {".m8n8k32",
     8,
     8,
     32,
     aOf8<8>,
     bOneRegister<8>,
     cOf8,
     1,
     1,
     {".s32.s4.s4.s32", ".s32.u4.s4.s32", ".satfinite.s32.u4.u4.s32"}},
    {".m16n8k32",
     16,
     8,
     32,
     a16x32Nibble,
     bOneRegister<8>,
     cOf16,
     2,
     1,
     {".s32.s4.u4.s32", ".satfinite.s32.u4.u4.s32"}},
    {".m16n8k64",
     16,
     8,
     64,
     a16x64Nibble,
     b64x8Nibble,
     cOf16,
     4,
     2,
     {".s32.s4.s4.s32", ".satfinite.s32.u4.s4.s32"}},
    {".m8n8k128",
     8,
     8,
     128,
     aOf8<32>,
     bOneRegister<32>,
     cOf8,
     1,
     1,
     {".s32.b1.b1.s32.xor.popc", ".s32.b1.b1.s32.and.popc"}},
    {".m16n8k128",
     16,
     8,
     128,
     a16x128Bit,
     bOneRegister<32>,
     cOf16,
     2,
     1,
     {".s32.b1.b1.s32.xor.popc", ".s32.b1.b1.s32.and.popc"}},
    {".m16n8k256",
     16,
     8,
     256,
     a16x256Bit,
     b256x8Bit,
     cOf16,
     4,
     2,
     {".s32.b1.b1.s32.xor.popc", ".s32.b1.b1.s32.and.popc"}},
};

unsigned elementsOf(const MatrixFragment &Fragment) {
  return Fragment.NumRegisters * Fragment.RegisterBytes * 8 /
         bitsOf(Fragment.Type);
}

void fill(Registers &Into, const MatrixFragment &Fragment, Layout Where,
          Matrix &From) {
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    for (unsigned I = 0; I != elementsOf(Fragment); ++I) {
      Place At = Where(Lane >> 2, Lane % 4, I);
      Into.setElement(Lane, I, bitsOf(Fragment.Type),
                      encode(Fragment.Type, From(At.Row, At.Column)));
    }
}

MatrixOperation find(const std::string &Modifiers,
                     ptx::Opcode Op = ptx::Opcode::Mma) {
  std::optional<MatrixOperation> Found = findMatrixOperation(Op, Modifiers);
  EXPECT_TRUE(Found) << Modifiers;
  return Found.value_or(MatrixOperation());
}

TEST(MatrixMultiply, FollowsThePrintedLayouts) {
  std::mt19937 Random(1);
  for (const Form &F : Forms)
    for (const char *Types : F.Types) {
      std::string Modifiers =
          std::string(".sync.aligned") + F.Shape + ".row.col" + Types;
      SCOPED_TRACE(Modifiers);
      MatrixOperation Op = find(Modifiers);
      ASSERT_TRUE(Op.Function);
      EXPECT_EQ(Op.M, F.M);
      EXPECT_EQ(Op.N, F.N);
      EXPECT_EQ(Op.K, F.K);
      ASSERT_EQ(Op.A.NumRegisters, F.RegistersA);
      ASSERT_EQ(Op.B.NumRegisters, F.RegistersB);
      EXPECT_EQ(Op.D.NumRegisters,
                F.M / 4 / (Op.D.Type == MatrixType::F16 ? 2 : 1));
      for (unsigned Round = 0; Round != 3; ++Round) {
        Matrix A = randomMatrix(Op.A.Type, F.M, F.K, Random);
        Matrix B = randomMatrix(Op.B.Type, F.K, F.N, Random);
        Matrix C = randomMatrix(Op.C.Type, F.M, F.N, Random);
        if (Op.Saturate)
          for (unsigned I = 0; I != F.M * F.N; ++I)
            C.Elements[I] = I % 2 ? INT32_MAX - I : INT32_MIN + 1.0 * I;
        Operands Given(Op);
        fill(Given.A, Op.A, F.A, A);
        fill(Given.B, Op.B, F.B, B);
        fill(Given.C, Op.C, F.C, C);
        Op.run(Given.Arguments);
        Matrix Wanted = product(Op, A, B, C);
        for (unsigned Lane = 0; Lane != 32; ++Lane)
          for (unsigned I = 0; I != elementsOf(Op.D); ++I) {
            Place At = F.C(Lane >> 2, Lane % 4, I);
            ASSERT_EQ(Given.D.element(Lane, I, bitsOf(Op.D.Type)),
                      encode(Op.D.Type, Wanted(At.Row, At.Column)))
                << "lane " << Lane << " element " << I;
          }
      }
    }
}

// PTX ISA 9.7.14.5.1.
TEST(MatrixMultiply, ComputesFourProductsInM8n8k4) {
  std::mt19937 Random(2);
  for (const char *Layouts : {".row.row", ".row.col", ".col.row", ".col.col"})
    for (const char *Types :
         {".f16.f16.f16.f16", ".f32.f16.f16.f16", ".f32.f16.f16.f32"}) {
      MatrixOperation Op =
          find(std::string(".sync.aligned.m8n8k4") + Layouts + Types);
      ASSERT_TRUE(Op.Function);
      ASSERT_EQ(Op.A.NumRegisters, 2U);
      ASSERT_EQ(Op.B.NumRegisters, 2U);
      bool ColumnA = StringRef(Layouts).starts_with(".col");
      bool ColumnB = StringRef(Layouts).ends_with(".col");
      auto PlaceC = [](MatrixType Type, unsigned Lane, unsigned I) {
        if (Type == MatrixType::F16)
          return Place{Lane % 4 + (Lane < 16 ? 0 : 4), I};
        unsigned X = (Lane & 1) + (I & 2);
        return Place{Lane < 16 ? X : X + 4, (I & 4) + (Lane & 2) + (I & 1)};
      };
      std::vector<Matrix> As, Bs, Cs;
      for (unsigned I = 0; I != 4; ++I) {
        As.push_back(randomMatrix(MatrixType::F16, 8, 4, Random));
        Bs.push_back(randomMatrix(MatrixType::F16, 4, 8, Random));
        Cs.push_back(randomMatrix(MatrixType::F16, 8, 8, Random));
      }
      Operands Given(Op);
      for (unsigned Lane = 0; Lane != 32; ++Lane) {
        unsigned Number = Lane % 16 / 4, High = Lane < 16 ? 0 : 4;
        for (unsigned I = 0; I != 4; ++I) {
          double X = ColumnA ? As[Number](I % 4 + High, Lane % 4)
                             : As[Number](Lane % 4 + High, I);
          double Y = ColumnB ? Bs[Number](I, Lane % 4 + High)
                             : Bs[Number](Lane % 4, I + High);
          Given.A.setElement(Lane, I, 16, encode(MatrixType::F16, X));
          Given.B.setElement(Lane, I, 16, encode(MatrixType::F16, Y));
        }
        for (unsigned I = 0; I != 8; ++I) {
          Place At = PlaceC(Op.C.Type, Lane, I);
          Given.C.setElement(Lane, I, bitsOf(Op.C.Type),
                             encode(Op.C.Type, Cs[Number](At.Row, At.Column)));
        }
      }
      Op.run(Given.Arguments);
      for (unsigned Lane = 0; Lane != 32; ++Lane) {
        unsigned Number = Lane % 16 / 4;
        Matrix Wanted = product(Op, As[Number], Bs[Number], Cs[Number]);
        for (unsigned I = 0; I != 8; ++I) {
          Place At = PlaceC(Op.D.Type, Lane, I);
          ASSERT_EQ(Given.D.element(Lane, I, bitsOf(Op.D.Type)),
                    encode(Op.D.Type, Wanted(At.Row, At.Column)))
              << Layouts << Types << " lane " << Lane << " element " << I;
        }
      }
    }
}

/// Multiplies row 0 of A, which holds \p Code and zeros, by ones: the value of
/// the code as f32.
uint64_t valueOf(const MatrixOperation &Op, Operands &Given, uint64_t Code) {
  Given.A.setElement(0, 0, bitsOf(Op.A.Type), Code);
  Op.run(Given.Arguments);
  return Given.D.get(0, 0);
}

TEST(MatrixMultiply, DecodesEveryCode) {
  for (const char *Types :
       {".m16n8k16.row.col.f32.f16.f16.f32",
        ".m16n8k16.row.col.f32.bf16.bf16.f32",
        ".m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32",
        ".m16n8k32.row.col.kind::f8f6f4.f32.e5m2.e4m3.f32",
        ".m16n8k32.row.col.kind::f8f6f4.f32.e3m2.e4m3.f32",
        ".m16n8k32.row.col.kind::f8f6f4.f32.e2m3.e4m3.f32",
        ".m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e4m3.f32"}) {
    MatrixOperation Op = find(Types);
    ASSERT_TRUE(Op.Function);
    Operands Given(Op);
    for (unsigned Lane = 0; Lane != 32; ++Lane) {
      for (unsigned I = 0; I != elementsOf(Op.A); ++I)
        Given.A.setElement(Lane, I, bitsOf(Op.A.Type), 0);
      for (unsigned I = 0; I != elementsOf(Op.B); ++I)
        Given.B.setElement(Lane, I, bitsOf(Op.B.Type), encode(Op.B.Type, 1));
      for (unsigned I = 0; I != 4; ++I)
        Given.C.set(I, Lane, 0);
    }
    // A step that does not divide 2^16 reaches all kinds of f16 and bf16.
    unsigned Step = bitsOf(Op.A.Type) == 16 ? 7 : 1;
    for (unsigned Code = 0; Code < 1U << bitsOf(Op.A.Type); Code += Step) {
      double Wanted = decode(Op.A.Type, Code);
      uint64_t Got = valueOf(Op, Given, Code);
      if (std::isnan(Wanted))
        ASSERT_EQ(Got, 0x7fffffffU) << Types << " " << Code;
      else // adding 0 makes 0 of -0
        ASSERT_EQ(Got, encode(MatrixType::F32, Wanted + 0.0))
            << Types << " " << Code;
    }
  }
}

TEST(MatrixMultiply, IgnoresTheLowBitsOfTf32) {
  MatrixOperation Op = find(".m16n8k8.row.col.f32.tf32.tf32.f32");
  Operands Given(Op);
  for (unsigned Lane = 0; Lane != 32; ++Lane) {
    for (unsigned I = 0; I != 4; ++I) {
      Given.A.set(I, Lane, 0);
      Given.C.set(I, Lane, 0);
    }
    Given.B.set(0, Lane, encode(MatrixType::F32, 1));
    Given.B.set(1, Lane, encode(MatrixType::F32, 1));
  }
  EXPECT_EQ(valueOf(Op, Given, 0x3fc01fff), 0x3fc00000U);
  EXPECT_EQ(valueOf(Op, Given, 0xc0402000), 0xc0402000U);
}

TEST(MatrixMultiply, RoundsToHalfOnce) {
  MatrixOperation Op = find(".m16n8k8.row.col.f16.f16.f16.f16");
  std::mt19937 Random(3);
  for (unsigned Round = 0; Round != 400; ++Round) {
    // A and C alone, B being the unit matrix times a power of two.
    double Power = std::ldexp(1, static_cast<int>(Random() % 40) - 24);
    Matrix A(16, 8), C(16, 8), B(8, 8);
    auto Finite = [&] {
      uint32_t Code = Random() & 0xffff;
      return decode(MatrixType::F16, (Code & 0x7c00) == 0x7c00 ? 0 : Code);
    };
    for (unsigned I = 0; I != 16 * 8; ++I) {
      A.Elements[I] = Finite();
      C.Elements[I] = Round % 2 ? Finite() : 0;
    }
    for (unsigned I = 0; I != 8; ++I)
      B(I, I) = Power;
    Operands Given(Op);
    fill(Given.A, Op.A, a16x8Half, A);
    fill(Given.B, Op.B, bOneRegister<2>, B);
    fill(Given.C, Op.C, cOf16, C);
    Op.run(Given.Arguments);
    for (unsigned Lane = 0; Lane != 32; ++Lane)
      for (unsigned I = 0; I != 4; ++I) {
        Place At = cOf16(Lane >> 2, Lane % 4, I);
        // Both terms are floats; adding 0, as the other products do, makes 0 of
        // -0.
        float Sum = static_cast<float>(A(At.Row, At.Column) * Power) +
                    static_cast<float>(C(At.Row, At.Column)) + 0.0F;
        uint64_t Wanted = encode(MatrixType::F16, Sum);
        ASSERT_EQ(Given.D.element(Lane, I, 16), Wanted)
            << A(At.Row, At.Column) << " * " << Power << " + "
            << C(At.Row, At.Column);
      }
  }
}

TEST(MatrixMultiply, RoundsDoublesAsAsked) {
  struct {
    const char *Mode;
    double Up, Down; ///< of 1 + 2^-60 and -1 - 2^-60
  } Cases[] = {{"", 1, -1},
               {".rn", 1, -1},
               {".rz", 1, -1},
               {".rp", 1 + 0x1p-52, -1},
               {".rm", 1, -1 - 0x1p-52}};
  for (auto &Case : Cases) {
    MatrixOperation Op =
        find(std::string(".m8n8k4.row.col.f64.f64.f64.f64") + Case.Mode);
    Matrix A(8, 4), B(4, 8), C(8, 8);
    for (unsigned I = 0; I != 4; ++I)
      B(I, I) = 1;
    A(0, 0) = 0x1p-60;
    A(1, 1) = -0x1p-60;
    C(0, 0) = 1;
    C(1, 1) = -1;
    Operands Given(Op);
    fill(Given.A, Op.A, aOf8<1>, A);
    fill(Given.B, Op.B, bOneRegister<1>, B);
    fill(Given.C, Op.C, cOf8, C);
    Op.run(Given.Arguments);
    EXPECT_EQ(decode(MatrixType::F64, Given.D.get(0, 0)), Case.Up) << Case.Mode;
    EXPECT_EQ(decode(MatrixType::F64, Given.D.get(1, 4)), Case.Down)
        << Case.Mode;
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  }
  // A product is not rounded before it is added.
  MatrixOperation Op = find(".m8n8k4.row.col.f64.f64.f64.f64");
  Matrix A(8, 4), B(4, 8), C(8, 8);
  A(0, 0) = 1 + 0x1p-30;
  B(0, 0) = 1 + 0x1p-30;
  C(0, 0) = -1;
  Operands Given(Op);
  fill(Given.A, Op.A, aOf8<1>, A);
  fill(Given.B, Op.B, bOneRegister<1>, B);
  fill(Given.C, Op.C, cOf8, C);
  Op.run(Given.Arguments);
  EXPECT_EQ(decode(MatrixType::F64, Given.D.get(0, 0)), 0x1p-29 + 0x1p-60);
}

TEST(MatrixMultiply, LeavesSinksOut) {
  MatrixOperation Op = find(".m16n8k8.row.col.f16.f16.f16.f16");
  Operands Given(Op);
  uint64_t Before = Given.D.get(1, 5);
  Given.Arguments.Dest[1] = nullptr;
  Op.run(Given.Arguments);
  EXPECT_EQ(Given.D.get(1, 5), Before);
}

// ptxas refuses each of them.
TEST(MatrixMultiply, RefusesWhatPTXDoesNotHave) {
  for (const char *Modifiers :
       {".sync.aligned.m16n8k4.row.col.f32.bf16.bf16.f32",
        ".sync.aligned.m16n8k16.row.col.bf16.bf16.bf16.bf16",
        ".sync.aligned.m16n8k8.row.col.f32.f32.f32.f32",
        ".sync.aligned.m16n8k8.row.col.f32.bf16.tf32.f32",
        ".sync.aligned.m16n8k32.row.col.f32.e2m1.e3m2.f32",
        ".sync.aligned.m16n8k16.row.col.kind::f8f6f4.f32.e2m3.e5m2.f32",
        ".sync.aligned.m16n8k16.col.row.f32.f16.f16.f32",
        ".sync.aligned.m16n8k16.f32.f16.f16.f32",
        ".sync.aligned.m16n8k16.row.col.f16.f16.f16.f32",
        ".sync.aligned.m16n8k16.row.col.f32.f16.f16.f16",
        ".sync.aligned.m8n8k4.row.col.f16.f16.f16.f32",
        ".sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.f32.e4m3.e4m3.f32"})
    EXPECT_FALSE(findMatrixOperation(ptx::Opcode::Mma, Modifiers)) << Modifiers;
  EXPECT_FALSE(findMatrixOperation(ptx::Opcode::WgmmaMmaAsync,
                                   ".sync.aligned.m64n8k16.f32.f16.f16"));
}

} // namespace

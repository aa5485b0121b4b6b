//===- HalfTest.cpp - Arithmetic and comparisons of f16 and bf16 ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"
#include "LaneCases.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::APFloat;
using llvm::fltSemantics;
using llvm::RoundingMode;

namespace {
/// One warp; \p Next gives operand I's bits.
template <class Fn>
void checkHalves(const InstructionCase &C, Fn Next) {
  unsigned N = unsigned(C.Sources.size());
  LaneFunction F = laneFunctionOf(C.Mnemonic, N);
  ASSERT_TRUE(F) << C.Mnemonic;
  unsigned Bytes = elementBytes(bitWidth(C.Sources[0]));
  SmallVector<LaneValues, 3> Values(N);
  LaneInput Inputs[WarpSize];
  for (unsigned L = 0; L != WarpSize; ++L)
    for (unsigned I = 0; I != N; ++I)
      Inputs[L].Source[I] = Values[I][L] = Next(I);
  LaneRun Run(F, SmallVector<unsigned, 3>(N, Bytes), Values);
  for (unsigned L = 0; L != WarpSize; ++L)
    ASSERT_EQ(llvm::utohexstr(Run.Dest[0].get(Bytes, L)),
              llvm::utohexstr(C.Reference(Inputs[L]).Dest[0]))
        << C.Mnemonic << " of 0x" << llvm::utohexstr(Inputs[L].Source[0])
        << " 0x" << llvm::utohexstr(Inputs[L].Source[1]) << " 0x"
        << llvm::utohexstr(Inputs[L].Source[2]);
}

/// The type modifier.
StringRef typeOf(const InstructionCase &C) {
  return StringRef(C.Mnemonic).rsplit('.').second;
}

TEST(HalfTest, ArithmeticIsThatOfAPFloat) {
  ValueSource Values(2);
  std::vector<InstructionCase> All = halfCases();
  EXPECT_EQ(All.size(), 106u);
  for (const InstructionCase &C : All)
    for (unsigned Warp = 0; Warp != 40; ++Warp)
      checkHalves(C, [&](unsigned) {
        const fltSemantics &Format = *formatOf(typeOf(C));
        uint64_t Low = Values.floating(Format, 16);
        return typeOf(C).ends_with("x2")
                   ? Values.floating(Format, 16) << 16 | Low
                   : Low;
      });
}

TEST(HalfTest, FusedMultiplyAddRoundsOnce) {
  // Addends of about the size of half a unit of the product's last place, on
  // either side of a tie.
  ValueSource Values(3);
  for (const InstructionCase &C : halfCases()) {
    if (C.Sources.size() != 3 || typeOf(C).ends_with("x2"))
      continue;
    const fltSemantics &Format = *formatOf(typeOf(C));
    APFloat A(Format), B(Format);
    for (unsigned Warp = 0; Warp != 200; ++Warp)
      checkHalves(C, [&](unsigned I) {
        if (I == 0)
          A = numberOf(Format, Values.random() & 0xffff);
        if (I == 1)
          B = numberOf(Format, Values.random() & 0xffff);
        if (I < 2)
          return bitsOf(I == 0 ? A : B);
        APFloat Product = A;
        Product.multiply(B, ToEven);
        int Scale = int(Values.random() % 60) - 30;
        return bitsOf(llvm::scalbn(Product, Scale, ToEven)) ^
               (Values.random() & 0x8001);
      });
  }
}

TEST(HalfTest, EveryValueOfUnaryOperations) {
  for (const InstructionCase &C : halfCases())
    if (C.Sources.size() == 1) {
      uint64_t Bits = 0;
      bool IsPair = typeOf(C).ends_with("x2");
      while (Bits != 0x10000)
        checkHalves(C, [&](unsigned) {
          uint64_t Low = Bits++;
          return IsPair ? (Low ^ 0x8421) << 16 | Low : Low;
        });
    }
}

TEST(HalfTest, MixedPrecisionRoundsOnce) {
  ValueSource Values(4);
  const fltSemantics &Single = APFloat::IEEEsingle();
  const std::pair<const char *, RoundingMode> Modes[] = {
      {".rn", RoundingMode::NearestTiesToEven},
      {".rz", RoundingMode::TowardZero},
      {".rm", RoundingMode::TowardNegative},
      {".rp", RoundingMode::TowardPositive}};
  for (const char *Name : {"add", "sub", "fma"})
    for (const char *Type : {"f16", "bf16"})
      for (auto [Suffix, Mode] : Modes)
        for (bool Sat : {false, true}) {
          std::string Text =
              std::string(Name) + Suffix + (Sat ? ".sat" : "") + ".f32." + Type;
          unsigned N = StringRef(Name) == "fma" ? 2 : 1;
          LaneFunction F = laneFunctionOf(Text, N + 1);
          ASSERT_TRUE(F) << Text;
          for (unsigned Warp = 0; Warp != 20; ++Warp) {
            SmallVector<LaneValues, 3> V(N + 1);
            for (unsigned L = 0; L != WarpSize; ++L) {
              for (unsigned I = 0; I != N; ++I)
                V[I][L] = Values.floating(*formatOf(Type), 16);
              V[N][L] = Values.floating(Single, 32);
            }
            SmallVector<unsigned, 3> Bytes(N, 2);
            Bytes.push_back(4);
            LaneRun Run(F, Bytes, V);
            for (unsigned L = 0; L != WarpSize; ++L) {
              APFloat R = converted(numberOf(*formatOf(Type), V[0][L]), Single);
              APFloat C = numberOf(Single, V[N][L]);
              if (N == 2)
                R.fusedMultiplyAdd(
                    converted(numberOf(*formatOf(Type), V[1][L]), Single), C,
                    Mode);
              else if (Name[0] == 'a')
                R.add(C, Mode);
              else
                R.subtract(C, Mode);
              if (Sat && (R.isNaN() || R.isNegative()))
                R = APFloat::getZero(Single);
              if (Sat && R > APFloat::getOne(Single))
                R = APFloat::getOne(Single);
              ASSERT_EQ(Run.Dest[0].get(4, L), bitsOf(R))
                  << Text << llvm::utohexstr(V[0][L]) << " "
                  << llvm::utohexstr(V[1][L]);
            }
          }
        }
}

bool holds(StringRef Compare, const APFloat &A, const APFloat &B) {
  APFloat::cmpResult R = A.compare(B);
  bool IsUnordered = R == APFloat::cmpUnordered;
  if (Compare == "num" || Compare == "nan")
    return IsUnordered == (Compare == "nan");
  if (IsUnordered)
    return Compare.ends_with("u");
  if (Compare.starts_with("eq"))
    return R == APFloat::cmpEqual;
  if (Compare.starts_with("ne"))
    return R != APFloat::cmpEqual;
  bool IsStrict =
      R == (Compare[0] == 'l' ? APFloat::cmpLessThan : APFloat::cmpGreaterThan);
  return IsStrict || (Compare[1] == 'e' && R == APFloat::cmpEqual);
}

TEST(HalfTest, Comparisons) {
  ValueSource Values(5);
  for (const char *Type : {"f16", "bf16"})
    for (bool Ftz : {false, true})
      for (const char *Compare :
           {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu",
            "gtu", "geu", "num", "nan"})
        for (const char *Bool : {"", ".and", ".or", ".xor"})
          for (StringRef Dest : {"", "u16", "s32", "half"}) {
            if (Ftz && Type[0] == 'b')
              continue;
            unsigned N = *Bool ? 3 : 2;
            auto MnemonicOf = [&](const char *X2) {
              std::string Text = Dest.empty() ? "setp." : "set.";
              Text += std::string(Compare) + Bool + (Ftz ? ".ftz" : "");
              if (Dest == "half")
                Text += std::string(".") + Type + X2;
              else if (!Dest.empty())
                Text += "." + Dest.str();
              return Text + "." + Type + X2;
            };
            LaneFunction Scalar = laneFunctionOf(MnemonicOf(""), N);
            LaneFunction Packed = laneFunctionOf(MnemonicOf("x2"), N);
            ASSERT_TRUE(Scalar) << MnemonicOf("");
            ASSERT_EQ(Packed == nullptr, Dest == "u16") << MnemonicOf("x2");
            LaneValues Low[3], Pairs[3];
            for (unsigned L = 0; L != WarpSize; ++L) {
              for (unsigned I = 0; I != 2; ++I) {
                bool IsSame = I == 1 && Values.random() % 4 == 0;
                Pairs[I][L] = IsSame
                                  ? Pairs[0][L]
                                  : Values.floating(*formatOf(Type), 16) << 16 |
                                        Values.floating(*formatOf(Type), 16);
                Low[I][L] = Pairs[I][L] & 0xffff;
              }
              Low[2][L] = Pairs[2][L] = Values.random() & 1;
            }
            auto Expect = [&](unsigned L, unsigned Shift) {
              auto Operand = [&](unsigned I) {
                APFloat F = numberOf(*formatOf(Type), Pairs[I][L] >> Shift);
                return flushed(F, Ftz);
              };
              bool Holds = holds(Compare, Operand(0), Operand(1));
              bool With = Pairs[2][L];
              return StringRef(Bool) == ".and"   ? Holds && With
                     : StringRef(Bool) == ".or"  ? Holds || With
                     : StringRef(Bool) == ".xor" ? Holds != With
                                                 : Holds;
            };
            uint64_t One = Type[0] == 'b' ? 0x3f80 : 0x3c00;
            unsigned Bytes = Dest == "s32" ? 4 : Dest.empty() ? 0 : 2;
            uint64_t True = Dest == "s32"    ? 0xffffffff
                            : Dest == "u16"  ? 0xffff
                            : Dest == "half" ? One
                                             : 1;
            ArrayRef<LaneValues> LowSources(Low, N), PairSources(Pairs, N);
            LaneRun Run(Scalar, {2, 2, 0}, LowSources);
            for (unsigned L = 0; L != WarpSize; ++L)
              ASSERT_EQ(Run.Dest[0].get(Bytes, L), Expect(L, 0) ? True : 0)
                  << MnemonicOf("") << " " << llvm::utohexstr(Low[0][L]) << " "
                  << llvm::utohexstr(Low[1][L]);
            if (!Packed)
              continue;
            LaneRun PairRun(Packed, {4, 4, 0}, PairSources);
            for (unsigned L = 0; L != WarpSize; ++L) {
              uint64_t First = Expect(L, 0), Second = Expect(L, 16);
              uint64_t Each = Dest == "half" ? One : 0xffff;
              if (Dest.empty()) {
                ASSERT_EQ(PairRun.Dest[0].get(0, L), First) << MnemonicOf("x2");
                ASSERT_EQ(PairRun.Dest[1].get(0, L), Second)
                    << MnemonicOf("x2");
              } else {
                ASSERT_EQ(PairRun.Dest[0].get(4, L),
                          Second * Each << 16 | First * Each)
                    << MnemonicOf("x2");
              }
            }
          }
}

TEST(HalfTest, WhatPTXHasNotIsNotCovered) {
  for (StringRef Text :
       {"add.sat.bf16", "add.ftz.bf16x2", "mul.relu.f16", "add.rz.f16",
        "min.abs.f16", "set.lt.f32.f16", "setp.lt.u32.f16", "setp.foo.f16",
        "setp.lt.and.f16", "set.lt.f16.bf16", "add.f16x4"})
    EXPECT_FALSE(laneFunctionOf(Text, 2)) << Text.str();
  EXPECT_FALSE(laneFunctionOf("fma.rn.relu.sat.f16", 3));
  EXPECT_FALSE(laneFunctionOf("min.f16", 3));
}
} // namespace

//===- HalfTest.cpp - Arithmetic and comparisons of f16 and bf16 ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaneCases.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::APFloat;
using llvm::fltSemantics;
using llvm::RoundingMode;

namespace {
constexpr RoundingMode ToEven = RoundingMode::NearestTiesToEven;

struct HalfCase {
  std::string Name; ///< "fma"
  bool Ftz = false, Sat = false, Relu = false;
  bool NaN = false, XorSign = false;
  std::string Type = "f16";

  unsigned numSources() const {
    return Name == "fma" ? 3 : Name == "neg" || Name == "abs" ? 1 : 2;
  }
  std::string mnemonic(StringRef Suffix = "") const {
    return Name + (Name == "fma" ? ".rn" : "") + (Ftz ? ".ftz" : "") +
           (Sat ? ".sat" : "") + (Relu ? ".relu" : "") + (NaN ? ".NaN" : "") +
           (XorSign ? ".xorsign.abs" : "") + "." + Type + Suffix.str();
  }
};

APFloat flushed(const APFloat &F, bool Ftz) {
  return Ftz && F.isDenormal()
             ? APFloat::getZero(F.getSemantics(), F.isNegative())
             : F;
}

uint64_t expected(const HalfCase &C, ArrayRef<uint64_t> Bits) {
  const fltSemantics &Format = *formatOf(C.Type);
  SmallVector<APFloat, 3> V;
  for (uint64_t B : Bits)
    V.push_back(flushed(numberOf(Format, B), C.Ftz));
  APFloat R = V[0];
  if (C.Name == "add")
    R.add(V[1], ToEven);
  else if (C.Name == "sub")
    R.subtract(V[1], ToEven);
  else if (C.Name == "mul")
    R.multiply(V[1], ToEven);
  else if (C.Name == "fma")
    R.fusedMultiplyAdd(V[1], V[2], ToEven);
  else if (C.Name == "neg")
    R.changeSign();
  else if (C.Name == "abs")
    R.clearSign();
  else {
    bool IsNegative = V[0].isNegative() != V[1].isNegative();
    if (C.XorSign)
      for (APFloat &F : V)
        F.clearSign();
    bool IsMax = C.Name == "max";
    if (C.NaN)
      R = IsMax ? llvm::maximum(V[0], V[1]) : llvm::minimum(V[0], V[1]);
    else
      R = IsMax ? llvm::maximumnum(V[0], V[1]) : llvm::minimumnum(V[0], V[1]);
    if (C.XorSign && R.isNegative() != IsNegative)
      R.changeSign();
  }
  R = flushed(R, C.Ftz);
  if (C.Sat && (R.isNaN() || R.isNegative()))
    R = APFloat::getZero(Format);
  if (C.Sat && R > APFloat::getOne(Format))
    R = APFloat::getOne(Format);
  if (C.Relu && !R.isNaN() && R.isNegative())
    R = APFloat::getZero(Format);
  return bitsOf(R);
}

std::vector<HalfCase> halfCases() {
  std::vector<HalfCase> All;
  for (const char *Name : {"add", "sub", "mul", "fma"})
    for (bool Ftz : {false, true})
      for (bool Sat : {false, true})
        for (bool Relu : {false, true})
          if (!Relu || (!Sat && StringRef(Name) == "fma")) {
            All.push_back({Name, Ftz, Sat, Relu});
            if (!Ftz && !Sat)
              All.push_back({Name, false, false, Relu, false, false, "bf16"});
          }
  for (const char *Name : {"neg", "abs", "min", "max"})
    for (bool Ftz : {false, true})
      for (bool NaN : {false, true})
        for (bool Xor : {false, true})
          if ((!NaN && !Xor) || Name[0] == 'm') {
            All.push_back({Name, Ftz, false, false, NaN, Xor});
            if (!Ftz)
              All.push_back({Name, false, false, false, NaN, Xor, "bf16"});
          }
  return All;
}

/// Runs scalar and packed lanes on the same values; \p Next gives operand I.
template <class Fn>
void check(const HalfCase &C, Fn Next) {
  unsigned N = C.numSources();
  LaneFunction Scalar = laneFunctionOf(C.mnemonic(), N);
  LaneFunction Packed = laneFunctionOf(C.mnemonic("x2"), N);
  ASSERT_TRUE(Scalar && Packed) << C.mnemonic();
  SmallVector<LaneValues, 3> Low(N), High(N), Pairs(N);
  for (unsigned L = 0; L != WarpLanes; ++L)
    for (unsigned I = 0; I != N; ++I) {
      Low[I][L] = Next(I);
      High[I][L] = Next(I);
      Pairs[I][L] = High[I][L] << 16 | Low[I][L];
    }
  SmallVector<unsigned, 3> Two(N, 2), Four(N, 4);
  LaneRun LowRun(Scalar, Two, Low), PairRun(Packed, Four, Pairs);
  for (unsigned L = 0; L != WarpLanes; ++L) {
    SmallVector<uint64_t, 3> LowBits, HighBits;
    for (unsigned I = 0; I != N; ++I) {
      LowBits.push_back(Low[I][L]);
      HighBits.push_back(High[I][L]);
    }
    uint64_t WantLow = expected(C, LowBits), WantHigh = expected(C, HighBits);
    auto Text = [&](ArrayRef<uint64_t> Bits) {
      std::string S = C.mnemonic();
      for (uint64_t B : Bits)
        S += " 0x" + llvm::utohexstr(B);
      return S;
    };
    ASSERT_EQ(LowRun.Dest[0].get(2, L), WantLow) << Text(LowBits);
    ASSERT_EQ(PairRun.Dest[0].get(4, L) & 0xffff, WantLow) << Text(LowBits);
    ASSERT_EQ(PairRun.Dest[0].get(4, L) >> 16, WantHigh) << Text(HighBits);
  }
}

TEST(HalfTest, ArithmeticIsThatOfAPFloat) {
  ValueSource Values(2);
  std::vector<HalfCase> All = halfCases();
  EXPECT_EQ(All.size(), 53u);
  for (const HalfCase &C : All)
    for (unsigned Warp = 0; Warp != 40; ++Warp)
      check(C,
            [&](unsigned) { return Values.floating(*formatOf(C.Type), 16); });
}

TEST(HalfTest, FusedMultiplyAddRoundsOnce) {
  // Addends of about the size of half a unit of the product's last place, on
  // either side of a tie.
  ValueSource Values(3);
  for (const char *Type : {"f16", "bf16"}) {
    const fltSemantics &Format = *formatOf(Type);
    HalfCase C{"fma", false, false, false, false, false, Type};
    APFloat A(Format), B(Format);
    for (unsigned Warp = 0; Warp != 500; ++Warp)
      check(C, [&](unsigned I) {
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
  for (const HalfCase &C : halfCases())
    if (C.numSources() == 1) {
      uint64_t Bits = 0;
      while (Bits != 0x10000)
        check(C, [&](unsigned) { return Bits++; });
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
            for (unsigned L = 0; L != WarpLanes; ++L) {
              for (unsigned I = 0; I != N; ++I)
                V[I][L] = Values.floating(*formatOf(Type), 16);
              V[N][L] = Values.floating(Single, 32);
            }
            SmallVector<unsigned, 3> Bytes(N, 2);
            Bytes.push_back(4);
            LaneRun Run(F, Bytes, V);
            for (unsigned L = 0; L != WarpLanes; ++L) {
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
            auto text = [&](const char *X2) {
              std::string Text = Dest.empty() ? "setp." : "set.";
              Text += std::string(Compare) + Bool + (Ftz ? ".ftz" : "");
              if (Dest == "half")
                Text += std::string(".") + Type + X2;
              else if (!Dest.empty())
                Text += "." + Dest.str();
              return Text + "." + Type + X2;
            };
            LaneFunction Scalar = laneFunctionOf(text(""), N);
            LaneFunction Packed = laneFunctionOf(text("x2"), N);
            ASSERT_TRUE(Scalar) << text("");
            ASSERT_EQ(Packed == nullptr, Dest == "u16") << text("x2");
            LaneValues Low[3], Pairs[3];
            for (unsigned L = 0; L != WarpLanes; ++L) {
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
            auto want = [&](unsigned L, unsigned Shift) {
              auto operand = [&](unsigned I) {
                APFloat F = numberOf(*formatOf(Type), Pairs[I][L] >> Shift);
                return flushed(F, Ftz);
              };
              bool Holds = holds(Compare, operand(0), operand(1));
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
            for (unsigned L = 0; L != WarpLanes; ++L)
              ASSERT_EQ(Run.Dest[0].get(Bytes, L), want(L, 0) ? True : 0)
                  << text("") << " " << llvm::utohexstr(Low[0][L]) << " "
                  << llvm::utohexstr(Low[1][L]);
            if (!Packed)
              continue;
            LaneRun PairRun(Packed, {4, 4, 0}, PairSources);
            for (unsigned L = 0; L != WarpLanes; ++L) {
              uint64_t First = want(L, 0), Second = want(L, 16);
              uint64_t Each = Dest == "half" ? One : 0xffff;
              if (Dest.empty()) {
                ASSERT_EQ(PairRun.Dest[0].get(0, L), First) << text("x2");
                ASSERT_EQ(PairRun.Dest[1].get(0, L), Second) << text("x2");
              } else {
                ASSERT_EQ(PairRun.Dest[0].get(4, L),
                          Second * Each << 16 | First * Each)
                    << text("x2");
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

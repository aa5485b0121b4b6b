//===- ApproximationTest.cpp - Errors of approximate functions ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaneCases.h"
#include <cmath>
#include <functional>
#if PTXPREDICT_HAS_MPFR
#include <mpfr.h>
#endif

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::APFloat;

namespace {
uint64_t bits(float F) { return llvm::bit_cast<uint32_t>(F); }
uint64_t bits(double D) { return llvm::bit_cast<uint64_t>(D); }
float asFloat(uint64_t Bits) { return llvm::bit_cast<float>(uint32_t(Bits)); }

/// The result in lane 0 of \p Text with these bits as operands.
uint64_t resultOf(StringRef Text, unsigned Bytes, ArrayRef<uint64_t> Operands) {
  LaneFunction F = laneFunctionOf(Text, unsigned(Operands.size()));
  EXPECT_TRUE(F) << Text.str();
  if (!F)
    return 0;
  SmallVector<LaneValues, 2> Sources;
  for (uint64_t B : Operands)
    Sources.emplace_back().fill(B);
  SmallVector<unsigned, 2> AllBytes(Operands.size(), Bytes);
  return LaneRun(F, AllBytes, Sources).Dest[0].get(Bytes, 0);
}

constexpr uint64_t NaN32 = 0x7fffffff, Inf32 = 0x7f800000;
constexpr uint64_t Neg32 = 0x80000000;

TEST(ApproximationTest, SpecialValues) {
  // -Inf, -1, -0, +0, +Inf, NaN, as the tables of PTX ISA 9.7.3 say.
  const uint64_t Inputs[] = {Neg32 | Inf32, Neg32 | bits(1.0f), Neg32, 0,
                             Inf32,         0xffc01234};
  struct Row {
    const char *Name;
    uint64_t Results[6];
  };
  const uint64_t One = bits(1.0f), MinusOne = Neg32 | One;
  const Row Rows[] = {
      {"rcp.approx", {Neg32, MinusOne, Neg32 | Inf32, Inf32, 0, NaN32}},
      {"sqrt.approx", {NaN32, NaN32, Neg32, 0, Inf32, NaN32}},
      {"rsqrt.approx", {NaN32, NaN32, Neg32 | Inf32, Inf32, 0, NaN32}},
      {"lg2.approx",
       {NaN32, NaN32, Neg32 | Inf32, Neg32 | Inf32, Inf32, NaN32}},
      {"ex2.approx", {0, bits(0.5f), One, One, Inf32, NaN32}},
  };
  for (const Row &R : Rows)
    for (const char *Ftz : {"", ".ftz"})
      for (unsigned I = 0; I != 6; ++I)
        EXPECT_EQ(resultOf(std::string(R.Name) + Ftz + ".f32", 4, {Inputs[I]}),
                  R.Results[I])
            << R.Name << Ftz << " " << I;
  for (StringRef Text : {"sin.approx.f32", "sin.approx.ftz.f32"}) {
    EXPECT_EQ(resultOf(Text, 4, {Neg32}), Neg32);
    EXPECT_EQ(resultOf(Text, 4, {0}), 0u);
  }
  EXPECT_EQ(resultOf("cos.approx.f32", 4, {Neg32}), One);
  for (StringRef Text : {"sin.approx.f32", "cos.approx.f32"})
    for (uint64_t Input : {Inf32, Neg32 | Inf32, uint64_t(0xffc01234)})
      EXPECT_EQ(resultOf(Text, 4, {Input}), NaN32);
  EXPECT_EQ(resultOf("tanh.approx.f32", 4, {Inf32}), One);
  EXPECT_EQ(resultOf("tanh.approx.f32", 4, {Neg32 | Inf32}), MinusOne);
  EXPECT_EQ(resultOf("tanh.approx.f32", 4, {Neg32}), Neg32);
  EXPECT_EQ(resultOf("tanh.approx.f32", 4, {Inf32 + 1}), NaN32);
}

TEST(ApproximationTest, SubnormalsAreFlushedWithFtzOnly) {
  EXPECT_EQ(resultOf("rcp.approx.ftz.f32", 4, {Neg32 | 5}), Neg32 | Inf32);
  EXPECT_EQ(resultOf("rcp.approx.f32", 4, {bits(0x1p-127f)}), bits(0x1p127f));
  EXPECT_EQ(resultOf("rcp.approx.f32", 4, {bits(0x1p127f)}), bits(0x1p-127f));
  EXPECT_EQ(resultOf("rcp.approx.ftz.f32", 4, {bits(-0x1p127f)}), Neg32);
  EXPECT_EQ(resultOf("rsqrt.approx.ftz.f32", 4, {Neg32 | 5}), Neg32 | Inf32);
  EXPECT_EQ(resultOf("rsqrt.approx.f32", 4, {bits(0x1p-130f)}), bits(0x1p65f));
  EXPECT_EQ(resultOf("sqrt.approx.ftz.f32", 4, {Neg32 | 5}), Neg32);
  EXPECT_EQ(resultOf("sqrt.approx.f32", 4, {bits(0x1p-140f)}), bits(0x1p-70f));
  EXPECT_EQ(resultOf("lg2.approx.ftz.f32", 4, {5}), Neg32 | Inf32);
  EXPECT_EQ(resultOf("lg2.approx.f32", 4, {1}), bits(-149.0f));
  EXPECT_EQ(resultOf("ex2.approx.ftz.f32", 4, {bits(-127.0f)}), 0u);
  EXPECT_EQ(resultOf("ex2.approx.f32", 4, {bits(-149.0f)}), 1u);
  EXPECT_EQ(resultOf("ex2.approx.f32", 4, {bits(-127.0f)}), bits(0x1p-127f));
  EXPECT_EQ(resultOf("ex2.approx.f32", 4, {bits(128.0f)}), Inf32);
  EXPECT_EQ(resultOf("ex2.approx.f32", 4, {bits(-3e38f)}), 0u);
  EXPECT_EQ(resultOf("sin.approx.ftz.f32", 4, {Neg32 | 5}), Neg32);
  EXPECT_EQ(resultOf("sin.approx.f32", 4, {Neg32 | 5}), Neg32 | 5);
}

TEST(ApproximationTest, Quotients) {
  auto Quotient = [](float A, float B) {
    return resultOf("div.approx.f32", 4, {bits(A), bits(B)});
  };
  EXPECT_EQ(Quotient(6, 3), bits(2.0f));
  EXPECT_EQ(Quotient(1, 0x1p126f), bits(0x1p-126f));
  // Above 2^126 the quotient is 0, or NaN for an infinite dividend.
  EXPECT_EQ(Quotient(1e38f, 0x1.8p126f), 0u);
  EXPECT_EQ(Quotient(-1e38f, 0x1.8p126f), Neg32);
  EXPECT_EQ(Quotient(1e38f, -0x1p127f), Neg32);
  EXPECT_EQ(Quotient(INFINITY, 0x1p127f), NaN32);
  EXPECT_EQ(Quotient(1, INFINITY), 0u);
  EXPECT_EQ(Quotient(INFINITY, INFINITY), NaN32);
  EXPECT_EQ(Quotient(1, 0), Inf32);
  EXPECT_EQ(Quotient(0, 0), NaN32);
  EXPECT_EQ(resultOf("div.full.f32", 4, {bits(1e38f), bits(0x1p127f)}),
            bits(1e38f / 0x1p127f));
  EXPECT_EQ(resultOf("div.full.ftz.f32", 4, {1, bits(0x1p-126f)}), 0u);
  EXPECT_EQ(resultOf("div.approx.ftz.f32", 4, {bits(1.0f), Neg32 | 1}),
            Neg32 | Inf32);
}

TEST(ApproximationTest, UpperWordsOfDoubles) {
  const uint64_t NaN = 0x7fffffff00000000, Inf = bits(HUGE_VAL);
  const uint64_t Neg = uint64_t(1) << 63;
  const uint64_t Inputs[] = {
      Neg | Inf, Neg | 1, Neg, 0, 1, Inf, Inf + 1 + (1ull << 40)};
  const uint64_t Rcp[] = {Neg, Neg | Inf, Neg | Inf, Inf, Inf, 0, NaN};
  const uint64_t Rsqrt[] = {NaN, Neg | Inf, Neg | Inf, Inf, Inf, 0, NaN};
  for (unsigned I = 0; I != 7; ++I) {
    EXPECT_EQ(resultOf("rcp.approx.ftz.f64", 8, {Inputs[I]}), Rcp[I]) << I;
    EXPECT_EQ(resultOf("rsqrt.approx.ftz.f64", 8, {Inputs[I]}), Rsqrt[I]) << I;
  }
  // The lower word does not count, and results below 2^-1022 are 0.
  EXPECT_EQ(resultOf("rcp.approx.ftz.f64", 8, {bits(4.0) | 0xffffffff}),
            bits(0.25));
  EXPECT_EQ(resultOf("rcp.approx.ftz.f64", 8, {bits(-0x1p1023)}), Neg);
  EXPECT_EQ(resultOf("rsqrt.approx.ftz.f64", 8, {bits(-4.0)}), NaN);
  EXPECT_EQ(resultOf("rsqrt.approx.f64", 8, {bits(0x1p-1070)}), bits(0x1p535));
  EXPECT_EQ(resultOf("rsqrt.approx.f64", 8, {Neg}), Neg | Inf);
  ValueSource Values(6);
  for (unsigned I = 0; I != 2000; ++I) {
    double X = llvm::bit_cast<double>(Values.random() >> 1 & ~(1ull << 62));
    X = std::fmax(X, 0x1p-1000);
    for (bool IsRoot : {false, true}) {
      uint64_t Result = resultOf(
          IsRoot ? "rsqrt.approx.ftz.f64" : "rcp.approx.ftz.f64", 8, {bits(X)});
      double Upper = llvm::bit_cast<double>(bits(X) & 0xffffffff00000000);
      double Exact = 1 / (IsRoot ? std::sqrt(Upper) : Upper);
      double Error = llvm::bit_cast<double>(Result) / Exact - 1;
      ASSERT_EQ(Result & 0xffffffff, 0u);
      ASSERT_LE(std::fabs(Error), 0x1p-20) << X;
    }
  }
}

TEST(ApproximationTest, WhatPTXHasNotIsNotCovered) {
  for (StringRef Text :
       {"rcp.approx.f64", "sin.f32", "sin.approx.f16", "tanh.approx.ftz.f32",
        "ex2.approx.ftz.f16", "ex2.approx.bf16", "sqrt.approx.f64",
        "ex2.full.f32", "lg2.approx.f32.f32"})
    EXPECT_FALSE(laneFunctionOf(Text, 1)) << Text.str();
  for (StringRef Text : {"div.approx.full.f32", "div.full.f64"})
    EXPECT_FALSE(laneFunctionOf(Text, 2)) << Text.str();
}

#if PTXPREDICT_HAS_MPFR

using Exact = int (*)(mpfr_t, const mpfr_t);
int base2Log(mpfr_t R, const mpfr_t X) { return mpfr_log2(R, X, MPFR_RNDN); }
int base2Exp(mpfr_t R, const mpfr_t X) { return mpfr_exp2(R, X, MPFR_RNDN); }
int sine(mpfr_t R, const mpfr_t X) { return mpfr_sin(R, X, MPFR_RNDN); }
int cosine(mpfr_t R, const mpfr_t X) { return mpfr_cos(R, X, MPFR_RNDN); }
int tangent(mpfr_t R, const mpfr_t X) { return mpfr_tanh(R, X, MPFR_RNDN); }
int root(mpfr_t R, const mpfr_t X) { return mpfr_sqrt(R, X, MPFR_RNDN); }
int inverseRoot(mpfr_t R, const mpfr_t X) {
  return mpfr_rec_sqrt(R, X, MPFR_RNDN);
}
int inverse(mpfr_t R, const mpfr_t X) {
  return mpfr_ui_div(R, 1, X, MPFR_RNDN);
}

/// |Got - Exact(X)|, and |Exact(X)|; doubles have bits enough for errors of
/// float.
struct Deviation {
  double Error, Magnitude;
};
Deviation deviation(Exact Function, double X, double Got) {
  mpfr_t Value;
  mpfr_init2(Value, 80);
  mpfr_set_d(Value, X, MPFR_RNDN);
  Function(Value, Value);
  double Magnitude = std::fabs(mpfr_get_d(Value, MPFR_RNDN));
  mpfr_sub_d(Value, Value, Got, MPFR_RNDN);
  double Error = std::fabs(mpfr_get_d(Value, MPFR_RNDN));
  mpfr_clear(Value);
  return {Error, Magnitude};
}

/// The distance of floats at \p Magnitude.
double ulp(double Magnitude) {
  return std::fmax(std::ldexp(1.0, std::ilogb(Magnitude) - 23), 0x1p-149);
}

/// \p Text on floats that \p Next gives; \p Bound is the greatest error.
void checkErrors(StringRef Text, Exact Function,
                 const std::function<float()> &Next,
                 const std::function<double(double, double)> &Bound) {
  LaneFunction F = laneFunctionOf(Text, 1);
  ASSERT_TRUE(F) << Text.str();
  for (unsigned Warp = 0; Warp != 1000; ++Warp) {
    LaneValues Source;
    for (uint64_t &V : Source)
      V = bits(Next());
    LaneRun Run(F, {4}, {Source});
    for (unsigned L = 0; L != WarpSize; ++L) {
      double X = asFloat(Source[L]), Got = asFloat(Run.Dest[0].get(4, L));
      Deviation D = deviation(Function, X, Got);
      // Beyond the greatest float the result is infinite.
      if (D.Magnitude > 0x1.fffffep127 && std::isinf(Got))
        continue;
      ASSERT_LE(D.Error, Bound(X, D.Magnitude))
          << Text.str() << " of " << X << " is " << Got;
    }
  }
}

TEST(ApproximationTest, ErrorsAreWithinTheBoundsOfTheISA) {
  ValueSource Values(7);
  auto Positive = [&] {
    return asFloat(std::max<uint64_t>(Values.random() % Inf32, 1));
  };
  auto Within = [&](double Range) {
    return [&Values, Range] {
      return float((double(Values.random() >> 11) * 0x1p-52 - 1) * Range);
    };
  };
  auto RelativeTo = [](double Most) {
    return [Most](double, double Magnitude) { return Magnitude * Most; };
  };
  auto AbsoluteOf = [](double Most) {
    return [Most](double, double) { return Most; };
  };
  // The ISA's 2 ulp are from the correctly rounded result.
  auto Ulps = [](double Most) {
    return [Most](double, double Magnitude) { return Most * ulp(Magnitude); };
  };
  const double Pi = 3.14159265358979;
  // 1 ulp for rcp, 2^-23 for sqrt.
  checkErrors("rcp.approx.f32", inverse, Positive, Ulps(1));
  checkErrors("sqrt.approx.f32", root, Positive, RelativeTo(0x1p-23));
  checkErrors("rsqrt.approx.f32", inverseRoot, Positive,
              RelativeTo(std::exp2(-22.9)));
  checkErrors("ex2.approx.f32", base2Exp, Within(150), Ulps(1.5));
  checkErrors("ex2.approx.f32", base2Exp, Within(1), Ulps(1.5));
  auto OfLogarithm = [](double X, double Magnitude) {
    return X > 0.5 && X < 2 ? 0x1p-22 : Magnitude * 0x1p-22;
  };
  checkErrors("lg2.approx.f32", base2Log, Positive, OfLogarithm);
  checkErrors(
      "lg2.approx.f32", base2Log,
      [&] { return std::fabs(Within(4)()) + 0x1p-20f; }, OfLogarithm);
  checkErrors("sin.approx.f32", sine, Within(2 * Pi),
              AbsoluteOf(std::exp2(-20.5)));
  checkErrors("cos.approx.f32", cosine, Within(2 * Pi),
              AbsoluteOf(std::exp2(-20.5)));
  checkErrors("sin.approx.f32", sine, Within(100 * Pi),
              AbsoluteOf(std::exp2(-14.7)));
  checkErrors("cos.approx.f32", cosine, Within(100 * Pi),
              AbsoluteOf(std::exp2(-14.7)));
  // No bound of the ISA, but no reason to be worse.
  checkErrors("sin.approx.f32", sine, Within(1e5), Ulps(0.51));
  checkErrors("cos.approx.f32", cosine, Within(1e5), Ulps(0.51));
  checkErrors("tanh.approx.f32", tangent, Within(10), RelativeTo(0x1p-11));
  checkErrors("tanh.approx.f32", tangent, Within(0x1p-100),
              RelativeTo(0x1p-11));
}

TEST(ApproximationTest, EveryHalfIsWithinTheBoundsOfTheISA) {
  struct Row {
    const char *Text, *Type;
    Exact Function;
    double Relative, Absolute;
  };
  for (const Row &R :
       {Row{"tanh.approx.f16", "f16", tangent, 0, std::exp2(-10.987)},
        Row{"tanh.approx.bf16", "bf16", tangent, 0, 0x1p-8},
        Row{"ex2.approx.f16", "f16", base2Exp, std::exp2(-9.9), 0x1p-25},
        Row{"ex2.approx.ftz.bf16", "bf16", base2Exp, 0x1p-7, 0x1p-126}}) {
    LaneFunction Scalar = laneFunctionOf(R.Text, 1);
    LaneFunction Packed = laneFunctionOf(std::string(R.Text) + "x2", 1);
    ASSERT_TRUE(Scalar && Packed) << R.Text;
    const llvm::fltSemantics &Format = *formatOf(R.Type);
    for (uint64_t First = 0; First != 0x10000; First += WarpSize) {
      LaneValues Source, Pairs;
      for (unsigned L = 0; L != WarpSize; ++L) {
        Source[L] = First + L;
        Pairs[L] = Source[L] << 16 | (Source[L] ^ 1);
      }
      LaneRun Run(Scalar, {2}, {Source}), PairRun(Packed, {4}, {Pairs});
      for (unsigned L = 0; L != WarpSize; ++L) {
        uint64_t Got = Run.Dest[0].get(2, L);
        ASSERT_EQ(PairRun.Dest[0].get(4, L) >> 16, Got);
        ASSERT_EQ(PairRun.Dest[0].get(4, L) & 0xffff,
                  Run.Dest[0].get(2, L ^ 1));
        APFloat X = numberOf(Format, Source[L]), Result = numberOf(Format, Got);
        if (X.isNaN()) {
          ASSERT_EQ(Got, 0x7fffu);
          continue;
        }
        double Value = converted(X, APFloat::IEEEdouble()).convertToDouble();
        double As = converted(Result, APFloat::IEEEdouble()).convertToDouble();
        if (std::isinf(Value)) {
          double Limit = R.Function == tangent ? std::copysign(1, Value)
                         : Value < 0           ? 0
                                               : Value;
          ASSERT_EQ(As, Limit);
          continue;
        }
        Deviation D = deviation(R.Function, Value, As);
        if (Result.isInfinity()) {
          double Largest =
              converted(APFloat::getLargest(Format), APFloat::IEEEdouble())
                  .convertToDouble();
          ASSERT_GT(D.Magnitude, Largest) << R.Text << " of " << Value;
          continue;
        }
        ASSERT_LE(D.Error, D.Magnitude * R.Relative + R.Absolute)
            << R.Text << " of " << Value << " is " << As;
      }
    }
  }
}

#else

TEST(ApproximationTest, ErrorsAreWithinTheBoundsOfTheISA) {
  GTEST_SKIP() << "needs libmpfr-dev";
}

#endif
} // namespace

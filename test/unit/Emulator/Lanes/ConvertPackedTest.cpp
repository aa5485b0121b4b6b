//===- ConvertPackedTest.cpp - cvt of packed formats ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaneCases.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::APFloat;
using llvm::fltSemantics;
using llvm::RoundingMode;

namespace {
const char *const NarrowTypes[] = {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"};

unsigned fieldBits(StringRef Narrow) { return Narrow == "e2m1" ? 4 : 8; }

double asDouble(const APFloat &F) {
  return converted(F, APFloat::IEEEdouble()).convertToDouble();
}

/// What PTX makes of a rounded result: NaN without a sign, or the greatest
/// number where there is none; \p SatFinite no infinity.
uint64_t finished(APFloat R, bool IsNaN, bool Relu, bool SatFinite) {
  const fltSemantics &Format = R.getSemantics();
  if (IsNaN) {
    unsigned Bits = APFloat::getSizeInBits(Format);
    return (uint64_t(1) << (Bits - 1)) - 1; // NaN, or the greatest number
  }
  if (Relu && R.isNegative())
    R = APFloat::getZero(Format);
  // The formats without infinity overflow to NaN or to the greatest number.
  if (SatFinite && !R.isFinite())
    R = APFloat::getLargest(Format, R.isNegative());
  return R.bitcastToAPInt().getZExtValue();
}

uint64_t narrowed(const APFloat &F, const fltSemantics &To, RoundingMode Mode,
                  bool Relu, bool SatFinite) {
  if (F.isNaN())
    return finished(APFloat::getZero(To), true, Relu, SatFinite);
  APFloat R = converted(F, To, Mode);
  // An infinity of the source, in a format that has none.
  if (F.isInfinity() && !R.isInfinity())
    R = APFloat::getLargest(To, F.isNegative());
  if (R.isNaN())
    R = APFloat::getLargest(To, F.isNegative());
  return finished(R, false, Relu, SatFinite);
}

struct PackedOperands {
  SmallVector<unsigned, 6> Bytes;
  SmallVector<LaneValues, 6> Values;

  void add(unsigned ElementBytes) {
    Bytes.push_back(ElementBytes);
    Values.emplace_back();
  }
};

std::string flags(bool Relu, bool SatFinite) {
  return std::string(Relu ? ".relu" : "") + (SatFinite ? ".satfinite" : "");
}

TEST(ConvertPackedTest, PairsOfF32ToHalves) {
  ValueSource Values(11);
  const fltSemantics &Single = APFloat::IEEEsingle();
  for (std::string Type : {"f16", "bf16"})
    for (bool IsZero : {false, true})
      for (bool Relu : {false, true})
        for (bool Sat : {false, true}) {
          std::string Text = std::string(IsZero ? "cvt.rz" : "cvt.rn") +
                             flags(Relu, Sat) + "." + Type + "x2.f32";
          LaneFunction F = laneFunctionOf(Text, 2);
          ASSERT_TRUE(F) << Text;
          for (unsigned Warp = 0; Warp != 20; ++Warp) {
            LaneValues A, B;
            for (unsigned L = 0; L != WarpSize; ++L) {
              A[L] = Values.floating(Single, 32);
              B[L] = Values.floating(Single, 32);
            }
            LaneRun Run(F, {4, 4}, {A, B});
            auto Expect = [&](uint64_t Bits) {
              return narrowed(numberOf(Single, Bits), *formatOf(Type),
                              IsZero ? RoundingMode::TowardZero : ToEven, Relu,
                              Sat);
            };
            for (unsigned L = 0; L != WarpSize; ++L)
              ASSERT_EQ(Run.Dest[0].get(4, L),
                        Expect(A[L]) << 16 | Expect(B[L]))
                  << Text << " " << llvm::utohexstr(A[L]) << " "
                  << llvm::utohexstr(B[L]);
          }
        }
}

TEST(ConvertPackedTest, ToNarrowFloats) {
  ValueSource Values(12);
  for (StringRef Type : NarrowTypes)
    for (StringRef Source : {"f32", "f16x2", "bf16x2"})
      for (bool Relu : {false, true}) {
        std::string Text = "cvt.rn" + flags(Relu, true) + "." + Type.str() +
                           "x2." + Source.str();
        bool IsSingle = Source == "f32";
        LaneFunction F = laneFunctionOf(Text, IsSingle ? 2 : 1);
        ASSERT_TRUE(F) << Text;
        const fltSemantics &From = *formatOf(Source), &To = *formatOf(Type);
        unsigned Bits = APFloat::getSizeInBits(From), Field = fieldBits(Type);
        // Every half, as both elements.
        uint64_t Next = 0;
        for (unsigned Warp = 0; Warp != (IsSingle ? 100 : 2048); ++Warp) {
          LaneValues A, B, Pair;
          for (unsigned L = 0; L != WarpSize; ++L, ++Next) {
            A[L] = IsSingle ? Values.floating(From, Bits) : Next;
            B[L] = IsSingle ? Values.floating(From, Bits) : Next ^ 0x8421;
            Pair[L] = A[L] << 16 | B[L];
          }
          LaneRun Run =
              IsSingle ? LaneRun(F, {4, 4}, {A, B}) : LaneRun(F, {4}, {Pair});
          auto Expect = [&](uint64_t Element) {
            return narrowed(numberOf(From, Element), To, ToEven, Relu, true);
          };
          for (unsigned L = 0; L != WarpSize; ++L)
            ASSERT_EQ(Run.Dest[0].get(2, L),
                      Expect(A[L]) << Field | Expect(B[L]))
                << Text << " " << llvm::utohexstr(A[L]) << " "
                << llvm::utohexstr(B[L]);
        }
      }
}

/// Scaled by a power of two; ue8m0 has 0xff for NaN.
uint64_t unscaled(double Value, uint64_t Scale, const fltSemantics &To,
                  bool Relu, bool SatFinite) {
  APFloat F(std::ldexp(Value, int(Scale) - 127));
  if (Scale == 0xff || F.isNaN())
    return finished(APFloat::getZero(To), true, Relu, SatFinite);
  return finished(converted(F, To, ToEven), false, Relu, SatFinite);
}

TEST(ConvertPackedTest, FromNarrowFloats) {
  ValueSource Values(13);
  for (StringRef Type : NarrowTypes)
    for (StringRef Dest : {"f16x2", "bf16x2"})
      for (bool Relu : {false, true})
        for (bool Sat : {false, true})
          for (bool IsScaled : {false, true}) {
            if ((Sat || IsScaled) && Dest == "f16x2")
              continue;
            std::string Text = "cvt.rn" + flags(Relu, Sat) +
                               (IsScaled ? ".scaled::n2::ue8m0." : ".") +
                               Dest.str() + "." + Type.str() + "x2";
            LaneFunction F = laneFunctionOf(Text, 1 + IsScaled);
            ASSERT_TRUE(F) << Text;
            const fltSemantics &From = *formatOf(Type), &To = *formatOf(Dest);
            unsigned Field = fieldBits(Type);
            uint64_t Mask = (uint64_t(1) << APFloat::getSizeInBits(From)) - 1;
            uint64_t Next = 0;
            for (unsigned Warp = 0; Warp != (IsScaled ? 32 : 8); ++Warp) {
              LaneValues A, B, Pair, Scale;
              for (unsigned L = 0; L != WarpSize; ++L, ++Next) {
                A[L] = Next & Mask;
                B[L] = ~Next & Mask;
                Pair[L] = A[L] << Field | B[L];
                Scale[L] = Values.random() & 0xffff;
                if (Next % 16 == 0)
                  Scale[L] |= 0xff;
              }
              LaneRun Run(F, {2, 2},
                          IsScaled ? ArrayRef<LaneValues>{Pair, Scale}
                                   : ArrayRef<LaneValues>{Pair});
              auto Expect = [&](uint64_t Element, uint64_t By) {
                return unscaled(asDouble(numberOf(From, Element)),
                                IsScaled ? By & 0xff : 127, To, Relu, Sat);
              };
              for (unsigned L = 0; L != WarpSize; ++L)
                ASSERT_EQ(Run.Dest[0].get(4, L), Expect(A[L], Scale[L] >> 8)
                                                         << 16 |
                                                     Expect(B[L], Scale[L]))
                    << Text << " " << llvm::utohexstr(Pair[L]) << " "
                    << llvm::utohexstr(Scale[L]);
            }
          }
}

/// Stochastic rounding by arithmetic on values: away from zero if the fraction
/// that would be dropped, plus Random / 2^RandomBits, is 1 or more.
uint64_t stochastic(const APFloat &F, const fltSemantics &To, unsigned Random,
                    unsigned RandomBits, bool Relu, bool SatFinite) {
  uint64_t Sign =
      F.isNegative() ? uint64_t(1) << (APFloat::getSizeInBits(To) - 1) : 0;
  bool IsZero = Relu && F.isNegative() && !F.isNaN();
  uint64_t Down =
      narrowed(F, To, RoundingMode::TowardZero, false, true) & ~Sign;
  if (IsZero)
    return 0;
  if (F.isNaN())
    return Down;
  uint64_t Largest = APFloat::getLargest(To).bitcastToAPInt().getZExtValue();
  uint64_t Infinite =
      SatFinite ? Largest : APFloat::getInf(To).bitcastToAPInt().getZExtValue();
  if (F.isInfinity())
    return Sign | Infinite;
  double Low = asDouble(numberOf(To, Down));
  double Step = Down == Largest ? Low - asDouble(numberOf(To, Down - 1))
                                : asDouble(numberOf(To, Down + 1)) - Low;
  double Fraction = (std::fabs(asDouble(F)) - Low) / Step;
  if (Fraction + std::ldexp(Random, -int(RandomBits)) >= 1)
    ++Down;
  return Sign | (Down > Largest ? Infinite : Down);
}

uint64_t reversed16(uint64_t Bits) {
  uint64_t Result = 0;
  for (unsigned I = 0; I != 16; ++I)
    Result |= (Bits >> I & 1) << (15 - I);
  return Result;
}

TEST(ConvertPackedTest, StochasticRounding) {
  ValueSource Values(14);
  const fltSemantics &Single = APFloat::IEEEsingle();
  for (StringRef Type : {"f16", "bf16", "e4m3", "e5m2", "e2m3", "e3m2", "e2m1"})
    for (bool Relu : {false, true})
      for (bool Sat : {false, true}) {
        bool IsHalf = Type.ends_with("f16");
        if (!IsHalf && !Sat)
          continue;
        std::string Text = "cvt.rs" + flags(Relu, Sat) + "." + Type.str() +
                           (IsHalf ? "x2.f32" : "x4.f32");
        unsigned N = IsHalf ? 2 : 4;
        LaneFunction F = laneFunctionOf(Text, N + 1);
        ASSERT_TRUE(F) << Text;
        const fltSemantics &To = *formatOf(Type);
        double Largest = asDouble(APFloat::getLargest(To));
        for (unsigned Warp = 0; Warp != 100; ++Warp) {
          PackedOperands In;
          for (unsigned I = 0; I != N + 1; ++I)
            In.add(4);
          for (unsigned L = 0; L != WarpSize; ++L) {
            for (unsigned I = 0; I != N; ++I) {
              // Half of them in range.
              float InRange = float(std::ldexp(
                  Largest * double(int64_t(Values.random())) * 0x1p-63,
                  -int(Values.random() % 12)));
              In.Values[I][L] = Values.random() & 1
                                    ? llvm::bit_cast<uint32_t>(InRange)
                                    : Values.floating(Single, 32);
            }
            In.Values[N][L] = Values.random() & 0xffffffff;
          }
          LaneRun Run(F, In.Bytes, In.Values);
          for (unsigned L = 0; L != WarpSize; ++L) {
            uint64_t R = In.Values[N][L];
            uint64_t High = R >> 16, Low = R & 0xffff;
            if (Type == "e2m1") {
              High = (R >> 24 & 0xff) << 8 | (R >> 8 & 0xff);
              Low = (R >> 16 & 0xff) << 8 | (R & 0xff);
            }
            uint64_t Random[4] = {reversed16(High), High, reversed16(Low), Low};
            unsigned RandomBits = 16, Field = fieldBits(Type);
            if (IsHalf) {
              RandomBits = Type == "f16" ? 13 : 16;
              Field = 16;
              Random[0] = High & ((1u << RandomBits) - 1);
              Random[1] = Low & ((1u << RandomBits) - 1);
            }
            uint64_t Want = 0;
            for (unsigned I = 0; I != N; ++I)
              Want = Want << Field |
                     stochastic(numberOf(Single, In.Values[I][L]), To,
                                unsigned(Random[I]), RandomBits, Relu, Sat);
            ASSERT_EQ(Run.Dest[0].get(Type == "e2m1" ? 2 : 4, L), Want)
                << Text << " lane " << L;
          }
        }
      }
}

TEST(ConvertPackedTest, Scales) {
  ValueSource Values(15);
  for (StringRef Source : {"f32", "bf16x2"})
    for (bool IsUp : {false, true})
      for (bool Sat : {false, true}) {
        std::string Text = std::string(IsUp ? "cvt.rp" : "cvt.rz") +
                           flags(false, Sat) + ".ue8m0x2." + Source.str();
        bool IsSingle = Source == "f32";
        LaneFunction F = laneFunctionOf(Text, IsSingle ? 2 : 1);
        ASSERT_TRUE(F) << Text;
        const fltSemantics &From = *formatOf(Source);
        auto Expect = [&](uint64_t Bits) -> uint64_t {
          APFloat V = llvm::abs(numberOf(From, Bits));
          if (V.isNaN())
            return 0xff;
          if (V.isInfinity())
            return Sat ? 0xfe : 0xff;
          double X = asDouble(V);
          if (X <= 0x1p-127)
            return 0;
          int Exponent = std::ilogb(X);
          if (IsUp && std::ldexp(1.0, Exponent) != X)
            ++Exponent;
          return Exponent > 127 ? (Sat ? 0xfe : 0xff)
                                : std::max(Exponent, -127) + 127;
        };
        uint64_t Next = 0;
        for (unsigned Warp = 0; Warp != (IsSingle ? 200 : 2048); ++Warp) {
          LaneValues A, B, Pair;
          for (unsigned L = 0; L != WarpSize; ++L, ++Next) {
            A[L] = IsSingle ? Values.floating(From, 32) : Next;
            B[L] = IsSingle ? Values.floating(From, 32) : Next ^ 0x8421;
            Pair[L] = A[L] << 16 | B[L];
          }
          LaneRun Run =
              IsSingle ? LaneRun(F, {4, 4}, {A, B}) : LaneRun(F, {4}, {Pair});
          for (unsigned L = 0; L != WarpSize; ++L)
            ASSERT_EQ(Run.Dest[0].get(2, L), Expect(A[L]) << 8 | Expect(B[L]))
                << Text << " " << llvm::utohexstr(A[L]);
        }
      }
  LaneFunction F = laneFunctionOf("cvt.rn.bf16x2.ue8m0x2", 1);
  ASSERT_TRUE(F);
  for (uint64_t First = 0; First != 256; First += WarpSize) {
    LaneValues Pair;
    for (unsigned L = 0; L != WarpSize; ++L)
      Pair[L] = (First + L) << 8 | (255 - First - L);
    LaneRun Run(F, {2}, {Pair});
    for (unsigned L = 0; L != WarpSize; ++L) {
      auto Expect = [&](uint64_t Bits) {
        return bitsOf(converted(numberOf(APFloat::Float8E8M0FNU(), Bits),
                                APFloat::BFloat()));
      };
      ASSERT_EQ(Run.Dest[0].get(4, L),
                Expect(Pair[L] >> 8) << 16 | Expect(Pair[L] & 0xff));
    }
  }
}

TEST(ConvertPackedTest, FixedPoint) {
  ValueSource Values(16);
  for (StringRef Source : {"f32", "bf16x2"})
    for (bool Relu : {false, true})
      for (bool IsScaled : {false, true}) {
        std::string Text = "cvt.rn" + flags(Relu, true) +
                           (IsScaled ? ".scaled::n2::ue8m0" : "") + ".s2f6x2." +
                           Source.str();
        bool IsSingle = Source == "f32";
        LaneFunction F = laneFunctionOf(Text, (IsSingle ? 2 : 1) + IsScaled);
        ASSERT_TRUE(F) << Text;
        const fltSemantics &From = *formatOf(Source);
        auto Expect = [&](uint64_t Bits, uint64_t Scale) -> uint64_t {
          APFloat V = numberOf(From, Bits);
          if (V.isNaN() || (IsScaled && Scale == 0xff))
            return 127;
          double X = asDouble(V);
          X = Relu ? std::fmax(X, 0) : X;
          X = std::ldexp(X, IsScaled ? 6 + 127 - int(Scale) : 6);
          X = std::fmin(std::fmax(X, -128), 127);
          return uint64_t(std::lrint(X)) & 0xff; // ties to even
        };
        for (unsigned Warp = 0; Warp != 100; ++Warp) {
          PackedOperands In;
          for (unsigned I = 0; I != (IsSingle ? 2u : 1u); ++I)
            In.add(4);
          if (IsScaled)
            In.add(2);
          LaneValues A, B, Scale;
          for (unsigned L = 0; L != WarpSize; ++L) {
            // Near the ties between -3 and 3, or anything.
            auto Next = [&]() -> uint64_t {
              float Near = float(int(Values.random() % 768) - 384) / 128;
              uint32_t Bits =
                  llvm::bit_cast<uint32_t>(Near) +
                  (IsSingle ? uint32_t(Values.random() % 3) - 1 : 0);
              if (Values.random() % 4 == 0)
                return Values.floating(From, IsSingle ? 32 : 16);
              return IsSingle ? Bits : Bits >> 16;
            };
            A[L] = Next();
            B[L] = Next();
            Scale[L] = Values.random() % 8 == 0
                           ? Values.random() & 0xffff
                           : (126 + Values.random() % 3) << 8 |
                                 (126 + Values.random() % 3);
            In.Values[0][L] = IsSingle ? A[L] : A[L] << 16 | B[L];
            if (IsSingle)
              In.Values[1][L] = B[L];
          }
          if (IsScaled)
            In.Values.back() = Scale;
          LaneRun Run(F, In.Bytes, In.Values);
          for (unsigned L = 0; L != WarpSize; ++L)
            ASSERT_EQ(Run.Dest[0].get(2, L), Expect(A[L], Scale[L] >> 8) << 8 |
                                                 Expect(B[L], Scale[L] & 0xff))
                << Text << " " << llvm::utohexstr(A[L]) << " "
                << llvm::utohexstr(B[L]) << " " << llvm::utohexstr(Scale[L]);
        }
      }
  for (bool Relu : {false, true})
    for (bool Sat : {false, true}) {
      std::string Text = "cvt.rn" + flags(Relu, Sat);
      // Modifiers may stand in another order.
      LaneFunction F = laneFunctionOf(Text + ".bf16x2.s2f6x2", 1);
      LaneFunction Scaled =
          laneFunctionOf(Text + ".bf16x2.s2f6x2.scaled::n2::ue8m0", 2);
      ASSERT_TRUE(F && Scaled) << Text;
      for (unsigned First = 0; First != 256; First += WarpSize) {
        LaneValues Pair, Scale;
        for (unsigned L = 0; L != WarpSize; ++L) {
          Pair[L] = (First + L) << 8 | (255 - First - L);
          Scale[L] = Values.random() & 0xffff;
        }
        LaneRun Run(F, {2}, {Pair}), ScaledRun(Scaled, {2, 2}, {Pair, Scale});
        for (unsigned L = 0; L != WarpSize; ++L) {
          auto Expect = [&](uint64_t Bits, uint64_t By) {
            return unscaled(int8_t(Bits) / 64.0, By & 0xff, APFloat::BFloat(),
                            Relu, Sat);
          };
          ASSERT_EQ(Run.Dest[0].get(4, L),
                    Expect(Pair[L] >> 8, 127) << 16 | Expect(Pair[L], 127));
          ASSERT_EQ(ScaledRun.Dest[0].get(4, L),
                    Expect(Pair[L] >> 8, Scale[L] >> 8) << 16 |
                        Expect(Pair[L], Scale[L]))
              << Text << " " << llvm::utohexstr(Pair[L]);
        }
      }
    }
}

TEST(ConvertPackedTest, PackedIntegers) {
  ValueSource Values(17);
  for (std::string Type : {"u2", "s2", "u4", "s4", "u8", "s8", "u16", "s16"}) {
    unsigned Bits = 0;
    ASSERT_FALSE(StringRef(Type).drop_front().getAsInteger(10, Bits));
    bool HasC = Bits != 16, IsSigned = Type[0] == 's';
    std::string Text = "cvt.pack.sat." + Type + (HasC ? ".s32.b32" : ".s32");
    LaneFunction F = laneFunctionOf(Text, HasC ? 3 : 2);
    ASSERT_TRUE(F) << Text;
    EXPECT_FALSE(laneFunctionOf(Text, HasC ? 2 : 3));
    for (unsigned Warp = 0; Warp != 20; ++Warp) {
      LaneValues A, B, C;
      for (unsigned L = 0; L != WarpSize; ++L) {
        A[L] = Values.integer(32);
        B[L] = Values.integer(32);
        C[L] = Values.integer(32);
      }
      LaneRun Run(F, {4, 4, 4},
                  HasC ? ArrayRef<LaneValues>{A, B, C}
                       : ArrayRef<LaneValues>{A, B});
      auto Clamp = [&](uint64_t V) {
        int64_t Max = (int64_t(1) << (Bits - IsSigned)) - 1;
        int64_t Min = IsSigned ? -Max - 1 : 0;
        int64_t Clamped = std::min(std::max(int64_t(int32_t(V)), Min), Max);
        return uint64_t(Clamped) & ((uint64_t(1) << Bits) - 1);
      };
      for (unsigned L = 0; L != WarpSize; ++L) {
        uint64_t Want = Clamp(A[L]) << Bits | Clamp(B[L]);
        if (HasC)
          Want |= C[L] << (2 * Bits) & 0xffffffff;
        ASSERT_EQ(Run.Dest[0].get(4, L), Want) << Text;
      }
    }
  }
}

TEST(ConvertPackedTest, WhatPTXHasNotIsNotCovered) {
  for (StringRef Text :
       {"cvt.rn.e4m3x2.f16x2", "cvt.rz.satfinite.e4m3x2.f16x2",
        "cvt.rn.ue8m0x2.bf16x2", "cvt.rp.relu.ue8m0x2.bf16x2",
        "cvt.rn.satfinite.f16x2.e4m3x2", "cvt.rn.s2f6x2.bf16x2",
        "cvt.rn.f16x2.ue8m0x2", "cvt.pack.sat.u32.s32"})
    EXPECT_FALSE(laneFunctionOf(Text, 1)) << Text.str();
  EXPECT_FALSE(laneFunctionOf("cvt.rn.sat.f16x2.f32", 2));
  EXPECT_FALSE(laneFunctionOf("cvt.rm.f16x2.f32", 2));
  EXPECT_FALSE(laneFunctionOf("cvt.rs.e2m1x4.f32", 5));
}
} // namespace

//===- BuffersTest.cpp - Filling and checking a launch's buffers ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Emulator/Memory/Buffers.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::APFloat;
using testing::ElementsAre;
using testing::HasSubstr;

static constexpr double Inf = std::numeric_limits<double>::infinity();
static constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

namespace {

/// A folder that goes with the test.
class Folder {
public:
  Folder() {
    EXPECT_FALSE(
        llvm::sys::fs::createUniqueDirectory("ptx-predict-buffers", Path));
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  ~Folder() { (void)llvm::sys::fs::remove_directories(Path); }

  std::string in(StringRef Name) const {
    llvm::SmallString<128> P(Path);
    llvm::sys::path::append(P, Name);
    return P.str().str();
  }
  template <typename T>
  void write(StringRef Name, ArrayRef<T> Values) const {
    ArrayRef<uint8_t> Bytes(reinterpret_cast<const uint8_t *>(Values.data()),
                            Values.size() * sizeof(T));
    EXPECT_EQ(toString(writeBuffer(in(Name), Bytes)), "");
  }

  llvm::SmallString<128> Path;
};

} // namespace

static BufferSpec
makeSpec(StringRef Type, uint64_t Count,
         BufferFill::KindTy Fill = BufferFill::KindTy::Zeros) {
  BufferSpec Spec;
  Spec.Type = Type.str();
  Spec.Count = Count;
  Spec.Fill.Kind = Fill;
  return Spec;
}

template <typename T>
static MutableArrayRef<uint8_t> bytes(std::vector<T> &V) {
  return {reinterpret_cast<uint8_t *>(V.data()), V.size() * sizeof(T)};
}

/// What fills a buffer whose elements are \p T.
template <typename T>
static std::vector<T> fill(const BufferSpec &Spec, StringRef Dir = "") {
  std::vector<T> Out(Spec.Count);
  EXPECT_EQ(toString(fillBuffer(Spec, bytes(Out), Dir)), "");
  return Out;
}

template <typename T>
static std::vector<T> constant(StringRef Type, double Value) {
  BufferSpec Spec = makeSpec(Type, 2, BufferFill::KindTy::Constant);
  Spec.Fill.Constant = Value;
  return fill<T>(Spec);
}

/// "right", "INDEX: got GOT, want WANT (NUMBER)", or the error.
template <typename T>
static std::string check(const BufferSpec &Spec, const std::vector<T> &Got,
                         StringRef Dir = "") {
  ArrayRef<uint8_t> Bytes(reinterpret_cast<const uint8_t *>(Got.data()),
                          Got.size() * sizeof(T));
  auto Result = checkBuffer(Spec, Bytes, Dir);
  if (!Result)
    return toString(Result.takeError());
  if (!*Result)
    return "right";
  const BufferMismatch &M = **Result;
  return std::to_string(M.Index) + ": got " + M.Got + ", want " + M.Want +
         " (" + std::to_string(M.NumMismatches) + ")";
}

template <typename T>
static std::string checkValues(StringRef Type, std::vector<double> Want,
                               const std::vector<T> &Got,
                               std::optional<double> Tolerance = {}) {
  BufferSpec Spec = makeSpec(Type, Got.size());
  Spec.Expect = BufferExpectation{"", std::move(Want), Tolerance};
  return check(Spec, Got);
}

static uint16_t narrow(double Value, const llvm::fltSemantics &To) {
  APFloat F(Value);
  bool Loses;
  F.convert(To, APFloat::rmNearestTiesToEven, &Loses);
  return uint16_t(F.bitcastToAPInt().getZExtValue());
}

TEST(Buffers, NarrowsAsAPFloat) {
  auto Check = [](double V) {
    for (double X : {V, -V, std::nextafter(V, Inf), std::nextafter(V, 0.0)}) {
      EXPECT_EQ(doubleToHalf(X), narrow(X, APFloat::IEEEhalf())) << X;
      EXPECT_EQ(doubleToBFloat(X), narrow(X, APFloat::BFloat())) << X;
    }
  };
  // Every value, and every tie between two.
  for (uint32_t Bits = 0; Bits != 0x7c00; ++Bits) {
    double V = halfToFloat(uint16_t(Bits));
    Check(V);
    Check((V + double(halfToFloat(uint16_t(Bits + 1)))) / 2);
  }
  for (uint32_t Bits = 0; Bits != 0x7f80; ++Bits) {
    double V = bfloatToFloat(uint16_t(Bits));
    Check(V);
    Check((V + double(bfloatToFloat(uint16_t(Bits + 1)))) / 2);
  }
  for (double V : {65519.99, 65520.0, 0x1.ffp127, 1e300, 1e-300, 5e-324, Inf})
    Check(V);
  std::mt19937_64 Random(3);
  for (unsigned I = 0; I != 20000; ++I) {
    // The mantissa's low bits decide ties; exponents around both ranges.
    uint64_t Bits = Random();
    int Exponent = int(Random() % 300) - 150;
    Check(std::ldexp(1 + double(Bits >> 12) * 0x1p-52, Exponent));
  }
  EXPECT_EQ(doubleToHalf(NaN), 0x7e00);
  EXPECT_EQ(doubleToHalf(-NaN), 0xfe00);
  EXPECT_EQ(doubleToBFloat(NaN), 0x7fc0);
  // A payload that is lost must not leave an infinity.
  double Signaling = llvm::bit_cast<double>(uint64_t(0x7ff0000000000001));
  EXPECT_EQ(doubleToHalf(Signaling), 0x7e00);
}

TEST(Buffers, WidensAsAPFloat) {
  for (uint32_t Bits = 0; Bits != 0x10000; ++Bits) {
    for (bool IsHalf : {true, false}) {
      const llvm::fltSemantics &From =
          IsHalf ? APFloat::IEEEhalf() : APFloat::BFloat();
      APFloat Want(From, llvm::APInt(16, Bits));
      float Got =
          IsHalf ? halfToFloat(uint16_t(Bits)) : bfloatToFloat(uint16_t(Bits));
      if (Want.isNaN()) {
        EXPECT_TRUE(std::isnan(Got)) << Bits;
        continue;
      }
      bool Loses;
      Want.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &Loses);
      EXPECT_EQ(llvm::bit_cast<uint32_t>(Got),
                Want.bitcastToAPInt().getZExtValue())
          << Bits;
    }
  }
}

TEST(Buffers, LeavesZerosAlone) {
  std::vector<uint32_t> Out = {0, 7};
  EXPECT_EQ(toString(fillBuffer(makeSpec("u32", 2), bytes(Out), "")), "");
  EXPECT_THAT(Out, ElementsAre(0, 7));
}

TEST(Buffers, FillsWithIota) {
  constexpr auto Iota = BufferFill::KindTy::Iota;
  auto U8 = fill<uint8_t>(makeSpec("u8", 258, Iota));
  auto S8 = fill<int8_t>(makeSpec("s8", 258, Iota));
  EXPECT_EQ(U8[255], 255);
  EXPECT_EQ(U8[257], 1);
  EXPECT_EQ(S8[127], 127);
  EXPECT_EQ(S8[128], -128);
  EXPECT_EQ(S8[257], 1);
  auto U16 = fill<uint16_t>(makeSpec("u16", 65538, Iota));
  EXPECT_EQ(U16[65535], 65535);
  EXPECT_EQ(U16[65537], 1);
  EXPECT_THAT(fill<int64_t>(makeSpec("s64", 3, Iota)), ElementsAre(0, 1, 2));
  EXPECT_THAT(fill<double>(makeSpec("f64", 3, Iota)), ElementsAre(0, 1, 2));
  // From 2^24 on not every whole number is a float.
  auto F32 = fill<float>(makeSpec("f32", (1 << 24) + 4, Iota));
  EXPECT_EQ(F32[(1 << 24) + 1], 0x1p24f);
  EXPECT_EQ(F32[(1 << 24) + 3], 0x1p24f + 4);
  auto F16 = fill<uint16_t>(makeSpec("f16", 70000, Iota));
  EXPECT_EQ(halfToFloat(F16[2049]), 2048);
  EXPECT_EQ(halfToFloat(F16[2051]), 2052);
  EXPECT_EQ(halfToFloat(F16[65519]), 65504);
  EXPECT_EQ(F16[65520], 0x7c00);
  auto BF16 = fill<uint16_t>(makeSpec("bf16", 260, Iota));
  EXPECT_EQ(bfloatToFloat(BF16[257]), 256);
  EXPECT_EQ(bfloatToFloat(BF16[259]), 260);
}

TEST(Buffers, FillsWithAConstant) {
  EXPECT_THAT(constant<uint8_t>("u8", 255), ElementsAre(255, 255));
  EXPECT_THAT(constant<int8_t>("s8", -128), ElementsAre(-128, -128));
  EXPECT_EQ(constant<int32_t>("s32", -5)[1], -5);
  EXPECT_EQ(constant<uint64_t>("u64", 0x1p63)[1], uint64_t(1) << 63);
  EXPECT_EQ(constant<int64_t>("s64", -0x1p63)[1],
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(constant<float>("f32", 0.1)[1], 0.1F);
  EXPECT_EQ(constant<float>("f32", 1e300)[1], float(Inf));
  EXPECT_EQ(constant<double>("f64", 0.1)[1], 0.1);
  EXPECT_TRUE(std::isnan(constant<float>("f32", NaN)[1]));
  EXPECT_EQ(constant<uint16_t>("f16", -1.5)[1], 0xbe00);
  EXPECT_EQ(constant<uint16_t>("bf16", -1.5)[1], 0xbfc0);
  // Straight from the double: through a float the tie would go to 1.
  EXPECT_EQ(constant<uint16_t>("f16", 1 + 0x1p-11 + 0x1p-40)[1], 0x3c01);
}

TEST(Buffers, FillsWithRandomNumbers) {
  BufferSpec Spec = makeSpec("f64", 4, BufferFill::KindTy::Random);
  // SplitMix64's outputs for the seed 0 (Vigna's splitmix64.c): the first is
  // 0xe220a8397b1dcdaf, the second 0x6e789e6aa1b965f4.
  auto F = fill<double>(Spec);
  EXPECT_EQ(F[0], double(0xe220a8397b1dcdaf >> 11) * 0x1p-53);
  EXPECT_EQ(F[1], double(0x6e789e6aa1b965f4 >> 11) * 0x1p-53);
  Spec.Fill.Seed = 1;
  EXPECT_NE(fill<double>(Spec), F);

  Spec.Fill.Low = -3;
  Spec.Fill.High = 5;
  Spec.Count = 100000;
  F = fill<double>(Spec);
  double Sum = 0;
  for (double V : F) {
    ASSERT_GE(V, -3);
    ASSERT_LT(V, 5);
    Sum += V;
  }
  // Eight standard deviations of the mean, 8 / sqrt(12 * 100000).
  EXPECT_NEAR(Sum / 100000, 1, 0.0584);

  // The same numbers, converted: integers downwards and into their range.
  Spec.Type = "f32";
  auto F32 = fill<float>(Spec);
  Spec.Type = "f16";
  auto F16 = fill<uint16_t>(Spec);
  Spec.Type = "s32";
  auto S32 = fill<int32_t>(Spec);
  Spec.Type = "u8";
  auto U8 = fill<uint8_t>(Spec);
  for (size_t I = 0; I != F.size(); ++I) {
    ASSERT_EQ(F32[I], float(F[I]));
    ASSERT_EQ(F16[I], doubleToHalf(F[I]));
    ASSERT_EQ(S32[I], std::floor(F[I]));
    ASSERT_EQ(U8[I], std::max(0.0, std::floor(F[I])));
  }
  Spec.Fill.Low = 0;
  Spec.Fill.High = 0x1p70;
  Spec.Count = 64;
  for (StringRef Type : {"s64", "u64"}) {
    Spec.Type = Type.str();
    uint64_t Most = Type == "s64" ? ~uint64_t(0) >> 1 : ~uint64_t(0);
    auto All = fill<uint64_t>(Spec);
    EXPECT_GT(std::count(All.begin(), All.end(), Most), 50) << Type.str();
  }
}

TEST(Buffers, FillsAtAnyAddress) {
  std::vector<uint8_t> Out(4 * 8 + 1);
  BufferSpec Spec = makeSpec("f64", 4, BufferFill::KindTy::Iota);
  MutableArrayRef<uint8_t> Odd = MutableArrayRef(Out).drop_front();
  EXPECT_EQ(toString(fillBuffer(Spec, Odd, "")), "");
  double V;
  std::memcpy(&V, &Out[1 + 3 * 8], 8);
  EXPECT_EQ(V, 3);
}

TEST(Buffers, FillsFromAFile) {
  Folder Dir;
  Dir.write<uint32_t>("x.bin", {1, 2, 0xffffffff});
  BufferSpec Spec = makeSpec("u32", 3, BufferFill::KindTy::File);
  Spec.Fill.File = "x.bin";
  EXPECT_THAT(fill<uint32_t>(Spec, Dir.Path), ElementsAre(1, 2, 0xffffffff));
  Spec.Fill.File = Dir.in("x.bin");
  EXPECT_THAT(fill<uint32_t>(Spec, "/nowhere"), ElementsAre(1, 2, 0xffffffff));

  std::vector<uint32_t> Out(4);
  Spec.Count = 4;
  EXPECT_EQ(toString(fillBuffer(Spec, bytes(Out), Dir.Path)),
            "'" + Dir.in("x.bin") +
                "' has 12 bytes, but the buffer takes 16 bytes (4 of type "
                "u32)");
  Spec.Fill.File = "none.bin";
  std::string Message = toString(fillBuffer(Spec, bytes(Out), Dir.Path));
  EXPECT_THAT(Message, HasSubstr("cannot read '" + Dir.in("none.bin") + "': "));
  EXPECT_THAT(Message,
              HasSubstr("; the buffer takes 16 bytes (4 of type u32)"));
  Spec.Fill.File = ".";
  EXPECT_THAT(toString(fillBuffer(Spec, bytes(Out), Dir.Path)),
              HasSubstr("cannot read '"));
}

#ifdef __linux__
TEST(Buffers, FillsFromWhatHasNoSize) {
  BufferSpec Spec = makeSpec("u8", 8, BufferFill::KindTy::File);
  Spec.Fill.File = "/dev/null";
  std::vector<uint8_t> Out(8);
  EXPECT_EQ(toString(fillBuffer(Spec, bytes(Out), "")),
            "'/dev/null' ends after 0 bytes, but the buffer takes 8 bytes (8 "
            "of type u8)");
  Spec.Fill.File = "/dev/zero";
  EXPECT_EQ(
      toString(fillBuffer(Spec, bytes(Out), "")),
      "cannot read '/dev/zero': is a device, not a file; the buffer takes "
      "8 bytes (8 of type u8)");
}
#endif

TEST(Buffers, WritesWhatItReads) {
  Folder Dir;
  Dir.write<double>("y.bin", {0.5, -Inf});
  BufferSpec Spec = makeSpec("f64", 2, BufferFill::KindTy::File);
  Spec.Fill.File = "y.bin";
  EXPECT_THAT(fill<double>(Spec, Dir.Path), ElementsAre(0.5, -Inf));
  EXPECT_THAT(toString(writeBuffer(Dir.in("no/y.bin"), {})),
              HasSubstr("cannot write '" + Dir.in("no/y.bin") + "': "));
}

TEST(Buffers, ChecksBitByBit) {
  EXPECT_EQ(check(makeSpec("u8", 2), std::vector<uint8_t>{1, 2}), "right")
      << "nothing is expected";
  std::vector<int32_t> Got = {1, -2, 3, 4};
  EXPECT_EQ(checkValues("s32", {1, -2, 3, 4}, Got), "right");
  EXPECT_EQ(checkValues("s32", {1, -2}, Got), "right");
  EXPECT_EQ(checkValues("s32", {}, Got), "right");
  EXPECT_EQ(checkValues("s32", {1, 2, 3, -4}, Got), "1: got -2, want 2 (2)");
  EXPECT_EQ(checkValues<uint8_t>("u8", {200}, {201}),
            "0: got 201, want 200 (1)");
  EXPECT_EQ(checkValues<float>("f32", {0.1}, {0.1F}), "right");
  EXPECT_EQ(checkValues<float>("f32", {0.1}, {std::nextafter(0.1F, 1.0F)}),
            "0: got 0.10000001, want 0.1 (1)");
  EXPECT_EQ(checkValues<double>("f64", {0}, {-0.0}), "0: got -0, want 0 (1)");
  EXPECT_EQ(checkValues<uint16_t>("f16", {1, 1}, {0x3c00, 0x3c01}),
            "1: got 1.0009766, want 1 (1)");
  EXPECT_EQ(checkValues<uint16_t>("bf16", {-Inf}, {0x3f80}),
            "0: got 1, want -inf (1)");
}

TEST(Buffers, ChecksNaNs) {
  // A number's NaN is any NaN; a file's is itself, unless there is a tolerance.
  auto Canonical = llvm::bit_cast<float>(0x7fffffff);
  EXPECT_EQ(checkValues<float>("f32", {NaN}, {Canonical}), "right");
  EXPECT_EQ(checkValues<uint16_t>("f16", {NaN}, {0x7fff}), "right");
  EXPECT_EQ(checkValues<float>("f32", {NaN}, {1}),
            "0: got 1, want nan (0x7fc00000) (1)");
  EXPECT_EQ(checkValues<float>("f32", {1}, {Canonical}, 1e9),
            "0: got nan (0x7fffffff), want 1 (1)");
  EXPECT_EQ(checkValues<float>("f32", {NaN}, {1}, 1e9),
            "0: got 1, want nan (0x7fc00000) (1)");
  Folder Dir;
  Dir.write<uint32_t>("n.bin", {0x7fc00000});
  BufferSpec Spec = makeSpec("f32", 1);
  Spec.Expect = BufferExpectation{"n.bin", {}, std::nullopt};
  EXPECT_EQ(check<float>(Spec, {Canonical}, Dir.Path),
            "0: got nan (0x7fffffff), want nan (0x7fc00000) (1)");
  Spec.Expect->Tolerance = 0;
  EXPECT_EQ(check<float>(Spec, {Canonical}, Dir.Path), "right");
}

TEST(Buffers, ChecksWithATolerance) {
  // Relative above 1, absolute below; the bound itself holds.
  EXPECT_EQ(checkValues<double>("f64", {8, -8}, {9, -7}, 0.125), "right");
  EXPECT_EQ(checkValues<double>("f64", {8}, {9.001}, 0.125),
            "0: got 9.001, want 8 (1)");
  EXPECT_EQ(checkValues<double>("f64", {0, 0.5}, {0.125, 0.375}, 0.125),
            "right");
  EXPECT_EQ(checkValues<double>("f64", {0.5}, {0.626}, 0.125),
            "0: got 0.626, want 0.5 (1)");
  EXPECT_EQ(checkValues<double>("f64", {0}, {-0.0}, 0), "right");
  EXPECT_EQ(
      checkValues<float>("f32", {Inf, -Inf}, {float(Inf), -float(Inf)}, 1),
      "right");
  EXPECT_EQ(
      checkValues<float>("f32", {Inf, Inf, 1}, {-float(Inf), 1, float(Inf)}, 1),
      "0: got -inf, want inf (3)");
  EXPECT_EQ(checkValues<int32_t>("s32", {100, -100}, {101, -101}, 0.01),
            "right");
  EXPECT_EQ(checkValues<int32_t>("s32", {100}, {102}, 0.01),
            "0: got 102, want 100 (1)");
  EXPECT_EQ(checkValues<int8_t>("s8", {-128}, {127}, 1),
            "0: got 127, want -128 (1)");
  EXPECT_EQ(checkValues<int8_t>("s8", {-128}, {127}, 2), "right");
  // One apart where doubles are 1024 apart.
  EXPECT_EQ(
      checkValues<uint64_t>("u64", {0x1p63}, {(uint64_t(1) << 63) + 1}, 0),
      "0: got 9223372036854775809, want 9223372036854775808 (1)");
}

TEST(Buffers, ChecksAgainstALargeFile) {
  Folder Dir;
  // More than one piece, the last one not whole.
  std::vector<uint32_t> Want(700001);
  for (size_t I = 0; I != Want.size(); ++I)
    Want[I] = uint32_t(I * 2654435761u);
  Dir.write<uint32_t>("w.bin", Want);
  BufferSpec Spec = makeSpec("u32", Want.size());
  Spec.Expect = BufferExpectation{"w.bin", {}, std::nullopt};
  std::vector<uint32_t> Got = Want;
  EXPECT_EQ(check(Spec, Got, Dir.Path), "right");
  Got[700000] ^= 1;
  EXPECT_EQ(check(Spec, Got, Dir.Path),
            "700000: got " + std::to_string(Got[700000]) + ", want " +
                std::to_string(Want[700000]) + " (1)");
  Got[300000] = Got[5] = 0;
  EXPECT_EQ(check(Spec, Got, Dir.Path),
            "5: got 0, want " + std::to_string(Want[5]) + " (3)");
  Got.pop_back();
  --Spec.Count;
  EXPECT_EQ(check(Spec, Got, Dir.Path),
            "'" + Dir.in("w.bin") +
                "' has 2800004 bytes, but the buffer takes 2800000 bytes "
                "(700000 of type u32)");
  Spec.Expect->File = "v.bin";
  EXPECT_THAT(check(Spec, Got, Dir.Path),
              HasSubstr("cannot read '" + Dir.in("v.bin") + "': "));
}

TEST(Buffers, KnowsItsTypes) {
  std::vector<uint8_t> Out(1);
  EXPECT_EQ(toString(fillBuffer(makeSpec("f8", 1), bytes(Out), "")),
            "unknown buffer type 'f8'");
  EXPECT_EQ(checkValues<uint8_t>("f8", {0}, {0}), "unknown buffer type 'f8'");
}

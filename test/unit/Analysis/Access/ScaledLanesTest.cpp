//===- ScaledLanesTest.cpp - Lanes' numbers times floats ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PTXKernel.h"

using namespace ptxpredict;

namespace {
/// The sectors of p[int(%f2)], where \p Code makes %f2 of the float %f1 that is
/// the thread's number \p Of.
Estimate sectorsOf(StringRef Code, StringRef Of = "mov.u32 %r1, %tid.x;\n",
                   Dim3 Block = {64, 1, 1}) {
  PTXKernel K("ld.param.u64 %rd1, [p];\n" + Of.str() +
                  "cvt.rn.f32.u32 %f1, %r1;\n" + Code.str() +
                  "cvt.rzi.s32.f32 %r2, %f2;\nmul.wide.s32 %rd2, %r2, 4;\n"
                  "add.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f3, [%rd3];",
              Block);
  K.analyze();
  Estimate Sectors = *K.access("ld.global.f32").Sectors;
  // Nothing of it is known, whatever is likely.
  EXPECT_EQ(Sectors.Low, 1);
  EXPECT_EQ(Sectors.High, 32);
  return Sectors;
}

/// A float that is the same in all lanes, as %f9.
constexpr char Unknown[] = "ld.global.v2.f32 {%f9, %f10}, [%rd1];\n";
} // namespace

TEST(ScaledLanesTest, KnownFactorsSayHowFarLanesAreApart) {
  // 0 to 77, so that the row is 312 bytes long.
  Estimate S = sectorsOf("mul.f32 %f2, %f1, 0f40200000;\n");
  EXPECT_EQ(S.Status, Status::Assumed);
  EXPECT_NEAR(S.Value, 10.6, 0.3);
  // A line for each, and two lanes for each place.
  EXPECT_EQ(sectorsOf("fma.rn.f32 %f2, %f1, 0f42000000, 0f3F000000;\n").Value,
            32);
  EXPECT_NEAR(sectorsOf("mul.f32 %f2, %f1, 0f3F000000;\n").Value, 2.875, 0.01);
  // Differences, quotients, limits and rounding are no obstacle.
  EXPECT_NEAR(sectorsOf("div.rn.f32 %f4, %f1, 0f3ECCCCCD;\n"
                        "sub.f32 %f5, %f4, 0f3F800000;\n"
                        "cvt.rmi.f32.f32 %f6, %f5;\n"
                        "max.f32 %f2, %f6, 0f00000000;\n")
                  .Value,
              10.6, 0.3);
}

TEST(ScaledLanesTest, FactorsMayBeSmall) {
  // A hash of 32 bits as one of 4096 places.
  EXPECT_GT(
      sectorsOf("mul.f32 %f2, %f1, 0f35800000;\n",
                "mov.u32 %r3, %tid.x;\nmul.lo.u32 %r1, %r3, 2654435761;\n")
          .Value,
      24);
}

TEST(ScaledLanesTest, UnknownFactorsLeaveLanesInTheirOrder) {
  Estimate Row = sectorsOf(Unknown + std::string("mul.f32 %f2, %f1, %f9;\n"));
  EXPECT_EQ(Row.Status, Status::Assumed);
  EXPECT_EQ(Row.Value, (4 + 7 * 5) / 8.0);
  // The nearest different ones are neighbours: four rows of eight lanes.
  StringRef Trial = "mov.u32 %r3, %tid.y;\nshl.b32 %r1, %r3, 3;\n";
  EXPECT_NEAR(sectorsOf(Unknown + std::string("fma.rn.f32 %f2, %f1, %f9, "
                                              "%f10;\n"),
                        Trial, {8, 8, 1})
                  .Value,
              (5 * 1 + 3 * 2) / 8.0, 0.01);
}

TEST(ScaledLanesTest, WhatIsNotLinearLiesAnywhere) {
  std::string Sine = "sin.approx.f32 %f2, %f1;\n";
  Estimate S = sectorsOf(Sine);
  EXPECT_EQ(S.Status, Status::Unknown);
  EXPECT_EQ(S.Value, 32);
  EXPECT_EQ(sectorsOf("mul.f32 %f2, %f1, %f1;\n").Value, 32);
  // Eight different ones.
  StringRef Quarter = "mov.u32 %r3, %tid.x;\nshr.u32 %r1, %r3, 2;\n";
  EXPECT_EQ(sectorsOf(Sine, Quarter).Value, 8);
}

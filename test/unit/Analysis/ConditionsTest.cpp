//===- ConditionsTest.cpp - How often a predicate holds -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PTXKernel.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;

TEST(ConditionsTest, ComparisonNames) {
  EXPECT_EQ(comparisonOf(".lt.s32"), Comparison::LT);
  EXPECT_EQ(comparisonOf(".hs.u32"), Comparison::GE);
  EXPECT_EQ(comparisonOf(".ltu.f32"), std::nullopt);
}

TEST(ConditionsTest, InvertedAndSwappedAgreeWithIntegers) {
  for (Comparison C : {Comparison::EQ, Comparison::NE, Comparison::LT,
                       Comparison::LE, Comparison::GT, Comparison::GE})
    for (ScalarType T : {ScalarType::S32, ScalarType::U32, ScalarType::U64})
      for (int64_t A : {-2, 0, 1, 7})
        for (int64_t B : {-2, 0, 1, 7}) {
          bool Holds = compareIntegers(C, T, A, B);
          EXPECT_NE(compareIntegers(inverted(C), T, A, B), Holds);
          EXPECT_EQ(compareIntegers(swapped(C), T, B, A), Holds);
        }
}

TEST(ConditionsTest, UnsignedComparison) {
  EXPECT_TRUE(compareIntegers(Comparison::GT, ScalarType::U32, -1, 1));
  EXPECT_FALSE(compareIntegers(Comparison::GT, ScalarType::S32, -1, 1));
  EXPECT_TRUE(compareIntegers(Comparison::LT, ScalarType::U64, 1, -1));
}

TEST(ConditionsTest, SecondPredicateOfAPairIsTheInverse) {
  PTXKernel K("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1|%p2, %r1, 32;\n"
              "@%p2 bra END;\nBODY: add.s32 %r1, %r1, 1;\nEND:");
  K.analyze();
  EXPECT_EQ(K.frequency("BODY").Value, 0.5);
}

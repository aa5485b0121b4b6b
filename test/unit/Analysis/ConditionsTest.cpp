//===- ConditionsTest.cpp - How often a predicate holds -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PTXKernel.h"

using namespace ptxpredict;

TEST(ConditionsTest, SecondPredicateOfAPairIsTheInverse) {
  PTXKernel K("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1|%p2, %r1, 32;\n"
              "@%p2 bra END;\nBODY: add.s32 %r1, %r1, 1;\nEND:");
  K.analyze();
  EXPECT_EQ(K.frequency("BODY").Value, 0.5);
}

//===- RegisterPressureTest.cpp - Registers that are live at once ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/RegisterPressure.h"
#include "PTXKernel.h"

using namespace ptxpredict;

namespace {
unsigned live(StringRef Body) {
  return maxLiveRegisters(PTXKernel(Body).graph());
}
} // namespace

TEST(RegisterPressureTest, WidthsAndPredicates) {
  EXPECT_EQ(live(""), 0u);
  EXPECT_EQ(live("mov.u32 %r1, 1;"), 1u);
  EXPECT_EQ(live("mov.u64 %rd1, 1;"), 2u);
  EXPECT_EQ(live("setp.eq.s32 %p1, 0, 0;"), 0u);
}

TEST(RegisterPressureTest, ASumOfThreeNeedsTheOperandsTogether) {
  EXPECT_EQ(live("mov.u32 %r1, 1;\nmov.u32 %r2, 2;\nmov.u32 %r3, 3;\n"
                 "mad.lo.s32 %r4, %r1, %r2, %r3;\nst.global.u32 [8], %r4;"),
            3u);
}

TEST(RegisterPressureTest, ChainReusesItsRegister) {
  EXPECT_EQ(live("mov.u32 %r1, 1;\nadd.s32 %r2, %r1, 1;\n"
                 "add.s32 %r3, %r2, 1;\nst.global.u32 [8], %r3;"),
            1u);
}

TEST(RegisterPressureTest, ValueAroundALoopStaysLive) {
  EXPECT_EQ(live("mov.u32 %r1, 7;\nmov.u32 %r2, 0;\n"
                 "L: add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 9;\n"
                 "@%p1 bra L;\nst.global.u32 [8], %r1;"),
            2u);
}

//===- LinearFormsTest.cpp - Register values as functions of the lane -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PTXKernel.h"

using namespace ptxpredict;

namespace {
/// The form of what the last of \p Body's instructions writes, which must be a
/// `mov.b32 %r31, …`.
LinearForm form(StringRef Body, Dim3 Block = {64, 1, 1},
                std::map<unsigned, int64_t> Args = {}) {
  PTXKernel K(Body, Block, std::move(Args));
  K.analyze();
  return K.Forms->of(K.instruction("mov.b32").Defs[0]);
}
} // namespace

TEST(LinearFormsTest, ConstantFolding) {
  auto Value = [](StringRef Op) {
    LinearForm F = form(Op.str() + "\nmov.b32 %r31, %r1;");
    EXPECT_TRUE(F.isConstant()) << Op.str();
    return F.Base;
  };
  EXPECT_EQ(Value("add.s32 %r1, 2147483647, 1;"), INT32_MIN);
  EXPECT_EQ(Value("sub.s32 %r1, 3, 10;"), -7);
  EXPECT_EQ(Value("mul.lo.s32 %r1, 65536, 65536;"), 0);
  EXPECT_EQ(Value("mad.lo.s32 %r1, 3, 4, 5;"), 17);
  EXPECT_EQ(Value("div.s32 %r1, -7, 2;"), -3);
  EXPECT_EQ(Value("rem.s32 %r1, -7, 2;"), -1);
  EXPECT_EQ(Value("div.u32 %r1, -2, 2;"), 2147483647);
  EXPECT_EQ(Value("shr.u32 %r1, -1, 28;"), 15);
  EXPECT_EQ(Value("shr.s32 %r1, -16, 2;"), -4);
  EXPECT_EQ(Value("shl.b32 %r1, 1, 32;"), 0);
  EXPECT_EQ(Value("and.b32 %r1, 12, 10;"), 8);
  EXPECT_EQ(Value("xor.b32 %r1, 12, 10;"), 6);
  EXPECT_EQ(Value("not.b32 %r1, 0;"), -1);
  EXPECT_EQ(Value("min.s32 %r1, -1, 1;"), -1);
  EXPECT_EQ(Value("min.u32 %r1, -1, 1;"), 1);
  EXPECT_EQ(Value("mov.u32 %r1, %ntid.x;"), 64);
  EXPECT_EQ(Value("mov.u32 %r1, %nctaid.x;"), 1000);
}

TEST(LinearFormsTest, DivisionByZeroIsNotFolded) {
  EXPECT_FALSE(form("div.s32 %r1, 1, 0;\nmov.b32 %r31, %r1;").isConstant());
}

TEST(LinearFormsTest, ThreadIndex) {
  LinearForm F = form("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\n"
                      "mad.lo.s32 %r3, %r2, 16, %r1;\nshl.b32 %r4, %r3, 2;\n"
                      "mov.b32 %r31, %r4;",
                      {16, 16, 1});
  EXPECT_TRUE(F.isExact());
  EXPECT_EQ(F.Stride[0], 4);
  EXPECT_EQ(F.Stride[1], 64);
}

TEST(LinearFormsTest, DimensionOfExtentOneIsZero) {
  EXPECT_TRUE(form("mov.u32 %r1, %tid.y;\nmov.b32 %r31, %r1;").isConstant());
}

TEST(LinearFormsTest, LaneAndWarpOfALinearBlock) {
  LinearForm Lane = form("mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 31;\n"
                         "mov.b32 %r31, %r2;");
  EXPECT_EQ(Lane.Stride[LinearForm::Lane], 1);
  EXPECT_TRUE(Lane.isExact());
  LinearForm Warp = form("mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 5;\n"
                         "mov.b32 %r31, %r2;");
  EXPECT_TRUE(Warp.isUniform());
  EXPECT_FALSE(Warp.isConstant());
  EXPECT_EQ(Warp.Stride[LinearForm::Warp], 1);
  LinearForm Scaled = form("mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 3;\n"
                           "and.b32 %r3, %r2, 508;\nmov.b32 %r31, %r3;");
  EXPECT_EQ(Scaled.Stride[LinearForm::Warp], 4);
  LinearForm Cut = form("mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 3;\n"
                        "and.b32 %r3, %r2, 60;\nmov.b32 %r31, %r3;");
  EXPECT_FALSE(Cut.isLinear()); // warps from 16 on would wrap
}

TEST(LinearFormsTest, ArgumentsAreKnownWhenGiven) {
  StringRef Body = "ld.param.u32 %r1, [n];\nmov.b32 %r31, %r1;";
  EXPECT_EQ(form(Body, {64, 1, 1}, {{1, -5}}).Base, -5);
  LinearForm F = form(Body);
  EXPECT_TRUE(F.isUniform());
  EXPECT_FALSE(F.isConstant());
  EXPECT_EQ(F.Sources, LinearForm::FromParameter);
}

TEST(LinearFormsTest, JoinUnderADivergentBranchVaries) {
  auto Join = [](StringRef Index) {
    return form("mov.u32 %r1, " + Index.str() +
                ";\nld.param.u32 %r2, [n];\nsetp.lt.u32 %p1, %r1, %r2;\n"
                "mov.u32 %r3, 1;\n@%p1 bra J;\nmov.u32 %r3, 2;\n"
                "J: mov.b32 %r31, %r3;");
  };
  EXPECT_FALSE(Join("%tid.x").isLinear());
  EXPECT_TRUE(Join("%ctaid.x").isUniform());
}

TEST(LinearFormsTest, LoopCounterIsUniform) {
  LinearForm F = form("mov.u32 %r1, 0;\n"
                      "L: mov.b32 %r31, %r1;\nadd.s32 %r1, %r1, 8;\n"
                      "setp.lt.s32 %p1, %r1, 64;\n@%p1 bra L;");
  EXPECT_TRUE(F.isUniform());
  EXPECT_EQ(F.Align, 8u);
}

TEST(LinearFormsTest, ChangedStrideInALoopIsGivenUp) {
  LinearForm F = form("mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\n"
                      "L: mov.b32 %r31, %r1;\nadd.s32 %r1, %r1, %r1;\n"
                      "add.s32 %r2, %r2, 1;\n"
                      "setp.lt.s32 %p1, %r2, 64;\n@%p1 bra L;");
  EXPECT_FALSE(F.isLinear());
}

TEST(LinearFormsTest, ElementsOfAWholeSpecialRegister) {
  auto Element = [](StringRef Kept) {
    return form(
        ("mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid;\nmov.b32 %r31, " + Kept + ";")
            .str());
  };
  EXPECT_EQ(Element("%r1").Stride[LinearForm::X], 1);
  EXPECT_TRUE(Element("%r2").isConstant()); // blocks of one row
  EXPECT_TRUE(Element("%r4").isConstant());
}

//===- MachineCodeTest.cpp - What an assembler makes of PTX ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/MachineCode.h"
#include "PTXKernel.h"

using namespace ptxpredict;

namespace {

struct Selected {
  PTXKernel K;
  MachineCode Code;

  explicit Selected(StringRef Body)
      : K(Body), Code(K.graph(), ControlFlow(K.graph())) {}

  MachineForm form(StringRef Mnemonic, unsigned Nth = 0) const {
    return Code.form(K.instruction(Mnemonic, Nth)).Form;
  }
  /// The operation of an instruction; null if it has none.
  const MachineOp *op(StringRef Mnemonic, unsigned Nth = 0) const {
    const Instruction &I = K.instruction(Mnemonic, Nth);
    for (const MachineBlock &B : Code.blocks())
      for (const MachineOp &Op : B.Ops)
        if (Op.Source == &I)
          return &Op;
    return nullptr;
  }
  unsigned def(StringRef Mnemonic, unsigned Nth = 0) const {
    return K.instruction(Mnemonic, Nth).Defs[0]->Id;
  }
};

} // namespace

// An FMA names one constant; the other is in a register, which the block keeps,
// under whatever name the code has it again.
TEST(MachineCodeTest, ABlockHasAConstantInARegisterOnce) {
  Selected S("ld.global.f32 %f1, [8];\nmov.f32 %f2, 0f3F000000;\n"
             "fma.rn.f32 %f3, %f1, %f2, 0f40000000;\n"
             "fma.rn.f32 %f4, %f3, 0f3F000000, 0f40400000;\n"
             "fma.rn.f32 %f5, %f4, 0f40800000, 0f40A00000;\n"
             "st.global.f32 [8], %f5;");
  auto Extra = [&](unsigned Nth) {
    return S.Code.form(S.K.instruction("fma.rn.f32", Nth)).ExtraConstants;
  };
  EXPECT_EQ(Extra(0), 1);
  EXPECT_EQ(Extra(1), 0); // one half is there
  EXPECT_EQ(Extra(2), 1);
}

// Packed arithmetic names one half for both; that is no operation of its own.
TEST(MachineCodeTest, AHalfMayStandForBoth) {
  Selected S("ld.global.b32 %r1, [8];\n"
             "ld.global.b32 %r2, [12];\nmov.b32 {%rs1, %rs2}, %r1;\n"
             "mov.b32 %r3, {%rs1, %rs1};\n"
             "fma.rn.f16x2 %r4, %r3, %r2, %r2;\n"
             "fma.rn.f16x2 %r5, %r4, %r2, %r2;\n"
             "mov.b32 %r6, {%rs2, %rs2};\nst.global.b32 [8], %r5;\n"
             "st.global.b32 [12], %r6;");
  EXPECT_EQ(S.form("mov.b32", 1), MachineForm::Folded);
  EXPECT_EQ(S.form("fma.rn.f16x2"), MachineForm::HalfSwizzled);
  EXPECT_EQ(S.form("fma.rn.f16x2", 1), MachineForm::Half);
  EXPECT_EQ(S.form("mov.b32", 2), MachineForm::Permute); // for a store
}

TEST(MachineCodeTest, AProductIsPartOfItsOnlySum) {
  Selected S("ld.global.f32 %f1, [8];\nld.global.f32 %f2, [12];\n"
             "mul.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f3, %f1;\n"
             "st.global.f32 [8], %f4;");
  EXPECT_EQ(S.form("mul.f32"), MachineForm::Folded);
  EXPECT_EQ(S.Code.form(S.K.instruction("mul.f32")).Into,
            &S.K.instruction("add.f32"));
  EXPECT_EQ(S.op("mul.f32"), nullptr);
  ASSERT_NE(S.op("add.f32"), nullptr);
  EXPECT_EQ(S.form("add.f32"), MachineForm::FloatFMA);
  EXPECT_EQ(ArrayRef(S.op("add.f32")->Uses),
            ArrayRef({S.def("ld.global.f32"), S.def("ld.global.f32", 1)}));
}

TEST(MachineCodeTest, ARoundedProductStays) {
  Selected S("ld.global.f32 %f1, [8];\nmul.rn.f32 %f3, %f1, %f1;\n"
             "add.f32 %f4, %f3, %f1;\nst.global.f32 [8], %f4;");
  EXPECT_EQ(S.form("mul.rn.f32"), MachineForm::FloatMul);
  EXPECT_NE(S.op("mul.rn.f32"), nullptr);
  EXPECT_EQ(S.form("add.f32"), MachineForm::FloatAdd);
}

TEST(MachineCodeTest, WhatIsAroundALoopAloneIsDead) {
  Selected S("mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nL: add.s32 %r2, %r2, 1;\n"
             "sub.s32 %r1, %r1, 3;\nsetp.lt.s32 %p1, %r2, 9;\n@%p1 bra L;");
  EXPECT_EQ(S.form("sub.s32"), MachineForm::Folded);
  EXPECT_EQ(S.op("sub.s32"), nullptr);
  EXPECT_EQ(S.form("add.s32"), MachineForm::Add);
  EXPECT_NE(S.op("add.s32"), nullptr);
}

TEST(MachineCodeTest, FewerBitsAreInTheSameRegister) {
  Selected S("ld.global.u64 %rd1, [8];\ncvt.u32.u64 %r1, %rd1;\n"
             "ld.global.u8 %rs1, [16];\ncvt.u32.u8 %r2, %rs1;\n"
             "add.s32 %r3, %r1, %r2;\nst.global.u32 [8], %r3;");
  for (StringRef Mnemonic : {"cvt.u32.u64", "cvt.u32.u8"}) {
    EXPECT_EQ(S.form(Mnemonic), MachineForm::Folded) << Mnemonic.str();
    EXPECT_EQ(S.op(Mnemonic), nullptr) << Mnemonic.str();
  }
  EXPECT_EQ(ArrayRef(S.op("add.s32")->Uses),
            ArrayRef({S.def("ld.global.u64"), S.def("ld.global.u8")}));
}

TEST(MachineCodeTest, ASignIsPartOfFloatOperands) {
  StringRef Body = "ld.global.f32 %f1, [8];\nneg.f32 %f2, %f1;\n"
                   "add.rn.f32 %f3, %f2, %f2;\nst.global.f32 [8], ";
  Selected Operand((Body + "%f3;").str());
  EXPECT_EQ(Operand.form("neg.f32"), MachineForm::Folded);
  EXPECT_EQ(ArrayRef(Operand.op("add.rn.f32")->Uses),
            ArrayRef({Operand.def("ld.global.f32")}));
  Selected Stored((Body + "%f2;").str());
  EXPECT_EQ(Stored.form("neg.f32"), MachineForm::FloatSign);
  EXPECT_NE(Stored.op("neg.f32"), nullptr);
}

TEST(MachineCodeTest, OneSumServesAllAddressesThatAddTheSame) {
  Selected S("ld.global.u64 %rd1, [8];\nld.global.u64 %rd2, [16];\n"
             "add.s64 %rd3, %rd1, 64;\nadd.s64 %rd4, %rd3, %rd2;\n"
             "add.s64 %rd5, %rd1, %rd2;\nst.global.u32 [%rd4], 1;\n"
             "st.global.u32 [%rd5], 2;");
  EXPECT_EQ(S.form("add.s64"), MachineForm::Folded);
  EXPECT_EQ(S.form("add.s64", 1), MachineForm::Add64);
  EXPECT_EQ(S.form("add.s64", 2), MachineForm::Folded);
}

TEST(MachineCodeTest, OneSumServesSharedAddressesThatAddTheSame) {
  StringRef Sums = "ld.global.u32 %r1, [8];\nld.global.u32 %r2, [16];\n"
                   "add.s32 %r3, %r1, 64;\nadd.s32 %r4, %r3, %r2;\n"
                   "add.s32 %r5, %r1, %r2;\n";
  Selected Shared(
      (Sums + "st.shared.u32 [%r4], 1;\nst.shared.u32 [%r5], 2;").str());
  EXPECT_EQ(Shared.form("add.s32"), MachineForm::Folded);
  EXPECT_EQ(Shared.form("add.s32", 1), MachineForm::Add);
  EXPECT_EQ(Shared.form("add.s32", 2), MachineForm::Folded);
  Selected Numbers(
      (Sums + "st.global.u32 [8], %r4;\nst.global.u32 [8], %r5;").str());
  EXPECT_NE(Numbers.form("add.s32", 2), MachineForm::Folded);
}

TEST(MachineCodeTest, AnIndexIsScaledByTheSum) {
  Selected S("mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [p];\n"
             "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
             "st.global.u32 [%rd3], %r1;");
  EXPECT_EQ(S.form("ld.param.u64"), MachineForm::ConstantBank);
  EXPECT_EQ(S.op("ld.param.u64"), nullptr);
  EXPECT_EQ(S.form("mul.wide.u32"), MachineForm::ScaleOnce);
  EXPECT_EQ(S.op("mul.wide.u32"), nullptr);
  EXPECT_EQ(S.form("add.s64"), MachineForm::AddIndexed);
  EXPECT_EQ(ArrayRef(S.op("add.s64")->Uses), ArrayRef({S.def("mov.u32")}));
}

TEST(MachineCodeTest, APlaceOfConstantMemoryIsReadOnce) {
  Selected S("ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [p];\n"
             "mov.u32 %r1, %ntid.x;\nmov.u32 %r2, %ntid.x;\n"
             "st.global.u32 [%rd1], %r1;\nst.global.u32 [%rd2+4], %r2;");
  EXPECT_EQ(S.form("ld.param.u64"), MachineForm::ConstantBank);
  EXPECT_EQ(S.form("ld.param.u64", 1), MachineForm::Folded);
  EXPECT_EQ(S.form("mov.u32"), MachineForm::ConstantBank);
  EXPECT_EQ(S.form("mov.u32", 1), MachineForm::Folded);
}

TEST(MachineCodeTest, EightBytesOfConstantMemoryAreReadAtOnce) {
  Selected S("ld.param.u32 %r1, [p];\nld.param.u32 %r2, [p+4];\n"
             "st.global.u32 [8], %r1;\nst.global.u32 [16], %r2;");
  EXPECT_EQ(S.form("ld.param.u32"), MachineForm::ConstantBank);
  EXPECT_EQ(S.form("ld.param.u32", 1), MachineForm::Folded);
}

TEST(MachineCodeTest, WorkOnTheBlocksIndexIsUniform) {
  Selected S("mov.u32 %r1, %ctaid.x;\nshl.b32 %r2, %r1, 3;\n"
             "ld.global.u32 %r3, [8];\nshl.b32 %r4, %r3, 3;\n"
             "st.global.u32 [8], %r2;\nst.global.u32 [12], %r4;");
  EXPECT_TRUE(S.Code.form(S.K.instruction("shl.b32")).IsUniform);
  EXPECT_EQ(S.Code.widths()[S.def("shl.b32")], 0u);
  EXPECT_FALSE(S.Code.form(S.K.instruction("shl.b32", 1)).IsUniform);
  EXPECT_EQ(S.Code.widths()[S.def("shl.b32", 1)], 1u);
}

TEST(MachineCodeTest, ABranchOverFewInstructionsIsAPredicate) {
  auto With = [](unsigned Stores) {
    std::string Body = "mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 9;\n"
                       "@%p1 bra L;\n";
    for (unsigned N = 0; N != Stores; ++N)
      Body += ("st.global.u32 [" + Twine(8 * N) + "], %r1;\n").str();
    return Selected(Body + "L: st.global.u32 [400], %r1;").form("bra");
  };
  EXPECT_EQ(With(7), MachineForm::Folded);
  EXPECT_EQ(With(8), MachineForm::Branch);
}

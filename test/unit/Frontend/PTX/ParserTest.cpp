//===- ParserTest.cpp - Tests of the PTX parser ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ParsedText.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

namespace {

using OperandKind = ptx::Operand::KindTy;

/// The first initialiser of a module's one variable.
const ptx::Operand &initializer(const ParsedText &P) {
  return *cast<Declaration>(P.Tree->Items.back())->Variables[0]->Initializer;
}
/// The Nth instruction of the first function's body.
const ptx::Instruction &instruction(const ParsedText &P, unsigned N) {
  for (const Node *S : P.Tree->Functions[0]->Body->Statements)
    if (const auto *I = dyn_cast<ptx::Instruction>(S))
      if (N-- == 0)
        return *I;
  ADD_FAILURE() << "no such instruction";
  abort();
}

int64_t constant(const Twine &Expression) {
  ParsedText P(inModule(".global .s64 x = " + Expression + ";"));
  EXPECT_EQ(P.messages(), "") << Expression.str();
  return evaluate(initializer(P)).value_or(-999999);
}

TEST(PTXParser, Header) {
  ParsedText P(".version 9.0\n.target sm_100a, debug\n.address_size 64\n");
  EXPECT_EQ(P.messages(), "");
  EXPECT_EQ(P.Tree->version(), "9.0");
  EXPECT_EQ(P.Tree->architecture(), "sm_100a");
  EXPECT_EQ(P.Tree->AddressBits, 64u);
  EXPECT_EQ(ParsedText(".version 3.2\n.target sm_20\n").Tree->AddressBits, 32u);
}

TEST(PTXParser, ConstantExpressionsBindLikeC) {
  EXPECT_EQ(constant("1+2*3"), 7);
  EXPECT_EQ(constant("(1+2)*3"), 9);
  EXPECT_EQ(constant("10-2-3"), 5);
  EXPECT_EQ(constant("1<<2+1"), 8);
  EXPECT_EQ(constant("1|2^3&6"), 1);
  EXPECT_EQ(constant("5 % 3"), 2);
  EXPECT_EQ(constant("-7/2"), -3);
  EXPECT_EQ(constant("~0"), -1);
  EXPECT_EQ(constant("!5"), 0);
  EXPECT_EQ(constant("1<2 && 3!=3 || 0"), 0);
  EXPECT_EQ(constant("2>3 ? 4 : 5"), 5);
  EXPECT_EQ(constant("1 ? 2 : 0 ? 3 : 4"), 2);
  EXPECT_EQ(constant("(.s64) 0xFFFFFFFFFFFFFFFF"), -1);
  EXPECT_EQ(constant("1<<64"), 0);
}

TEST(PTXParser, DivisionByZeroIsNoConstant) {
  ParsedText P(inModule(".global .s64 x = 1/0;"));
  EXPECT_EQ(evaluate(initializer(P)), std::nullopt);
  EXPECT_EQ(constant("-9223372036854775807-1"), INT64_MIN);
  EXPECT_EQ(constant("(-9223372036854775807-1)/-1"), INT64_MIN);
}

TEST(PTXParser, LongSumsNeedNoStack) {
  std::string Sum = "1";
  for (unsigned I = 0; I != MaxNesting; ++I)
    Sum += "+1";
  EXPECT_EQ(constant(Sum), MaxNesting + 1);
  ParsedText Longer(inModule(".global .s64 x = " + Sum + "+1;"));
  EXPECT_EQ(Longer.Diags->numErrors(), 1u);
}

TEST(PTXParser, AddressesSplit) {
  ParsedText P(inKernel("ld.global.u32 %r1, [%rd2+-4];\n"
                        "ld.global.u32 %r1, [%rd3+8*2];\n"
                        "ld.global.u32 %r1, [16];\nret;"));
  ASSERT_EQ(P.messages(), "");
  AddressParts A = splitAddress(instruction(P, 0).Operands[1]);
  EXPECT_EQ(A.Base->text(), "%rd2");
  EXPECT_EQ(A.Base->Index, 2u);
  EXPECT_EQ(A.Offset, -4);
  EXPECT_EQ(splitAddress(instruction(P, 1).Operands[1]).Offset, 16);
  EXPECT_EQ(splitAddress(instruction(P, 2).Operands[1]).Base, nullptr);
  EXPECT_EQ(splitAddress(instruction(P, 2).Operands[1]).Offset, 16);
}

TEST(PTXParser, FloatsKeepTheirValue) {
  ParsedText P(inModule(".global .f64 x = -0f3FC00000;"));
  EXPECT_EQ(evaluateFloat(initializer(P)), -1.5);
  ParsedText D(inModule(".global .f64 x = 0d4000000000000000;"));
  EXPECT_EQ(evaluateFloat(initializer(D)), 2.0);
  ParsedText T(inModule(".global .f64 x = .5;"));
  EXPECT_EQ(evaluateFloat(initializer(T)), 0.5);
}

TEST(PTXParser, RegisterRangesAreNotExpanded) {
  ParsedText P(inModule(".entry k {\n.reg .b32 %r<1073741824>;\n"
                        "mov.u32 %r1073741823, %r007;\nret;\n}"));
  ASSERT_EQ(P.messages(), "");
  EXPECT_LT(P.Tree->Arena.getTotalMemory(), size_t(1) << 16);
  EXPECT_EQ(instruction(P, 0).Operands[0].Index, 1073741823u);
  EXPECT_EQ(instruction(P, 0).Operands[1].Index, 7u);
}

TEST(PTXParser, InnerScopesHideOuterNames) {
  ParsedText P(inKernel("{\n.reg .f32 %r<3>;\nmov.f32 %r2, 0f00000000;\n"
                        "mov.u32 %r5, 1;\n}\nmov.u32 %r2, 1;\nret;"));
  EXPECT_EQ(P.messages(), "");
  ParsedText Single(inKernel("{\n.reg .f32 %r3;\nmov.f32 %r3, 0f00000000;\n}\n"
                             "mov.u32 %r3, 1;\nret;"));
  EXPECT_EQ(Single.messages(), "");
}

TEST(PTXParser, LabelsAreLocalToBlocks) {
  EXPECT_EQ(ParsedText(inKernel("L: mov.u32 %r1, 1;\n{ L: bra L; }\nbra L;"))
                .messages(),
            "");
  EXPECT_EQ(ParsedText(inKernel("{ bra L; }\nL: ret;")).messages(), "");
  EXPECT_EQ(ParsedText(inKernel("{ M: ret; }\nbra M;")).messages(),
            "11:5: error: use of undeclared label 'M'\n");
}

TEST(PTXParser, WhiteSpaceWithinAMnemonic) {
  ParsedText P(
      inKernel("mad.lo /* here */ .s32 %r1, %r2, %r3, %tid .x;\nret;"));
  ASSERT_EQ(P.messages(), "");
  EXPECT_EQ(instruction(P, 0).Op->Text, "mad.lo.s32");
}

TEST(PTXParser, CallsInAllForms) {
  ParsedText P(inModule(
      ".func (.reg .b32 r) f (.reg .b32 a) { mov.b32 r, a; ret; }\n"
      ".func g { ret; }\n"
      ".entry k {\n.reg .b32 x; .reg .b64 q;\n"
      "t: .calltargets f;\np: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n"
      "call g;\ncall.uni (x), f, (1);\ncall (x), q, (x), p;\n"
      "call (x), q, (x), t;\nret;\n}"));
  ASSERT_EQ(P.messages(), "");
  const ptx::Function *K = P.Tree->Functions[2];
  SmallVector<CallParts, 4> Calls;
  for (const Node *S : K->Body->Statements)
    if (const auto *I = dyn_cast<ptx::Instruction>(S);
        I && I->opcode() == Opcode::Call)
      Calls.push_back(callParts(*I));
  ASSERT_EQ(Calls.size(), 4u);
  EXPECT_EQ(Calls[0].Callee->text(), "g");
  EXPECT_FALSE(Calls[0].Returns || Calls[0].Arguments || Calls[0].Targets);
  EXPECT_TRUE(Calls[1].Returns && Calls[1].Arguments && !Calls[1].Targets);
  EXPECT_EQ(Calls[2].Targets->text(), "p");
}

TEST(PTXParser, OperandShapes) {
  ParsedText P(inKernel("setp.eq.and.s32 %p1|%p2, %r1, 2, !%p3;\n"
                        "shfl.sync.bfly.b32 %r1|_, %r2, 1, 31, -1;\n"
                        "ld.global.v4.f32 {%f1, _, %f2, %f3}, [%rd1];\nret;"));
  ASSERT_EQ(P.messages(), "");
  EXPECT_TRUE(instruction(P, 0).Operands[0].is(OperandKind::Pair));
  EXPECT_TRUE(instruction(P, 0).Operands[3].is(OperandKind::Not));
  EXPECT_TRUE(instruction(P, 1).Operands[0].child(1).is(OperandKind::Sink));
  EXPECT_TRUE(instruction(P, 2).Operands[0].is(OperandKind::Vector));
}

TEST(PTXParser, UnknownOpcodesParseByShape) {
  ParsedText P(inKernel("frob.v7 {%r1, %r2}, [%rd1+4], L, 3;\nL: ret;"));
  EXPECT_EQ(P.messages(), "");
  EXPECT_EQ(instruction(P, 0).opcode(), Opcode::Unknown);
}

TEST(PTXParser, SeveralErrorsInOneRun) {
  ParsedText P(inKernel("add.s32 %r1, %r2;\nmov.u32 %r99, 1;\n"
                        "add.f32 %f1, %rd1, %f2;\nret;"));
  EXPECT_EQ(P.messages(),
            "10:1: error: 'add.s32' takes 3 operands, not 2\n"
            "11:9: error: use of undeclared register '%r99'; '%r<8>' ends at "
            "'%r7'\n"
            "12:14: error: operand 2 of 'add.f32' must be of type .f32; '%rd1' "
            "is of type .b64\n"
            "8:11: note: declared here\n");
}

TEST(PTXParser, EachNameIsReportedOnce) {
  ParsedText P(inKernel("mov.u32 x, y;\nmov.u32 y, x;\nret;"));
  EXPECT_EQ(P.Diags->numErrors(), 2u);
}

TEST(PTXParser, BrokenDeclarationHidesFollowingErrors) {
  ParsedText P(inKernel(".reg .b23 %x<4>;\nmov.b32 %x1, %x2;\nret;"));
  EXPECT_EQ(P.Diags->numErrors(), 1u) << P.messages();
}

TEST(PTXParser, MissingSemicolonIsReportedWhereItBelongs) {
  ParsedText P(inKernel("mov.u32 %r1, 1\nmov.u32 %r2, 2;\nret\n"));
  EXPECT_EQ(P.messages(), "10:15: error: expected ';' after an operand\n"
                          "12:4: error: expected ';' after the instruction\n");
}

TEST(PTXParser, TypesAgreeAsInPtxas) {
  // Bits go with everything of their size, integers with integers.
  EXPECT_EQ(
      ParsedText(inKernel("add.f32 %r1, %r2, %f1;\nand.b32 %f1, %f2, %r1;\n"
                          "ld.global.u8 %r1, [%rd1];\ncvt.u16.u32 %r1, %r2;\n"
                          "mov.b32 %r1, 0f3F800000;\nret;"))
          .messages(),
      "");
  for (const char *Bad :
       {"add.s32 %r1, %f1, %r2;", "ld.global.s32 %f1, [%rd1];",
        "add.s32 %r1, %rd1, %r2;", "mov.u32 %r1, 1.0;", "add.f32 %f1, 1, %f2;",
        "setp.eq.s32 %r1, 1, 2;", "ld.global.u32 %r1, [%f1];", "@%r1 bra L;",
        "ld.global.u32 %r1, %rd1;"})
    EXPECT_EQ(ParsedText(inKernel(Twine(Bad) + "\nL: ret;")).Diags->numErrors(),
              1u)
        << Bad;
}

TEST(PTXParser, RedefinitionsNameTheFormerPlace) {
  ParsedText P(inKernel(".reg .b32 a, a;\n.reg .b32 %r3;\nret;"));
  EXPECT_EQ(P.messages(), "10:14: error: redefinition of 'a'\n"
                          "10:11: note: the former definition is here\n"
                          "11:11: error: redefinition of '%r3'\n"
                          "7:11: note: the former definition is here\n");
  EXPECT_EQ(ParsedText(inModule(".extern .global .u32 x;\n.global .u32 x;\n"
                                ".func f;\n.func f { ret; }"))
                .messages(),
            "");
}

TEST(PTXParser, NestingIsBounded) {
  ParsedText P(inKernel(std::string(100000, '{')));
  EXPECT_EQ(P.Diags->numErrors(), 1u);
  EXPECT_EQ(P.Diags->diagnostics()[0].Line, 10u);
  for (const char *Open : {"{", "(", "[", "-", "!", "generic("}) {
    std::string Text;
    for (unsigned I = 0; I != 100000; ++I)
      Text += Open;
    ParsedText Q(inKernel("mov.u32 %r1, " + Text));
    EXPECT_EQ(Q.Diags->numErrors(), 1u) << Open;
    ParsedText R(inModule(".global .u32 x = " + Text));
    EXPECT_EQ(R.Diags->numErrors(), 1u) << Open;
  }
}

TEST(PTXParser, TruncationGivesOneOrTwoErrors) {
  std::string Text = inKernel("@%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+4];\n"
                              "{ .reg .b32 t; mov.u32 t, 0x10; }\nret;");
  size_t Kernel = Text.find(".visible");
  for (size_t N = 0; N + 2 < Text.size(); ++N) {
    ParsedText P(StringRef(Text).take_front(N));
    // A cut name may be wrong by itself; then the body lacks its end.
    EXPECT_LE(P.Diags->numErrors(), 2u) << N << "\n" << P.messages();
    EXPECT_TRUE(N <= Kernel || P.Diags->hasErrors()) << N;
  }
}

} // namespace

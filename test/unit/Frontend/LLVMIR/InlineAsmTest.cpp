//===- InlineAsmTest.cpp - Tests of PTX in calls --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoweredIR.h"
#include "ptxpredict/Frontend/LLVMIR/LLVMIR.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

namespace {

/// A kernel with numbers %a and %b; \p Body ends with a result in %r, an i32.
std::string asmKernel(const Twine &Body, const Twine &Declarations = "") {
  return (Declarations +
          "define ptx_kernel void @k(ptr %p, i32 %a, i32 %b) {\n" + Body +
          "\n  store i32 %r, ptr %p\n  ret void\n}\n")
      .str();
}

/// Both ways give the same result for some numbers, and we know all
/// instructions.
std::unique_ptr<LoweredIR> expectSame(const Twine &Body,
                                      const Twine &Declarations = "") {
  SCOPED_TRACE(Body.str());
  auto L = std::make_unique<LoweredIR>(asmKernel(Body, Declarations));
  EXPECT_EQ(L->messages(), "");
  L->expectSameResults(64, {7, 3});
  L->expectSameResults(64, {-5, 40});
  return L;
}

TEST(LLVMIRInlineAsm, OperandsAndImmediates) {
  std::unique_ptr<LoweredIR> L = expectSame(
      "%x = call i32 asm \"mad.lo.s32 $0, $1, ${2:c}, ${3:n};\", "
      "\"=r,r,n,n\"(i32 %a, i32 5, i32 9)\n"
      "%r = call i32 asm sideeffect \"$(sub.s32 $0, $2, $1;$|nothing$) // "
      "$$0\", \"=&r,r,r,~{memory}\"(i32 %x, i32 3)");
  EXPECT_EQ(LoweredIR::count(*L->M, "mad.lo.s32"), 1u);
  EXPECT_EQ(LoweredIR::count(*L->M, "mov.b32"), 1u); // 3 in a register
}

TEST(LLVMIRInlineAsm, ScopesLabelsAndPredicates) {
  std::unique_ptr<LoweredIR> L = expectSame(
      "%x = call i32 asm sideeffect \"{\\0A .reg .pred p;\\0A .reg .b32 "
      "t;\\0A mov.b32 t, $1;\\0A mov.b32 $0, 0;\\0A L${:uid}:\\0A add.s32 $0, "
      "$0, t;\\0A setp.gt.s32 p, $0, 100;\\0A @p bra D${:uid};\\0A add.s32 t, "
      "t, 50;\\0A bra.uni L${:uid};\\0A D${:uid}:\\0A}\", \"=r,r\"(i32 %a)\n"
      "%r = call i32 asm sideeffect \"{ .reg .pred p; setp.lt.s32 p, $1, 9; "
      "mov.b32 $0, 5; @!p bra DONE; add.s32 $0, $0, $2; DONE: }\", "
      "\"=r,r,r\"(i32 %b, i32 %x)");
  EXPECT_EQ(LoweredIR::count(*L->M, "bra"), 2u);
  EXPECT_EQ(LoweredIR::count(*L->M, "bra.uni"), 1u);
}

TEST(LLVMIRInlineAsm, ALabelInEachCall) {
  // The same text twice: each call jumps to its own label.
  StringRef Text = "asm sideeffect \"{ .reg .pred p; again: add.s32 $0, $0, 7; "
                   "setp.lt.s32 p, $0, 100; @p bra again; }\", \"=r,0\"";
  std::unique_ptr<LoweredIR> L = expectSame(
      "%x = call i32 " + Text + "(i32 %a)\n%y = add i32 " +
      "%b, 1\n%z = call i32 " + Text + "(i32 %y)\n%r = mul i32 %x, %z");
  EXPECT_EQ(LoweredIR::count(*L->M, "bra"), 2u);
}

TEST(LLVMIRInlineAsm, SeveralResultsAndTiedOperands) {
  expectSame("%s = call { i32, i32 } asm \"add.s32 $0, $2, 1; xor.b32 $1, $2, "
             "$3;\", \"=&r,=r,r,1\"(i32 %a, i32 %b)\n"
             "%x = extractvalue { i32, i32 } %s, 0\n"
             "%y = extractvalue { i32, i32 } %s, 1\n"
             "%z = mul i32 %b, %x\n"
             "%r = sub i32 %z, %y");
}

TEST(LLVMIRInlineAsm, TypesOfEachConstraint) {
  expectSame("%f = sitofp i32 %a to float\n%d = fpext float %f to double\n"
             "%l = sext i32 %b to i64\n%h = trunc i32 %a to i16\n"
             "%f1 = call float asm \"add.f32 $0, $1, $2;\", \"=f,f,f\"(float "
             "%f, float 2.5)\n"
             "%d1 = call double asm \"mul.f64 $0, $1, $1;\", \"=d,d\"(double "
             "%d)\n"
             "%l1 = call i64 asm \"add.s64 $0, $1, $2;\", \"=l,l,l\"(i64 %l, "
             "i64 77)\n"
             "%h1 = call i16 asm \"add.s16 $0, $1, $1;\", \"=h,h\"(i16 %h)\n"
             "%b1 = call float asm \"mov.b32 $0, $1;\", \"=f,r\"(i32 "
             "1065353216)\n"
             "%f2 = fadd float %f1, %b1\n%d2 = fptosi double %d1 to i32\n"
             "%f3 = fptosi float %f2 to i32\n%l2 = trunc i64 %l1 to i32\n"
             "%h2 = sext i16 %h1 to i32\n%s1 = add i32 %d2, %f3\n"
             "%s2 = add i32 %l2, %h2\n%r = xor i32 %s1, %s2");
}

TEST(LLVMIRInlineAsm, NarrowTypesInWideRegisters) {
  expectSame("%c = trunc i32 %a to i8\n%h = trunc i32 %b to i16\n"
             "%q = icmp sgt i32 %a, 0\n"
             "%x = call i8 asm \"add.u32 $0, $1, 1;\", \"=r,r\"(i8 %c)\n"
             "%y = call i16 asm \"shl.b32 $0, $1, 1;\", \"=r,r\"(i16 %h)\n"
             "%z = call i1 asm \"xor.b32 $0, $1, 1;\", \"=r,r\"(i1 %q)\n"
             "%w = call i1 asm \"setp.lt.s32 $0, $1, 5;\", \"=b,r\"(i32 %b)\n"
             "%x1 = zext i8 %x to i32\n%y1 = zext i16 %y to i32\n"
             "%z1 = zext i1 %z to i32\n%w1 = zext i1 %w to i32\n"
             "%s = add i32 %x1, %y1\n%t = shl i32 %z1, 20\n"
             "%u = shl i32 %w1, 21\n%v = or i32 %t, %u\n%r = xor i32 %s, %v");
}

TEST(LLVMIRInlineAsm, PackedVectors) {
  expectSame("%v = bitcast i32 %a to <2 x i16>\n"
             "%w = call <2 x i16> asm \"{ .reg .b16 x, y; mov.b32 {x, y}, $1; "
             "mov.b32 $0, {y, x}; }\", \"=r,r\"(<2 x i16> %v)\n"
             "%r = bitcast <2 x i16> %w to i32");
}

TEST(LLVMIRInlineAsm, MemoryVariablesAndSpecialRegisters) {
  std::unique_ptr<LoweredIR> L = expectSame(
      "call void asm sideeffect \"st.shared.b32 [tile+4], $0; bar.sync 0;\", "
      "\"r,~{memory}\"(i32 %a)\n"
      "%g = getelementptr i32, ptr addrspace(3) @tile, i32 1\n"
      "%x = load i32, ptr addrspace(3) %g\n"
      "%y = call i32 asm sideeffect \"mov.u32 $0, %laneid;\", \"=r\"()\n"
      "store i32 %b, ptr %p\n"
      "%z = call i32 asm sideeffect \"ld.global.b32 $0, $1;\", "
      "\"=r,*m,~{memory}\"(ptr elementtype(i32) %p)\n"
      "%s = add i32 %x, %y\n%r = add i32 %s, %z",
      "@tile = addrspace(3) global [64 x i32] undef, align 16\n");
  EXPECT_EQ(LoweredIR::count(*L->M, "st.shared.b32"), 1u);
  // The variable is the module's own.
  L->function("k")->forEachInstruction([&](const Instruction &I) {
    if (I.Mnemonic == "st.shared.b32") {
      EXPECT_EQ(I.Operands[0].Elements[0].Var, L->M->Variables[0]);
    }
  });
}

TEST(LLVMIRInlineAsm, CallsOfTheModulesFunctions) {
  LoweredIR L(
      asmKernel("%r = call i32 asm sideeffect \"{ .param .b32 x; .param "
                ".b32 y; st.param.b32 [x], $1; call (y), f, (x); "
                "ld.param.b32 $0, [y]; }\", \"=r,r\"(i32 %a)",
                "define i32 @f(i32 %x) {\n %y = add i32 %x, 1\n ret i32 "
                "%y\n}\n"));
  EXPECT_EQ(L.messages(), "");
  L.expectSameResults(64, {7, 3});
}

/// A loop of five rounds around \p Body, which makes %x1 and %y1 of %x and %y.
std::string inLoop(const Twine &Body) {
  return ("  br label %loop\nloop:\n"
          "  %i = phi i32 [ 0, %0 ], [ %n, %loop ]\n"
          "  %x = phi i32 [ %a, %0 ], [ %x1, %loop ]\n"
          "  %y = phi i32 [ 1, %0 ], [ %y1, %loop ]\n" +
          Body +
          "\n  %n = add i32 %i, 1\n"
          "  %c = icmp eq i32 %n, 5\n"
          "  br i1 %c, label %end, label %loop\nend:\n"
          "  %r = add i32 %x1, %y1")
      .str();
}

/// How many copies there are in the blocks of a loop.
unsigned copiesInLoop(const LoweredIR &L) {
  unsigned N = 0;
  for (const Block *B : L.function("k")->Blocks)
    for (const Instruction *I : B->Instructions)
      N += B->Label.contains("loop") && I->Mnemonic.starts_with("mov.");
  return N;
}

TEST(LLVMIRInlineAsm, ConstantsInLoopsAreWrittenBeforeThem) {
  auto L = expectSame(
      inLoop("%x1 = call i32 asm sideeffect \"mad.lo.s32 $0, $1, $2, $3;\", "
             "\"=r,r,r,r\"(i32 %x, i32 3, i32 12345)\n"
             "%y1 = add i32 %y, %x1"));
  EXPECT_EQ(copiesInLoop(*L), 0u);
}

TEST(LLVMIRInlineAsm, AccumulatorsStayInTheirRegisters) {
  auto L = expectSame(inLoop(
      "%s = call { i32, i32 } asm sideeffect \"add.s32 $0, $0, $4; mul.lo.s32 "
      "$1, $1, $4;\", \"=r,=r,0,1,r\"(i32 %x, i32 %y, i32 %b)\n"
      "%x0 = extractvalue { i32, i32 } %s, 0\n"
      "%y0 = extractvalue { i32, i32 } %s, 1\n"
      "%t = call { i32, i32 } asm sideeffect \"sub.s32 $0, $0, $4; xor.b32 $1, "
      "$1, $4;\", \"=r,=r,0,1,r\"(i32 %x0, i32 %y0, i32 %a)\n"
      "%x1 = extractvalue { i32, i32 } %t, 0\n"
      "%y1 = extractvalue { i32, i32 } %t, 1"));
  EXPECT_EQ(copiesInLoop(*L), 0u);
}

TEST(LLVMIRInlineAsm, RegistersThatAreStillReadAreNotShared) {
  // Each reads an old value after it has written a new one.
  expectSame(inLoop("%s = call { i32, i32 } asm sideeffect \"add.s32 $0, $2, "
                    "1; add.s32 $1, $2, $3;\", \"=&r,=&r,r,r\"(i32 %x, i32 "
                    "%y)\n"
                    "%x1 = extractvalue { i32, i32 } %s, 0\n"
                    "%y1 = extractvalue { i32, i32 } %s, 1"));
  expectSame(inLoop("%x1 = call i32 asm sideeffect \"add.s32 $0, $0, 3;\", "
                    "\"=r,0\"(i32 %x)\n"
                    "%y1 = call i32 asm sideeffect \"add.s32 $0, $0, $2;\", "
                    "\"=&r,0,r\"(i32 %x, i32 %y)"));
  expectSame(
      inLoop("%s = call { i32, i32 } asm sideeffect \"add.s32 $0, $0, 1; "
             "add.s32 $1, $1, 2;\", \"=r,=r,0,1\"(i32 %y, i32 %x)\n"
             "%x1 = extractvalue { i32, i32 } %s, 0\n"
             "%y1 = extractvalue { i32, i32 } %s, 1"));
}

TEST(LLVMIRInlineAsm, WhatNobodyUsesIsLeftOut) {
  std::unique_ptr<LoweredIR> L =
      expectSame("%x = call i32 asm \"add.s32 $0, $1, 1;\", \"=r,r\"(i32 %a)\n"
                 "%r = call i32 asm sideeffect \"\", \"=r,0\"(i32 %b)");
  EXPECT_EQ(LoweredIR::count(*L->M, "add.s32"), 0u);
}

TEST(LLVMIRInlineAsm, WhatIsNotUnderstoodIsOneUnknownInstruction) {
  auto Unread = [](const Twine &Call, StringRef Why) {
    std::string Text = asmKernel("%r = call i32 asm sideeffect " + Call);
    // The back end writes anything, so that only we read it.
    Text = "target triple = \"nvptx64-nvidia-cuda\"\n" + Text;
    DiagnosticEngine Diags(
        llvm::MemoryBuffer::getMemBufferCopy(Text, "test.ll"));
    llvm::LLVMContext Context;
    std::unique_ptr<llvm::Module> IR = parse(Diags, Context);
    ASSERT_TRUE(IR);
    std::unique_ptr<Module> M = llvmir::lower(*IR, "sm_90", Diags);
    ASSERT_TRUE(M);
    unsigned Unknown = 0;
    M->function("k")->forEachInstruction([&](const Instruction &I) {
      if (I.IsUnknown) {
        ++Unknown;
        EXPECT_EQ(I.Mnemonic, "inline-asm");
        EXPECT_EQ(I.Defs.size(), 1u);
      }
    });
    EXPECT_EQ(Unknown, 1u);
    EXPECT_FALSE(Diags.hasErrors());
    ASSERT_EQ(Diags.diagnostics().size(), 1u);
    const Diagnostic &D = Diags.diagnostics()[0];
    EXPECT_EQ(D.Level, Severity::Note);
    EXPECT_EQ(D.Line, 3u);
    EXPECT_NE(D.Message.find(Why), std::string::npos) << D.Message;
  };
  Unread("\"mov.b32 $0, 1;\\0A  add.s32 $0, x, $1;\", \"=r,r\"(i32 %a)",
         "2:15: use of undeclared symbol 'x'");
  Unread("\"{ mov.b32 $0, $1;\", \"=r,r\"(i32 %a)", "the file ends");
  Unread("\"mov.b32 $0, $7;\", \"=r,r\"(i32 %a)", "an operand of it");
  Unread("\"mov.b32 $0, $1;\", \"=r,{eax}\"(i32 %a)", "an operand of it");
}

TEST(LLVMIRInlineAsm, OfTheModuleIsNotRead) {
  LoweredIR L("module asm \".global .u32 x;\"\n"
              "define ptx_kernel void @k() { ret void }\n");
  EXPECT_EQ(L.messages(),
            "note: the module's own inline assembly is not read\n");
}

} // namespace

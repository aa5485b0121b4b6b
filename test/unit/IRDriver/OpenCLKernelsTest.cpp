//===- OpenCLKernelsTest.cpp - Tests of what becomes of clang's kernels ---===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "IRDriver/OpenCLKernels.h"
#include "ptxpredict/Support/LLVM.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// A module as clang writes it, finished.
class Finished {
public:
  explicit Finished(StringRef Text) {
    llvm::SMDiagnostic Problem;
    M = llvm::parseAssemblyString(Text, Problem, Context);
    if (!M) {
      ADD_FAILURE() << Problem.getMessage().str();
      return;
    }
    finishOpenCLKernels(*M);
    std::string Wrong;
    llvm::raw_string_ostream OS(Wrong);
    EXPECT_FALSE(llvm::verifyModule(*M, &OS)) << Wrong;
  }

  llvm::Function *function(StringRef Name) const {
    return M->getFunction(Name);
  }
  /// The names of what is called in "k", one a line.
  std::string calls(StringRef Name = "k") const {
    std::string Text;
    for (llvm::Instruction &I : llvm::instructions(*function(Name)))
      if (auto *Call = dyn_cast<llvm::CallInst>(&I))
        Text += Call->getCalledFunction()->getName().str() + "\n";
    return Text;
  }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
};

constexpr StringRef Body =
    "define void @__clang_ocl_kern_imp_k(ptr addrspace(1) %p, float %by) !dbg "
    "!3 {\n"
    "  %v = load float, ptr addrspace(1) %p, !dbg !5\n"
    "  %w = fmul float %v, %by, !dbg !5\n"
    "  store float %w, ptr addrspace(1) %p, !dbg !5\n"
    "  ret void, !dbg !5\n}\n";
constexpr StringRef Kernel =
    "define dso_local ptx_kernel void @k(ptr addrspace(1) noalias align 4 %a, "
    "float %b) !dbg !4 !reqd_work_group_size !7 {\n"
    "  call void @__clang_ocl_kern_imp_k(ptr addrspace(1) %a, float %b), !dbg "
    "!6\n"
    "  ret void, !dbg !6\n}\n";
constexpr StringRef Data =
    "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, "
    "emissionKind: LineTablesOnly)\n"
    "!1 = !DIFile(filename: \"k.cl\", directory: \"/\")\n"
    "!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!3 = distinct !DISubprogram(name: \"body\", file: !1, line: 3, unit: !0, "
    "type: !8, spFlags: DISPFlagDefinition)\n"
    "!4 = distinct !DISubprogram(name: \"k\", file: !1, line: 3, unit: !0, "
    "type: !8, spFlags: DISPFlagDefinition)\n"
    "!5 = !DILocation(line: 5, column: 1, scope: !3)\n"
    "!6 = !DILocation(line: 3, column: 1, scope: !4)\n"
    "!7 = !{i32 16, i32 8, i32 1}\n"
    "!8 = !DISubroutineType(types: !{})\n";

TEST(OpenCLKernels, HaveTheirBodies) {
  Finished F((Kernel + Body + Data).str());
  ASSERT_TRUE(F.M);
  EXPECT_EQ(F.function("__clang_ocl_kern_imp_k"), nullptr);
  llvm::Function &K = *F.function("k");
  EXPECT_EQ(F.calls(), "");
  EXPECT_EQ(K.getInstructionCount(), 4U);
  EXPECT_TRUE(K.hasExternalLinkage());
  // Names and lines are the source's; what is known of arguments stays.
  EXPECT_EQ(K.getArg(0)->getName(), "p");
  EXPECT_EQ(K.getArg(1)->getName(), "by");
  EXPECT_TRUE(K.getArg(0)->hasNoAliasAttr());
  EXPECT_EQ(K.getSubprogram()->getLine(), 3U);
  EXPECT_EQ(K.front().front().getDebugLoc().getLine(), 5U);
  EXPECT_EQ(K.front().front().getDebugLoc().getInlinedAt(), nullptr);
}

/// Without optimization arguments go through the stack.
TEST(OpenCLKernels, HaveTheirBodiesWithoutOptimization) {
  Finished F(("define ptx_kernel void @k(ptr addrspace(1) %0, float %1) {\n"
              "  %3 = alloca float\n  store float %1, ptr %3\n"
              "  %4 = load float, ptr %3\n"
              "  call void @__clang_ocl_kern_imp_k(ptr addrspace(1) %0, float "
              "%4)\n  ret void\n}\n" +
              Body + Data)
                 .str());
  ASSERT_TRUE(F.M);
  EXPECT_EQ(F.calls(), "");
  EXPECT_EQ(F.function("__clang_ocl_kern_imp_k"), nullptr);
}

/// What others call stays a function.
TEST(OpenCLKernels, MayBeCalled) {
  const std::string Caller =
      "define ptx_kernel void @other(ptr addrspace(1) %p) {\n"
      "  call void @__clang_ocl_kern_imp_k(ptr addrspace(1) %p, float 2.0)\n"
      "  ret void\n}\n";
  Finished F((Kernel + Caller + Body + Data).str());
  ASSERT_TRUE(F.M);
  EXPECT_EQ(F.calls(), "__clang_ocl_kern_imp_k\n");
  EXPECT_EQ(F.calls("other"), "__clang_ocl_kern_imp_k\n");
}

/// Whatever is not clang's shape is left alone.
TEST(OpenCLKernels, OthersStay) {
  Finished More(("declare void @f()\n"
                 "define ptx_kernel void @k(ptr addrspace(1) %a, float %b) {\n"
                 "  call void @f()\n"
                 "  call void @__clang_ocl_kern_imp_k(ptr addrspace(1) %a, "
                 "float %b)\n  ret void\n}\n" +
                 Body + Data)
                    .str());
  EXPECT_EQ(More.calls(), "f\n__clang_ocl_kern_imp_k\n");
  Finished Types(("define ptx_kernel void @k(ptr addrspace(1) %a) {\n"
                  "  call void @__clang_ocl_kern_imp_k(ptr addrspace(1) %a, "
                  "float 1.0)\n  ret void\n}\n" +
                  Body + Data)
                     .str());
  EXPECT_EQ(Types.calls(), "__clang_ocl_kern_imp_k\n");
  Finished NoKernel(("define void @k(ptr addrspace(1) %a, float %b) {\n"
                     "  call void @__clang_ocl_kern_imp_k(ptr addrspace(1) "
                     "%a, float %b)\n  ret void\n}\n" +
                     Body + Data)
                        .str());
  EXPECT_EQ(NoKernel.calls(), "__clang_ocl_kern_imp_k\n");
}

TEST(OpenCLKernels, DemandWorkGroups) {
  Finished F((Kernel + Body + Data).str());
  ASSERT_TRUE(F.M);
  EXPECT_EQ(F.function("k")->getFnAttribute("nvvm.reqntid").getValueAsString(),
            "16,8,1");
  for (StringRef Wrong : {"!{i32 16, i32 8}", "!{i32 16, !\"x\", i32 1}"}) {
    Finished W(("define ptx_kernel void @k() !reqd_work_group_size !0 { ret "
                "void }\n!0 = " +
                Wrong)
                   .str());
    EXPECT_FALSE(W.function("k")->hasFnAttribute("nvvm.reqntid"))
        << Wrong.str();
  }
}

TEST(OpenCLKernels, NativeFunctionsHaveInstructions) {
  Finished F("define ptx_kernel void @k(ptr addrspace(1) %p) {\n"
             "  %v = load float, ptr addrspace(1) %p\n"
             "  %a = call afn float @llvm.exp.f32(float %v)\n"
             "  %b = call afn float @llvm.log.f32(float %a)\n"
             "  %c = call afn float @llvm.log2.f32(float %b)\n"
             "  %d = call afn float @llvm.log10.f32(float %c)\n"
             "  store float %d, ptr addrspace(1) %p\n  ret void\n}\n"
             "define ptx_kernel void @v(ptr addrspace(1) %p) {\n"
             "  %v = load <2 x float>, ptr addrspace(1) %p\n"
             "  %a = call <2 x float> @llvm.exp.v2f32(<2 x float> %v)\n"
             "  store <2 x float> %a, ptr addrspace(1) %p\n  ret void\n}\n"
             "define ptx_kernel void @d(ptr addrspace(1) %p) {\n"
             "  %v = load double, ptr addrspace(1) %p\n"
             "  %a = call double @llvm.exp.f64(double %v)\n"
             "  store double %a, ptr addrspace(1) %p\n  ret void\n}\n");
  ASSERT_TRUE(F.M);
  EXPECT_EQ(F.calls(), "llvm.exp2.f32\nllvm.nvvm.lg2.approx.f\n"
                       "llvm.nvvm.lg2.approx.f\nllvm.nvvm.lg2.approx.f\n");
  EXPECT_EQ(F.calls("v"), "llvm.exp2.f32\nllvm.exp2.f32\n");
  EXPECT_EQ(F.calls("d"), "llvm.exp.f64\n") << "no float's";
}

} // namespace

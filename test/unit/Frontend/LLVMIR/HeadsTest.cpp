//===- HeadsTest.cpp - Tests of names, bounds and parameters --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoweredIR.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

namespace {

std::string parameters(const InstructionGraph &G) {
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  for (const Parameter &P : G.Parameters) {
    OS << toString(P.Type) << ' ' << P.Name << " x" << P.Elements << " bytes "
       << P.Bytes << " align " << P.Align << " at " << P.Offset << " place "
       << P.Position;
    if (P.IsReturn)
      OS << " returned";
    if (P.PointerSpace)
      OS << " to " << toString(*P.PointerSpace) << ' ' << P.PointerAlign;
    OS << '\n';
  }
  return Out;
}

void expectSameHeads(const LoweredIR &L) {
  ASSERT_TRUE(L.M && L.PTX);
  EXPECT_EQ(L.M->Functions.size(), L.PTX->Functions.size());
  for (const auto &Want : L.PTX->Functions) {
    const InstructionGraph *Got = L.function(Want->Name);
    if (!Got) {
      ADD_FAILURE() << Want->Name.str();
      continue;
    }
    EXPECT_EQ(parameters(*Got), parameters(*Want));
    EXPECT_EQ(Got->IsKernel, Want->IsKernel);
    EXPECT_EQ(Got->Link, Want->Link);
    const KernelBounds &A = Got->Bounds, &B = Want->Bounds;
    EXPECT_EQ(A.MaxThreads, B.MaxThreads);
    EXPECT_EQ(A.RequiredThreads, B.RequiredThreads);
    EXPECT_EQ(A.RequiredCluster, B.RequiredCluster);
    EXPECT_EQ(A.MinBlocksPerSM, B.MinBlocksPerSM);
    EXPECT_EQ(A.MaxRegisters, B.MaxRegisters);
    EXPECT_EQ(A.MaxClusterRank, B.MaxClusterRank);
  }
}

TEST(LLVMIRHeads, ParametersOfKernels) {
  expectSameHeads(LoweredIR(
      "define ptx_kernel void @k(ptr %p, i8 %c, [3 x i32] %arr, ptr byval({ "
      "i32, i64 }) align 8 %s, <4 x float> %v, i1 %b, half %h, ptr "
      "addrspace(1) align 16 %g, i128 %q, ptr noalias align 4 %r, i16 %i, "
      "float "
      "%f, double %d, i64 %l, ptr addrspace(3) %sh) { ret void }\n"
      "define weak_odr ptx_kernel void @none() { ret void }\n"));
}

TEST(LLVMIRHeads, ParametersAndReturnsOfFunctions) {
  expectSameHeads(LoweredIR(
      "define { i32, float } @a(float %f, i1 zeroext %b, i8 signext %c, ptr "
      "%p, <3 x i32> %v, { i32, i8 } %st, [2 x half] %hh, i128 %q, ptr "
      "byval(i8) %by, half %h, bfloat %bf, i24 %x) { ret { i32, float } "
      "zeroinitializer }\n"
      "define i1 @b() { ret i1 true }\n"
      "define <4 x float> @c() { ret <4 x float> zeroinitializer }\n"
      "define half @d() { ret half 1.0 }\n"
      "define i128 @e() { ret i128 1 }\n"
      "define ptr @f() { ret ptr null }\n"
      "define double @g() { ret double 1.0 }\n"
      "define linkonce_odr <2 x half> @h() { ret <2 x half> zeroinitializer }\n"
      "define void @i() { ret void }\n"));
}

TEST(LLVMIRHeads, AlignmentOfFunctionsThatNobodyElseCalls) {
  expectSameHeads(
      LoweredIR("define internal { i32, i32 } @f({ i32, i32 } %x) noinline { "
                "ret { i32, i32 } %x }\n"
                "define ptx_kernel void @k(ptr %p, { i32, i32 } %x) {\n"
                "  %y = call { i32, i32 } @f({ i32, i32 } %x)\n"
                "  store { i32, i32 } %y, ptr %p\n"
                "  ret void\n}\n"));
}

TEST(LLVMIRHeads, Bounds) {
  LoweredIR L("define ptx_kernel void @k() \"nvvm.maxntid\"=\"128,2\" "
              "\"nvvm.minctasm\"=\"3\" \"nvvm.maxnreg\"=\"40\" "
              "\"nvvm.cluster_dim\"=\"2\" \"nvvm.maxclusterrank\"=\"4\" { ret "
              "void }\n"
              "define ptx_kernel void @r() \"nvvm.reqntid\"=\"32,4,2\" { ret "
              "void }\n");
  expectSameHeads(L);
  EXPECT_EQ(L.function("k")->Bounds.MaxThreads,
            (KernelBounds::Extent{128, 2, 1}));
}

TEST(LLVMIRHeads, AnnotationsOfOlderIR) {
  LoweredIR L("define void @k(ptr %p) { ret void }\n"
              "!nvvm.annotations = !{!0, !1}\n"
              "!0 = !{ptr @k, !\"kernel\", i32 1, !\"maxntidx\", i32 64, "
              "!\"minctasm\", i32 3}\n"
              "!1 = !{ptr @k, !\"maxnreg\", i32 40}\n");
  expectSameHeads(L);
  EXPECT_TRUE(L.function("k")->IsKernel);
  EXPECT_EQ(L.function("k")->Bounds.MaxRegisters, 40u);
}

TEST(LLVMIRHeads, NamesInTheSource) {
  LoweredIR L(
      "define ptx_kernel void @k(ptr %data, i32 %0) !dbg !4 {\n"
      "    #dbg_value(i32 %0, !9, !DIExpression(), !10)\n"
      "  store i32 %0, ptr %data\n"
      "  ret void, !dbg !10\n}\n"
      "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n"
      "!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, "
      "emissionKind: FullDebug)\n"
      "!1 = !DIFile(filename: \"a.cu\", directory: \"/\")\n"
      "!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
      "!4 = distinct !DISubprogram(name: \"k\", scope: !1, file: !1, line: 1, "
      "type: !5, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !8)\n"
      "!5 = !DISubroutineType(types: !6)\n"
      "!6 = !{null, !7, !7}\n"
      "!7 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n"
      "!8 = !{}\n"
      "!9 = !DILocalVariable(name: \"count\", arg: 2, scope: !4, file: !1, "
      "line: 1, type: !7)\n"
      "!10 = !DILocation(line: 1, scope: !4)\n");
  const InstructionGraph *K = L.function("k");
  ASSERT_TRUE(K);
  EXPECT_EQ(K->Parameters[0].SourceName, "data");
  EXPECT_EQ(K->Parameters[1].SourceName, "count");
  EXPECT_EQ(K->Parameters[1].Name, "k_param_1");
  EXPECT_EQ(K->Parameters[1].shownName(), "count");
}

} // namespace

//===- KernelAnalysisTest.cpp - From PTX to what a kernel does ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// The kernel `k` of \p Text at a launch of 10 blocks of 64 threads.
KernelCharacteristics analyze(StringRef Text, LaunchConfig Launch = {}) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(
      (".version 8.0\n.target sm_80\n.address_size 64\n" + Text).str(),
      "k.ptx"));
  std::unique_ptr<ptx::AST> Tree = ptx::parse(Diags);
  for (const Diagnostic &D : Diags.diagnostics())
    ADD_FAILURE() << D.Line << ": " << D.Message;
  std::unique_ptr<Module> M = ptx::lower(*Tree, Diags);
  Launch.Grid = {10, 1, 1};
  Launch.Block = {64, 1, 1};
  return analyzeKernel(*M->function("k"), Launch, {});
}

TEST(KernelAnalysis, PlacesAccessesInTheUsersSource) {
  KernelCharacteristics K =
      analyze(".file 1 \"/src/k.cu\"\n"
              ".file 2 \"/usr/local/cuda/include/cuda_fp16.hpp\"\n"
              ".entry k(.param .u64 p) {\n"
              ".reg .b32 %r<2>;\n.reg .b64 %rd<2>;\n"
              "ld.param.u64 %rd1, [p];\n"
              "ld.global.u32 %r1, [%rd1];\n"
              ".loc 1 10 3\n"
              "st.global.u32 [%rd1], %r1;\n"
              ".loc 2 99 1\n"
              "st.global.u32 [%rd1+4], %r1;\n"
              ".loc 2 5 7, function_name $L1, inlined_at 1 20 5\n"
              "st.global.u32 [%rd1+8], %r1;\n"
              "ret;\n}\n");
  ASSERT_EQ(K.Memory.size(), 4u);
  EXPECT_EQ(K.Memory[0].Place.Source, "");
  EXPECT_EQ(K.Memory[1].Place.Source, "/src/k.cu:10:3");
  // A header is no place of the user's: the last one before it stands.
  EXPECT_EQ(K.Memory[2].Place.Source, "/src/k.cu:10:3");
  EXPECT_THAT(K.Memory[2].Place.InlinedAt, IsEmpty());
  EXPECT_EQ(K.Memory[3].Place.Source, "/src/k.cu:20:5");
  EXPECT_THAT(K.Memory[3].Place.InlinedAt, ElementsAre("/src/k.cu:20:5"));
}

TEST(KernelAnalysis, ChargesFunctionsToTheirCallers) {
  KernelCharacteristics K = analyze(".func f() {\n"
                                    ".reg .b32 %r<2>;\n"
                                    "add.s32 %r1, %r1, 1;\n"
                                    "add.s32 %r1, %r1, 2;\n"
                                    "ret;\n}\n"
                                    ".extern .func g();\n"
                                    ".entry k() {\n"
                                    "call f, ();\n"
                                    "call f, ();\n"
                                    "call g, ();\n"
                                    "ret;\n}\n");
  EXPECT_EQ(K.byClass(OpClass::Int).Value, 4);     // 2 calls of 2
  EXPECT_EQ(K.byClass(OpClass::Control).Value, 6); // 3 calls, 3 returns
  EXPECT_EQ(K.Instructions.Value, 10);
  // The call of code that is not there is known but cannot be charged.
  EXPECT_EQ(K.TotalInstructions, 7u);
  EXPECT_EQ(K.ModelledInstructions, 6u);
}

TEST(KernelAnalysis, BoundsCountsFromBelowWhereCodeIsNotSeen) {
  for (StringRef Call : {"call g, ();", "call f, ();", "call %rd1, (), P;"}) {
    KernelCharacteristics K =
        analyze((".func f() { call f, (); ret; }\n.extern .func g();\n"
                 ".entry k(.param .u64 p) {\n.reg .b64 %rd<2>;\n"
                 "P: .callprototype _ ();\nld.param.u64 %rd1, [p];\n" +
                 Call + "\nret;\n}\n")
                    .str());
    for (const Estimate &C : {K.Instructions, K.byClass(OpClass::Load)}) {
      EXPECT_GE(C.Status, Status::Estimated) << Call.str();
      EXPECT_EQ(C.High, INFINITY);
    }
    EXPECT_EQ(K.byClass(OpClass::Load).Low, K.byClass(OpClass::Load).Value);
    // The calls within f are not looked into.
    EXPECT_EQ(K.Instructions.Low,
              Call.starts_with("call f") ? 5 : K.Instructions.Value);
    EXPECT_TRUE(K.Blocks[0].Frequency.isKnown());
  }
}

constexpr StringRef GuardedCall = ".func f() {\n"
                                  ".reg .f32 %f<2>;\n"
                                  "add.f32 %f1, %f1, %f1;\n"
                                  "ret;\n}\n"
                                  ".entry k(.param .u64 p) {\n"
                                  ".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
                                  ".reg .pred %p<2>;\n"
                                  "ld.param.u64 %rd1, [p];\n"
                                  "ld.global.u32 %r1, [%rd1];\n"
                                  "setp.eq.u32 %p1, %r1, 0;\n"
                                  "@%p1 call f, ();\n" // line 16
                                  "ret;\n}\n";

TEST(KernelAnalysis, SaysWhatAGuardedCallRestsOn) {
  KernelCharacteristics K = analyze(GuardedCall);
  Estimate FP32 = K.byClass(OpClass::Fp32);
  EXPECT_EQ(FP32.Value, 0.5);
  EXPECT_EQ(FP32.Status, Status::Assumed);
  EXPECT_EQ(FP32.Low, 0);
  EXPECT_EQ(FP32.High, 1);
  ASSERT_EQ(K.Assumptions.size(), 1u);
  EXPECT_EQ(K.Assumptions[0].Kind, AssumptionKind::GuardedCall);
  EXPECT_EQ(K.Assumptions[0].Value, "0.5");
  EXPECT_EQ(K.Assumptions[0].Line, 16u);
  EXPECT_EQ(K.Assumptions[0].Option, "--branch-probability=16=P");

  LaunchConfig Launch;
  Launch.BranchProbabilities["16"] = 0.25;
  K = analyze(GuardedCall, Launch);
  EXPECT_EQ(K.byClass(OpClass::Fp32).Value, 0.25);
  EXPECT_TRUE(K.byClass(OpClass::Fp32).isKnown());
  EXPECT_THAT(K.Assumptions, IsEmpty());
}

TEST(KernelAnalysis, CountsABranchBehindGuardedCalls) {
  KernelCharacteristics K = analyze(".func f() {\nret;\n}\n"
                                    ".entry k(.param .u32 n) {\n"
                                    ".reg .b32 %r<2>;\n.reg .pred %p<2>;\n"
                                    "ld.param.u32 %r1, [n];\n"
                                    "setp.eq.u32 %p1, %r1, 0;\n"
                                    "@%p1 call f;\n@%p1 call f;\n"
                                    "@%p1 call f;\n@%p1 call f;\n"
                                    "@%p1 bra L;\n"
                                    "add.s32 %r1, %r1, 1;\n"
                                    "L: ret;\n}\n");
  ASSERT_EQ(K.Branches.size(), 5u);
  for (const BranchCharacteristics &B : K.Branches)
    EXPECT_EQ(B.Executions.Value, 1) << "line " << B.Line;
}

TEST(KernelAnalysis, ChargesEachCallTargetAlike) {
  auto CallOf = [](StringRef Targets) {
    return analyze((".func f() {\n.reg .f32 %f<2>;\n"
                    "add.f32 %f1, %f1, %f1;\nret;\n}\n"
                    ".func g() {\n.reg .f64 %d<2>;\n"
                    "add.f64 %d1, %d1, %d1;\nret;\n}\n"
                    ".extern .func e();\n"
                    ".entry k(.param .u64 p) {\n.reg .b64 %rd<2>;\n"
                    "T: .calltargets " +
                    Targets +
                    ";\nld.param.u64 %rd1, [p];\n"
                    "call %rd1, (), T;\nret;\n}\n")
                       .str());
  };
  KernelCharacteristics K = CallOf("f, g");
  for (OpClass C : {OpClass::Fp32, OpClass::Fp64}) {
    EXPECT_EQ(K.byClass(C).Value, 0.5);
    EXPECT_EQ(K.byClass(C).Status, Status::Assumed);
    EXPECT_EQ(K.byClass(C).High, 1);
  }
  EXPECT_EQ(K.Instructions.Value, 5); // three of k, and half of each
  EXPECT_EQ(K.ModelledInstructions, K.TotalInstructions);

  K = CallOf("f");
  EXPECT_EQ(K.byClass(OpClass::Fp32).Value, 1);
  EXPECT_TRUE(K.Instructions.isKnown());

  K = CallOf("f, e"); // nobody knows what e runs
  EXPECT_EQ(K.byClass(OpClass::Fp32).Value, 0.5);
  EXPECT_EQ(K.Instructions.High, INFINITY);
  EXPECT_EQ(K.ModelledInstructions + 1, K.TotalInstructions);
}

TEST(KernelAnalysis, FollowsLongChainsOfCalls) {
  constexpr unsigned Length = 3000;
  std::string Text;
  for (unsigned N = Length; N-- != 0;) {
    Text += ".func f" + std::to_string(N) +
            "() {\n.reg .f32 %f<2>;\nadd.f32 %f1, %f1, %f1;\n";
    if (N + 1 != Length)
      Text += "call f" + std::to_string(N + 1) + ";\n";
    Text += "ret;\n}\n";
  }
  Text += ".entry k() {\ncall f0;\ncall f0;\nret;\n}\n";
  KernelCharacteristics K = analyze(Text);
  EXPECT_TRUE(K.byClass(OpClass::Fp32).isKnown());
  EXPECT_EQ(K.byClass(OpClass::Fp32).Value, 2 * Length);
}

TEST(KernelAnalysis, DoesNotKnowHowOftenFunctionsCallThemselves) {
  KernelCharacteristics K =
      analyze(".func g();\n"
              ".func f() {\n.reg .f32 %f<2>;\nadd.f32 %f1, %f1, %f1;\n"
              "call g;\nret;\n}\n"
              ".func g() {\ncall f;\nret;\n}\n"
              ".entry k() {\ncall f;\nret;\n}\n");
  EXPECT_EQ(K.byClass(OpClass::Fp32).Status, Status::Assumed);
  EXPECT_GE(K.byClass(OpClass::Fp32).Low, 1);
  EXPECT_EQ(K.byClass(OpClass::Fp32).High, INFINITY);
}

TEST(KernelAnalysis, LocatesAtomicsAtAnAssumedLaunch) {
  // One address of all; one of each row of threads.
  constexpr StringRef Text =
      ".entry k(.param .u64 p) {\n"
      ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
      "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd1, %rd1;\n"
      "atom.global.add.u32 %r1, [%rd1], 1;\n"
      "mov.u32 %r2, %tid.y;\nmul.wide.u32 %rd2, %r2, 4;\n"
      "add.s64 %rd3, %rd1, %rd2;\n"
      "atom.global.add.u32 %r3, [%rd3+128], 1;\n"
      "ret;\n}\n";
  LaunchConfig Assumed;
  Assumed.BlockIsAssumed = Assumed.GridIsAssumed = true;
  KernelCharacteristics K = analyze(Text, Assumed);
  ASSERT_EQ(K.Memory.size(), 2u);
  const MemoryCharacteristics &One = K.Memory[0], &Rows = K.Memory[1];
  ASSERT_TRUE(One.Addresses && One.HottestRequests && Rows.Addresses);
  EXPECT_EQ(One.Addresses->Value, 1);
  EXPECT_EQ(One.Addresses->Status, Status::Known) << "of every block's shape";
  EXPECT_EQ(One.HottestRequests->Value, 20);
  EXPECT_EQ(One.HottestRequests->Status, Status::Assumed);
  EXPECT_EQ(Rows.Addresses->Status, Status::Assumed);
  EXPECT_FALSE(One.WarpStrideBytes) << "of given launches alone";
  EXPECT_FALSE(K.Reuse);

  KernelCharacteristics Given = analyze(Text);
  ASSERT_TRUE(Given.Memory[0].HottestRequests);
  EXPECT_EQ(Given.Memory[0].HottestRequests->Value, 20);
  EXPECT_EQ(Given.Memory[0].HottestRequests->Status, Status::Known);
  EXPECT_TRUE(Given.Reuse);
}

TEST(KernelAnalysis, AddsUpWhatABlockNeeds) {
  KernelCharacteristics K =
      analyze(".shared .align 4 .b8 a[5];\n"
              ".shared .align 8 .b8 unused[1000];\n"
              ".shared .align 16 .b8 b[16];\n"
              ".entry k(.param .u32 n, .param .u64 p) .maxnreg 16 {\n"
              ".local .align 8 .b8 l[24];\n"
              ".reg .b32 %r<3>;\n"
              "mov.u32 %r1, a;\n"
              "mov.u32 %r2, b;\n"
              "bar.sync 3;\n"
              "bar.sync 0, 64;\n"
              "ret;\n}\n");
  EXPECT_EQ(K.Resources.StaticSharedBytes, 32u); // b is aligned to 16
  EXPECT_EQ(K.Resources.LocalBytes, 24u);
  EXPECT_EQ(K.Resources.Barriers, 4u); // 0 to 3
  EXPECT_EQ(K.Resources.ParamBytes, 16u);
  EXPECT_LE(K.Resources.Registers.High, 16);
  EXPECT_EQ(K.BlockBarriers.Value, 2);
}

} // namespace

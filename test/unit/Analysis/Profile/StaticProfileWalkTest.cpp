//===- StaticProfileWalkTest.cpp - How often blocks run -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PTXKernel.h"

using namespace ptxpredict;

TEST(BlockFrequencyTest, IndexConditionHolds) {
  PTXKernel K("ld.param.u32 %r2, [n];\nmov.u32 %r1, %ctaid.x;\n"
              "setp.ge.s32 %p1, %r1, %r2;\n@%p1 bra END;\n"
              "BODY: add.s32 %r1, %r1, 1;\nEND:");
  K.analyze();
  EXPECT_EQ(K.frequency("BODY").Value, 1);
  EXPECT_EQ(K.frequency("BODY").Status, Status::Assumed);
  EXPECT_EQ(K.frequency("END").Value, 1);
  EXPECT_EQ(K.frequency("END").Status, Status::Known);
  ASSERT_EQ(K.Counts.Assumptions.size(), 1u);
  EXPECT_EQ(K.Counts.Assumptions[0].Value, "0");
}

TEST(BlockFrequencyTest, UnknownGuardOfALoopEntersIt) {
  PTXKernel K("ld.param.u32 %r2, [n];\nsetp.lt.s32 %p1, %r2, 1;\n"
              "@%p1 bra END;\nmov.u32 %r1, 0;\n"
              "L: add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p2, %r1, %r2;\n"
              "@%p2 bra L;\nEND:");
  K.analyze();
  EXPECT_EQ(K.frequency("L").Value, 64);
  EXPECT_EQ(K.frequency("L").Low, 0);
  EXPECT_EQ(K.frequency("L").Status, Status::Assumed);
}

TEST(BlockFrequencyTest, ThreadIndexAgainstAConstant) {
  // One of two warps has lanes below 16, both have lanes from 16 on.
  PTXKernel K("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 16;\n"
              "@%p1 bra LOW;\nHIGH: add.s32 %r1, %r1, 1;\nbra END;\n"
              "LOW: add.s32 %r1, %r1, 2;\nEND:");
  K.analyze();
  EXPECT_EQ(K.frequency("LOW").Value, 0.5);
  EXPECT_EQ(K.frequency("HIGH").Value, 1);
  EXPECT_EQ(K.frequency("END").Value, 1);
  EXPECT_EQ(K.frequency("LOW").Status, Status::Known);
  EXPECT_TRUE(K.Counts.Assumptions.empty());
}

TEST(BlockFrequencyTest, RowsOfABlockAreUniformInWarpsOfThatWidth) {
  PTXKernel K("mov.u32 %r1, %tid.y;\nsetp.ne.u32 %p1, %r1, 0;\n"
              "@%p1 bra REST;\nFIRST: add.s32 %r1, %r1, 1;\nbra END;\n"
              "REST: add.s32 %r1, %r1, 2;\nEND:",
              {32, 8, 1});
  K.analyze();
  EXPECT_EQ(K.frequency("FIRST").Value, 0.125);
  EXPECT_EQ(K.frequency("REST").Value, 0.875);
}

TEST(BlockFrequencyTest, BothSidesOfAConditionOnLoadedDataRun) {
  PTXKernel K("mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [p];\n"
              "mad.wide.u32 %rd2, %r1, 4, %rd1;\nld.global.u32 %r2, [%rd2];\n"
              "setp.eq.s32 %p1, %r2, 0;\n@%p1 bra B;\n"
              "A: add.s32 %r1, %r1, 1;\nbra END;\n"
              "B: add.s32 %r1, %r1, 2;\nEND:");
  K.analyze();
  EXPECT_EQ(K.frequency("A").Value, 1);
  EXPECT_EQ(K.frequency("B").Value, 1);
  EXPECT_EQ(K.frequency("A").Low, 0);
  EXPECT_EQ(K.frequency("END").Value, 1);
}

TEST(BlockFrequencyTest, OneSideOfAUniformUnknownConditionRuns) {
  StringRef Body = "ld.param.u32 %r2, [n];\nsetp.eq.s32 %p1, %r2, 3;\n"
                   "BR: @%p1 bra B;\nA: add.s32 %r1, %r2, 1;\nbra END;\n"
                   "B: add.s32 %r1, %r2, 2;\nEND:";
  PTXKernel K(Body);
  K.analyze();
  EXPECT_EQ(K.frequency("A").Value, 0.5);
  EXPECT_EQ(K.frequency("B").Value, 0.5);
  EXPECT_EQ(K.frequency("B").Status, Status::Assumed);

  PTXKernel Told(Body);
  Told.Launch.BranchProbabilities["BR"] = 0.25;
  Told.analyze();
  EXPECT_EQ(Told.frequency("B").Value, 0.25);
  EXPECT_EQ(Told.frequency("A").Value, 0.75);
  EXPECT_TRUE(Told.Counts.Assumptions.empty());

  PTXKernel Known(Body, {64, 1, 1}, {{1, 3}});
  Known.analyze();
  EXPECT_EQ(Known.frequency("A").Value, 0);
  EXPECT_EQ(Known.frequency("B").Value, 1);
  EXPECT_EQ(Known.frequency("B").Status, Status::Known);
}

TEST(BlockFrequencyTest, OneLaneAndOneWarp) {
  PTXKernel K("mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 31;\n"
              "setp.ne.s32 %p1, %r2, 0;\n@%p1 bra A;\n"
              "LANE0: add.s32 %r3, %r1, 1;\n"
              "A: shr.u32 %r4, %r1, 5;\nsetp.ne.s32 %p2, %r4, 1;\n"
              "@%p2 bra B;\nWARP1: add.s32 %r3, %r1, 1;\nB:",
              {128, 1, 1});
  K.analyze();
  EXPECT_EQ(K.frequency("LANE0").Value, 1); // every warp has one
  EXPECT_EQ(K.frequency("LANE0").Status, Status::Known);
  EXPECT_EQ(K.frequency("WARP1").Value, 0.25);
}

TEST(BlockFrequencyTest, OneBlockOfTheGrid) {
  PTXKernel K("mov.u32 %r1, %ctaid.x;\nsetp.ne.s32 %p1, %r1, 0;\n"
              "@%p1 bra END;\nFIRST: add.s32 %r1, %r1, 1;\nEND:");
  K.analyze();
  EXPECT_EQ(K.frequency("FIRST").Value, 0.001); // of 1000
  EXPECT_EQ(K.frequency("FIRST").Status, Status::Known);
}

TEST(BlockFrequencyTest, GuardedExit) {
  PTXKernel K("mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 32;\n"
              "@%p1 ret;\nREST: add.s32 %r1, %r1, 1;");
  K.analyze();
  EXPECT_EQ(K.frequency("REST").Value, 0.5);
}

TEST(BlockFrequencyTest, PredicateLogic) {
  PTXKernel K("mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, 0;\n"
              "setp.lt.u32 %p2, %r1, 32;\nand.pred %p3, %p1, %p2;\n"
              "not.pred %p4, %p3;\n@%p4 bra END;\n"
              "BODY: add.s32 %r1, %r1, 1;\nEND:");
  K.analyze();
  EXPECT_EQ(K.frequency("BODY").Value, 0.5);
}

TEST(BlockFrequencyTest, BranchInsideALoop) {
  PTXKernel K("mov.u32 %r1, 0;\nmov.u32 %r2, %tid.x;\n"
              "setp.lt.u32 %p1, %r2, 32;\n"
              "L: @!%p1 bra SKIP;\nBODY: add.s32 %r3, %r2, 1;\n"
              "SKIP: add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p2, %r1, 8;\n"
              "@%p2 bra L;\nAFTER:");
  K.analyze();
  EXPECT_EQ(K.frequency("L").Value, 8);
  EXPECT_EQ(K.frequency("BODY").Value, 4);
  EXPECT_EQ(K.frequency("SKIP").Value, 8);
  EXPECT_EQ(K.frequency("AFTER").Value, 1);
}

TEST(BlockFrequencyTest, BreakOutOfACountedLoop) {
  PTXKernel K("mov.u32 %r1, 0;\nmov.u32 %r2, %tid.x;\n"
              "ld.param.u64 %rd1, [p];\n"
              "L: ld.global.u32 %r3, [%rd1];\nsetp.eq.s32 %p1, %r3, 0;\n"
              "@%p1 bra FOUND;\nadd.s32 %r1, %r1, 1;\n"
              "setp.lt.s32 %p2, %r1, 8;\n@%p2 bra L;\n"
              "NONE: add.s32 %r4, %r1, 1;\nbra END;\n"
              "FOUND: add.s32 %r4, %r1, 2;\nEND:");
  K.analyze();
  EXPECT_EQ(K.frequency("L").Value, 8);
  EXPECT_EQ(K.frequency("L").Status, Status::Assumed);
  EXPECT_EQ(K.frequency("NONE").Value, 1);
  EXPECT_EQ(K.frequency("FOUND").Value, 0);
  EXPECT_EQ(K.frequency("END").Value, 1);
}

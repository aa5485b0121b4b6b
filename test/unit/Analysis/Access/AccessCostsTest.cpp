//===- AccessCostsTest.cpp - What memory instructions touch ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PTXKernel.h"

using namespace ptxpredict;

namespace {
/// The first load of an f32 from device memory.
AccessCounts pattern(PTXKernel &K, StringRef Mnemonic = "ld.global.f32") {
  K.analyze();
  return K.access(Mnemonic);
}

AccessCounts pattern(StringRef Body, Dim3 Block = {64, 1, 1},
                     StringRef Mnemonic = "ld.global.f32") {
  PTXKernel K(Body, Block);
  return pattern(K, Mnemonic);
}
} // namespace

TEST(AccessCostsTest, Coalesced) {
  AccessCounts P = pattern(
      "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\n"
      "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
      "mad.lo.s32 %r4, %r1, %r2, %r3;\nmul.wide.s32 %rd3, %r4, 4;\n"
      "add.s64 %rd4, %rd2, %rd3;\nld.global.f32 %f1, [%rd4];");
  EXPECT_EQ(P.LaneStrideBytes, 4);
  EXPECT_EQ(P.Sectors->Value, 4);
  EXPECT_EQ(P.Lines->Value, 1);
  EXPECT_EQ(P.CC10->Value, 2); // one for each half-warp
  EXPECT_EQ(P.CC20->Value, 1);
}

TEST(AccessCostsTest, MisalignedByAnUnknownRow) {
  // p[n + tid]: eight places within a sector, one of them aligned.
  AccessCounts P =
      pattern("ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\n"
              "ld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\n"
              "add.s32 %r3, %r1, %r2;\nmul.wide.s32 %rd3, %r3, 4;\n"
              "add.s64 %rd4, %rd2, %rd3;\nld.global.f32 %f1, [%rd4];");
  EXPECT_EQ(P.Sectors->Value, (4 + 7 * 5) / 8.0);
  EXPECT_EQ(P.Sectors->Low, 4);
  EXPECT_EQ(P.Sectors->High, 5);
}

TEST(AccessCostsTest, PointerThroughAddition) {
  // mad.wide takes the pointer as its addend; no cvta says what it is.
  AccessCounts P = pattern("ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
                           "mad.wide.u32 %rd2, %r1, 8, %rd1;\n"
                           "ld.global.v2.f32 {%f1, %f2}, [%rd2];",
                           {64, 1, 1}, "ld.global.v2.f32");
  EXPECT_EQ(P.Sectors->High, 8);
}

TEST(AccessCostsTest, Strided) {
  AccessCounts P =
      pattern("ld.param.u64 %rd1, [p];\nmov.u32 %r2, %tid.x;\n"
              "shl.b32 %r3, %r2, 1;\nmul.wide.u32 %rd3, %r3, 4;\n"
              "add.s64 %rd4, %rd1, %rd3;\nld.global.f32 %f1, [%rd4+4];");
  EXPECT_EQ(P.LaneStrideBytes, 8);
  EXPECT_EQ(P.Sectors->Value, 8);
  EXPECT_EQ(P.Lines->Value, 2);
}

TEST(AccessCostsTest, Broadcast) {
  AccessCounts P = pattern("ld.param.u64 %rd1, [p];\n"
                           "ld.global.f32 %f1, [%rd1];");
  EXPECT_EQ(P.LaneStrideBytes, 0);
  EXPECT_EQ(P.Sectors->Value, 1);
}

TEST(AccessCostsTest, TwoRowsInAWarp) {
  // Blocks of 16 x 16: a warp covers two rows of 128 floats.
  AccessCounts P = pattern(
      "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.y;\nmov.u32 %r2, %tid.x;\n"
      "mad.lo.s32 %r3, %r1, 128, %r2;\nmul.wide.s32 %rd2, %r3, 4;\n"
      "add.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f1, [%rd3];",
      {16, 16, 1});
  EXPECT_EQ(P.LaneStrideBytes, std::nullopt);
  EXPECT_EQ(P.Sectors->Value, 4);
  EXPECT_EQ(P.Lines->Value, 2);
}

TEST(AccessCostsTest, UnknownStrideIsASectorForEachLane) {
  PTXKernel K("ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n"
              "mov.u32 %r2, %tid.x;\nmul.lo.s32 %r3, %r1, %r2;\n"
              "mul.wide.s32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
              "ld.global.f32 %f1, [%rd3];");
  AccessCounts P = pattern(K);
  EXPECT_EQ(P.Sectors->Value, 32);
  EXPECT_EQ(P.Sectors->Status, Status::Assumed);
  ASSERT_EQ(K.Counts.Assumptions.size(), 1u);
  EXPECT_EQ(K.Counts.Assumptions[0].Option, "--arg=n=VALUE");
}

TEST(AccessCostsTest, PieceOfUnknownSizeForEachThread) {
  // p[tid * each], of n elements for all threads; rounded down, then up.
  for (StringRef Rounded :
       {"mov.u32 %r4, %r1;\n",
        "add.s32 %r4, %r1, %r3;\nadd.s32 %r4, %r4, -1;\n"}) {
    PTXKernel K(("ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n"
                 "mov.u32 %r2, %tid.x;\nmov.u32 %r6, %nctaid.x;\n"
                 "mov.u32 %r7, %ntid.x;\nmul.lo.s32 %r3, %r6, %r7;\n" +
                 Rounded +
                 "div.s32 %r5, %r4, %r3;\nmul.lo.s32 %r5, %r5, %r2;\n"
                 "mul.wide.s32 %rd3, %r5, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
                 "ld.global.f32 %f1, [%rd4];")
                    .str());
    K.analyze();
    AccessCounts P = K.access("ld.global.f32");
    EXPECT_EQ(P.Sectors->Value, 32);
    EXPECT_EQ(P.Sectors->Low, 1);
    EXPECT_EQ(P.Sectors->Status, Status::Assumed);
  }
}

TEST(AccessCostsTest, RowsAnUnknownStrideApart) {
  // Blocks of 16 x 16: the two rows of a warp lie n apart, their lanes
  // together.
  PTXKernel K("ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n"
              "mov.u32 %r2, %tid.x;\nmov.u32 %r3, %tid.y;\n"
              "mul.lo.s32 %r4, %r3, %r1;\nshl.b32 %r5, %r4, 3;\n"
              "add.s32 %r6, %r5, %r2;\n"
              "mul.wide.s32 %rd2, %r6, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
              "ld.global.f32 %f1, [%rd3];",
              {16, 16, 1});
  AccessCounts P = pattern(K);
  EXPECT_EQ(P.Sectors->Value, 4);
  EXPECT_EQ(P.Sectors->Status, Status::Assumed);
  EXPECT_EQ(P.Sectors->High, 32);
}

TEST(AccessCostsTest, TheArgumentGivesTheStride) {
  PTXKernel K("ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n"
              "mov.u32 %r2, %tid.x;\nmul.lo.s32 %r3, %r1, %r2;\n"
              "mul.wide.s32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
              "ld.global.f32 %f1, [%rd3];",
              {64, 1, 1}, {{1, 2}});
  AccessCounts P = pattern(K);
  EXPECT_EQ(P.Sectors->Value, 8);
  EXPECT_TRUE(K.Counts.Assumptions.empty());
}

TEST(AccessCostsTest, GatherIsUnknown) {
  AccessCounts P =
      pattern("ld.param.u64 %rd1, [p];\nmov.u32 %r2, %tid.x;\n"
              "mad.wide.u32 %rd2, %r2, 4, %rd1;\nld.global.u32 %r3, [%rd2];\n"
              "mad.wide.u32 %rd3, %r3, 4, %rd1;\nld.global.f32 %f1, [%rd3];");
  EXPECT_EQ(P.Sectors->Value, 32);
  EXPECT_EQ(P.Sectors->Status, Status::Unknown);
  EXPECT_EQ(P.Sectors->Low, 1);
}

TEST(AccessCostsTest, LanesThatLoadTheSameIndexLieTogether) {
  // p[p[tid / 4] + tid % 4]: eight times four words in a row.
  StringRef Head = "ld.param.u64 %rd1, [p];\nmov.u32 %r2, %tid.x;\n"
                   "shr.u32 %r3, %r2, 2;\nand.b32 %r4, %r2, 3;\n"
                   "mad.wide.u32 %rd2, %r3, 4, %rd1;\n"
                   "ld.global.u32 %r5, [%rd2];\n";
  AccessCounts P = pattern(Head.str() + "add.u32 %r6, %r5, %r4;\n"
                                        "mad.wide.u32 %rd3, %r6, 4, %rd1;\n"
                                        "ld.global.f32 %f1, [%rd3];");
  EXPECT_EQ(P.Sectors->Value, 8 * (5 * 1 + 3 * 2) / 8.0);
  EXPECT_EQ(P.Sectors->Status, Status::Unknown);
  EXPECT_EQ(P.Sectors->Low, 1);
  EXPECT_EQ(P.Sectors->High, 32);
  // What is loaded there says where the next data lie: eight places.
  AccessCounts Next = pattern(
      Head.str() + "mad.wide.u32 %rd3, %r5, 4, %rd1;\n"
                   "ld.global.s32 %r7, [%rd3];\nmul.lo.s32 %r8, %r7, %r5;\n"
                   "mad.wide.u32 %rd4, %r8, 4, %rd1;\n"
                   "ld.global.f32 %f1, [%rd4];",
      {64, 1, 1});
  EXPECT_EQ(Next.Sectors->Value, 8);
  EXPECT_EQ(Next.CC12->Value, 8);
  // Multiples of 16 bytes.
  AccessCounts Aligned =
      pattern(Head.str() + "shl.b32 %r6, %r5, 2;\n"
                           "add.u32 %r7, %r6, %r4;\n"
                           "mad.wide.u32 %rd3, %r7, 4, %rd1;\n"
                           "ld.global.f32 %f1, [%rd3];");
  EXPECT_EQ(Aligned.Sectors->Value, 8);
}

TEST(AccessCostsTest, PiecesOfAnArrayFollowEachOther) {
  // Four lanes read what lies between p[tid / 4] and p[tid / 4 + 1].
  StringRef Head = "ld.param.u64 %rd1, [p];\nmov.u32 %r2, %tid.x;\n"
                   "shr.u32 %r3, %r2, 2;\nand.b32 %r4, %r2, 3;\n"
                   "mad.wide.u32 %rd2, %r3, 4, %rd1;\n"
                   "ld.global.u32 %r5, [%rd2];\n";
  StringRef Tail = "add.u32 %r7, %r5, %r4;\nsetp.lt.u32 %p1, %r7, %r6;\n"
                   "mad.wide.u32 %rd3, %r7, 4, %rd1;\n"
                   "ld.global.f32 %f1, [%rd3];";
  AccessCounts P =
      pattern((Twine(Head) + "ld.global.u32 %r6, [%rd2+4];\n" + Tail).str());
  EXPECT_EQ(P.Sectors->Value, (4 + 7 * 5) / 8.0); // 32 words in a row
  EXPECT_EQ(P.Sectors->Status, Status::Unknown);
  EXPECT_EQ(P.Sectors->High, 32);
  // What lies farther away is no end.
  P = pattern((Twine(Head) + "ld.global.u32 %r6, [%rd2+8];\n" + Tail).str());
  EXPECT_EQ(P.Sectors->Value, 11);
}

TEST(AccessCostsTest, LanesThatGoTheSameWay) {
  // One of two places, some lines apart.
  auto Chosen = [](StringRef Condition) {
    return *pattern(("ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
                     "mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                     "ld.global.u32 %r5, [%rd1];\nld.global.u32 %r6, [%rd2];\n"
                     "mul.wide.u32 %rd3, %r5, 128;\nadd.s64 %rd4, %rd2, %rd3;\n"
                     "and.b32 %r7, %r1, 1;\nsetp." +
                     Condition +
                     ";\nselp.b64 %rd5, %rd4, %rd2, %p1;\n"
                     "ld.global.f32 %f1, [%rd5];")
                        .str())
                .Sectors;
  };
  // By data that are the same for all: they do. By how far they are from such,
  // or by data of their own: they are taken to, but may not.
  Estimate Uniform = Chosen("lt.u32 %p1, %r5, 7"),
           Index = Chosen("lt.u32 %p1, %r1, %r5"),
           Own = Chosen("lt.u32 %p1, %r6, 7");
  for (const Estimate &E : {Uniform, Index, Own})
    EXPECT_EQ(E.Value, 4);
  EXPECT_EQ(Uniform.High, 4);
  EXPECT_EQ(Index.High, 32);
  EXPECT_EQ(Own.High, 32);
  EXPECT_EQ(Own.Status, Status::Unknown);
  // Every other lane goes another way.
  EXPECT_EQ(Chosen("eq.u32 %p1, %r7, 0").Value, 32);
}

TEST(AccessCostsTest, LoopThatStepsByWholeLines) {
  AccessCounts P =
      pattern("ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\n"
              "mov.u32 %r1, %tid.x;\nmad.wide.u32 %rd3, %r1, 4, %rd2;\n"
              "mov.u32 %r2, 0;\n"
              "L: ld.global.f32 %f1, [%rd3];\nadd.s64 %rd3, %rd3, 256;\n"
              "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 10;\n@%p1 bra L;");
  EXPECT_EQ(P.Sectors->Value, 4);
  EXPECT_EQ(P.Sectors->High, 4);
}

TEST(AccessCostsTest, SharedBankConflicts) {
  auto Wavefronts = [](StringRef Shift) {
    return pattern(".shared .align 4 .b8 s[16384];\nmov.u32 %r1, %tid.x;\n"
                   "shl.b32 %r2, %r1, " +
                       Shift.str() +
                       ";\nmov.u32 %r3, s;\nadd.s32 %r4, %r3, %r2;\n"
                       "ld.shared.f32 %f1, [%r4];",
                   {64, 1, 1}, "ld.shared.f32")
        .Wavefronts->Value;
  };
  EXPECT_EQ(Wavefronts("2"), 1);
  EXPECT_EQ(Wavefronts("3"), 2);
  EXPECT_EQ(Wavefronts("7"), 32);
}

TEST(AccessCostsTest, LocalMemoryIsInterleaved) {
  AccessCounts P = pattern(".local .align 4 .b8 l[16];\n"
                           "ld.local.f32 %f1, [l+4];",
                           {64, 1, 1}, "ld.local.f32");
  EXPECT_EQ(P.Sectors->Value, 4);
  EXPECT_EQ(P.LaneStrideBytes, std::nullopt);
}

TEST(AccessCostsTest, BlockOfHalfAWarp) {
  AccessCounts P = pattern("ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
                           "mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                           "ld.global.f32 %f1, [%rd2];",
                           {16, 1, 1});
  EXPECT_EQ(P.ActiveLanes.Value, 16);
  EXPECT_EQ(P.Sectors->Value, 2);
}

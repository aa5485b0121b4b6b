//===- BarrierDependenceTest.cpp - What barriers keep in order ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Profile/BarrierDependence.h"
#include "PTXKernel.h"

using namespace ptxpredict;

namespace {

/// For each barrier of the kernel a letter: needed or redundant. In %r4 is the
/// thread's index, in %r2 the block's, in %rd0 the buffer and in %r6 and %r7
/// the thread's place in two shared arrays.
std::string barriersOf(const std::string &Body, Dim3 Block = {256, 1, 1},
                       bool IsAssumed = false) {
  PTXKernel K(".shared .align 4 .b8 s[4096];\n.shared .align 4 .b8 t[4096];\n"
              "ld.param.u64 %rd0, [p];\nld.param.u32 %r1, [n];\n"
              "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
              "mov.u32 %r4, %tid.x;\nshl.b32 %r5, %r4, 2;\n"
              "mov.u32 %r6, s;\nadd.u32 %r6, %r6, %r5;\n"
              "mov.u32 %r7, t;\nadd.u32 %r7, %r7, %r5;\n" +
                  Body,
              Block);
  K.Launch.BlockIsAssumed = K.Launch.GridIsAssumed = IsAssumed;
  K.Launch.IndexDimensions = 1;
  K.analyze();
  std::string All;
  for (const BarrierDependence &D : findBarrierDependence(*K.V, K.Launch))
    All += D.IsRedundant ? 'r' : 'n';
  return All;
}

constexpr char Write[] = "st.shared.u32 [%r6], %r8;\n",
               Read[] = "ld.shared.u32 %r8, [%r6];\n",
               ReadNext[] = "ld.shared.u32 %r8, [%r6+4];\n",
               WriteT[] = "st.shared.u32 [%r7], %r8;\n",
               Sync[] = "bar.sync 0;\n";

std::string join(std::initializer_list<const char *> Parts) {
  std::string All;
  for (const char *Part : Parts)
    All += Part;
  return All;
}

TEST(BarrierDependence, OfAThreadAlone) {
  EXPECT_EQ(barriersOf(join({Write, Sync, Read})), "r");
  EXPECT_EQ(barriersOf(join({Write, Sync, ReadNext})), "n");
  EXPECT_EQ(barriersOf(join({Read, Sync, ReadNext})), "r");
  EXPECT_EQ(barriersOf(join({ReadNext, Sync, Write})), "n");
  // Threads share bytes of wider accesses.
  EXPECT_EQ(barriersOf(join({Write, Sync, "ld.shared.u64 %rd5, [%r6];\n"})),
            "n");
  EXPECT_EQ(barriersOf(join({"st.shared.u8 [%r6], %r8;\n", Sync,
                             "ld.shared.u8 %r8, [%r6+3];\n"})),
            "r");
  // One thread has nobody to wait for.
  EXPECT_EQ(barriersOf(join({Write, Sync, ReadNext}), {1, 1, 1}), "r");
}

TEST(BarrierDependence, OfOtherArrays) {
  EXPECT_EQ(barriersOf(join({WriteT, Sync, ReadNext})), "r");
  EXPECT_EQ(barriersOf(join({"st.global.u32 [%rd0], %r8;\n", Sync, ReadNext})),
            "r");
  EXPECT_EQ(barriersOf(join({"st.global.u32 [%rd0], %r8;\n", Sync,
                             "ld.global.u32 %r8, [%rd0+64];\n"})),
            "r");
  EXPECT_EQ(barriersOf(join({"st.global.u32 [%rd0], %r8;\n", Sync,
                             "ld.global.u32 %r8, [%rd0+2];\n"})),
            "n");
  // Nobody knows what a loaded pointer points to.
  EXPECT_EQ(barriersOf(join({"ld.global.u64 %rd1, [%rd0];\n"
                             "st.global.u32 [%rd1], %r8;\n",
                             Sync, "ld.global.u32 %r8, [%rd0];\n"})),
            "n");
  EXPECT_EQ(barriersOf(join({"ld.global.u64 %rd1, [%rd0];\n"
                             "st.u32 [%rd1], %r8;\n",
                             Sync, Read})),
            "n");
}

TEST(BarrierDependence, OfIndicesOfAnyForm) {
  auto At = [](const char *Index) {
    return std::string(Index) + "shl.b32 %r9, %r9, 2;\nmov.u32 %r10, s;\n"
                                "add.u32 %r9, %r9, %r10;\n";
  };
  std::string Write = "st.shared.u32 [%r9], %r8;\n",
              Read = "ld.shared.u32 %r8, [%r9];\n";
  std::string Swizzled = At("shr.u32 %r11, %r4, 3;\nxor.b32 %r9, %r4, %r11;\n");
  EXPECT_EQ(barriersOf(Swizzled + Write + Sync + Read), "r");
  std::string Folded = At("and.b32 %r9, %r4, 127;\n");
  EXPECT_EQ(barriersOf(Folded + Write + Sync + Read), "n");
  EXPECT_EQ(barriersOf(Folded + Write + Sync + Read, {128, 1, 1}), "r");
  // Of a block that nobody asked for the largest one.
  EXPECT_EQ(barriersOf(Folded + Write + Sync + Read, {128, 1, 1}, true), "n");
  EXPECT_EQ(barriersOf(Swizzled + Write + Sync + Read, {128, 1, 1}, true), "r");
  std::string Data = At("ld.shared.u32 %r9, [%r7];\n");
  EXPECT_EQ(barriersOf(Data + Write + Sync + Read), "n");
}

TEST(BarrierDependence, OfAWholeGrid) {
  // i = ctaid * ntid + tid, which may wrap around.
  std::string Place = "mad.lo.s32 %r9, %r2, %r3, %r4;\n"
                      "mul.wide.s32 %rd1, %r9, 4;\n"
                      "add.s64 %rd1, %rd1, %rd0;\n";
  std::string Write = "st.global.u32 [%rd1], %r8;\n",
              Read = "ld.global.u32 %r8, [%rd1];\n",
              ReadNext = "ld.global.u32 %r8, [%rd1+4];\n",
              ReadAnother = "mad.lo.s32 %r10, %r2, %r1, %r4;\n"
                            "mul.wide.s32 %rd2, %r10, 4;\n"
                            "add.s64 %rd2, %rd2, %rd0;\n"
                            "ld.global.u32 %r8, [%rd2];\n";
  const std::string Before = Place + Write + Sync;
  for (bool IsAssumed : {false, true}) {
    EXPECT_EQ(barriersOf(Before + Read, {256, 1, 1}, IsAssumed), "r");
    EXPECT_EQ(barriersOf(Before + ReadNext, {256, 1, 1}, IsAssumed), "n");
    EXPECT_EQ(barriersOf(Before + ReadAnother, {256, 1, 1}, IsAssumed), "n");
  }
}

TEST(BarrierDependence, OfBarriersInARow) {
  EXPECT_EQ(barriersOf(join({Write, Sync, Sync, ReadNext})), "rn");
  EXPECT_EQ(barriersOf(join({Write, Sync, WriteT, Sync, ReadNext})), "rn");
  EXPECT_EQ(barriersOf(join({Sync, Write, Sync, ReadNext, Sync})), "rnr");
}

TEST(BarrierDependence, OfLoops) {
  auto Loop = [](std::initializer_list<const char *> Parts) {
    return "mov.u32 %r12, 0;\nLoop:\n" + join(Parts) +
           "add.u32 %r12, %r12, 1;\nsetp.lt.u32 %p0, %r12, %r1;\n"
           "@%p0 bra Loop;\n";
  };
  // What is read in one iteration is written in the next.
  EXPECT_EQ(barriersOf(Loop({Write, Sync, ReadNext, Sync})), "nn");
  EXPECT_EQ(barriersOf(Loop({Write, Sync, ReadNext})), "n");
  EXPECT_EQ(barriersOf(Loop({Write, Sync, Read})), "r");
  EXPECT_EQ(barriersOf(Loop({WriteT, Sync, ReadNext})), "r");
  EXPECT_EQ(barriersOf(Loop({Sync, ReadNext}) + Write), "n");
  // Its place changes from iteration to iteration.
  EXPECT_EQ(barriersOf(Loop({"mad.lo.u32 %r13, %r12, 4, %r6;\n"
                             "st.shared.u32 [%r13], %r8;\n",
                             Sync, "ld.shared.u32 %r8, [%r13];\n"})),
            "n");
}

TEST(BarrierDependence, OfPathsAround) {
  std::string Branch = "setp.lt.u32 %p0, %r4, %r1;\n@%p0 bra End;\n";
  EXPECT_EQ(barriersOf(join({Write, Sync}) + Branch + ReadNext + "End:"), "n");
  EXPECT_EQ(barriersOf(join({Write, Sync}) + Branch + Read + "End:"), "r");
}

TEST(BarrierDependence, OfWhatWaitsForOthers) {
  // All threads wait for what one of them waited for.
  EXPECT_EQ(barriersOf(join({"ld.volatile.global.u32 %r8, [%rd0];\n", Sync,
                             "ld.global.u32 %r8, [%rd0+4];\n"})),
            "n");
  EXPECT_EQ(
      barriersOf(join({"atom.global.add.u32 %r8, [%rd0], 1;\n", Sync, Read})),
      "n");
  EXPECT_EQ(barriersOf(join({Write, "membar.gl;\n", Sync, Read})), "n");
  EXPECT_EQ(barriersOf(join({Read, Sync, "mov.u32 %r8, %clock;\n"})), "n");
  EXPECT_EQ(barriersOf(join({"bar.arrive 1, 512;\n", Sync, Read})), "n");
  EXPECT_EQ(barriersOf(join({"cp.async.wait_all;\n", Sync, ReadNext})), "n");
  EXPECT_EQ(barriersOf(join({"atom.global.add.u32 %r8, [%rd0], 1;\n", Sync})),
            "r");
}

TEST(BarrierDependence, OfOtherBarriers) {
  // For some threads, on a condition, or with a result.
  EXPECT_EQ(barriersOf("bar.sync 1, 64;\n"), "");
  EXPECT_EQ(barriersOf("setp.eq.u32 %p0, %r1, 0;\n@%p0 bar.sync 0;\n"), "");
  EXPECT_EQ(barriersOf("setp.eq.u32 %p0, %r4, 0;\n"
                       "bar.red.or.pred %p1, 0, %p0;\n"
                       "@%p1 st.global.u32 [%rd0], %r4;\n"),
            "n");
}

} // namespace

//===- RegisterPressureTest.cpp - Registers that are live at once ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/RegisterPressure.h"
#include "PTXKernel.h"

using namespace ptxpredict;

namespace {
RegisterPressure pressure(StringRef Body) {
  PTXKernel K(Body);
  const MachineCode Code(K.graph(), ControlFlow(K.graph()));
  return registerPressure(Code, LiveOut(Code));
}
unsigned packed(StringRef Body) { return pressure(Body).Packed; }
} // namespace

TEST(RegisterPressureTest, WidthsAndPredicates) {
  EXPECT_EQ(packed(""), 0u);
  EXPECT_EQ(packed("ld.global.u32 %r1, [8];\nst.global.u32 [8], %r1;"), 1u);
  EXPECT_EQ(packed("ld.global.u64 %rd1, [8];\nst.global.u64 [8], %rd1;"), 2u);
  EXPECT_EQ(packed("ld.global.u32 %r1, [8];\nsetp.eq.s32 %p1, %r1, 0;\n"
                   "@%p1 st.global.u32 [8], 1;"),
            1u);
}

TEST(RegisterPressureTest, ConstantsCopiesAndDeadCodeAreFree) {
  EXPECT_EQ(packed("mov.u32 %r1, 7;\nst.global.u32 [8], %r1;"), 0u);
  EXPECT_EQ(packed("ld.global.u32 %r1, [8];\nmov.u32 %r2, %r1;\n"
                   "add.s32 %r3, %r1, %r2;\nst.global.u32 [8], %r3;"),
            1u);
  EXPECT_EQ(packed("ld.global.u32 %r1, [8];\nadd.s32 %r2, %r1, 1;"), 0u);
}

TEST(RegisterPressureTest, UniformWorkHasRegistersOfItsOwn) {
  EXPECT_EQ(packed("mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\n"
                   "mul.lo.s32 %r3, %r1, %r2;\nst.global.u32 [8], %r3;"),
            0u);
  EXPECT_EQ(packed("mov.u32 %r1, %tid.x;\nst.global.u32 [8], %r1;"), 1u);
}

TEST(RegisterPressureTest, OffsetsOfAddressesAreFree) {
  // Three addresses off one base, also where the offset comes before a sum.
  EXPECT_EQ(packed("ld.global.u64 %rd1, [8];\nadd.s64 %rd2, %rd1, 64;\n"
                   "add.s64 %rd3, %rd1, 128;\nst.global.u32 [%rd1], 1;\n"
                   "st.global.u32 [%rd2], 2;\nst.global.u32 [%rd3], 3;"),
            2u);
  EXPECT_EQ(packed("ld.global.u64 %rd1, [8];\nld.global.u64 %rd2, [16];\n"
                   "add.s64 %rd3, %rd1, 64;\nadd.s64 %rd4, %rd3, %rd2;\n"
                   "add.s64 %rd5, %rd1, %rd2;\nst.global.u32 [%rd4], 1;\n"
                   "st.global.u32 [%rd5], 2;"),
            4u);
  // As data the sum needs a register.
  EXPECT_EQ(packed("ld.global.u64 %rd1, [8];\nadd.s64 %rd2, %rd1, 64;\n"
                   "st.global.u64 [%rd1], %rd2;"),
            4u);
}

TEST(RegisterPressureTest, HalvesStayInTheirRegister) {
  EXPECT_EQ(packed("ld.global.u32 %r1, [8];\nmov.b32 {%rs1, %rs2}, %r1;\n"
                   "st.global.u16 [8], %rs1;\nst.global.u16 [10], %rs2;"),
            1u);
}

TEST(RegisterPressureTest, ExpansionsHoldTemporaries) {
  StringRef Divide = "ld.global.f64 %fd1, [8];\ndiv.rn.f64 %fd2, %fd1, %fd1;\n"
                     "st.global.f64 [8], %fd2;";
  StringRef Add = "ld.global.f64 %fd1, [8];\nadd.f64 %fd2, %fd1, %fd1;\n"
                  "st.global.f64 [8], %fd2;";
  EXPECT_EQ(packed(Divide), packed(Add) + 14);
}

TEST(RegisterPressureTest, LoadsSinkToTheirUseOrAreAllInFlight) {
  // Four loads, summed one after the other.
  RegisterPressure P =
      pressure("ld.global.u32 %r1, [8];\nld.global.u32 %r2, [12];\n"
               "ld.global.u32 %r3, [16];\nld.global.u32 %r4, [20];\n"
               "add.s32 %r5, %r1, %r2;\nadd.s32 %r6, %r5, %r3;\n"
               "add.s32 %r7, %r6, %r4;\nst.global.u32 [8], %r7;");
  EXPECT_EQ(P.Packed, 2u);
  EXPECT_EQ(P.Hoisted, 4u);
  // In the other order the loads move up.
  EXPECT_EQ(pressure("ld.global.u32 %r1, [8];\nld.global.u32 %r2, [12];\n"
                     "add.s32 %r5, %r1, %r2;\nld.global.u32 %r3, [16];\n"
                     "add.s32 %r6, %r5, %r3;\nld.global.u32 %r4, [20];\n"
                     "add.s32 %r7, %r6, %r4;\nst.global.u32 [8], %r7;")
                .Hoisted,
            4u);
  // A store to the same space keeps them where they are.
  P = pressure("ld.global.u32 %r1, [8];\nst.global.u32 [8], %r1;\n"
               "ld.global.u32 %r2, [12];\nst.global.u32 [12], %r2;");
  EXPECT_EQ(P.Packed, 1u);
  EXPECT_EQ(P.Hoisted, 1u);
}

TEST(RegisterPressureTest, ShortCountedLoopsAreUnrolled) {
  // A load, an addition to the sum, pointer and counter.
  StringRef Head = "ld.global.u64 %rd1, [8];\nmov.u32 %r1, 0;\n"
                   "mov.u32 %r2, 0;\nL: ";
  StringRef Tail = "ld.global.u32 %r3, [%rd1];\nadd.s32 %r2, %r2, %r3;\n"
                   "add.s64 %rd1, %rd1, 4;\nadd.s32 %r1, %r1, 1;\n"
                   "setp.lt.s32 %p1, %r1, 100;\n@%p1 bra L;\n"
                   "st.global.u32 [8], %r2;";
  RegisterPressure P = pressure((Head + Tail).str());
  EXPECT_EQ(P.Packed, 5u);  // pointer, counter, sum, loaded
  EXPECT_EQ(P.Hoisted, 8u); // four loaded
  P = pressure((Head + "bar.sync 0;\n" + Tail).str());
  EXPECT_EQ(P.Hoisted, 5u);
}

TEST(RegisterPressureTest, ValueAroundALoopStaysLive) {
  EXPECT_EQ(packed("ld.global.u32 %r1, [8];\nmov.u32 %r2, 0;\n"
                   "L: add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 9;\n"
                   "@%p1 bra L;\nst.global.u32 [8], %r1;"),
            2u);
}

TEST(RegisterPressureTest, AGuardedWriteSharesTheOldRegister) {
  EXPECT_EQ(packed("ld.global.u32 %r1, [8];\nld.global.u32 %r2, [12];\n"
                   "setp.eq.s32 %p1, %r2, 0;\n@%p1 add.s32 %r1, %r2, 1;\n"
                   "st.global.u32 [8], %r1;"),
            2u);
}

TEST(RegisterPressureTest, AGuardedResultThatNobodyReadsKeepsNoOldValue) {
  EXPECT_EQ(packed("setp.eq.s32 %p1, 1, 2;\nmov.u32 %r1, 0;\n"
                   "@%p1 atom.global.add.u32 %r1, [8], 1;\nmov.u32 %r2, 0;\n"
                   "@%p1 atom.global.add.u32 %r2, [8], 1;"),
            1u);
}

TEST(RegisterPressureTest, ABlockInAnotherOrderNeedsFewer) {
  // Each value is read by two chains, one behind the other: in the order of the
  // code, and with operations moved down, all stay live.
  std::string Loads, First, Second;
  for (unsigned N = 0; N != 36; ++N) {
    std::string To = std::to_string(N + 2);
    Loads +=
        ("ld.global.f32 %v" + Twine(To) + ", [" + Twine(4 * N) + "];\n").str();
    First +=
        ("fma.rn.f32 %f1, %v" + Twine(To) + ", %v" + To + ", %f1;\n").str();
    Second +=
        ("fma.rn.f32 %f2, %v" + Twine(To) + ", %v" + To + ", %f2;\n").str();
  }
  std::string Body = ".reg .f32 %v<64>;\nmov.f32 %f1, 0f00000000;\n"
                     "mov.f32 %f2, 0f00000000;\n" +
                     Loads + First;
  StringRef End = "st.global.f32 [400], %f1;\nst.global.f32 [404], %f2;";
  RegisterPressure P = pressure(Body + Second + End.str());
  EXPECT_GE(P.Packed, 36u);
  EXPECT_EQ(P.Scheduled, 3u);
  // Behind 4,400 instructions the order stays: with 6 of the second chain
  // there, 6 values are kept for them, beside both sums.
  std::string Long = Body;
  for (unsigned N = 0; N != 4400 - 2 - 36 - 36 - 30; ++N)
    Long += "fma.rn.f32 %f1, %f1, %f1, %f1;\n";
  P = pressure(Long + Second + End.str());
  EXPECT_GE(P.Packed, 36u);
  EXPECT_EQ(P.Scheduled, 8u);
  // All are needed at the end.
  std::string Stores;
  for (unsigned N = 0; N != 36; ++N)
    Stores += "st.global.f32 [" + std::to_string(4 * N) + "], %v" +
              std::to_string(N + 2) + ";\n";
  P = pressure(Body + Stores);
  EXPECT_EQ(P.Scheduled, P.Packed);
  // What leaves an SM full is not reordered.
  P = pressure("ld.global.u32 %r1, [8];\nst.global.u32 [8], %r1;");
  EXPECT_EQ(P.Scheduled, P.Packed);
}

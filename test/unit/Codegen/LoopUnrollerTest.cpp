//===- LoopUnrollerTest.cpp - Loops that an assembler unrolls -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/LoopUnroller.h"
#include "PTXKernel.h"

using namespace ptxpredict;

namespace {

/// The loop of a kernel: \p Body, which steps what it likes, then a counter in
/// %r1 up to %r2.
struct Loop {
  PTXKernel K;
  MachineCode Code;

  explicit Loop(const std::string &Body, StringRef Start = "[8]",
                StringRef Bound = "%r2", StringRef Step = "1")
      : K(("ld.global.u32 %r2, [12];\nld.global.u32 %r7, [20];\n"
           "ld.global.u64 %rd1, [24];\nld.global.f32 %f1, [32];\n" +
           Twine(Start == "[8]" ? "ld.global.u32" : "mov.u32") + " %r1, " +
           Start + ";\nL:\n" + Body + "add.s32 %r1, %r1, " + Step +
           ";\nsetp.lt.s32 %p1, %r1, " + Bound +
           ";\n@%p1 bra L;\nst.global.f32 [8], %f1;\n"
           "st.global.u32 [8], %r1;")
              .str()),
        Code(K.graph(), ControlFlow(K.graph())) {}

  bool isUnrolled() const {
    return llvm::any_of(Code.blocks(),
                        [](const MachineBlock &B) { return B.IsUnrolled; });
  }
};

std::string times(unsigned Number, StringRef Line) {
  std::string Out;
  for (unsigned N = 0; N != Number; ++N)
    Out += Line;
  return Out;
}

constexpr StringRef FMA = "fma.rn.f32 %f1, %f1, %f1, %f1;\n";
constexpr StringRef SharedLoad =
    "ld.shared.f32 %f2, [%r1];\nadd.f32 %f1, %f1, %f2;\n";
constexpr StringRef GlobalLoad =
    "ld.global.f32 %f2, [%rd1];\nadd.f32 %f1, %f1, %f2;\n"
    "add.s64 %rd1, %rd1, 4;\n";

} // namespace

// Read off the machine code of ptxas 13.0: docs/internals/
// MachineInstructions.md.
TEST(LoopUnrollerTest, ArithmeticUpToASize) {
  EXPECT_TRUE(Loop(times(18, FMA)).isUnrolled());
  EXPECT_FALSE(Loop(times(19, FMA)).isUnrolled());
}

TEST(LoopUnrollerTest, LoadsAreWorthMore) {
  EXPECT_TRUE(Loop(GlobalLoad.str() + times(43, FMA)).isUnrolled());
  EXPECT_FALSE(Loop(GlobalLoad.str() + times(46, FMA)).isUnrolled());
  EXPECT_TRUE(Loop(SharedLoad.str() + times(20, FMA)).isUnrolled());
  EXPECT_FALSE(Loop(SharedLoad.str() + times(21, FMA)).isUnrolled());
  EXPECT_TRUE(Loop(times(32, SharedLoad)).isUnrolled());
  EXPECT_FALSE(Loop(times(36, SharedLoad)).isUnrolled());
  // A barrier is an instruction as any other.
  EXPECT_TRUE(
      Loop("bar.sync 0;\n" + SharedLoad.str() + times(19, FMA)).isUnrolled());
}

TEST(LoopUnrollerTest, KnownNumbersOfIterationsAllowMore) {
  EXPECT_TRUE(Loop(times(64, FMA), "0", "100").isUnrolled());
  EXPECT_FALSE(Loop(times(100, FMA), "0", "100").isUnrolled());
  EXPECT_FALSE(Loop(times(64, FMA), "0").isUnrolled());
  EXPECT_FALSE(Loop(times(64, FMA), "[8]", "100").isUnrolled());
}

TEST(LoopUnrollerTest, OthersStayAsTheyAre) {
  EXPECT_FALSE(Loop(".pragma \"nounroll\";\n" + FMA.str()).isUnrolled());
  EXPECT_FALSE(Loop(FMA.str(), "[8]", "%r2", "%r7").isUnrolled());
  EXPECT_FALSE(Loop("div.rn.f32 %f1, %f1, %f1;\n").isUnrolled());
  EXPECT_TRUE(
      Loop("red.global.add.u32 [8], 1;\n" + times(8, FMA)).isUnrolled());
  EXPECT_FALSE(
      Loop("red.global.add.u32 [8], 1;\n" + times(9, FMA)).isUnrolled());
}

// Copies share what counts; nothing else of the loop.
TEST(LoopUnrollerTest, CopiesShareTheControl) {
  const Loop L(GlobalLoad.str());
  auto SharedBy = [&](StringRef Mnemonic, unsigned Nth = 0) {
    return L.Code.form(L.K.instruction(Mnemonic, Nth)).SharedBy;
  };
  EXPECT_EQ(SharedBy("add.s64"), 4);
  EXPECT_EQ(SharedBy("add.s32"), 4);
  EXPECT_EQ(SharedBy("setp.lt.s32"), 4);
  EXPECT_EQ(SharedBy("bra"), 4);
  EXPECT_EQ(SharedBy("add.f32"), 1);
  EXPECT_EQ(SharedBy("ld.global.f32"), 1);
}

//===- ControlFlowTest.cpp - How lanes go through the code ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatedText.h"
#include "gmock/gmock.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using testing::HasSubstr;

namespace {

/// Stores %r1 as the thread's result and ends.
constexpr StringRef Store = "mov.u32 %r60, %tid.x;\nmul.wide.u32 %rd20, %r60, "
                            "4;\nadd.s64 %rd20, %rd0, %rd20;\n"
                            "st.global.u32 [%rd20], %r1;\nret;\n";

std::vector<uint32_t> resultsOf(EmulatedText &T, size_t Threads = 32) {
  T.buffer(Threads * 4).run();
  return T.contents<uint32_t>();
}

TEST(EmulatorControlFlow, BothSidesOfABranchMeetAgain) {
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 5;\nmov.u32 %r1, 7;\n"
      "@%p0 bra A;\nadd.u32 %r1, %r1, 1;\nbra B;\nA: sub.u32 %r1, %r1, 1;\n"
      "B: add.u32 %r1, %r1, 100;\n" +
      Store));
  std::vector<uint32_t> R = resultsOf(T);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L < 5 ? 106u : 108u);
  EXPECT_EQ(T.at("bra").Executions, 1u);
  EXPECT_EQ(T.at("bra").Divergent, 1u);
  EXPECT_EQ(T.at("bra").Taken, 5u);
  EXPECT_EQ(T.at("add.u32", 0).Lanes, 27u);
  EXPECT_EQ(T.at("sub.u32").Lanes, 5u);
  // The warp is whole again.
  EXPECT_EQ(T.at("add.u32", 1).Executions, 1u);
  EXPECT_EQ(T.at("add.u32", 1).Lanes, 32u);
}

TEST(EmulatorControlFlow, LanesOfAShortCircuitMeetAtTheEarliestBlock) {
  // if (a || b) body: lanes come to the body from two branches, and it runs
  // once.
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, 0;\nsetp.lt.u32 %p0, %r0, 8;\n"
      "@%p0 bra Body;\nsetp.gt.u32 %p1, %r0, 20;\n@%p1 bra Body;\nbra End;\n"
      "Body: add.u32 %r1, %r1, 1;\nEnd:\n" +
      Store));
  std::vector<uint32_t> R = resultsOf(T);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L < 8 || L > 20 ? 1u : 0u);
  EXPECT_EQ(T.at("add.u32").Executions, 1u);
  EXPECT_EQ(T.at("add.u32").Lanes, 19u);
}

TEST(EmulatorControlFlow, AWarpLoopsAsOftenAsItsLongestLane) {
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, 0;\nmov.u32 %r2, 0;\n"
      "Loop: add.u32 %r1, %r1, %r2;\nadd.u32 %r2, %r2, 1;\n"
      "setp.le.u32 %p0, %r2, %r0;\n@%p0 bra Loop;\n" +
      Store));
  std::vector<uint32_t> R = resultsOf(T);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L * (L + 1) / 2);
  EXPECT_EQ(T.at("setp.le.u32").Executions, 32u);
  EXPECT_EQ(T.at("setp.le.u32").Lanes, 32u * 33 / 2);
  EXPECT_EQ(T.at("bra").Divergent, 31u);
  EXPECT_EQ(T.at("st.global.u32").Executions, 1u);
}

TEST(EmulatorControlFlow, LoopsWithSeveralExitsMeetBehindTheLoop) {
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, 0;\n"
      "Loop: setp.eq.u32 %p0, %r1, %r0;\n@%p0 bra Out;\nadd.u32 %r1, %r1, 1;\n"
      "setp.eq.u32 %p1, %r1, 10;\n@%p1 bra Out;\nbra Loop;\n"
      "Out: add.u32 %r1, %r1, 1000;\n" +
      Store));
  std::vector<uint32_t> R = resultsOf(T);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], 1000 + std::min(L, 10u));
  EXPECT_EQ(T.at("add.u32", 1).Executions, 1u);
}

TEST(EmulatorControlFlow, GuardedWritesLeaveTheOtherLanesAlone) {
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, 3;\nsetp.ge.u32 %p0, %r0, 16;\n"
      "@%p0 add.u32 %r1, %r1, %r0;\n@!%p0 mov.u32 %r1, 9;\n" +
      Store));
  std::vector<uint32_t> R = resultsOf(T);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L >= 16 ? 3 + L : 9u);
  // A guard takes no execution away, but lanes.
  EXPECT_EQ(T.at("add.u32").Executions, 1u);
  EXPECT_EQ(T.at("add.u32").Lanes, 16u);
}

TEST(EmulatorControlFlow, ThreadsEndOneByOne) {
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, 1;\nsetp.lt.u32 %p0, %r0, 3;\n"
      "@%p0 exit;\nsetp.gt.u32 %p0, %r0, 29;\n@%p0 ret;\n" +
      Store));
  std::vector<uint32_t> R = resultsOf(T);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L < 3 || L > 29 ? 0u : 1u);
  EXPECT_EQ(T.at("st.global.u32").Lanes, 27u);
}

TEST(EmulatorControlFlow, IndexedBranchesGoSeveralWays) {
  std::string Body =
      "mov.u32 %r0, %tid.x;\nand.b32 %r2, %r0, 3;\nts: .branchtargets A, B, C, "
      "A;\nbrx.idx %r2, ts;\nA: mov.u32 %r1, 10;\nbra E;\nB: mov.u32 %r1, "
      "20;\nbra E;\nC: mov.u32 %r1, 30;\nE:\n";
  EmulatedText T(EmulatedText::kernel(Body + Store));
  std::vector<uint32_t> R = resultsOf(T);
  const uint32_t Want[] = {10, 20, 30, 10};
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], Want[L % 4]);
  EXPECT_EQ(T.at("brx.idx").Divergent, 1u);
  EXPECT_EQ(T.at("st.global.u32").Executions, 1u);

  EmulatedText Wrong(EmulatedText::kernel(
      "mov.u32 %r2, 2;\nts: .branchtargets A, A;\nbrx.idx %r2, ts;\nA: ret;"));
  EXPECT_EQ(Wrong.buffer(4).start(), "");
  EXPECT_THAT(Wrong.fault(), HasSubstr("index of this branch is 2"));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

constexpr StringRef Functions = R"(
.func (.param .b32 r) factorial(.param .b32 n) {
  .reg .pred p; .reg .b32 k, m, f;
  ld.param.b32 k, [n];
  mov.u32 f, 1;
  setp.le.u32 p, k, 1;
  @p bra done;
  sub.u32 m, k, 1;
  {
    .param .b32 a; .param .b32 b;
    st.param.b32 [a], m;
    call.uni (b), factorial, (a);
    ld.param.b32 f, [b];
  }
  mul.lo.u32 f, f, k;
done:
  st.param.b32 [r], f;
  ret;
}
.func (.reg .b32 r) triple(.reg .b32 a) { mul.lo.u32 r, a, 3; ret; }
.func (.reg .b32 r) negate(.reg .b32 a) { neg.s32 r, a; ret; }
.func (.param .align 8 .b8 r[16]) pair(.param .b32 a, .param .b64 b) {
  .reg .b32 x; .reg .b64 y;
  ld.param.b32 x, [a]; ld.param.b64 y, [b];
  st.param.b32 [r+8], x; st.param.b64 [r], y; ret;
}
)";

TEST(EmulatorCalls, RecursionGoesAsDeepAsEachLaneWants) {
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nrem.u32 %r2, %r0, 11;\n{ .param .b32 a; .param "
      ".b32 b;\nst.param.b32 [a], %r2;\ncall (b), factorial, "
      "(a);\nld.param.b32 "
      "%r1, [b]; }\n" +
          Store,
      1, Functions));
  std::vector<uint32_t> R = resultsOf(T);
  uint32_t Factorial = 1;
  for (unsigned N = 0; N != 11; ++N) {
    Factorial *= std::max(N, 1u);
    EXPECT_EQ(R[N], Factorial);
    EXPECT_EQ(R[N + 11], Factorial);
  }
  // Depth 10, each entered once by the warp.
  EXPECT_EQ(T.at("setp.le.u32").Executions, 10u);
}

TEST(EmulatorCalls, RegistersAndStructuresArePassed) {
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\ncall (%r1), triple, (%r0);\n"
      "call (%r1), triple, (%r1);\ncall (%r3), triple, (5);\n"
      "add.u32 %r1, %r1, %r3;\n"
      "{ .param .b32 x; .param .b64 y; .param .align 8 .b8 z[16];\n"
      "st.param.b32 [x], %r1; st.param.b64 [y], 7;\ncall (z), pair, (x, y);\n"
      "ld.param.b32 %r4, [z+8]; ld.param.b64 %rd4, [z]; }\n"
      "cvt.u32.u64 %r5, %rd4;\nadd.u32 %r1, %r4, %r5;\n" +
          Store,
      1, Functions));
  std::vector<uint32_t> R = resultsOf(T);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], 9 * L + 15 + 7);
}

TEST(EmulatorCalls, PointersGoToSeveralFunctions) {
  std::string Body =
      "mov.u32 %r0, %tid.x;\nmov.u64 %rd5, triple;\nmov.u64 %rd6, negate;\n"
      "setp.lt.u32 %p0, %r0, 10;\nselp.b64 %rd7, %rd5, %rd6, %p0;\n"
      "proto: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n"
      "call (%r1), %rd7, (%r0), proto;\n";
  EmulatedText T(EmulatedText::kernel(Body + Store, 1, Functions));
  std::vector<uint32_t> R = resultsOf(T);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L < 10 ? 3 * L : 0u - L);
  EXPECT_EQ(T.at("mul.lo.u32").Lanes, 10u);
  EXPECT_EQ(T.at("neg.s32").Lanes, 22u);
  EXPECT_EQ(T.at("st.global.u32").Executions, 1u);

  EmulatedText Wild(EmulatedText::kernel(
      "mov.u64 %rd7, 4096;\nproto: .callprototype _ ();\ncall %rd7, (), "
      "proto;\nret;",
      1));
  EXPECT_EQ(Wild.buffer(4).start(), "");
  EXPECT_THAT(Wild.fault(), HasSubstr("points to no function"));
}

TEST(EmulatorCalls, GuardedCallsLeaveTheOthersWaiting) {
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, 5;\nsetp.ge.u32 %p0, %r0, 30;\n"
      "@%p0 call (%r1), triple, (%r0);\nadd.u32 %r1, %r1, 1;\n" +
          Store,
      1, Functions));
  std::vector<uint32_t> R = resultsOf(T);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L >= 30 ? 3 * L + 1 : 6u);
  EXPECT_EQ(T.at("add.u32").Executions, 1u);
}

TEST(EmulatorCalls, EndlessRecursionIsSaid) {
  EmulatedText T(EmulatedText::kernel(
      "call f;\nret;", 1,
      ".func f { .local .b32 x[4]; .reg .b32 a; ld.local.b32 a, [x]; call f; "
      "ret; }"));
  EXPECT_EQ(T.buffer(4).start(), "");
  EXPECT_THAT(T.fault(), HasSubstr("does this recursion end?"));
}

TEST(EmulatorCalls, EndlessLoopsAreSaid) {
  EmulatedText T(EmulatedText::kernel("L: bra L;"));
  T.Options.MaxInstructions = 100000;
  EXPECT_EQ(T.buffer(4).start(), "");
  EXPECT_THAT(T.fault(), HasSubstr("more than 100000 instructions"));
}

TEST(EmulatorCalls, ThreadsMayExitWithinAFunction) {
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, 1;\n{ .param .b32 a;\n"
      "st.param.b32 [a], %r0;\ncall leave, (a); }\n" +
          Store,
      1,
      ".func leave(.param .b32 a) { .reg .b32 x; .reg .pred p; ld.param.b32 x, "
      "[a]; setp.gt.u32 p, x, 9; @p exit; ret; }"));
  std::vector<uint32_t> R = resultsOf(T);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R[L], L > 9 ? 0u : 1u);
}

//===----------------------------------------------------------------------===//
// Waiting for others
//===----------------------------------------------------------------------===//

TEST(EmulatorWaiting, LanesOfAWarpGetALockInTurn) {
  // Each lane spins for the lock, in a loop that the others have left.
  EmulatedText T(EmulatedText::kernel(
      "Spin: atom.global.cas.b32 %r2, [%rd0], 0, 1;\nsetp.ne.u32 %p0, %r2, 0;\n"
      "@%p0 bra Spin;\nld.volatile.global.u32 %r3, [%rd0+4];\n"
      "add.u32 %r3, %r3, 1;\nst.volatile.global.u32 [%rd0+4], %r3;\n"
      "membar.gl;\natom.global.exch.b32 %r2, [%rd0], 0;\nret;"));
  T.buffer(8).run();
  EXPECT_EQ(T.contents<uint32_t>()[1], 32u);
}

TEST(EmulatorWaiting, LanesGetALockInAFunction) {
  // Who has the lock returns, and frees it in another function, while the
  // others are still in the first one.
  EmulatedText T(EmulatedText::kernel(
      "call (%r4), lock, (%rd0);\nld.volatile.global.u32 %r3, [%rd0+4];\n"
      "add.u32 %r3, %r3, %r4;\nst.volatile.global.u32 [%rd0+4], %r3;\n"
      "call unlock, (%rd0);\nret;",
      1, R"(
.func (.reg .b32 one) lock(.reg .b64 p) {
  .reg .b32 x; .reg .pred q;
  mov.u32 one, 0;
L: add.u32 one, one, 1;
  atom.cas.b32 x, [p], 0, 1;
  setp.ne.u32 q, x, 0;
  @q bra L;
  mov.u32 one, 1;
  ret;
}
.func unlock(.reg .b64 p) { .reg .b32 x; atom.exch.b32 x, [p], 0; ret; }
)"));
  T.Launch.Block = {8, 1, 1};
  T.Options.MaxInstructions = 1 << 22;
  T.buffer(8).run();
  EXPECT_EQ(T.contents<uint32_t>()[1], 8u);
}

TEST(EmulatorWaiting, BlocksWaitForEachOther) {
  // Every block waits until all have come, as a barrier of the grid does.
  EmulatedText T(EmulatedText::kernel(
      "atom.global.add.u32 %r0, [%rd0], 1;\nSpin: ld.volatile.global.u32 %r1, "
      "[%rd0];\nsetp.lt.u32 %p0, %r1, 12;\n@%p0 bra Spin;\nred.global.add.u32 "
      "[%rd0+4], 1;\nret;"));
  T.Launch.Grid = {12, 1, 1};
  T.Launch.Block = {1, 1, 1};
  T.Options.Jobs = 2;
  T.buffer(8).run();
  EXPECT_EQ(T.contents<uint32_t>()[1], 12u);
}

} // namespace

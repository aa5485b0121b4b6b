//===- FaultsTest.cpp - What ends a run, and what is said of it -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatedText.h"
#include "gmock/gmock.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using testing::HasSubstr;

namespace {

/// The line of the first instruction of a body with one parameter.
constexpr unsigned FirstLine = 14;

/// Why a kernel ends that has a buffer of 64 bytes, at which line of \p Body.
std::string faultOf(const Twine &Body, StringRef Declarations = "",
                    Dim3 Block = {32, 1, 1}) {
  std::string Text = EmulatedText::kernel(Body, 1, Declarations);
  EmulatedText T(Text);
  T.Launch.Block = Block;
  T.Options.MaxInstructions = 100000;
  EXPECT_EQ(T.buffer(64).start(), "");
  if (!T.Result.Fault)
    return "";
  EXPECT_EQ(T.Result.Fault->Kind, "fault");
  if (!T.Result.Fault->Where)
    return "nowhere: " + T.Result.Fault->Message;
  unsigned First = FirstLine + unsigned(Declarations.count('\n'));
  return std::to_string(int(T.Result.Fault->Where->Line - First) + 1) + ": " +
         T.Result.Fault->Message;
}

/// Threads of the only block.
constexpr StringRef Zero = "thread (0,0,0) of block (0,0,0)";

TEST(EmulatorFaults, AccessesOutsideOfBuffers) {
  EXPECT_EQ(faultOf("mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd1, %r0, 4;\n"
                    "add.u64 %rd1, %rd0, %rd1;\nld.global.u32 %r1, [%rd1];\n"
                    "ret;"),
            "4: thread (16,0,0) of block (0,0,0) reads 4 bytes at "
            "0x7f0000000040: right past the end of buffer 'b0' (64 bytes)");
  EXPECT_EQ(faultOf("st.global.u32 [%rd0+-4], 1;\nret;"),
            "1: " + Zero.str() +
                " writes 4 bytes at 0x7efffffffffc: 4 bytes before buffer "
                "'b0' (64 bytes)");
  EXPECT_EQ(faultOf("ld.global.b64 %rd1, [%rd0+96];\nret;"),
            "1: " + Zero.str() +
                " reads 8 bytes at 0x7f0000000060: 32 bytes past the end of "
                "buffer 'b0' (64 bytes)");
  EXPECT_EQ(faultOf("ld.global.u32 %r1, [16];\nret;"),
            "1: " + Zero.str() + " reads 4 bytes at 0x10: null pointer + 16");
  EXPECT_EQ(faultOf("mov.u64 %rd1, 0;\natom.add.u32 %r1, [%rd1], 1;\nret;"),
            "2: " + Zero.str() + " updates 4 bytes at 0x0: null pointer");
  // Where addresses wrap around.
  EXPECT_EQ(faultOf("mov.u64 %rd1, -4;\nld.global.u32 %r1, [%rd1];\nret;"),
            "2: " + Zero.str() +
                " reads 4 bytes at 0xfffffffffffffffc: no buffer is near");
  EXPECT_EQ(faultOf("mov.u64 %rd1, -1;\nld.u8 %r1, [%rd1];\nret;"),
            "2: " + Zero.str() +
                " reads 1 bytes at 0xffffffffffffffff: no buffer is near");
  EXPECT_EQ(faultOf("ld.u32 %r1, [%rd0+100000000];\nret;"),
            "1: " + Zero.str() +
                " reads 4 bytes at 0x7f0005f5e100: no buffer is near");
}

TEST(EmulatorFaults, MisalignedAccesses) {
  EXPECT_EQ(faultOf("ld.global.u32 %r1, [%rd0+2];\nret;"),
            "1: " + Zero.str() +
                " reads 4 bytes at 0x7f0000000002: byte 2 of buffer 'b0' (64 "
                "bytes); the address must be a multiple of 4");
  EXPECT_THAT(faultOf("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd0+8];\nret;"),
              HasSubstr("must be a multiple of 16"));
  EXPECT_THAT(faultOf("ld.global.v2.u32 {%r1, %r2}, [%rd0+60];\nret;"),
              HasSubstr("of which only 4 bytes are left; the address must be "
                        "a multiple of 8"));
  EXPECT_EQ(faultOf(".shared .align 8 .b8 s[16];\nst.shared.u16 [s+7], 1;\n"
                    "ret;"),
            "2: " + Zero.str() +
                " writes 2 bytes at 0x7 of shared memory, of which the block "
                "has 16 bytes; the address must be a multiple of 2");
  EXPECT_THAT(faultOf("red.global.add.u64 [%rd0+4], 1;\nret;"),
              HasSubstr("updates 8 bytes at 0x7f0000000004"));
  EXPECT_THAT(faultOf(".local .align 8 .b8 s[16];\nld.local.b64 %rd1, "
                      "[s+4];\nret;"),
              HasSubstr("0x4 of local memory, of which the thread has 16 "
                        "bytes; the address must be a multiple of 8"));
}

TEST(EmulatorFaults, OtherMemories) {
  EXPECT_EQ(faultOf(".shared .align 4 .b8 s[64];\nmov.u32 %r0, %tid.x;\n"
                    "mov.u32 %r1, s;\nmad.lo.u32 %r1, %r0, 4, %r1;\n"
                    "st.shared.u32 [%r1], %r0;\nret;"),
            "5: thread (16,0,0) of block (0,0,0) writes 4 bytes at 0x40 of "
            "shared memory, of which the block has 64 bytes");
  EXPECT_THAT(
      faultOf(".shared .align 4 .b8 s[64];\nmov.u32 %r1, s;\n"
              "st.shared.u32 [%r1+-4], %r1;\nret;"),
      testing::EndsWith("writes 4 bytes at 0xfffffffc of shared memory, "
                        "of which the block has 64 bytes"));
  EXPECT_THAT(faultOf("ld.shared.u32 %r1, [0];\nret;"),
              HasSubstr("of which the block has 0 bytes"));
  EXPECT_THAT(
      faultOf(".local .align 4 .b8 l[16];\nld.local.u32 %r1, [l+16];\nret;"),
      HasSubstr("0x10 of local memory, of which the thread has 16 bytes"));
  EXPECT_THAT(faultOf(".local .align 4 .b8 l[16];\nmov.u64 %rd1, l;\n"
                      "cvta.local.u64 %rd1, %rd1;\nst.u32 [%rd1+-4], 0;\nret;"),
              HasSubstr("no buffer is near"));
  EXPECT_THAT(faultOf("mov.b64 %rd1, p0;\nld.param.u32 %r1, [%rd1+8];\nret;"),
              HasSubstr("reads 4 bytes at 0x8 of the parameters"));
  EXPECT_THAT(faultOf("mov.b64 %rd1, p0;\ncvta.param.u64 %rd1, %rd1;\n"
                      "ld.u32 %r1, [%rd1+64];\nret;"),
              HasSubstr("reads 4 bytes at 0x40 of the parameters"));
  EXPECT_EQ(faultOf("mov.u64 %rd1, 1000000;\nalloca.u64 %rd2, %rd1, 8;\nret;"),
            "2: alloca of 1000000 bytes: the local memory of a thread would "
            "exceed 512 KiB");
  constexpr StringRef Constant = ".const .u32 c[2] = {1, 2};\n";
  EXPECT_THAT(faultOf("ld.const.u32 %r1, [c+8];\nret;", Constant),
              HasSubstr("right past the end of"));
  EXPECT_THAT(faultOf("mov.u64 %rd1, c;\ncvta.const.u64 %rd1, %rd1;\n"
                      "st.u32 [%rd1+4], 5;\nret;",
                      Constant),
              testing::EndsWith("'c' (8 bytes), which cannot be written"));
}

TEST(EmulatorFaults, InstructionsThatAreNotCovered) {
  EXPECT_EQ(faultOf("add.u32 %r1, %r1, 1;\ntex.2d.v4.f32.f32 {%f0, %f1, %f2, "
                    "%f3}, [t, {%f4, %f5}];\nret;",
                    ".global .texref t;\n"),
            "2: 'tex.2d.v4.f32.f32' is not covered by the emulator");
  EXPECT_EQ(faultOf("call missing;\nret;", ".extern .func missing;\n"),
            "1: 'missing' is called, which has no body here and which the "
            "emulator does not provide");
  // Only where it is executed.
  EXPECT_EQ(faultOf("bra End;\ntcgen05.fence::before_thread_sync;\nEnd: ret;"),
            "");
}

TEST(EmulatorFaults, FormsThatAreNotCovered) {
  // None of them is taken for a simpler one.
  for (StringRef Text :
       {"tcgen05.shift.cta_group::1.down [%r1];",
        "tcgen05.mma.ws.sp.cta_group::1.kind::f16 [%r1], %rd1, %rd2, [%r2], "
        "%r3, %p1;",
        "tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::fill [%r1], "
        "[%r2], %rd2, %r3, %p1;",
        "cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::"
        "complete_tx::bytes [%r1], [%rd1, {%r2, %r3, %r4}], [%r5], {%h1};",
        "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group "
        "[%rd1, {%r2, %r3, %r4}], [%r1];",
        "multimem.ld_reduce.global.add.u32 %r1, [%rd1];"})
    EXPECT_EQ(faultOf(Text + "\nret;"), ("1: '" + Text.split(' ').first +
                                         "' is not covered by the "
                                         "emulator")
                                            .str());
}

TEST(EmulatorFaults, WaitingForEver) {
  EXPECT_EQ(faultOf("mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 32;\n"
                    "@%p0 bra A;\nbar.sync 1;\nbra End;\nA: bar.sync 2;\n"
                    "End: ret;",
                    "", {64, 1, 1}),
            "6: 32 threads of block 0 wait at this barrier for others that "
            "never come; others wait at line " +
                std::to_string(FirstLine + 3));
  EXPECT_EQ(faultOf("mov.u32 %r0, %tid.x;\nsetp.ge.u32 %p0, %r0, 32;\n"
                    "@%p0 ret;\nbar.sync 0, 64;\nret;",
                    "", {64, 1, 1}),
            "4: 32 threads of block 0 wait at this barrier for others that "
            "never come; 32 have ended");
  EXPECT_EQ(faultOf("bar.sync 0, 40;\nret;"),
            "1: a barrier for 40 threads: it must be for whole warps");
  EXPECT_EQ(faultOf("mov.u32 %r0, 16;\nbar.sync %r0;\nret;"),
            "2: barrier 16 does not exist; there are 0 to 15");
  for (StringRef Body :
       {"L: nanosleep.u32 20;\nbra L;",
        "L: ld.volatile.global.u32 %r1, [%rd0];\nsetp.eq.u32 %p0, %r1, 0;\n"
        "@%p0 bra L;\nret;"})
    EXPECT_THAT(faultOf(Body, ".shared .align 8 .b64 b;\n"),
                HasSubstr(": warp 0 of block 0 has executed more than 100000 "
                          "instructions without ending; is the loop endless?"));
  EXPECT_EQ(faultOf("mbarrier.init.shared.b64 [b], 3;\n"
                    "L: mbarrier.try_wait.parity.shared.b64 %p0, [b], 0;\n"
                    "@!%p0 bra L;\nret;",
                    ".shared .align 8 .b64 b;\n"),
            "2: warp 0 of block 0 waits for ever for the mbarrier at 0x0 of "
            "shared memory: its phase 0 lacks 3 of 3 arrivals");
  EXPECT_EQ(faultOf("L: mbarrier.try_wait.parity.shared.b64 %p0, [b], 0;\n"
                    "@!%p0 bra L;\nret;",
                    ".shared .align 8 .b64 b;\n"),
            "1: warp 0 of block 0 waits for ever for the mbarrier at 0x0 of "
            "shared memory, which was not initialised");
}

/// A kernel whose thread 0 polls the mbarrier b, of which nobody arrives, and
/// does \p Between before it polls again; %r1 is the number of attempts.
std::string pollsAnd(StringRef Between) {
  return ("mov.u32 %r9, %tid.x;\nsetp.ne.u32 %p3, %r9, 0;\n@%p3 ret;\n"
          "mbarrier.init.shared.b64 [b], 1;\nmov.u32 %r1, 0;\n"
          "L: mbarrier.try_wait.parity.shared.b64 %p0, [b], 0;\n@%p0 bra D;\n" +
          Between + "\nbra L;\nD: st.global.u32 [%rd0], %r1;\nret;")
      .str();
}
constexpr StringRef Barrier = ".shared .align 8 .b64 b;\n"
                              ".shared .align 4 .u32 n;\n";

TEST(EmulatorFaults, WhoGivesUpDoesNotWaitForEver) {
  for (StringRef Between :
       {"add.u32 %r1, %r1, 1;\nsetp.eq.u32 %p1, %r1, 10000;\n@%p1 bra D;",
        // Attempts that are counted in memory alone.
        "atom.shared.inc.u32 %r2, [n], 9999;\nsetp.eq.u32 %p1, %r2, 9999;\n"
        "mov.u32 %r2, 0;\nselp.u32 %r1, 10000, 0, %p1;\n@%p1 bra D;",
        // It arrives there itself.
        "mbarrier.arrive.shared.b64 _, [b];\nmov.u32 %r1, 10000;"}) {
    SCOPED_TRACE(Between.str());
    EmulatedText T(EmulatedText::kernel(pollsAnd(Between), 1, Barrier));
    EXPECT_EQ(T.buffer(4).run().contents<uint32_t>()[0], 10000u);
  }
  // A limit ends it, and the message says what it waits for.
  EXPECT_EQ(
      faultOf(pollsAnd("add.u32 %r1, %r1, 1;"), Barrier),
      "8: warp 0 of block 0 has executed more than 100000 instructions "
      "without ending; is the loop endless? It last waited for the mbarrier at "
      "0x0 of shared memory: its phase 0 lacks 1 of 1 arrivals. "
      "--max-instructions=N allows more");
}

// The second block sets a flag, which ends the first block's loop.
TEST(EmulatorFaults, OthersMayEndAWaitForAnMBarrier) {
  const std::string Body =
      "mov.u32 %r2, %ctaid.x;\nsetp.ne.u32 %p2, %r2, 0;\n@%p2 bra Other;\n" +
      pollsAnd("ld.relaxed.gpu.global.u32 %r2, [%rd0+4];\n"
               "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra D;") +
      "\nOther: mov.u32 %r2, 1;\nst.relaxed.gpu.global.u32 [%rd0+4], %r2;\n"
      "ret;";
  for (unsigned Jobs : {1, 4}) {
    EmulatedText T(EmulatedText::kernel(Body, 1, Barrier));
    T.Options.Jobs = Jobs;
    T.Launch.Grid = {2, 1, 1};
    T.buffer(8).run();
  }
}

// Each half of a warp waits, with two polls in its loop, in a function.
TEST(EmulatorFaults, DivergedLanesWaitForEver) {
  constexpr StringRef Waiting =
      ".func wait(.reg .u32 bar) {\n.reg .pred %p<4>;\n"
      "L: mbarrier.try_wait.parity.shared.b64 %p0, [bar], 0;\n@%p0 bra D;\n"
      "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;\n@!%p1 bra L;\n"
      "D: ret;\n}\n";
  EXPECT_THAT(
      faultOf("mov.u32 %r1, b;\nmov.u32 %r0, %tid.x;\nand.b32 %r2, %r0, 16;\n"
              "mbarrier.init.shared.b64 [b], 64;\nsetp.eq.u32 %p1, %r2, 0;\n"
              "@%p1 bra A;\ncall wait, (%r1);\nret;\nA: call wait, (%r1);\n"
              "ret;",
              (Barrier + Waiting).str()),
      HasSubstr("waits for ever for the mbarrier at 0x0 of shared memory: its "
                "phase 0 lacks 64 of 64 arrivals"));
}

TEST(EmulatorFaults, TrapsAndAssertions) {
  constexpr const char *Trap = "mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p0, %r0, "
                               "4;\n@%p0 trap;\nret;";
  EXPECT_EQ(faultOf(Trap), "3: thread (4,0,0) of block (0,0,0) traps");
  EXPECT_EQ(faultOf(Trap, "", {4, 1, 1}), "");
  EXPECT_EQ(
      faultOf("{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; "
              ".param .b64 e;\nmov.u64 %rd1, text; mov.u64 %rd2, file;\n"
              "cvta.global.u64 %rd1, %rd1; cvta.global.u64 %rd2, %rd2;\n"
              "st.param.b64 [a], %rd1; st.param.b64 [b], %rd2;\n"
              "st.param.b32 [c], 17; st.param.b64 [d], %rd1; st.param.b64 "
              "[e], 1;\ncall.uni __assertfail, (a, b, c, d, e); }\nret;",
              ".extern .func __assertfail(.param .b64 a, .param .b64 b, "
              ".param .b32 c, .param .b64 d, .param .b64 e);\n"
              ".global .align 1 .b8 text[6] = {110, 32, 60, 32, 51, 0};\n"
              ".global .align 1 .b8 file[5] = {107, 46, 99, 117, 0};\n"),
      "6: thread (0,0,0) of block (0,0,0): assertion 'n < 3' failed at "
      "k.cu:17");
}

TEST(EmulatorFaults, TheFirstBlockThatFailsIsNamed) {
  // Blocks from 5 on fail, whichever is the first to run.
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %tid.y;\nmul.wide.u32 %rd1, %r0, "
      "64;\nadd.u64 %rd1, %rd0, %rd1;\nmul.wide.u32 %rd2, %r1, 4;\n"
      "add.u64 %rd1, %rd1, %rd2;\nst.global.u32 [%rd1], 1;\nret;"));
  T.Launch.Grid = {50, 1, 1};
  T.Launch.Block = {2, 4, 1};
  T.Options.Jobs = 4;
  EXPECT_EQ(T.buffer(size_t(5) * 64 + 8).start(), "");
  EXPECT_THAT(T.fault(), HasSubstr("thread (0,2,0) of block (5,0,0) writes"));
}

//===----------------------------------------------------------------------===//
// What the driver provides
//===----------------------------------------------------------------------===//

TEST(EmulatorSystem, TextIsPrintedInTheOrderOfBlocks) {
  EmulatedText T(EmulatedText::kernel(
      R"(
    .local .align 8 .b8 list[16];
    mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x;
    st.local.u32 [list], %r0; st.local.u32 [list+4], %r1;
    mov.u64 %rd1, name; cvta.global.u64 %rd1, %rd1;
    st.local.b64 [list+8], %rd1;
    mov.u64 %rd2, format; cvta.global.u64 %rd2, %rd2;
    mov.u64 %rd3, list; cvta.local.u64 %rd3, %rd3;
    { .param .b64 a; .param .b64 b; .param .b32 r;
      st.param.b64 [a], %rd2; st.param.b64 [b], %rd3;
      call.uni (r), vprintf, (a, b);
      ld.param.b32 %r2, [r]; }
    st.global.u32 [%rd0], %r2;
    ret;)",
      1,
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
      // "%d,%d %s;" and "ab"
      ".global .align 1 .b8 format[10] = {37, 100, 44, 37, 100, 32, 37, 115, "
      "59, 0};\n.global .align 1 .b8 name[3] = {97, 98, 0};\n"));
  T.Launch.Grid = {3, 1, 1};
  T.Launch.Block = {2, 1, 1};
  T.Options.Jobs = 3;
  T.buffer(4).run();
  EXPECT_EQ(T.Result.Printed, "0,0 ab;0,1 ab;1,0 ab;1,1 ab;2,0 ab;2,1 ab;");
  EXPECT_EQ(T.contents<uint32_t>()[0], 3u);
}

constexpr StringRef Heap = ".extern .func (.param .b64 r) malloc(.param .b64 "
                           "n);\n.extern .func free(.param .b64 p);\n";

TEST(EmulatorSystem, MemoryIsGivenAndTakenBack) {
  // Each thread fills a block of its own with its number and adds it up, a
  // hundred times; without free there would not be enough.
  EmulatedText T(EmulatedText::kernel(
      R"(
    mov.u32 %r0, %tid.x; mov.u32 %r1, 0; mov.u32 %r4, 0;
  Loop:
    { .param .b64 n; .param .b64 r;
      st.param.b64 [n], 4096;
      call.uni (r), malloc, (n);
      ld.param.b64 %rd1, [r]; }
    mov.u32 %r2, 0; mov.u64 %rd2, %rd1;
  Fill:
    st.u32 [%rd2], %r0; add.u64 %rd2, %rd2, 1024;
    add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, 4;
    @%p0 bra Fill;
    ld.u32 %r3, [%rd1+3072]; add.u32 %r4, %r4, %r3;
    { .param .b64 p; st.param.b64 [p], %rd1; call.uni free, (p); }
    add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 100;
    @%p0 bra Loop;
    mul.wide.u32 %rd3, %r0, 4; add.u64 %rd3, %rd0, %rd3;
    st.global.u32 [%rd3], %r4;
    ret;)",
      1, Heap));
  T.buffer(128).run();
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(T.contents<uint32_t>()[L], 100 * L);
}

TEST(EmulatorSystem, MallocAndFreeMayFail) {
  EmulatedText T(EmulatedText::kernel(
      "{ .param .b64 n; .param .b64 r; st.param.b64 [n], 100000000;\n"
      "call.uni (r), malloc, (n); ld.param.b64 %rd1, [r]; }\n"
      "st.global.b64 [%rd0], %rd1;\nret;",
      1, Heap));
  T.buffer<uint64_t>({1}).run();
  EXPECT_EQ(T.contents<uint64_t>()[0], 0u);
  EXPECT_EQ(faultOf("{ .param .b64 p; st.param.b64 [p], %rd0; call.uni free, "
                    "(p); }\nret;",
                    Heap),
            "1: free of byte 0 of buffer 'b0' (64 bytes), which malloc did not "
            "give or which was freed before");
}

//===----------------------------------------------------------------------===//
// Launches that cannot start
//===----------------------------------------------------------------------===//

TEST(EmulatorLaunch, WhatIsMissingIsNamed) {
  EmulatedText T(EmulatedText::kernel("ret;", 3));
  T.buffer(8);
  EXPECT_EQ(T.start(), "no value for parameter 1 ('p1'), 2 ('p2'); the launch "
                       "file's args or --arg=INDEX=VALUE give it");

  EmulatedText Wrong(EmulatedText::kernel("ret;", 3));
  Wrong.buffer(8).number(1);
  ArgumentValue A;
  A.Kind = ArgumentValue::KindTy::Buffer;
  A.Buffer = "b1";
  Wrong.Launch.Args[2] = A;
  EXPECT_EQ(Wrong.start(), "parameter 'p2': no buffer is named 'b1'; did you "
                           "mean 'b0'?");
}

TEST(EmulatorLaunch, BuffersMustFitTheirParameters) {
  auto Start = [](StringRef Type, size_t Bytes) {
    EmulatedText T(".version 9.0\n.target sm_90\n.address_size 64\n"
                   ".visible .entry k(.param " +
                   Type + " a) { ret; }");
    return T.buffer(Bytes).start();
  };
  EXPECT_EQ(Start(".u32", 4),
            "parameter 'a' has 4 bytes; the address of a buffer has 8");
  EXPECT_EQ(Start(".align 4 .b8 s[12], .param .u8", 16),
            "parameter 's' has 12 bytes; it takes a buffer of as many bytes");
  EXPECT_EQ(Start(".u64", 4), "");
}

TEST(EmulatorLaunch, BlocksAndClustersThatAreTooLarge) {
  auto Start = [](Dim3 Block, Dim3 Cluster) {
    EmulatedText T(EmulatedText::kernel("ret;"));
    T.Launch.Block = Block;
    T.Launch.Cluster = Cluster;
    T.Launch.Grid = {2, 1, 1};
    return T.buffer(8).start();
  };
  EXPECT_EQ(Start({2000, 1, 1}, {1, 1, 1}),
            "2000 threads a block are 976 more than the limit of 1024");
  EXPECT_EQ(Start({32, 32, 2}, {1, 1, 1}),
            "2048 threads a block are 1024 more than the limit of 1024");
  EXPECT_THAT(Start({1, 1, 128}, {1, 1, 1}), HasSubstr("128"));
  EXPECT_EQ(Start({32, 1, 1}, {2, 1, 1}), "");
  EXPECT_EQ(Start({32, 1, 1}, {3, 1, 1}),
            "a grid of 2 blocks is not made of clusters of 3");
  EXPECT_EQ(Start({32, 1, 1}, {32, 1, 1}),
            "32 blocks of a cluster are 16 more than the limit of 16");
  EXPECT_EQ(Start({1024, 1, 1}, {1, 1, 1}), "");
}

TEST(EmulatorLaunch, MoreMemoryThanThereIs) {
  EmulatedText T(EmulatedText::kernel("ret;", 2));
  T.Options.MemoryBytes = 10000;
  std::string Error = T.buffer(6000).buffer(6000).start();
  EXPECT_THAT(Error, HasSubstr("'b1'"));
  EXPECT_THAT(Error, HasSubstr("6000"));

  EmulatedText Variables(EmulatedText::kernel(
      "st.global.u32 [large], 1;\nret;", 1, ".global .b8 large[20000];\n"));
  Variables.Options.MemoryBytes = 10000;
  EXPECT_THAT(Variables.buffer(100).start(), HasSubstr("'large'"));

  EmulatedText Shared(EmulatedText::kernel("ret;"));
  Shared.Launch.DynamicSharedBytes = uint64_t(1) << 40;
  EXPECT_THAT(Shared.buffer(100).start(), HasSubstr("bytes of shared memory"));
}

} // namespace

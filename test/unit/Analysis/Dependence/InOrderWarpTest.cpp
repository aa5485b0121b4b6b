//===- InOrderWarpTest.cpp - The simulated warp on traces worked by hand --===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Behind each instruction stands when it issues, and after `->` when what it
// writes is there or what follows it may issue.
//===----------------------------------------------------------------------===//
#include "InOrderWarp.h"
#include "RunKernel.h"

using namespace ptxpredict;

namespace {

/// Numbers that cannot be taken for each other.
LatencyTable handTable() {
  LatencyTable T;
  T.Issue = 2;
  T.Cycles.fill(10000);
  for (auto [Name, Cycles] : {std::pair(SchedClass::Int, 4.0),
                              {SchedClass::Move, 3.0},
                              {SchedClass::Compare, 5.0},
                              {SchedClass::Param, 8.0},
                              {SchedClass::Shared, 30.0},
                              {SchedClass::Global, 100.0},
                              {SchedClass::GlobalAtomic, 200.0},
                              {SchedClass::AsyncCopy, 50.0},
                              {SchedClass::BranchTaken, 12.0},
                              {SchedClass::BranchNotTaken, 10.0},
                              {SchedClass::Barrier, 20.0},
                              {SchedClass::Call, 25.0},
                              {SchedClass::Exit, 7.0}})
    T.of(Name) = Cycles;
  return T;
}

/// One block of one warp, or as many threads as given.
InOrderWarps runInOrder(StringRef Body, unsigned Threads = 32,
                        StringRef Functions = "") {
  PTXKernel K(Body, {Threads, 1, 1}, {}, Functions);
  K.Launch.Grid = {1, 1, 1};
  ArgumentValue Buffer;
  Buffer.Kind = ArgumentValue::KindTy::Buffer;
  Buffer.Buffer = "p";
  K.Launch.Args[0] = Buffer;
  K.Launch.Args[1].Integer = 0;
  InOrderWarps Warps(handTable());
  EmulationOptions Options;
  Options.Observer = &Warps;
  Emulation Run(K.graph(), K.Launch, Options);
  BufferSpec Spec;
  Spec.Type = "u32";
  Spec.Count = 256;
  EXPECT_FALSE(bool(Run.addBuffer("p", Spec, "")));
  Expected<EmulationResult> R = Run.run();
  EXPECT_TRUE(R && !R->Fault);
  return Warps;
}

TEST(InOrderWarpTest, StraightLine) {
  WarpTime T = runInOrder("ld.param.u64 %rd0, [p];\n"      // 0 -> 8
                          "ld.global.u32 %r1, [%rd0];\n"   // 8 -> 108
                          "ld.global.u32 %r2, [%rd0+4];\n" // 10 -> 110
                          "mov.u32 %r3, 1;\n"              // 12
                          "add.u32 %r4, %r1, %r2;\n"       // 110 -> 114
                          "add.u32 %r5, %r4, %r3;\n")      // 114
                   .warp(0, 0);                            // 116 -> 123
  EXPECT_EQ(T.Cycles, 123);
  EXPECT_EQ(T.Instructions, 7);
  EXPECT_EQ(T.LongLoads, 2);
  EXPECT_EQ(T.RoundTrips, 1);
  EXPECT_EQ(T.memoryParallelism(), 2);
  EXPECT_EQ(T.LoadCycles, 200);
  EXPECT_EQ(T.CoveredBy, 102);
  EXPECT_EQ(T.SharedLoads, 0);
}

TEST(InOrderWarpTest, LoadsThatAreAwaitedOneByOneAndNever) {
  WarpTime T =
      runInOrder("ld.param.u64 %rd0, [p];\n"             // 0 -> 8
                 "atom.global.add.u32 %r1, [%rd0], 1;\n" // 8 -> 208
                 "ld.global.u32 %r2, [%rd0+4];\n"        // 10 -> 110
                 "add.u32 %r3, %r2, 1;\n"                // 110: first trip
                 "add.u32 %r4, %r1, 1;\n"          // 208: of the same trip
                 "ld.global.u32 %r5, [%rd0+8];\n"  // 210 -> 310
                 "st.global.u32 [%rd0], %r5;\n"    // 310: second
                 "red.global.add.u32 [%rd0], 1;\n" // 312: brings nothing
                 "ld.global.u32 %r5, [%rd0];\n"    // 314: nobody waits
                 "mov.u32 %r5, 1;\n"               // 316 -> 319
                 "add.u32 %r6, %r5, 1;\n")         // 319
          .warp(0, 0);                             // 321 -> 328
  EXPECT_EQ(T.Cycles, 328);
  EXPECT_EQ(T.LongLoads, 4);
  EXPECT_EQ(T.RoundTrips, 2);
  // 8 to 208, 210 to 310 and 314 to 414, the second one within the first.
  EXPECT_EQ(T.loadsInFlight(), 500.0 / 400.0);
}

TEST(InOrderWarpTest, Loop) {
  WarpTime T = runInOrder("mov.u32 %r1, 0;\n"          // 0 -> 3
                          "L: add.u32 %r1, %r1, 1;\n"  // 3, 24, 45
                          "setp.lt.u32 %p0, %r1, 3;\n" // 7, 28, 49
                          "@%p0 bra L;\n")             // 12, 33, 54 -> 64
                   .warp(0, 0);                        // 64 -> 71
  EXPECT_EQ(T.Cycles, 71);
  EXPECT_EQ(T.Instructions, 11);
}

TEST(InOrderWarpTest, GuardedWritesKeepWhatWasThere) {
  WarpTime T = runInOrder("mov.u32 %r1, %tid.x;\n"       // 0 -> 3
                          "setp.lt.u32 %p0, %r1, 4;\n"   // 3 -> 8
                          "ld.param.u64 %rd0, [p];\n"    // 5 -> 13
                          "ld.global.u32 %r2, [%rd0];\n" // 13 -> 113
                          "@%p0 mov.u32 %r2, 7;\n"       // 15 -> 113
                          "add.u32 %r3, %r2, 1;\n")      // 113 -> 117
                   .warp(0, 0);                          // 115 -> 122
  EXPECT_EQ(T.Cycles, 122);
  EXPECT_EQ(T.RoundTrips, 1);
}

TEST(InOrderWarpTest, GroupsOfCopies) {
  WarpTime T =
      runInOrder(".shared .align 16 .b8 s[64];\n"
                 "ld.param.u64 %rd0, [p];\n"                      // 0 -> 8
                 "mov.u32 %r1, s;\n"                              // 2 -> 5
                 "cp.async.ca.shared.global [%r1], [%rd0], 16;\n" // 8 -> 58
                 "cp.async.commit_group;\n"                       // 10
                 "cp.async.ca.shared.global [%r1+16], [%rd0+16], 16;\n" // 12
                 "cp.async.commit_group;\n"                             // 14
                 "cp.async.wait_group 1;\n"                             // 58
                 "cp.async.ca.shared.global [%r1+32], [%rd0+32], 16;\n" // 60
                 "cp.async.wait_all;\n"                                 // 110
                 "ld.shared.u32 %r2, [%r1];\n" // 112 -> 142
                 "add.u32 %r3, %r2, 1;\n")     // 142
          .warp(0, 0);                         // 144 -> 151
  EXPECT_EQ(T.Cycles, 151);
  EXPECT_EQ(T.LongLoads, 3);
  EXPECT_EQ(T.RoundTrips, 2);
  EXPECT_EQ(T.SharedLoads, 1);
  EXPECT_EQ(T.SharedRoundTrips, 1);
}

TEST(InOrderWarpTest, BothSidesOfABranch) {
  // The target comes first in reverse post-order.
  WarpTime T = runInOrder("mov.u32 %r1, %tid.x;\n"     // 0 -> 3
                          "setp.lt.u32 %p0, %r1, 8;\n" // 3 -> 8
                          "@%p0 bra T;\n"              // 8 -> 20
                          "mov.u32 %r2, 1;\n"          // 22 -> 25
                          "bra E;\n"                   // 24 -> 36
                          "T: mov.u32 %r2, 2;\n"       // 20 -> 23
                          "E: add.u32 %r3, %r2, 1;\n") // 36
                   .warp(0, 0);                        // 38 -> 45
  EXPECT_EQ(T.Cycles, 45);
}

TEST(InOrderWarpTest, LanesThatEnd) {
  WarpTime T = runInOrder("mov.u32 %r1, %tid.x;\n"     // 0 -> 3
                          "setp.lt.u32 %p0, %r1, 8;\n" // 3 -> 8
                          "@%p0 ret;\n"                // 8 -> 18
                          "mov.u32 %r2, 1;\n")         // 18
                   .warp(0, 0);                        // 20 -> 27
  EXPECT_EQ(T.Cycles, 27);
}

TEST(InOrderWarpTest, CallsHaveRegistersOfTheirOwn) {
  WarpTime T = runInOrder("ld.param.u64 %rd0, [p];\n"    // 0 -> 8
                          "ld.global.u32 %r1, [%rd0];\n" // 8 -> 108
                          "mov.u32 %r2, 5;\n"            // 10 -> 13
                          "{.param .b32 a;\n.param .b32 b;\n"
                          "st.param.b32 [a], %r2;\n" // 13
                          "call (b), f, (a);\n"      // 15 -> 40
                          "ld.param.b32 %r3, [b];\n" // 79 -> 87
                          "}\n"
                          "add.u32 %r3, %r3, %r1;\n", // 108
                          32,
                          ".func (.param .b32 o) f(.param .b32 i) {\n"
                          ".reg .b32 %r<3>;\n"
                          "ld.param.u32 %r1, [i];\n" // 40 -> 48
                          "add.u32 %r2, %r1, 1;\n"   // 48 -> 52
                          "st.param.b32 [o], %r2;\n" // 52
                          "ret;\n}\n")               // 54 -> 79
                   .warp(0, 0);                      // 110 -> 117
  EXPECT_EQ(T.Cycles, 117);
  EXPECT_EQ(T.RoundTrips, 1);
  EXPECT_EQ(T.Instructions, 12);
}

TEST(InOrderWarpTest, EachWarpHasItsTime) {
  InOrderWarps Warps = runInOrder("mov.u32 %r1, %tid.x;\n"      // 0 -> 3
                                  "setp.lt.u32 %p0, %r1, 32;\n" // 3 -> 8
                                  "@%p0 bra E;\n"               // 8 -> 20 or 18
                                  "mov.u32 %r2, 1;\n"           // 18 -> 21
                                  "add.u32 %r3, %r2, 1;\n"      // 21
                                  "E: bar.sync 0;\n",           // 20 or 23
                                  64);                          // 40 or 43
  EXPECT_EQ(Warps.warp(0, 0).Cycles, 47);
  EXPECT_EQ(Warps.warp(0, 1).Cycles, 50);
  EXPECT_EQ(Warps.mean().Cycles, 48.5);
  EXPECT_EQ(Warps.mean().Instructions, 6);
}

} // namespace

//===- AsyncMisuseTest.cpp - Planted misuses of asynchronous work ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Each kernel is run twice: as it should be, and with a line left out or
// changed.
//===----------------------------------------------------------------------===//
#include "../EmulatedText.h"
#include "gmock/gmock.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using testing::HasSubstr;

namespace {

/// What --check and the run say of a kernel: "LINE: message [kind]", a line
/// each.
struct Misuse {
  unsigned Threads = 128, Cluster = 1;
  std::string Text;

  std::string run(const Twine &Body) const {
    std::string Module = EmulatedText::kernel(
        "mov.u32 %r0, %tid.x;\nsetp.ne.u32 %p0, %r0, 0;\n"
        "mov.u32 %r1, tile;\nmov.u32 %r2, bar;\nmov.u32 %r9, "
        "%cluster_ctarank;\n" +
            Body + "\nret;",
        2,
        ".shared .align 1024 .b8 tile[16384];\n"
        ".shared .align 8 .b64 bar;\n.shared .align 4 .b32 taddr;\n");
    EmulatedText T(Module.replace(Module.find("sm_90a"), 6, "sm_100a"));
    T.Launch.Block = {Threads, 1, 1};
    T.Launch.Grid = T.Launch.Cluster = {Cluster, 1, 1};
    T.Options.Check = true;
    EXPECT_EQ(T.buffer(16384).buffer(16384).start(), "");
    std::string Out;
    for (const EmulationProblem &P : T.Result.Problems)
      Out +=
          std::to_string(P.Where->Line) + ": " + P.Message + " [" + P.Kind +
          "]" +
          (P.Other ? " " + std::to_string(P.Other->Line) + ": " + P.OtherMessage
                   : "") +
          "\n";
    return Out + T.fault();
  }
};

constexpr const char *InitBarrier =
    "@%p0 bra Ready;\nmbarrier.init.shared::cta.b64 [%r2], 1;\n"
    "fence.mbarrier_init.release.cluster;\nReady: bar.sync 0;\n";
/// Thread 0 copies so many bytes to the tile, and expects as many.
std::string copyIn(unsigned Expected, unsigned Bytes = 1024) {
  return "@%p0 bra Copied;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, "
         "[%r2], " +
         std::to_string(Expected) +
         ";\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
         "[%r1], [%rd0], " +
         std::to_string(Bytes) + ", [%r2];\nCopied:\n";
}
std::string wait(unsigned Parity, StringRef Label = "Wait") {
  return (Label + ": mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], " +
          Twine(Parity) + ";\n@!%p1 bra " + Label + ";\n")
      .str();
}
constexpr const char *UseTile =
    "mad.lo.u32 %r3, %r0, 4, %r1;\nld.shared.u32 %r4, [%r3];\n"
    "mul.wide.u32 %rd5, %r0, 4;\nadd.s64 %rd5, %rd5, %rd1;\n"
    "st.global.u32 [%rd5], %r4;\n";

TEST(AsyncMisuse, ReadingWhatIsStillCopied) {
  Misuse M;
  EXPECT_EQ(M.run(InitBarrier + copyIn(1024) + wait(0) + UseTile), "");
  // With a barrier of the block in place of the wait.
  EXPECT_THAT(M.run(InitBarrier + copyIn(1024) + "bar.sync 0;\n" + UseTile),
              HasSubstr("reads byte 0 of shared memory with no barrier behind "
                        "another access [race]"));
}

TEST(AsyncMisuse, WaitingForAPhaseThatNeverCompletes) {
  Misuse M;
  EXPECT_EQ(M.run(InitBarrier + copyIn(1024) + wait(0)), "");
  EXPECT_THAT(M.run(InitBarrier + copyIn(1024) + wait(0) + wait(1, "Again")),
              HasSubstr("waits for ever for the mbarrier at 0x4000 of shared "
                        "memory: its phase 1 lacks 1 of 1 arrivals"));
}

TEST(AsyncMisuse, WaitingForThePhaseBefore) {
  // A wait for the phase before the first one returns at once; whether the copy
  // is there is a matter of luck.
  Misuse M;
  const std::string Early = InitBarrier + wait(1, "Early") + "bar.sync 0;\n";
  EXPECT_EQ(M.run(Early + copyIn(1024) + wait(0) + UseTile), "");
  EXPECT_THAT(M.run(InitBarrier + std::string("bar.sync 0;\n") + copyIn(1024) +
                    wait(1) + UseTile),
              testing::AnyOf(HasSubstr("[race]"),
                             HasSubstr("waits for ever for the mbarrier")));
}

/// The first warp fills a buffer twice, which the others read: they say so to
/// the mbarrier behind the tile, for which the first one waits.
std::string reuse(StringRef WaitForReaders) {
  return ("mov.u32 %r12, %r1;\nadd.u32 %r12, %r12, 8192;\n"
          "@%p0 bra Ready;\nmbarrier.init.shared::cta.b64 [%r2], 1;\n"
          "mbarrier.init.shared::cta.b64 [%r12], 96;\nReady: bar.sync 0;\n"
          "setp.ge.u32 %p3, %r0, 32;\n@%p3 bra Readers;\n" +
          copyIn(1024) + WaitForReaders +
          "@%p0 bra End;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], "
          "1024;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
          "bytes [%r1], [%rd0+1024], 1024, [%r2];\nbra End;\nReaders:\n" +
          wait(0) + UseTile + "mbarrier.arrive.shared::cta.b64 _, [%r12];\n" +
          wait(1, "Again") + UseTile + "End:\n")
      .str();
}

TEST(AsyncMisuse, CopyingOverWhatIsStillRead) {
  Misuse M;
  EXPECT_EQ(M.run(reuse("Free: mbarrier.try_wait.parity.shared::cta.b64 %p1, "
                        "[%r12], 0;\n@!%p1 bra Free;\n")),
            "");
  // It waits for its own copy alone.
  EXPECT_THAT(M.run(reuse(wait(0, "Free"))), HasSubstr("[race]"));
}

TEST(AsyncMisuse, MoreBytesAreExpectedThanCome) {
  Misuse M;
  EXPECT_THAT(M.run(InitBarrier + copyIn(2048) + wait(0)),
              HasSubstr("its phase 0 lacks 0 of 1 arrivals and 1024 expected "
                        "bytes"));
}

TEST(AsyncMisuse, FewerBytesAreExpectedThanCome) {
  Misuse M;
  EXPECT_THAT(M.run(InitBarrier + copyIn(512) + wait(0)),
              HasSubstr("its phase 0 lacks 0 of 1 arrivals, and 512 bytes have "
                        "come that none expects"));
}

TEST(AsyncMisuse, CopyingOverWhatIsStillCopied) {
  Misuse M;
  const std::string Again =
      "@%p0 bra Twice;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], "
      "1024;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
      "bytes [%r1], [%rd0+1024], 1024, [%r2];\nTwice:\n";
  EXPECT_EQ(
      M.run(InitBarrier + copyIn(1024) + wait(0) + Again + wait(1, "Last")),
      "");
  EXPECT_THAT(M.run(InitBarrier + copyIn(1024) + Again + wait(1, "Last")),
              HasSubstr("copies to byte 0 of shared memory with no barrier "
                        "behind another access [race]"));
}

TEST(AsyncMisuse, CopyingOutWhatTheAsyncProxyDoesNotSee) {
  Misuse M;
  const std::string Fill =
      "mad.lo.u32 %r3, %r0, 4, %r1;\nst.shared.u32 [%r3], %r0;\n";
  const std::string Store =
      "bar.sync 0;\n@%p0 bra End;\ncp.async.bulk.global.shared::cta.bulk_group "
      "[%rd1], [%r1], 512;\ncp.async.bulk.commit_group;\n"
      "cp.async.bulk.wait_group 0;\nEnd:\n";
  EXPECT_EQ(M.run(Fill + "fence.proxy.async.shared::cta;\n" + Store), "");
  EXPECT_THAT(M.run(Fill + Store),
              HasSubstr("the asynchronous proxy reads shared memory that was "
                        "written without fence.proxy.async behind it "
                        "[missing-fence]"));
}

TEST(AsyncMisuse, ChangingWhatIsStillCopiedOut) {
  Misuse M;
  auto Body = [](StringRef Wait) {
    return ("@%p0 bra End;\nst.shared.v4.u32 [%r1], {%r0, %r0, %r0, %r0};\n"
            "fence.proxy.async.shared::cta;\n"
            "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 16;\n"
            "cp.async.bulk.commit_group;\n" +
            Wait + "st.shared.u32 [%r1+4], %r0;\nEnd:\n")
        .str();
  };
  EXPECT_EQ(M.run(Body("cp.async.bulk.wait_group.read 0;\n")), "");
  EXPECT_THAT(M.run(Body("")), HasSubstr("[race]"));
  EXPECT_THAT(M.run(Body("cp.async.bulk.wait_group.read 1;\n")),
              HasSubstr("[race]"));
}

/// A warpgroup multiplies 64x16 by 16x8 from the tile.
std::string multiply(StringRef FenceRegisters, StringRef Wait,
                     StringRef FenceProxy) {
  return ("mad.lo.u32 %r3, %r0, 32, %r1;\n"
          "st.shared.v4.u32 [%r3], {%r0, %r0, %r0, %r0};\n"
          "st.shared.v4.u32 [%r3+16], {%r0, %r0, %r0, %r0};\n" +
          FenceProxy +
          "bar.sync 0;\nshr.u32 %r4, %r1, 4;\ncvt.u64.u32 %rd2, %r4;\n"
          "add.s64 %rd2, %rd2, 0x1000080000;\nsetp.eq.u32 %p2, %r0, %r0;\n"
          "mov.f32 %f0, 0f00000000;\nmov.f32 %f1, %f0;\nmov.f32 %f2, %f0;\n"
          "mov.f32 %f3, %f0;\n" +
          FenceRegisters +
          "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, "
          "%f3}, %rd2, %rd2, %p2, 1, 1, 0, 0;\n"
          "wgmma.commit_group.sync.aligned;\n" +
          Wait +
          "mul.wide.u32 %rd5, %r0, 16;\nadd.s64 %rd5, %rd5, %rd1;\n"
          "st.global.v4.f32 [%rd5], {%f0, %f1, %f2, %f3};\n")
      .str();
}
constexpr StringRef FenceProxy = "fence.proxy.async.shared::cta;\n";
constexpr StringRef FenceRegisters = "wgmma.fence.sync.aligned;\n";
constexpr StringRef WaitGroup = "wgmma.wait_group.sync.aligned 0;\n";

TEST(AsyncMisuse, ReadingAccumulatorsBeforeTheyAreThere) {
  Misuse M;
  EXPECT_EQ(M.run(multiply(FenceRegisters, WaitGroup, FenceProxy)), "");
  EXPECT_THAT(M.run(multiply(FenceRegisters, "", FenceProxy)),
              HasSubstr("a register is read with no wgmma.wait_group behind "
                        "wgmma.mma_async [missing-wait]"));
  EXPECT_THAT(M.run(multiply(FenceRegisters,
                             "wgmma.wait_group.sync.aligned 1;\n", FenceProxy)),
              HasSubstr("[missing-wait]"));
  // A copy is no way around it.
  EXPECT_THAT(M.run(multiply(FenceRegisters,
                             "mov.f32 %f9, %f0;\nadd.f32 %f9, %f9, "
                             "%f9;\n" +
                                 WaitGroup.str(),
                             FenceProxy)),
              HasSubstr("[missing-wait]"));
}

TEST(AsyncMisuse, OverwritingWhatAWarpgroupStillReads) {
  Misuse M;
  const std::string Store = "setp.eq.u32 %p3, %r0, 40;\n"
                            "@%p3 st.shared.u32 [%r1], %r3;\n";
  EXPECT_EQ(
      M.run(multiply(FenceRegisters, WaitGroup.str() + Store, FenceProxy)), "");
  EXPECT_THAT(
      M.run(multiply(FenceRegisters, Store + WaitGroup.str(), FenceProxy)),
      HasSubstr("[race]"));
  EXPECT_THAT(M.run(multiply(FenceRegisters,
                             "wgmma.wait_group.sync.aligned 1;\n" + Store +
                                 WaitGroup.str(),
                             FenceProxy)),
              HasSubstr("[race]"));
}

TEST(AsyncMisuse, MultiplyingWithoutAFenceOfRegisters) {
  Misuse M;
  EXPECT_THAT(M.run(multiply("", WaitGroup, FenceProxy)),
              HasSubstr("a register of wgmma.mma_async was written with no "
                        "wgmma.fence behind it [missing-fence]"));
}

TEST(AsyncMisuse, MultiplyingWhatTheAsyncProxyDoesNotSee) {
  Misuse M;
  EXPECT_THAT(M.run(multiply(FenceRegisters, WaitGroup, "")),
              HasSubstr("written without fence.proxy.async behind it "
                        "[missing-fence]"));
}

/// Warp 0 has 32 columns of tensor memory, which thread 0 multiplies into.
std::string tensor(StringRef WaitProduct, StringRef WaitLoad,
                   StringRef FreeTensors) {
  return ("mbarrier.init.shared::cta.b64 [%r2], 1;\n"
          "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [taddr], "
          "32;\nld.shared.u32 %r5, [taddr];\nmov.u32 %r7, 0;\n"
          "mad.lo.u32 %r3, %r0, 512, %r1;\nmov.u32 %r8, 0;\n"
          "Fill: st.shared.u32 [%r3], %r7;\nadd.u32 %r3, %r3, 4;\n"
          "add.u32 %r8, %r8, 1;\nsetp.lt.u32 %p3, %r8, 128;\n@%p3 bra Fill;\n"
          "fence.proxy.async.shared::cta;\nbar.warp.sync -1;\n"
          "@%p0 bra Issued;\nshr.u32 %r4, %r1, 4;\ncvt.u64.u32 %rd2, %r4;\n"
          "add.s64 %rd2, %rd2, 0x401000080000;\nmov.u32 %r6, 0x8080010;\n"
          "tcgen05.mma.cta_group::1.kind::f16 [%r5], %rd2, %rd2, %r6, 0;\n"
          "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster"
          ".b64 [%r2];\nIssued: bar.warp.sync -1;\n" +
          WaitProduct +
          "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r10, %r11}, [%r5];\n" +
          WaitLoad +
          "mul.wide.u32 %rd5, %r0, 8;\nadd.s64 %rd5, %rd5, %rd1;\n"
          "st.global.v2.u32 [%rd5], {%r10, %r11};\n" +
          FreeTensors)
      .str();
}
constexpr StringRef WaitLoad = "tcgen05.wait::ld.sync.aligned;\n";
constexpr StringRef FreeTensors =
    "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r5, 32;\n";

TEST(AsyncMisuse, LoadingAProductThatIsStillMade) {
  Misuse M = {32, 1, ""};
  EXPECT_EQ(M.run(tensor(wait(0), WaitLoad, FreeTensors)), "");
  EXPECT_THAT(M.run(tensor("", WaitLoad, FreeTensors)),
              HasSubstr("tensor memory is accessed with no wait for the "
                        "mbarrier of a tcgen05.commit behind tcgen05.mma "
                        "[missing-wait]"));
}

TEST(AsyncMisuse, OverwritingWhatIsStillMultiplied) {
  Misuse M = {32, 1, ""};
  const std::string Store = "st.shared.u32 [%r3+-512], %r3;\n";
  EXPECT_EQ(M.run(tensor(wait(0) + Store, WaitLoad, FreeTensors)), "");
  EXPECT_THAT(M.run(tensor(Store + wait(0), WaitLoad, FreeTensors)),
              HasSubstr("[race]"));
}

TEST(AsyncMisuse, MultiplyingIntoWhatOthersStillLoad) {
  Misuse M;
  auto Body = [](StringRef Between) {
    const std::string Multiply =
        "@%p0 bra Issued@;\n"
        "tcgen05.mma.cta_group::1.kind::f16 [%r5], %rd2, %rd2, %r6, 0;\n"
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 "
        "[%r2];\nIssued@: bar.warp.sync -1;\n";
    auto Numbered = [&](char N) {
      std::string Text = Multiply;
      std::replace(Text.begin(), Text.end(), '@', N);
      return "@" + Text.substr(1);
    };
    return ("setp.ge.u32 %p4, %r0, 32;\n@%p0 bra Ready;\n"
            "mbarrier.init.shared::cta.b64 [%r2], 1;\nReady: bar.sync 0;\n"
            "@%p4 bra Allocated;\n"
            "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [taddr], "
            "32;\nAllocated: mov.u32 %r8, 0;\n"
            "mad.lo.u32 %r3, %r0, 128, %r1;\n"
            "Fill: st.shared.u32 [%r3], %r8;\nadd.u32 %r3, %r3, 4;\n"
            "add.u32 %r8, %r8, 1;\nsetp.lt.u32 %p3, %r8, 32;\n@%p3 bra Fill;\n"
            "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
            "ld.shared.u32 %r5, [taddr];\nshr.u32 %r4, %r1, 4;\n"
            "cvt.u64.u32 %rd2, %r4;\nadd.s64 %rd2, %rd2, 0x401000080000;\n"
            "mov.u32 %r6, 0x8080010;\n" +
            Numbered('1') + wait(0) +
            "and.b32 %r7, %r0, 96;\nshl.b32 %r7, %r7, 16;\n"
            "add.u32 %r7, %r7, %r5;\n"
            "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r10}, [%r7];\n"
            "tcgen05.wait::ld.sync.aligned;\n" +
            Between + Numbered('2') + wait(1, "Last") + "bar.sync 0;\n" +
            "mul.wide.u32 %rd5, %r0, 4;\nadd.s64 %rd5, %rd5, %rd1;\n"
            "st.global.u32 [%rd5], %r10;\n@%p4 bra End;\n" +
            FreeTensors + "End:\n")
        .str();
  };
  EXPECT_EQ(M.run(Body("bar.sync 0;\n")), "");
  EXPECT_THAT(M.run(Body("")),
              HasSubstr("tensor memory is used with no barrier behind another "
                        "warp's access [race]"));
}

TEST(AsyncMisuse, MultiplyingInTensorMemoryWithoutAFence) {
  Misuse M = {32, 1, ""};
  std::string Body = tensor(wait(0), WaitLoad, FreeTensors);
  const StringRef Fence = "fence.proxy.async.shared::cta;\n";
  Body.erase(Body.find(Fence), Fence.size());
  EXPECT_THAT(M.run(Body), HasSubstr("written without fence.proxy.async behind "
                                     "it [missing-fence]"));
}

TEST(AsyncMisuse, UsingTensorMemoryThatIsStillStored) {
  Misuse M = {32, 1, ""};
  auto Body = [](StringRef Wait) {
    return ("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [taddr], "
            "32;\nld.shared.u32 %r5, [taddr];\n"
            "tcgen05.st.sync.aligned.32x32b.x2.b32 [%r5], {%r0, %r1};\n" +
            Wait +
            "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r10}, [%r5+1];\n"
            "tcgen05.wait::ld.sync.aligned;\n"
            "mul.wide.u32 %rd5, %r0, 4;\nadd.s64 %rd5, %rd5, %rd1;\n"
            "st.global.u32 [%rd5], %r10;\n" +
            FreeTensors)
        .str();
  };
  EXPECT_EQ(M.run(Body("tcgen05.wait::st.sync.aligned;\n")), "");
  EXPECT_THAT(M.run(Body("")),
              HasSubstr("tensor memory is accessed with no tcgen05.wait::st "
                        "behind tcgen05.st [missing-wait]"));
}

TEST(AsyncMisuse, UsingWhatIsStillLoaded) {
  Misuse M = {32, 1, ""};
  EXPECT_THAT(M.run(tensor(wait(0), "", FreeTensors)),
              HasSubstr("a register is read of a tcgen05.ld that no "
                        "tcgen05.wait::ld follows [missing-wait]"));
}

TEST(AsyncMisuse, TensorMemoryThatIsNotFreed) {
  Misuse M = {32, 1, ""};
  EXPECT_THAT(M.run(tensor(wait(0), WaitLoad, "")),
              HasSubstr("block 0 ends without freeing this tensor memory "
                        "[tensor-memory]"));
}

TEST(AsyncMisuse, TensorMemoryThatIsNotAllocated) {
  Misuse M = {32, 1, ""};
  EXPECT_THAT(M.run("mov.u32 %r5, 0;\ntcgen05.ld.sync.aligned.32x32b.x2.b32 "
                    "{%r10, %r11}, [%r5];"),
              HasSubstr("are not allocated in block 0"));
}

TEST(AsyncMisuse, SharedMemoryOfABlockThatHasEnded) {
  Misuse M = {32, 2, ""};
  auto Body = [](StringRef Last) {
    return ("st.shared.u32 [%r1], %r9;\nbarrier.cluster.arrive.aligned;\n"
            "barrier.cluster.wait.aligned;\nsetp.eq.u32 %p2, %r9, 1;\n"
            "@%p2 bra Last;\nmapa.shared::cluster.u32 %r3, %r1, 1;\n"
            "ld.shared::cluster.u32 %r4, [%r3];\nst.global.u32 [%rd1], %r4;\n"
            "Last:\n" +
            Last)
        .str();
  };
  EXPECT_EQ(M.run(Body("barrier.cluster.arrive.aligned;\n"
                       "barrier.cluster.wait.aligned;\n")),
            "");
  EXPECT_THAT(M.run(Body("")),
              HasSubstr("warp 0 of block 0 accesses shared memory of block 1, "
                        "which does not wait for it before it ends "
                        "[exited-block]"));
}

TEST(AsyncMisuse, SharedMemoryOfABlockThatHasNotWrittenIt) {
  Misuse M = {32, 2, ""};
  auto Body = [](StringRef First) {
    return ("st.shared.u32 [%r1], %r9;\n" + First +
            "xor.b32 %r5, %r9, 1;\nmapa.shared::cluster.u32 %r3, %r1, %r5;\n"
            "ld.shared::cluster.u32 %r4, [%r3];\nst.global.u32 [%rd1], %r4;\n"
            "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n")
        .str();
  };
  EXPECT_EQ(M.run(Body("barrier.cluster.arrive.aligned;\n"
                       "barrier.cluster.wait.aligned;\n")),
            "");
  EXPECT_THAT(M.run(Body("bar.sync 0;\n")), HasSubstr("[race]"));
}

} // namespace

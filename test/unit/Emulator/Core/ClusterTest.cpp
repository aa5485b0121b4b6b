//===- ClusterTest.cpp - Blocks that run together -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "../EmulatedText.h"
#include "gmock/gmock.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using testing::EndsWith;
using testing::HasSubstr;

namespace {

constexpr const char *ClusterShared = ".shared .align 128 .b8 tile[1024];\n"
                                      ".shared .align 8 .b64 bar;\n";

/// A kernel of a grid with clusters.
EmulatedText clusters(const Twine &Body, Dim3 Grid, Dim3 Cluster,
                      unsigned NumParameters = 1) {
  EmulatedText T(EmulatedText::kernel(Body, NumParameters, ClusterShared));
  T.Launch.Grid = Grid;
  T.Launch.Cluster = Cluster;
  return T;
}

constexpr const char *SyncCluster = "barrier.cluster.arrive.aligned;\n"
                                    "barrier.cluster.wait.aligned;\n";

TEST(EmulatorCluster, SpecialRegistersSayWhereABlockIs) {
  constexpr StringRef Names[] = {"%clusterid.x",      "%clusterid.y",
                                 "%nclusterid.x",     "%nclusterid.y",
                                 "%cluster_ctaid.x",  "%cluster_ctaid.y",
                                 "%cluster_nctaid.x", "%cluster_nctaid.y",
                                 "%cluster_ctarank",  "%cluster_nctarank"};
  std::string Body =
      "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ctaid.y;\nmov.u32 %r3, "
      "%nctaid.x;\nmad.lo.u32 %r1, %r2, %r3, %r1;\nmul.wide.u32 %rd1, %r1, "
      "64;\nadd.s64 %rd1, %rd1, %rd0;\n";
  for (size_t N = 0; N != std::size(Names); ++N)
    Body += "mov.u32 %r4, " + Names[N].str() + ";\nst.global.u32 [%rd1+" +
            std::to_string(4 * N) + "], %r4;\n";
  Body += "mov.pred %p1, %is_explicit_cluster;\nselp.u32 %r4, 1, 0, %p1;\n"
          "st.global.u32 [%rd1+40], %r4;\nret;";
  EmulatedText T = clusters(Body, {8, 6, 1}, {4, 2, 1});
  T.buffer(size_t(48) * 64).run();
  std::vector<uint32_t> Out = T.contents<uint32_t>();
  for (uint32_t Y = 0; Y != 6; ++Y)
    for (uint32_t X = 0; X != 8; ++X) {
      const std::vector<uint32_t> Want = {
          X / 4, Y / 2, 2, 3, X % 4, Y % 2, 4, 2, Y % 2 * 4 + X % 4, 8, 1};
      auto Begin = Out.begin() + long(Y * 8 + X) * 16;
      EXPECT_EQ(std::vector<uint32_t>(Begin, Begin + 11), Want);
    }
}

// Each block writes its number, and reads that of the next one of the cluster.
TEST(EmulatorCluster, BlocksReadEachOthersSharedMemory) {
  const std::string Body =
      "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %cluster_ctarank;\n"
      "st.shared.u32 [tile+16], %r0;\n" +
      std::string(SyncCluster) +
      "add.u32 %r2, %r1, 1;\nand.b32 %r2, %r2, 3;\nmov.u32 %r3, tile;\n"
      "mapa.shared::cluster.u32 %r4, %r3, %r2;\n"
      "ld.shared::cluster.u32 %r5, [%r4+16];\n"
      "cvta.shared.u64 %rd1, %rd0;\nmov.u64 %rd1, tile;\n"
      "cvta.shared.u64 %rd2, %rd1;\nmapa.u64 %rd3, %rd2, %r2;\n"
      "ld.u32 %r6, [%rd3+16];\ngetctarank.u64 %r7, %rd3;\n"
      "isspacep.shared::cta %p1, %rd3;\nisspacep.shared::cluster %p2, %rd3;\n"
      "isspacep.shared::cta %p3, %rd2;\n"
      "selp.u32 %r8, 1, 0, %p1;\nselp.u32 %r9, 2, 0, %p2;\n"
      "selp.u32 %r10, 4, 0, %p3;\nor.b32 %r8, %r8, %r9;\n"
      "or.b32 %r8, %r8, %r10;\nmul.wide.u32 %rd4, %r0, 16;\n"
      "add.s64 %rd4, %rd4, %rd0;\n"
      "st.global.v4.u32 [%rd4], {%r5, %r6, %r7, %r8};\n" +
      SyncCluster + "ret;";
  EmulatedText T = clusters(Body, {8, 1, 1}, {4, 1, 1});
  T.Options.Check = true;
  T.buffer(size_t(8) * 16).run();
  EXPECT_TRUE(T.Result.Problems.empty());
  std::vector<uint32_t> Out = T.contents<uint32_t>();
  for (uint32_t B = 0; B != 8; ++B) {
    const uint32_t Next = B / 4 * 4 + (B + 1) % 4;
    EXPECT_EQ(Out[4 * B], Next);
    EXPECT_EQ(Out[4 * B + 1], Next);
    EXPECT_EQ(Out[4 * B + 2], Next % 4);
    EXPECT_EQ(Out[4 * B + 3], 6u);
  }
  EXPECT_EQ(T.at("ld.shared::cluster.u32").Memory->SharedRequests, 8u);
  EXPECT_EQ(T.Result.Profile.Blocks, 8u);
}

// Atomics of all blocks meet in the first one's memory.
TEST(EmulatorCluster, AtomicsAndReductionsInAnotherBlock) {
  const std::string Body =
      "mov.u32 %r1, %cluster_ctarank;\nst.shared.u32 [tile], 0;\n"
      "st.shared.u32 [tile+4], 0;\n" +
      std::string(SyncCluster) +
      "mov.u32 %r3, tile;\nmapa.shared::cluster.u32 %r4, %r3, 0;\n"
      "atom.shared::cluster.add.u32 %r5, [%r4], 1;\n"
      "add.u32 %r6, %r1, 1;\n"
      "red.relaxed.cluster.shared::cluster.max.u32 [%r4+4], %r6;\n" +
      SyncCluster +
      "ld.shared.v2.u32 {%r7, %r8}, [tile];\nmul.wide.u32 %rd4, %r1, 8;\n"
      "add.s64 %rd4, %rd4, %rd0;\nst.global.v2.u32 [%rd4], {%r7, %r8};\nret;";
  EmulatedText T = clusters(Body, {2, 2, 1}, {2, 2, 1});
  T.Options.Check = true;
  T.buffer(32).run();
  EXPECT_TRUE(T.Result.Problems.empty());
  EXPECT_EQ(T.contents<uint32_t>(),
            (std::vector<uint32_t>{128, 4, 0, 0, 0, 0, 0, 0}));
}

// Stores that the other block's mbarrier is told of.
TEST(EmulatorCluster, AsynchronousStoresSignalTheOtherBlock) {
  const std::string Body =
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %cluster_ctarank;\n"
      "setp.ne.u32 %p0, %r0, 0;\n@%p0 bra Ready;\n"
      "mbarrier.init.shared::cta.b64 [bar], 1;\n"
      "st.shared.u32 [tile+512], 0;\n"
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 256;\n"
      "Ready:\n" +
      std::string(SyncCluster) +
      "xor.b32 %r2, %r1, 1;\nmov.u32 %r3, tile;\nmov.u32 %r4, bar;\n"
      "mapa.shared::cluster.u32 %r5, %r3, %r2;\n"
      "mapa.shared::cluster.u32 %r6, %r4, %r2;\n"
      "mad.lo.u32 %r7, %r0, 4, %r5;\nmad.lo.u32 %r8, %r1, 100, %r0;\n"
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r7], "
      "%r8, [%r6];\n"
      "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes"
      ".add.u32 [%r5+512], %r0, [%r6];\n"
      "Wait: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;\n"
      "@!%p1 bra Wait;\n"
      "mad.lo.u32 %r9, %r0, 4, %r3;\nld.shared.u32 %r10, [%r9];\n"
      "ld.shared.u32 %r11, [tile+512];\nadd.u32 %r10, %r10, %r11;\n"
      "mad.lo.u32 %r12, %r1, 32, %r0;\nmul.wide.u32 %rd4, %r12, 4;\n"
      "add.s64 %rd4, %rd4, %rd0;\nst.global.u32 [%rd4], %r10;\nret;";
  EmulatedText T = clusters(Body, {2, 1, 1}, {2, 1, 1});
  T.Options.Check = true;
  T.buffer(256).run();
  for (const EmulationProblem &P : T.Result.Problems)
    ADD_FAILURE() << P.Kind << ": " << P.Message;
  std::vector<uint32_t> Out = T.contents<uint32_t>();
  for (uint32_t N = 0; N != 64; ++N)
    EXPECT_EQ(Out[N], (1 - N / 32) * 100 + N % 32 + 496);
}

// The first block copies to both, and each one's own mbarrier is told.
TEST(EmulatorCluster, CopiesToSeveralBlocks) {
  const std::string Body =
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %cluster_ctarank;\n"
      "setp.ne.u32 %p0, %r0, 0;\n@%p0 bra Ready;\n"
      "mbarrier.init.shared::cta.b64 [bar], 1;\n"
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;\n"
      "Ready:\n" +
      std::string(SyncCluster) +
      "or.b32 %r2, %r0, %r1;\nsetp.ne.u32 %p0, %r2, 0;\nmov.b16 %h1, 11;\n"
      "@%p0 bra Wait;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
      ".multicast::cluster [tile], [%rd0], 128, [bar], %h1;\n"
      "setp.eq.u32 %p2, %r1, 2;\n@%p2 bra End;\n"
      "Wait: setp.eq.u32 %p2, %r1, 2;\n@%p2 bra End;\n"
      "Poll: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;\n"
      "@!%p1 bra Poll;\n"
      "mov.u32 %r3, tile;\nmad.lo.u32 %r3, %r0, 4, %r3;\n"
      "ld.shared.u32 %r4, [%r3];\nmad.lo.u32 %r5, %r1, 32, %r0;\n"
      "mul.wide.u32 %rd4, %r5, 4;\nadd.s64 %rd4, %rd4, %rd1;\n"
      "st.global.u32 [%rd4], %r4;\nEnd:\n" +
      SyncCluster + "ret;";
  EmulatedText T = clusters(Body, {4, 1, 1}, {4, 1, 1}, 2);
  std::vector<uint32_t> In(32);
  for (uint32_t N = 0; N != 32; ++N)
    In[N] = N * N;
  T.buffer<uint32_t>(In).buffer(512).run();
  std::vector<uint32_t> Out = T.contents<uint32_t>(1);
  for (uint32_t N = 0; N != 128; ++N)
    EXPECT_EQ(Out[N], N / 32 == 2 ? 0 : (N % 32) * (N % 32));
  // Read once, whatever it goes to.
  const MemoryProfile &M =
      *T.at("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
            ".multicast::cluster")
           .Memory;
  EXPECT_EQ(M.Requests, 1u);
  EXPECT_EQ(M.Sectors, 4u);
  EXPECT_EQ(T.Result.Profile.GridReadBytes, 128u);
}

/// Blocks that work on their tiles and on those of blocks that have not
/// started: each thread notes in its tile who did it. The first thread of a
/// cluster asks.
EmulatedText takingOver(unsigned Blocks, unsigned Cluster, uint64_t Resident) {
  const std::string Ask =
      "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx"
      "::bytes" +
      std::string(Cluster > 1 ? ".multicast::cluster::all" : "") +
      ".b128 [tile], [bar];\n";
  const std::string Body =
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %cluster_ctarank;\n"
      "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, 0;\n"
      "setp.ne.u32 %p0, %r0, 0;\nor.b32 %r5, %r0, %r1;\n"
      "setp.ne.u32 %p1, %r5, 0;\n@%p0 bra Ready;\n"
      "mbarrier.init.shared::cta.b64 [bar], 1;\nReady:\n" +
      std::string(SyncCluster) +
      "Tile: @!%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;\n" +
      SyncCluster + "@%p1 bra Work;\n" + Ask +
      "Work: mad.lo.u32 %r6, %r3, 32, %r0;\nmul.wide.u32 %rd4, %r6, 4;\n"
      "add.s64 %rd4, %rd4, %rd0;\nadd.u32 %r7, %r2, 1;\n"
      "atom.global.add.u32 %r8, [%rd4], %r7;\n"
      "Wait: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], %r4;\n"
      "@!%p2 bra Wait;\nxor.b32 %r4, %r4, 1;\n"
      "ld.shared.b128 %q0, [tile];\n"
      "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p3, %q0;\n"
      "@!%p3 bra End;\n"
      "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 "
      "{%r3, %r9, %r10, %r11}, %q0;\n"
      "clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r12, "
      "%q0;\nadd.u32 %r3, %r3, %r1;\nadd.u32 %r3, %r3, %r9;\n"
      "add.u32 %r3, %r3, %r12;\nbra Tile;\nEnd:\n" +
      SyncCluster + "ret;";
  EmulatedText T = clusters(Body, {Blocks, 1, 1}, {Cluster, 1, 1});
  T.Options.Check = true;
  T.Options.Resident = Resident;
  T.buffer(size_t(Blocks) * 128).run();
  for (const EmulationProblem &P : T.Result.Problems)
    ADD_FAILURE() << P.Kind << ": " << P.Message;
  return T;
}

TEST(EmulatorCluster, BlocksTakeOverPlacesOfOthers) {
  for (unsigned Cluster : {1u, 2u})
    for (uint64_t Resident : {0u, 4u, 24u}) {
      EmulatedText T = takingOver(24, Cluster, Resident);
      const uint32_t Started = Resident ? uint32_t(Resident) : 24;
      std::vector<uint32_t> Out = T.contents<uint32_t>();
      for (uint32_t N = 0; N != Out.size(); ++N) {
        // Once, by who has room; those that have it do their own.
        EXPECT_GE(Out[N], 1u);
        EXPECT_LE(Out[N], Started);
        EXPECT_EQ(Out[N], Out[N / 32 * 32]);
        EXPECT_EQ((Out[N] - 1) % Cluster, N / 32 % Cluster);
        if (N / 32 < Started) {
          EXPECT_EQ(Out[N], N / 32 + 1);
        }
      }
      // They take turns: others have as much to do.
      std::map<uint32_t, unsigned> Tiles;
      for (uint32_t N = 0; N != 24; ++N)
        ++Tiles[Out[size_t(N) * 32]];
      for (auto [Who, Number] : Tiles)
        EXPECT_EQ(Number, 24 / Started) << Who;
      EXPECT_EQ(T.at("mbarrier.init.shared::cta.b64").Executions, Started);
      EXPECT_EQ(T.at("atom.global.add.u32").Executions, 24u);
      EXPECT_EQ(T.Result.Profile.Blocks, 24u);
      EXPECT_EQ(T.Result.Profile.Warps, 24u);
    }
}

// The first block arrives at the mbarriers of three of four blocks, counts and
// expected bytes too.
TEST(EmulatorCluster, ArrivalsAtSeveralBlocks) {
  const std::string Multicast = ".shared::cluster.multicast::cluster::32b.b64 ";
  const std::string Body =
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %cluster_ctarank;\n"
      "setp.ne.u32 %p0, %r0, 0;\n@%p0 bra Ready;\n"
      "mbarrier.init.shared::cta.b64 [bar], 4;\nReady:\n" +
      std::string(SyncCluster) +
      "or.b32 %r2, %r0, %r1;\nsetp.ne.u32 %p0, %r2, 0;\n@%p0 bra Wait;\n"
      "mov.b32 %r3, 11;\nmbarrier.arrive.release.cluster" +
      Multicast + "_, [bar], %r3;\nmbarrier.arrive.release.cluster" +
      Multicast + "_, [bar], 2, %r3;\n" +
      "mbarrier.arrive.expect_tx.release.cluster" + Multicast +
      "_, [bar], 64, %r3;\nmbarrier.complete_tx.relaxed.cluster" + Multicast +
      "[bar], 64, %r3;\n"
      "Wait: setp.eq.u32 %p2, %r1, 2;\n@%p2 bra End;\n"
      "Poll: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;\n"
      "@!%p1 bra Poll;\nEnd:\n" +
      SyncCluster +
      "mbarrier.test_wait.parity.shared::cta.b64 %p1, [bar], 0;\n"
      "selp.u32 %r4, 1, 0, %p1;\nmul.wide.u32 %rd4, %r1, 4;\n"
      "add.s64 %rd4, %rd4, %rd0;\nst.global.u32 [%rd4], %r4;\nret;";
  EmulatedText T = clusters(Body, {4, 1, 1}, {4, 1, 1});
  T.buffer(16).run();
  EXPECT_EQ(T.contents<uint32_t>(), (std::vector<uint32_t>{1, 1, 0, 1}));
}

TEST(EmulatorCluster, MasksNameBlocksThatAreThere) {
  EmulatedText T = clusters(
      "mbarrier.init.shared::cta.b64 [bar], 4;\nmov.b32 %r3, 17;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.multicast::cluster::32b"
      ".b64 _, [bar], %r3;\nret;",
      {4, 1, 1}, {4, 1, 1});
  T.Launch.Block = {1, 1, 1};
  T.buffer(16);
  EXPECT_EQ(T.start(), "");
  EXPECT_THAT(T.fault(), HasSubstr("names blocks by the mask 0x11 of a cluster "
                                   "that has 4"));
}

TEST(EmulatorCluster, AWaitForAnArrivalThatTheOtherBlockMakes) {
  const std::string Body =
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %cluster_ctarank;\n"
      "setp.eq.u32 %p0, %r0, 0;\n"
      "@%p0 mbarrier.init.shared::cta.b64 [bar], 1;\n" +
      std::string(SyncCluster) +
      "xor.b32 %r2, %r1, 1;\nmov.u32 %r4, bar;\n"
      "mapa.shared::cluster.u32 %r6, %r4, %r2;\n"
      "@%p0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r6];\n"
      "Wait: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, "
      "[bar], 0;\n@!%p1 bra Wait;\n" +
      SyncCluster + "ret;";
  EmulatedText T = clusters(Body, {4, 1, 1}, {2, 1, 1});
  T.Options.Check = true;
  T.buffer(8).run();
  EXPECT_TRUE(T.Result.Problems.empty());
}

TEST(EmulatorCluster, DeadlocksAreTold) {
  // A barrier that one block does not reach.
  EmulatedText One = clusters(
      "mov.u32 %r1, %cluster_ctarank;\nsetp.eq.u32 %p0, %r1, 1;\n"
      "@%p0 bra L;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\nret;\n"
      "L: bar.sync 1, 64;\nret;",
      {2, 1, 1}, {2, 1, 1});
  One.buffer(8).start();
  EXPECT_THAT(One.fault(), HasSubstr("32 threads of block 0 wait at this "
                                     "barrier for others that never come; "
                                     "others wait at line"));
  // Another block's mbarrier, of which too few arrive.
  EmulatedText Two =
      clusters("mov.u32 %r0, bar;\nmapa.shared::cluster.u32 %r1, %r0, 1;\n"
               "mov.u32 %r2, %cluster_ctarank;\nsetp.eq.u32 %p0, %r2, 1;\n"
               "@%p0 mbarrier.init.shared::cta.b64 [bar], 40;\n"
               "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
               "mbarrier.arrive.shared::cluster.b64 _, [%r1], 0;\n"
               "@!%p0 bra End;\n"
               "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;\n"
               "Wait: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;\n"
               "@!%p1 bra Wait;\nEnd: ret;",
               {2, 1, 1}, {2, 1, 1});
  Two.buffer(8).start();
  EXPECT_THAT(Two.fault(),
              EndsWith("warp 0 of block 1 waits for ever for the mbarrier at "
                       "0x0 of shared memory: its phase 0 lacks 8 of 40 "
                       "arrivals and 512 expected bytes"));
}

TEST(EmulatorCluster, WrongUseIsSaid) {
  auto Fault = [](StringRef Body) {
    EmulatedText T = clusters(Body, {2, 1, 1}, {2, 1, 1});
    EXPECT_EQ(T.buffer(8).start(), "");
    return T.fault();
  };
  EXPECT_THAT(Fault("mov.u32 %r0, tile;\nmapa.shared::cluster.u32 %r1, %r0, "
                    "2;\nret;"),
              EndsWith("block 2 of a cluster is asked for, which has 2"));
  EXPECT_THAT(Fault("mov.u32 %r0, tile;\nmapa.shared::cluster.u32 %r1, %r0, "
                    "1;\nld.shared.u32 %r2, [%r1];\nret;"),
              EndsWith("the address is one of block 1 of the cluster"));
  EXPECT_THAT(Fault("mov.b16 %h0, 5;\ncp.async.bulk.shared::cluster.global."
                    "mbarrier::complete_tx::bytes.multicast::cluster [tile], "
                    "[%rd0], 16, [bar], %h0;\nret;"),
              EndsWith("names blocks by the mask 0x5 of a cluster that has 2"));
  EXPECT_THAT(Fault("barrier.cluster.arrive;\nbarrier.cluster.arrive;\nret;"),
              EndsWith("32 threads of warp 0 arrive at the cluster's barrier "
                       "again without having waited"));
}

TEST(EmulatorCluster, RacesBetweenBlocksAreFound) {
  const std::string Body =
      "mov.u32 %r1, %cluster_ctarank;\nmov.u32 %r3, tile;\n"
      "xor.b32 %r2, %r1, 1;\nmapa.shared::cluster.u32 %r4, %r3, %r2;\n"
      "st.shared.u32 [tile], %r1;\nbar.sync 0;\n"
      "ld.shared::cluster.u32 %r5, [%r4];\nst.global.u32 [%rd0], %r5;\n" +
      std::string(SyncCluster) + "ret;";
  EmulatedText T = clusters(Body, {2, 1, 1}, {2, 1, 1});
  T.Options.Check = true;
  T.buffer(8).run();
  ASSERT_FALSE(T.Result.Problems.empty());
  EXPECT_EQ(T.Result.Problems[0].Kind, "race");
  EXPECT_THAT(T.Result.Problems[0].Message,
              HasSubstr("byte 0 of shared memory"));
  EXPECT_THAT(T.Result.Problems[0].OtherMessage,
              HasSubstr("of block 0 reads it here"));
}

// Blocks that are asked for run with their clusters.
TEST(EmulatorCluster, SamplesAreOfWholeClusters) {
  EmulatedText T = clusters("ret;", {16, 1, 1}, {4, 1, 1});
  T.Options.Blocks = {1, 5};
  T.buffer(8).run();
  EXPECT_EQ(T.Result.Profile.Blocks, 12u);
}

} // namespace

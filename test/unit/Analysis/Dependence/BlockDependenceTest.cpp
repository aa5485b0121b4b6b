//===- BlockDependenceTest.cpp - Parallelism within blocks ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Dependence/BlockDependence.h"
#include "PTXKernel.h"
#include "ptxpredict/Graph/Dependence.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

using namespace ptxpredict;
using llvm::formatv;

namespace {

/// Of the block with that label; the kernel's first one without.
BlockDependence find(const PTXKernel &K, StringRef Label = "") {
  std::vector<BlockDependence> All = findBlockDependence(K.graph());
  return All[Label.empty() ? 0 : K.block(Label)->Number];
}

TEST(BlockDependenceTest, FigureNinetyNine) {
  // S. Hong, PhD thesis, figure 99: Cmem and Dmadd.
  BlockDependence Cmem = find(PTXKernel("fma.rn.f32 %f9, %f8, %f7, %f8;\n"
                                        "fma.rn.f32 %f10, %f9, %f8, %f9;\n"
                                        "ld.global.f32 %f11, [%rd16];\n"
                                        "add.f32 %f12, %f9, %f11;\n"
                                        "fma.rn.f32 %f13, %f10, %f12, %f10;\n"
                                        "fma.rn.f32 %f14, %f13, %f10, %f13;"));
  EXPECT_EQ(Cmem.LongLoads, 1u);
  EXPECT_EQ(Cmem.mstr(), 1);
  BlockDependence Dmadd = find(PTXKernel("add.f32 %f3, %f2, %f1;\n"
                                         "add.f32 %f4, %f3, 0f3F800000;\n"
                                         "ld.global.f32 %f5, [%rd19];\n"
                                         "ld.global.f32 %f6, [%rd18];\n"
                                         "add.f32 %f7, %f6, %f5;\n"
                                         "add.f32 %f8, %f4, %f7;"));
  EXPECT_EQ(Dmadd.LongLoads, 2u);
  EXPECT_EQ(Dmadd.mstr(), 2);
}

TEST(BlockDependenceTest, Heights) {
  BlockDependence B = find(PTXKernel("mov.u32 %r1, 1;\n"          // 1
                                     "mov.u32 %r2, 2;\n"          // 1
                                     "add.u32 %r3, %r1, %r2;\n"   // 2
                                     "add.u32 %r4, %r1, %r1;\n"   // 2
                                     "setp.eq.u32 %p0, %r3, 0;\n" // 3
                                     "@%p0 mov.u32 %r4, 3;\n"     // 4
                                     "add.u32 %r5, %r4, 1;"));    // 5, and ret
  EXPECT_EQ(B.Instructions, 8u);
  EXPECT_EQ(B.Height, 5u);
  EXPECT_EQ(B.ilp(), 8.0 / 5);
}

TEST(BlockDependenceTest, BarriersOrderMemory) {
  BlockDependence B = find(PTXKernel("add.f32 %f2, %f1, %f1;\n"      // 1
                                     "add.f32 %f3, %f2, %f2;\n"      // 2
                                     "st.shared.f32 [%r1], %f3;\n"   // 3
                                     "st.shared.f32 [%r1+4], %f1;\n" // 1
                                     "bar.sync 0;\n"                 // 4
                                     "add.f32 %f4, %f1, %f1;\n"      // 1
                                     "ld.shared.f32 %f5, [%r2];"));  // 5
  EXPECT_EQ(B.Height, 5u);
}

TEST(BlockDependenceTest, GroupsOfLoads) {
  // A load that needs another one starts a group; what is not awaited, none.
  BlockDependence B =
      find(PTXKernel("ld.global.u64 %rd1, [%rd0];\n" // first group
                     "ld.global.f32 %f1, [%rd0+8];\n"
                     "ld.shared.f32 %f7, [%r1];\n" // not of memory
                     "add.f32 %f8, %f7, %f7;\n"
                     "ld.global.f32 %f2, [%rd1];\n" // needs it: second
                     "add.f32 %f3, %f1, %f1;\n"     // of the first one
                     "ld.global.f32 %f4, [%rd0+16];\n"
                     "add.f32 %f5, %f4, %f2;\n"
                     "st.global.f32 [%rd0], %f5;\n"
                     "red.global.add.f32 [%rd0], %f5;\n"
                     "atom.global.add.f32 %f6, [%rd0], %f5;")); // third
  EXPECT_EQ(B.LongLoads, 5u);
  EXPECT_EQ(B.LoadGroups, 3u);
}

TEST(BlockDependenceTest, GuardedLoadsAndCopies) {
  BlockDependence B =
      find(PTXKernel("@%p0 ld.global.f32 %f1, [%rd0];\n"
                     "@!%p0 mov.f32 %f1, 0f00000000;\n" // needs it not yet
                     "@%p1 ld.global.f32 %f2, [%rd0+4];\n"
                     "add.f32 %f3, %f1, %f2;\n"
                     "cp.async.ca.shared.global [%r1], [%rd0], 4;\n"
                     "cp.async.ca.shared.global [%r1+4], [%rd0], 4;\n"
                     "cp.async.commit_group;\n"
                     "cp.async.wait_group 0;\n"
                     "cp.async.ca.shared.global [%r1], [%rd0], 4;"));
  EXPECT_EQ(B.LongLoads, 5u);
  EXPECT_EQ(B.LoadGroups, 3u);
}

TEST(BlockDependenceTest, Distances) {
  BlockDependence B = find(PTXKernel("mov.u32 %r1, 1;\n"        // 2
                                     "mov.u32 %r2, 2;\n"        // 3
                                     "add.u32 %r3, %r1, %r1;\n" // never
                                     "add.u32 %r4, %r1, 5;\n"   // 2
                                     "add.u32 %r5, %r2, 6;\n"   // never
                                     "st.shared.u32 [%r4], 1;"));
  EXPECT_EQ(B.ReadValues, 3u);
  EXPECT_EQ(B.Distance, 2u + 3 + 2);
}

TEST(BlockDependenceTest, DistancesAroundALoop) {
  PTXKernel K("mov.u32 %r1, 0;\n"          // 2, through the phi
              "mov.u32 %r9, 7;\n"          // 7, in the last block
              "L: add.u32 %r2, %r1, 1;\n"  // 3
              "add.u32 %r1, %r1, 2;\n"     // 1
              "setp.lt.u32 %p0, %r1, 9;\n" // 2
              "add.u32 %r4, %r2, %r2;\n"   // never
              "@%p0 bra L;\n"
              "E: st.shared.u32 [%r9], 1;");
  BlockDependence Head = find(K), Loop = find(K, "L");
  EXPECT_EQ(Head.ReadValues, 2u);
  EXPECT_EQ(Head.Distance, 2u + 6);
  EXPECT_EQ(Loop.ReadValues, 3u);
  EXPECT_EQ(Loop.Distance, 3u + 1 + 2);

  // Read first in the next iteration: two to the loop's end, one behind it.
  PTXKernel K2("mov.u32 %r1, 0;\n"
               "L: st.shared.u32 [%r1], 1;\n"
               "mov.u32 %r1, %r3;\n"
               "mov.u32 %r5, 5;\n"
               "@%p0 bra L;");
  EXPECT_EQ(find(K2, "L").ReadValues, 1u);
  EXPECT_EQ(find(K2, "L").Distance, 3u);
}

TEST(BlockDependenceTest, SumsWeighBlocksByTheirRuns) {
  BlockDependence A, B;
  A.Instructions = 6, A.Height = 2, A.LongLoads = 4, A.LoadGroups = 1;
  A.ReadValues = 5, A.Distance = 10;
  B.Instructions = 4, B.Height = 4, B.LongLoads = 1, B.LoadGroups = 1;
  B.ReadValues = 1, B.Distance = 1;
  DependenceSums S;
  EXPECT_EQ(S.ilp(), 1);
  EXPECT_EQ(S.mstr(), 1);
  EXPECT_EQ(S.dep(), 1);
  S.add(A, 1);
  S.add(B, 10);
  EXPECT_EQ(S.ilp(), 46.0 / 42);
  EXPECT_EQ(S.mstr(), 14.0 / 11);
  EXPECT_EQ(S.dep(), 20.0 / 15);
}

/// The longest chain by definition.
class LongestChain {
public:
  explicit LongestChain(const InstructionGraph &G) : Edges(G) {}
  unsigned of(const Block &B) {
    unsigned Longest = 0;
    for (const Instruction *I : B.Instructions)
      Longest = std::max(Longest, endingIn(*I));
    return Longest;
  }

private:
  unsigned endingIn(const Instruction &I) {
    if (I.isPhi())
      return 0;
    if (auto It = Known.find(&I); It != Known.end())
      return It->second;
    unsigned Before = 0;
    for (const Dependence &D : Edges.of(I))
      if (D.On->Parent == I.Parent && D.Kind != DependenceKind::Memory)
        Before = std::max(Before, endingIn(*D.On));
    return Known[&I] = Before + !I.isPseudo();
  }

  DependenceEdges Edges;
  std::map<const Instruction *, unsigned> Known;
};

TEST(BlockDependenceTest, HeightsOfRandomBlocks) {
  unsigned Sum = 0;
  for (unsigned Seed = 0; Seed != 300; ++Seed) {
    std::mt19937 Random(Seed);
    auto UpTo = [&](unsigned N) { return unsigned(Random() % N); };
    std::string Text = "L:\n";
    unsigned NumRegisters = 2 + UpTo(12);
    for (unsigned N = UpTo(30); N-- != 0;) {
      unsigned A = UpTo(NumRegisters), B = UpTo(NumRegisters),
               C = UpTo(NumRegisters);
      if (UpTo(5) == 0)
        Text += formatv("@%p{0} ", UpTo(2));
      switch (UpTo(8)) {
      case 0:
        Text += formatv("ld.shared.u32 %r{0}, [%r{1}];\n", A, B);
        break;
      case 1:
        Text += formatv("st.global.u32 [%rd{0}], %r{1};\n", A, B);
        break;
      case 2:
        Text += UpTo(2) ? "bar.sync 0;\n" : "membar.gl;\n";
        break;
      case 3:
        Text += formatv("setp.lt.u32 %p{0}, %r{1}, %r{2};\n", UpTo(2), A, B);
        break;
      default:
        Text += formatv("add.u32 %r{0}, %r{1}, %r{2};\n", A, B, C);
      }
    }
    PTXKernel K(Text + "@%p0 bra L;");
    std::vector<BlockDependence> All = findBlockDependence(K.graph());
    LongestChain Chain(K.graph());
    for (const Block *B : K.graph().Blocks) {
      ASSERT_EQ(All[B->Number].Height, Chain.of(*B)) << Text;
      Sum += All[B->Number].Height;
    }
  }
  EXPECT_GT(Sum, 1500u);
}

} // namespace

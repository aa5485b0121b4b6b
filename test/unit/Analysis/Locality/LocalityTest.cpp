//===- LocalityTest.cpp - Which bytes a launch touches --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Locality/Locality.h"
#include "Analysis/Locality/StridedRegions.h"
#include "RunKernel.h"
#include "gmock/gmock.h"
#include <cmath>
#include <random>
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::counting;

namespace {

/// The locality of a kernel, whose footprints a run must agree with.
Locality find(PTXKernel &K, Dim3 Grid) {
  K.Launch.Grid = Grid;
  K.Launch.Args.try_emplace(1);
  analyze(K);
  std::optional<KnownCounts> C = compareWithRun(K, 1 << 20);
  EXPECT_TRUE(C);
  if (C) {
    EXPECT_THAT(C->Differences, testing::IsEmpty());
  }
  return findLocality(*K.Counts.Records, K.Launch);
}

void expectKnown(const Estimate &C, double Value) {
  EXPECT_TRUE(C.isKnown()) << C.Value;
  EXPECT_DOUBLE_EQ(C.Value, Value);
}

std::string at(StringRef Index, StringRef Access) {
  return "mul.wide.s32 %rd1, " + Index.str() + ", 4;\nadd.s64 %rd1, %rd1, " +
         "%rd0;\n" + Access.str() + "\n";
}

const LocalityLevel &level(const Locality &L, LocalityLevel::ScopeTy Of,
                           LocalityLevel::KindTy Which) {
  for (const LocalityLevel &X : L.Levels)
    if (X.Scope == Of && X.Kind == Which)
      return X;
  ADD_FAILURE() << "no level";
  return L.Levels.front();
}

TEST(LocalityTest, RowWithBoundary) { // saxpy, in place
  PTXKernel K(RunHead.str() + "setp.ge.s32 %p1, %r0, %r1;\n@%p1 bra End;\n" +
                  at("%r0", "ld.global.u32 %r5, [%rd1];\n"
                            "st.global.u32 [%rd1], %r5;") +
                  "End: mov.u32 %r6, 1;\n",
              {64, 1, 1}, {{1, 1000}});
  Locality L = find(K, {20, 1, 1});
  expectKnown(L.Grid.Bytes, 4000);
  expectKnown(L.Grid.ReadBytes, 4000);
  expectKnown(L.Grid.WrittenBytes, 4000);
  expectKnown(L.Grid.Sectors, 125);
  expectKnown(L.Block.Bytes, 200); // in the mean; four have nothing
  expectKnown(L.Warp.Bytes, 100);
  ASSERT_EQ(L.Blocks.size(), 6u); // 1, 2, 4, 8, 16, 20
  expectKnown(L.Blocks[0].Touched.Bytes, 256);
  expectKnown(L.Blocks[4].Touched.Bytes, 4000);
  ASSERT_EQ(L.Accesses.size(), 2u);
  EXPECT_EQ(L.Accesses[0].BlockStrideBytes[0], 256);
  EXPECT_EQ(L.Accesses[0].WarpStrideBytes, 128);
  EXPECT_FALSE(L.Accesses[0].HottestRequests);
}

TEST(LocalityTest, SectorsAloneInTheirPairs) {
  auto SpreadOf = [](StringRef Index) {
    PTXKernel K(RunHead.str() + "mul.lo.u32 %r5, %r0, " + Index.str() + ";\n" +
                at("%r5", "ld.global.u32 %r6, [%rd1];"));
    return find(K, {16, 1, 1}).Blocks.back().Spread;
  };
  EXPECT_EQ(SpreadOf("1"), 1);
  EXPECT_EQ(SpreadOf("8"), 1);  // each sector
  EXPECT_EQ(SpreadOf("16"), 2); // each second one
  EXPECT_EQ(SpreadOf("32"), 2);
}

TEST(LocalityTest, HaloBetweenBlocks) {
  // Each thread reads itself and both neighbours; one row of 64 a block.
  PTXKernel K(RunHead.str() + at("%r0", "ld.global.u32 %r5, [%rd1];\n"
                                        "ld.global.u32 %r6, [%rd1+4];\n"
                                        "ld.global.u32 %r7, [%rd1+8];"));
  Locality L = find(K, {16, 1, 1});
  expectKnown(L.Block.Bytes, 66 * 4);
  expectKnown(L.Grid.Bytes, (16 * 64 + 2) * 4);
  expectKnown(L.Blocks[1].Touched.Bytes, (2 * 64 + 2) * 4);
  expectKnown(L.Warp.Bytes, 34 * 4);
  const LocalityLevel &B =
      level(L, LocalityLevel::ScopeTy::Block, LocalityLevel::KindTy::Whole);
  expectKnown(B.All.Unique, 9);
  EXPECT_EQ(B.All.Fresh.Value, 8); // one sector is the neighbour's
  EXPECT_GT(B.All.Requested.Value, 2 * 3 * 4);
}

TEST(LocalityTest, TileOfAProduct) {
  // A[y][k] and B[k][x] of 64x64, blocks of 16x16, k = 0 ... 63.
  std::string Text =
      RunHead.str() +
      "mov.u32 %r5, %ctaid.y;\nmov.u32 %r6, %tid.y;\n"
      "mad.lo.u32 %r7, %r5, 16, %r6;\nshl.b32 %r8, %r7, 6;\n"
      "mov.u32 %r9, 0;\nLoop:\nadd.u32 %r10, %r8, %r9;\n" +
      at("%r10", "ld.global.u32 %r11, [%rd1];") +
      "shl.b32 %r12, %r9, 6;\nadd.u32 %r12, %r12, %r0;\n" +
      at("%r12", "ld.global.u32 %r13, [%rd1+65536];") +
      "add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, 64;\n@%p1 bra Loop;\n";
  PTXKernel K(Text, {16, 16, 1});
  Locality L = find(K, {4, 4, 1});
  expectKnown(L.Block.Bytes, 2 * 16 * 64 * 4);
  expectKnown(L.Grid.Bytes, 2 * 64 * 64 * 4);
  // Four blocks of a row share A's rows.
  expectKnown(L.Blocks[2].Touched.Bytes, (16 * 64 + 64 * 64) * 4);
  const LocalityLevel &I =
      level(L, LocalityLevel::ScopeTy::Block, LocalityLevel::KindTy::Iteration);
  EXPECT_EQ(I.Instances.Value, 16 * 64);
  EXPECT_EQ(I.All.Unique.Value, 16 + 2); // a column of A, a row of B
  // After the first one a row of B; a sector of A lasts for eight of them.
  EXPECT_NEAR(I.All.Fresh.Value, (18 + 63 * (2 + 16 / 8.0)) / 64, 0.1);
  EXPECT_EQ(I.All.Requested.Value, 8 * (2 + 2));
  const LocalityLevel &W =
      level(L, LocalityLevel::ScopeTy::Warp, LocalityLevel::KindTy::Loop);
  EXPECT_EQ(W.All.Unique.Value, 2 * 8 + 64 * 2);
}

TEST(LocalityTest, RunsOfRequests) {
  // 16 bytes of a lane in two requests, then of another array.
  PTXKernel K(RunHead.str() + "shl.b32 %r1, %r0, 2;\nmov.u32 %r9, 0;\n" +
              "Loop:\n" +
              at("%r1", "ld.global.u64 %rd2, [%rd1];\n"
                        "ld.global.u64 %rd2, [%rd1+8];\n"
                        "ld.global.u64 %rd2, [%rd1+65536];\n"
                        "ld.global.u64 %rd2, [%rd1+65544];") +
              "add.u32 %r1, %r1, 4096;\nadd.u32 %r9, %r9, 1;\n"
              "setp.lt.u32 %p1, %r9, 4;\n@%p1 bra Loop;\n");
  Locality L = find(K, {1, 1, 1});
  for (auto [Scope, Warps] : {std::pair(LocalityLevel::ScopeTy::Warp, 1),
                              {LocalityLevel::ScopeTy::Block, 2}}) {
    const LevelTraffic &T =
        level(L, Scope, LocalityLevel::KindTy::Iteration).Loads;
    EXPECT_EQ(T.Requested.Value, 64 * Warps);
    EXPECT_EQ(T.Unique.Value, 32 * Warps);
    ASSERT_EQ(T.Runs.size(), 2u);
    for (const RequestRun &R : T.Runs) {
      EXPECT_EQ(R.Unique, 16 * Warps);
      EXPECT_EQ(R.Fresh, 32 * Warps);
    }
    // A loop is no straight code.
    EXPECT_THAT(level(L, Scope, LocalityLevel::KindTy::Loop).Loads.Runs,
                testing::IsEmpty());
  }
}

TEST(LocalityTest, ColumnsWithALargeStride) { // the store of a transpose
  PTXKernel K(RunHead.str() +
                  "mov.u32 %r5, %ctaid.y;\n"
                  "mov.u32 %r6, %tid.y;\n"
                  "mad.lo.u32 %r7, %r5, 8, %r6;\n"
                  "mad.lo.u32 %r8, %r0, 64, %r7;\n" +
                  at("%r8", "st.global.u32 [%rd1], %r7;"),
              {32, 8, 1});
  Locality L = find(K, {2, 8, 1});
  expectKnown(L.Warp.Bytes, 128);
  expectKnown(L.Warp.Sectors, 32);
  expectKnown(L.Block.Bytes, 1024);
  expectKnown(L.Block.Sectors, 32);
  expectKnown(L.Grid.WrittenBytes, 64 * 64 * 4);
  expectKnown(L.Grid.ReadBytes, 0);
  EXPECT_EQ(L.Accesses[0].BlockStrideBytes[0], 32 * 256);
  EXPECT_EQ(L.Accesses[0].BlockStrideBytes[1], 32);
  EXPECT_EQ(L.Accesses[0].WarpStrideBytes, 4);
}

TEST(LocalityTest, GatherHasBounds) {
  PTXKernel K(RunHead.str() +
              at("%r0", "ld.global.u32 %r5, [%rd1];\nand.b32 %r5, %r5, 1023;") +
              at("%r5", "ld.global.u32 %r6, [%rd1+65536];"));
  Locality L = find(K, {100, 1, 1});
  EXPECT_FALSE(L.Grid.Bytes.isKnown());
  EXPECT_GE(L.Grid.Bytes.Low, 6400 * 4);
  EXPECT_EQ(L.Grid.Bytes.High, 6400 * 4 + 4096); // the mask bounds it
  EXPECT_EQ(L.Block.Bytes.High, 64 * 4 + 64 * 4);
}

TEST(LocalityTest, GatherLiesInItsBuffer) {
  PTXKernel K(RunHead.str() + at("%r0", "ld.global.u32 %r5, [%rd1];") +
              at("%r5", "ld.global.u32 %r6, [%rd1+65536];"));
  auto Find = [&](uint64_t Bytes) {
    K.Launch.Grid = {64, 1, 1};
    K.Launch.BufferBytes.clear();
    if (Bytes)
      K.Launch.BufferBytes[{0, 0}] = Bytes;
    analyze(K);
    return findLocality(*K.Counts.Records, K.Launch);
  };
  constexpr double Row = 64.0 * 64 * 4 / 32; // sectors that are known
  Locality L = Find(0);
  // Without a size it is taken to be as large as what all threads walk through.
  EXPECT_EQ(L.Grid.Sectors.Value, Row);
  EXPECT_EQ(L.Grid.Sectors.Status, Status::Unknown);
  // Anywhere in 1024 sectors and the one at which a buffer may end, of which
  // the row takes a half.
  L = Find(32768);
  const double Gathers = 64 * 64, Free = 1025 - Row;
  EXPECT_NEAR(L.Grid.Sectors.Value,
              Row + Free * (1 - std::exp(-Gathers / 1025)), 1);
  EXPECT_EQ(L.Grid.Sectors.Status, Status::Assumed);
  EXPECT_EQ(L.Grid.Sectors.High, Row + 1025);
  EXPECT_GE(L.Grid.Sectors.Low, Row);
  // Few hit the same.
  EXPECT_NEAR(L.Warp.Sectors.Value, 4 + 32, 2);
  // In half the buffer there is room for no more.
  L = Find(16384);
  EXPECT_NEAR(L.Grid.Sectors.Value, Row + 1, 1);
  // Enough for all.
  L = Find(uint64_t(1) << 40);
  EXPECT_NEAR(L.Grid.Sectors.Value, Row + Gathers, 1);
}

TEST(LocalityTest, BroadcastAndNegativeStrides) {
  PTXKernel K(RunHead.str() +
              "ld.global.u32 %r5, [%rd0];\n"
              "sub.s32 %r6, 1000, %r0;\n" +
              at("%r6", "ld.global.u32 %r7, [%rd1+24];"));
  Locality L = find(K, {10, 1, 1});
  expectKnown(L.Grid.Bytes, 4 + 640 * 4);
  expectKnown(L.Block.Bytes, 4 + 64 * 4);
  EXPECT_EQ(L.Accesses[0].BlockStrideBytes[0], 0);
  EXPECT_EQ(L.Accesses[1].BlockStrideBytes[0], -256);
  EXPECT_EQ(L.Accesses[1].WarpStrideBytes, -128);
}

TEST(LocalityTest, TwoAccessesOverlap) {
  // x[b] in one and x[4 * b] in the other block: they meet in some.
  PTXKernel K(RunHead.str() + at("%r0", "ld.global.u32 %r5, [%rd1];") +
              "mad.lo.u32 %r6, %r2, 256, %r4;\n" +
              at("%r6", "st.global.u32 [%rd1], %r5;"));
  Locality L = find(K, {40, 1, 1});
  // Block 0 has both in one place; 10 of the others' stores hit a row read.
  expectKnown(L.Block.Bytes, (256 + 39 * 512) / 40.0);
  expectKnown(L.Grid.Bytes, (40 + 40 - 10) * 256);
}

TEST(LocalityTest, BoundsHoldForBlocksThatAreNotLookedAt) {
  // Too many differ: one block of 2000 has the word that all read in its row.
  for (unsigned Block : {0, 1, 500}) {
    PTXKernel K(
        RunHead.str() + at("%r0", "ld.global.u32 %r5, [%rd1];") +
        llvm::formatv("ld.global.u32 %r6, [%rd0+{0}];\n", 256 * Block).str());
    Locality L = find(K, {2000, 1, 1}); // within the bounds
    EXPECT_EQ(L.Block.Bytes.Status, Status::Estimated);
    EXPECT_EQ(L.Block.Bytes.Low, 256);
    EXPECT_EQ(L.Block.Bytes.High, 260);
    EXPECT_EQ(L.Block.Sectors.Low, 8);
    EXPECT_EQ(L.Block.Sectors.High, 9);
  }
}

TEST(LocalityTest, RowsThatAreNoWarps) {
  PTXKernel K(RunHead.str() +
                  "mov.u32 %r5, %tid.y;\n"
                  "mad.lo.u32 %r6, %r5, 100, %r0;\n" +
                  at("%r6", "ld.global.u32 %r7, [%rd1];"),
              {20, 6, 1});
  Locality L = find(K, {3, 1, 1});
  expectKnown(L.Block.Bytes, 120 * 4);
  expectKnown(L.Grid.Bytes, 360 * 4);
  // Sectors of six rows of 240 bytes, 400 bytes apart.
  std::set<int> Sectors;
  for (int Row = 0; Row != 6; ++Row)
    for (int B = 0; B != 240; ++B)
      Sectors.insert((Row * 400 + B) / 32);
  expectKnown(L.Grid.Sectors, double(Sectors.size()));
}

TEST(LocalityTest, VariablesInLocalMemory) { // as code of -O0 has them
  PTXKernel K(".local .align 4 .b8 depot[8];\n.reg .b64 %SP;\n"
              ".reg .b64 %SPL;\nmov.u64 %SPL, depot;\n"
              "cvta.local.u64 %SP, %SPL;\n" +
              RunHead.str() +
              "st.u32 [%SP], %r0;\nmov.u32 %r5, 0;\n"
              "st.u32 [%SP+4], %r5;\nLoop:\n"
              "ld.u32 %r6, [%SP+4];\nld.u32 %r7, [%SP];\n"
              "mad.lo.u32 %r8, %r6, 2048, %r7;\n" +
              at("%r8", "ld.global.u32 %r9, [%rd1];") +
              "add.u32 %r10, %r6, 1;\nst.u32 [%SP+4], %r10;\n"
              "setp.lt.u32 %p1, %r10, 5;\n@%p1 bra Loop;\n");
  Locality L = find(K, {32, 1, 1});
  expectKnown(L.Grid.Bytes, 5 * 2048 * 4);
  expectKnown(L.Block.Bytes, 5 * 64 * 4);
}

TEST(LocalityTest, AtomicsThatMeet) {
  PTXKernel One(RunHead.str() + "atom.global.add.u32 %r5, [%rd0], 1;\n");
  Locality L = find(One, {10, 1, 1});
  expectKnown(*L.Accesses[0].Addresses, 1);
  expectKnown(*L.Accesses[0].HottestRequests, 20);
  PTXKernel Each(RunHead.str() + at("%r0", "red.global.add.u32 [%rd1], 1;"));
  L = find(Each, {10, 1, 1});
  expectKnown(*L.Accesses[0].Addresses, 32);
  expectKnown(*L.Accesses[0].HottestRequests, 1);
  // Each block's 64 threads at the same 64 counters.
  PTXKernel Row(RunHead.str() + at("%r4", "red.global.add.u32 [%rd1], 1;"));
  L = find(Row, {10, 1, 1});
  EXPECT_EQ(L.Accesses[0].HottestRequests->Value, 10);
  EXPECT_GE(L.Accesses[0].HottestRequests->High, 10);
}

TEST(StridedBoxesTest, RandomUnions) {
  std::mt19937 Random(1);
  auto UpTo = [&](int N) { return int64_t(Random() % unsigned(N)); };
  for (unsigned N = 0; N != 600; ++N) {
    StridedRegions Boxes;
    std::set<int64_t> Bytes, Units;
    static const int64_t Strides[] = {4, 12, 32, 48, 96, 100, 128, 384, 400};
    for (int64_t B = 1 + UpTo(5); B != 0; --B) {
      StridedRegion &Box = Boxes.emplace_back();
      Box.Start = UpTo(600) - 300;
      Box.Length = 1 + UpTo(40);
      std::vector<int64_t> Starts{Box.Start};
      for (int64_t D = UpTo(4); D != 0; --D) {
        int64_t Stride = Strides[UpTo(9)] * (UpTo(4) ? 1 : -1);
        int64_t Count = 1 + UpTo(5);
        Box.repeat(Stride, uint64_t(Count));
        std::vector<int64_t> More;
        for (int64_t S : Starts)
          for (int64_t I = 0; I != Count; ++I)
            More.push_back(S + I * Stride);
        Starts = More;
      }
      for (int64_t S : Starts)
        for (int64_t I = 0; I != Box.Length; ++I) {
          Bytes.insert(S + I);
          Units.insert((S + I + 320000) / 32);
        }
    }
    unsigned Budget = 20000;
    EXPECT_EQ(sizeOfUnion(Boxes, Budget), Bytes.size()) << N;
    StridedRegions InUnits;
    ASSERT_TRUE(inUnits(Boxes, 32, InUnits, Budget));
    EXPECT_EQ(sizeOfUnion(InUnits, Budget), Units.size()) << N;
  }
}

TEST(StridedBoxesTest, GivesUpWithinItsBudget) {
  StridedRegions Boxes;
  for (int64_t N = 0; N != 50; ++N) {
    StridedRegion &B = Boxes.emplace_back();
    B.Start = N * N * 7;
    B.repeat(100 + N, 1000000);
  }
  unsigned Budget = 3000;
  EXPECT_EQ(sizeOfUnion(Boxes, Budget), std::nullopt);
  EXPECT_LE(Budget, 3000u);
}

} // namespace

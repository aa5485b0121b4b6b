//===- CountsTest.cpp - Counts that were worked out by hand ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Small kernels, each with the calculation of what it must count. Buffers lie
// at multiples of 256 bytes. The rules: AccessRules.h.
//===----------------------------------------------------------------------===//
#include "EmulatedText.h"
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {

/// Executions and lanes, and of a branch what it did.
std::string stepsOf(const InstructionProfile &I) {
  std::string Text = std::to_string(I.Executions) + " x, " +
                     std::to_string(I.Lanes) + " lanes";
  if (I.Taken || I.Divergent)
    Text += ", " + std::to_string(I.Taken) + " taken, " +
            std::to_string(I.Divergent) + " divergent";
  return Text;
}

/// What a request to global or local memory costs. The last three are the
/// transactions of devices 1.0, 1.2 and 2.0.
std::string memoryOf(const InstructionProfile &I) {
  if (!I.Memory)
    return "none";
  const MemoryProfile &M = *I.Memory;
  std::string Text =
      std::to_string(M.Requests) + " requests, " + std::to_string(M.Lanes) +
      " lanes, " + std::to_string(M.Sectors) + " sectors, " +
      std::to_string(M.Lines) + " lines, " + std::to_string(M.Transactions[0]) +
      "/" + std::to_string(M.Transactions[1]) + "/" +
      std::to_string(M.Transactions[2]) + ", " + std::to_string(M.UniqueBytes) +
      " bytes";
  EXPECT_EQ(M.Wavefronts, 0u);
  EXPECT_EQ(M.SharedRequests, 0u);
  return Text;
}

std::string sharedOf(const InstructionProfile &I) {
  if (!I.Memory)
    return "none";
  const MemoryProfile &M = *I.Memory;
  EXPECT_EQ(M.SharedRequests, M.Requests);
  EXPECT_EQ(M.Sectors + M.Lines + M.UniqueBytes, 0u);
  EXPECT_EQ(M.Transactions, (std::array<uint64_t, 3>{}));
  return std::to_string(M.Requests) + " requests, " + std::to_string(M.Lanes) +
         " lanes, " + std::to_string(M.Wavefronts) + " wavefronts";
}

/// Unique bytes of a block in the mean, of the grid, read and written by it.
std::string footprintOf(const KernelProfile &P) {
  return std::to_string(uint64_t(P.BlockBytes)) + " a block, " +
         std::to_string(P.GridBytes) + " in all, " +
         std::to_string(P.GridReadBytes) + " read, " +
         std::to_string(P.GridWrittenBytes) + " written";
}

/// p1[i] = p0[i] for i < 1000.
constexpr StringRef Copy = R"(
  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  setp.ge.u32 %p0, %r3, 1000;
  @%p0 bra End;
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd3, %rd0, %rd2;
  add.u64 %rd4, %rd1, %rd2;
  ld.global.f32 %f0, [%rd3];
  st.global.f32 [%rd4], %f0;
End: ret;)";

TEST(EmulatorCounts, CopyWithAPartialLastBlock) {
  EmulatedText T(EmulatedText::kernel(Copy, 2));
  T.Launch.Grid = {8, 1, 1};
  T.Launch.Block = {128, 1, 1};
  std::vector<float> In(1000);
  std::iota(In.begin(), In.end(), 0.5f);
  T.buffer<float>(In).buffer(4000).run();
  EXPECT_EQ(T.contents<float>(1), In);

  // 8 blocks of 4 warps. Of the last warp, threads 992 to 1023, 8 lanes copy.
  const KernelProfile &P = T.Result.Profile;
  EXPECT_EQ(P.Blocks, 8u);
  EXPECT_EQ(P.BlocksInGrid, 8u);
  EXPECT_EQ(P.Warps, 32u);
  EXPECT_EQ(P.Threads, 1024u);
  EXPECT_EQ(stepsOf(T.at("setp.ge.u32")), "32 x, 1024 lanes");
  // A branch's guard takes lanes away: 24 go to End.
  EXPECT_EQ(stepsOf(T.at("bra")), "32 x, 24 lanes, 24 taken, 1 divergent");
  EXPECT_EQ(stepsOf(T.at("mul.wide.u32")), "32 x, 1000 lanes");
  EXPECT_EQ(stepsOf(T.at("ret")), "32 x, 1024 lanes");
  // 31 warps touch 128 bytes: 4 sectors, 1 line, by half-warps 2 transactions.
  // The last one touches 32 bytes: 1 sector, in its first half-warp.
  // 31 * 4 + 1 sectors; 31 * 2 + 1 transactions of half-warps.
  for (const char *Opcode : {"ld.global.f32", "st.global.f32"}) {
    EXPECT_EQ(stepsOf(T.at(Opcode)), "32 x, 1000 lanes");
    EXPECT_EQ(memoryOf(T.at(Opcode)),
              "32 requests, 1000 lanes, 125 sectors, 32 lines, 63/63/32, 4000 "
              "bytes");
  }
  // 7 blocks touch 128 * 8 bytes, the last one 104 * 8.
  EXPECT_EQ(P.BlockBytes, (7 * 1024 + 832) / 8.0);
  EXPECT_EQ(footprintOf(P), "1000 a block, 8000 in all, 4000 read, 4000 "
                            "written");
}

TEST(EmulatorCounts, OfSampledBlocks) {
  auto Sampled = [](BlockSample S) {
    auto T = std::make_unique<EmulatedText>(EmulatedText::kernel(Copy, 2));
    T->Launch.Grid = {8, 1, 1};
    T->Launch.Block = {128, 1, 1};
    T->Options.Blocks = S;
    T->buffer<float>(std::vector<float>(1000, 1)).buffer(4000).run();
    return T;
  };
  // The first three blocks: 12 warps, 384 elements and no others.
  auto First = Sampled({3, 0});
  const KernelProfile &P = First->Result.Profile;
  EXPECT_EQ(P.Blocks, 3u);
  EXPECT_EQ(P.BlocksInGrid, 8u);
  EXPECT_EQ(P.Warps, 12u);
  EXPECT_EQ(P.Threads, 384u);
  EXPECT_EQ(stepsOf(First->at("bra")), "12 x, 0 lanes");
  EXPECT_EQ(memoryOf(First->at("ld.global.f32")),
            "12 requests, 384 lanes, 48 sectors, 12 lines, 24/24/12, 1536 "
            "bytes");
  EXPECT_EQ(footprintOf(P), "1024 a block, 3072 in all, 1536 read, 1536 "
                            "written");
  std::vector<float> Out = First->contents<float>(1);
  EXPECT_EQ(std::count(Out.begin(), Out.begin() + 384, 1.0f), 384);
  EXPECT_EQ(std::count(Out.begin() + 384, Out.end(), 0.0f), 1000 - 384);

  // Block 0 and two others, each once and the same ones each time.
  auto Random = Sampled({1, 2}), Again = Sampled({1, 2});
  Out = Random->contents<float>(1);
  EXPECT_EQ(Out, Again->contents<float>(1));
  unsigned Run = 0;
  for (unsigned B = 0; B != 8; ++B)
    Run += Out[size_t(B) * 128] == 1.0f;
  EXPECT_EQ(Run, 3u);
  EXPECT_EQ(Out[0], 1.0f);
  EXPECT_EQ(Random->Result.Profile.Blocks, 3u);
  EXPECT_EQ(Random->Result.Profile.Warps, 12u);

  // More than there are: all.
  EXPECT_EQ(Sampled({5, 3})->Result.Profile.Blocks, 8u);
  EXPECT_EQ(Sampled({0, 100})->Result.Profile.Blocks, 8u);
  EXPECT_EQ(Sampled({100, 0})->Result.Profile.Blocks, 8u);
}

TEST(EmulatorCounts, StrideTwoAndOffsetByOne) {
  EmulatedText T(EmulatedText::kernel(R"(
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd2, %r0, 8;
    add.u64 %rd2, %rd0, %rd2;
    ld.global.f32 %f0, [%rd2];
    mul.wide.u32 %rd3, %r0, 4;
    add.u64 %rd4, %rd0, %rd3;
    ld.global.b32 %f1, [%rd4+4];
    add.f32 %f0, %f0, %f1;
    add.u64 %rd5, %rd1, %rd3;
    st.global.f32 [%rd5], %f0;
    ret;)",
                                      2));
  T.Launch.Block = {64, 1, 1};
  std::vector<float> In(128);
  std::iota(In.begin(), In.end(), 0.0f);
  T.buffer<float>(In).buffer(256).run();
  for (unsigned I = 0; I != 64; ++I)
    EXPECT_EQ(T.contents<float>(1)[I], float(2 * I + I + 1));
  // Stride 2: a warp's words are spread over 256 bytes: 8 sectors, 2 lines. No
  // half-warp is in sequence for 1.0 (16 transactions each), but it lies in one
  // segment of 128 bytes. 64 words of 4 bytes.
  EXPECT_EQ(memoryOf(T.at("ld.global.f32")),
            "2 requests, 64 lanes, 16 sectors, 4 lines, 64/4/4, 256 bytes");
  // Warp 0 touches bytes 4 to 131: 5 sectors, 2 lines; its first half bytes 4
  // to 67, one segment of 128, its second 68 to 131, two of them. Warp 1
  // likewise.
  EXPECT_EQ(memoryOf(T.at("ld.global.b32")),
            "2 requests, 64 lanes, 10 sectors, 4 lines, 64/6/4, 256 bytes");
  EXPECT_EQ(memoryOf(T.at("st.global.f32")),
            "2 requests, 64 lanes, 8 sectors, 2 lines, 4/4/2, 256 bytes");
  // Read are the even words to 126 and the words 1 to 64: of the latter 32 are
  // even. 64 + 64 - 32 = 96 words. Written are 64 others.
  EXPECT_EQ(footprintOf(T.Result.Profile),
            "640 a block, 640 in all, 384 read, 256 written");
}

TEST(EmulatorCounts, Vectors) {
  EmulatedText T(EmulatedText::kernel(R"(
    .shared .align 16 .b8 tile[512];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd2, %r0, 16;
    add.u64 %rd2, %rd0, %rd2;
    ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd2];
    mov.u32 %r1, tile;
    mad.lo.u32 %r2, %r0, 16, %r1;
    st.shared.v4.f32 [%r2], {%f0, %f1, %f2, %f3};
    mad.lo.u32 %r3, %r0, 8, %r1;
    ld.shared.v2.f32 {%f4, %f5}, [%r3];
    mul.wide.u32 %rd3, %r0, 8;
    add.u64 %rd3, %rd1, %rd3;
    st.global.v2.f32 [%rd3], {%f4, %f5};
    ret;)",
                                      2));
  std::vector<float> In(128);
  std::iota(In.begin(), In.end(), 0.0f);
  T.buffer<float>(In).buffer(256).run();
  EXPECT_EQ(T.contents<float>(1),
            std::vector<float>(In.begin(), In.begin() + 64));
  // 512 bytes: 16 sectors, 4 lines. 1.0: two transactions for each half-warp in
  // sequence; 1.2: half-warps of 256 bytes, two segments each; 2.0: a line for
  // each quarter-warp.
  EXPECT_EQ(memoryOf(T.at("ld.global.v4.f32")),
            "1 requests, 32 lanes, 16 sectors, 4 lines, 4/4/4, 512 bytes");
  // 256 bytes; half-warps of 128 bytes are one segment.
  EXPECT_EQ(memoryOf(T.at("st.global.v2.f32")),
            "1 requests, 32 lanes, 8 sectors, 2 lines, 2/2/2, 256 bytes");
  // 128 bytes a pass.
  EXPECT_EQ(sharedOf(T.at("st.shared.v4.f32")),
            "1 requests, 32 lanes, 4 wavefronts");
  EXPECT_EQ(sharedOf(T.at("ld.shared.v2.f32")),
            "1 requests, 32 lanes, 2 wavefronts");
}

TEST(EmulatorCounts, TransposedTiles) {
  // Word y * 32 + x of plain, y * 33 + x of padded, y * 32 + (x ^ y) of
  // swizzled are written, and read with x and y exchanged.
  EmulatedText T(EmulatedText::kernel(R"(
    .shared .align 4 .b8 plain[4096];
    .shared .align 4 .b8 padded[4224];
    .shared .align 4 .b8 swizzled[4096];
    mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y;
    mad.lo.u32 %r2, %r1, 32, %r0;
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd3, %rd0, %rd2;
    ld.global.u32 %r3, [%rd3];
    mad.lo.u32 %r4, %r1, 33, %r0;
    mad.lo.u32 %r5, %r0, 33, %r1;
    xor.b32 %r6, %r0, %r1;
    mad.lo.u32 %r7, %r1, 32, %r6;
    mad.lo.u32 %r8, %r0, 32, %r6;
    mad.lo.u32 %r9, %r0, 32, %r1;
    mov.u32 %r20, plain; mov.u32 %r21, padded; mov.u32 %r22, swizzled;
    mad.lo.u32 %r10, %r2, 4, %r20;
    mad.lo.u32 %r11, %r4, 4, %r21;
    mad.lo.u32 %r12, %r7, 4, %r22;
    st.shared.u32 [%r10], %r3;
    st.shared.u32 [%r11], %r3;
    st.shared.u32 [%r12], %r3;
    bar.sync 0;
    mad.lo.u32 %r13, %r9, 4, %r20;
    mad.lo.u32 %r14, %r5, 4, %r21;
    mad.lo.u32 %r15, %r8, 4, %r22;
    ld.shared.u32 %r16, [%r13];
    ld.shared.u32 %r17, [%r14];
    ld.shared.u32 %r18, [%r15];
    xor.b32 %r19, %r16, %r17;
    xor.b32 %r19, %r19, %r18;
    add.u64 %rd4, %rd1, %rd2;
    st.global.u32 [%rd4], %r19;
    ret;)",
                                      2));
  T.Launch.Block = {32, 32, 1};
  std::vector<uint32_t> In(1024);
  std::iota(In.begin(), In.end(), 7);
  T.buffer<uint32_t>(In).buffer(4096).run();
  for (unsigned Y = 0; Y != 32; ++Y)
    for (unsigned X = 0; X != 32; ++X)
      EXPECT_EQ(T.contents<uint32_t>(1)[Y * 32 + X], In[X * 32 + Y]);
  // A warp is a row of the block, 32 rows. All writes go to 32 banks each:
  // (x), (x + y), (x ^ y) for one y.
  for (unsigned N = 0; N != 3; ++N)
    EXPECT_EQ(sharedOf(T.at("st.shared.u32", N)),
              "32 requests, 1024 lanes, 32 wavefronts");
  // Word x * 32 + y is in bank y for all lanes: 32 passes. Word x * 33 + y is
  // in bank x + y, word x * 32 + (y ^ x) in bank y ^ x: one pass.
  EXPECT_EQ(sharedOf(T.at("ld.shared.u32", 0)),
            "32 requests, 1024 lanes, 1024 wavefronts");
  EXPECT_EQ(sharedOf(T.at("ld.shared.u32", 1)),
            "32 requests, 1024 lanes, 32 wavefronts");
  EXPECT_EQ(sharedOf(T.at("ld.shared.u32", 2)),
            "32 requests, 1024 lanes, 32 wavefronts");
  EXPECT_EQ(stepsOf(T.at("bar.sync")), "32 x, 1024 lanes");
  EXPECT_EQ(footprintOf(T.Result.Profile),
            "8192 a block, 8192 in all, 4096 read, 4096 written");
}

TEST(EmulatorCounts, BroadcastOfOneWord) {
  EmulatedText T(EmulatedText::kernel(R"(
    .shared .align 4 .b8 word[4];
    ld.global.u32 %r0, [%rd0+36];
    mov.u32 %r1, word;
    st.shared.u32 [%r1], %r0;
    bar.sync 0;
    ld.shared.u32 %r2, [%r1];
    st.global.u32 [%rd0+36], %r2;
    ret;)"));
  T.Launch.Grid = {3, 1, 1};
  T.Launch.Block = {64, 1, 1};
  T.buffer(64).run();
  // 6 warps; 1.0: 16 transactions for each half-warp out of sequence.
  for (const char *Opcode : {"ld.global.u32", "st.global.u32"})
    EXPECT_EQ(memoryOf(T.at(Opcode)),
              "6 requests, 192 lanes, 6 sectors, 6 lines, 192/12/6, 4 bytes");
  EXPECT_EQ(sharedOf(T.at("ld.shared.u32")),
            "6 requests, 192 lanes, 6 wavefronts");
  // All blocks touch the same 4 bytes.
  EXPECT_EQ(footprintOf(T.Result.Profile),
            "4 a block, 4 in all, 4 read, 4 written");
}

TEST(EmulatorCounts, MatrixProductInBlocksOf16By16) {
  // c = a * b, 32 x 32 words each, row by row.
  EmulatedText T(EmulatedText::kernel(R"(
    mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y;
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ctaid.y;
    mad.lo.u32 %r4, %r2, 16, %r0;
    mad.lo.u32 %r5, %r3, 16, %r1;
    mul.wide.u32 %rd3, %r5, 128;
    add.u64 %rd4, %rd0, %rd3;
    mul.wide.u32 %rd5, %r4, 4;
    add.u64 %rd6, %rd1, %rd5;
    mov.u32 %r6, 0; mov.u32 %r7, 0;
  Loop:
    ld.global.u32 %r8, [%rd4];
    ld.global.b32 %r9, [%rd6];
    mad.lo.s32 %r6, %r8, %r9, %r6;
    add.u64 %rd4, %rd4, 4;
    add.u64 %rd6, %rd6, 128;
    add.u32 %r7, %r7, 1;
    setp.lt.u32 %p0, %r7, 32;
    @%p0 bra Loop;
    add.u64 %rd7, %rd2, %rd3;
    add.u64 %rd7, %rd7, %rd5;
    st.global.u32 [%rd7], %r6;
    ret;)",
                                      3));
  T.Launch.Grid = {2, 2, 1};
  T.Launch.Block = {16, 16, 1};
  std::vector<uint32_t> A(1024), B(1024);
  std::iota(A.begin(), A.end(), 1);
  for (unsigned I = 0; I != 1024; ++I)
    B[I] = I * I + 3;
  T.buffer<uint32_t>(A).buffer<uint32_t>(B).buffer(4096).run();
  std::vector<uint32_t> C = T.contents<uint32_t>(2);
  for (unsigned Row = 0; Row != 32; ++Row)
    for (unsigned Column = 0; Column != 32; ++Column) {
      uint32_t Sum = 0;
      for (unsigned K = 0; K != 32; ++K)
        Sum += A[Row * 32 + K] * B[K * 32 + Column];
      EXPECT_EQ(C[Row * 32 + Column], Sum);
    }
  // 4 blocks of 8 warps, each two rows of 16 threads; 32 times round the loop.
  EXPECT_EQ(T.Result.Profile.Warps, 32u);
  EXPECT_EQ(stepsOf(T.at("mad.lo.s32")), "1024 x, 32768 lanes");
  EXPECT_EQ(stepsOf(T.at("bra")), "1024 x, 31744 lanes, 31744 taken, 0 "
                                  "divergent");
  // a: a word in each of two rows, 128 bytes apart: 2 sectors in 2 lines; no
  // half-warp in sequence, each in a segment of its own.
  EXPECT_EQ(memoryOf(T.at("ld.global.u32")),
            "1024 requests, 32768 lanes, 2048 sectors, 2048 lines, "
            "32768/2048/2048, 4096 bytes");
  // b: 16 words of one row, for both half-warps: 64 bytes, 2 sectors, 1 line.
  EXPECT_EQ(memoryOf(T.at("ld.global.b32")),
            "1024 requests, 32768 lanes, 2048 sectors, 1024 lines, "
            "2048/2048/1024, 4096 bytes");
  // c: 64 bytes in each of two rows: 4 sectors, 2 lines.
  EXPECT_EQ(memoryOf(T.at("st.global.u32")),
            "32 requests, 1024 lanes, 128 sectors, 64 lines, 64/64/64, 4096 "
            "bytes");
  // A block: 16 rows of a, 16 columns of b, 16 x 16 words of c.
  EXPECT_EQ(footprintOf(T.Result.Profile),
            "5120 a block, 12288 in all, 8192 read, 4096 written");
}

TEST(EmulatorCounts, LoopWithLanesThatLeaveEarly) {
  // Thread t goes round t % 4 + 1 times, through rows of 64 words.
  EmulatedText T(EmulatedText::kernel(R"(
    mov.u32 %r0, %tid.x;
    and.b32 %r1, %r0, 3;
    mul.wide.u32 %rd2, %r0, 4;
    add.u64 %rd3, %rd0, %rd2;
    mov.u32 %r2, 0; mov.u32 %r4, 0;
  Loop:
    ld.global.u32 %r3, [%rd3];
    add.u32 %r4, %r4, %r3;
    add.u64 %rd3, %rd3, 256;
    add.u32 %r2, %r2, 1;
    setp.le.u32 %p0, %r2, %r1;
    @%p0 bra Loop;
    add.u64 %rd4, %rd1, %rd2;
    st.global.u32 [%rd4], %r4;
    ret;)",
                                      2));
  T.Launch.Block = {64, 1, 1};
  T.buffer<uint32_t>(std::vector<uint32_t>(256, 5)).buffer(256).run();
  for (unsigned I = 0; I != 64; ++I)
    EXPECT_EQ(T.contents<uint32_t>(1)[I], (I % 4 + 1) * 5);
  // A warp goes round 4 times, with 32, 24, 16 and 8 lanes; 24, 16 and 8 of
  // them go back, and three times the others leave.
  EXPECT_EQ(stepsOf(T.at("add.u32")), "8 x, 160 lanes");
  EXPECT_EQ(stepsOf(T.at("bra")), "8 x, 96 lanes, 96 taken, 6 divergent");
  EXPECT_EQ(stepsOf(T.at("st.global.u32")), "2 x, 64 lanes");
  // In each sector of a row lanes remain, and they are in sequence: 4 sectors,
  // 1 line, 2 transactions by half-warps each time. 160 words.
  EXPECT_EQ(memoryOf(T.at("ld.global.u32")),
            "8 requests, 160 lanes, 32 sectors, 8 lines, 16/16/8, 640 bytes");
  EXPECT_EQ(footprintOf(T.Result.Profile),
            "896 a block, 896 in all, 640 read, 256 written");
}

/// "2: 10 runs, 2 entries"
std::string runsOf(const BlockProfile &B) {
  std::string Text =
      std::to_string(B.Id) + ": " + std::to_string(B.Runs) + " runs";
  if (B.Entries)
    Text += ", " + std::to_string(*B.Entries) + " entries";
  return Text;
}

TEST(EmulatorCounts, BlocksThatLanesComeToFromTwoSides) {
  // Eight lanes of each warp come to the outer loop by the branch, and four
  // jump over the inner one. A wait at a header's first instruction is one run.
  EmulatedText T(EmulatedText::kernel(R"(
    mov.u32 %r0, %laneid; mov.u32 %r1, 0; mov.u32 %r3, 0;
    setp.lt.u32 %p0, %r0, 8;
    @%p0 bra Outer;
    add.u32 %r3, %r3, 1;
  Outer:
    bar.sync 0;
    mov.u32 %r2, 0;
    setp.lt.u32 %p1, %r0, 4;
    @%p1 bra Behind;
  Inner:
    add.u32 %r3, %r3, 1;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p2, %r2, 3;
    @%p2 bra Inner;
    bra Empty;
  Behind:
    setp.eq.u32 %p3, %r3, 7;
    @%p3 bra Last;
  Empty:
  Last:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p4, %r1, 5;
    @%p4 bra Outer;
    ret;)"));
  T.Launch.Grid = {3, 1, 1};
  T.Launch.Block = {64, 1, 1};
  T.buffer(4).run();
  // 6 warps, 5 times; the inner loop runs 3 times each.
  const std::vector<BlockProfile> &Blocks = T.Result.Profile.CodeBlocks;
  ASSERT_EQ(Blocks.size(), 3u);
  EXPECT_EQ(runsOf(Blocks[0]), "2: 30 runs, 6 entries");
  EXPECT_EQ(runsOf(Blocks[1]), "3: 90 runs, 30 entries");
  EXPECT_EQ(runsOf(Blocks[2]), "6: 30 runs");
  for (const BlockProfile &B : Blocks)
    EXPECT_EQ(B.Function, "k");
}

TEST(EmulatorCounts, GuardedStores) {
  EmulatedText T(EmulatedText::kernel(R"(
    mov.u32 %r0, %tid.x;
    and.b32 %r1, %r0, 7;
    setp.eq.u32 %p0, %r1, 0;
    setp.lt.u32 %p1, %r0, 32;
    mul.wide.u32 %rd2, %r0, 4;
    add.u64 %rd3, %rd0, %rd2;
    @%p0 st.global.u32 [%rd3], %r0;
    @%p1 st.global.b32 [%rd3+512], %r0;
    @!%p1 st.global.s32 [%rd3+512], 1;
    ret;)"));
  T.Launch.Block = {80, 1, 1};
  T.buffer(1024).run();
  // Three warps, the last of 16 lanes. A guard takes no execution away; where
  // it holds for no lane there is no request.
  // Every eighth lane: 4, 4 and 2 of them, each in a sector of its own, and in
  // sequence for 1.0, with the others inactive: 2, 2 and 1 half-warps.
  EXPECT_EQ(stepsOf(T.at("st.global.u32")), "3 x, 10 lanes");
  EXPECT_EQ(memoryOf(T.at("st.global.u32")),
            "3 requests, 10 lanes, 10 sectors, 3 lines, 5/5/3, 40 bytes");
  EXPECT_EQ(stepsOf(T.at("st.global.b32")), "3 x, 32 lanes");
  EXPECT_EQ(memoryOf(T.at("st.global.b32")),
            "1 requests, 32 lanes, 4 sectors, 1 lines, 2/2/1, 128 bytes");
  EXPECT_EQ(stepsOf(T.at("st.global.s32")), "3 x, 48 lanes");
  EXPECT_EQ(memoryOf(T.at("st.global.s32")),
            "2 requests, 48 lanes, 6 sectors, 2 lines, 3/3/2, 192 bytes");
  EXPECT_EQ(footprintOf(T.Result.Profile),
            "360 a block, 360 in all, 0 read, 360 written");
}

TEST(EmulatorCounts, AtomicsOnSharedAndGlobalMemory) {
  EmulatedText T(EmulatedText::kernel(R"(
    .shared .align 4 .b8 bins[1024];
    mov.u32 %r0, %tid.x;
    and.b32 %r1, %r0, 7;
    mov.u32 %r2, bins;
    mad.lo.u32 %r3, %r1, 4, %r2;
    mad.lo.u32 %r4, %r1, 128, %r2;
    red.shared.add.u32 [%r3], 1;
    atom.shared.add.u32 %r5, [%r4], 1;
    bar.sync 0;
    setp.lt.u32 %p0, %r0, 8;
    ld.shared.u32 %r6, [%r3];
    mul.wide.u32 %rd1, %r1, 4;
    add.u64 %rd2, %rd0, %rd1;
    red.global.max.u32 [%rd2], %r6;
    @%p0 atom.global.add.u32 %r7, [%rd2+32], 1;
    ret;)"));
  T.Launch.Grid = {2, 1, 1};
  T.Launch.Block = {64, 1, 1};
  T.buffer(64).run();
  // Bin 0 gets 8 from each of both instructions, the other ones 8 from the
  // first alone; bin 32 n from the second.
  EXPECT_EQ(T.contents<uint32_t>(),
            (std::vector<uint32_t>{16, 8, 8, 8, 8, 8, 8, 8, //
                                   2, 2, 2, 2, 2, 2, 2, 2}));
  // 4 warps. 8 words in 8 banks are one pass; 8 words in bank 0 are 8.
  EXPECT_EQ(sharedOf(T.at("red.shared.add.u32")),
            "4 requests, 128 lanes, 4 wavefronts");
  EXPECT_EQ(sharedOf(T.at("atom.shared.add.u32")),
            "4 requests, 128 lanes, 32 wavefronts");
  // 8 words in one sector. Half-warps hold each word twice: not in sequence.
  EXPECT_EQ(memoryOf(T.at("red.global.max.u32")),
            "4 requests, 128 lanes, 4 sectors, 4 lines, 128/8/4, 32 bytes");
  // Lanes 0 to 7 of the first warp of each block: from byte 32 on, which for
  // 1.0 is not aligned: 8 transactions.
  EXPECT_EQ(stepsOf(T.at("atom.global.add.u32")), "4 x, 16 lanes");
  EXPECT_EQ(memoryOf(T.at("atom.global.add.u32")),
            "2 requests, 16 lanes, 2 sectors, 2 lines, 16/2/2, 32 bytes");
  EXPECT_EQ(footprintOf(T.Result.Profile),
            "64 a block, 64 in all, 64 read, 64 written");
}

TEST(EmulatorCounts, SumOfAWarpByShuffles) {
  EmulatedText T(EmulatedText::kernel(R"(
    mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x;
    mad.lo.u32 %r3, %r0, %r2, %r1;
    mul.wide.u32 %rd2, %r3, 4;
    add.u64 %rd2, %rd0, %rd2;
    ld.global.u32 %r4, [%rd2];
    mov.u32 %r5, 16;
  Loop:
    shfl.sync.down.b32 %r6, %r4, %r5, 31, -1;
    add.u32 %r4, %r4, %r6;
    shr.u32 %r5, %r5, 1;
    setp.ne.u32 %p0, %r5, 0;
    @%p0 bra Loop;
    and.b32 %r7, %r1, 31;
    setp.eq.u32 %p1, %r7, 0;
    shr.u32 %r8, %r3, 5;
    mul.wide.u32 %rd3, %r8, 4;
    add.u64 %rd3, %rd1, %rd3;
    @%p1 st.global.u32 [%rd3], %r4;
    ret;)",
                                      2));
  T.Launch.Grid = {3, 1, 1};
  T.Launch.Block = {96, 1, 1};
  std::vector<uint32_t> In(288);
  std::iota(In.begin(), In.end(), 0);
  T.buffer<uint32_t>(In).buffer(36).run();
  for (unsigned W = 0; W != 9; ++W)
    EXPECT_EQ(T.contents<uint32_t>(1)[W], 32 * 32 * W + 31 * 16);
  // 9 warps, five steps each.
  EXPECT_EQ(stepsOf(T.at("shfl.sync.down.b32")), "45 x, 1440 lanes");
  EXPECT_FALSE(T.at("shfl.sync.down.b32").Memory);
  EXPECT_EQ(stepsOf(T.at("bra")), "45 x, 1152 lanes, 1152 taken, 0 divergent");
  EXPECT_EQ(memoryOf(T.at("ld.global.u32")),
            "9 requests, 288 lanes, 36 sectors, 9 lines, 18/18/9, 1152 bytes");
  EXPECT_EQ(stepsOf(T.at("st.global.u32")), "9 x, 9 lanes");
  EXPECT_EQ(memoryOf(T.at("st.global.u32")),
            "9 requests, 9 lanes, 9 sectors, 9 lines, 9/9/9, 36 bytes");
  EXPECT_EQ(footprintOf(T.Result.Profile),
            "396 a block, 1188 in all, 1152 read, 36 written");
}

TEST(EmulatorCounts, ArrayInLocalMemory) {
  EmulatedText T(EmulatedText::kernel(R"(
    .local .align 4 .b8 list[32];
    mov.u32 %r0, %tid.x;
    mov.u64 %rd1, list;
    mov.u32 %r1, 0;
  Loop:
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd2, %rd1, %rd2;
    mad.lo.u32 %r2, %r1, 100, %r0;
    st.local.u32 [%rd2], %r2;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p0, %r1, 8;
    @%p0 bra Loop;
    and.b32 %r3, %r0, 7;
    mul.wide.u32 %rd3, %r3, 4;
    add.u64 %rd3, %rd1, %rd3;
    ld.local.u32 %r4, [%rd3];
    mul.wide.u32 %rd4, %r0, 4;
    add.u64 %rd4, %rd0, %rd4;
    st.global.u32 [%rd4], %r4;
    ret;)"));
  T.buffer(128).run();
  for (unsigned I = 0; I != 32; ++I)
    EXPECT_EQ(T.contents<uint32_t>()[I], I % 8 * 100 + I);
  // The 32 lanes' copies of a word lie side by side: with one index a request
  // is a line.
  EXPECT_EQ(memoryOf(T.at("st.local.u32")),
            "8 requests, 256 lanes, 32 sectors, 8 lines, 16/16/8, 0 bytes");
  // Eight indices, eight lines; the eight lanes of each sector's width have all
  // of them: 32 sectors. A half-warp meets eight segments of 128 bytes.
  EXPECT_EQ(memoryOf(T.at("ld.local.u32")),
            "1 requests, 32 lanes, 32 sectors, 8 lines, 32/16/8, 0 bytes");
  EXPECT_EQ(footprintOf(T.Result.Profile),
            "128 a block, 128 in all, 0 read, 128 written");
}

TEST(EmulatorCounts, RowsOfMatrices) {
  // Each lane names a row of 16 bytes: side by side, in rows of 128 bytes, in
  // rows of 144 bytes.
  EmulatedText T(EmulatedText::kernel(R"(
    .shared .align 16 .b8 tile[4608];
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, tile;
    mad.lo.u32 %r2, %r0, 16, %r1;
    mad.lo.u32 %r3, %r0, 128, %r1;
    mad.lo.u32 %r4, %r0, 144, %r1;
    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, [%r2];
    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, [%r3];
    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, [%r4];
    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r2];
    ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r5, %r6}, [%r3];
    ret;)"));
  T.buffer(4).run();
  constexpr const char *X4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
  // A pass is 128 bytes, eight rows at most. Rows 128 bytes apart begin in the
  // same bank: eight passes for eight of them; 144 bytes are 36 words, so that
  // rows begin 4 banks apart.
  EXPECT_EQ(sharedOf(T.at(X4, 0)), "1 requests, 32 lanes, 4 wavefronts");
  EXPECT_EQ(sharedOf(T.at(X4, 1)), "1 requests, 32 lanes, 32 wavefronts");
  EXPECT_EQ(sharedOf(T.at(X4, 2)), "1 requests, 32 lanes, 4 wavefronts");
  // Of one matrix 8 lanes name the rows, of two 16.
  EXPECT_EQ(sharedOf(T.at("ldmatrix.sync.aligned.m8n8.x1.shared.b16")),
            "1 requests, 8 lanes, 1 wavefronts");
  EXPECT_EQ(sharedOf(T.at("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16")),
            "1 requests, 16 lanes, 16 wavefronts");
}

TEST(EmulatorCounts, BlocksInThreeDimensionsAndOneJobOrMore) {
  // 5 x 3 x 2 threads are one warp of 30 lanes; thread (x, y, z) of block
  // (a, b, c) adds 1 at its own place.
  auto Run = [](unsigned Jobs) {
    auto T = std::make_unique<EmulatedText>(EmulatedText::kernel(R"(
    mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z;
    mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y; mov.u32 %r5, %ctaid.z;
    mov.u32 %r6, %nctaid.x; mov.u32 %r7, %nctaid.y;
    mad.lo.u32 %r8, %r2, 3, %r1;
    mad.lo.u32 %r8, %r8, 5, %r0;
    mad.lo.u32 %r9, %r5, %r7, %r4;
    mad.lo.u32 %r9, %r9, %r6, %r3;
    mad.lo.u32 %r10, %r9, 30, %r8;
    mul.wide.u32 %rd1, %r10, 4;
    add.u64 %rd1, %rd0, %rd1;
    add.u32 %r11, %r10, 1;
    red.global.add.u32 [%rd1], %r11;
    ret;)"));
    T->Launch.Grid = {4, 2, 3};
    T->Launch.Block = {5, 3, 2};
    T->Options.Jobs = Jobs;
    T->buffer(24 * 30 * 4).run();
    return T;
  };
  auto One = Run(1), Many = Run(3);
  std::vector<uint32_t> Want(24 * 30);
  std::iota(Want.begin(), Want.end(), 1);
  // Block n touches the 120 bytes from 120 n on. Modulo 32 it begins at 0, 24,
  // 16 and 8 by turns, which is 4, 5, 5 and 4 sectors: 6 * 18 in all. Modulo
  // 128 it begins at 0 or 8, and then lies in one line, for n = 0, 15 and 16;
  // the 21 others lie in two.
  for (EmulatedText *T : {One.get(), Many.get()}) {
    EXPECT_EQ(T->contents<uint32_t>(), Want);
    EXPECT_EQ(T->Result.Profile.Warps, 24u);
    EXPECT_EQ(T->Result.Profile.Threads, 720u);
    EXPECT_EQ(stepsOf(T->at("red.global.add.u32")), "24 x, 720 lanes");
    const MemoryProfile &M = *T->at("red.global.add.u32").Memory;
    EXPECT_EQ(M.Sectors, 108u);
    EXPECT_EQ(M.Lines, 45u);
    EXPECT_EQ(footprintOf(T->Result.Profile),
              "120 a block, 2880 in all, 2880 read, 2880 written");
  }
}

} // namespace

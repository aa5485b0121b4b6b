//===- WarpgroupTest.cpp - wgmma ------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "../EmulatedText.h"
#include "../SharedLayout.h"
#include "gmock/gmock.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using testing::EndsWith;
using testing::HasSubstr;

namespace {

/// One multiplication, run on matrices of small numbers.
struct Multiply {
  Multiply(StringRef D, Format A, Format B, unsigned N = 64, Layout OfA = {},
           Layout OfB = {32768, 128, false, 16, 1024})
      : D(D), A(A), B(B), N(N), OfA(OfA), OfB(OfB) {}

  StringRef D;
  Format A, B;
  unsigned N;
  Layout OfA, OfB;
  bool ARegisters = false, Sparse = false;
  bool NegatesA = false, NegatesB = false, Saturates = false;
  unsigned Selector = 0;

  unsigned k() const { return 256 / A.Bits * (Sparse ? 2 : 1); }
  unsigned width() const { return 256 / A.Bits; }
  unsigned registers() const { return D == "f16" ? N / 4 : N / 2; }
  float a(unsigned Row, unsigned I) const {
    const int V = int((Row * 7 + I * 3) % 11);
    return A.Name == "u8" ? float(V) : float(V - 5);
  }
  float b(unsigned K, unsigned Column) const {
    const int V = int((K * 5 + Column * 2) % 9);
    return B.Name == "u8" ? float(V) : float(V - 4);
  }
  /// The k of the \p I-th kept element of a row.
  unsigned column(unsigned Row, unsigned I) const {
    if (!Sparse)
      return I;
    if (A.Bits == 32)
      return I * 2 + (Row + I) % 2;
    return I / 2 * 4 + pair(Row, I / 2)[I % 2];
  }
  static std::array<unsigned, 2> pair(unsigned Row, unsigned Chunk) {
    static constexpr std::array<unsigned, 2> Pairs[] = {{0, 1}, {0, 2}, {0, 3},
                                                        {1, 2}, {1, 3}, {2, 3}};
    return Pairs[(Row + Chunk) % 6];
  }
  /// The metadata of one lane of a warp.
  uint32_t metadata(unsigned Warp, unsigned Lane) const {
    const unsigned G = Lane / 4, T = Lane % 4;
    auto Nibble = [&](unsigned Row, unsigned Chunk) -> uint32_t {
      Row += Warp * 16;
      if (A.Bits == 32) // the pieces of an element of 32 bits
        return (Row + Chunk) % 2 ? 0xe : 0x4;
      auto [Low, High] = pair(Row, Chunk);
      return Low | High << 2;
    };
    uint32_t Word = 0;
    if (A.Bits == 8) {
      for (unsigned C = 0; C != 8; ++C)
        Word |= Nibble(G + T % 2 * 8, T / 2 * 8 + C) << 4 * C;
      return Word;
    }
    if (T / 2 != Selector)
      return 0xdeadbeef; // not looked at
    for (unsigned C = 0; C != 4; ++C)
      Word |= Nibble(G, T % 2 * 4 + C) << 4 * C | Nibble(G + 8, T % 2 * 4 + C)
                                                      << (16 + 4 * C);
    return Word;
  }

  std::string mnemonic() const {
    return ("wgmma.mma_async" + Twine(Sparse ? ".sp" : "") +
            ".sync.aligned.m64n" + Twine(N) + "k" + Twine(k()) + "." + D + "." +
            A.Name + "." + B.Name + (Saturates ? ".satfinite" : ""))
        .str();
  }

  std::string immediates() const {
    if (D == "s32")
      return "";
    std::string Text = NegatesA ? ", -1" : ", 1";
    Text += NegatesB ? ", -1" : ", 1";
    if (A.Bits != 16)
      return Text;
    if (!ARegisters)
      Text += OfA.Transposed ? ", 1" : ", 0";
    return Text + (OfB.Transposed ? ", 1" : ", 0");
  }

  /// The same twice, so that the second adds to what the first made.
  std::string body() const {
    std::string Accumulators, Stores;
    for (unsigned R = 0; R != registers(); ++R) {
      Accumulators += (R ? ", %d" : "%d") + std::to_string(R);
      Stores += "st.global.b32 [%rd6+" + std::to_string(4 * R) + "], %d" +
                std::to_string(R) + ";\n";
    }
    const std::string First = ARegisters ? "{%r10, %r11, %r12, %r13}" : "%rd3";
    const std::string Meta =
        Sparse ? ", %r14, " + std::to_string(Selector) : "";
    auto One = [&](StringRef Accumulates) {
      return mnemonic() + " {" + Accumulators + "}, " + First + ", %rd4" +
             Meta + ", " + Accumulates.str() + immediates() + ";\n";
    };
    return ".reg .b32 %d<128>;\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, tile;\n"
           "mov.u32 %r2, 0;\n"
           "Fill: mad.lo.u32 %r3, %r2, 128, %r0;\nmul.wide.u32 %rd5, %r3, 4;\n"
           "add.s64 %rd5, %rd5, %rd0;\nld.global.u32 %r4, [%rd5];\n"
           "mad.lo.u32 %r5, %r3, 4, %r1;\nst.shared.u32 [%r5], %r4;\n"
           "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 192;\n@%p1 bra Fill;\n"
           "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
           "mul.wide.u32 %rd5, %r0, 32;\nadd.s64 %rd5, %rd5, %rd2;\n"
           "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd5];\n"
           "ld.global.u32 %r14, [%rd5+16];\n"
           "ld.global.v2.u64 {%rd3, %rd4}, [%rd2+4096];\n"
           "setp.ne.u32 %p2, %r14, %r14;\nsetp.eq.u32 %p3, %r14, %r14;\n"
           "wgmma.fence.sync.aligned;\n" +
           One("%p2") + One("%p3") +
           "wgmma.commit_group.sync.aligned;\n"
           "wgmma.wait_group.sync.aligned 0;\n"
           "mul.wide.u32 %rd6, %r0, " +
           std::to_string(4 * registers()) + ";\nadd.s64 %rd6, %rd6, %rd1;\n" +
           Stores + "ret;";
  }

  /// Runs it and compares every element.
  void check() const {
    SCOPED_TRACE(mnemonic() + immediates() + " A " + std::to_string(OfA.Span) +
                 " B " + std::to_string(OfB.Span));
    std::vector<uint8_t> Tile(192 * 512);
    auto Put = [&](const Layout &L, const Format &F, unsigned Line, unsigned I,
                   float V) {
      const uint32_t Bits = F.Encode(V);
      memcpy(&Tile[L.place(Line, I * F.Bits / 8)], &Bits, F.Bits / 8);
    };
    for (unsigned Row = 0; Row != 64 && !ARegisters; ++Row)
      for (unsigned I = 0; I != width(); ++I)
        OfA.Transposed ? Put(OfA, A, I, Row, a(Row, I))
                       : Put(OfA, A, Row, I, a(Row, I));
    for (unsigned Column = 0; Column != N; ++Column)
      for (unsigned K = 0; K != k(); ++K)
        OfB.Transposed ? Put(OfB, B, K, Column, b(K, Column))
                       : Put(OfB, B, Column, K, b(K, Column));
    // Of each thread: its registers of A, its metadata; then the descriptors.
    std::vector<uint32_t> Threads(1024 + 4);
    for (unsigned Thread = 0; Thread != 128; ++Thread) {
      const unsigned Warp = Thread / 32, G = Thread % 32 / 4, T = Thread % 4;
      for (unsigned R = 0; R != 4; ++R)
        for (unsigned E = 0; E != 32 / A.Bits; ++E) {
          const unsigned Row = Warp * 16 + G + R % 2 * 8;
          const unsigned I = (R / 2 * 4 + T) * (32 / A.Bits) + E;
          Threads[Thread * 8 + R] |= A.Encode(a(Row, I)) << E * A.Bits;
        }
      Threads[Thread * 8 + 4] = metadata(Warp, Thread % 32);
    }
    const uint64_t Descriptors[] = {OfA.descriptor(), OfB.descriptor()};
    memcpy(&Threads[1024], Descriptors, sizeof Descriptors);

    EmulatedText Text(EmulatedText::kernel(
        body(), 3, ".shared .align 1024 .b8 tile[98304];\n"));
    Text.Launch.Block = {128, 1, 1};
    Text.buffer<uint8_t>(Tile)
        .buffer(size_t(128) * registers() * 4)
        .buffer<uint32_t>(Threads)
        .run();
    std::vector<uint32_t> Out = Text.contents<uint32_t>(1);
    if (Out.size() != size_t(128) * registers())
      return;
    const unsigned Each = D == "f16" ? 2 : 1; // elements of a register
    for (unsigned Row = 0; Row != 64; ++Row)
      for (unsigned Column = 0; Column != N; ++Column) {
        float Want = 0;
        for (unsigned I = 0; I != width(); ++I)
          Want += a(Row, I) * b(column(Row, I), Column);
        Want *= NegatesA == NegatesB ? 2 : -2;
        // The fragment of D.
        const unsigned Thread = Row / 16 * 32 + Row % 8 * 4 + Column % 8 / 2;
        const unsigned Element = Column / 8 * 4 + Row % 16 / 8 * 2 + Column % 2;
        const uint32_t Word = Out[Thread * registers() + Element / Each];
        const float Got =
            D == "s32"   ? float(int32_t(Word))
            : D == "f32" ? llvm::bit_cast<float>(Word)
                         : decode<F16Format>(Word >> Element % 2 * 16 & 0xffff);
        ASSERT_EQ(Got, Want) << Row << ' ' << Column;
      }
  }
};

TEST(EmulatorWgmma, TypesAndWidths) {
  for (unsigned N : {8u, 24u, 64u, 128u, 256u}) {
    Multiply{"f32", F16, F16, N}.check();
    Multiply{"f16", F16, F16, N}.check();
    Multiply{"f32", BF16, BF16, N}.check();
    Multiply{"f32", TF32, TF32, N}.check();
    Multiply{"f32", E4M3, E5M2, N}.check();
    Multiply{"f16", E5M2, E4M3, N}.check();
    Multiply{"s32", S8, U8, N}.check();
  }
  Multiply{"s32", U8, U8, 32}.check();
  Multiply{"s32", S8, S8, 208}.check();
}

TEST(EmulatorWgmma, LayoutsOfSharedMemory) {
  for (const Format &F : {F16, TF32, E4M3}) {
    // Rows of one, two, four or eight chunks; K-major.
    Multiply{
        "f32", F, F, 64, {0, 0, false, 128, 256}, {32768, 0, false, 2048, 128}}
        .check();
    Multiply{
        "f32", F, F, 64, {0, 32, false, 16, 256}, {32768, 64, false, 16, 512}}
        .check();
    // The third step along k within a swizzled row.
    Multiply{"f32",
             F,
             F,
             64,
             {64, 128, false, 16, 1024},
             {32800, 64, false, 16, 2048}}
        .check();
  }
  // M-major and N-major: groups of eight k, and of as many rows as fit a span.
  for (unsigned Span : {32u, 64u, 128u}) {
    const Layout A = {0, Span, true, 4096, Span * 8};
    const Layout B = {32768, Span, true, Span * 16, Span * 8};
    Multiply{"f32", F16, F16, 128, A, B}.check();
    Multiply{"f32", BF16, BF16, 64, A, {32768, 128, false, 16, 1024}}.check();
  }
  Multiply{
      "f32", F16, F16, 64, {0, 0, true, 1024, 128}, {32768, 0, true, 128, 256}}
      .check();
}

TEST(EmulatorWgmma, AInRegisters) {
  for (const Format &F : {F16, BF16, TF32, E4M3, E5M2}) {
    Multiply M{"f32", F, F, 40};
    M.ARegisters = true;
    M.check();
  }
  Multiply M{"s32", S8, S8, 96};
  M.ARegisters = true;
  M.check();
  Multiply Transposed{"f32", F16, F16, 64, {}, {32768, 128, true, 2048, 1024}};
  Transposed.ARegisters = true;
  Transposed.check();
}

TEST(EmulatorWgmma, Negations) {
  for (bool A : {false, true})
    for (bool B : {false, true}) {
      Multiply M{"f32", F16, F16, 16};
      M.NegatesA = A, M.NegatesB = B;
      M.check();
      M.ARegisters = true;
      M.check();
    }
}

TEST(EmulatorWgmma, SparseMatrices) {
  for (bool Registers : {false, true}) {
    for (const Format &F : {F16, BF16, TF32, E4M3, E5M2})
      for (unsigned Selector : {0u, 1u}) {
        if (Selector && F.Bits == 8)
          continue;
        Multiply M{"f32", F, F, 72};
        M.Sparse = true;
        M.ARegisters = Registers;
        M.Selector = Selector;
        M.check();
      }
    Multiply M{"s32", S8, S8, 64};
    M.Sparse = true;
    M.ARegisters = Registers;
    M.check();
  }
}

/// A kernel whose four warps multiply once, by descriptors in %rd2 and %rd3.
std::string once(const Twine &Before, StringRef Instruction) {
  return ("mov.u32 %r0, %tid.x;\nmov.u64 %rd2, 0;\nmov.u64 %rd3, 0;\n"
          "setp.eq.u32 %p0, %r0, %r0;\n" +
          Before + Instruction + "\nret;")
      .str();
}
constexpr StringRef Small =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, "
    "%rd2, %rd3, %p0, 1, 1, 0, 0;";

std::string warpgroupFault(StringRef Body, unsigned Threads = 128) {
  EmulatedText T(
      EmulatedText::kernel(Body, 1, ".shared .align 1024 .b8 tile[8192];\n"));
  T.Launch.Block = {Threads, 1, 1};
  EXPECT_EQ(T.buffer(8).start(), "");
  return T.fault();
}

TEST(EmulatorWgmma, WrongUseIsSaid) {
  EXPECT_THAT(warpgroupFault(once("mov.u64 %rd2, 0x4000;\n", Small)),
              EndsWith("0x4000 is no matrix descriptor of wgmma: bit 14 is "
                       "reserved and must be 0"));
  EXPECT_THAT(
      warpgroupFault(once("", "wgmma.mma_async.sync.aligned.m64n8k8.f32.f16."
                              "f16 {%f0, %f1, %f2, %f3}, %rd2, %rd3, %p0, 1, "
                              "1, 0, 0;")),
      EndsWith("is not covered by the emulator: wgmma has K = 16 for these "
               "types, not 8"));
  EXPECT_THAT(
      warpgroupFault(once("", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16."
                              "bf16 {%f0, %f1, %f2, %f3}, %rd2, %rd3, %p0, 1, "
                              "1, 0, 0;")),
      EndsWith("wgmma has no such types of D, A and B"));
  EXPECT_THAT(warpgroupFault(once("mov.u64 %rd2, 0x4000000003FF;\n", Small)),
              HasSubstr("is no matrix descriptor"));
  EXPECT_THAT(
      warpgroupFault(once(
          "st.shared.u32 [tile], %r0;\nmov.u64 %rd2, 0x4000005000000000;\n",
          Small)),
      EndsWith("the descriptor of A leads to 0x2000 of shared memory, of which "
               "the block has 8192 bytes"));
  EXPECT_THAT(warpgroupFault(once("cvt.u64.u32 %rd2, %r0;\n", Small)),
              EndsWith("the threads of a warpgroup have different matrix "
                       "descriptors"));
  EXPECT_THAT(warpgroupFault(once("", Small), 96),
              HasSubstr("belongs to no warpgroup"));
  EXPECT_THAT(
      warpgroupFault(once("setp.ge.u32 %p1, %r0, 96;\n@%p1 bra End;\n",
                          Small.str() + "\nEnd:")),
      EndsWith("96 threads of block 0 wait here for the rest of their "
               "warpgroup, of which warp 3 never comes; 32 have ended"));
  EXPECT_THAT(
      warpgroupFault(once("setp.ge.u32 %p1, %r0, 96;\n@%p1 bra Other;\n",
                          Small.str() + "\nret;\nOther: " + Small.str())),
      HasSubstr("other warps of the warpgroup execute the wgmma of line"));
  EXPECT_THAT(
      warpgroupFault(once("setp.eq.u32 %p1, %r0, 5;\n@%p1 ret;\n", Small)),
      HasSubstr("is executed by 31 lanes"));
  // Types that PTX does not have.
  EXPECT_THAT(
      warpgroupFault(
          once("", "wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 "
                   "{%f0, %f1, %f2, %f3, %f4, %f5}, %rd2, %rd3, %p0, 1, 1, "
                   "0, 0;")),
      EndsWith("is not covered by the emulator: wgmma has no N = 12 for these "
               "types"));
}

TEST(EmulatorWgmma, BitsAreCounted) {
  // Both matrices are all ones but for the first row and column.
  EmulatedText T(EmulatedText::kernel(
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, tile;\n"
      "mad.lo.u32 %r2, %r0, 32, %r1;\nmov.u32 %r3, -1;\n"
      "st.shared.v4.u32 [%r2], {%r3, %r3, %r3, %r3};\n"
      "st.shared.v4.u32 [%r2+16], {%r3, %r3, %r3, %r3};\n"
      "bar.sync 0;\nsetp.eq.u32 %p1, %r0, 0;\nmov.u32 %r4, 0x00ff0000;\n"
      "@%p1 st.shared.u32 [tile], %r4;\n@%p1 st.shared.u32 [tile+2048], %r4;\n"
      "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
      // Eight rows of a chunk, then the next chunk, then the next eight rows.
      "mov.u64 %rd2, 0x1000080000;\nmov.u64 %rd3, 0x1000080080;\n"
      "setp.ne.u32 %p0, %r0, %r0;\nwgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc "
      "{%r10, %r11, %r12, %r13}, %rd2, %rd3, %p0;\n"
      "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
      "mul.wide.u32 %rd4, %r0, 16;\nadd.s64 %rd4, %rd4, %rd0;\n"
      "st.global.v4.u32 [%rd4], {%r10, %r11, %r12, %r13};\nret;",
      1, ".shared .align 1024 .b8 tile[8192];\n"));
  T.Launch.Block = {128, 1, 1};
  T.buffer(2048).run();
  std::vector<uint32_t> Out = T.contents<uint32_t>();
  for (unsigned Thread = 0; Thread != 128; ++Thread)
    for (unsigned R = 0; R != 4; ++R) {
      const bool Row = Thread < 4 && R < 2,
                 Column = Thread % 4 == 0 && R % 2 == 0;
      EXPECT_EQ(Out[Thread * 4 + R], Row || Column ? 232u : 256u)
          << Thread << ' ' << R;
    }
}

} // namespace

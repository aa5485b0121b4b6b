//===- TensorMemoryTest.cpp - tcgen05 -------------------------------------===//
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

constexpr const char *TensorShared = ".shared .align 1024 .b8 tile[98304];\n"
                                     ".shared .align 8 .b64 bar;\n"
                                     ".shared .align 4 .b32 taddr;\n";
/// %r0 is the thread, %r1 its warp, %r2 the address of all 512 columns.
constexpr const char *Allocate =
    "mov.u32 %r0, %tid.x;\nshr.u32 %r1, %r0, 5;\nsetp.ne.u32 %p0, %r1, 0;\n"
    "setp.ne.u32 %p1, %r0, 0;\n"
    "@%p0 bra Allocated;\n"
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [taddr], 512;\n"
    "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n"
    "Allocated: bar.sync 0;\nld.shared.u32 %r2, [taddr];\n";
constexpr const char *Free =
    "bar.sync 0;\n@%p0 bra Freed;\n"
    "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 512;\nFreed: ret;\n";

std::string registers(StringRef Name, unsigned Count) {
  std::string Text = "{";
  for (unsigned N = 0; N != Count; ++N)
    Text += (N ? ", " : "") + Name.str() + std::to_string(N);
  return Text + "}";
}

/// Fills 16 columns of a warp's lanes with 100 * lane + column, and loads them
/// in another shape.
std::vector<uint32_t> reload(StringRef Load, unsigned Count,
                             StringRef Suffix = "") {
  std::string Body = Allocate;
  Body += ".reg .b32 %d<16>;\n.reg .b32 %e<16>;\nmul.lo.u32 %r3, %r0, 100;\n";
  for (unsigned N = 0; N != 16; ++N)
    Body += "add.u32 %d" + std::to_string(N) + ", %r3, " + std::to_string(N) +
            ";\n";
  Body += "shl.b32 %r4, %r1, 21;\nadd.u32 %r5, %r2, %r4;\n"
          "tcgen05.st.sync.aligned.32x32b.x16.b32 [%r5], " +
          registers("%d", 16) + ";\ntcgen05.wait::st.sync.aligned;\n" +
          ("tcgen05.ld.sync.aligned." + Load).str() + " " +
          registers("%e", Count) + ", [%r5]" + Suffix.str() +
          ";\ntcgen05.wait::ld.sync.aligned;\nmul.wide.u32 %rd1, %r0, 64;\n"
          "add.s64 %rd1, %rd1, %rd0;\n";
  for (unsigned N = 0; N != Count; ++N)
    Body += "st.global.u32 [%rd1+" + std::to_string(4 * N) + "], %e" +
            std::to_string(N) + ";\n";
  Body += Free;
  EmulatedText T(EmulatedText::kernel(Body, 1, TensorShared));
  T.Launch.Block = {128, 1, 1};
  T.buffer(size_t(128) * 64).run();
  return T.contents<uint32_t>();
}

TEST(EmulatorTensorMemory, ShapesOfLoads) {
  struct Case {
    StringRef Load;
    unsigned Count;
    StringRef Suffix;
    /// The lane of the warp and the column of a register.
    std::pair<unsigned, unsigned> (*Cell)(unsigned T, unsigned R);
  };
  const Case Cases[] = {
      {"32x32b.x8.b32", 8, "",
       [](unsigned T, unsigned R) { return std::pair(T, R); }},
      {"16x64b.x4.b32", 4, "",
       [](unsigned T, unsigned R) {
         return std::pair(T / 4 + T % 2 * 8, R * 2 + (T & 2) / 2);
       }},
      {"16x128b.x2.b32", 4, "",
       [](unsigned T, unsigned R) {
         return std::pair(T / 4 + (R & 1) * 8, (R & 2) * 2 + T % 4);
       }},
      // As the accumulators of mma.
      {"16x256b.x2.b32", 8, "",
       [](unsigned T, unsigned R) {
         return std::pair(T / 4 + (R & 2) * 4,
                          (R & 4) * 2 + T % 4 * 2 + (R & 1));
       }},
      {"16x32bx2.x4.b32", 4, ", 8", [](unsigned T, unsigned R) {
         return std::pair(T % 16, R + (T >= 16 ? 8 : 0));
       }}};
  for (const Case &C : Cases) {
    SCOPED_TRACE(C.Load.str());
    std::vector<uint32_t> Out = reload(C.Load, C.Count, C.Suffix);
    for (unsigned Thread = 0; Thread != 128; ++Thread)
      for (unsigned R = 0; R != C.Count; ++R) {
        auto [Lane, Column] = C.Cell(Thread % 32, R);
        ASSERT_EQ(Out[Thread * 16 + R],
                  (Thread / 32 * 32 + Lane) * 100 + Column)
            << Thread << ' ' << R;
      }
  }
  // Two columns of 16 bits in a register.
  std::vector<uint32_t> Out = reload("32x32b.x4.pack::16b.b32", 4);
  for (unsigned Thread = 0; Thread != 128; ++Thread)
    for (unsigned R = 0; R != 4; ++R)
      ASSERT_EQ(Out[Thread * 16 + R], ((Thread * 100 + 2 * R) & 0xffff) |
                                          (Thread * 100 + 2 * R + 1) << 16);
}

TEST(EmulatorTensorMemory, AddressesOfSharedMemoryHave32Bits) {
  // A generic address where one of shared memory is meant, and vice versa.
  EmulatedText T(EmulatedText::kernel(
      "mov.u64 %rd2, taddr;\ncvta.shared.u64 %rd3, %rd2;\n"
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%rd3], 64;\n"
      "mov.u32 %r0, %tid.x;\nsetp.ne.u32 %p0, %r0, 0;\n@%p0 bra Wait;\n"
      "mbarrier.init.shared::cta.b64 [bar], 1;\nmov.u64 %rd4, bar;\n"
      "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd4];\n"
      "Wait: bar.warp.sync -1;\n"
      "Poll: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;\n"
      "@!%p1 bra Poll;\nld.shared.u32 %r2, [taddr];\n"
      "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;\nret;",
      1, TensorShared));
  T.Options.Check = true;
  T.buffer(8).run();
  EXPECT_TRUE(T.Result.Problems.empty());
}

/// The kinds of tcgen05.mma with their types' fields in the descriptor.
struct TensorFormat : Format {
  TensorFormat(const Format &F, unsigned Field) : Format(F), Field(Field) {}
  unsigned Field;
};

struct TensorCase {
  TensorCase(StringRef Kind, TensorFormat A, TensorFormat B, unsigned M,
             unsigned N = 64)
      : Kind(Kind), A(A), B(B), M(M), N(N) {}

  StringRef Kind;
  TensorFormat A, B;
  unsigned M, N;
  unsigned D = 1; ///< 0: f16, 1: f32, 2: s32
  unsigned Group = 1, Scales = 0;
  bool Stationary = false, AInTensorMemory = false, ScaleE4M3 = false;
  bool Negates = false, Sparse = false;
  std::string More; ///< modifiers

  bool packs() const { return Kind.contains("mxf4"); }
  /// Elements of a row of A that are there.
  unsigned k() const { return packs() ? 64 : 256 / std::max(8u, A.Bits); }
  unsigned widthOfB() const { return Sparse ? 2 * k() : k(); }
  /// Of a sparse A: the four bits of a chunk, which are the first and the
  /// second element that are there; of tf32 one of two.
  uint32_t metadata(unsigned Row, unsigned Chunk) const {
    static constexpr uint32_t Of[] = {0b0100, 0b1000, 0b1100,
                                      0b1001, 0b1101, 0b1110};
    if (A.Bits == 32)
      return (Row + Chunk) % 2 ? 0b1110 : 0b0100;
    return Of[(Row * 5 + Chunk * 7 + Row / 8) % 6];
  }
  /// The column of A that an element is of.
  unsigned columnOf(unsigned Row, unsigned K) const {
    if (!Sparse)
      return K;
    if (A.Bits == 32)
      return K * 2 + (metadata(Row, K) == 0b1110);
    const uint32_t Bits = metadata(Row, K / 2);
    return K / 2 * 4 + (K % 2 ? Bits >> 2 : Bits & 3);
  }
  /// Puts the metadata of a block's row where its columns of tensor memory have
  /// it, two words a lane: of 16 bits and more in one column, whose lanes have
  /// halves of two rows (CUTLASS, mma_traits_sm100.hpp, tmem_e_frg).
  void putMetadata(uint32_t *Words, unsigned Row, unsigned RowOfA) const {
    for (unsigned Chunk = 0; Chunk != k() / (A.Bits == 32 ? 1 : 2); ++Chunk) {
      const uint32_t Bits = metadata(RowOfA, Chunk);
      if (A.Bits >= 16)
        Words[(Row / 16 * 16 + Chunk / 4 * 8 + Row % 8) * 2] |=
            Bits << (Row / 8 % 2 * 16 + Chunk % 4 * 4);
      else
        Words[Row * 2 + Chunk / 8] |= Bits << Chunk % 8 * 4;
    }
  }
  float a(unsigned Row, unsigned K) const {
    return small(A, int((Row * 5 + K * 3) % 9) - 4);
  }
  float b(unsigned K, unsigned Column) const {
    return small(B, int((K * 7 + Column * 2) % 7) - 3);
  }
  static float small(const Format &F, int V) {
    const int Half = V / 2; // what four bits hold
    return float(F.Bits == 4 ? Half : F.Name == "u8" ? V + 4 : V);
  }
  /// The byte of a scale, and its factor: powers of two.
  uint32_t scaleByte(unsigned Row, unsigned Block) const {
    return (ScaleE4M3 ? 7 * 8 : 127) + (Row + Block) % 3 * (ScaleE4M3 ? 8 : 1);
  }
  static float factor(unsigned Row, unsigned Block) {
    return float(1 << (Row + Block) % 3);
  }
  uint32_t descriptor() const {
    return (Scales ? (ScaleE4M3 ? 0 : 1u << 23) : D << 4) | (Sparse ? 4 : 0) |
           A.Field << 7 | B.Field << 10 | (Negates ? 1u << 13 : 0) |
           N / 8 << 17 | M / 16 << 24;
  }

  std::string body() const {
    const std::string G = ".cta_group::" + std::to_string(Group);
    std::string Text = Allocate;
    auto Line = [&](const Twine &T) { Text += (T + "\n").str(); };
    // The tile of each block of the pair, its scales and its A.
    Line("mov.u32 %r40, %cluster_ctarank;\nmul.wide.u32 %rd8, %r40, 98304;");
    Line("add.s64 %rd8, %rd8, %rd0;\nmul.wide.u32 %rd9, %r40, 8192;");
    Line("add.s64 %rd9, %rd9, %rd2;\nmov.u32 %r3, 0;\nmov.u32 %r4, tile;");
    Line("Fill: mad.lo.u32 %r5, %r3, 128, %r0;\nmul.wide.u32 %rd5, %r5, 4;");
    Line("add.s64 %rd5, %rd5, %rd8;\nld.global.u32 %r6, [%rd5];");
    Line("mad.lo.u32 %r7, %r5, 4, %r4;\nst.shared.u32 [%r7], %r6;");
    Line("add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 192;\n@%p2 bra Fill;");
    Line("shl.b32 %r8, %r1, 21;\nadd.u32 %r9, %r2, %r8;\n.reg .b32 %d<64>;");
    for (unsigned Which = 0; Scales && Which != 2; ++Which) {
      Line("and.b32 %r10, %r0, 31;\nmul.wide.u32 %rd5, %r10, 4;");
      Line("add.s64 %rd5, %rd5, %rd9;");
      for (unsigned C = 0; C != 4; ++C)
        Line("ld.global.u32 %d" + Twine(C) + ", [%rd5+" +
             Twine(Which * 512 + C * 128) + "];");
      Line("add.u32 %r11, %r9, " + Twine(256 + 8 * Which) +
           ";\ntcgen05.st.sync.aligned.32x32b.x4.b32 [%r11], " +
           registers("%d", 4) + ";");
    }
    if (AInTensorMemory) {
      Line("mul.wide.u32 %rd5, %r0, 32;\nadd.s64 %rd5, %rd5, %rd9;");
      for (unsigned C = 0; C != 8; ++C)
        Line("ld.global.u32 %d" + Twine(C) + ", [%rd5+" + Twine(2048 + C * 4) +
             "];");
      Line("add.u32 %r11, %r9, 128;\ntcgen05.st.sync.aligned.32x32b.x8.b32 "
           "[%r11], " +
           registers("%d", 8) + ";");
    }
    if (Sparse)
      Line("mul.wide.u32 %rd5, %r0, 8;\nadd.s64 %rd5, %rd5, %rd9;\n"
           "ld.global.v2.u32 {%d0, %d1}, [%rd5+6144];\n"
           "add.u32 %r11, %r9, 272;\n"
           "tcgen05.st.sync.aligned.32x32b.x2.b32 [%r11], {%d0, %d1};");
    Line("tcgen05.wait::st.sync.aligned;");
    Line("fence.proxy.async.shared::cta;\n@%p1 bra Ready;");
    Line("mbarrier.init.shared::cta.b64 [bar], 1;\nReady:");
    Line("tcgen05.fence::before_thread_sync;\nbar.sync 0;");
    Line("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;");
    Line("tcgen05.fence::after_thread_sync;");
    Line(
        "or.b32 %r12, %r0, %r40;\nsetp.ne.u32 %p3, %r12, 0;\n@%p3 bra Issued;");
    Line("ld.global.v2.u64 {%rd10, %rd11}, [%rd2+16384];\n"
         "and.b32 %r18, %r4, 0xffffff;\nshr.u32 %r18, %r18, 4;\n"
         "cvt.u64.u32 %rd12, %r18;\nadd.s64 %rd10, %rd10, %rd12;\n"
         "add.s64 %rd11, %rd11, %rd12;");
    Line("mov.u32 %r13, " + Twine(descriptor()) + ";\nmov.b16 %h1, 3;");
    Line("add.u32 %r14, %r2, 128;\nadd.u32 %r15, %r2, 256;\n"
         "add.u32 %r16, %r2, 264;\nadd.u32 %r19, %r2, 272;\nsetp.eq.u32 %p4, "
         "%r2, %r2;");
    for (StringRef Enable : {"!%p4", "%p4"})
      Line("tcgen05.mma" +
           Twine(Stationary ? ".ws"
                 : Sparse   ? ".sp"
                            : "") +
           G + ".kind::" + Kind + More + " [%r2], " +
           (AInTensorMemory ? "[%r14]" : "%rd10") + ", %rd11, " +
           (Sparse ? "[%r19], " : "") + "%r13" +
           (Scales ? ", [%r15], [%r16]" : "") + ", " +
           (Enable == "%p4" ? "1;" : "0;"));
    Line("tcgen05.commit" + G + ".mbarrier::arrive::one.shared::cluster" +
         (Group == 2 ? ".multicast::cluster" : "") + ".b64 [bar]" +
         (Group == 2 ? ", %h1;" : ";"));
    Line("Issued: bar.warp.sync -1;");
    Line("Poll: mbarrier.try_wait.parity.shared::cta.b64 %p5, [bar], 0;");
    Line("@!%p5 bra Poll;\ntcgen05.fence::after_thread_sync;");
    Line("tcgen05.ld.sync.aligned.32x32b.x64.b32 " + registers("%d", 64) +
         ", [%r9];\ntcgen05.wait::ld.sync.aligned;");
    Line("mad.lo.u32 %r17, %r40, 128, %r0;\nmul.wide.u32 %rd5, %r17, 256;");
    Line("add.s64 %rd5, %rd5, %rd1;");
    for (unsigned C = 0; C != 64; ++C)
      Line("st.global.u32 [%rd5+" + Twine(C * 4) + "], %d" + Twine(C) + ";");
    return Text +
           "barrier.cluster.arrive.aligned;\n"
           "barrier.cluster.wait.aligned;\n" +
           Free;
  }

  /// The lane and the column of an element of D in its block (PTX ISA, "Data
  /// Path Layout Organization").
  std::pair<unsigned, unsigned> place(unsigned Row, unsigned Column) const {
    if (Group == 2 ? M == 128 : Stationary && M == 64) // B and E
      return {Row + (Column >= N / 2 ? 64 : 0), Column % (N / 2)};
    if (Stationary && M == 32) // G
      return {Row + Column / (N / 4) * 32, Column % (N / 4)};
    if (M == 64 && Group == 1) // F
      return {Row / 16 * 32 + Row % 16, Column};
    return {Row, Column}; // A and D
  }

  /// Puts an element where it lies in a tile: those of four and six bits, which
  /// are not packed wholly, in 16 bytes for each 16.
  void put(uint8_t *Tile, const Layout &L, const Format &F, unsigned Line,
           unsigned I, float V) const {
    const bool Pads = F.Bits < 8 && !packs();
    const unsigned Bit = Pads ? I / 16 * 128 + I % 16 * F.Bits : I * F.Bits;
    const uint32_t Bits = F.Encode(V);
    for (unsigned N = 0; N != F.Bits; N += 2) // two bits lie in one byte
      Tile[L.place(Line, (Bit + N) / 8)] |= (Bits >> N & 3) << (Bit + N) % 8;
  }

  void check() const {
    SCOPED_TRACE(Kind.str() + More + " " + A.Name.str() + " M " +
                 std::to_string(M));
    const Layout OfA, OfB = {32768, 128, false, 16, 1024};
    const unsigned Rows = M / Group, Columns = N / Group;
    std::vector<uint8_t> Tiles(size_t(98304) * Group);
    std::vector<uint32_t> Words(4096 + 4);
    for (unsigned Block = 0; Block != Group; ++Block) {
      uint32_t *Mine = &Words[Block * 2048];
      for (unsigned Row = 0; Row != Rows; ++Row)
        for (unsigned K = 0; K != k(); ++K) {
          const float V = a(Block * Rows + Row, K);
          put(&Tiles[Block * 98304], OfA, A, Row, K, V);
          // 32 bytes of each lane.
          const unsigned Lane = place(Row, 0).first, Bit = K * A.Bits;
          if (A.Bits >= 8)
            Mine[512 + Lane * 8 + Bit / 32] |= A.Encode(V) << Bit % 32;
        }
      for (unsigned Row = 0; Sparse && Row != Rows; ++Row)
        putMetadata(&Mine[1536], Row, Block * Rows + Row);
      for (unsigned Column = 0; Column != Columns; ++Column)
        for (unsigned K = 0; K != widthOfB(); ++K)
          put(&Tiles[Block * 98304], OfB, B, Column, K,
              b(K, Block * Columns + Column));
      for (unsigned Row = 0; Row != 128; ++Row)
        for (unsigned S = 0; S != Scales; ++S) {
          Mine[Row] |= scaleByte(Block * Rows + Row, S) << 8 * S;
          Mine[128 + Row] |= scaleByte(Row + 1, S) << 8 * S;
        }
    }
    const uint64_t Descriptors[] = {OfA.tensorDescriptor(),
                                    OfB.tensorDescriptor()};
    memcpy(&Words[4096], Descriptors, sizeof Descriptors);

    std::string Module = EmulatedText::kernel(body(), 3, TensorShared);
    EmulatedText T(Module.replace(Module.find("sm_90a"), 6, "sm_100a"));
    T.Launch.Block = {128, 1, 1};
    T.Launch.Grid = T.Launch.Cluster = {Group, 1, 1};
    T.buffer<uint8_t>(Tiles)
        .buffer(size_t(128) * 256 * Group)
        .buffer<uint32_t>(Words)
        .run();
    // One thread multiplies for all blocks.
    std::vector<std::pair<uint32_t, uint64_t>> Products;
    for (const InstructionProfile &I : T.Result.Profile.Instructions)
      for (const ProductProfile &Of : I.Products)
        Products.emplace_back(Of.Descriptor, Of.MACs);
    const std::pair Each(descriptor(), uint64_t(M) * N * widthOfB());
    EXPECT_EQ(Products, std::vector({Each, Each}));
    std::vector<uint32_t> Out = T.contents<uint32_t>(1);
    for (unsigned Row = 0; Row != M; ++Row)
      for (unsigned Column = 0; Column != N; ++Column) {
        float Want = 0;
        for (unsigned K = 0; K != k(); ++K) {
          float V = a(Row, K) * b(columnOf(Row, K), Column);
          if (Scales) {
            const unsigned Block = K / (k() / Scales);
            V *= factor(Row, Block) * factor(Column + 1, Block);
          }
          Want += V;
        }
        Want *= Negates ? -2 : 2;
        auto [Lane, C] = place(Row % Rows, Column);
        const uint32_t Word = Out[(Row / Rows * 128 + Lane) * 64 + C];
        const float Got = D == 2   ? float(int32_t(Word))
                          : D == 1 ? llvm::bit_cast<float>(Word)
                                   : decode<F16Format>(Word);
        ASSERT_EQ(Got, Want) << Row << ' ' << Column;
      }
  }
};

const Format E2M3 = {"e2m3", 6, encodeEven<E2M3Format>};
const Format E3M2 = {"e3m2", 6, encodeEven<E3M2Format>};
const Format E2M1 = {"e2m1", 4, encodeEven<E2M1Format>};

TEST(EmulatorTensorMemory, KindsOfMultiplications) {
  for (unsigned M : {64u, 128u}) {
    TensorCase Half("f16", {F16, 0}, {F16, 0}, M);
    Half.check();
    Half.D = 0;
    Half.check();
    Half.Negates = true;
    Half.check();
    TensorCase("f16", {BF16, 1}, {BF16, 1}, M).check();
    TensorCase("tf32", {TF32, 2}, {TF32, 2}, M).check();
    TensorCase("f8f6f4", {E4M3, 0}, {E5M2, 1}, M).check();
    TensorCase("f8f6f4", {E2M3, 3}, {E3M2, 4}, M).check();
    TensorCase("f8f6f4", {E2M1, 5}, {E4M3, 0}, M).check();
    TensorCase Integer("i8", {S8, 1}, {U8, 0}, M);
    Integer.D = 2;
    Integer.check();
  }
}

TEST(EmulatorTensorMemory, LayoutsOfD) {
  for (unsigned M : {128u, 256u}) {
    TensorCase Pair("f16", {F16, 0}, {F16, 0}, M);
    Pair.Group = 2;
    Pair.check();
  }
  for (unsigned M : {32u, 64u, 128u}) {
    TensorCase Stationary("f16", {BF16, 1}, {BF16, 1}, M);
    Stationary.Stationary = true;
    Stationary.check();
  }
}

TEST(EmulatorTensorMemory, AInTensorMemory) {
  for (unsigned M : {64u, 128u})
    for (auto [Kind, F, Field] :
         {std::tuple<StringRef, Format, unsigned>("f16", BF16, 1),
          {"tf32", TF32, 2},
          {"f8f6f4", E4M3, 0}}) {
      TensorCase C(Kind, {F, Field}, {F, Field}, M);
      C.AInTensorMemory = true;
      C.check();
    }
  TensorCase Pair("f16", {F16, 0}, {F16, 0}, 256);
  Pair.Group = 2;
  Pair.AInTensorMemory = true;
  Pair.check();
}

TEST(EmulatorTensorMemory, SparseMultiplications) {
  for (bool InTensorMemory : {false, true}) {
    TensorCase Cases[] = {{"f16", {F16, 0}, {F16, 0}, 128},
                          {"f16", {BF16, 1}, {BF16, 1}, 128},
                          {"tf32", {TF32, 2}, {TF32, 2}, 128},
                          {"f8f6f4", {E4M3, 0}, {E5M2, 1}, 128},
                          {"i8", {S8, 1}, {U8, 0}, 128}};
    Cases[4].D = 2;
    for (TensorCase &C : Cases) {
      C.Sparse = true;
      C.AInTensorMemory = InTensorMemory;
      C.check();
      C.M = 256;
      C.Group = 2;
      C.check();
    }
  }
  TensorCase Small("f8f6f4", {E2M3, 3}, {E2M1, 5}, 128);
  Small.Sparse = true;
  Small.check();
}

TEST(EmulatorTensorMemory, LoadsThatReduce) {
  struct Case {
    StringRef Suffix;
    std::vector<uint32_t> Words;
    uint32_t Want;
  };
  const auto Bits = [](float F) { return llvm::bit_cast<uint32_t>(F); };
  const uint32_t NaN = 0x7fc00000, CanonicalNaN = 0x7fffffff;
  const Case Cases[] = {
      {"min.u32", {5, 0x80000000, 7, 6}, 5},
      {"max.u32", {5, 0x80000000, 7, 6}, 0x80000000},
      {"min.s32", {5, 0x80000000, 7, 6}, 0x80000000},
      {"max.s32", {5, 0x80000000, 7, 6}, 7},
      {"min.f32", {Bits(1), Bits(-3), NaN, Bits(2)}, Bits(-3)},
      {"max.f32", {NaN, Bits(-3), Bits(-1), NaN}, Bits(-1)},
      {"max.abs.f32", {Bits(1), Bits(-3), NaN, Bits(2)}, Bits(3)},
      {"min.NaN.f32", {Bits(1), Bits(-3), NaN, Bits(2)}, CanonicalNaN},
      {"max.f32", {Bits(-0.0f), Bits(0.0f), Bits(-0.0f), Bits(-1)}, 0},
      {"min.f32", {Bits(0.0f), Bits(-0.0f), Bits(1), 0}, 0x80000000},
      {"max.f32", {NaN, NaN, NaN, NaN}, CanonicalNaN}};
  for (const Case &C : Cases) {
    SCOPED_TRACE(C.Suffix.str());
    std::string Body = Allocate;
    Body += ".reg .b32 %d<8>;\nshl.b32 %r4, %r1, 21;\nadd.u32 %r5, %r2, %r4;\n";
    for (unsigned N = 0; N != 4; ++N)
      Body += "mov.b32 %d" + std::to_string(N) + ", " +
              std::to_string(C.Words[N]) + ";\n";
    // The threads of the upper half have other columns.
    Body += "tcgen05.st.sync.aligned.32x32b.x4.b32 [%r5], {%d0, %d1, %d2, %d3};"
            "\ntcgen05.wait::st.sync.aligned;\n"
            "tcgen05.ld.red.sync.aligned.32x32b.x4." +
            C.Suffix.str() +
            " {%d4, %d5, %d6, %d7}, %r6, [%r5];\n"
            "tcgen05.ld.red.sync.aligned.16x32bx2.x2." +
            C.Suffix.str() +
            " {%d4, %d5}, %r7, [%r5], 2;\ntcgen05.wait::ld.sync.aligned;\n"
            "mul.wide.u32 %rd1, %r0, 16;\nadd.s64 %rd1, %rd1, %rd0;\n"
            "st.global.v4.u32 [%rd1], {%r6, %r7, %d4, %d7};\n";
    EmulatedText T(EmulatedText::kernel(Body + Free, 1, TensorShared));
    T.Launch.Block = {128, 1, 1};
    T.buffer(size_t(128) * 16).run();
    std::vector<uint32_t> Out = T.contents<uint32_t>();
    for (unsigned Thread = 0; Thread != 128; ++Thread) {
      EXPECT_EQ(Out[Thread * 4], C.Want);
      EXPECT_EQ(Out[Thread * 4 + 2], C.Words[Thread % 32 / 16 * 2]);
      EXPECT_EQ(Out[Thread * 4 + 3], C.Words[3]);
    }
  }
}

TEST(EmulatorTensorMemory, BlocksWithScales) {
  TensorCase Eight("mxf8f6f4", {E4M3, 0}, {E5M2, 1}, 128);
  Eight.Scales = 1;
  Eight.More = ".block_scale";
  Eight.check();
  TensorCase Four("mxf4", {E2M1, 1}, {E2M1, 1}, 128);
  Four.Scales = 2;
  Four.More = ".block_scale.scale_vec::2X";
  Four.check();
  TensorCase NV("mxf4nvf4", {E2M1, 1}, {E2M1, 1}, 128);
  NV.Scales = 4;
  NV.ScaleE4M3 = true;
  NV.More = ".block_scale.block16";
  NV.check();
  NV.Group = 2;
  NV.M = 256;
  NV.check();
}

TEST(EmulatorTensorMemory, CopiesFromSharedMemory) {
  // Chunk n of shared memory holds the number n; rows of eight are 128 bytes
  // apart, the second chunk of a row 2048 bytes behind the first.
  struct Case {
    StringRef Shape;
    unsigned Columns;
    unsigned (*Chunk)(unsigned Lane, unsigned Column);
  };
  const Case Cases[] = {
      {"128x256b", 8, [](unsigned L, unsigned C) { return L + C / 4 * 128; }},
      {"128x128b", 4, [](unsigned L, unsigned) { return L; }},
      {"32x128b.warpx4", 4, [](unsigned L, unsigned) { return L % 32; }},
      {"64x128b.warpx2::02_13", 4, [](unsigned L, unsigned) { return L % 64; }},
      {"64x128b.warpx2::01_23", 4,
       [](unsigned L, unsigned) { return L / 64 * 32 + L % 32; }}};
  for (const Case &C : Cases) {
    SCOPED_TRACE(C.Shape.str());
    std::string Body = Allocate;
    Body += ".reg .b32 %d<8>;\nmov.u32 %r4, tile;\nmad.lo.u32 %r5, %r0, 16, "
            "%r4;\nadd.u32 %r6, %r0, 128;\nst.shared.v4.u32 [%r5], {%r0, %r0, "
            "%r0, %r0};\nst.shared.v4.u32 [%r5+2048], {%r6, %r6, %r6, %r6};\n"
            "fence.proxy.async.shared::cta;\nbar.sync 0;\n@%p1 bra Copied;\n"
            "mov.u64 %rd4, 0x400800800000;\nshr.u32 %r7, %r4, 4;\n"
            "cvt.u64.u32 %rd5, %r7;\nadd.s64 %rd4, %rd4, %rd5;\n"
            "tcgen05.cp.cta_group::1." +
            C.Shape.str() +
            " [%r2], %rd4;\nCopied: bar.sync 0;\nshl.b32 %r8, %r1, 21;\n"
            "add.u32 %r9, %r2, %r8;\n"
            "tcgen05.ld.sync.aligned.32x32b.x8.b32 " +
            registers("%d", 8) +
            ", [%r9];\ntcgen05.wait::ld.sync.aligned;\nmul.wide.u32 %rd1, "
            "%r0, 32;\nadd.s64 %rd1, %rd1, %rd0;\n"
            "st.global.v4.u32 [%rd1], {%d0, %d1, %d2, %d3};\n"
            "st.global.v4.u32 [%rd1+16], {%d4, %d5, %d6, %d7};\n";
    EmulatedText T(EmulatedText::kernel(Body + Free, 1, TensorShared));
    T.Launch.Block = {128, 1, 1};
    T.buffer(4096).run();
    std::vector<uint32_t> Out = T.contents<uint32_t>();
    for (unsigned L = 0; L != 128; ++L)
      for (unsigned N = 0; N != C.Columns; ++N)
        ASSERT_EQ(Out[L * 8 + N], C.Chunk(L, N)) << L << ' ' << N;
  }
}

TEST(EmulatorTensorMemory, AllocatesAtAGenericAddressOfSharedMemory) {
  EmulatedText T(EmulatedText::kernel(
      "mov.u64 %rd1, taddr;\ncvta.shared.u64 %rd1, %rd1;\n"
      "st.shared.u32 [taddr], 1;\n"
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%rd1], 32;\n"
      "ld.shared.u32 %r2, [taddr];\nst.global.u32 [%rd0], %r2;\n"
      "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;\nret;",
      1, TensorShared));
  EXPECT_EQ(T.buffer<uint32_t>({7}).run().contents<uint32_t>()[0], 0u);
}

TEST(EmulatorTensorMemory, WrongUseIsSaid) {
  auto Fault = [](const Twine &Body) {
    EmulatedText T(EmulatedText::kernel(
        "mov.u32 %r0, %tid.x;\nmov.u32 %r3, 0;\nmov.u64 %rd3, 0;\n"
        "mov.u64 %rd4, 0x400000000000;\n" +
            Body + "\nret;",
        1, TensorShared));
    EXPECT_EQ(T.buffer(8).start(), "");
    return T.fault();
  };
  const std::string Alloc =
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [taddr], ";
  EXPECT_THAT(Fault(Alloc + "48;"),
              EndsWith("48 columns of tensor memory; it must be a power of two "
                       "from 32 to 512"));
  EXPECT_THAT(Fault(Alloc + "512;\n" + Alloc + "32;"),
              EndsWith("32 threads of block 0 wait for 32 columns of tensor "
                       "memory, which nobody frees; 0 are free"));
  EXPECT_THAT(
      Fault(Alloc + "64;\n" + Alloc + "64;\n" + Alloc + "64;\n" + Alloc +
            "256;\nld.shared.u32 %r4, [taddr];\nmov.u32 %r4, 64;\n"
            "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, 64;\n" +
            Alloc + "128;"),
      EndsWith("wait for 128 columns of tensor memory, which nobody frees; 128 "
               "are free, but not side by side"));
  EXPECT_THAT(Fault("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"
                    "\n" +
                    Alloc + "32;"),
              EndsWith("behind tcgen05.relinquish_alloc_permit"));
  EXPECT_THAT(Fault("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r3, 32;"),
              HasSubstr("32 columns from 0x0 of tensor memory are freed"));
  EXPECT_THAT(Fault("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r4}, [%r3];"),
              EndsWith("columns 0 to 0 of lanes 0 to 31 of tensor memory are "
                       "not allocated in block 0"));
  EXPECT_THAT(Fault(Alloc + "32;\ntcgen05.ld.sync.aligned.32x32b.x1.b32 "
                            "{%r4}, [%r3+0x200000];"),
              HasSubstr("warp 0 names lane 32 of tensor memory; it reaches "
                        "lanes 0 to 31"));
  EXPECT_THAT(Fault(Alloc + "32;\ntcgen05.ld.sync.aligned.32x32b.x2.b32 "
                            "{%r4, %r5}, [%r3+31];"),
              HasSubstr("columns 31 to 32 of lanes 0 to 31"));
  // The second half of .16x32bx2, at columns of its own.
  const std::string Split = Alloc + "32;\ntcgen05.ld.sync.aligned.16x32bx2.x2."
                                    "b32 {%r4, %r5}, [%r3], ";
  EXPECT_EQ(Fault(Split + "30;"), "");
  EXPECT_THAT(Fault(Split + "31;"),
              HasSubstr("columns 31 to 32 of lanes 0 to 15"));
  EXPECT_THAT(Fault(Split + "512;"), HasSubstr("columns 512 to 513 of lanes"));
  for (StringRef Offset : {"-1", "-2", "4294967295", "513"})
    EXPECT_THAT(Fault(Split + Offset + ";"),
                HasSubstr("columns behind the first; tensor memory has 512"))
        << Offset.str();
  EXPECT_EQ(Fault(Alloc + "128;\n" + Alloc +
                  "128;\n"
                  "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r3, 128;\n" +
                  Alloc +
                  "32;\ntcgen05.st.sync.aligned.16x32bx2.x2.b32 "
                  "[%r3], 128, {%r3, %r3};"),
            "")
      << "the columns between need not be allocated";
  const std::string Multiply =
      "tcgen05.mma.cta_group::1.kind::f16 [%r3], %rd4, %rd4, %r5, 0;";
  EXPECT_THAT(
      Fault("st.shared.u32 [tile], %r0;\nmov.u32 %r5, 0x8100010;\n" + Multiply),
      HasSubstr("are not allocated in block 0"));
  EXPECT_THAT(Fault("mov.u32 %r5, 0x6080010;\n" + Multiply),
              HasSubstr("0x6080010 as instruction descriptor: the instruction "
                        "has no shape of M = 96 and N = 32"));
  EXPECT_THAT(Fault("mov.u32 %r5, 0x8880010;\n" + Multiply),
              EndsWith("bit 23 is reserved and must be 0"));
  EXPECT_THAT(Fault("mov.u32 %r5, 0x8080018;\n" + Multiply),
              EndsWith("bit 3 is reserved and must be 0"));
  EXPECT_THAT(Fault("mov.u32 %r5, 0x8080020;\n" + Multiply),
              EndsWith("the kind has no such type of D"));
  EXPECT_THAT(Fault("mov.u32 %r5, 0x8080110;\n" + Multiply),
              EndsWith("the kind has no such type of A or B"));
  EXPECT_THAT(Fault("mov.u32 %r5, 0x8080010;\n" + Alloc +
                    "32;\n"
                    "tcgen05.mma.cta_group::1.kind::f16 [%r3], %rd3, %rd4, "
                    "%r5, 0;"),
              HasSubstr("leads to 0x0 of shared memory"));
  const std::string Sparse = "tcgen05.mma.sp.cta_group::1.kind::f16 [%r3], "
                             "%rd4, %rd4, [%r3], %r5, 0;";
  EXPECT_THAT(Fault("mov.u32 %r5, 0x8080010;\n" + Sparse),
              EndsWith("the instruction says that A is sparse, its bit 2 not"));
  EXPECT_THAT(Fault("mov.u32 %r5, 0x8080014;\n" + Multiply),
              EndsWith("its bit 2 says that A is sparse, the instruction not"));
  for (StringRef Descriptor : {"0x8080015", "0x4080014"})
    EXPECT_THAT(Fault("mov.u32 %r5, " + Descriptor + ";\n" + Sparse),
                EndsWith("fewer than 128 rows are not covered by the "
                         "emulator"));
  EXPECT_THAT(Fault("mov.u32 %r5, 0x10100010;\n"
                    "tcgen05.mma.cta_group::2.kind::f16 [%r3], %rd4, %rd4, "
                    "%r5, 0;"),
              HasSubstr("block 0 has no other one of a pair"));
}

} // namespace

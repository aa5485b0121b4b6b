//===- MemoryTest.cpp - Loads, stores and addresses -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatedText.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {

/// %rd20 is thread x's place of Bytes in the first buffer.
std::string place(unsigned Bytes) {
  return "mov.u32 %r60, %tid.x;\nmul.wide.u32 %rd20, %r60, " +
         std::to_string(Bytes) + ";\nadd.u64 %rd20, %rd0, %rd20;\n";
}

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

struct MemoryType {
  const char *Name;
  unsigned Bits;
  bool Signed;
};
constexpr MemoryType MemoryTypes[] = {
    {"b8", 8, false},   {"u8", 8, false},   {"s8", 8, true},
    {"b16", 16, false}, {"u16", 16, false}, {"s16", 16, true},
    {"b32", 32, false}, {"u32", 32, false}, {"s32", 32, true},
    {"b64", 64, false}, {"u64", 64, false}, {"s64", 64, true}};

struct RegisterKind {
  const char *Name;
  unsigned Bits;
};
constexpr RegisterKind Registers[] = {{"%h1", 16}, {"%r1", 32}, {"%rd9", 64}};

TEST(EmulatorMemory, LoadsExtendToTheRegister) {
  // Each lane has eight bytes of its own; each load is stored with the
  // register's width.
  std::string Body = place(8) + "mul.wide.u32 %rd21, %r60, 8;\n"
                                "add.u64 %rd21, %rd1, %rd21;\n";
  struct Case {
    MemoryType M;
    RegisterKind R;
  };
  std::vector<Case> Cases;
  for (const MemoryType &M : MemoryTypes)
    for (const RegisterKind &R : Registers)
      if (R.Bits >= M.Bits) {
        Body += llvm::formatv("ld.global.{0} {1}, [%rd20];\n"
                              "st.global.b{2} [%rd21+{3}], {1};\n",
                              M.Name, R.Name, R.Bits, Cases.size() * 256)
                    .str();
        Cases.push_back({M, R});
      }
  std::vector<uint64_t> In(32);
  for (unsigned L = 0; L != 32; ++L)
    In[L] = 0x0123456789abcdef * (2 * L + 1) ^ (L % 2 ? 0x8080808080808080 : 0);
  EmulatedText T(EmulatedText::kernel(Body + "ret;", 2));
  T.buffer<uint64_t>(In).buffer(Cases.size() * 256).run();
  std::vector<uint64_t> Out = T.contents<uint64_t>(1);
  for (size_t N = 0; N != Cases.size(); ++N)
    for (unsigned L = 0; L != 32; ++L) {
      const Case &C = Cases[N];
      uint64_t V = In[L] & llvm::maskTrailingOnes<uint64_t>(C.M.Bits);
      if (C.M.Signed)
        V = uint64_t(llvm::SignExtend64(V, C.M.Bits));
      V &= llvm::maskTrailingOnes<uint64_t>(C.R.Bits);
      EXPECT_EQ(Out[N * 32 + L], V)
          << C.M.Name << " to " << C.R.Name << ", lane " << L;
    }
}

TEST(EmulatorMemory, StoresTakeTheLowBits) {
  std::string Body = place(8) + "ld.global.b64 %rd9, [%rd20];\n"
                                "cvt.u32.u64 %r1, %rd9;\n"
                                "cvt.u16.u64 %h1, %rd9;\n"
                                "mul.wide.u32 %rd21, %r60, 8;\n"
                                "add.u64 %rd21, %rd1, %rd21;\n";
  std::vector<unsigned> Bits;
  for (const MemoryType &M : MemoryTypes)
    for (const RegisterKind &R : Registers)
      if (R.Bits >= M.Bits) {
        Body += llvm::formatv("st.global.{0} [%rd21+{1}], {2};\n", M.Name,
                              Bits.size() * 256, R.Name)
                    .str();
        Bits.push_back(M.Bits);
      }
  std::vector<uint64_t> In(32), Before(Bits.size() * 32, ~uint64_t(0) / 5);
  for (unsigned L = 0; L != 32; ++L)
    In[L] = 0xfedcba9876543210 * (2 * L + 1);
  EmulatedText T(EmulatedText::kernel(Body + "ret;", 2));
  T.buffer<uint64_t>(In).buffer<uint64_t>(Before).run();
  std::vector<uint64_t> Out = T.contents<uint64_t>(1);
  for (size_t N = 0; N != Bits.size(); ++N)
    for (unsigned L = 0; L != 32; ++L) {
      uint64_t Mask = llvm::maskTrailingOnes<uint64_t>(Bits[N]);
      EXPECT_EQ(Out[N * 32 + L], (In[L] & Mask) | (Before[0] & ~Mask));
    }
}

TEST(EmulatorMemory, VectorsOfEveryForm) {
  struct Form {
    unsigned Elements, Bits;
  };
  constexpr Form Forms[] = {{2, 8},  {4, 8},  {2, 16}, {4, 16}, {2, 32},
                            {4, 32}, {8, 32}, {2, 64}, {4, 64}};
  for (const Form &F : Forms) {
    unsigned Bytes = F.Elements * F.Bits / 8;
    const char *Prefix = F.Bits <= 16 ? "%h" : F.Bits == 32 ? "%r" : "%rd";
    // Back to front, so that elements must not be mixed up.
    std::string To, From;
    for (unsigned N = 0; N != F.Elements; ++N) {
      To += (N ? ", " : "") + (Prefix + std::to_string(N + 2));
      From +=
          (N ? ", " : "") + (Prefix + std::to_string(F.Elements - 1 - N + 2));
    }
    std::string Kind =
        ".v" + std::to_string(F.Elements) + ".b" + std::to_string(F.Bits);
    for (const char *Space : {".global", ""}) {
      EmulatedText T(EmulatedText::kernel(
          place(Bytes) + "mul.wide.u32 %rd21, %r60, " + Twine(Bytes) +
              ";\nadd.u64 %rd21, %rd1, %rd21;\nld" + Space + Kind + " {" + To +
              "}, [%rd20];\nst" + Space + Kind + " [%rd21], {" + From +
              "};\nret;",
          2));
      std::vector<uint8_t> In(size_t(Bytes) * 32);
      std::iota(In.begin(), In.end(), 129);
      T.buffer<uint8_t>(In).buffer(In.size()).run();
      std::vector<uint8_t> Out = T.contents<uint8_t>(1);
      unsigned Width = F.Bits / 8;
      for (unsigned L = 0; L != 32; ++L)
        for (unsigned E = 0; E != F.Elements; ++E)
          for (unsigned B = 0; B != Width; ++B)
            EXPECT_EQ(Out[L * Bytes + E * Width + B],
                      In[L * Bytes + (F.Elements - 1 - E) * Width + B])
                << Kind << " lane " << L;
    }
  }
}

TEST(EmulatorMemory, VectorsWidenAndHaveSinks) {
  EmulatedText T(EmulatedText::kernel(
      place(4) + "ld.global.v4.s8 {%r1, _, %r2, %r3}, [%rd20];\n"
                 "sub.s32 %r4, %r1, %r2;\nsub.s32 %r4, %r4, %r3;\n"
                 "st.global.s32 [%rd20], %r4;\nret;"));
  std::vector<int8_t> In(128);
  std::iota(In.begin(), In.end(), int8_t(-100));
  T.buffer<int8_t>(In).run();
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(T.contents<int32_t>()[L],
              In[L * 4] - In[L * 4 + 2] - In[L * 4 + 3]);
}

TEST(EmulatorMemory, SixteenBytesAtOnce) {
  EmulatedText T(EmulatedText::kernel(
      place(16) + "setp.lt.u32 %p0, %r60, 20;\nmov.b128 %q1, {%rd0, %rd0};\n"
                  "@%p0 ld.global.b128 %q1, [%rd20];\n"
                  "mov.b128 {%rd2, %rd3}, %q1;\n"
                  "mov.b128 %q2, {%rd3, %rd2};\n"
                  "@%p0 st.global.b128 [%rd20], %q2;\nret;"));
  std::vector<uint64_t> In(64);
  std::iota(In.begin(), In.end(), uint64_t(1) << 60);
  T.buffer<uint64_t>(In).run();
  for (unsigned L = 0; L != 64; ++L)
    EXPECT_EQ(T.contents<uint64_t>()[L], In[L < 40 ? L ^ 1 : L]);
}

TEST(EmulatorMemory, FloatsMoveBitByBit) {
  EmulatedText T(EmulatedText::kernel(
      "ld.global.f32 %f1, [%rd0];\nst.global.f32 [%rd0+16], %f1;\n"
      "ld.global.f64 %fd1, [%rd0+8];\nst.global.f64 [%rd0+24], %fd1;\n"
      "ld.global.b16 %h1, [%rd0+4];\nst.global.b16 [%rd0+20], %h1;\nret;"));
  // Signalling NaNs stay as they are.
  T.buffer<uint64_t>({0xfc017fa12345u, 0x7ff4000000000001, 0, 0}).run();
  EXPECT_EQ(T.contents<uint64_t>()[2], 0xfc017fa12345u);
  EXPECT_EQ(T.contents<uint64_t>()[3], 0x7ff4000000000001u);
}

TEST(EmulatorMemory, QualifiersChangeNoValue) {
  EmulatedText T(EmulatedText::kernel(
      "ld.global.nc.u32 %r1, [%rd0];\nld.volatile.global.u32 %r2, [%rd0];\n"
      "ld.relaxed.gpu.global.u32 %r3, [%rd0];\n"
      "ld.acquire.sys.global.u32 %r4, [%rd0];\nldu.global.u32 %r5, [%rd0];\n"
      "ld.global.L1::evict_last.L2::128B.u32 %r6, [%rd0];\n"
      "ld.global.cg.u32 %r7, [%rd0];\nadd.u32 %r1, %r1, %r2;\n"
      "add.u32 %r3, %r3, %r4;\nadd.u32 %r5, %r5, %r6;\n"
      "add.u32 %r1, %r1, %r3;\nadd.u32 %r5, %r5, %r7;\n"
      "add.u32 %r1, %r1, %r5;\nst.release.gpu.global.u32 [%rd0+4], %r1;\n"
      "st.global.cs.u32 [%rd0+8], %r1;\nst.volatile.global.u32 [%rd0+12], "
      "%r1;\nprefetch.global.L2 [%rd0];\nprefetch.global.L1 [%rd0+100000];\n"
      "discard.global.L2 [%rd0], 128;\nret;"));
  T.buffer<uint32_t>({5, 0, 0, 0}).run();
  EXPECT_EQ(T.contents<uint32_t>(), (std::vector<uint32_t>{5, 35, 35, 35}));
}

//===----------------------------------------------------------------------===//
// Spaces
//===----------------------------------------------------------------------===//

TEST(EmulatorMemory, GenericAddressesOfEachSpace) {
  // Writes 1 to 3 by generic addresses, reads with the space's own, and the
  // other way round; then asks each address for its space.
  EmulatedText T(EmulatedText::kernel(
      R"(
    .shared .align 8 .b8 s[64];
    .local .align 8 .b8 l[64];
    mov.u64 %rd1, s; cvta.shared.u64 %rd2, %rd1;
    mov.u64 %rd3, l; cvta.local.u64 %rd4, %rd3;
    cvta.const.u64 %rd5, c;
    cvta.global.u64 %rd6, %rd0;
    mov.u32 %r0, %tid.x;
    st.u32 [%rd2+8], 11; st.u32 [%rd4+8], %r0; st.u32 [%rd6], 13;
    ld.shared.u32 %r1, [s+8]; ld.local.u32 %r2, [%rd3+8];
    ld.global.u32 %r3, [%rd0];
    st.shared.u32 [%rd1], 21; st.local.u32 [l], 22;
    ld.u32 %r4, [%rd2]; ld.u32 %r5, [%rd4]; ld.u32 %r6, [%rd5+4];
    cvta.to.shared.u64 %rd7, %rd2; cvta.to.local.u64 %rd8, %rd4;
    cvta.to.const.u64 %rd9, %rd5; cvta.to.global.u64 %rd10, %rd6;
    ld.shared.u32 %r7, [%rd7]; ld.local.u32 %r8, [%rd8];
    ld.const.u32 %r9, [%rd9]; ld.global.u32 %r10, [%rd10];
    cvta.to.shared.u64 %rd7, %rd2; cvt.u32.u64 %r13, %rd7;
    ld.shared.u32 %r14, [%r13+8];
    mul.wide.u32 %rd11, %r0, 64; add.u64 %rd11, %rd0, %rd11;
    st.global.v4.u32 [%rd11+256], {%r1, %r2, %r3, %r4};
    st.global.v4.u32 [%rd11+272], {%r5, %r6, %r7, %r8};
    mov.u32 %r11, 0;
    isspacep.shared %p0, %rd2; selp.u32 %r12, 1, 0, %p0; or.b32 %r11, %r11, %r12;
    isspacep.local %p0, %rd4; selp.u32 %r12, 2, 0, %p0; or.b32 %r11, %r11, %r12;
    isspacep.const %p0, %rd5; selp.u32 %r12, 4, 0, %p0; or.b32 %r11, %r11, %r12;
    isspacep.global %p0, %rd6; selp.u32 %r12, 8, 0, %p0; or.b32 %r11, %r11, %r12;
    isspacep.global %p0, %rd2; selp.u32 %r12, 16, 0, %p0; or.b32 %r11, %r11, %r12;
    isspacep.shared %p0, %rd4; selp.u32 %r12, 32, 0, %p0; or.b32 %r11, %r11, %r12;
    isspacep.local %p0, %rd6; selp.u32 %r12, 64, 0, %p0; or.b32 %r11, %r11, %r12;
    isspacep.global %p0, %rd5; selp.u32 %r12, 128, 0, %p0; or.b32 %r11, %r11, %r12;
    isspacep.const %p0, %rd6; selp.u32 %r12, 256, 0, %p0; or.b32 %r11, %r11, %r12;
    st.global.v4.u32 [%rd11+288], {%r9, %r10, %r11, %r14};
    ret;)",
      1, ".const .align 4 .u32 c[2] = {31, 32};\n"));
  T.buffer(256 + 64 * 32).run();
  for (unsigned L = 0; L != 32; ++L) {
    std::vector<uint32_t> Out = T.contents<uint32_t>();
    Out.erase(Out.begin(), Out.begin() + 64 + 16 * L);
    Out.resize(12);
    EXPECT_EQ(Out, (std::vector<uint32_t>{11, L, 13, 21, 22, 32, 21, 22, 31, 13,
                                          15, 11}));
  }
}

TEST(EmulatorMemory, LanesMayPointToDifferentSpaces) {
  EmulatedText T(EmulatedText::kernel(
      R"(
    .shared .align 4 .b8 s[128];
    .local .align 4 .b8 l[8];
    mov.u32 %r0, %tid.x;
    mov.u64 %rd1, s; cvta.shared.u64 %rd2, %rd1;
    mov.u64 %rd3, l; cvta.local.u64 %rd4, %rd3;
    mul.wide.u32 %rd5, %r0, 4;
    add.u64 %rd2, %rd2, %rd5; add.u64 %rd6, %rd0, %rd5;
    rem.u32 %r1, %r0, 3;
    setp.eq.u32 %p0, %r1, 0; setp.eq.u32 %p1, %r1, 1;
    selp.b64 %rd7, %rd2, %rd4, %p0; selp.b64 %rd7, %rd6, %rd7, %p1;
    add.u32 %r2, %r0, 1000;
    st.u32 [%rd7], %r2;
    ld.u32 %r3, [%rd7];
    st.global.u32 [%rd6+128], %r3;
    ret;)"));
  T.buffer(256).run();
  std::vector<uint32_t> Out = T.contents<uint32_t>();
  for (unsigned L = 0; L != 32; ++L) {
    EXPECT_EQ(Out[L], L % 3 == 1 ? 1000 + L : 0);
    EXPECT_EQ(Out[32 + L], 1000 + L);
  }
  // Each memory has a request, with the lanes that go there.
  EXPECT_EQ(T.at("st.u32").Executions, 1u);
  EXPECT_EQ(T.at("st.u32").Memory->Requests, 3u);
  EXPECT_EQ(T.at("st.u32").Memory->SharedRequests, 1u);
  EXPECT_EQ(T.at("st.u32").Memory->Lanes, 32u);
  EXPECT_EQ(T.at("st.u32").Memory->UniqueBytes, 11u * 4);
}

TEST(EmulatorMemory, AddressesInAClusterOfOneBlock) {
  EmulatedText T(EmulatedText::kernel(
      R"(
    .shared .align 4 .b8 s[64];
    mov.u32 %r0, s; mov.u64 %rd1, s; cvta.shared.u64 %rd2, %rd1;
    mov.u32 %r9, %cluster_ctarank;
    mapa.shared::cluster.u32 %r1, %r0, %r9;
    st.shared::cluster.u32 [%r1+4], 5;
    mapa.shared::cluster.u32 %r1, s, 0;
    st.shared::cluster.u32 [%r1+8], 6;
    mapa.u64 %rd3, %rd2, %r9;
    st.u32 [%rd3+12], 7;
    ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [s];
    st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};
    ret;)"));
  T.buffer(16).run();
  EXPECT_EQ(T.contents<uint32_t>(), (std::vector<uint32_t>{0, 5, 6, 7}));
}

// A register of 64 bits is truncated to an address of shared memory.
TEST(EmulatorMemory, GenericAddressesOfSharedMemoryAreTruncated) {
  EmulatedText T(EmulatedText::kernel(
      R"(
    .shared .align 8 .b8 s[64];
    mov.u64 %rd1, s; cvta.shared.u64 %rd2, %rd1;
    st.shared.u32 [%rd1], 5;
    st.shared::cta.u32 [%rd2+4], 6;
    mbarrier.init.shared.b64 [%rd2+8], 1;
    mbarrier.arrive.shared.b64 %rd4, [%rd1+8];
    mbarrier.test_wait.shared.b64 %p0, [%rd2+8], %rd4;
    selp.u32 %r4, 7, 0, %p0;
    ld.shared.v2.u32 {%r2, %r3}, [%rd2];
    st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r4};
    ret;)"));
  T.Launch.Block = {1, 1, 1};
  EXPECT_EQ(T.buffer(16).run().contents<uint32_t>(),
            (std::vector<uint32_t>{5, 6, 7, 7}));
}

TEST(EmulatorMemory, DynamicSharedMemoryLiesBehindTheOther) {
  EmulatedText T(EmulatedText::kernel(
      R"(
    .shared .align 4 .b8 own[20];
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, dynamic; mov.u32 %r2, own;
    mad.lo.u32 %r3, %r0, 4, %r1;
    st.shared.u32 [%r3], %r0;
    setp.lt.u32 %p0, %r0, 5;
    mad.lo.u32 %r4, %r0, 4, %r2;
    @%p0 st.shared.u32 [%r4], 77;
    bar.sync 0;
    ld.shared.u32 %r5, [%r3];
    mov.u32 %r6, %dynamic_smem_size;
    mad.lo.u32 %r5, %r6, 1000, %r5;
    and.b32 %r7, %r1, 15;
    add.u32 %r5, %r5, %r7;
    mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1;
    st.global.u32 [%rd1], %r5;
    ret;)",
      1, ".extern .shared .align 16 .b8 dynamic[];\n"));
  T.Launch.Block = {64, 1, 1};
  T.Launch.DynamicSharedBytes = 256;
  T.buffer(256).run();
  for (unsigned L = 0; L != 64; ++L)
    EXPECT_EQ(T.contents<uint32_t>()[L], 256000 + L);
}

TEST(EmulatorMemory, SharedMemoryIsTheBlocksOwn) {
  EmulatedText T(EmulatedText::kernel(
      R"(
    .shared .align 4 .b8 s[4];
    mov.u32 %r0, %ctaid.x;
    ld.shared.u32 %r1, [s];
    add.u32 %r2, %r0, 1;
    st.shared.u32 [s], %r2;
    mul.wide.u32 %rd1, %r0, 8; add.u64 %rd1, %rd0, %rd1;
    ld.shared.u32 %r3, [s];
    st.global.v2.u32 [%rd1], {%r1, %r3};
    ret;)"));
  T.Launch.Grid = {5, 1, 1};
  T.Launch.Block = {1, 1, 1};
  T.buffer(40).run();
  EXPECT_EQ(T.contents<uint32_t>(),
            (std::vector<uint32_t>{0, 1, 0, 2, 0, 3, 0, 4, 0, 5}));
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

TEST(EmulatorMemory, VariablesBeginWithTheirInitialisers) {
  EmulatedText T(EmulatedText::kernel(
      R"(
    ld.const.f32 %f0, [pi]; st.global.f32 [%rd0], %f0;
    ld.global.u32 %r1, [table+8]; st.global.u32 [%rd0+4], %r1;
    ld.global.s8 %r2, [bytes+2]; st.global.s32 [%rd0+8], %r2;
    ld.global.u32 %r3, [rows+20]; st.global.u32 [%rd0+12], %r3;
    ld.global.u32 %r3, [rows+4]; st.global.u32 [%rd0+16], %r3;
    ld.global.f64 %fd0, [e]; cvt.rn.f32.f64 %f1, %fd0;
    st.global.f32 [%rd0+20], %f1;
    ld.global.u32 %r4, [zeros+16]; st.global.u32 [%rd0+24], %r4;
    mov.u64 %rd1, table; add.u64 %rd1, %rd1, 4;
    ld.global.u32 %r5, [%rd1]; st.global.u32 [%rd0+28], %r5;
    st.global.u32 [table+12], 99;
    ld.global.u32 %r6, [table+12]; st.global.u32 [%rd0+32], %r6;
    ret;)",
      1,
      ".const .f32 pi = 0f40490fdb;\n"
      ".global .align 4 .u32 table[4] = {3, 5, 7, 9};\n"
      ".global .align 1 .s8 bytes[4] = {1, -2, -3, 4};\n"
      ".global .u32 rows[2][3] = {{1, 2}, {4, 5, 6}};\n"
      ".global .f64 e = 0d4005bf0a8b145769;\n"
      ".global .align 4 .b8 zeros[20];\n"));
  T.buffer(36).run();
  std::vector<uint32_t> Out = T.contents<uint32_t>();
  EXPECT_EQ(Out, (std::vector<uint32_t>{0x40490fdb, 7, uint32_t(-3), 6, 2,
                                        0x402df854, 0, 5, 99}));
}

TEST(EmulatorMemory, InitialisersHoldAddresses) {
  EmulatedText T(EmulatedText::kernel(
      R"(
    ld.global.u64 %rd1, [pointers+8];
    ld.global.u32 %r0, [%rd1];
    st.global.u32 [%rd0], %r0;
    ld.global.u64 %rd2, [pointers];
    ld.u32 %r1, [%rd2];
    st.global.u32 [%rd0+4], %r1;
    ld.const.u64 %rd3, [constants];
    ld.u32 %r2, [%rd3];
    st.global.u32 [%rd0+8], %r2;
    ld.global.u64 %rd4, [chain];
    ld.global.u64 %rd4, [%rd4];
    ld.global.u32 %r3, [%rd4];
    st.global.u32 [%rd0+12], %r3;
    ld.global.u8 %r4, [split]; ld.global.u8 %r5, [split+1];
    mov.u64 %rd5, data; cvt.u32.u64 %r6, %rd5;
    shl.b32 %r5, %r5, 8; or.b32 %r4, %r4, %r5;
    xor.b32 %r4, %r4, %r6; and.b32 %r4, %r4, 0xffff;
    st.global.u32 [%rd0+16], %r4;
    ret;)",
      1,
      ".global .align 8 .u32 data[3] = {41, 42, 43};\n"
      ".const .align 8 .u32 fixed[2] = {51, 52};\n"
      ".global .u64 pointers[2] = {generic(data)+4, data+8};\n"
      ".const .u64 constants[1] = {generic(fixed)+4};\n"
      ".global .u64 chain[1] = {pointers};\n"
      ".global .u8 split[2] = {0xff(data), 0xff00(data)};\n"));
  // pointers[0] is generic(data) + 4, so that the chain too ends there.
  T.buffer(20).run();
  EXPECT_EQ(T.contents<uint32_t>(), (std::vector<uint32_t>{43, 42, 52, 42, 0}));
}

TEST(EmulatorMemory, TablesOfFunctions) {
  EmulatedText T(EmulatedText::kernel(
      R"(
    mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 1;
    mul.wide.u32 %rd1, %r1, 8; mov.u64 %rd2, table;
    add.u64 %rd1, %rd1, %rd2; ld.global.u64 %rd3, [%rd1];
    proto: .callprototype (.reg .b32 _) _ (.reg .b32 _);
    call (%r2), %rd3, (%r0), proto;
    mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd0, %rd4;
    st.global.u32 [%rd4], %r2; ret;)",
      1,
      ".func (.reg .b32 r) twice(.reg .b32 a) { add.u32 r, a, a; ret; }\n"
      ".func (.reg .b32 r) square(.reg .b32 a) { mul.lo.u32 r, a, a; ret; }\n"
      ".global .u64 table[2] = {twice, square};\n"));
  T.buffer(128).run();
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(T.contents<uint32_t>()[L], L % 2 ? L * L : 2 * L);
}

//===----------------------------------------------------------------------===//
// Parameters and the stack
//===----------------------------------------------------------------------===//

TEST(EmulatorMemory, StructuresByValueWithAnIndex) {
  EmulatedText T(R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .align 8 .b8 s[24], .param .u16 h,
                  .param .u8 b) {
  .reg .b32 %r<9>; .reg .b64 %rd<9>;
  ld.param.u64 %rd0, [out];
  mov.u32 %r0, %tid.x;
  rem.u32 %r1, %r0, 6;
  mul.wide.u32 %rd1, %r1, 4;
  mov.b64 %rd2, s;
  add.u64 %rd2, %rd2, %rd1;
  ld.param.u32 %r2, [%rd2];
  ld.param.u16 %r3, [h];
  ld.param.s8 %r4, [b];
  cvta.param.u64 %rd3, s;
  add.u64 %rd3, %rd3, %rd1;
  ld.u32 %r5, [%rd3];
  ld.param.v2.u32 {%r6, %r7}, [s+16];
  sub.u32 %r5, %r5, %r2;
  add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; add.u32 %r2, %r2, %r5;
  add.u32 %r2, %r2, %r7; sub.u32 %r2, %r2, %r6;
  mul.wide.u32 %rd4, %r0, 4;
  add.u64 %rd4, %rd0, %rd4;
  st.global.u32 [%rd4], %r2;
  ret;
})");
  std::vector<uint32_t> S = {100, 200, 300, 400, 500, 600};
  T.buffer(128).buffer<uint32_t>(S).number(40000).number(-3).run();
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(T.contents<uint32_t>()[L], S[L % 6] + 40000 - 3 + 100);
}

TEST(EmulatorMemory, ParametersOfFunctionsAreALanesOwn) {
  EmulatedText T(EmulatedText::kernel(
      R"(
    mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 3;
    { .param .align 4 .b8 a[16]; .param .b32 i; .param .b32 r;
      st.param.v4.b32 [a], {%r0, 100, %r1, 300}; st.param.b32 [i], %r1;
      call (r), pick, (a, i);
      ld.param.b32 %r2, [r]; }
    mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1;
    st.global.u32 [%rd1], %r2; ret;)",
      1, R"(
.func (.param .b32 r) pick(.param .align 4 .b8 a[16], .param .b32 i) {
  .reg .b32 x, y; .reg .b64 p, q;
  ld.param.b32 x, [i];
  mul.wide.u32 p, x, 4; mov.b64 q, a; add.u64 p, p, q;
  ld.param.b32 y, [p];
  st.param.b32 [r], y;
  ret;
})"));
  T.buffer(128).run();
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(T.contents<uint32_t>()[L],
              (std::array<uint32_t, 4>{L, 100, L % 4, 300})[L % 4]);
}

TEST(EmulatorMemory, LocalVariablesAreALanesOwnInEachCall) {
  // Each level of the recursion has its own array; a pointer to the caller's is
  // passed on.
  EmulatedText T(EmulatedText::kernel(
      R"(
    .local .align 4 .b8 sum[4];
    mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 7;
    mov.u64 %rd1, sum; cvta.local.u64 %rd2, %rd1;
    st.local.u32 [sum], 0;
    call add, (%rd2, %r1);
    ld.local.u32 %r2, [sum];
    mul.wide.u32 %rd3, %r0, 4; add.u64 %rd3, %rd0, %rd3;
    st.global.u32 [%rd3], %r2; ret;)",
      1, R"(
.func add(.reg .b64 p, .reg .b32 n) {
  .local .align 4 .b8 mine[4];
  .reg .b32 m, x, y; .reg .b64 a; .reg .pred q;
  setp.eq.u32 q, n, 0;
  @q ret;
  st.local.u32 [mine], n;
  sub.u32 m, n, 1;
  cvta.local.u64 a, mine;
  call add, (a, m);
  ld.local.u32 x, [mine];
  ld.u32 y, [p];
  add.u32 y, y, x;
  st.u32 [p], y;
  ret;
})"));
  T.buffer(128).run();
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(T.contents<uint32_t>()[L], (L % 8) * (L % 8 + 1) / 2);
}

TEST(EmulatorMemory, StackGrowsAndShrinks) {
  EmulatedText T(EmulatedText::kernel(R"(
    mov.u32 %r0, %tid.x;
    mov.u32 %r10, 0; mov.u32 %r11, 0;
    stacksave.u64 %rd5;
  Loop:
    stackrestore.u64 %rd5;
    add.u32 %r1, %r0, 1; mul.lo.u32 %r1, %r1, 4; cvt.u64.u32 %rd1, %r1;
    alloca.u64 %rd2, %rd1, 16;
    and.b64 %rd6, %rd2, 15; cvt.u32.u64 %r12, %rd6;
    add.u32 %r11, %r11, %r12;
    mul.wide.u32 %rd3, %r0, 4; add.u64 %rd3, %rd2, %rd3;
    st.local.u32 [%rd3], %r10;
    ld.local.u32 %r2, [%rd3];
    add.u32 %r11, %r11, %r2;
    add.u32 %r10, %r10, 1;
    setp.lt.u32 %p0, %r10, 20000;
    @%p0 bra Loop;
    mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd0, %rd4;
    st.global.u32 [%rd4], %r11;
    ret;)"));
  // Without giving back, 20000 times 128 bytes would be more than a thread may
  // have.
  T.buffer(128).run();
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(T.contents<uint32_t>()[L], 20000u * 19999 / 2);
}

TEST(EmulatorMemory, StackOfADivergedWarp) {
  EmulatedText T(EmulatedText::kernel(R"(
    mov.u32 %r0, %tid.x;
    setp.lt.u32 %p0, %r0, 9;
    @%p0 bra Few;
    alloca.u64 %rd2, 64, 8;
    st.local.u32 [%rd2+60], %r0;
    bra Both;
  Few:
    alloca.u64 %rd2, 256, 8;
    add.u32 %r1, %r0, 500;
    st.local.u32 [%rd2+60], %r1;
  Both:
    ld.local.u32 %r2, [%rd2+60];
    mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd0, %rd4;
    st.global.u32 [%rd4], %r2;
    ret;)"));
  T.buffer(128).run();
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(T.contents<uint32_t>()[L], L < 9 ? 500 + L : L);
}

} // namespace

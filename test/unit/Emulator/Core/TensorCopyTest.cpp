//===- TensorCopyTest.cpp - Copies of boxes of tensors --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "../EmulatedText.h"
#include "gmock/gmock.h"
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using testing::EndsWith;
using testing::HasSubstr;

namespace {

/// A kernel over the buffers b0 (%rd0) and b1 (%rd1) and the tensor maps whose
/// generic addresses are %rd8 and %rd9; tile is in %r1, the mbarrier in %r2.
struct TensorKernel : EmulatedText {
  explicit TensorKernel(const Twine &Body)
      : EmulatedText(
            ".version 9.0\n.target sm_100a\n.address_size 64\n"
            ".shared .align 1024 .b8 tile[32768];\n"
            ".shared .align 8 .b64 bar;\n"
            ".visible .entry k(.param .u64 p0, .param .u64 p1, "
            ".param .align 64 .b8 m0[128], .param .align 64 .b8 m1[128]) {\n"
            ".reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<32>;\n"
            ".reg .b64 %rd<32>;\n"
            "ld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\n"
            "mov.b64 %rd8, m0;\ncvta.param.u64 %rd8, %rd8;\n"
            "mov.b64 %rd9, m1;\ncvta.param.u64 %rd9, %rd9;\n"
            "mov.u32 %r1, tile;\nmov.u32 %r2, bar;\nmov.u32 %r0, %tid.x;\n"
            "setp.ne.u32 %p0, %r0, 0;\n" +
            Body + "\nret;\n}\n") {}

  TensorKernel &map(unsigned N, TensorMapSpec Spec) {
    if (Spec.ElementStrides.empty())
      Spec.ElementStrides.assign(Spec.rank(), 1);
    std::string Name = "m" + std::to_string(N);
    Launch.Maps[Name] = std::move(Spec);
    ArgumentValue A;
    A.Kind = ArgumentValue::KindTy::TensorMap;
    A.Buffer = Name;
    Launch.Args[2 + N] = A;
    if (N == 0 && !Launch.Args.count(3))
      Launch.Args[3] = ArgumentValue();
    return *this;
  }
};

/// Loads one box into the tile, which is then copied to b1.
std::string loadBox(StringRef Rank, StringRef Coordinates, unsigned Bytes,
                    unsigned TileBytes, StringRef Mode = "tile") {
  return ("@%p0 bra Wait;\nmbarrier.init.shared::cta.b64 [%r2], 1;\n"
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], " +
          Twine(Bytes) + ";\ncp.async.bulk.tensor." + Rank +
          ".shared::cluster.global." + Mode +
          ".mbarrier::complete_tx::bytes [%r1], [%rd8, {" + Coordinates +
          "}], [%r2];\nWait: bar.warp.sync -1;\n"
          "Poll: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0;\n"
          "@!%p1 bra Poll;\nmov.u32 %r4, 0;\n"
          "Copy: mad.lo.u32 %r5, %r4, 4, %r1;\nld.shared.u32 %r6, [%r5];\n"
          "mul.wide.u32 %rd4, %r4, 4;\nadd.s64 %rd4, %rd4, %rd1;\n"
          "st.global.u32 [%rd4], %r6;\nadd.u32 %r4, %r4, 1;\n"
          "setp.lt.u32 %p2, %r4, " +
          Twine(TileBytes / 4) + ";\n@%p2 bra Copy;")
      .str();
}

std::string loadName(StringRef Rank, StringRef Mode = "tile") {
  return ("cp.async.bulk.tensor." + Rank + ".shared::cluster.global." + Mode +
          ".mbarrier::complete_tx::bytes")
      .str();
}

TensorMapSpec spec(TensorElement Type, std::vector<uint64_t> Dims,
                   std::vector<uint64_t> Strides, std::vector<uint64_t> Box,
                   unsigned Swizzle = 0) {
  TensorMapSpec S;
  S.Buffer = "b0";
  S.Type = Type;
  S.Dims = std::move(Dims);
  S.Strides = std::move(Strides);
  S.Box = std::move(Box);
  S.Swizzle = Swizzle;
  return S;
}

/// 0, 1, 2, …
template <typename T>
std::vector<T> iota(size_t N) {
  std::vector<T> Out(N);
  std::iota(Out.begin(), Out.end(), T(0));
  return Out;
}

TEST(EmulatorTensorCopy, RowsFollowEachOther) {
  // 20 x 16 of u32; rows 80 bytes apart, a box of 8 x 4 at (4, 3).
  TensorKernel T(loadBox("2d", "4, 3", 128, 128));
  T.map(0, spec(TensorElement::U32, {18, 16}, {80}, {8, 4}));
  T.buffer<uint32_t>(iota<uint32_t>(320)).buffer(128).run();
  std::vector<uint32_t> Out = T.contents<uint32_t>(1);
  for (uint32_t N = 0; N != 32; ++N)
    EXPECT_EQ(Out[N], (3 + N / 8) * 20 + 4 + N % 8);
  const MemoryProfile &M = *T.at(loadName("2d")).Memory;
  EXPECT_EQ(M.Requests, 1u);
  EXPECT_EQ(M.Lanes, 1u);
  // Bytes 256 to 287, 336 to 367, 416 to 447 and 496 to 527.
  EXPECT_EQ(M.Sectors, 1u + 2 + 1 + 2);
  EXPECT_EQ(M.Lines, 3u);
  EXPECT_EQ(M.UniqueBytes, 128u);
  EXPECT_EQ(T.Result.Profile.GridReadBytes, 128u);
}

TEST(EmulatorTensorCopy, WhatIsOutOfBoundsIsZeroOrNaN) {
  for (bool NaN : {false, true}) {
    TensorKernel T(loadBox("2d", "-3, 6", 128, 128));
    TensorMapSpec S = spec(TensorElement::F32, {10, 8}, {64}, {8, 4});
    S.FillsNaN = NaN;
    T.map(0, S);
    T.buffer<uint32_t>(iota<uint32_t>(128)).buffer(128).run();
    std::vector<uint32_t> Out = T.contents<uint32_t>(1);
    for (uint32_t N = 0; N != 32; ++N) {
      const uint32_t X = N % 8, Y = N / 8;
      EXPECT_EQ(Out[N], X >= 3 && Y < 2 ? (6 + Y) * 16 + X - 3
                        : NaN           ? ~0u
                                        : 0)
          << N;
    }
    EXPECT_EQ(T.at(loadName("2d")).Memory->UniqueBytes, 40u);
  }
  // Beyond the end of dimension 0, and a box that is nowhere.
  TensorKernel Right(loadBox("1d", "12", 32, 32));
  Right.map(0, spec(TensorElement::U32, {16}, {}, {8}));
  Right.buffer<uint32_t>(iota<uint32_t>(16)).buffer(32).run();
  EXPECT_EQ(Right.contents<uint32_t>(1),
            (std::vector<uint32_t>{12, 13, 14, 15, 0, 0, 0, 0}));
  TensorKernel Away(loadBox("1d", "-100", 32, 32));
  Away.map(0, spec(TensorElement::U32, {16}, {}, {8}));
  Away.buffer<uint32_t>(iota<uint32_t>(16)).buffer(32).run();
  EXPECT_EQ(Away.contents<uint32_t>(1), std::vector<uint32_t>(8));
  EXPECT_EQ(Away.at(loadName("1d")).Memory->Requests, 1u);
  EXPECT_EQ(Away.at(loadName("1d")).Memory->Sectors, 0u);
}

// By hand: of the 128-byte swizzle, chunk c of row r lies at c ^ r % 8; of 64
// bytes, two rows share 128 bytes, and chunk c of row r lies at c ^ r / 2 % 4;
// of 32 bytes four rows do, and it lies at c ^ r / 4 % 2.
TEST(EmulatorTensorCopy, SwizzlesPermuteChunksOf16Bytes) {
  for (unsigned Span : {32u, 64u, 128u}) {
    const unsigned PerRow = Span / 16, Rows = 16;
    TensorKernel T(loadBox("2d", "0, 0", Span * Rows, Span * Rows));
    T.map(0, spec(TensorElement::U32, {Span / 4, Rows}, {Span},
                  {Span / 4, Rows}, Span));
    T.buffer<uint32_t>(iota<uint32_t>(Span * Rows / 4))
        .buffer(size_t(Span) * Rows)
        .run();
    std::vector<uint32_t> Out = T.contents<uint32_t>(1);
    const unsigned RowsPerLine = 128 / Span;
    for (unsigned R = 0; R != Rows; ++R)
      for (unsigned C = 0; C != PerRow; ++C)
        for (unsigned W = 0; W != 4; ++W)
          EXPECT_EQ(Out[R * Span / 4 + (C ^ R / RowsPerLine % PerRow) * 4 + W],
                    R * Span / 4 + C * 4 + W)
              << Span << ' ' << R << ' ' << C;
  }
}

TEST(EmulatorTensorCopy, FiveDimensionsAndElementStrides) {
  TensorKernel T(loadBox("5d", "0, 1, 0, 2, 1", 256, 256));
  TensorMapSpec S = spec(TensorElement::U16, {8, 8, 4, 4, 3},
                         {16, 128, 512, 2048}, {8, 4, 2, 1, 2});
  S.ElementStrides = {4, 2, 1, 1, 1};
  T.map(0, S);
  T.buffer<uint16_t>(iota<uint16_t>(3072)).buffer(256);
  // Every other one of the four, so half as many bytes as the box spans.
  EXPECT_EQ(T.start(), "");
  EXPECT_THAT(T.fault(), HasSubstr("lacks 0 of 1 arrivals and 128 expected"));
  TensorKernel Right(loadBox("5d", "0, 1, 0, 2, 1", 128, 128));
  Right.map(0, S);
  Right.buffer<uint16_t>(iota<uint16_t>(3072)).buffer(128).run();
  std::vector<uint16_t> Out = Right.contents<uint16_t>(1);
  for (unsigned N = 0; N != 64; ++N) {
    const unsigned X = N % 8, B = N / 8 % 2, C = N / 16 % 2, E = N / 32;
    EXPECT_EQ(Out[N], ((((1 + E) * 4 + 2) * 4 + C) * 8 + 1 + 2 * B) * 8 + X);
  }
}

TEST(EmulatorTensorCopy, StoresAndReductionsLeaveWhatIsOutOfBounds) {
  // Each lane fills a chunk of the tile; lane 0 stores the box.
  auto Kernel = [](StringRef Copy) {
    return ("mad.lo.u32 %r3, %r0, 16, %r1;\nmul.lo.u32 %r4, %r0, 4;\n"
            "add.u32 %r5, %r4, 1;\nadd.u32 %r6, %r4, 2;\nadd.u32 %r7, %r4, 3;\n"
            "st.shared.v4.u32 [%r3], {%r4, %r5, %r6, %r7};\n"
            "fence.proxy.async.shared::cta;\nbar.warp.sync -1;\n"
            "@%p0 bra End;\n" +
            Copy +
            "\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nEnd:")
        .str();
  };
  TensorMapSpec S = spec(TensorElement::U32, {30, 4}, {128}, {32, 4}, 128);
  TensorKernel Store(Kernel("cp.async.bulk.tensor.2d.global.shared::cta.tile."
                            "bulk_group [%rd8, {2, 1}], [%r1];"));
  Store.map(0, S);
  Store.buffer<uint32_t>(std::vector<uint32_t>(128, 7)).buffer(4).run();
  TensorKernel Add(Kernel("cp.reduce.async.bulk.tensor.2d.global.shared::cta."
                          "add.tile.bulk_group [%rd8, {2, 1}], [%r1];"));
  Add.map(0, S);
  Add.buffer<uint32_t>(std::vector<uint32_t>(128, 7)).buffer(4).run();
  std::vector<uint32_t> Stored = Store.contents<uint32_t>(0),
                        Added = Add.contents<uint32_t>(0);
  for (unsigned Y = 0; Y != 4; ++Y)
    for (unsigned X = 0; X != 32; ++X) {
      const bool Inside = Y >= 1 && X >= 2 && X < 30;
      const unsigned Row = Y - 1, Column = X - 2;
      const uint32_t From = Row * 32 + (Column / 4 ^ Row % 8) * 4 + Column % 4;
      EXPECT_EQ(Stored[Y * 32 + X], Inside ? From : 7) << X << ' ' << Y;
      EXPECT_EQ(Added[Y * 32 + X], Inside ? 7 + From : 7) << X << ' ' << Y;
    }
  EXPECT_EQ(Store.Result.Profile.GridWrittenBytes, size_t(3) * 28 * 4);
  EXPECT_EQ(Store.Result.Profile.GridReadBytes, 0u);
}

TEST(EmulatorTensorCopy, StoresOfWhatTheAsynchronousProxyDoesNotSee) {
  auto Problems = [](StringRef Fence) {
    TensorKernel Store("mad.lo.u32 %r3, %r0, 16, %r1;\n"
                       "st.shared.v4.u32 [%r3], {%r0, %r0, %r0, %r0};\n" +
                       Fence +
                       "bar.warp.sync -1;\n@%p0 bra End;\n"
                       "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_"
                       "group [%rd8, {0, 0}], [%r1];\n"
                       "cp.async.bulk.commit_group;\n"
                       "cp.async.bulk.wait_group 0;\nEnd:");
    Store.map(0, spec(TensorElement::U32, {32, 4}, {128}, {32, 4}));
    Store.Options.Check = true;
    Store.buffer(512).buffer(4).run();
    std::string Kinds;
    for (const EmulationProblem &P : Store.Result.Problems)
      Kinds += P.Kind + ";";
    return Kinds;
  };
  EXPECT_EQ(Problems("fence.proxy.async.shared::cta;\n"), "");
  EXPECT_EQ(Problems(""), "missing-fence;");
}

TEST(EmulatorTensorCopy, BulkReductions) {
  TensorKernel T(
      "@%p0 bra End;\nst.shared.v4.f32 [%r1], {0f3F800000, 0f40000000, "
      "0f40400000, 0f40800000};\nfence.proxy.async.shared::cta;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd1], "
      "[%r1], 16;\ncp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 "
      "[%rd1], [%r1], 16;\ncp.async.bulk.commit_group;\n"
      "cp.async.bulk.wait_group.read 0;\nEnd:");
  T.Launch.Args[2] = T.Launch.Args[3] = ArgumentValue();
  T.buffer(16).buffer<float>(std::vector<float>{0.5f, 1, 2, 3}).run();
  EXPECT_EQ(T.contents<float>(1), (std::vector<float>{2.5f, 5, 8, 11}));
}

TEST(EmulatorTensorCopy, CopiesOfSomeBytesOfEach16) {
  TensorKernel T(
      "@%p0 bra End;\nmov.u32 %r3, -1;\nst.shared.v4.u32 [%r1], {%r3, %r3, "
      "%r3, %r3};\nst.shared.v4.u32 [%r1+16], {%r3, %r3, %r3, %r3};\n"
      "fence.proxy.async.shared::cta;\nmov.b16 %h0, 0x8005;\n"
      "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd1], [%r1], 32, "
      "%h0;\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nEnd:");
  T.Launch.Args[2] = T.Launch.Args[3] = ArgumentValue();
  T.buffer(16).buffer(32).run();
  EXPECT_EQ(T.contents<uint32_t>(1),
            (std::vector<uint32_t>{0xff00ff, 0, 0, 0xff000000, 0xff00ff, 0, 0,
                                   0xff000000}));
}

TEST(EmulatorTensorCopy, GathersAndScattersFourRows) {
  TensorKernel T(loadBox("2d", "4, 5, 1, 9, 2", 128, 128, "tile::gather4"));
  T.map(0, spec(TensorElement::U32, {16, 8}, {64}, {8, 1}));
  T.buffer<uint32_t>(iota<uint32_t>(128)).buffer(128).run();
  std::vector<uint32_t> Out = T.contents<uint32_t>(1);
  constexpr unsigned Rows[] = {5, 1, 9, 2};
  for (unsigned N = 0; N != 32; ++N)
    EXPECT_EQ(Out[N], Rows[N / 8] < 8 ? Rows[N / 8] * 16 + 4 + N % 8 : 0);
  EXPECT_EQ(T.at(loadName("2d", "tile::gather4")).Memory->UniqueBytes, 96u);
}

TEST(EmulatorTensorCopy, SmallElementsTakeMoreOfSharedMemory) {
  // 16 of four bits in 8 of 16 bytes; 16 of six bits in 12.
  for (auto [Type, Bytes] : {std::pair(TensorElement::B4x16P64, 8u),
                             std::pair(TensorElement::B6x16P32, 12u)}) {
    TensorKernel T(loadBox("2d", "0, 1", 256, 256));
    T.map(0, spec(Type, {128, 3}, {Bytes * 8}, {128, 2}));
    T.buffer<uint8_t>(iota<uint8_t>(size_t(Bytes) * 24)).buffer(256).run();
    std::vector<uint8_t> Out = T.contents<uint8_t>(1);
    for (unsigned N = 0; N != 256; ++N)
      EXPECT_EQ(Out[N], N % 16 < Bytes
                            ? uint8_t(Bytes * 8 + N / 16 * Bytes + N % 16)
                            : 0);
  }
  TensorKernel Packed(loadBox("2d", "32, 1", 32, 32));
  Packed.map(0, spec(TensorElement::B4x16, {64, 3}, {32}, {32, 2}));
  Packed.buffer<uint8_t>(iota<uint8_t>(96)).buffer(32).run();
  std::vector<uint8_t> Out = Packed.contents<uint8_t>(1);
  for (unsigned N = 0; N != 32; ++N)
    EXPECT_EQ(Out[N], 32 * (1 + N / 16) + 16 + N % 16);
}

TEST(EmulatorTensorCopy, LoadsRoundToTF32) {
  TensorKernel T(loadBox("1d", "0", 16, 16));
  T.map(0, spec(TensorElement::TF32, {4}, {}, {4}));
  T.buffer<uint32_t>(
       std::vector<uint32_t>{0x3f800fff, 0x3f801000, 0x3f803000, 1})
      .buffer(16)
      .run();
  EXPECT_EQ(T.contents<uint32_t>(1),
            (std::vector<uint32_t>{0x3f800000, 0x3f800000, 0x3f804000, 0}));
}

// A tensor map that the kernel writes into shared and copies to global memory.
TEST(EmulatorTensorCopy, TensorMapsThatTheKernelMakes) {
  auto Replace = [](StringRef Field, StringRef Type, StringRef Value) {
    return ("tensormap.replace.tile." + Field + ".shared::cta.b1024." + Type +
            " [%r3], " + Value + ";\n")
        .str();
  };
  TensorKernel T(
      "@%p0 bra Made;\nadd.u32 %r3, %r1, 16384;\n" +
      Replace("global_address", "b64", "%rd0") + Replace("rank", "b32", "1") +
      Replace("box_dim", "b32", "0, 8") + Replace("box_dim", "b32", "1, 4") +
      Replace("global_dim", "b32", "0, 18") +
      Replace("global_dim", "b32", "1, 16") +
      Replace("global_stride", "b64", "0, 80") +
      Replace("element_stride", "b32", "0, 1") +
      Replace("element_stride", "b32", "1, 1") +
      Replace("elemtype", "b32", "2") +
      Replace("interleave_layout", "b32", "0") +
      Replace("swizzle_mode", "b32", "0") + Replace("fill_mode", "b32", "0") +
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release."
      "gpu.sync.aligned [%rd1], [%r3], 128;\n"
      "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;\n"
      "mov.u64 %rd8, %rd1;\nMade:\n" +
      loadBox("2d", "4, 3", 128, 128));
  T.Launch.Args[2] = T.Launch.Args[3] = ArgumentValue();
  T.buffer<uint32_t>(iota<uint32_t>(320)).buffer(128).run();
  std::vector<uint32_t> Out = T.contents<uint32_t>(1);
  for (uint32_t N = 0; N != 32; ++N)
    EXPECT_EQ(Out[N], (3 + N / 8) * 20 + 4 + N % 8);
}

// What the reader of launch files refuses is refused of a kernel, too.
TEST(EmulatorTensorCopy, WrongTensorMapsThatTheKernelMakes) {
  const TensorMapSpec Padded =
      spec(TensorElement::B4x16P64, {128, 3}, {64}, {128, 2});
  const TensorMapSpec Plain = spec(TensorElement::U32, {16, 3}, {64}, {8, 2});
  auto Fault = [](TensorMapSpec S, StringRef Replaced, StringRef Value) {
    TensorKernel T(("@%p0 bra Made;\nadd.u32 %r3, %r1, 16384;\n"
                    "mov.u32 %r4, 0;\nCopyMap: cvt.u64.u32 %rd5, %r4;\n"
                    "add.s64 %rd6, %rd8, %rd5;\nld.u64 %rd7, [%rd6];\n"
                    "add.u32 %r5, %r3, %r4;\nst.shared.u64 [%r5], %rd7;\n"
                    "add.u32 %r4, %r4, 8;\nsetp.lt.u32 %p2, %r4, 128;\n"
                    "@%p2 bra CopyMap;\nadd.s64 %rd0, %rd0, 16;\n"
                    "mov.u64 %rd4, 0x10000000000;\n"
                    "tensormap.replace.tile." +
                    Replaced.split(' ').first + ".shared::cta.b1024." +
                    Replaced.split(' ').second + " [%r3], " + Value +
                    ";\ncvt.u64.u32 %rd8, %r3;\ncvta.shared.u64 %rd8, %rd8;\n"
                    "Made:\n" +
                    loadBox("2d", "0, 0", 256, 256))
                       .str());
    T.map(0, std::move(S));
    EXPECT_EQ(T.buffer(192).buffer(256).start(), "");
    return T.fault();
  };
  EXPECT_EQ(Fault(Padded, "fill_mode b32", "0"), "");
  EXPECT_THAT(Fault(Padded, "global_address b64", "%rd0"),
              EndsWith("is no multiple of 32, as a tensor of type b4x16_p64 "
                       "needs it"));
  EXPECT_THAT(Fault(Padded, "global_dim b32", "0, 64"),
              EndsWith("dimension 0 of the tensor map has 64 elements of type "
                       "b4x16_p64; they must be a multiple of 128"));
  EXPECT_THAT(Fault(Padded, "box_dim b32", "0, 64"),
              EndsWith("a row of the tensor map's box has 64 elements of type "
                       "b4x16_p64; there must be 128"));
  EXPECT_THAT(Fault(Padded, "global_stride b64", "0, 48"),
              EndsWith("dimension 1 of the tensor map has a stride of 48 "
                       "bytes; it must be a multiple of 32 below "
                       "1099511627776"));
  EXPECT_THAT(Fault(Plain, "global_stride b64", "0, %rd4"),
              HasSubstr("a stride of 1099511627776 bytes"));
  EXPECT_THAT(Fault(Plain, "fill_mode b32", "1"),
              EndsWith("fills with NaN, which no element of type u32 is"));
}

TEST(EmulatorTensorCopy, PrefetchesAreCounted) {
  TensorKernel T("@%p0 bra End;\ncp.async.bulk.prefetch.tensor.2d.L2.global."
                 "tile [%rd8, {4, 3}];\nEnd:");
  T.map(0, spec(TensorElement::U32, {18, 16}, {80}, {8, 4}));
  T.buffer(1280).buffer(8).run();
  EXPECT_EQ(
      T.at("cp.async.bulk.prefetch.tensor.2d.L2.global.tile").Memory->Sectors,
      6u);
}

TEST(EmulatorTensorCopy, WrongCopiesAreSaid) {
  auto Fault = [](const Twine &Body, const TensorMapSpec &S,
                  size_t Bytes = 1280) {
    TensorKernel T(Body);
    T.map(0, S);
    std::string Error = T.buffer(Bytes).buffer(1024).start();
    return Error.empty() ? T.fault() : Error;
  };
  const TensorMapSpec S = spec(TensorElement::U32, {18, 16}, {80}, {8, 4});
  EXPECT_THAT(Fault(loadBox("3d", "0, 0, 0", 128, 128), S),
              EndsWith("a tensor of rank 2 is copied as one of rank 3"));
  EXPECT_THAT(
      Fault("add.u32 %r1, %r1, 64;\n" + loadBox("2d", "0, 0", 128, 128), S),
      EndsWith("which is no multiple of 128"));
  EXPECT_THAT(
      Fault("add.u32 %r1, %r1, 32704;\n" + loadBox("2d", "0, 0", 128, 128), S),
      EndsWith("of which not all are there"));
  EXPECT_THAT(
      Fault("mov.u64 %rd8, 1000000;\n" + loadBox("2d", "0, 0", 128, 128), S),
      HasSubstr("tensor map"));
  EXPECT_THAT(
      Fault("mov.u64 %rd8, %rd1;\n" + loadBox("2d", "0, 0", 128, 128), S),
      EndsWith("these 128 bytes are no tensor map"));
  EXPECT_THAT(Fault(loadBox("2d", "0, 0", 128, 128), S, 640),
              EndsWith("tensor map 'm0' takes 1272 bytes of buffer 'b0', "
                       "which has 640"));
  EXPECT_THAT(Fault("@%p0 bra End;\ncp.reduce.async.bulk.tensor.2d.global."
                    "shared::cta.add.tile.bulk_group [%rd8, {0, 0}], "
                    "[%r1];\nEnd:",
                    spec(TensorElement::U16, {64, 8}, {128}, {8, 4})),
              EndsWith("reduces no elements of type u16"));
  EXPECT_THAT(Fault("cp.async.bulk.tensor.4d.shared::cluster.global.im2col."
                    "mbarrier::complete_tx::bytes [%r1], [%rd8, {%r3, %r3, "
                    "%r3, %r3}], [%r2], {%h0, %h1};",
                    S),
              EndsWith("is not covered by the emulator"));
}

} // namespace

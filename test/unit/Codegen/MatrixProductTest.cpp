//===- MatrixProductTest.cpp - What a matrix instruction multiplies -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/MatrixProduct.h"
#include "PTXKernel.h"

using namespace ptxpredict;

namespace {

/// "type shape multiply-adds" of the first matrix instruction, with the bounds
/// of what is not known.
std::string product(StringRef Text, DescriptorBits Bits = {}) {
  const PTXKernel K(Text);
  std::string Result = "none";
  K.graph().forEachInstruction([&](const Instruction &I) {
    const std::optional<MatrixProduct> P = findMatrixProduct(I, Bits);
    if (!P)
      return;
    auto Number = [](double N) { return std::to_string(uint64_t(N)); };
    Result = P->type() + " " + P->shape() + " " + Number(P->MACs.Value);
    if (!P->MACs.isKnown())
      Result += " of " + Number(P->MACs.Low) + " to " + Number(P->MACs.High);
    if (P->IsAssumed)
      Result += " assumed";
  });
  return Result;
}

/// What the first matrix instruction reads from shared memory.
unsigned sharedBytes(StringRef Text, DescriptorBits Bits = {}) {
  const PTXKernel K(Text);
  unsigned Bytes = ~0U;
  K.graph().forEachInstruction([&](const Instruction &I) {
    if (const std::optional<MatrixProduct> P = findMatrixProduct(I, Bits))
      Bytes = P->SharedBytes;
  });
  return Bytes;
}

std::string tensor(StringRef Modifiers, DescriptorBits Bits) {
  const bool IsSparse =
      Modifiers.starts_with(".sp") || Modifiers.starts_with(".ws.sp");
  const bool IsScaled = Modifiers.contains("block_scale");
  return product(("tcgen05.mma" + Modifiers + " [%r1], %rd1, %rd2, " +
                  (IsSparse ? "[%r2], " : "") + "%r3, " +
                  (IsScaled ? "[%r4], [%r5], " : "") + "%p1;")
                     .str(),
                 Bits);
}

/// A descriptor of types and shape (PTX ISA, "Instruction Descriptor").
uint32_t descriptor(unsigned D, unsigned A, unsigned B, unsigned M,
                    unsigned N) {
  return D << 4 | A << 7 | B << 10 | N / 8 << 17 | M / 16 << 24;
}

} // namespace

TEST(MatrixProductTest, OfAWarp) {
  EXPECT_EQ(product("wmma.mma.sync.aligned.row.col.m8n32k16.f32.f16 "
                    "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, "
                    "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, "
                    "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, {%r0,%r1,%r2,%r3};"),
            "f16-f32 m8n32k16 4096");
  EXPECT_EQ(product("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                    "{%f0,%f1,%f2,%f3}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, "
                    "{%f0,%f1,%f2,%f3};"),
            "bf16-f32 m16n8k16 2048");
  EXPECT_EQ(product("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32 "
                    "{%r7,%r8,%r9,%r10}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, "
                    "{%r7,%r8,%r9,%r10};"),
            "u8xs8-s32 m16n8k32 4096");
  EXPECT_EQ(product("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
                    "{%fd1,%fd2}, {%fd3}, {%fd4}, {%fd1,%fd2};"),
            "f64-f64 m8n8k4 256");
  EXPECT_EQ(product("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
                    "{%r7,%r8,%r9,%r10}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, "
                    "{%r7,%r8,%r9,%r10};"),
            "b1-s32 m16n8k256 32768");
}

TEST(MatrixProductTest, OfQuartersOfAWarp) {
  EXPECT_EQ(product("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32 "
                    "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, {%r0,%r1}, {%r2,%r3}, "
                    "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};"),
            "f16-f32 m8n8k4 1024");
}

TEST(MatrixProductTest, SparseAndScaled) {
  EXPECT_EQ(product("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col"
                    ".f32.bf16.bf16.f32 {%f0,%f1,%f2,%f3}, {%r1,%r2,%r3,%r4}, "
                    "{%r5,%r6,%r7,%r8}, {%f0,%f1,%f2,%f3}, %r9, 0;"),
            "bf16-f32-sparse m16n8k32 4096");
  EXPECT_EQ(product("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale"
                    ".scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 {%f0,%f1,%f2,%f3}, "
                    "{%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f0,%f1,%f2,%f3}, {%r7}, "
                    "{0, 1}, {%r8}, {0, 2};"),
            "e2m1-f32-mxf4 m16n8k64 8192");
}

TEST(MatrixProductTest, OfFourWarps) {
  EXPECT_EQ(product("wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e5m2 "
                    "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, %rd1, %rd2, 1, 1, 1;"),
            "e4m3xe5m2-f32 m64n16k32 8192");
  EXPECT_EQ(product("wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.f16.f16 "
                    "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, %rd1, %rd2, %r1, 0, 1, "
                    "1, 1, 0, 0;"),
            "f16-f32-sparse m64n16k32 8192");
}

TEST(MatrixProductTest, DescriptorsOfTcgen05) {
  auto Known = [](unsigned D, unsigned A, unsigned B, unsigned M, unsigned N) {
    return DescriptorBits::of(descriptor(D, A, B, M, N));
  };
  EXPECT_EQ(tensor(".cta_group::1.kind::f16", Known(1, 1, 1, 128, 256)),
            "bf16-f32 m128n256k16 524288");
  EXPECT_EQ(tensor(".cta_group::2.kind::f16", Known(0, 0, 0, 256, 64)),
            "f16-f16 m256n64k16 262144");
  EXPECT_EQ(tensor(".cta_group::1.kind::tf32", Known(1, 2, 2, 64, 8)),
            "tf32-f32 m64n8k8 4096");
  EXPECT_EQ(tensor(".cta_group::1.kind::i8", Known(2, 1, 0, 128, 16)),
            "s8xu8-s32 m128n16k32 65536");
  EXPECT_EQ(tensor(".cta_group::1.kind::f8f6f4", Known(1, 0, 4, 128, 128)),
            "e4m3xe3m2-f32 m128n128k32 524288");
  EXPECT_EQ(tensor(".cta_group::1.kind::mxf4.block_scale.scale_vec::2X",
                   Known(0, 1, 1, 128, 128)),
            "e2m1-f32-mxf4 m128n128k64 1048576");
  EXPECT_EQ(tensor(".sp.cta_group::1.kind::f16", Known(1, 0, 0, 128, 64)),
            "f16-f32-sparse m128n64k32 262144");
  EXPECT_EQ(tensor(".ws.cta_group::1.kind::f16", Known(1, 0, 0, 32, 64)),
            "f16-f32 m32n64k16 32768");
}

TEST(MatrixProductTest, DescriptorsThatTheInstructionDoesNotHave) {
  auto Known = [](unsigned D, unsigned A, unsigned B, unsigned M, unsigned N) {
    return DescriptorBits::of(descriptor(D, A, B, M, N));
  };
  StringRef Usual = "f16-f32 m128n256k16 524288 of 8192 to 524288 assumed";
  // No rows, too many of them, and columns that they do not have.
  EXPECT_EQ(tensor(".cta_group::1.kind::f16", Known(1, 0, 0, 0, 0)), Usual);
  EXPECT_EQ(tensor(".cta_group::1.kind::f16", Known(1, 0, 0, 256, 64)), Usual);
  EXPECT_EQ(tensor(".cta_group::1.kind::f16", Known(1, 0, 0, 128, 8)), Usual);
  EXPECT_EQ(tensor(".cta_group::1.kind::i8", Known(2, 1, 1, 64, 0)),
            "s8-s32 m128n256k32 1048576 of 16384 to 1048576 assumed");
  // Types.
  EXPECT_EQ(tensor(".cta_group::1.kind::f16", Known(1, 7, 0, 128, 64)),
            "f16-f32 m128n64k16 131072 assumed");
  EXPECT_EQ(tensor(".cta_group::1.kind::f16", Known(2, 0, 0, 128, 64)),
            "f16-f32 m128n64k16 131072 assumed");
  EXPECT_EQ(tensor(".cta_group::1.kind::i8", Known(1, 1, 1, 128, 64)),
            "s8-s32 m128n64k32 262144 assumed");
}

TEST(MatrixProductTest, WhatADescriptorLeavesOpen) {
  EXPECT_EQ(tensor(".cta_group::1.kind::f16", {}),
            "f16-f32 m128n256k16 524288 of 8192 to 524288 assumed");
  EXPECT_EQ(tensor(".cta_group::2.kind::i8", {}),
            "s8-s32 m256n256k32 2097152 of 32768 to 2097152 assumed");
  // All but N, which is less than 64.
  DescriptorBits Bits = DescriptorBits::of(descriptor(1, 1, 1, 128, 0));
  Bits.Zeros &= ~(7u << 17);
  EXPECT_EQ(tensor(".cta_group::1.kind::f16", Bits),
            "bf16-f32 m128n56k16 114688 of 16384 to 114688 assumed");
}

TEST(MatrixProductTest, ReadsSharedMemory) {
  EXPECT_EQ(sharedBytes("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                        "{%f0,%f1,%f2,%f3}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, "
                        "{%f0,%f1,%f2,%f3};"),
            0);
  // 64 rows of A and 16 columns of B, of 16 numbers each; A may be in
  // registers, and half of a sparse one is left out.
  const std::string Sums = "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, ";
  EXPECT_EQ(sharedBytes("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " +
                        Sums + "%rd1, %rd2, 1, 1, 1, 0, 0;"),
            (64 + 16) * 16 * 2);
  EXPECT_EQ(sharedBytes("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " +
                        Sums + "{%r1,%r2,%r3,%r4}, %rd2, 1, 1, 1, 0;"),
            16 * 16 * 2);
  EXPECT_EQ(
      sharedBytes("wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.f16.f16 " +
                  Sums + "%rd1, %rd2, %r1, 0, 1, 1, 1, 0, 0;"),
      (64 / 2 + 16) * 32 * 2);
  const DescriptorBits Bits = DescriptorBits::of(descriptor(1, 1, 1, 256, 128));
  EXPECT_EQ(sharedBytes("tcgen05.mma.cta_group::2.kind::f16 [%r1], %rd1, %rd2, "
                        "%r3, %p1;",
                        Bits),
            (256 + 128) * 16 * 2);
  EXPECT_EQ(sharedBytes("tcgen05.mma.cta_group::2.kind::f16 [%r1], [%r2], "
                        "%rd2, %r3, %p1;",
                        Bits),
            128 * 16 * 2);
}

//===- PTXMemoryTest.cpp - Memory effects of PTX --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/ISA/PTXOpcode.h"
#include <gtest/gtest.h>

using namespace ptxpredict;
using namespace ptxpredict::ptx;

/// The effects as text: "operand:space access direction bytes", with
/// "@operand" where an operand holds the size.
static std::string showEffects(StringRef Mnemonic, unsigned Count) {
  DecodedOpcode D = decode(Mnemonic);
  SmallVector<MemoryEffect, 3> Out;
  memoryEffects(D.Op, D.Modifiers, Count, Out);
  std::string Text;
  for (const MemoryEffect &E : Out) {
    if (!Text.empty())
      Text += ", ";
    Text += std::to_string(E.AddressOperand) + ":" + toString(E.Space).str() +
            " " + toString(E.Access).str() + " " + (E.Reads ? "r" : "") +
            (E.Writes ? "w" : "") + " " + std::to_string(E.BytesPerLane);
    if (E.BytesOperand >= 0)
      Text += "@" + std::to_string(E.BytesOperand);
  }
  return Text;
}

TEST(PTXMemoryTest, LoadsAndStores) {
  EXPECT_EQ(showEffects("ld.global.v4.f32", 2), "1:global load r 16");
  EXPECT_EQ(showEffects("ld.global.nc.L1::no_allocate.L2::128B.v2.f64", 2),
            "1:global load r 16");
  EXPECT_EQ(showEffects("ld.global.v8.b32", 2), "1:global load r 32");
  EXPECT_EQ(showEffects("ld.b128", 2), "1:generic load r 16");
  EXPECT_EQ(showEffects("ld.shared::cluster.u8", 2), "1:shared load r 1");
  EXPECT_EQ(showEffects("ld.param::entry.u64", 2), "1:param load r 8");
  EXPECT_EQ(showEffects("ld.const[3].f32", 2), "1:const load r 4");
  EXPECT_EQ(showEffects("ld.volatile.local.s16", 2), "1:local load r 2");
  EXPECT_EQ(showEffects("st.global.v2.u16", 2), "0:global store w 4");
  EXPECT_EQ(showEffects("st.u32", 2), "0:generic store w 4");
  EXPECT_EQ(showEffects("prefetch.global.L2", 1), "0:global prefetch r 1");
  EXPECT_EQ(showEffects("st.bulk.shared::cta", 3), "0:shared store w 0@1");
  EXPECT_EQ(showEffects("discard.global.L2", 2), "0:global store w 0@1");
}

TEST(PTXMemoryTest, Atomics) {
  EXPECT_EQ(showEffects("atom.global.add.u64", 3), "1:global atomic rw 8");
  EXPECT_EQ(showEffects("atom.shared.cas.b32", 4), "1:shared atomic rw 4");
  EXPECT_EQ(showEffects("red.global.add.noftz.v4.bf16x2", 2),
            "0:global atomic rw 16");
  EXPECT_EQ(showEffects("multimem.red.add.f32", 2), "0:global atomic rw 4");
  EXPECT_EQ(showEffects("multimem.ld_reduce.add.acc::f32.v4.f16x2", 2),
            "1:global load r 16");
}

TEST(PTXMemoryTest, AsynchronousCopies) {
  EXPECT_EQ(showEffects("cp.async.cg.shared.global", 3),
            "0:shared async w 0@2, 1:global async r 0@2");
  EXPECT_EQ(
      showEffects("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                  "bytes",
                  4),
      "0:shared async w 0@2, 1:global async r 0@2, "
      "3:shared async rw 0");
  EXPECT_EQ(showEffects("cp.async.bulk.global.shared::cta.bulk_group", 3),
            "0:global async w 0@2, 1:shared async r 0@2");
  EXPECT_EQ(
      showEffects("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier"
                  "::complete_tx::bytes",
                  3),
      "0:shared async w 0, 1:global async r 0, 2:shared async rw 0");
  EXPECT_EQ(
      showEffects("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32",
                  3),
      "0:global async rw 0@2, 1:shared async r 0@2");
  EXPECT_EQ(showEffects("cp.async.bulk.prefetch.L2.global", 2),
            "0:global prefetch r 0@1");
  EXPECT_EQ(
      showEffects(
          "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32", 3),
      "0:shared async w 8, 2:shared async rw 0");
  EXPECT_EQ(showEffects("fabric.try_get.async.shared::cta.b128", 4),
            "0:shared async w 0@2, 1:global async r 0@2, "
            "3:shared async rw 0");
  EXPECT_EQ(showEffects("fabric.try_red.async.shared::cta.add.u32", 4),
            "0:global async rw 0@2, 1:shared async r 0@2, "
            "3:shared async rw 0");
  EXPECT_EQ(showEffects("mbarrier.try_wait.parity.shared.b64", 3),
            "1:shared async rw 8");
}

TEST(PTXMemoryTest, TexturesAndSurfaces) {
  EXPECT_EQ(showEffects("tex.2d.v4.f32.s32", 2), "1:texture load r 16");
  EXPECT_EQ(showEffects("tex.2d.v2.f16x2.f32", 2), "1:texture load r 8");
  EXPECT_EQ(showEffects("suld.b.2d.v2.b32.trap", 2), "1:texture load r 8");
  EXPECT_EQ(showEffects("sust.b.1d.b8.clamp", 2), "0:texture store w 1");
  EXPECT_EQ(showEffects("sured.b.add.2d.u32.trap", 2), "0:texture atomic rw 4");
  EXPECT_EQ(showEffects("txq.width.b32", 2), "");
}

TEST(PTXMemoryTest, Matrices) {
  EXPECT_EQ(showEffects("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", 2),
            "1:shared load r 16");
  EXPECT_EQ(showEffects("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", 2),
            "1:shared load r 8");
  EXPECT_EQ(showEffects("stmatrix.sync.aligned.m8n8.x2.shared.b16", 2),
            "0:shared store w 8");
  EXPECT_EQ(showEffects("wmma.load.a.sync.aligned.row.m16n16k16.global.f16", 3),
            "1:global load r 16");
  EXPECT_EQ(showEffects("wmma.load.b.sync.aligned.col.m32n8k16.shared.s8", 3),
            "1:shared load r 4");
  EXPECT_EQ(showEffects("wmma.load.b.sync.aligned.col.m8n8k32.u4", 2),
            "1:generic load r 4");
  EXPECT_EQ(
      showEffects("wmma.store.d.sync.aligned.row.m16n16k16.global.f32", 2),
      "0:global store w 32");
}

TEST(PTXMemoryTest, NothingElseTouchesMemory) {
  for (StringRef M : {"add.u32", "mov.b32", "cvta.to.global.u64", "bar.sync",
                      "fence.sc.gpu", "shfl.sync.idx.b32", "call", "ret",
                      "mma.sync.aligned.m16n8k8.f32.f16.f16.f32",
                      "cp.async.wait_all", "isspacep.global", "foo.bar"})
    for (unsigned Count = 0; Count != 6; ++Count)
      EXPECT_EQ(showEffects(M, Count), "") << M.str();
}

//===- PTXOperandsTest.cpp - Operand signatures of PTX --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/ISA/PTXOpcode.h"
#include <gtest/gtest.h>

using namespace ptxpredict;
using namespace ptxpredict::ptx;

/// The operands of \p Mnemonic with \p Count of them as text: a letter for the
/// role (w r x a l c), the type where it is checked with `>` for wider and
/// `/` for sharing, and the number of the refused ones as "none".
static std::string showOperands(StringRef Mnemonic, unsigned Count,
                                bool HasReturnList = false) {
  DecodedOpcode D = decode(Mnemonic);
  SmallVector<OperandInfo, 8> Out;
  if (!operands(D.Op, D.Modifiers, Count, Out, HasReturnList))
    return Out.empty() ? "none" : "operands left behind";
  std::string Text;
  for (const OperandInfo &O : Out) {
    if (!Text.empty())
      Text += ' ';
    Text += "wrxalc"[unsigned(O.Role)];
    if (O.Checked)
      Text += (O.MayBeWider     ? ">"
               : O.VectorShares ? "/"
                                : "") +
              toString(O.Type).str();
  }
  return Text;
}

static std::string counts(StringRef Mnemonic) {
  DecodedOpcode D = decode(Mnemonic);
  return operandCounts(D.Op, D.Modifiers);
}

/// The forms of operand \p Index.
static unsigned forms(StringRef Mnemonic, unsigned Count, unsigned Index) {
  DecodedOpcode D = decode(Mnemonic);
  SmallVector<OperandInfo, 8> Out;
  EXPECT_TRUE(operands(D.Op, D.Modifiers, Count, Out)) << Mnemonic.str();
  return Index < Out.size() ? Out[Index].Forms : 0;
}

TEST(PTXOperandsTest, Arithmetic) {
  EXPECT_EQ(showOperands("add.s32", 3), "ws32 rs32 rs32");
  EXPECT_EQ(showOperands("add.s32", 2), "none");
  EXPECT_EQ(showOperands("add.s32", 4), "none");
  EXPECT_EQ(showOperands("add.rn.f32.bf16", 3), "wf32 rb16 rf32");
  EXPECT_EQ(showOperands("fma.rn.f32.f16", 4), "wf32 rf16 rf16 rf32");
  EXPECT_EQ(showOperands("fma.rn.f32x2.f16x2.f32x2.f32x2", 4),
            "wb64 rf16x2 rb64 rb64");
  EXPECT_EQ(showOperands("mul.rn.f16x2.f32x2.f32x2", 3), "wf16x2 rb64 rb64");
  EXPECT_EQ(showOperands("add.f16x2", 3), "wf16x2 rf16x2 rf16x2");
  EXPECT_EQ(showOperands("mul.wide.u16", 3), "wu32 ru16 ru16");
  EXPECT_EQ(showOperands("mul.hi.u32", 3), "wu32 ru32 ru32");
  EXPECT_EQ(showOperands("mad.wide.s32", 4), "ws64 rs32 rs32 rs64");
  EXPECT_EQ(showOperands("min.f32", 4), "wf32 rf32 rf32 rf32");
  EXPECT_EQ(showOperands("shl.b64", 3), "wb64 rb64 ru32");
  EXPECT_EQ(showOperands("popc.b64", 2), "wu32 rb64");
  EXPECT_EQ(showOperands("lop3.b32", 5), "wb32 rb32 rb32 rb32 r");
  EXPECT_EQ(showOperands("lop3.and.b32", 6), "w rb32 rb32 rb32 r rpred");
  EXPECT_EQ(showOperands("and.pred", 3), "wpred rpred rpred");
}

TEST(PTXOperandsTest, ComparisonAndMoves) {
  EXPECT_EQ(showOperands("setp.lt.f32", 3), "wpred rf32 rf32");
  EXPECT_EQ(showOperands("setp.lt.and.f32", 4), "wpred rf32 rf32 rpred");
  EXPECT_EQ(showOperands("set.eq.u32.f64", 3), "wu32 rf64 rf64");
  EXPECT_EQ(showOperands("slct.b64.f32", 4), "wb64 rb64 rb64 rf32");
  EXPECT_EQ(showOperands("mov.b64", 2), "w/b64 r/b64");
  EXPECT_EQ(showOperands("mov.v4.u32", 2), "wu32 ru32");
  EXPECT_EQ(showOperands("cvt.rn.f32.s64", 2), "w>f32 r>s64");
  EXPECT_EQ(showOperands("cvt.rn.f16x2.f32", 3), "w r r");
  EXPECT_EQ(showOperands("shfl.sync.idx.b32", 5), "w rb32 rb32 rb32 rb32");
  EXPECT_EQ(forms("setp.lt.f32", 3, 0),
            unsigned(FormRegister | FormPair | FormSink));
  EXPECT_EQ(forms("add.s32", 3, 0), unsigned(FormRegister));
  EXPECT_TRUE(forms("mov.u32", 2, 1) & FormSpecial);
  EXPECT_FALSE(forms("add.u32", 3, 1) & (FormSpecial | FormSymbol));
  EXPECT_TRUE(forms("selp.u32", 4, 3) & FormPredicate);
}

TEST(PTXOperandsTest, MemoryAndModifiersDecideTheCount) {
  EXPECT_EQ(showOperands("ld.global.f32", 2), "w>f32 a");
  // ptxas takes `ld.v2.f32 {%u1, %u2}`, but no `ld.f32 %u1`.
  EXPECT_EQ(showOperands("ld.global.v2.f32", 2), "w>b32 a");
  EXPECT_EQ(showOperands("ld.global.v2.u32", 2), "w>u32 a");
  EXPECT_EQ(showOperands("ld.global.f32", 3), "none");
  EXPECT_EQ(showOperands("ld.global.L2::cache_hint.f32", 3), "w>f32 a r");
  EXPECT_EQ(showOperands("st.global.u8", 2), "a r>u8");
  EXPECT_EQ(showOperands("atom.global.add.u32", 3), "wu32 a ru32");
  EXPECT_EQ(showOperands("atom.global.add.u32", 4), "none");
  EXPECT_EQ(showOperands("atom.global.cas.b64", 4), "wb64 a rb64 rb64");
  EXPECT_EQ(showOperands("atom.global.cas.b64", 3), "none");
  EXPECT_EQ(showOperands("red.global.add.f64", 2), "a rf64");
  EXPECT_EQ(showOperands("cp.async.ca.shared.global", 3), "a a r");
  EXPECT_EQ(showOperands("cp.async.ca.shared.global", 5), "a a r r r");
  EXPECT_EQ(showOperands(
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                "bytes",
                4),
            "a a r a");
  EXPECT_EQ(showOperands("cp.async.bulk.global.shared::cta.bulk_group", 3),
            "a a r");
  EXPECT_EQ(showOperands("cp.async.bulk.global.shared::cta.bulk_group", 4),
            "none");
  EXPECT_EQ(
      showOperands("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint",
                   4),
      "a a r r");
  EXPECT_EQ(
      showOperands("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group", 2),
      "a a");
  EXPECT_EQ(
      showOperands("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group", 3),
      "none");
  EXPECT_EQ(showOperands("fence.sc.gpu", 0), "");
  EXPECT_EQ(showOperands("fence.sc.gpu", 1), "none");
  EXPECT_EQ(showOperands("fence.proxy.tensormap::generic.acquire.gpu", 2),
            "a r");
}

// The optional operand is the second one.
TEST(PTXOperandsTest, OptionalOperandsInTheMiddle) {
  EXPECT_EQ(showOperands("bar.red.popc.u32", 3), "w r rpred");
  EXPECT_EQ(showOperands("bar.red.popc.u32", 4), "w r r rpred");
  EXPECT_EQ(showOperands("bar.red.popc.u32", 2), "none");
  EXPECT_EQ(showOperands("bar.sync", 2), "r r");
  EXPECT_EQ(showOperands("bar.arrive", 1), "none");
  EXPECT_EQ(showOperands("tcgen05.st.sync.aligned.16x32bx2.x1.b32", 3),
            "a r r");
}

TEST(PTXOperandsTest, Matrices) {
  EXPECT_EQ(
      showOperands("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4),
      "w r r r");
  EXPECT_EQ(
      showOperands("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16", 8),
      "x r r rpred r r r r");
  EXPECT_EQ(
      showOperands("wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e4m3", 8),
      "none");
  EXPECT_EQ(showOperands("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8", 4),
            "x r r rpred");
  EXPECT_EQ(showOperands("tcgen05.mma.cta_group::1.kind::f16", 5), "a r r r r");
  EXPECT_EQ(
      showOperands(
          "tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X", 7),
      "a r r r a a rpred");
}

// A guard may name several modifiers and have several alternatives.
TEST(PTXOperandsTest, GuardsCombine) {
  EXPECT_EQ(showOperands("mbarrier.try_wait.shared.b64", 3), "wpred a r");
  EXPECT_EQ(showOperands("mbarrier.try_wait.shared.b64", 5), "none");
  EXPECT_EQ(showOperands("mbarrier.try_wait.phase_type::primary.b64", 3),
            "wpred a r");
  EXPECT_EQ(showOperands("mbarrier.try_wait.phase_type::primary.b64", 5),
            "wpred w a r r");
  EXPECT_EQ(showOperands("tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale."
                         "decompress::lut::b.block32",
                         8),
            "a r r a r a a rpred");
  EXPECT_EQ(showOperands(
                "tcgen05.mma.cta_group::1.kind::f8f6f4.decompress::lut::b", 7),
            "a r r a r r r");
  EXPECT_EQ(showOperands("atom.add.noftz.L2::cache_hint.bf16", 4), "w a r r");
  EXPECT_EQ(showOperands("atom.add.noftz.bf16", 4), "none");
}

TEST(PTXOperandsTest, CallsAndBranches) {
  EXPECT_EQ(showOperands("bra.uni", 1), "l");
  EXPECT_EQ(showOperands("brx.idx", 2), "r l");
  EXPECT_EQ(showOperands("ret", 0), "");
  EXPECT_EQ(showOperands("call.uni", 1), "c");
  EXPECT_EQ(showOperands("call", 3, /*HasReturnList=*/true), "w c r");
  EXPECT_EQ(showOperands("call", 3, /*HasReturnList=*/false), "c r r");
  EXPECT_EQ(showOperands("call", 4, /*HasReturnList=*/true), "w c r r");
  EXPECT_EQ(showOperands("call", 4, /*HasReturnList=*/false), "none");
  EXPECT_EQ(showOperands("call", 0), "none");
}

TEST(PTXOperandsTest, UnknownOpcodesTakeAnything) {
  EXPECT_EQ(showOperands("foo.bar", 0), "");
  EXPECT_EQ(showOperands("foo.bar", 3), "w r r");
  EXPECT_EQ(forms("foo.bar", 3, 1) & FormAddress, unsigned(FormAddress));
}

TEST(PTXOperandsTest, CountsInWords) {
  EXPECT_EQ(counts("add.u32"), "3");
  EXPECT_EQ(counts("setp.lt.u32"), "3 or 4");
  EXPECT_EQ(counts("ret"), "0");
  EXPECT_EQ(counts("fence.sc.gpu"), "0 or 2");
  EXPECT_EQ(counts("lop3.b32"), "5 or 6");
  EXPECT_EQ(counts("bar.sync"), "1 or 2");
  EXPECT_EQ(counts("bar.red.popc.u32"), "3 or 4");
  EXPECT_EQ(counts("cp.async.ca.shared.global"), "3, 4 or 5");
  EXPECT_EQ(counts("atom.add.u32"), "3");
  EXPECT_EQ(counts("call"), "1, 2, 3 or 4");
}

// Whatever the counts, operands() agrees with operandCounts().
TEST(PTXOperandsTest, EveryRowTakesSomeCount) {
  for (Opcode Op : {
#define PTX_OPCODE(NAME, ...) Opcode::NAME,
#include "ptxpredict/ISA/PTXOpcodes.def"
       }) {
    SmallVector<OperandInfo, 8> Out;
    unsigned Accepted = 0;
    for (unsigned N = 0; N != 20; ++N)
      if (operands(Op, "", N, Out)) {
        EXPECT_EQ(Out.size(), N) << name(Op).str();
        ++Accepted;
      }
    EXPECT_GT(Accepted, 0u) << name(Op).str();
    EXPECT_FALSE(operandCounts(Op, "").empty()) << name(Op).str();
  }
}

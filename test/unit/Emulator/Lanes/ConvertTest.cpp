//===- ConvertTest.cpp - cvt between scalar types -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"
#include "LaneCases.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {
/// One warp; \p Next gives the source's bits.
template <class Fn>
void checkConversion(const InstructionCase &C, Fn Next) {
  LaneFunction F = laneFunctionOf(C.Mnemonic, 1);
  ASSERT_TRUE(F) << C.Mnemonic;
  auto BytesOf = [](ScalarType T) { return elementBytes(bitWidth(T)); };
  LaneValues Source;
  for (uint64_t &V : Source)
    V = Next();
  LaneRun Run(F, {BytesOf(C.Sources[0])}, {Source});
  for (unsigned L = 0; L != WarpSize; ++L) {
    LaneInput Input;
    Input.Source[0] = Source[L];
    ASSERT_EQ(llvm::utohexstr(Run.Dest[0].get(BytesOf(C.Dests[0]), L)),
              llvm::utohexstr(C.Reference(Input).Dest[0]))
        << C.Mnemonic << " of 0x" << llvm::utohexstr(Source[L]);
  }
}

/// The last type modifier.
StringRef sourceOf(const InstructionCase &C) {
  return StringRef(C.Mnemonic).rsplit('.').second;
}

TEST(ConvertTest, ScalarConversionsAreThoseOfAPFloat) {
  ValueSource Values(1);
  std::vector<InstructionCase> All = conversionCases();
  EXPECT_EQ(All.size(), 832u);
  for (const InstructionCase &C : All) {
    const llvm::fltSemantics *Format = formatOf(sourceOf(C));
    unsigned Bits = bitWidth(C.Sources[0]);
    for (unsigned Warp = 0; Warp != 8; ++Warp)
      checkConversion(C, [&] {
        uint64_t V =
            Format ? Values.floating(*Format, Bits) : Values.integer(Bits);
        // The high byte of an eight-bit operand says nothing.
        return Bits == 8 ? (V & 0xff) | (Values.random() & 0xff00) : V;
      });
  }
}

// Under the sanitizers, one in 29: they look for mistakes of the code that all
// values share.
TEST(ConvertTest, EveryHalf) {
  constexpr uint64_t Step = PTXPREDICT_IS_SANITIZED ? 29 : 1;
  for (const InstructionCase &C : conversionCases()) {
    bool IsHalf = sourceOf(C).ends_with("f16");
    StringRef First = StringRef(C.Mnemonic).split('.').second.split('.').first;
    bool IsCommon = First.starts_with("rn") || First.size() > 2;
    if (!IsHalf || !IsCommon || C.Dests[0] == ScalarType::U64)
      continue;
    uint64_t Bits = 0;
    while (Bits < 0x10000)
      checkConversion(C, [&] {
        uint64_t V = Bits & 0xffff;
        Bits += Step;
        return V;
      });
  }
}

TEST(ConvertTest, WhatPTXHasNotIsNotCovered) {
  for (StringRef Text :
       {"cvt.rn.u32.f32", "cvt.rni.f32.s32", "cvt.sat.s64.s32",
        "cvt.rn.sat.bf16.f32", "cvt.rna.relu.tf32.f32", "cvt.rni.f16.f32",
        "cvt.rn.ftz.f16.f16", "cvt.rn.relu.f16.f64", "cvt.f32", "cvt.f32.f31",
        "cvt.rn.rz.f16.f32", "cvt.rs.f16.f32"})
    EXPECT_FALSE(laneFunctionOf(Text, 1)) << Text.str();
  EXPECT_FALSE(laneFunctionOf("cvt.f32.f16", 2));
}
} // namespace

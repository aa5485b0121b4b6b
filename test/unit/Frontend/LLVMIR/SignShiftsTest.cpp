//===- SignShiftsTest.cpp - Tests of shifts that extend a sign ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoweredIR.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

namespace {

/// A kernel that stores what \p Code makes of its number %n as %r, of type
/// \p Type.
LoweredIR storing(StringRef Type, StringRef Code) {
  return LoweredIR("define ptx_kernel void @k(ptr addrspace(1) %out, " + Type +
                   " %n) {\n  %m = add " + Type + " %n, %n\n  " + Code +
                   "\n  store " + Type +
                   " %r, ptr addrspace(1) %out\n  ret void\n}\n");
}

void expectConversion(const LoweredIR &L, StringRef Mnemonic) {
  ASSERT_TRUE(L.M && L.PTX);
  for (const Module *M : {L.M.get(), L.PTX.get()}) {
    EXPECT_EQ(LoweredIR::count(*M, Mnemonic), 1U) << Mnemonic.str();
    EXPECT_EQ(LoweredIR::count(*M, "shl.b64"), 0U);
    EXPECT_EQ(LoweredIR::count(*M, "shl.b32"), 0U);
  }
  for (int64_t N : {0x12345678, -5, 0x40004040, 0x7fffffff})
    L.expectSameResults(8, N);
}

TEST(LLVMIRSignShifts, AreConversions) {
  expectConversion(
      storing("i64", "%s = shl i64 %m, 32\n  %r = ashr i64 %s, 32"),
      "cvt.s64.s32");
  expectConversion(
      storing("i64", "%s = shl i64 %m, 48\n  %r = ashr i64 %s, 48"),
      "cvt.s64.s16");
  expectConversion(
      storing("i32", "%s = shl i32 %m, 24\n  %r = ashr i32 %s, 24"),
      "cvt.s32.s8");
}

TEST(LLVMIRSignShifts, OthersStay) {
  // By different numbers, and one whose first shift others read.
  for (StringRef Code :
       {"%s = shl i64 %m, 32\n  %r = ashr i64 %s, 31",
        "%s = shl i64 %m, 32\n  %t = ashr i64 %s, 32\n  %r = xor i64 %s, "
        "%t"}) {
    LoweredIR L = storing("i64", Code);
    ASSERT_TRUE(L.M && L.PTX);
    for (StringRef Mnemonic : {"shl.b64", "shr.s64", "cvt.s64.s32"})
      EXPECT_EQ(LoweredIR::count(*L.M, Mnemonic),
                LoweredIR::count(*L.PTX, Mnemonic))
          << Code.str() << ": " << Mnemonic.str();
    EXPECT_EQ(LoweredIR::count(*L.M, "shl.b64"), 1U) << Code.str();
    for (int64_t N : {0x12345678, -5, 0x7fffffff})
      L.expectSameResults(8, N);
  }
}

} // namespace

//===- IntrinsicsRunTest.cpp - Intrinsics in kernels that run -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What a single call does not show: flags of calls and functions, copies, and
// what a warp computes.
//===----------------------------------------------------------------------===//
#include "GraphText.h"
#include "LoweredIR.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

namespace {

/// Both graphs of each function hold the same instructions.
void expectSameText(const LoweredIR &L) {
  ASSERT_TRUE(L.M && L.PTX);
  for (const auto &F : L.M->Functions) {
    const InstructionGraph *Other = L.PTX->function(F->Name);
    ASSERT_TRUE(Other) << F->Name.str();
    EXPECT_EQ(graphText(*F), graphText(*Other)) << F->Name.str();
  }
}

std::string function(StringRef Name, StringRef Call, StringRef Parameters,
                     StringRef Result, StringRef Attributes = "") {
  return ("define " + Result + " @" + Name + "(" + Parameters + ") " +
          Attributes + " {\n  %r = " + Call + "\n  ret " + Result + " %r\n}\n")
      .str();
}

TEST(Intrinsics, FlagsChooseInstructions) {
  StringRef Flush = "\"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\"";
  StringRef One = "float %x", Two = "float %x, float %y";
  std::string Text;
  for (StringRef Name : {"sin", "cos", "tanh", "sqrt"})
    Text += function(("fast_" + Name).str(),
                     ("call afn float @llvm." + Name + ".f32(float %x)").str(),
                     One, "float");
  for (StringRef Name :
       {"sqrt", "fabs", "exp2", "floor", "rint", "canonicalize", "round"})
    Text += function(("flush_" + Name).str(),
                     ("call float @llvm." + Name + ".f32(float %x)").str(), One,
                     "float", Flush);
  for (StringRef Name : {"minnum", "maximum", "copysign"})
    Text += function(
        ("flush_" + Name).str(),
        ("call float @llvm." + Name + ".f32(float %x, float %y)").str(), Two,
        "float", Flush);
  Text += function("no_nans",
                   "call nnan nsz double @llvm.maximum.f64(double %x, double "
                   "%y)",
                   "double %x, double %y", "double");
  Text += function("reassociated",
                   "call reassoc float @llvm.vector.reduce.fadd.v4f32(float "
                   "%x, <4 x float> %v)",
                   "float %x, <4 x float> %v", "float");
  expectSameText(LoweredIR(Text));
}

TEST(Intrinsics, ConstantAmounts) {
  std::string Text;
  for (unsigned By : {1, 13, 31, 32, 33, 63})
    for (StringRef Name : {"fshl", "fshr"})
      for (StringRef Other : {"x", "y"})
        Text += function((Name + "_" + Other + llvm::Twine(By)).str(),
                         ("call i64 @llvm." + Name + ".i64(i64 %x, i64 %" +
                          Other + ", i64 " + llvm::Twine(By) + ")")
                             .str(),
                         "i64 %x, i64 %y", "i64");
  LoweredIR L(Text);
  expectSameText(L);
}

TEST(Intrinsics, ShortCopies) {
  LoweredIR L(R"(
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memmove.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
define void @copy(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %x, ptr addrspace(1) align 4 %y, i64 23, i1 false)
  ret void
}
define void @move(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 8 %x, ptr addrspace(1) align 8 %y, i64 24, i1 false)
  ret void
}
define void @clear(ptr addrspace(1) %x) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 16 %x, i8 0, i64 64, i1 false)
  ret void
}
define void @fill(ptr addrspace(1) %x, i8 %c) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 8 %x, i8 %c, i64 21, i1 false)
  ret void
}
)");
  expectSameText(L);
}

TEST(Intrinsics, LongCopiesAreLoops) {
  LoweredIR L(R"(
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n, i1 false)
  ret void
}
)");
  ASSERT_TRUE(L.M);
  EXPECT_EQ(LoweredIR::count(*L.M, "ld.global.b8"), 1u);
  EXPECT_EQ(LoweredIR::count(*L.M, "llvm.memcpy"), 0u);
}

constexpr StringRef Lane = R"(
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %seed = mul i32 %lane, -1640531535
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %lane
)";

std::string intrinsicsKernel(StringRef Body, StringRef More = "") {
  return ("define ptx_kernel void @k(ptr addrspace(1) %p) {" + Lane + Body +
          "  ret void\n}\n" + More)
      .str();
}

/// Both graphs leave the same in the buffer, and not all lanes the same there.
void expectSameRun(const LoweredIR &L) {
  L.expectSameResults(128);
  std::vector<uint8_t> Results = LoweredIR::run(*L.M, 128, {});
  ASSERT_EQ(Results.size(), 128u);
  EXPECT_FALSE(
      std::equal(Results.begin(), Results.end() - 4, Results.begin() + 4));
}

TEST(Intrinsics, OtherLanesAreRead) {
  expectSameRun(LoweredIR(intrinsicsKernel(R"(
  %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %seed, i32 5, i32 31)
  %both = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %seed, i32 9, i32 31)
  %b = extractvalue {i32, i1} %both, 0
  %inside = extractvalue {i32, i1} %both, 1
  %low = trunc i32 %seed to i3
  %odd = icmp ugt i32 %seed, 2000000000
  %c = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  %third = urem i32 %lane, 3
  %d = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %third)
  %e = call i32 @llvm.nvvm.redux.sync.umax(i32 %seed, i32 -1)
  %f = select i1 %inside, i32 77, i32 12
  %x1 = xor i32 %a, %b
  %x2 = xor i32 %x1, %c
  %x3 = add i32 %x2, %d
  %x4 = xor i32 %x3, %e
  %x5 = add i32 %x4, %f
  store i32 %x5, ptr addrspace(1) %at
)")));
}

TEST(Intrinsics, BitsAreComputed) {
  expectSameRun(LoweredIR(intrinsicsKernel(R"(
  %a = call i32 @llvm.nvvm.prmt(i32 %seed, i32 %lane, i32 29488)
  %b = call i32 @llvm.fshl.i32(i32 %seed, i32 %a, i32 %lane)
  %c = call i32 @llvm.bitreverse.i32(i32 %b)
  %d = call i32 @llvm.ctpop.i32(i32 %seed)
  %e = call i32 @llvm.ctlz.i32(i32 %lane, i1 false)
  %f = call i32 @llvm.cttz.i32(i32 %lane, i1 false)
  %g = call i32 @llvm.sadd.sat.i32(i32 %seed, i32 1234567890)
  %h = call i32 @llvm.usub.sat.i32(i32 %seed, i32 1234567890)
  %wide = sext i32 %seed to i64
  %i64 = call i64 @llvm.fshr.i64(i64 %wide, i64 81985529216486895, i64 21)
  %i = trunc i64 %i64 to i32
  %small = trunc i32 %seed to i16
  %rev = call i16 @llvm.bitreverse.i16(i16 %small)
  %j = zext i16 %rev to i32
  %o = call {i32, i1} @llvm.smul.with.overflow.i32(i32 %seed, i32 3)
  %over = extractvalue {i32, i1} %o, 1
  %k = zext i1 %over to i32
  %l = call i32 @llvm.nvvm.idp4a.s.u(i32 %seed, i32 %a, i32 %b)
  %x1 = xor i32 %a, %b
  %x2 = xor i32 %x1, %c
  %x3 = add i32 %x2, %d
  %x4 = mul i32 %x3, 31
  %x5 = add i32 %x4, %e
  %x6 = mul i32 %x5, 31
  %x7 = add i32 %x6, %f
  %x8 = xor i32 %x7, %g
  %x9 = xor i32 %x8, %h
  %y1 = xor i32 %x9, %i
  %y2 = add i32 %y1, %j
  %y3 = add i32 %y2, %k
  %y4 = xor i32 %y3, %l
  store i32 %y4, ptr addrspace(1) %at
)")));
}

TEST(Intrinsics, FloatsAreComputed) {
  expectSameRun(LoweredIR(intrinsicsKernel(R"(
  %x = sitofp i32 %seed to float
  %y = fmul float %x, 0x3E20000000000000
  %a = call float @llvm.round.f32(float %y)
  %b = call float @llvm.floor.f32(float %y)
  %c = call float @llvm.copysign.f32(float 3.0, float %y)
  %d = call float @llvm.ldexp.f32.i32(float %y, i32 %lane)
  %e = call i32 @llvm.fptosi.sat.i32.f32(float %d)
  %f = call float @llvm.fma.f32(float %a, float %b, float %c)
  %g = call float @llvm.nvvm.add.rz.f(float %f, float %y)
  %h = call i32 @llvm.nvvm.f2i.rm(float %g)
  %i = call i1 @llvm.is.fpclass.f32(float %d, i32 264)
  %j = zext i1 %i to i32
  %z1 = xor i32 %e, %h
  %z2 = add i32 %z1, %j
  store i32 %z2, ptr addrspace(1) %at
)")));
}

TEST(Intrinsics, SharedMemoryIsUsed) {
  expectSameRun(LoweredIR(intrinsicsKernel(
      R"(
  %to = getelementptr [32 x i32], ptr addrspace(3) @s, i32 0, i32 %lane
  store i32 %seed, ptr addrspace(1) %at
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %to, ptr addrspace(1) %at)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = sub i32 31, %lane
  %from = getelementptr [32 x i32], ptr addrspace(3) @s, i32 0, i32 %other
  %v = load i32, ptr addrspace(3) %from
  %row = and i32 %lane, 7
  %start = mul i32 %row, 4
  %rows = getelementptr [32 x i32], ptr addrspace(3) @s, i32 0, i32 %start
  %m = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.trans.b16.p3(ptr addrspace(3) %rows)
  %sum = xor i32 %v, %m
  store i32 %sum, ptr addrspace(1) %at
)",
      "@s = internal addrspace(3) global [32 x i32] undef, align "
      "16\n")));
}

TEST(Intrinsics, MatricesAreMultiplied) {
  expectSameRun(LoweredIR(intrinsicsKernel(R"(
  %f = uitofp i32 %lane to half
  %h0 = insertelement <2 x half> poison, half %f, i32 0
  %h = insertelement <2 x half> %h0, half 0xH3C00, i32 1
  %d = call {float, float, float, float} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, float 1.0, float 2.0, float 3.0, float 4.0)
  %d0 = extractvalue {float, float, float, float} %d, 0
  %d3 = extractvalue {float, float, float, float} %d, 3
  %sum = fsub float %d0, %d3
  %bits = bitcast float %sum to i32
  store i32 %bits, ptr addrspace(1) %at
)")));
}

} // namespace

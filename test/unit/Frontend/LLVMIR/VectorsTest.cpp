//===- VectorsTest.cpp - Tests of elements of vectors and aggregates ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Each kernel is run as we lower it and as LLVM's back end does.
//===----------------------------------------------------------------------===//
#include "LoweredIR.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

namespace {

/// A kernel with a vector of each thread in %v, made of two numbers, and what
/// \p Body makes of it in %r, of type \p Result, written behind each other.
std::string vectorKernel(const Twine &Vector, const Twine &Body,
                         const Twine &Result) {
  return ("declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
          "define ptx_kernel void @k(ptr %p, i64 %a, i64 %b, i32 %i) {\n"
          "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
          "  %wide = zext i32 %tid to i64\n"
          "  %x = add i64 %a, %wide\n"
          "  %y = xor i64 %b, %x\n"
          "  %both = insertelement <2 x i64> poison, i64 %x, i32 0\n"
          "  %pair = insertelement <2 x i64> %both, i64 %y, i32 1\n"
          "  %v = bitcast <2 x i64> %pair to " +
          Vector + "\n" + Body + "\n  %at = getelementptr " + Result +
          ", ptr %p, i32 %tid\n  store " + Result +
          " %r, ptr %at, align 1\n  ret void\n}\n")
      .str();
}

void expectSame(const Twine &Vector, const Twine &Body, const Twine &Result,
                int64_t Index = 0) {
  SCOPED_TRACE(Body.str());
  LoweredIR L(vectorKernel(Vector, Body, Result));
  EXPECT_EQ(L.messages(), "");
  L.expectSameResults(32 * 16, {0x0123456789ABCDEF, 0x55AA33CC0FF0A5C3, Index});
}

TEST(LLVMIRVectors, ElementsOfTwoInARegister) {
  expectSame("<8 x i16>", "%r = extractelement <8 x i16> %v, i32 3", "i16");
  expectSame("<8 x i16>", "%r = extractelement <8 x i16> %v, i32 4", "i16");
  expectSame("<8 x i16>",
             "%e = extractelement <8 x i16> %v, i32 1\n"
             "%r = insertelement <8 x i16> %v, i16 %e, i32 6",
             "<8 x i16>");
  expectSame("<8 x i16>",
             "%e = extractelement <8 x i16> %v, i32 1\n"
             "%s = insertelement <2 x i16> <i16 5, i16 poison>, i16 %e, i32 1\n"
             "%r = add <2 x i16> %s, <i16 1, i16 2>",
             "<2 x i16>");
  expectSame("<8 x i16>",
             "%e = extractelement <8 x i16> %v, i32 7\n"
             "%s = insertelement <4 x i16> poison, i16 %e, i32 0\n"
             "%t = shufflevector <4 x i16> %s, <4 x i16> poison, <4 x i32> "
             "zeroinitializer\n"
             "%r = add <4 x i16> %t, <i16 1, i16 2, i16 3, i16 4>",
             "<4 x i16>");
}

TEST(LLVMIRVectors, ShufflesOfTwoInARegister) {
  expectSame("<8 x i16>",
             "%r = shufflevector <8 x i16> %v, <8 x i16> poison, <8 x i32> "
             "<i32 1, i32 0, i32 2, i32 3, i32 7, i32 2, i32 0, i32 6>",
             "<8 x i16>");
  expectSame("<8 x i16>",
             "%w = add <8 x i16> %v, splat (i16 9)\n"
             "%r = shufflevector <8 x i16> %v, <8 x i16> %w, <3 x i32> <i32 8, "
             "i32 1, i32 15>",
             "<3 x i16>");
  expectSame("<8 x i16>",
             "%w = shufflevector <8 x i16> %v, <8 x i16> poison, <3 x i32> "
             "<i32 2, i32 4, i32 5>\n"
             "%r = shufflevector <3 x i16> %w, <3 x i16> <i16 1, i16 2, i16 "
             "3>, <4 x i32> <i32 2, i32 3, i32 0, i32 5>",
             "<4 x i16>");
}

TEST(LLVMIRVectors, Bytes) {
  for (unsigned N : {0, 1, 2, 3, 13})
    expectSame("<16 x i8>", "%r = extractelement <16 x i8> %v, i32 " + Twine(N),
               "i8");
  for (StringRef Extension : {"sext", "zext"})
    expectSame("<16 x i8>",
               "%e = extractelement <16 x i8> %v, i32 5\n"
               "%r = " +
                   Extension + " i8 %e to i32",
               "i32");
  expectSame("<16 x i8>",
             "%e = extractelement <16 x i8> %v, i32 5\n"
             "%r = insertelement <16 x i8> %v, i8 %e, i32 2",
             "<16 x i8>");
  expectSame("<16 x i8>",
             "%a1 = extractelement <16 x i8> %v, i32 5\n"
             "%a2 = add i8 %a1, 1\n%a3 = add i8 %a1, 2\n%a4 = mul i8 %a1, 3\n"
             "%b1 = insertelement <4 x i8> poison, i8 %a1, i32 0\n"
             "%b2 = insertelement <4 x i8> %b1, i8 %a2, i32 1\n"
             "%b3 = insertelement <4 x i8> %b2, i8 %a3, i32 2\n"
             "%r = insertelement <4 x i8> %b3, i8 %a4, i32 3",
             "<4 x i8>");
  expectSame("<16 x i8>",
             "%a1 = extractelement <16 x i8> %v, i32 5\n"
             "%b1 = insertelement <4 x i8> <i8 1, i8 2, i8 3, i8 4>, i8 %a1, "
             "i32 1\n"
             "%r = insertelement <4 x i8> %b1, i8 77, i32 3",
             "<4 x i8>");
  expectSame("<16 x i8>",
             "%r = shufflevector <16 x i8> %v, <16 x i8> poison, <8 x i32> "
             "<i32 3, i32 2, i32 1, i32 0, i32 15, i32 4, i32 0, i32 9>",
             "<8 x i8>");
  expectSame("<16 x i8>",
             "%r = shufflevector <16 x i8> %v, <16 x i8> poison, <3 x i32> "
             "<i32 3, i32 2, i32 9>",
             "<3 x i8>");
}

TEST(LLVMIRVectors, ARegisterForEachElement) {
  LoweredIR L(
      vectorKernel("<4 x float>",
                   "%s = shufflevector <4 x float> %v, <4 x float> poison, "
                   "<4 x i32> <i32 3, i32 2, i32 1, i32 0>\n"
                   "%e = extractelement <4 x float> %s, i32 0\n"
                   "%r = insertelement <4 x float> %s, float %e, i32 2",
                   "<4 x float>"));
  L.expectSameResults(32 * 16, {0x3F80000040000000, 0x4040000040800000, 0});
  // None of it is work.
  EXPECT_EQ(LoweredIR::count(*L.M, "prmt.b32"), 0u);
  EXPECT_EQ(LoweredIR::count(*L.M, "selp.b32"), 0u);
}

TEST(LLVMIRVectors, IndicesThatAreNotConstant) {
  for (int64_t Index : {0, 1, 3}) {
    expectSame("<4 x float>", "%r = extractelement <4 x float> %v, i32 %i",
               "float", Index);
    expectSame("<4 x float>",
               "%r = insertelement <4 x float> %v, float 1.0, i32 %i",
               "<4 x float>", Index);
    expectSame("<16 x i8>", "%r = extractelement <16 x i8> %v, i32 %i", "i8",
               Index);
    expectSame("<16 x i8>",
               "%s = shufflevector <16 x i8> %v, <16 x i8> poison, <4 x i32> "
               "<i32 1, i32 7, i32 3, i32 9>\n"
               "%r = extractelement <4 x i8> %s, i32 %i",
               "i8", Index);
    expectSame("<8 x i16>", "%r = insertelement <8 x i16> %v, i16 5, i32 %i",
               "<8 x i16>", Index);
    expectSame("<2 x double>",
               "%j = and i32 %i, 1\n"
               "%r = extractelement <2 x double> %v, i32 %j",
               "double", Index);
  }
  for (int64_t Index : {0, 1})
    expectSame("<8 x i16>",
               "%s = shufflevector <8 x i16> %v, <8 x i16> poison, <2 x i32> "
               "<i32 1, i32 7>\n"
               "%r = extractelement <2 x i16> %s, i32 %i",
               "i16", Index);
}

TEST(LLVMIRVectors, PredicatesHaveNoPlaceInMemory) {
  LoweredIR L(vectorKernel("<4 x i32>",
                           "%c = icmp sgt <4 x i32> %v, zeroinitializer\n"
                           "%e = extractelement <4 x i1> %c, i32 %i\n"
                           "%r = zext i1 %e to i32",
                           "i32"));
  EXPECT_EQ(LoweredIR::count(*L.M, "extractelement"), 1u); // unknown
}

TEST(LLVMIRVectors, Aggregates) {
  LoweredIR L(vectorKernel(
      "<4 x i32>",
      "%e = extractelement <4 x i32> %v, i32 1\n"
      "%s = insertvalue { i32, [2 x <2 x i16>], { i64, i32 } } poison, i32 %e, "
      "2, 1\n"
      "%t = insertvalue { i32, [2 x <2 x i16>], { i64, i32 } } %s, <2 x i16> "
      "<i16 1, i16 2>, 1, 1\n"
      "%u = extractvalue { i32, [2 x <2 x i16>], { i64, i32 } } %t, 1\n"
      "%w = extractvalue [2 x <2 x i16>] %u, 1\n"
      "%x1 = bitcast <2 x i16> %w to i32\n"
      "%y1 = extractvalue { i32, [2 x <2 x i16>], { i64, i32 } } %t, 2, 1\n"
      "%r = add i32 %x1, %y1",
      "i32"));
  L.expectSameResults(32 * 4, {7, 11, 0});
}

} // namespace

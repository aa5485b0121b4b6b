//===- TraceKernelNamesTest.cpp - Tests of TraceKernelNames ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Scenario/Trace/TraceKernelNames.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

TEST(TraceKernelNames, FindsTheFunctionsName) {
  EXPECT_EQ(functionNameOf("saxpy"), "saxpy");
  EXPECT_EQ(functionNameOf("saxpy(int, float, const float *)"), "saxpy");
  EXPECT_EQ(functionNameOf("void a::<unnamed>::f<(int)4, b::c<d>>(e::g *)"),
            "f");
  EXPECT_EQ(functionNameOf("void (anonymous namespace)::f<4>(float*)"), "f");
  EXPECT_EQ(functionNameOf("step 3/f"), "f");
  EXPECT_EQ(functionNameOf("void f(void (*)(int)) [clone .1]"), "f");
  EXPECT_EQ(functionNameOf("<<<"), "<<<");
  EXPECT_EQ(functionNameOf(")"), ")");
  EXPECT_EQ(functionNameOf(""), "");
}

TEST(TraceKernelNames, ComparesBothSpellings) {
  auto Same = [](StringRef A, StringRef B) {
    return comparableName(A) == comparableName(B);
  };
  EXPECT_TRUE(Same("void f<(int)4, (bool)1>(const float *, unsigned int)",
                   "void f<4, true>(float const*, unsigned int)"));
  EXPECT_TRUE(Same("void n::<unnamed>::f<(unsigned long)8>(T1 *)",
                   "n::(anonymous namespace)::f<8ul>(T1*)"));
  EXPECT_FALSE(Same("void f<float>(float *)", "void f<double>(double*)"));
  EXPECT_FALSE(Same("void f<(int)4>()", "void f<8>()"));
  EXPECT_FALSE(Same("void f(int)", "void f(unsigned int)"));
  EXPECT_TRUE(saysArguments("f<4>"));
  EXPECT_FALSE(saysArguments("f"));
}

} // namespace

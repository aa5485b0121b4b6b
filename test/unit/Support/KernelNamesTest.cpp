//===- KernelNamesTest.cpp - The names by which a kernel is chosen --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/KernelNames.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

TEST(KernelNames, PlainNamesStay) {
  for (StringRef Name :
       {"saxpy", "a", "f", "Pf", "$odd%name", "_Z", "_Znonsense", ""}) {
    KernelNames N(Name);
    EXPECT_EQ(N.Mangled, Name);
    EXPECT_EQ(N.Demangled, Name);
    EXPECT_EQ(N.Signature, Name);
    EXPECT_EQ(N.Short, Name);
  }
}

TEST(KernelNames, DropsReturnTypeThenParameters) {
  KernelNames Function("_Z6kernelPfi");
  EXPECT_EQ(Function.Demangled, "kernel(float*, int)");
  EXPECT_EQ(Function.Signature, "kernel(float*, int)");
  EXPECT_EQ(Function.Short, "kernel");
  KernelNames Template("_ZN2ns6kernelIfLi4EEEvPT_");
  EXPECT_EQ(Template.Demangled, "void ns::kernel<float, 4>(float*)");
  EXPECT_EQ(Template.Signature, "ns::kernel<float, 4>(float*)");
  EXPECT_EQ(Template.Short, "ns::kernel<float, 4>");
}

TEST(KernelNames, MatchesAnyName) {
  KernelNames N("_ZN2ns6kernelIfEEvPT_");
  auto Matches = [&](StringRef Glob) {
    Expected<llvm::GlobPattern> G = llvm::GlobPattern::create(Glob);
    return bool(G) && N.matches(*G);
  };
  EXPECT_TRUE(Matches("_ZN2ns6kernelIfEEvPT_"));
  EXPECT_TRUE(Matches("void ns::kernel<float>(float[*])"));
  EXPECT_TRUE(Matches("ns::kernel<float>(float[*])"));
  EXPECT_TRUE(Matches("ns::kernel<float>"));
  EXPECT_TRUE(Matches("ns::*"));
  EXPECT_FALSE(Matches("kernel"));
  EXPECT_FALSE(Matches("ns::kernel"));
}

} // namespace

//===- KernelNamesTest.cpp - The names by which a kernel is chosen --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/NameLists.h"
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

TEST(KernelNames, LongNamesStay) {
  auto Nested = [](size_t Levels) {
    std::string Name = "_Z";
    for (size_t N = 0; N != Levels; ++N)
      Name += "1fI";
    return Name + "i" + std::string(Levels, 'E') + "vv";
  };
  EXPECT_TRUE(StringRef(KernelNames(Nested(3)).Short).starts_with("f<f<f<int"));
  EXPECT_TRUE(StringRef(KernelNames(Nested(4000)).Short).starts_with("f<f<f<"));
  for (size_t Levels : {5000, 200000}) {
    KernelNames N(Nested(Levels));
    EXPECT_EQ(N.Short, N.Mangled);
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
    Expected<OwnedGlob> G = OwnedGlob::create(Glob);
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

TEST(KernelNames, ListsTheFirstNames) {
  EXPECT_EQ(listNames({}), "none");
  EXPECT_EQ(listNames({"a", "b", "c", "d", "e", "f", "g", "h"}),
            "a, b, c, d, e, f, g, h");
  EXPECT_EQ(listNames({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}),
            "a, b, c, d, e, f, g, h, i, j");
  EXPECT_EQ(listNames({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"}),
            "a, b, c, d, e, f, g, h and 3 more");
}

TEST(KernelNames, SaysWhatWasMeantAndWhatThereIs) {
  EXPECT_EQ(meantOrListed("sapxy", {"saxpy"}), "; did you mean 'saxpy'?");
  EXPECT_EQ(meantOrListed("sapxy", {"saxpy", "scale", "saxpy"}),
            "; did you mean 'saxpy'? There are saxpy, scale");
  EXPECT_EQ(meantOrListed("xyzzy", {"saxpy"}), "; there is saxpy");
  EXPECT_EQ(meantOrListed("xyzzy", {"saxpy", "scale"}, "'x'"),
            "; there are saxpy, scale ('x' lists them)");
  EXPECT_EQ(meantOrListed("xyzzy", {}), "");
}

TEST(KernelNames, SaysWhatAGlobCouldHaveMatched) {
  const KernelNames Kernels[] = {KernelNames("_ZN2ns6kernelIfEEvPT_"),
                                 KernelNames("copy")};
  EXPECT_EQ(noKernelMatches("cpy", Kernels),
            "no kernel matches 'cpy'; did you mean 'copy'? There are "
            "ns::kernel<float>, copy");
  EXPECT_EQ(noKernelMatches("absent", Kernels),
            "no kernel matches 'absent'; there are ns::kernel<float>, copy");
  EXPECT_EQ(noKernelMatches("absent", {}),
            "no kernel matches 'absent'; there are none");
}

TEST(KernelNames, HashesOfFilesInNames) {
  EXPECT_EQ(withoutFileHashes("_ZN37_GLOBAL__N__8c1f02ab_4_a_cu_9900aa116k2E"),
            "_ZN37_GLOBAL__N__#_4_a_cu_#k2E")
      << "the length of the name stands beside the hash";
  EXPECT_EQ(withoutFileHashes("_ZL4copyPf__static__4f36c0a1b2d3e4f5"),
            "_ZL4copyPf__static__#");
  EXPECT_EQ(withoutFileHashes("_GLOBAL__N__1234567_deadbeef"),
            "_GLOBAL__N__1234567_deadbeef")
      << "too short; a word";
  EXPECT_EQ(withoutFileHashes("copy_10000000"), "copy_10000000")
      << "not of a file";
}

} // namespace

//===- SourceNamesTest.cpp - Tests of loops and branches by source line ---===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/SourceNames.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

TEST(SourceNames, AreAnyEndOfThePath) {
  constexpr StringRef Line = "/home/u/src/saxpy.cu:28";
  for (StringRef Key :
       {"saxpy.cu:28", "src/saxpy.cu:28", "./saxpy.cu:28", "saxpy.cu:28:5",
        "/home/u/src/saxpy.cu:28", "/src/saxpy.cu:28"})
    EXPECT_TRUE(meansSourceLine(Key, Line)) << Key.str();
  for (StringRef Key : {"", ":28", "28", "cu:28", "axpy.cu:28", "saxpy.cu:2",
                        "saxpy.cu:8", "saxpy.cu", "saxpy.cu:28:x",
                        "/u2/src/saxpy.cu:28", "x/home/u/src/saxpy.cu:28"})
    EXPECT_FALSE(meansSourceLine(Key, Line)) << Key.str();
}

} // namespace

//===- PathsTest.cpp ------------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Paths.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

std::string relative(std::string Path, StringRef Root) {
  makeRelative(Path, Root);
  return Path;
}

TEST(Paths, BelowARoot) {
  EXPECT_EQ(relative("/a/b/c.cu", "/a"), "b/c.cu");
  EXPECT_EQ(relative("/a/b/c.cu", "/a/"), "b/c.cu");
  EXPECT_EQ(relative("/ab/c.cu", "/a"), "/ab/c.cu");
  EXPECT_EQ(relative("c.cu", "/a"), "c.cu");
  EXPECT_EQ(relative("/a/c.cu", ""), "/a/c.cu");
}

TEST(Paths, Absolute) {
  EXPECT_EQ(absolutePath("/a/./b/../c"), "/a/c");
  EXPECT_EQ(absolutePath("x").substr(0, 1), "/");
}

TEST(Paths, Places) {
  PathPlace P = splitPlace("/a:b/k.cu:7:12");
  EXPECT_EQ(P.Path, "/a:b/k.cu");
  EXPECT_EQ(P.Line, 7U);
  EXPECT_EQ(P.Column, 12U);
  P = splitPlace("/a:b/k.cu:7"); // of a table without columns
  EXPECT_EQ(P.Path, "/a:b/k.cu");
  EXPECT_EQ(P.Line, 7U);
  EXPECT_EQ(P.Column, 0U);
  for (StringRef Text : {"k.cu", "k.cu:x", ""}) {
    EXPECT_EQ(splitPlace(Text).Line, 0U) << Text.str();
    EXPECT_EQ(splitPlace(Text).Path, Text);
  }
}

} // namespace

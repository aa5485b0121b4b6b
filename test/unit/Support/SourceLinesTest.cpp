//===- SourceLinesTest.cpp - Lines of texts by number ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/SourceLines.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

TEST(SourceLines, FindsLinesWithoutTheirEnds) {
  SourceLines Lines;
  StringRef Text = "one\r\ntwo\n\nfour";
  EXPECT_EQ(Lines.find(Text, 1), StringRef("one"));
  EXPECT_EQ(Lines.find(Text, 2), StringRef("two"));
  EXPECT_EQ(Lines.find(Text, 3), StringRef(""));
  EXPECT_EQ(Lines.find(Text, 4), StringRef("four"));
  EXPECT_EQ(Lines.find(Text, 0), std::nullopt);
  EXPECT_EQ(Lines.find(Text, 5), std::nullopt);
}

TEST(SourceLines, KeepsTextsApart) {
  SourceLines Lines;
  std::string A = "a\nb", B = "c\nd";
  EXPECT_EQ(Lines.find(A, 2), StringRef("b"));
  EXPECT_EQ(Lines.find(B, 2), StringRef("d"));
  EXPECT_EQ(Lines.find(A, 1), StringRef("a"));
}

} // namespace

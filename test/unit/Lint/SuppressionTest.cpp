//===- SuppressionTest.cpp ------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Lint/Suppression.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// "GLOBS: REASON", or "-" without one.
std::string textOf(const std::optional<Suppression> &S) {
  return S ? (S->Globs + ": " + S->Reason).str() : "-";
}
std::string found(StringRef Text, StringRef Rule = "bank-conflict") {
  return textOf(Suppression::find(Text, Rule));
}
std::string findOfLine(StringRef Line, StringRef Before) {
  return textOf(Suppression::findOfLine(Line, Before, "bank-conflict"));
}

TEST(Suppression, NamesRulesByGlobs) {
  EXPECT_EQ(found("ptx-predict: ignore[bank-conflict] runs once"),
            "bank-conflict: runs once");
  EXPECT_EQ(found("ptx-predict:ignore[ tail-effect , bank-*]"),
            " tail-effect , bank-*: ");
  EXPECT_EQ(found("ptx-predict: ignore[tail-effect] no"), "-");
  EXPECT_EQ(found("ptx-predict: ignore[{]"), "-") << "no glob";
}

TEST(Suppression, TheFirstThatNamesTheRule) {
  StringRef Two = "ptx-predict: ignore[tail-effect] small "
                  "ptx-predict: ignore[*] a test";
  EXPECT_EQ(found(Two), "*: a test");
  EXPECT_EQ(found(Two, "tail-effect"), "tail-effect: small");
}

TEST(Suppression, WhatIsNone) {
  for (StringRef Text :
       {"", "ptx-predict:", "ptx-predict: ignore", "ptx-predict: ignore[*",
        "ptx-predict: ignores[*]", "predict: ignore[*] x"})
    EXPECT_EQ(found(Text), "-") << Text.str();
}

TEST(Suppression, InTheCommentOfALineOrAloneBeforeIt) {
  StringRef Comment = "  // ptx-predict: ignore[*] why";
  std::string Code = "x = 1;" + Comment.str();
  EXPECT_EQ(findOfLine(Code, ""), "*: why");
  EXPECT_EQ(findOfLine("x = 1;", Comment), "*: why");
  EXPECT_EQ(findOfLine("x = 1;", Code), "-") << "it is of the line before";
  EXPECT_EQ(findOfLine("s = \"ptx-predict: ignore[*]\";", ""), "-");
}

} // namespace

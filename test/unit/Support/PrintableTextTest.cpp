//===- PrintableTextTest.cpp - Texts of inputs as they are shown ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

TEST(PrintableText, ControlCharactersAreEscaped) {
  EXPECT_EQ(printable("a b"), "a b");
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("\x1b[31mred\x7f"), "\\x1b[31mred\\x7f");
  EXPECT_EQ(printable(StringRef("a\0b\n\t\x01", 6)), "a\\x00b\\n\\t\\x01");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");
  EXPECT_TRUE(isPrintable("a b"));
  EXPECT_FALSE(isPrintable("a\x1b"));
  EXPECT_FALSE(isPrintable("\xc2\x9b"));
}

TEST(PrintableText, SomeMayBeKept) {
  EXPECT_EQ(printable("a\n\tb\x1b", "\n\t"), "a\n\tb\\x1b");
  EXPECT_EQ(printable("a\n\tb", "\n"), "a\n\\tb");
  EXPECT_TRUE(isPrintable("a\nb", "\n"));
  EXPECT_FALSE(isPrintable("a\nb\r", "\n"));
}

// What would show another text than a program reads.
TEST(PrintableText, WhatTurnsOrHidesTextIsEscaped) {
  EXPECT_EQ(printable("if\u202e\u2066x\u2069\u202c"),
            "if\\u202e\\u2066x\\u2069\\u202c");
  EXPECT_EQ(printable("\u200b\u200c\u200d\u200e\u200f"),
            "\\u200b\\u200c\\u200d\\u200e\\u200f");
  EXPECT_EQ(printable("\u061c\u2028\u2029\ufeff"),
            "\\u061c\\u2028\\u2029\\ufeff");
  EXPECT_EQ(printable("\U000e0041"), "\\U000e0041");
  EXPECT_FALSE(isPrintable("\u202a\u202c"));
}

TEST(PrintableText, BytesThatAreNoUTF8AreEscaped) {
  EXPECT_EQ(printable("\xff\xc2"), "\\xff\\xc2");
  EXPECT_EQ(printable("\x9b"), "\\x9b");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");          // too long
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // a surrogate
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80");          // cut off
}

TEST(PrintableText, OtherCharactersStay) {
  for (StringRef Text : {"\u00a0", "\u00e4", "\u2026", "\u2027", "\u202f",
                         "\u05d0", "\U0001f600"}) {
    EXPECT_EQ(printable(Text), Text.str());
    EXPECT_TRUE(isPrintable(Text));
  }
}

TEST(PrintableText, LinesKeepTheirColumns) {
  EXPECT_EQ(printableLine("\tx = 1; // \u202e\xff.\u202c"),
            " x = 1; //     .   ");
  EXPECT_EQ(printableLine("\u00e4 = 1"), "\u00e4 = 1");
}

TEST(PrintableText, JSONStaysTheSameValue) {
  const std::string Text = "\u202e\x7f\u009b\u00e4\"\\\n";
  std::string JSON;
  llvm::raw_string_ostream(JSON) << llvm::json::Value(Text);
  JSON = printableJSON(JSON);
  EXPECT_EQ(JSON, "\"\\u202e\\u007f\\u009b\u00e4\\\"\\\\\\n\"");
  Expected<llvm::json::Value> V = llvm::json::parse(JSON);
  ASSERT_TRUE(bool(V));
  EXPECT_EQ(*V->getAsString(), Text);
  // In two parts. LLVM's parser does not join those of this plane rightly.
  EXPECT_EQ(printableJSON("\"\U000e0041\""), "\"\\udb40\\udc41\"");
  EXPECT_EQ(printableJSON("{\n  \"a\": 1\n}\n"), "{\n  \"a\": 1\n}\n");
}

/// What arrives of \p Text if it is written \p Step bytes at a time.
std::string streamed(StringRef Text, size_t Step) {
  std::string Result;
  llvm::raw_string_ostream To(Result);
  PrintableStream OS(To);
  for (; !Text.empty(); Text = Text.drop_front(std::min(Step, Text.size()))) {
    OS << Text.take_front(Step);
    OS.flush();
  }
  return Result; // the stream may hold the beginning of a character
}

TEST(PrintableText, StreamsKeepLineEnds) {
  const StringRef Text = "a\u202eb\n\x1b[1m\u00e4\U0001f600\xff\n";
  for (size_t Step : {1, 2, 3, 5, 100})
    EXPECT_EQ(streamed(Text, Step),
              "a\\u202eb\n\\x1b[1m\u00e4\U0001f600\\xff\n")
        << Step;
}

TEST(PrintableText, StreamsEndWithWhatWasBegun) {
  std::string Result;
  llvm::raw_string_ostream To(Result);
  {
    PrintableStream OS(To);
    OS << "a\xe2\x80";
  }
  EXPECT_EQ(Result, "a\\xe2\\x80");
}

TEST(PrintableText, StreamsHandOnColours) {
  std::string Result;
  llvm::raw_string_ostream To(Result);
  To.enable_colors(true);
  {
    PrintableStream OS(To);
    OS << "a";
    OS.changeColor(raw_ostream::RED);
    OS << "\x1b";
    OS.resetColor();
  }
  EXPECT_EQ(Result, "a\x1b[0;31m\\x1b\x1b[0m");
}

} // namespace

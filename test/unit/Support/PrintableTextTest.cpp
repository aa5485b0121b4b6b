//===- PrintableTextTest.cpp - Names of inputs as they are shown ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/PrintableText.h"
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

// Other text, in UTF-8 or not, stays as it is.
TEST(PrintableText, OtherBytesStay) {
  for (StringRef Text :
       {"\xc2\xa0", "\xc3\xa4", "\xe2\x80\xa6", "\xff\xc2", "\xc2", "\x9b"}) {
    EXPECT_EQ(printable(Text), Text.str());
    EXPECT_TRUE(isPrintable(Text));
  }
}

} // namespace

//===- NumberFormatTest.cpp -----------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// test/Dev/locales-test.py has locales with a comma.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/NumberFormat.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

TEST(NumberFormat, IsPrintf) {
  EXPECT_EQ(formatNumber("%.2f", 2.125), "2.12");
  EXPECT_EQ(formatNumber("%.0f %%", 49.6), "50 %");
  EXPECT_EQ(formatNumber("%+.3e", -1), "-1.000e+00");
  EXPECT_EQ(formatNumber("", 1), "");
}

TEST(NumberFormat, TextsMayBeLong) {
  for (unsigned Columns : {62, 63, 64, 65, 1000}) {
    std::string Form = "%" + std::to_string(Columns) + ".1f";
    EXPECT_EQ(formatNumber(Form.c_str(), 0.5),
              std::string(Columns - 3, ' ') + "0.5");
  }
}

} // namespace

//===- TextTableTest.cpp - Aligned columns and short numbers --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/TextTable.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;

namespace {

TEST(ShortNumber, KeepsFourDigits) {
  EXPECT_EQ(shortNumber(0), "0");
  EXPECT_EQ(shortNumber(24301), "24301");
  EXPECT_EQ(shortNumber(123456789), "123456789");
  EXPECT_EQ(shortNumber(1.0 / 3), "0.3333");
  EXPECT_EQ(shortNumber(24301.7), "24300");
  EXPECT_EQ(shortNumber(0.00012345), "0.0001234");
  EXPECT_EQ(shortNumber(NAN), "-");
  EXPECT_EQ(shortNumber(-INFINITY), "-");
}

TEST(ShortTime, ChoosesItsUnit) {
  EXPECT_EQ(shortTime(0.5), "0.5 us");
  EXPECT_EQ(shortTime(999.94), "999.9 us");
  EXPECT_EQ(shortTime(1500), "1.5 ms");
  EXPECT_EQ(shortTime(2.5e6), "2.5 s");
}

TEST(ShortEstimate, MarksTheStatus) {
  EXPECT_EQ(shortEstimate(Estimate::known(4)), "4");
  EXPECT_EQ(shortEstimate(Estimate::make(4, Status::Estimated)), "4~");
  EXPECT_EQ(shortEstimate(Estimate::make(4, Status::Assumed)), "4?");
  EXPECT_EQ(shortEstimate(Estimate::make(4, Status::Unknown)), "4!");
}

TEST(Fit, CutsInTheMiddle) {
  EXPECT_EQ(fit("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(fit("abcdefghi", 8), "ab...ghi");
}

TEST(TextTable, AlignsAndDropsEmptyColumns) {
  TextTable T({TextTable::Align::Left, TextTable::Align::Right,
               TextTable::Align::Left, TextTable::Align::Left});
  T.addRow({"name", "n", "unused", "last"});
  T.addRow({"a", "1", "", "x"});
  T.addRow({"bcdefg", "23", "", ""});
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  T.print(OS, 1);
  EXPECT_EQ(Text, " name     n  last\n"
                  " a        1  x\n"
                  " bcdefg  23\n");
}

TEST(TextTable, AnEmptyHeadingIsNoLine) {
  TextTable T({TextTable::Align::Left});
  T.addRow({});
  T.addRow({"a"});
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  T.print(OS, 0);
  EXPECT_EQ(Text, "a\n");
}

TEST(PrintWrapped, BreaksAtSpaces) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  std::string Word(40, 'w');
  printWrapped(OS, Word + " " + Word + " " + Word, 10, 4);
  EXPECT_EQ(Text, Word + " " + Word + "\n    " + Word + "\n");
}

} // namespace

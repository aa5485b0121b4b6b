//===- CSVFileTest.cpp - Tests of CSVFile --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/CSVFile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using testing::ElementsAre;

namespace {

struct Table {
  DiagnosticEngine Diags;
  CSVFile File;

  explicit Table(StringRef Text)
      : Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "t")) {
    bool Failed = File.read(Diags);
    EXPECT_EQ(Failed, Diags.hasErrors());
  }
  std::vector<std::string> row(size_t N) const {
    std::vector<std::string> Cells;
    for (unsigned C = 0; C != File.columns().size(); ++C)
      Cells.push_back(File.cell(N, C).str());
    return Cells;
  }
  std::vector<std::string> errors() const {
    std::vector<std::string> Texts;
    for (const Diagnostic &D : Diags.diagnostics())
      Texts.push_back(std::to_string(D.Line) + ":" + std::to_string(D.Column) +
                      ": " + D.Message);
    return Texts;
  }
};

TEST(CSVFile, ReadsCellsWithAndWithoutQuotes) {
  Table T("\xEF\xBB\xBF"
          "a,b\r\n1,\"x, \"\"y\"\"\nz\"\r\n\r\n,\n\"\",w");
  ASSERT_THAT(T.errors(), ElementsAre());
  EXPECT_THAT(T.File.columns(), ElementsAre("a", "b"));
  ASSERT_EQ(T.File.size(), 3u);
  EXPECT_THAT(T.row(0), ElementsAre("1", "x, \"y\"\nz"));
  EXPECT_THAT(T.row(1), ElementsAre("", ""));
  EXPECT_THAT(T.row(2), ElementsAre("", "w"));
  EXPECT_EQ(T.File.column("b"), 1u);
  EXPECT_EQ(T.File.column("c"), std::nullopt);
  EXPECT_EQ(T.Diags.lineAndColumn(T.File.place(0, 1)), std::pair(2u, 3u));
  EXPECT_EQ(T.Diags.lineAndColumn(T.File.place(2, 1)), std::pair(6u, 4u));
}

TEST(CSVFile, KnowsLinesOfOldSystems) {
  Table T("a,b\r1,2\r3,4\r");
  ASSERT_EQ(T.File.size(), 2u);
  EXPECT_THAT(T.row(1), ElementsAre("3", "4"));
}

TEST(CSVFile, ReportsEveryRaggedRow) {
  Table T("a,b\n1\n1,2\n1,2,3\n");
  EXPECT_THAT(T.errors(),
              ElementsAre("2:1: this row has 1 cells, the heading 2",
                          "4:1: this row has 3 cells, the heading 2"));
}

TEST(CSVFile, ReportsWhatIsNoTable) {
  EXPECT_THAT(Table("").errors(), ElementsAre("1:1: the file is empty"));
  EXPECT_THAT(Table("a,b,a\n").errors(),
              ElementsAre("1:5: there are two columns 'a'"));
  EXPECT_THAT(Table("a,b\n1,\"2\n").errors(),
              ElementsAre("2:3: the quote that begins here does not end"));
  EXPECT_THAT(Table("a,b\n1,\"2\"3\n").errors(),
              ElementsAre("2:6: text after the end of a quoted cell"));
}

} // namespace

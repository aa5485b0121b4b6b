//===- RulesTest.cpp - The rules as a list --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "ptxpredict/Support/InputFile.h"
#include "gtest/gtest.h"
#include <set>

using namespace ptxpredict;

namespace {

TEST(Rules, HaveNamesOfTheirOwn) {
  std::set<std::string> Ids, Remarks;
  for (const Rule &R : allRules()) {
    EXPECT_TRUE(Ids.insert(R.Id.str()).second) << R.Id.str();
    EXPECT_TRUE(Remarks.insert(R.Remark.str()).second) << R.Remark.str();
    EXPECT_EQ(findRule(R.Id), &R);
  }
  EXPECT_EQ(findRule("no-such-rule"), nullptr);
}

/// "uncoalesced-access" is "UncoalescedAccess".
std::string remarkOf(StringRef Id) {
  std::string Remark;
  bool Upper = true;
  for (char C : Id) {
    if (C != '-')
      Remark += Upper ? char(std::toupper(C)) : C;
    Upper = C == '-';
  }
  return Remark;
}

TEST(Rules, StandInTheDocument) {
  Expected<std::unique_ptr<llvm::MemoryBuffer>> Page =
      readInputFile(PTXPREDICT_SOURCE_DIR "/docs/commands/Findings.md");
  ASSERT_TRUE(bool(Page));
  StringRef Text = (*Page)->getBuffer();
  for (const Rule &R : allRules()) {
    EXPECT_EQ(R.Remark.str(), remarkOf(R.Id));
    EXPECT_TRUE(Text.contains(("\n## " + R.Id + "\n").str())) << R.Id.str();
    EXPECT_TRUE(Text.contains(("| [`" + R.Id + "`](#" + R.Id + ") | `" +
                               R.Remark + "` | " + toString(R.Level) + " | " +
                               R.FiresWhen + " |\n")
                                  .str()))
        << R.Id.str();
  }
  EXPECT_EQ(Text.count("\n## "), allRules().size());
}

TEST(Rules, AllowFewLanesAWholeUnit) {
  // 8 lanes of 4 B fill a sector; requests of 1 and of 32 lanes need 1 and 4.
  EXPECT_EQ(mostNeeded(32, 8), 4);
  EXPECT_EQ(mostNeeded(1, 8), 1);
  for (double Share : {0.1, 0.5, 0.9})
    EXPECT_GE(mostNeeded(1 + 31 * Share, 8), 1 + 3 * Share);
}

} // namespace

//===- RuleSelectionTest.cpp ----------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Lint/RuleSelection.h"
#include "gmock/gmock.h"

using namespace ptxpredict;
using ::testing::StartsWith;

namespace {

RuleSelection select(ArrayRef<StringRef> Globs) {
  RuleSelection S;
  for (StringRef Glob : Globs)
    EXPECT_EQ(llvm::toString(S.add(Glob)), "");
  return S;
}

std::string errorOf(StringRef Glob) {
  RuleSelection S;
  std::string Message = llvm::toString(S.add(Glob));
  EXPECT_TRUE(S.wants("bank-conflict")) << "it was left out";
  return Message;
}

TEST(RuleSelection, WithoutGlobsAllAreWanted) {
  EXPECT_TRUE(RuleSelection().wants("bank-conflict"));
}

TEST(RuleSelection, TheLastThatMatchesCounts) {
  RuleSelection S = select({"low-*", "-low-occupancy", "tail-effect"});
  EXPECT_TRUE(S.wants("low-memory-parallelism"));
  EXPECT_TRUE(S.wants("tail-effect"));
  EXPECT_FALSE(S.wants("low-occupancy"));
  EXPECT_FALSE(S.wants("bank-conflict"));
  EXPECT_TRUE(select({"-*", "bank-conflict"}).wants("bank-conflict"));
}

TEST(RuleSelection, TakingOutLeavesTheRest) {
  RuleSelection S = select({"-{bank-conflict,excess-*}"});
  EXPECT_FALSE(S.wants("bank-conflict"));
  EXPECT_FALSE(S.wants("excess-cores"));
  EXPECT_TRUE(S.wants("tail-effect"));
}

TEST(RuleSelection, CopiesStandAlone) {
  RuleSelection Copy;
  {
    std::string Text = "bank-*";
    RuleSelection S = select({Text});
    Copy = S;
    Text = "xxxxxx";
  }
  EXPECT_TRUE(Copy.wants("bank-conflict"));
  EXPECT_FALSE(Copy.wants("tail-effect"));
}

TEST(RuleSelection, Errors) {
  EXPECT_THAT(errorOf("["), StartsWith("'[' is no glob: "));
  EXPECT_THAT(errorOf("bank-conflicts"),
              StartsWith("there is no rule 'bank-conflicts'; did you mean "
                         "'bank-conflict'? There are uncoalesced-access, "));
  EXPECT_THAT(errorOf("-xyz*"), StartsWith("there is no rule 'xyz*'; there are "
                                           "uncoalesced-access, "));
  EXPECT_THAT(errorOf(""), StartsWith("there is no rule ''"));
}

} // namespace

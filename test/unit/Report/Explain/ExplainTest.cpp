//===- ExplainTest.cpp ----------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Explain/Explain.h"
#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Model/Model.h"
#include "gmock/gmock.h"

using namespace ptxpredict;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

namespace {

TEST(Explain, EveryRuleHasASection) {
  for (const Rule &R : allRules()) {
    std::string Section = findingSection(R.Id).str();
    EXPECT_THAT(Section, HasSubstr("**Fires**")) << R.Id.str();
    EXPECT_THAT(Section, Not(HasSubstr("\n## "))) << R.Id.str();
    EXPECT_THAT(explain(R.Remark), SizeIs(1)) << R.Remark.str();
  }
  EXPECT_EQ(findingSection("bank"), "");
}

TEST(Explain, EveryNameIsExplained) {
  for (const NamesOfKind &K : explainedNames()) {
    EXPECT_THAT(K.Names, Not(IsEmpty())) << K.Kind.str();
    for (StringRef Name : K.Names)
      for (const Explanation &E : explain(Name)) {
        EXPECT_THAT(E.Title, HasSubstr(Name.str()));
        EXPECT_GT(E.Text.size(), 3U) << Name.str();
      }
  }
}

TEST(Explain, EveryModelAndTerm) {
  for (StringRef Model : modelNames()) {
    EXPECT_THAT(explain(Model), Not(IsEmpty())) << Model.str();
    for (StringRef Term : findModel(Model)->termNames())
      EXPECT_THAT(explain(Term), Not(IsEmpty())) << Term.str();
  }
}

TEST(Explain, LinksBecomeTheirTexts) {
  EXPECT_EQ(withoutLinks("see [`a`](#a), [b](x.md)."), "see `a`, b.");
  EXPECT_EQ(withoutLinks("x[i] and [c](d)"), "x[i] and c");
  EXPECT_EQ(withoutLinks("[no\nlink](x) ["), "[no\nlink](x) [");
  EXPECT_EQ(withoutLinks(""), "");
}

} // namespace

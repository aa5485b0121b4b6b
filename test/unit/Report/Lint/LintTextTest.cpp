//===- LintTextTest.cpp - Forms of lint for people ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LintResults.h"
#include "Report/Lint/LintViews.h"
#include "gmock/gmock.h"

using namespace ptxpredict;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

std::string text(const LintResult &R, Verbosity V = Verbosity::Normal) {
  return printed(
      [&](raw_ostream &OS) { printLintText(R, OS, V, /*Colors=*/false); });
}
std::string markdown(const LintResult &R) {
  return printed([&](raw_ostream &OS) { printLintMarkdown(R, OS); });
}
std::string annotations(const LintResult &R) {
  return printed([&](raw_ostream &OS) { printGitHubAnnotations(R, OS); });
}

TEST(LintText, NewOnesWithLineGainAndHelp) {
  EXPECT_EQ(text(makeLintResult()),
            "src/k.cu:7:8: warning: 32 passes | `x` <b> {1}, 100 %\\nat @p "
            "[bank-conflict]\n"
            "\xc3\xa9\xf0\x9d\x84\x9e tile[x]\n"
            "       ^\n"
            "src/k.cu:20:3: note: inlined here\n"
            "  in    2 kernels, such as void ns::k<int>(int*)\n"
            "  gain  50 % of the time on a100, 25 % of the time on h100\n"
            "  help  pad a row\n"
            "\n"
            "a b%/k.ptx: error: some miss it [barrier-in-divergent-code]\n"
            "  in    plain\n"
            "\n"
            "2 findings in 2 kernels of 1 input: 1 error, 1 warning; 1 in the "
            "baseline, 1 suppressed, 3 of the baseline no longer found; 1 "
            "input failed\n");
}

TEST(LintText, OneLineEach) {
  std::string Text = text(makeLintResult(), Verbosity::Quiet);
  EXPECT_THAT(Text, HasSubstr("[bank-conflict]\na b%/k.ptx: error:"));
  EXPECT_THAT(Text, Not(HasSubstr("strided")));
}

TEST(LintText, KnownAndSuppressedOnesAreMarked) {
  std::string Text = text(makeLintResult(), Verbosity::Verbose);
  // The first word of a line of the input.
  EXPECT_THAT(Text, HasSubstr("a b%/k.ptx:10:3: note: few warps "
                              "[low-occupancy]\n  .visible .entry\n  ^\n"));
  EXPECT_THAT(Text, HasSubstr("\n  known  in the baseline\n"));
  // Without the source, the code.
  EXPECT_THAT(Text,
              HasSubstr("k.cu:9:3: warning: strided [uncoalesced-access]\n"
                        "a b%/k.ptx:60:3: note: compiled to\n"
                        "  ld.global.f32 %f1, [%rd1];\n  ^\n"));
  EXPECT_THAT(Text, HasSubstr("  suppressed  in the source: meant | so\n"));
}

TEST(LintText, Nothing) {
  EXPECT_EQ(text(makeCleanResult()), "no findings in 3 kernels of 2 inputs\n");
  EXPECT_EQ(text({}), "no findings in 0 kernels of 0 inputs\n");
  LintResult R = makeLintResult();
  for (LintFinding &F : R.Findings)
    F.State = FindingState::Known;
  EXPECT_EQ(text(R), "no new findings in 3 kernels of 3 inputs; 4 in the "
                     "baseline, 3 of the baseline no longer found; 1 input "
                     "failed\n");
}

/// The one that stands for all may be known while another is new.
TEST(LintText, APlaceIsShownOncePerState) {
  LintResult R = makeLintResult();
  R.Findings[0].State = FindingState::Known;
  std::vector<ShownFinding> Shown = shownFindings(R);
  ASSERT_EQ(Shown.size(), 5U);
  EXPECT_EQ(Shown[2].F, &R.Findings[2]);
  EXPECT_EQ(Shown[2].Count, 1U);
  EXPECT_THAT(text(R), HasSubstr("[bank-conflict]"));
  // The one that others refer to is shown, though it comes later.
  R = makeLintResult();
  R.Findings[0].SameAs = R.Findings[2].SameAs = 2;
  Shown = shownFindings(R);
  ASSERT_EQ(Shown.size(), 4U);
  EXPECT_EQ(Shown[1].F, &R.Findings[2]);
  EXPECT_EQ(Shown[1].Count, 2U);
}

TEST(LintMarkdown, CellsHoldWhatTheyAreGiven) {
  std::string Text = markdown(makeLintResult());
  EXPECT_THAT(
      Text,
      HasSubstr("\n| warning | `src/k.cu:7` | 2, such as `void "
                "ns::k<int>(int*)` | 32 passes \\| \\`x\\` &lt;b&gt; {1}, 100 "
                "% at @<!-- -->p `bank-conflict` | 50 % on a100, 25 % on h100 "
                "|\n"));
  EXPECT_THAT(Text, HasSubstr("| error | `a b%/k.ptx` | `plain` |"));
  EXPECT_THAT(Text, HasSubstr("<details><summary>1 in the baseline, 1 "
                              "suppressed</summary>\n\n| severity"));
  EXPECT_THAT(Text, HasSubstr("| suppressed in the source: meant \\| so |\n"));
  EXPECT_THAT(Text, EndsWith("\n</details>\n"));
}

TEST(LintMarkdown, CodeInCells) {
  LintResult R = makeLintResult();
  R.Inputs[0].Kernels[0].Demangled = "a``b|c\n";
  EXPECT_THAT(markdown(R), HasSubstr("``` a``b\\|c\\n ```"));
  R.Findings[0].Found.Message = "see a.cu:100:3, #12 \xff";
  EXPECT_THAT(markdown(R), HasSubstr("see a.cu:<!-- -->100:3, "
                                     "#<!-- -->12 \\\\xff "));
  R.Findings[0].Found.Message = "at http://x, www.x and :100:";
  EXPECT_THAT(markdown(R), HasSubstr("at http:<!-- -->//x, www<!-- -->.x and "
                                     ":<!-- -->100: "));
}

TEST(LintMarkdown, NothingAndTooMuch) {
  EXPECT_EQ(markdown(makeCleanResult()),
            "**ptx-predict**: no findings in 3 kernels of 2 inputs\n");
  LintResult R = makeLintResult();
  R.Findings.resize(1);
  R.Findings[0].Found.Message = std::string(1000, 'x');
  for (size_t I = 1; I != 100; ++I) {
    R.Findings.push_back(R.Findings[0]);
    R.Findings.back().SameAs = I;
  }
  std::string Text = markdown(R);
  EXPECT_LT(Text.size(), 65536U);
  EXPECT_THAT(Text, EndsWith(" more\n"));
  EXPECT_THAT(Text, HasSubstr("100 findings in 1 kernel"));
}

TEST(GitHubAnnotations, Escaped) {
  EXPECT_EQ(
      annotations(makeLintResult()),
      "::error file=bad.ptx,line=3,col=5,title=ptx-predict::odd, 100 %25: "
      "\\x01 <tag> \\xff\n"
      "::warning file=src/k.cu,line=7,col=8,title=bank-conflict::32 passes | "
      "`x` <b> {1}, 100 %25%0Aat @p%0Again: 50 %25 of the time on a100, 25 "
      "%25 of the time on h100%0Ahelp: pad a row%0Ain: 2 kernels, such as "
      "void ns::k<int>(int*)\n"
      "::error file=a b%25/k.ptx,title=barrier-in-divergent-code::some miss "
      "it%0Ain: plain\n" +
          summaryLine(makeLintResult(), shownFindings(makeLintResult())) +
          "\n");
  LintResult R = makeLintResult();
  R.Findings[0].Found.Where.Path = "a:b,c\r.cu";
  R.Findings[0].Found.Level = Severity::Note;
  EXPECT_THAT(annotations(R), HasSubstr("::notice file=a%3Ab%2Cc%0D.cu,"));
}

} // namespace

//===- JudgeTest.cpp ------------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Review/Judge.h"
#include "ptxpredict/Review/Baseline.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

constexpr StringRef Source = "one\n"
                             "x = y;\n"
                             "// ptx-predict: ignore[bank-*] cold\n"
                             "x = z;\n"
                             "x = w; // ptx-predict: ignore[*]\n";

/// An input of a kernel for each of \p Lines of /src/k.cu, each with a bank
/// conflict there.
InputRecord recordAt(ArrayRef<unsigned> Lines) {
  InputRecord R;
  R.Path = "k.ptx";
  for (unsigned Line : Lines) {
    KernelRecord &K = R.Kernels.emplace_back();
    K.Name = K.Demangled = "k" + std::to_string(R.Kernels.size());
    FindingRecord &F = K.Findings.emplace_back();
    F.Found.Id = "bank-conflict";
    F.Found.Level = Severity::Warning;
    F.Found.Kernel = K.Name;
    F.Found.Where = {"/src/k.cu", Line, 3, {}, 40};
    F.Found.Gains = {{"v100", 0.1 * double(R.Kernels.size())}};
    F.Line = "ld.shared.f32 %f1, [%rd1];";
    F.Code = "ld.shared.f32 %f, [%rd];";
  }
  return R;
}

LintResult judged(const LintPolicy &P, InputRecord R) {
  LintJudge J([](StringRef Path, StringRef, StringRef) {
    return Path == "/src/k.cu" ? Source : "";
  });
  J.add(std::move(R), P);
  return J.finish();
}

TEST(Judge, SourceLinesAndPaths) {
  LintConfig C;
  LintPolicy P{C};
  P.SourceRoot = "/src";
  LintResult R = judged(P, recordAt({2}));
  ASSERT_EQ(R.Findings.size(), 1U);
  EXPECT_EQ(R.Findings[0].SourceLine, "x = y;");
  EXPECT_EQ(R.Findings[0].Found.Where.Path, "k.cu");
  EXPECT_TRUE(R.Findings[0].Counts);
  EXPECT_TRUE(R.Inputs[0].Kernels[0].Findings.empty()) << "they are moved";
}

TEST(Judge, Suppressions) {
  LintConfig C;
  LintPolicy P{C};
  LintResult R = judged(P, recordAt({2, 4, 5, 5}));
  ASSERT_EQ(R.Findings.size(), 4U);
  EXPECT_EQ(R.Findings[0].State, FindingState::New);
  EXPECT_EQ(R.Findings[1].State, FindingState::Suppressed);
  EXPECT_EQ(R.Findings[1].Reason, "cold");
  EXPECT_TRUE(R.Findings[1].SuppressedInSource);
  EXPECT_EQ(R.Findings[2].State, FindingState::New) << "it has no reason";
  ASSERT_EQ(R.Messages.size(), 1U) << "and that is said once";
  EXPECT_EQ(R.Messages[0].Line, 5U);
}

TEST(Judge, SuppressionsWhereCodeIsInlined) {
  LintConfig C;
  LintPolicy P{C};
  InputRecord In = recordAt({2});
  In.Kernels[0].Findings[0].Found.Where.InlinedAt = {"/src/k.cu:4:1"};
  EXPECT_EQ(judged(P, std::move(In)).Findings[0].Reason, "cold");
  In = recordAt({2});
  In.Kernels[0].Findings[0].LineBefore =
      "// ptx-predict: ignore[bank-conflict] in PTX";
  EXPECT_EQ(judged(P, std::move(In)).Findings[0].Reason, "in PTX");
}

TEST(Judge, SeveritiesRulesAndGains) {
  auto NumWith = [](const LintConfig &C, Severity Least) {
    LintPolicy P{C};
    P.Least = Least;
    return judged(P, recordAt({1, 2, 2})).Findings.size();
  };
  LintConfig C;
  EXPECT_EQ(NumWith(C, Severity::Warning), 3U);
  EXPECT_EQ(NumWith(C, Severity::Error), 0U);
  C.LeastGain = 0.15;
  EXPECT_EQ(NumWith(C, Severity::Note), 2U);
  C.Severities.push_back(
      {llvm::cantFail(OwnedGlob::create("bank-*")), Severity::Error});
  EXPECT_EQ(NumWith(C, Severity::Error), 2U);
  llvm::cantFail(C.Rules.add("-bank-conflict"));
  EXPECT_EQ(NumWith(C, Severity::Note), 0U);
}

TEST(Judge, OnePlaceOfSeveralKernels) {
  LintConfig C;
  LintResult R = judged(LintPolicy{C}, recordAt({2, 2, 1}));
  ASSERT_EQ(R.Findings.size(), 3U);
  EXPECT_EQ(R.Findings[0].SameAs, 1U) << "the second one saves more";
  EXPECT_EQ(R.Findings[1].SameAs, 1U);
  EXPECT_EQ(R.Findings[1].NumSame, 2U);
  EXPECT_EQ(R.Findings[2].SameAs, 2U);
  EXPECT_NE(R.Findings[0].Fingerprint, R.Findings[1].Fingerprint);
}

TEST(Judge, HashesOfFilesInNames) {
  LintConfig C;
  auto PrintFor = [&](std::vector<std::string> Names) {
    InputRecord In = recordAt(std::vector<unsigned>(Names.size(), 2));
    for (size_t N = 0; N != Names.size(); ++N)
      In.Kernels[N].Name = Names[N];
    return judged(LintPolicy{C}, std::move(In)).Findings.back().Fingerprint;
  };
  const std::string Name = "_ZN37_GLOBAL__N__8c1f02ab_4_a_cu_9900aa11_1kE";
  const std::string Built = "_ZN37_GLOBAL__N__77e0d3f1_4_a_cu_12ab34cd_1kE";
  EXPECT_EQ(PrintFor({Name}), PrintFor({Built}));
  EXPECT_NE(PrintFor({Name}), PrintFor({Name, Built}));
}

TEST(Judge, Baselines) {
  LintConfig C;
  LintResult First = judged(LintPolicy{C}, recordAt({1, 4, 2}));
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printBaseline(First, OS);
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer(Text, "b.json"));
  llvm::StringSet<> Known;
  ASSERT_FALSE(readBaseline(Diags, Known));
  EXPECT_EQ(Known.size(), 2U) << "without the suppressed one";

  LintPolicy P{C};
  P.Baseline = &Known;
  // The kernels' names count: k1 is where it was, k3 is not there any more.
  LintResult Again = judged(P, recordAt({1, 2}));
  ASSERT_EQ(Again.Findings.size(), 2U);
  EXPECT_TRUE(Again.HasBaseline);
  EXPECT_EQ(Again.Findings[0].State, FindingState::Known);
  EXPECT_FALSE(Again.Findings[0].Counts);
  EXPECT_EQ(Again.Findings[1].State, FindingState::New);
  EXPECT_EQ(Again.NumGone, 1U);
}

TEST(Baseline, WhatIsNone) {
  auto ErrorOf = [](StringRef Text) {
    DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer(Text, "b.json"));
    llvm::StringSet<> Known;
    EXPECT_TRUE(readBaseline(Diags, Known)) << Text.str();
    return Diags.hasErrors() ? Diags.diagnostics().front().Message : "";
  };
  EXPECT_TRUE(StringRef(ErrorOf("")).starts_with("not valid JSON"));
  EXPECT_TRUE(StringRef(ErrorOf("[]")).starts_with("not a baseline"));
  std::string Head = R"({"schema": "ptx-predict/baseline", "version": 1)";
  EXPECT_TRUE(StringRef(ErrorOf(Head + "}")).contains("no array 'findings'"));
  EXPECT_EQ(ErrorOf(Head + R"(, "findings": [{"id": "x"}]})"),
            "finding 0 has no text 'fingerprint'");
}

} // namespace

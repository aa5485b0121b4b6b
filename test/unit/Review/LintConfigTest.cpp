//===- LintConfigTest.cpp -------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Review/LintConfig.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// The configuration of \p Text in /repo; its errors go to \p Errors.
LintConfig readText(StringRef Text, std::string *Errors = nullptr) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(
      Text, "/repo/sub/.ptx-predict.yaml"));
  LintConfig C;
  bool Failed = readLintConfig(Diags, C);
  EXPECT_EQ(Failed, Errors != nullptr) << Text.str();
  if (Errors)
    for (const Diagnostic &D : Diags.diagnostics())
      *Errors += D.Message + "\n";
  return C;
}

TEST(LintConfig, PathsAreRelativeToItsFolder) {
  LintConfig C = readText("launch: ../l.yaml\nbaseline: b.json\n"
                          "source_root: /elsewhere\ndevice_files: [d/x.yaml]\n"
                          "compile_commands: ./build/c.json\n");
  EXPECT_EQ(C.LaunchFile, "/repo/l.yaml");
  EXPECT_EQ(C.BaselineFile, "/repo/sub/b.json");
  EXPECT_EQ(C.SourceRoot, "/elsewhere");
  EXPECT_EQ(C.DeviceFiles, std::vector<std::string>{"/repo/sub/d/x.yaml"});
  EXPECT_EQ(C.CompileCommands, "/repo/sub/build/c.json");
}

TEST(LintConfig, OneOrSeveral) {
  EXPECT_EQ(readText("devices: v100").Devices.size(), 1U);
  EXPECT_EQ(readText("devices: [v100, t4]").Devices.size(), 2U);
  EXPECT_TRUE(readText("rules: bank-*").Rules.wants("bank-conflict"));
  EXPECT_FALSE(readText("rules: bank-*").Rules.wants("tail-effect"));
  EXPECT_FALSE(
      readText("rules: ['*', '-bank-*']").Rules.wants("bank-conflict"));
}

TEST(LintConfig, Thresholds) {
  LintConfig C =
      readText("thresholds: {gain: 2%, regression: 0.03, noise: 1 %}");
  EXPECT_DOUBLE_EQ(C.LeastGain.value_or(-1), 0.02);
  EXPECT_DOUBLE_EQ(C.MaxRegression.value_or(-1), 0.03);
  EXPECT_DOUBLE_EQ(C.Noise.value_or(-1), 0.01);
  EXPECT_FALSE(readText("fail_on: never").FailOn->From);
  EXPECT_EQ(readText("fail_on: note").FailOn->From, Severity::Note);
  EXPECT_EQ(readText("severity: error").Least, Severity::Error);
  EXPECT_FALSE(readText("models: throughput").FailOn);
}

TEST(LintConfig, Suppressions) {
  LintConfig C = readText("suppressions:\n"
                          "  - {rule: bank-*, kernel: k*, reason: ours}\n"
                          "  - {rule: '*', path: third_party/*, reason: no}\n");
  ASSERT_EQ(C.Suppressions.size(), 2U);
  EXPECT_TRUE(C.Suppressions[0].Rule.match("bank-conflict"));
  EXPECT_TRUE(C.Suppressions[0].Kernel->match("kernel"));
  EXPECT_FALSE(C.Suppressions[0].Path);
  EXPECT_EQ(C.Suppressions[0].Reason, "ours");
  EXPECT_TRUE(C.Suppressions[1].Path->match("third_party/a/b.cu"));
}

TEST(LintConfig, SharesAndLevels) {
  EXPECT_EQ(parseShare("5%"), 0.05);
  EXPECT_EQ(parseShare("0.5"), 0.5);
  EXPECT_EQ(parseShare("1"), 1);
  for (StringRef Wrong : {"", "%", "-1%", "101%", "2", "x", "nan", "1k"})
    EXPECT_EQ(parseShare(Wrong), std::nullopt) << Wrong.str();
  EXPECT_FALSE(parseFailLevel("Warning"));
  EXPECT_FALSE(parseFailLevel(""));
}

TEST(LintConfig, EveryErrorAtOnce) {
  std::string Errors;
  readText("colour: red\nrules: [nothing-like-it]\nthresholds: {gain: 2}\n"
           "suppressions: [{rule: bank-*}]\nexclude: ['[']\nsource_root: ''\n",
           &Errors);
  for (StringRef Part :
       {"unknown key 'colour'", "there is no rule 'nothing-like-it'",
        "gain must be a share of the time", "a suppression needs a reason",
        "'[' is no glob", "source_root must not be empty"})
    EXPECT_TRUE(StringRef(Errors).contains(Part)) << Part.str();
}

} // namespace

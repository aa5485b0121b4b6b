//===- FindingTest.cpp - What a rule found in a kernel --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Finding.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

TEST(Finding, HasTheGreatestGainOfItsDevices) {
  Finding F;
  EXPECT_EQ(F.bestGain(), std::nullopt);
  F.Gains = {{"a", 0}, {"b", 0.25}, {"c", 0.125}};
  EXPECT_EQ(F.bestGain(), 0.25);
}

TEST(Finding, PrintsItsIdBehindTheMessage) {
  Finding F;
  F.Id = "bank-conflict";
  F.Message = "text";
  EXPECT_EQ(F.messageWithId(), "text [bank-conflict]");
}

TEST(Finding, KeepsTheOrderOfEquals) {
  std::vector<Finding> F(3);
  F[0].Kernel = "a", F[1].Kernel = "b", F[2].Kernel = "c";
  F[1].Gains = {{"d", LeastGain / 2}};
  sortFindings(F);
  EXPECT_EQ(F[0].Kernel + F[1].Kernel + F[2].Kernel, "bac");
}

TEST(Finding, BeginsWithErrors) {
  std::vector<Finding> F(3);
  F[0].Kernel = "warning", F[1].Kernel = "note", F[2].Kernel = "error";
  F[0].Level = Severity::Warning, F[0].Gains = {{"d", 0.5}};
  F[1].Level = Severity::Note, F[1].Gains = {{"d", 0.75}};
  F[2].Level = Severity::Error;
  sortFindings(F);
  EXPECT_EQ(F[0].Kernel, "error");
  EXPECT_EQ(F[1].Kernel, "note");
  EXPECT_EQ(F[2].Kernel, "warning");
}

} // namespace

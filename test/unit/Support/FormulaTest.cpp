//===- FormulaTest.cpp - Tests of Formula --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Formula.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// The value where n is 100, a.b 7 and args.x-y 3, or what is wrong.
std::string compute(StringRef Text) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "f"));
  std::optional<Formula> F = Formula::parse(
      {Text.str(), SMLoc::getFromPointer(Diags.text().data())}, Diags);
  EXPECT_EQ(!F, Diags.hasErrors());
  if (!F) {
    const Diagnostic &D = Diags.diagnostics().front();
    return std::to_string(D.Column) + ": " + D.Message;
  }
  std::string Why;
  std::optional<double> V = F->evaluate(
      [](StringRef Name) -> std::optional<double> {
        if (Name == "n")
          return 100;
        if (Name == "a.b")
          return 7;
        if (Name == "args.x-y")
          return 3;
        return std::nullopt;
      },
      Why);
  return V ? std::to_string(*V) : Why;
}

TEST(Formula, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(compute("1 + 2 * 3 - 4 / 8"), "6.500000");
  EXPECT_EQ(compute("(1 + 2) * -3"), "-9.000000");
  EXPECT_EQ(compute("10 - 4 - 3"), "3.000000");
  EXPECT_EQ(compute("64 / 4 / 2"), "8.000000");
  EXPECT_EQ(compute("2 * (n + 27) div 128"), "1.000000");
  EXPECT_EQ(compute("-7 div 2"), "-4.000000");
  EXPECT_EQ(compute("-7 mod 3"), "2.000000");
  EXPECT_EQ(compute("n mod 7 div 2"), "1.000000");
}

TEST(Formula, KnowsNumbersAndFunctions) {
  EXPECT_EQ(compute("4Ki + 1e-1 + 0x10"), "4112.100000");
  EXPECT_EQ(compute("1.5e+2"), "150.000000");
  EXPECT_EQ(compute("ceil(n / 64) + floor(n / 64)"), "3.000000");
  EXPECT_EQ(compute("min(n, 3) + max(n, 3)"), "103.000000");
  EXPECT_EQ(compute("log2(1024)"), "10.000000");
  EXPECT_EQ(compute("ln(exp(3)) + sqrt(n)"), "13.000000");
  EXPECT_EQ(compute("pow(2, 1 / 2) * pow(2, 0.5)"), "2.000000");
}

TEST(Formula, Compares) {
  EXPECT_EQ(compute("n > 99 and a.b <= 7"), "1.000000");
  EXPECT_EQ(compute("n + 1 == 101"), "1.000000");
  EXPECT_EQ(compute("n != 100 or not n < 100"), "1.000000");
  EXPECT_EQ(compute("not (n >= 100)"), "0.000000");
  EXPECT_EQ(compute("1 or 0 and 0"), "1.000000");
  EXPECT_EQ(compute("(n > 3) * 5 + min(n < 3, 1)"), "5.000000");
  EXPECT_EQ(compute("order - 1"), "'order' is no number");
  EXPECT_EQ(compute("n and"), "6: a number or a name is missing");
  EXPECT_EQ(compute("n = 3"), "3: '=' is not expected here");
  EXPECT_EQ(compute("1 < 2 < 3"), "7: '<' is not expected here");
}

TEST(Formula, TakesTheValuesOfNamesInTheirOrder) {
  StringRef Text = "x - y * x";
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "f"));
  std::optional<Formula> F = Formula::parse({Text.str(), {}}, Diags);
  ASSERT_TRUE(F);
  ASSERT_EQ(F->names().size(), 3u);
  std::string Why;
  EXPECT_EQ(F->evaluate({5, 3, 2}, Why), -1);
}

TEST(Formula, ReadsNamesWithDotsAndDashes) {
  EXPECT_EQ(compute("a.b - 1"), "6.000000");
  EXPECT_EQ(compute("a.b-1"), "6.000000");
  EXPECT_EQ(compute("args.x-y * 2"), "6.000000");
  EXPECT_EQ(compute("n-1"), "99.000000");
}

TEST(Formula, SaysWhereItIsWrong) {
  EXPECT_EQ(compute(""), "1: a formula must not be empty");
  EXPECT_EQ(compute("1 +"), "4: a number or a name is missing");
  EXPECT_EQ(compute("1 + * 2"), "5: a number or a name is missing before '*'");
  EXPECT_EQ(compute("(1 + 2"), "7: ')' is missing");
  EXPECT_EQ(compute("1 2"), "3: '2' is not expected here");
  EXPECT_EQ(compute("min(1)"), "6: ',' is missing");
  EXPECT_EQ(compute("cell(1)"),
            "1: there is no function 'cell'; did you mean 'ceil'?");
  EXPECT_EQ(compute("3x"), "1: '3x' is no number");
  EXPECT_EQ(compute("div 3"), "1: a number or a name is missing before 'div'");
}

TEST(Formula, HasNoValueWithoutItsNames) {
  EXPECT_EQ(compute("n + m"), "'m' is no number");
  EXPECT_EQ(compute("n / (n - 100)"), "'n / (n - 100)' has no finite value");
  EXPECT_EQ(compute("log2(0 - n)"), "'log2(0 - n)' has no finite value");
  EXPECT_EQ(compute("sqrt(0 - n)"), "'sqrt(0 - n)' has no finite value");
  EXPECT_EQ(compute("exp(n * n)"), "'exp(n * n)' has no finite value");
}

TEST(Formula, IsNotNestedWithoutEnd) {
  std::string Deep = std::string(100000, '(') + "1";
  EXPECT_EQ(compute(Deep), "65: the formula is nested too deeply");
  EXPECT_EQ(compute(std::string(100000, '-') + "1"),
            "65: the formula is nested too deeply");
  EXPECT_EQ(compute(std::string(50, '(') + "n" + std::string(50, ')')),
            "100.000000");
}

} // namespace

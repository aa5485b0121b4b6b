//===- TextTest.cpp - Tests of number and name reading --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Text.h"
#include "gtest/gtest.h"
#include <cfloat>
#include <cmath>
#include <limits>

using namespace ptxpredict;

namespace {

TEST(ParseInteger, ReadsEveryBase) {
  EXPECT_EQ(parseInteger("0"), 0);
  EXPECT_EQ(parseInteger("42"), 42);
  EXPECT_EQ(parseInteger("-42"), -42);
  EXPECT_EQ(parseInteger("0x1F"), 31);
  EXPECT_EQ(parseInteger("0X1f"), 31);
  EXPECT_EQ(parseInteger("0b101"), 5);
  EXPECT_EQ(parseInteger("-0x10"), -16);
  EXPECT_EQ(parseInteger("007"), 7); // decimal: no octal trap
}

TEST(ParseInteger, ReadsSuffixes) {
  EXPECT_EQ(parseInteger("3k"), 3000);
  EXPECT_EQ(parseInteger("3M"), 3000000);
  EXPECT_EQ(parseInteger("3G"), 3000000000);
  EXPECT_EQ(parseInteger("3Ki"), 3072);
  EXPECT_EQ(parseInteger("3Mi"), 3145728);
  EXPECT_EQ(parseInteger("3Gi"), 3221225472);
  EXPECT_EQ(parseInteger("-1Ki"), -1024);
  EXPECT_EQ(parseInteger("0x10k"), 16000);
}

TEST(ParseInteger, HoldsTheWholeRangeAndNoMore) {
  EXPECT_EQ(parseInteger("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(parseInteger("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(parseInteger("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parseInteger("-9223372036854775809"), std::nullopt);
  EXPECT_EQ(parseInteger("18446744073709551616"), std::nullopt);
  EXPECT_EQ(parseInteger("9007199254740992Ki"), std::nullopt);
  EXPECT_EQ(parseInteger("-9007199254740992Ki"), INT64_MIN);
}

TEST(ParseInteger, RefusesEverythingElse) {
  for (StringRef Text : {"",    "-",  "k",   "Ki",  "-k",  "0x",   "0b",  "0b2",
                         "1 ",  " 1", "+1",  "--1", "1.5", "1e3",  "12a", "1kk",
                         "1ki", "1K", "0xg", "-+1", "- 1", "1_000"})
    EXPECT_EQ(parseInteger(Text), std::nullopt) << Text.str();
}

TEST(ParseNumber, ReadsIntegersFractionsAndExponents) {
  EXPECT_EQ(parseNumber("12"), 12.0);
  EXPECT_EQ(parseNumber("1.5"), 1.5);
  EXPECT_EQ(parseNumber("-2.5e-3"), -0.0025);
  EXPECT_EQ(parseNumber("1e3"), 1000.0);
  EXPECT_EQ(parseNumber("1.5k"), 1500.0);
  EXPECT_EQ(parseNumber("0.5Ki"), 512.0);
  EXPECT_EQ(parseNumber("0x10"), 16.0);
  EXPECT_EQ(parseNumber("20000000000000000000"), 2e19); // beyond 64 bits
}

TEST(ParseNumber, RefusesWhatIsNoFiniteNumber) {
  for (StringRef Text : {"", "nan", "inf", "-inf", "infinity", "0x1p3", "1e400",
                         "1e308k", "1,5", "1.5 ", "e", ".", "-", "one"})
    EXPECT_EQ(parseNumber(Text), std::nullopt) << Text.str();
}

TEST(NearestName, FindsATypingError) {
  StringRef Names[] = {"h100-sxm", "h100-pcie", "a100-80gb", "v100"};
  EXPECT_EQ(nearestName("h100-sxn", Names), "h100-sxm");
  EXPECT_EQ(nearestName("H100-SXM", Names), "h100-sxm");
  EXPECT_EQ(nearestName("a100-80g", Names), "a100-80gb");
  EXPECT_EQ(nearestName("v10", Names), "v100");
  EXPECT_EQ(nearestName("a10", Names), "a100-80gb"); // cut short, not mistyped
  EXPECT_EQ(nearestName("grdi", {"grid", "block"}), "grid");
}

TEST(NearestName, SaysNothingWhereNothingIsNear) {
  StringRef Names[] = {"h100-sxm", "v100"};
  EXPECT_EQ(nearestName("rtx-4090", Names), "");
  EXPECT_EQ(nearestName("", Names), "");
  EXPECT_EQ(nearestName("v100", {}), "");
}

TEST(NearestName, PrefersTheNearerOfTwo) {
  StringRef Names[] = {"registers", "register"};
  EXPECT_EQ(nearestName("registr", Names), "register");
  EXPECT_EQ(nearestName("registerss", Names), "registers");
}

TEST(ShortestDecimal, IsShort) {
  EXPECT_EQ(shortestDecimal(0), "0");
  EXPECT_EQ(shortestDecimal(0.1), "0.1");
  EXPECT_EQ(shortestDecimal(1980), "1980");
  EXPECT_EQ(shortestDecimal(-2.5), "-2.5");
  EXPECT_EQ(shortestDecimal(2000000), "2000000");
  EXPECT_EQ(shortestDecimal(123456.75), "123456.75");
  EXPECT_EQ(shortestDecimal(0.00025), "0.00025");
  EXPECT_EQ(shortestDecimal(1e300), "1e+300");
  EXPECT_EQ(shortestDecimal(1.5e-9), "1.5e-09");
}

TEST(ShortestDecimal, ReadsBackAsTheSameDouble) {
  for (double D : {1.0 / 3, 2.0 / 3, M_PI, 1e300, 5e-324, DBL_MAX, DBL_MIN,
                   0.1 + 0.2, 123456789.123456789, -1e-7})
    EXPECT_EQ(std::strtod(shortestDecimal(D).c_str(), nullptr), D);
}

TEST(DidYouMean, NamesTheNearestOrSaysSomethingElse) {
  EXPECT_EQ(didYouMean("grd", {"grid", "block"}), "; did you mean 'grid'?");
  EXPECT_EQ(didYouMean("zzzz", {"grid", "block"}), "");
  EXPECT_EQ(didYouMean("zzzz", {"grid"}, "; known is grid"), "; known is grid");
}

TEST(DecimalOrNull, IsNullWhereItIsNotFinite) {
  EXPECT_EQ(decimalOrNull(1.5), "1.5");
  EXPECT_EQ(decimalOrNull(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(decimalOrNull(std::numeric_limits<double>::quiet_NaN()), "null");
}

TEST(QuoteYAML, EscapesQuotesAndControls) {
  EXPECT_EQ(quoteYAML("a: b"), "\"a: b\"");
  EXPECT_EQ(quoteYAML("say \"\\\"\n"), R"("say \"\\\"\n")");
  EXPECT_EQ(quoteYAML("½"), "\"½\"");
}

} // namespace

//===- SVGTest.cpp - Charts as inline SVG ---------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/SVG.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;
using testing::DoubleNear;
using testing::HasSubstr;
using testing::Not;
using testing::Pointwise;

namespace {

template <typename ChartT>
std::string printed(const ChartT &C) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  svg::print(C, OS);
  return Text;
}

size_t count(StringRef Text, StringRef Part) { return Text.count(Part); }

TEST(EscapeHTML, LeavesNoMarkup) {
  EXPECT_EQ(escapeHTML("<a href='x' id=\"y\">&amp;"),
            "&lt;a href=&#39;x&#39; id=&quot;y&quot;&gt;&amp;amp;");
  EXPECT_EQ(escapeHTML("a\tb\nc\x7f\x1b[1m"), "a b\\nc\\x7f\\x1b[1m");
  // Not in one literal, which would turn what editors show.
  EXPECT_EQ(escapeHTML("\xe2" + std::string("\x80\xae")), "\\u202e");
  EXPECT_EQ(escapeHTML("µ"), "µ");
  EXPECT_EQ(escapeHTML("x\xff"), "x\\xff");
}

TEST(SVGTicks, AreRoundAndInside) {
  EXPECT_EQ(svg::linearTicks(0, 64), (std::vector<double>{0, 20, 40, 60}));
  EXPECT_EQ(svg::linearTicks(0, 104),
            (std::vector<double>{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(svg::linearTicks(5, 5), (std::vector<double>{5}));
  EXPECT_THAT(svg::linearTicks(-0.1, 0.1),
              Pointwise(DoubleNear(1e-12), {-0.1, -0.05, 0.0, 0.05, 0.1}));
  EXPECT_THAT(svg::logTicks(1, 100),
              Pointwise(DoubleNear(1e-9), {1, 2, 5, 10, 20, 50, 100}));
  EXPECT_THAT(svg::logTicks(0.5, 3e4),
              Pointwise(DoubleNear(1e-9), {1, 10, 100, 1000, 10000}));
  EXPECT_LE(svg::logTicks(1e-9, 1e12).size(), 8u);
}

TEST(SVGTicks, HaveShortNumbers) {
  EXPECT_EQ(svg::tickText(0), "0");
  EXPECT_EQ(svg::tickText(-0.0), "0");
  EXPECT_EQ(svg::tickText(0.25), "0.25");
  EXPECT_EQ(svg::tickText(1500), "1.5k");
  EXPECT_EQ(svg::tickText(2e13), "20T");
  EXPECT_EQ(svg::tickText(999.99), "1k");
}

TEST(SVGPlot, PlacesPointsOnItsAxes) {
  svg::Plot P;
  P.Title = "a < b";
  P.X = {"x", /*IsLog=*/false, 0, 10};
  P.Y = {"y", /*IsLog=*/true, 1, 100};
  svg::Series S;
  S.Name = "s";
  S.Points = {{0, 1}, {5, 10}, {10, 100}};
  P.Data = {S};
  std::string Text = printed(P);
  // The middle of both axes is the middle of the area, 354 by 180 at 50, 36.
  EXPECT_THAT(Text, HasSubstr("d=\"M50 216L227 126L404 36\""));
  EXPECT_THAT(Text, HasSubstr("<title>a &lt; b</title>"));
  EXPECT_THAT(Text, HasSubstr(">s</text>"));
}

TEST(SVGPlot, LeavesOutWhatHasNoPlace) {
  svg::Plot P;
  P.X = {"x"};
  P.Y = {"y", /*IsLog=*/true};
  svg::Series S;
  S.Look = svg::Series::Style::Points;
  S.Points = {{1, 0}, {NAN, 1}, {1, HUGE_VAL}, {2, 7}};
  P.Data = {S, {}};
  std::string Text = printed(P);
  EXPECT_EQ(count(Text, "<circle"), 1u);
  EXPECT_THAT(Text, Not(HasSubstr("nan")));
  EXPECT_THAT(Text, Not(HasSubstr("inf")));
}

TEST(SVGPlot, StepsGoAlongThenUp) {
  svg::Plot P;
  P.X = {"x", /*IsLog=*/false, 0, 10};
  P.Y = {"y", /*IsLog=*/false, 0, 1};
  svg::Series S;
  S.Look = svg::Series::Style::Steps;
  S.Points = {{0, 1}, {2, 1}, {4, 1}, {5, 0.5}, {10, 0.5}};
  P.Data = {S};
  EXPECT_THAT(printed(P), HasSubstr("d=\"M50 36H227V126H404V126\""));
}

TEST(SVGPlot, TakesNoMoreThanThePixelsNeed) {
  svg::Plot P;
  P.X = {"x"};
  P.Y = {"y"};
  svg::Series S;
  for (int I = 0; I != 100000; ++I)
    S.Points.emplace_back(I, I % 2);
  P.Data = {S};
  EXPECT_LT(printed(P).size(), 20000u);
}

TEST(SVGBars, AreAsLongAsTheirShare) {
  svg::BarChart C;
  C.Title = "t";
  C.Bars = {{"a", 4, "4", 0}, {"b", 1, "1", 1}, {"c", 0, "0", 0}};
  C.Reference = {8, "r"};
  std::string Text = printed(C);
  auto WidthOf = [&](StringRef Class, size_t Skip) {
    StringRef Rest = Text;
    for (size_t I = 0; I <= Skip; ++I)
      Rest = Rest.drop_front(Rest.find(Class) + Class.size());
    double Width = 0;
    Rest = Rest.drop_front(Rest.find("width=\"") + 7);
    EXPECT_FALSE(
        Rest.take_until([](char Ch) { return Ch == '"'; }).getAsDouble(Width));
    return Width;
  };
  double Track = WidthOf("\"track\"", 0);
  EXPECT_NEAR(WidthOf("\"f0\"", 0), Track / 2, 0.1);
  EXPECT_NEAR(WidthOf("\"f1\"", 0), Track / 8, 0.1);
  EXPECT_EQ(WidthOf("\"f0\"", 1), 0);
  EXPECT_EQ(count(Text, "class=\"mark\""), 1u);
}

} // namespace

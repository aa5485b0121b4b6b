//===- SVG.h - Charts as inline SVG -----------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Colours are classes that the page's style sheet defines: stroke s0 to s7 and
// fill f0 to f7 for data, `grid`, `axis`, `mark` and `text` for the rest. The
// same data give the same bytes.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_WRITERS_SVG_H
#define PTXPREDICT_REPORT_WRITERS_SVG_H

#include "ptxpredict/Support/LLVM.h"
#include <optional>
#include <string>
#include <vector>

namespace ptxpredict {

/// \p Text as text and as an attribute's value of HTML and SVG. What is not
/// printable is escaped; a tab is a blank.
std::string escapeHTML(StringRef Text);

namespace svg {

/// Colours that there are; more series take them again.
constexpr unsigned NumColors = 8;

/// What is along an axis. Without a range it is the data's; a linear axis then
/// begins at 0.
struct Axis {
  std::string Label; ///< "warps per SM"
  bool IsLog = false;
  std::optional<double> Low = {}, High = {};
};

struct Series {
  enum class Style { Line, Steps, Points };
  std::string Name; ///< in the legend; empty: not there
  Style Look = Style::Line;
  unsigned Color = 0;
  unsigned Dash = 0; ///< 0: solid; else one of three patterns
  /// What is not finite, or not above 0 on a logarithmic axis, is left out.
  std::vector<std::pair<double, double>> Points;
  std::string Tip = {}; ///< of Points: what the pointer shows
  double Radius = 5;    ///< of Points
};

/// A vertical line where something is.
struct Marker {
  double X = 0;
  std::string Label;
};

struct Plot {
  std::string Title; ///< read out in place of the chart
  Axis X, Y;
  std::vector<Series> Data;
  std::vector<Marker> Markers = {};
};
void print(const Plot &P, raw_ostream &OS);

struct Bar {
  std::string Label;
  double Value = 0; ///< from 0 on
  std::string Text; ///< the value as it is shown
  unsigned Color = 0;
};

/// Horizontal bars, the first one on top.
struct BarChart {
  std::string Title; ///< read out in place of the chart
  std::vector<Bar> Bars;
  std::optional<Marker> Reference = {}; ///< a line across all bars
};
void print(const BarChart &C, raw_ostream &OS);

/// Something that lasts for a while.
struct Span {
  double Start = 0, End = 0;
  unsigned Color = 0;
  std::string Tip; ///< what the pointer shows
};

/// What goes on beside each other, one row each, over a linear axis from 0.
struct Timeline {
  struct Row {
    std::string Label;
    std::vector<Span> Spans;
  };
  std::string Title; ///< read out in place of the chart
  std::string Axis;  ///< "cycles"
  std::vector<Row> Rows;
  std::vector<std::pair<unsigned, std::string>> Legend; ///< colours
};
void print(const Timeline &T, raw_ostream &OS);

/// "1.5k", "20M", "0.25": three digits.
std::string tickText(double V);
/// Values for the lines of a linear axis from \p Low to \p High: about five of
/// 1, 2 or 5 times a power of ten.
std::vector<double> linearTicks(double Low, double High);
/// The same of a logarithmic one: powers of ten, with twice and five times
/// these where there are few; \p Low is above 0.
std::vector<double> logTicks(double Low, double High);

} // namespace svg
} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_WRITERS_SVG_H

//===- ScreenText.h - Lines that fit a screen -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_PREDICTION_SCREENTEXT_H
#define PTXPREDICT_LIB_REPORT_PREDICTION_SCREENTEXT_H

#include "ptxpredict/Support/Estimate.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace ptxpredict {

/// Columns and, of one kernel with one prediction, lines of the screen.
constexpr unsigned ScreenColumns = 80, ScreenLines = 24;

/// Columns in front of the parts below the answer: their names.
constexpr unsigned NameColumns = 11;

/// \p V without the digits that a range from \p Low to \p High does not carry:
/// the last one that is left is no smaller than a tenth of the range.
double carriedDigits(double V, double Low, double High);
/// "68 us" of \p Us, a time in \p Range.
std::string carriedTime(double Us, const Estimate &Range);
/// "59 to 83 us", in one unit where both have the same.
std::string rangeText(const Estimate &E);

/// The lines of a screen. Each is cut at its end; of more than fit, those give
/// way that may.
class ScreenText {
public:
  /// \p GivesWay: how early it gives way to others where not all fit; 0 is
  /// never.
  void add(const Twine &Text, unsigned GivesWay = 0,
           raw_ostream::Colors Color = raw_ostream::RESET);
  /// The first of its lines has no more than that indent of two, and never
  /// gives way.
  void wrap(const Twine &Text, unsigned Indent, unsigned MaxRows,
            unsigned GivesWay);
  void blank() { Lines.push_back({"", 9}); }
  /// The first line of a part has its name.
  void addPart(StringRef Name, ArrayRef<std::string> Rows, unsigned GivesWay);

  size_t size() const { return Lines.size(); }
  void paint(size_t Line, raw_ostream::Colors Color) {
    Lines[Line].Color = Color;
  }

  void print(raw_ostream &OS, bool Colors) const;

private:
  struct Line {
    std::string Text;
    unsigned GivesWay = 0;
    raw_ostream::Colors Color = raw_ostream::RESET;
  };
  std::vector<Line> Lines;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_REPORT_PREDICTION_SCREENTEXT_H

//===- ScreenText.cpp - Lines that fit a screen -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScreenText.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include <cmath>

using namespace ptxpredict;

double ptxpredict::carriedDigits(double V, double Low, double High) {
  if (!(V > 0) || !std::isfinite(V))
    return V;
  double Half = std::isfinite(High) ? (High - Low) / 2 : V - Low;
  // Two digits at least, four at most.
  const double Exponent = std::floor(std::log10(V));
  double Digit = Half > 0 ? std::floor(std::log10(Half)) : Exponent - 3;
  Digit = std::clamp(Digit, Exponent - 3, Exponent - 1);
  const double Place = std::pow(10, std::abs(Digit));
  return Digit < 0 ? std::round(V * Place) / Place
                   : std::round(V / Place) * Place;
}

std::string ptxpredict::carriedTime(double Us, const Estimate &Range) {
  return shortTime(carriedDigits(Us, Range.Low, Range.High));
}

std::string ptxpredict::rangeText(const Estimate &E) {
  std::string Low = carriedTime(E.Low, E), High = carriedTime(E.High, E);
  StringRef Unit = StringRef(High).split(' ').second;
  if (StringRef Number = Low; Number.consume_back(" " + Unit.str()))
    Low = Number.str();
  return Low + " to " + High;
}

void ScreenText::add(const Twine &Text, unsigned GivesWay,
                     raw_ostream::Colors Color) {
  Lines.push_back({fit(Text.str(), ScreenColumns), GivesWay, Color});
}

void ScreenText::wrap(const Twine &Text, unsigned Indent, unsigned MaxRows,
                      unsigned GivesWay) {
  std::string Wrapped;
  llvm::raw_string_ostream OS(Wrapped);
  printWrapped(OS, Text.str(), 2, Indent, ScreenColumns);
  SmallVector<StringRef, 4> Rows;
  StringRef(Wrapped).rtrim('\n').split(Rows, '\n');
  const bool IsCut = Rows.size() > MaxRows;
  for (size_t I = 0; I != std::min<size_t>(Rows.size(), MaxRows); ++I) {
    std::string Row = (I == 0 ? "  " : "") + Rows[I].str();
    if (IsCut && I + 1 == MaxRows) {
      Row.resize(std::min<size_t>(Row.size(), ScreenColumns - 4));
      Row += " ...";
    }
    Lines.push_back({std::move(Row), I == 0 ? 0 : GivesWay});
  }
}

void ScreenText::addPart(StringRef Name, ArrayRef<std::string> Rows,
                         unsigned GivesWay) {
  for (size_t I = 0; I != Rows.size(); ++I) {
    std::string Text = "  " + (I == 0 ? Name.str() : "");
    Text.resize(NameColumns, ' ');
    add(Text + Rows[I], I == 0 ? 0 : GivesWay);
  }
}

void ScreenText::print(raw_ostream &OS, bool Colors) const {
  std::vector<Line> Shown = Lines;
  // What gives way first goes first, the last of its kind before others.
  while (Shown.size() > ScreenLines) {
    size_t Least = Shown.size();
    for (size_t I = Shown.size(); I-- != 0;)
      if (Shown[I].GivesWay != 0 &&
          (Least == Shown.size() || Shown[I].GivesWay < Shown[Least].GivesWay))
        Least = I;
    if (Least == Shown.size())
      break;
    Shown.erase(Shown.begin() + ptrdiff_t(Least));
  }
  for (const Line &L : Shown) {
    const bool Painted = Colors && L.Color != raw_ostream::RESET;
    if (Painted)
      OS.changeColor(L.Color, /*Bold=*/true);
    OS << StringRef(L.Text).rtrim();
    if (Painted)
      OS.resetColor();
    OS << '\n';
  }
}

//===- SVG.cpp - Charts as inline SVG -------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/SVG.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/NumberFormat.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::svg;

std::string ptxpredict::escapeHTML(StringRef Text) {
  std::string Shown;
  if (!isPrintable(Text, "\t")) {
    Shown = printable(Text, "\t");
    Text = Shown;
  }
  std::string Result;
  Result.reserve(Text.size());
  for (char C : Text)
    switch (C) {
    case '&':
      Result += "&amp;";
      break;
    case '<':
      Result += "&lt;";
      break;
    case '>':
      Result += "&gt;";
      break;
    case '"':
      Result += "&quot;";
      break;
    case '\'':
      Result += "&#39;";
      break;
    case '\t': // of a line of a file
      Result += ' ';
      break;
    default:
      Result += C;
    }
  return Result;
}

std::string svg::tickText(double V) {
  if (V == 0)
    return "0"; // whatever its sign
  static constexpr std::pair<double, StringRef> Units[] = {
      {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  StringRef Unit;
  for (auto [Size, Name] : Units)
    if (std::fabs(V) >= Size * 0.9999) {
      V /= Size;
      Unit = Name;
      break;
    }
  return formatNumber("%.3g", V) + Unit.str();
}

std::vector<double> svg::linearTicks(double Low, double High) {
  double Span = High - Low;
  if (!(Span > 0))
    return {Low};
  double Power = std::pow(10, std::floor(std::log10(Span / 5)));
  double Step = Power;
  for (double Factor : {2.0, 5.0, 10.0})
    if (Span / Step > 6)
      Step = Power * Factor;
  std::vector<double> Ticks;
  long First = std::lround(std::ceil(Low / Step - 1e-9));
  long Last = std::lround(std::floor(High / Step + 1e-9));
  for (long N = First; N <= Last; ++N)
    Ticks.push_back(double(N) * Step);
  return Ticks;
}

std::vector<double> svg::logTicks(double Low, double High) {
  long First = std::lround(std::floor(std::log10(Low) + 1e-9));
  long Last = std::lround(std::ceil(std::log10(High) - 1e-9));
  // No more than about seven lines.
  long Step = std::max(1L, (Last - First + 6) / 7);
  bool Few = std::log10(High / Low) <= 2.3;
  std::vector<double> Ticks;
  for (long E = First; E <= Last; E += Step)
    for (double Factor : {1.0, 2.0, 5.0})
      if (double V = Factor * std::pow(10, double(E));
          (Factor == 1 || Few) && V >= Low * 0.999999 && V <= High * 1.000001)
        Ticks.push_back(V);
  return Ticks;
}

namespace {

// In the units of the picture, which are pixels where there is room for it.
constexpr double Width = 420, FontSize = 11.5, LineHeight = 16;
/// Of a small letter or a digit, as wide as sans-serif faces have them.
constexpr double LetterWidth = FontSize * 0.62;

/// Roughly, and rather too wide: which face there is, the browser decides.
double textWidth(StringRef Text) {
  double Letters = 0;
  for (char C : Text) {
    if ((C & 0xc0) == 0x80)
      continue; // the rest of a letter beyond ASCII
    bool IsWide = (C >= 'A' && C <= 'Z') || C == 'm' || C == 'w' || C == '%';
    bool IsNarrow = StringRef(" .,:;'|!ijlt()[]").contains(C);
    Letters += IsWide ? 1.25 : IsNarrow ? 0.65 : 1;
  }
  return LetterWidth * Letters;
}

/// A coordinate: a tenth of a pixel is seen by nobody.
std::string coordinate(double V) {
  std::string Text = formatNumber("%.1f", V);
  if (StringRef(Text).ends_with(".0"))
    Text.resize(Text.size() - 2);
  return Text == "-0" ? "0" : Text;
}

struct Point {
  double X, Y;
};

void printLabel(raw_ostream &OS, Point At, StringRef Anchor, StringRef Text,
                StringRef Class = "text") {
  OS << "<text class=\"" << Class << "\" x=\"" << coordinate(At.X) << "\" y=\""
     << coordinate(At.Y) << "\" text-anchor=\"" << Anchor << "\">"
     << escapeHTML(Text) << "</text>\n";
}

void printLine(raw_ostream &OS, StringRef Class, Point From, Point To) {
  OS << "<line class=\"" << Class << "\" x1=\"" << coordinate(From.X)
     << "\" y1=\"" << coordinate(From.Y) << "\" x2=\"" << coordinate(To.X)
     << "\" y2=\"" << coordinate(To.Y) << "\"/>\n";
}

void printHead(raw_ostream &OS, double Height, StringRef Title) {
  OS << "<svg role=\"img\" viewBox=\"0 0 " << coordinate(Width) << ' '
     << coordinate(Height) << "\">\n<title>" << escapeHTML(Title)
     << "</title>\n";
}

/// Where lines lie on each other, a dashed one lets the other be seen.
std::string dashClass(const Series &S) {
  return S.Dash == 0 ? "" : " d" + std::to_string((S.Dash - 1) % 3 + 1);
}

/// An axis with its range, and where its values are in the picture.
class Scale {
public:
  Scale(const Axis &A, double From, double To)
      : A(A), From(From), To(To), Low(A.Low.value_or(HUGE_VAL)),
        High(A.High.value_or(-HUGE_VAL)) {}

  bool takes(double V) const { return std::isfinite(V) && (!A.IsLog || V > 0); }
  void include(double V) {
    if (!takes(V))
      return;
    if (!A.Low)
      Low = std::min(Low, V);
    if (!A.High)
      High = std::max(High, V);
  }
  /// Once everything is included: a range that is one, with some room.
  void finish() {
    if (!(Low <= High)) {
      Low = A.IsLog ? 1 : 0;
      High = A.IsLog ? 10 : 1;
    }
    if (!A.IsLog && !A.Low)
      Low = std::min(Low, 0.0);
    if (A.IsLog && Low * 1.01 >= High) {
      Low /= 2;
      High *= 2;
    } else if (!A.IsLog && !(Low < High)) {
      High = Low + 1;
    }
    if (!A.High)
      High = A.IsLog ? High * std::pow(High / Low, Margin)
                     : High + (High - Low) * Margin;
    if (!A.Low && A.IsLog)
      Low /= std::pow(High / Low, Margin);
  }
  double place(double V) const {
    double Share = A.IsLog ? std::log10(V / Low) / std::log10(High / Low)
                           : (V - Low) / (High - Low);
    return From + std::clamp(Share, 0.0, 1.0) * (To - From);
  }
  std::vector<double> ticks() const {
    return A.IsLog ? logTicks(Low, High) : linearTicks(Low, High);
  }

private:
  static constexpr double Margin = 0.04; ///< of the range of the data

  const Axis &A;
  double From, To;
  double Low, High;
};

class PlotPrinter {
public:
  PlotPrinter(const Plot &P, raw_ostream &OS)
      : P(P), OS(OS), X(P.X, Left, Width - Right), Y(P.Y, Top + Inner, Top) {
    for (const Series &S : P.Data)
      for (auto [XV, YV] : S.Points)
        if (X.takes(XV) && Y.takes(YV)) {
          X.include(XV);
          Y.include(YV);
        }
    for (const Marker &M : P.Markers)
      X.include(M.X);
    X.finish();
    Y.finish();
  }

  void print() {
    std::vector<std::pair<double, double>> Legend = placeLegend();
    printHead(OS, Top + Inner + Bottom + LegendHeight, P.Title);
    printAxes();
    for (const Series &S : P.Data)
      printSeries(S);
    printMarkers();
    printLegend(Legend);
    OS << "</svg>\n";
  }

private:
  static constexpr double Left = 50, Right = 16, Top = 36, Inner = 180,
                          Bottom = 42;

  const Plot &P;
  raw_ostream &OS;
  Scale X, Y;
  double LegendHeight = 0;

  void printAxes();
  void printSeries(const Series &S);
  void printMarkers();
  std::vector<std::pair<double, double>> placeLegend();
  void printLegend(ArrayRef<std::pair<double, double>> Places);
};

} // namespace

void PlotPrinter::printAxes() {
  for (double V : Y.ticks()) {
    double At = Y.place(V);
    printLine(OS, "grid", {Left, At}, {Width - Right, At});
    printLabel(OS, {Left - 6, At + 4}, "end", tickText(V));
  }
  double LastEnd = -HUGE_VAL;
  for (double V : X.ticks()) {
    double At = X.place(V);
    std::string Text = tickText(V);
    printLine(OS, "grid", {At, Top}, {At, Top + Inner});
    if (At - textWidth(Text) / 2 < LastEnd + 4)
      continue; // no room for its number
    LastEnd = At + textWidth(Text) / 2;
    printLabel(OS, {At, Top + Inner + 16}, "middle", Text);
  }
  printLine(OS, "axis", {Left, Top + Inner}, {Width - Right, Top + Inner});
  printLine(OS, "axis", {Left, Top}, {Left, Top + Inner});
  printLabel(OS, {(Left + Width - Right) / 2, Top + Inner + 33}, "middle",
             P.X.Label, "text label");
  printLabel(OS, {4, 12}, "start", P.Y.Label, "text label");
}

void PlotPrinter::printSeries(const Series &S) {
  std::vector<std::pair<double, double>> Points;
  for (auto [XV, YV] : S.Points)
    if (X.takes(XV) && Y.takes(YV))
      Points.emplace_back(X.place(XV), Y.place(YV));
  if (Points.empty())
    return;
  unsigned Color = S.Color % NumColors;
  if (S.Look == Series::Style::Points) {
    for (auto [PX, PY] : Points) {
      OS << "<circle class=\"dot f" << Color << "\" cx=\"" << coordinate(PX)
         << "\" cy=\"" << coordinate(PY) << "\" r=\"" << coordinate(S.Radius)
         << '"';
      if (S.Tip.empty())
        OS << "/>\n";
      else
        OS << "><title>" << escapeHTML(S.Tip) << "</title></circle>\n";
    }
    return;
  }
  OS << "<path class=\"line s" << Color << dashClass(S) << "\" d=\"M"
     << coordinate(Points[0].first) << ' ' << coordinate(Points[0].second);
  bool Steps = S.Look == Series::Style::Steps;
  double LastX = Points[0].first;
  for (size_t I = 1; I != Points.size(); ++I) {
    auto [PX, PY] = Points[I];
    bool IsLast = I + 1 == Points.size();
    // Of a run of equal values the ends are enough.
    if (PY == Points[I - 1].second && !IsLast &&
        (Steps || PY == Points[I + 1].second))
      continue;
    // Nor is more seen of points that lie closer than half a pixel.
    if (PX - LastX < 0.5 && PX >= LastX && !IsLast)
      continue;
    LastX = PX;
    if (Steps)
      OS << 'H' << coordinate(PX) << 'V' << coordinate(PY);
    else
      OS << 'L' << coordinate(PX) << ' ' << coordinate(PY);
  }
  OS << "\"/>\n";
}

void PlotPrinter::printMarkers() {
  double LastEnd = -HUGE_VAL;
  std::vector<Marker> Sorted = P.Markers;
  llvm::stable_sort(Sorted,
                    [](const Marker &A, const Marker &B) { return A.X < B.X; });
  for (const Marker &M : Sorted) {
    if (!X.takes(M.X))
      continue;
    double At = X.place(M.X), W = textWidth(M.Label);
    printLine(OS, "mark", {At, Top - 14}, {At, Top + Inner});
    // Beside its line, inside of the picture.
    bool ToTheLeft = At + W + 6 > Width;
    double Start = ToTheLeft ? At - 4 - W : At + 4;
    if (Start < LastEnd)
      continue;
    LastEnd = Start + W + 4;
    printLabel(OS, {ToTheLeft ? At - 4 : At + 4, Top - 4},
               ToTheLeft ? "end" : "start", M.Label, "text note");
  }
}

std::vector<std::pair<double, double>> PlotPrinter::placeLegend() {
  std::vector<std::pair<double, double>> Places;
  double At = Left, Line = 0;
  for (const Series &S : P.Data) {
    double Needs = S.Name.empty() ? 0 : 24 + textWidth(S.Name) + 14;
    if (At > Left && At + Needs > Width) {
      At = Left;
      ++Line;
    }
    Places.emplace_back(At, Top + Inner + Bottom + LineHeight * (Line + 0.7));
    At += Needs;
    if (Needs > 0)
      LegendHeight = LineHeight * (Line + 1) + 4;
  }
  return Places;
}

void PlotPrinter::printLegend(ArrayRef<std::pair<double, double>> Places) {
  for (auto [S, Place] : llvm::zip(P.Data, Places)) {
    if (S.Name.empty())
      continue;
    auto [At, Base] = Place;
    unsigned Color = S.Color % NumColors;
    if (S.Look == Series::Style::Points)
      OS << "<circle class=\"dot f" << Color << "\" cx=\"" << coordinate(At + 9)
         << "\" cy=\"" << coordinate(Base - 4) << "\" r=\"5\"/>\n";
    else
      printLine(OS, ("line s" + Twine(Color) + dashClass(S)).str(),
                {At, Base - 4}, {At + 18, Base - 4});
    printLabel(OS, {At + 24, Base}, "start", S.Name);
  }
}

void svg::print(const Plot &P, raw_ostream &OS) { PlotPrinter(P, OS).print(); }

void svg::print(const BarChart &C, raw_ostream &OS) {
  constexpr double RowHeight = 24, BarHeight = 14, Gap = 8;
  double LabelWidth = 0, NumberWidth = 0, Most = 0;
  for (const Bar &B : C.Bars) {
    LabelWidth = std::max(LabelWidth, textWidth(B.Label));
    NumberWidth = std::max(NumberWidth, textWidth(B.Text));
    if (std::isfinite(B.Value))
      Most = std::max(Most, B.Value);
  }
  if (C.Reference && std::isfinite(C.Reference->X))
    Most = std::max(Most, C.Reference->X);
  LabelWidth = std::min(LabelWidth, Width * 0.45);
  double Left = LabelWidth + Gap, Room = Width - Left - NumberWidth - Gap - 2;
  double Top = C.Reference ? LineHeight + 4 : 2;
  double Bottom = Top + RowHeight * double(C.Bars.size());
  auto Length = [&](double V) {
    return Most > 0 && std::isfinite(V) ? std::max(0.0, V) / Most * Room : 0;
  };
  printHead(OS, Bottom + 4, C.Title);
  for (auto [I, B] : llvm::enumerate(C.Bars)) {
    double Y = Top + RowHeight * double(I) + (RowHeight - BarHeight) / 2;
    printLabel(OS, {LabelWidth, Y + BarHeight - 3}, "end",
               textWidth(B.Label) > LabelWidth
                   ? fit(B.Label, unsigned(LabelWidth / LetterWidth))
                   : B.Label);
    OS << "<rect class=\"track\" x=\"" << coordinate(Left) << "\" y=\""
       << coordinate(Y) << "\" width=\"" << coordinate(Room) << "\" height=\""
       << coordinate(BarHeight) << "\" rx=\"2\"/>\n";
    OS << "<rect class=\"f" << B.Color % NumColors << "\" x=\""
       << coordinate(Left) << "\" y=\"" << coordinate(Y) << "\" width=\""
       << coordinate(std::max(Length(B.Value), B.Value > 0 ? 1.0 : 0.0))
       << "\" height=\"" << coordinate(BarHeight) << "\" rx=\"2\"/>\n";
    printLabel(OS, {Width - 2, Y + BarHeight - 3}, "end", B.Text,
               "text number");
  }
  if (C.Reference) {
    double At = Left + Length(C.Reference->X);
    printLine(OS, "mark", {At, Top - 2}, {At, Bottom});
    double W = textWidth(C.Reference->Label);
    bool ToTheLeft = At + W / 2 > Width;
    printLabel(OS, {ToTheLeft ? Width - 2 : std::max(At, W / 2 + 2), Top - 6},
               ToTheLeft ? "end" : "middle", C.Reference->Label, "text note");
  }
  OS << "</svg>\n";
}

void svg::print(const Timeline &T, raw_ostream &OS) {
  constexpr double RowHeight = 24, BarHeight = 14, Gap = 8;
  double LabelWidth = 0, Most = 0;
  for (const Timeline::Row &R : T.Rows) {
    LabelWidth = std::max(LabelWidth, textWidth(R.Label));
    for (const Span &S : R.Spans)
      Most = std::max(Most, S.End);
  }
  LabelWidth = std::min(LabelWidth, Width * 0.45);
  const double Left = LabelWidth + Gap, Room = Width - Left - Gap * 2;
  const double Top = LineHeight + Gap;
  const double Bottom = Top + RowHeight * double(T.Rows.size());
  auto At = [&](double V) { return Left + (Most > 0 ? V / Most * Room : 0); };
  printHead(OS, Bottom + 2 * LineHeight + Gap, T.Title);
  double LegendAt = Left;
  for (const auto &[Color, Text] : T.Legend) {
    OS << "<rect class=\"f" << Color % NumColors << "\" x=\""
       << coordinate(LegendAt) << "\" y=\"2\" width=\"10\" height=\"10\" "
       << "rx=\"2\"/>\n";
    printLabel(OS, {LegendAt + 14, 11}, "start", Text);
    LegendAt += textWidth(Text) + 14 + 2 * Gap;
  }
  for (double Tick : linearTicks(0, Most)) {
    printLine(OS, "grid", {At(Tick), Top}, {At(Tick), Bottom});
    printLabel(OS, {At(Tick), Bottom + LineHeight}, "middle", tickText(Tick),
               "text label");
  }
  printLabel(OS, {Left + Room / 2, Bottom + 2 * LineHeight}, "middle", T.Axis,
             "text label");
  for (const auto &[I, R] : llvm::enumerate(T.Rows)) {
    const double Y = Top + RowHeight * double(I) + (RowHeight - BarHeight) / 2;
    printLabel(OS, {LabelWidth, Y + BarHeight - 3}, "end", R.Label);
    for (const Span &S : R.Spans)
      OS << "<rect class=\"f" << S.Color % NumColors << "\" x=\""
         << coordinate(At(S.Start)) << "\" y=\"" << coordinate(Y)
         << "\" width=\"" << coordinate(std::max(At(S.End) - At(S.Start), 1.0))
         << "\" height=\"" << coordinate(BarHeight) << "\" rx=\"2\"><title>"
         << escapeHTML(S.Tip) << "</title></rect>\n";
  }
  OS << "</svg>\n";
}

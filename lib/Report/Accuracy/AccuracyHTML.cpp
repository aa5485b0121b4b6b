//===- AccuracyHTML.cpp - How far predictions are off, as a page ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AccuracyTables.h"
#include "ptxpredict/Report/Writers/HTMLStyle.h"
#include "ptxpredict/Report/Writers/SVG.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <map>

using namespace ptxpredict;

/// What keeps a page small and a chart clear.
static constexpr size_t MaxPoints = 1500;

namespace {

class AccuracyPage {
public:
  AccuracyPage(const ValidationReport &R, const AccuracyViewOptions &Options,
               raw_ostream &OS)
      : R(R), Tables(R, Options), OS(OS) {}

  void print();

private:
  using NameFn = llvm::function_ref<StringRef(const ValidatedPoint &)>;

  void printSection(unsigned Dataset);
  void printTable(const AccuracyTable &T);
  void printScatter(unsigned Dataset, size_t Model, StringRef What,
                    NameFn Name);

  const ValidationReport &R;
  AccuracyTables Tables;
  raw_ostream &OS;
};

} // namespace

void AccuracyPage::printTable(const AccuracyTable &T) {
  OS << "<h3>" << escapeHTML(T.Title)
     << "</h3>\n<div class=\"scroll\"><table><thead><tr>";
  auto Class = [&](size_t C) { return C < T.NumNames ? "" : " class=\"num\""; };
  for (auto [C, Head] : llvm::enumerate(T.Heading))
    OS << "<th" << Class(C) << '>' << escapeHTML(Head) << "</th>";
  OS << "</tr></thead><tbody>\n";
  for (const std::vector<std::string> &Row : T.Rows) {
    OS << "<tr>";
    for (auto [C, Cell] : llvm::enumerate(Row))
      OS << "<td" << Class(C) << '>' << escapeHTML(Cell) << "</td>";
    OS << "</tr>\n";
  }
  OS << "</tbody></table></div>\n";
}

/// Every n-th point if there are too many; a series for each of the most
/// frequent names, one for all others.
void AccuracyPage::printScatter(unsigned Dataset, size_t Model, StringRef What,
                                NameFn Name) {
  std::vector<const ValidatedPoint *> Points;
  for (const ValidatedPoint &P : R.Points)
    if (P.Dataset == Dataset && !P.Answers.empty() && P.Answers[Model].TimeUs)
      Points.push_back(&P);
  if (Points.empty())
    return;
  size_t Step = (Points.size() + MaxPoints - 1) / MaxPoints;
  std::map<StringRef, std::vector<std::pair<double, double>>> ByName;
  double Low = Points.front()->TimeUs, High = Low;
  for (size_t N = 0; N < Points.size(); N += Step) {
    const ValidatedPoint &P = *Points[N];
    double Predicted = P.Answers[Model].TimeUs->Value;
    ByName[Name(P)].emplace_back(P.TimeUs, Predicted);
    Low = std::min({Low, P.TimeUs, Predicted});
    High = std::max({High, P.TimeUs, Predicted});
  }
  std::vector<StringRef> Names;
  Names.reserve(ByName.size());
  for (const auto &Entry : ByName)
    Names.push_back(Entry.first);
  llvm::stable_sort(Names, [&](StringRef A, StringRef B) {
    return ByName[A].size() > ByName[B].size();
  });

  svg::Plot Chart;
  Chart.Title = "Predicted against measured times by " + R.Models[Model];
  Chart.X = {"measured us", /*IsLog=*/true};
  Chart.Y = {"predicted us", /*IsLog=*/true};
  for (auto [N, Of] : llvm::enumerate(Names)) {
    bool IsOther = N + 1 >= svg::NumColors && Names.size() > svg::NumColors;
    if (IsOther && Chart.Data.size() == svg::NumColors) {
      llvm::append_range(Chart.Data.back().Points, ByName[Of]);
      continue;
    }
    svg::Series S;
    S.Name = IsOther ? "others" : Of.str();
    S.Look = svg::Series::Style::Points;
    S.Color = unsigned(Chart.Data.size());
    S.Points = std::move(ByName[Of]);
    S.Radius = 2.5;
    Chart.Data.push_back(std::move(S));
  }
  svg::Series Equal;
  Equal.Color = svg::NumColors - 1;
  Equal.Dash = 2;
  Equal.Points = {{Low, Low}, {High, High}};
  Chart.Data.push_back(std::move(Equal));
  OS << "<figure><figcaption>" << escapeHTML(R.Models[Model]) << "<small>by "
     << escapeHTML(What);
  if (Step != 1)
    OS << "; one of " << Step << " rows is shown";
  OS << "</small></figcaption>\n";
  svg::print(Chart, OS);
  OS << "</figure>\n";
}

void AccuracyPage::printSection(unsigned Dataset) {
  const ValidatedDataset &D = R.Datasets[Dataset];
  OS << "<section class=\"card\">\n<h2>" << escapeHTML(D.About.Title)
     << "</h2>\n<p class=\"hint\">" << escapeHTML(D.About.Name) << ", "
     << escapeHTML(D.About.Source) << ". " << rowsText(D)
     << "</p>\n<div class=\"charts\">\n";
  // Of one kernel, devices are what differs.
  bool HasKernels = D.About.Kernels.size() > 1;
  for (size_t M : Tables.shown().Models) {
    if (R.isBaseline(M))
      continue;
    printScatter(Dataset, M, HasKernels ? "kernel" : "device",
                 [&](const ValidatedPoint &P) -> StringRef {
                   return HasKernels ? P.Kernel->Name : P.Device;
                 });
    printScatter(Dataset, M, "limiter",
                 [&](const ValidatedPoint &P) -> StringRef {
                   return toString(P.Answers[M].Limiter);
                 });
  }
  OS << "</div>\n<details><summary>Tables</summary>\n";
  for (const AccuracyTable &T : Tables.of(Dataset))
    printTable(T);
  OS << "</details>\n</section>\n";
}

void AccuracyPage::print() {
  const size_t Number = R.Datasets.size();
  html::printHead({"Accuracy", "Predicted against measured times",
                   std::to_string(R.Points.size()) + " rows of " +
                       std::to_string(Number) +
                       (Number == 1 ? " dataset" : " datasets")},
                  OS);
  OS << "<main>\n<section class=\"card\">\n";
  printTable(Tables.overview());
  for (StringRef Note : Tables.shown().notes(R))
    OS << "<p class=\"hint\">" << escapeHTML(Note) << "</p>\n";
  OS << "</section>\n";
  for (unsigned N = 0; N != R.Datasets.size(); ++N)
    printSection(N);
  OS << "</main>\n</body>\n</html>\n";
}

void ptxpredict::printAccuracyHTML(const ValidationReport &R,
                                   const AccuracyViewOptions &Options,
                                   raw_ostream &OS) {
  AccuracyPage(R, Options, OS).print();
}

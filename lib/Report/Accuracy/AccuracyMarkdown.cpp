//===- AccuracyMarkdown.cpp - How far predictions are off, in Markdown ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AccuracyTables.h"
#include "Report/Writers/MarkdownText.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static void printTable(const AccuracyTable &T, raw_ostream &OS) {
  OS << "**" << markdownText(T.Title) << "**\n\n|";
  for (StringRef Head : T.Heading)
    OS << ' ' << markdownText(Head) << " |";
  OS << "\n|";
  for (size_t C = 0; C != T.Heading.size(); ++C)
    OS << (C < T.NumNames ? "---|" : "--:|");
  OS << '\n';
  for (const std::vector<std::string> &Row : T.Rows) {
    OS << '|';
    for (StringRef Cell : Row)
      OS << ' ' << (Cell.empty() ? "-" : markdownText(Cell)) << " |";
    OS << '\n';
  }
  OS << '\n';
}

void ptxpredict::printAccuracyMarkdown(const ValidationReport &R,
                                       const AccuracyViewOptions &Options,
                                       raw_ostream &OS) {
  AccuracyTables Tables(R, Options);
  OS << "# Predicted against measured times\n\n";
  printTable(Tables.overview(), OS);
  for (StringRef Note : Tables.shown().notes(R))
    OS << Note << '\n';
  OS << '\n';
  for (unsigned N = 0; N != R.Datasets.size(); ++N) {
    const ValidatedDataset &D = R.Datasets[N];
    OS << "## " << markdownText(D.About.Title) << "\n\n"
       << markdownCode(D.About.Name) << ", " << markdownText(D.About.CSV.Text)
       << ": " << markdownText(D.About.Source) << ". " << rowsText(D)
       << ".\n\n";
    for (const AccuracyTable &T : Tables.of(N))
      printTable(T, OS);
  }
  if (R.Datasets.size() > 1) {
    OS << "## All datasets\n\n";
    for (const AccuracyTable &T : Tables.of(std::nullopt))
      printTable(T, OS);
  }
}

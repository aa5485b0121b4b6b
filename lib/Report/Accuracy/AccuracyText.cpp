//===- AccuracyText.cpp - How far predictions are off, as text ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AccuracyTables.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace ptxpredict;

/// In the heading's first cell stands the title, if there is one.
static void printTable(const AccuracyTable &T, StringRef Title, unsigned Indent,
                       raw_ostream &OS) {
  using Align = TextTable::Align;
  std::vector<Align> Columns(T.Heading.size(), Align::Right);
  std::fill_n(Columns.begin(), T.NumNames, Align::Left);
  TextTable Text(std::move(Columns));
  std::vector<std::string> Heading = T.Heading;
  if (!Title.empty())
    Heading.front() = Title.str();
  Text.addRow(std::move(Heading));
  for (const std::vector<std::string> &Row : T.Rows)
    Text.addRow(Row);
  Text.print(OS, Indent);
}

/// How many rows of a dataset lack something of a model, and the most frequent
/// reason. \p Reason: why an answer lacks it; nothing where it has it.
static void printMissing(
    const ValidationReport &R, unsigned Dataset, StringRef What,
    llvm::function_ref<std::optional<StringRef>(const ModelAnswer &)> Reason,
    ArrayRef<size_t> Models, raw_ostream &OS) {
  for (size_t M : Models) {
    size_t Rows = 0;
    std::map<StringRef, size_t> Reasons;
    for (const ValidatedPoint &P : R.Points) {
      if (P.Dataset != Dataset || P.Answers.empty())
        continue;
      if (std::optional<StringRef> Why = Reason(P.Answers[M])) {
        ++Rows;
        ++Reasons[*Why];
      }
    }
    if (Rows == 0 || R.isBaseline(M))
      continue;
    auto Most = llvm::max_element(Reasons, [](const auto &A, const auto &B) {
      return A.second < B.second;
    });
    OS << "  rows without " << What << " by " << R.Models[M] << ": " << Rows
       << "; most often (" << Most->second << "): " << printable(Most->first)
       << "\n\n";
  }
}

static void printUnanswered(const ValidationReport &R, unsigned Dataset,
                            ArrayRef<size_t> Models, raw_ostream &OS) {
  printMissing(
      R, Dataset, "a time",
      [](const ModelAnswer &A) -> std::optional<StringRef> {
        if (A.TimeUs)
          return std::nullopt;
        return A.Problem;
      },
      Models, OS);
  printMissing(
      R, Dataset, "an upper bound",
      [](const ModelAnswer &A) -> std::optional<StringRef> {
        if (A.NoUpperBound.empty())
          return std::nullopt;
        return A.NoUpperBound;
      },
      Models, OS);
}

void ptxpredict::printAccuracyText(const ValidationReport &R,
                                   const AccuracyViewOptions &Options,
                                   raw_ostream &To) {
  PrintableStream OS(To);
  AccuracyTables Tables(R, Options);
  if (Options.Quiet)
    return printTable(Tables.overview(), "", /*Indent=*/0, OS);
  auto PrintAll = [&](std::optional<unsigned> Dataset) {
    for (const AccuracyTable &T : Tables.of(Dataset)) {
      printTable(T, T.Title, /*Indent=*/2, OS);
      OS << '\n';
    }
  };
  for (unsigned N = 0; N != R.Datasets.size(); ++N) {
    const ValidatedDataset &D = R.Datasets[N];
    OS << printable(D.About.Name) << "  " << printable(D.About.Title) << "\n  "
       << printable(D.About.Source) << "\n  " << rowsText(D) << "\n\n";
    printUnanswered(R, N, Tables.shown().Models, OS);
    PrintAll(N);
  }
  if (R.Datasets.size() > 1) {
    OS << "all datasets\n\n";
    PrintAll(std::nullopt);
  }
  for (StringRef Note : Tables.shown().notes(R))
    OS << Note << '\n';
}

//===- AccuracyText.cpp - How far predictions are off, as text ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/TextTable.h"
#include "ptxpredict/Validation/AccuracyReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <map>

using namespace ptxpredict;
using Align = TextTable::Align;

static std::string formatted(const char *Format, double Value) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format(Format, Value);
  return Text;
}

std::string ptxpredict::errorText(double Fraction) {
  return std::isfinite(Fraction)
             ? formatted(Fraction < 10 ? "%.1f %%" : "%.0f %%", 100 * Fraction)
             : "";
}

std::string ptxpredict::ratioText(double Ratio) {
  return std::isfinite(Ratio) ? formatted("%.2f", Ratio) : "";
}

std::string ptxpredict::rowsText(const ValidatedDataset &D) {
  std::string Text =
      std::to_string(D.NumPoints - D.NoCode - D.Failed) + " rows predicted";
  auto Add = [&](size_t N, StringRef What) {
    if (N != 0)
      Text += "; " + std::to_string(N) + " " + What.str();
  };
  Add(D.NoCode, "without code");
  Add(D.Failed, "failed");
  Add(D.Rows.LeftOut, "left out");
  Add(D.Rows.NoDevice, "of other devices");
  Add(D.Rows.NoKernel, "of other kernels");
  Add(D.Rows.NotAsked, "not asked for");
  Add(D.Rows.LaunchBound, "too short");
  Add(D.Rows.NotDrawn, "not drawn");
  return Text;
}

namespace {

/// Prints one accuracy; models whose times are another's have no rows.
class TextPrinter {
public:
  TextPrinter(const ValidationReport &R, const AccuracyViewOptions &Options,
              raw_ostream &OS)
      : R(R), Options(Options), OS(OS), Alike(modelsAlike(R)) {
    for (size_t M = 0; M != R.Models.size(); ++M)
      if (Alike[M] == M)
        Shown.push_back(M);
  }

  void print();

private:
  void print(const Accuracy &A);
  void printModels(StringRef Heading, const AccuracyGroup &G);
  void printUnanswered(unsigned Dataset);
  void printRanks(const Accuracy &A);
  void printGroups(StringRef Heading, ArrayRef<AccuracyGroup> Groups);
  void printCounts(const Accuracy &A);
  void printLimiters(const Accuracy &A);
  void printSets(const Accuracy &A);
  void printWorst(const Accuracy &A);

  TextTable table(StringRef First, ArrayRef<StringRef> Others) const {
    std::vector<Align> Columns(Others.size() + 1, Align::Right);
    Columns[0] = Align::Left;
    std::vector<std::string> Heading{First.str()};
    for (StringRef O : Others)
      Heading.push_back(O.str());
    TextTable T(std::move(Columns));
    T.addRow(std::move(Heading));
    return T;
  }
  std::vector<StringRef> modelNames(ArrayRef<StringRef> Before = {}) const {
    std::vector<StringRef> Names(Before);
    for (size_t M : Shown)
      Names.push_back(R.Models[M]);
    return Names;
  }

  const ValidationReport &R;
  const AccuracyViewOptions &Options;
  raw_ostream &OS;
  std::vector<size_t> Alike, Shown;
};

} // namespace

void TextPrinter::printModels(StringRef Heading, const AccuracyGroup &G) {
  TextTable T = table(Heading, {"rows", "MAPE", "median", "factor", "bias",
                                "in bounds", "power"});
  for (size_t M : Shown) {
    const ErrorSummary &E = G.Models[M];
    T.addRow({R.Models[M], std::to_string(E.Rows), errorText(E.MAPE),
              errorText(E.Median), ratioText(E.Factor), ratioText(E.Bias),
              errorText(E.Coverage), errorText(E.PowerMAPE)});
  }
  T.print(OS);
  OS << '\n';
}

/// How many rows a model has no time for, and the most frequent reason.
void TextPrinter::printUnanswered(unsigned Dataset) {
  for (size_t M : Shown) {
    size_t Rows = 0;
    std::map<StringRef, size_t> Reasons;
    for (const ValidatedPoint &P : R.Points)
      if (P.Dataset == Dataset && !P.Answers.empty() && !P.Answers[M].TimeUs) {
        ++Rows;
        ++Reasons[P.Answers[M].Problem];
      }
    if (Rows == 0)
      continue;
    auto Most = llvm::max_element(Reasons, [](const auto &A, const auto &B) {
      return A.second < B.second;
    });
    OS << "  rows without a time by " << R.Models[M] << ": " << Rows
       << "; most often (" << Most->second << "): " << Most->first << "\n\n";
  }
}

void TextPrinter::printRanks(const Accuracy &A) {
  TextTable T = table("order of configurations",
                      {"sets", "rank", "least", "best", "worst", "best of 10",
                       "worst", "pairs", "kernels' rank", "least", "clocks"});
  bool Any = false;
  for (size_t M : Shown) {
    const RankSummary &S = A.Ranks[M], &K = A.KernelRanks[M];
    Any |= S.Sets != 0 || S.RegretSets != 0 || S.Pairs != 0 || K.Sets != 0 ||
           A.Scaling[M].Rows != 0;
    T.addRow({R.Models[M], S.Sets ? std::to_string(S.Sets) : "",
              ratioText(S.MeanSpearman), ratioText(S.LeastSpearman),
              ratioText(S.MeanRegret), ratioText(S.MostRegret),
              ratioText(S.MeanRegret10), ratioText(S.MostRegret10),
              S.Pairs ? errorText(double(S.RightPairs) / double(S.Pairs)) : "",
              ratioText(K.MeanSpearman), ratioText(K.LeastSpearman),
              errorText(A.Scaling[M].Value)});
  }
  if (!Any)
    return;
  T.print(OS);
  OS << '\n';
}

void TextPrinter::printGroups(StringRef Heading,
                              ArrayRef<AccuracyGroup> Groups) {
  TextTable T = table(Heading, modelNames({"rows", "measured"}));
  for (const AccuracyGroup &G : Groups) {
    std::string Name = G.Apart;
    for (StringRef Part : {StringRef(G.Device), StringRef(G.Kernel)})
      if (!Part.empty())
        Name += (Name.empty() ? "" : "  ") + Part.str();
    std::vector<std::string> Cells{Name, std::to_string(G.Rows),
                                   G.LeastUs == G.MostUs
                                       ? shortTime(G.LeastUs)
                                       : shortTime(G.LeastUs) + " - " +
                                             shortTime(G.MostUs)};
    for (size_t M : Shown) {
      const ErrorSummary &E = G.Models[M];
      Cells.push_back(E.Rows ? errorText(E.MAPE) + " " + ratioText(E.Bias) + "x"
                             : "-");
    }
    T.addRow(std::move(Cells));
  }
  T.print(OS);
  OS << '\n';
}

void TextPrinter::printCounts(const Accuracy &A) {
  TextTable T =
      table("median error of counts", {"instructions", "DRAM sectors",
                                       "L2 sectors", "shared wavefronts"});
  bool Any = false;
  for (size_t M : Shown) {
    std::vector<std::string> Cells{R.Models[M]};
    bool OfModel = false;
    for (const MeanOf &C : A.Counts[M]) {
      OfModel |= C.Rows != 0;
      Cells.push_back(
          C.Rows ? errorText(C.Value) + " of " + std::to_string(C.Rows) : "");
    }
    if (OfModel)
      T.addRow(std::move(Cells));
    Any |= OfModel;
  }
  if (!Any)
    return;
  T.print(OS);
  OS << '\n';
}

void TextPrinter::printLimiters(const Accuracy &A) {
  TextTable T = table("by limiter", {"rows", "MAPE", "median", "bias"});
  for (size_t M : Shown)
    for (const auto &[Limiter, E] : A.Limiters[M])
      T.addRow({R.Models[M] + "  " + Limiter, std::to_string(E.Rows),
                errorText(E.MAPE), errorText(E.Median), ratioText(E.Bias)});
  T.print(OS);
  OS << '\n';
}

void TextPrinter::printSets(const Accuracy &A) {
  TextTable T =
      table("rank, best and best of 10 of each set", modelNames({"rows"}));
  if (A.Sets.empty())
    return;
  for (const RankedSet &S : A.Sets) {
    std::vector<std::string> Cells{S.Name, std::to_string(S.Rows)};
    for (size_t M : Shown) {
      const SetRanking &K = S.Models[M];
      Cells.push_back(
          K.Rows == 0 ? "-"
                      : (K.Spearman ? ratioText(*K.Spearman) : "-") + " " +
                            ratioText(K.Regret) + " " + ratioText(K.Regret10));
    }
    T.addRow(std::move(Cells));
  }
  T.print(OS);
  OS << '\n';
}

void TextPrinter::printWorst(const Accuracy &A) {
  for (size_t M : Shown) {
    if (A.Worst[M].empty())
      continue;
    TextTable T({Align::Left, Align::Left, Align::Left, Align::Right,
                 Align::Right, Align::Right, Align::Left});
    T.addRow({"worst of " + R.Models[M], "device", "set", "measured",
              "predicted", "ratio", "limiter"});
    for (const WorstRow &W : A.Worst[M]) {
      const ValidatedPoint &P = R.Points[W.Point];
      T.addRow({R.Datasets[P.Dataset].About.CSV.Text + ":" +
                    std::to_string(P.Line) + " " + P.Kernel->Name,
                P.Device, fit(P.Set, 40), shortTime(P.TimeUs),
                shortTime(P.Answers[M].TimeUs->Value), ratioText(W.Ratio),
                P.Answers[M].Limiter});
    }
    T.print(OS);
    OS << '\n';
  }
}

void TextPrinter::print(const Accuracy &A) {
  if (A.All.Rows == 0 && A.Apart.empty())
    return;
  if (A.Default)
    printModels("default rows", *A.Default);
  printModels("all rows", A.All);
  printRanks(A);
  printCounts(A);
  printGroups("MAPE and bias by device", A.Devices);
  if (A.Kernels.size() > 1)
    printGroups("by kernel", A.Kernels);
  if (Options.Verbose && A.DeviceKernels.size() > A.Devices.size())
    printGroups("by device and kernel", A.DeviceKernels);
  if (!A.Apart.empty())
    printGroups("apart", A.Apart);
  printLimiters(A);
  if (Options.Sets)
    printSets(A);
  printWorst(A);
}

void TextPrinter::print() {
  const bool Several = R.Datasets.size() > 1;
  if (Options.Quiet) {
    TextTable T({Align::Left, Align::Left, Align::Right, Align::Right,
                 Align::Right, Align::Right, Align::Right, Align::Right});
    T.addRow({"dataset", "model", "rows", "MAPE", "median", "bias", "rank",
              "best of 10"});
    for (unsigned N = 0; N != R.Datasets.size(); ++N) {
      Accuracy A = computeAccuracy(R, N, 0);
      for (size_t M : Shown) {
        const ErrorSummary &E = A.All.Models[M];
        T.addRow({R.Datasets[N].About.Name, R.Models[M], std::to_string(E.Rows),
                  errorText(E.MAPE), errorText(E.Median), ratioText(E.Bias),
                  ratioText(A.Ranks[M].MeanSpearman),
                  ratioText(A.Ranks[M].MostRegret10)});
      }
    }
    T.print(OS, /*Indent=*/0);
    return;
  }
  for (unsigned N = 0; N != R.Datasets.size(); ++N) {
    const ValidatedDataset &D = R.Datasets[N];
    OS << D.About.Name << "  " << D.About.Title << "\n  " << D.About.Source
       << "\n  " << rowsText(D) << "\n\n";
    printUnanswered(N);
    print(computeAccuracy(R, N, Options.Worst));
  }
  if (Several) {
    OS << "all datasets\n\n";
    print(computeAccuracy(R, std::nullopt, 0));
  }
  for (size_t M = 0; M != Alike.size(); ++M)
    if (Alike[M] != M)
      OS << "The times of " << R.Models[M] << " are those of "
         << R.Models[Alike[M]] << ".\n";
}

void ptxpredict::printAccuracyText(const ValidationReport &R,
                                   const AccuracyViewOptions &Options,
                                   raw_ostream &OS) {
  TextPrinter(R, Options, OS).print();
}

//===- AccuracyTables.cpp - The tables of a validation --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AccuracyTables.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/NumberFormat.h"
#include <cmath>

using namespace ptxpredict;

std::string ptxpredict::errorText(double Fraction) {
  return std::isfinite(Fraction)
             ? formatNumber(Fraction < 10 ? "%.1f %%" : "%.0f %%",
                            100 * Fraction)
             : "";
}

std::string ptxpredict::ratioText(double Ratio) {
  return std::isfinite(Ratio) ? formatNumber("%.2f", Ratio) : "";
}

/// "25.0 %"; nothing of none.
static std::string shareText(size_t Part, size_t Whole) {
  return Whole == 0 ? "" : errorText(double(Part) / double(Whole));
}

std::string ptxpredict::rowsText(const ValidatedDataset &D) {
  std::string Text = std::to_string(D.numPredicted()) + " rows predicted";
  auto Add = [&](size_t N, StringRef What) {
    if (N != 0)
      Text += "; " + std::to_string(N) + " " + What.str();
  };
  Add(D.NoCode, "without code");
  Add(D.NoCounters, "without counters at these clocks");
  Add(D.Failed, "failed");
  Add(D.Rows.LeftOut, "left out");
  Add(D.Rows.NoDevice, "of other devices");
  Add(D.Rows.NoKernel, "of other kernels");
  Add(D.Rows.NotAsked, "not asked for");
  Add(D.Rows.LaunchBound, "too short");
  Add(D.Rows.NotDrawn, "not drawn");
  return Text;
}

AccuracyTable AccuracyTables::models(StringRef Title,
                                     const AccuracyGroup &G) const {
  AccuracyTable T{Title.str(),
                  1,
                  {"model", "rows", "MAPE", "median", "factor", "bias",
                   "closed", "in bounds", "power", "in bounds"},
                  {}};
  for (size_t M : Shown.Models) {
    const ErrorSummary &E = G.Models[M];
    T.Rows.push_back({R.Models[M], std::to_string(E.Rows), errorText(E.MAPE),
                      errorText(E.Median), ratioText(E.Factor),
                      ratioText(E.Bias), closedText(E, M),
                      errorText(E.Coverage), errorText(E.PowerMAPE),
                      errorText(E.PowerCoverage)});
  }
  return T;
}

/// The share of the rows whose time has an upper bound; nothing of a model that
/// gives no bounds.
std::string AccuracyTables::closedText(const ErrorSummary &E,
                                       size_t Model) const {
  return E.Rows == 0 || R.isBaseline(Model)
             ? ""
             : errorText(double(E.Closed) / double(E.Rows));
}

AccuracyTable AccuracyTables::kinds(const Accuracy &A) const {
  AccuracyTable T{
      "by kind",
      1,
      {"kind", "rows", "MAPE", "median", "bias", "closed", "in bounds"},
      {}};
  for (const AccuracyGroup &G : A.Kinds)
    for (size_t M : Shown.Models) {
      const ErrorSummary &E = G.Models[M];
      if (E.Rows != 0)
        T.Rows.push_back({G.Kind + "  " + R.Models[M], std::to_string(E.Rows),
                          errorText(E.MAPE), errorText(E.Median),
                          ratioText(E.Bias), closedText(E, M),
                          errorText(E.Coverage)});
    }
  return T;
}

AccuracyTable AccuracyTables::ranks(const Accuracy &A) const {
  AccuracyTable T{"order of configurations",
                  1,
                  {"model", "sets", "rank", "least", "tied", "best", "worst",
                   "best of 10", "worst", "pairs", "tied", "kernels' rank",
                   "least", "clocks"},
                  {}};
  for (size_t M : Shown.Models) {
    const RankSummary &S = A.Ranks[M], &K = A.KernelRanks[M];
    if (S.Sets == 0 && S.RegretSets == 0 && S.Pairs == 0 && K.Sets == 0 &&
        A.Scaling[M].Rows == 0)
      continue;
    T.Rows.push_back(
        {R.Models[M], S.Sets ? std::to_string(S.Sets) : "",
         ratioText(S.MeanSpearman), ratioText(S.LeastSpearman),
         shareText(S.Tied, S.RankedRows), ratioText(S.MeanRegret),
         ratioText(S.MostRegret), ratioText(S.MeanRegret10),
         ratioText(S.MostRegret10), shareText(S.RightPairs, S.Pairs),
         shareText(S.TiedPairs, S.Pairs), ratioText(K.MeanSpearman),
         ratioText(K.LeastSpearman), errorText(A.Scaling[M].Value)});
  }
  return T;
}

AccuracyTable AccuracyTables::counts(const Accuracy &A) const {
  AccuracyTable T{"median error of counts",
                  1,
                  {"model", "instructions", "DRAM sectors", "L2 sectors",
                   "shared wavefronts"},
                  {}};
  for (size_t M : Shown.Models) {
    std::vector<std::string> Cells{R.Models[M]};
    bool Any = false;
    for (const MeanOf &C : A.Counts[M]) {
      Any |= C.Rows != 0;
      Cells.push_back(
          C.Rows ? errorText(C.Value) + " of " + std::to_string(C.Rows) : "");
    }
    if (Any)
      T.Rows.push_back(std::move(Cells));
  }
  return T;
}

AccuracyTable AccuracyTables::kernelCounts(const Accuracy &A,
                                           size_t Model) const {
  AccuracyTable T{"counted / measured by " + R.Models[Model],
                  1,
                  {"kernel", "instructions", "DRAM sectors", "L2 sectors",
                   "shared wavefronts"},
                  {}};
  for (const KernelCounts &K : A.CountsOfKernels) {
    std::vector<std::string> Cells{K.Kernel};
    bool Any = false;
    for (const MeanOf &C : K.Models[Model]) {
      Any |= C.Rows != 0;
      Cells.push_back(C.Rows ? ratioText(C.Value) : "");
    }
    if (Any)
      T.Rows.push_back(std::move(Cells));
  }
  return T;
}

AccuracyTable AccuracyTables::groups(StringRef Title,
                                     ArrayRef<AccuracyGroup> Groups) const {
  AccuracyTable T{Title.str(), 1, {"", "rows", "measured"}, {}};
  for (size_t M : Shown.Models)
    T.Heading.push_back(R.Models[M]);
  for (const AccuracyGroup &G : Groups) {
    std::string Name = G.Apart;
    for (StringRef Part : {StringRef(G.Device), StringRef(G.Kernel)})
      if (!Part.empty())
        Name += (Name.empty() ? "" : "  ") + Part.str();
    std::string Range = shortTime(G.LeastUs);
    if (G.LeastUs != G.MostUs)
      Range += " - " + shortTime(G.MostUs);
    std::vector<std::string> Cells{Name, std::to_string(G.Rows), Range};
    for (size_t M : Shown.Models) {
      const ErrorSummary &E = G.Models[M];
      Cells.push_back(E.Rows ? errorText(E.MAPE) + " " + ratioText(E.Bias) + "x"
                             : "-");
    }
    T.Rows.push_back(std::move(Cells));
  }
  return T;
}

AccuracyTable AccuracyTables::powers(StringRef Title,
                                     ArrayRef<AccuracyGroup> Groups) const {
  AccuracyTable T{Title.str(), 1, {"", "rows"}, {}};
  for (size_t M : Shown.Models)
    T.Heading.push_back(R.Models[M]);
  for (const AccuracyGroup &G : Groups) {
    std::vector<std::string> Cells{G.Device + G.Kernel, ""};
    size_t Rows = 0;
    for (size_t M : Shown.Models) {
      Rows = std::max(Rows, G.Models[M].PowerRows);
      Cells.push_back(errorText(G.Models[M].PowerMAPE));
    }
    Cells[1] = std::to_string(Rows);
    if (Rows != 0)
      T.Rows.push_back(std::move(Cells));
  }
  return T;
}

AccuracyTable AccuracyTables::limiters(const Accuracy &A) const {
  AccuracyTable T{
      "by limiter", 1, {"limiter", "rows", "MAPE", "median", "bias"}, {}};
  for (size_t M : Shown.Models)
    for (const auto &[Limiter, E] : A.Limiters[M])
      T.Rows.push_back({R.Models[M] + "  " + toString(Limiter).str(),
                        std::to_string(E.Rows), errorText(E.MAPE),
                        errorText(E.Median), ratioText(E.Bias)});
  return T;
}

/// "+1.2" percentage points; what shows as 0 is no change.
static std::string changeText(double Change, double Scale, const char *Format,
                              double Least) {
  return !std::isfinite(Change) ? ""
         : std::abs(Scale * Change) < Least
             ? "0"
             : formatNumber(Format, Scale * Change);
}

AccuracyTable AccuracyTables::ablation(const Accuracy &A) const {
  AccuracyTable T{R.Models[R.Whole] + ", all rows",
                  1,
                  {"without", "rows", "MAPE", "change", "median", "change",
                   "rank", "change", "the part"},
                  {}};
  constexpr double Noticed = 0.0005; // of the mean error
  std::vector<RemovedPart> Parts = ablationOf(R, A);
  for (const RemovedPart &P : Parts) {
    const RemovedPart &Whole = Parts.front();
    std::vector<std::string> Cells{P.Part.empty() ? "nothing" : P.Part.str(),
                                   std::to_string(P.Rows),
                                   errorText(P.MAPE),
                                   "",
                                   errorText(P.Median),
                                   "",
                                   ratioText(P.Spearman),
                                   "",
                                   ""};
    if (!P.Part.empty()) {
      const double Worse = P.MAPE - Whole.MAPE;
      Cells[3] = changeText(Worse, 100, "%+.1f", 0.05);
      Cells[5] = changeText(P.Median - Whole.Median, 100, "%+.1f", 0.05);
      Cells[7] = changeText(P.Spearman - Whole.Spearman, 1, "%+.2f", 0.005);
      Cells[8] = Worse > Noticed ? "helps" : Worse < -Noticed ? "hurts" : "";
    }
    T.Rows.push_back(std::move(Cells));
  }
  return T;
}

AccuracyTable AccuracyTables::refit(const RefitResult &F) const {
  AccuracyTable T{"parameters, fitted to " + std::to_string(F.FittedRows) +
                      " rows",
                  1,
                  {"factor of the device's", "sigma", "all", "least", "without",
                   "most", "without"},
                  {}};
  for (const RefittedParameter &P : F.Parameters)
    T.Rows.push_back({P.Key.str(), ratioText(P.Sigma), ratioText(P.All),
                      ratioText(P.Least), P.LeastWithout, ratioText(P.Most),
                      P.MostWithout});
  return T;
}

AccuracyTable AccuracyTables::sets(const Accuracy &A) const {
  AccuracyTable T{"rank, best, best of 10 and right pairs of each set",
                  1,
                  {"set", "rows"},
                  {}};
  for (size_t M : Shown.Models)
    T.Heading.push_back(R.Models[M]);
  for (const RankedSet &S : A.Sets) {
    std::vector<std::string> Cells{S.Name, std::to_string(S.Rows)};
    for (size_t M : Shown.Models) {
      const SetRanking &K = S.Models[M];
      Cells.push_back(K.Rows == 0
                          ? "-"
                          : (K.Spearman ? ratioText(*K.Spearman) : "-") + " " +
                                ratioText(K.Regret) + " " +
                                (K.Regret10 ? ratioText(*K.Regret10) : "-"));
    }
    T.Rows.push_back(std::move(Cells));
  }
  return T;
}

AccuracyTable AccuracyTables::worst(const Accuracy &A, size_t Model) const {
  AccuracyTable T{
      "worst of " + R.Models[Model],
      4,
      {"row", "device", "set", "limiter", "measured", "predicted", "ratio"},
      {}};
  for (const WorstRow &W : A.Worst[Model]) {
    const ValidatedPoint &P = R.Points[W.Point];
    T.Rows.push_back(
        {R.Datasets[P.Dataset].About.CSV.Text + ":" + std::to_string(P.Line) +
             " " + P.Kernel->Name,
         P.Device, fit(P.Set, 40), toString(P.Answers[Model].Limiter).str(),
         shortTime(P.TimeUs), shortTime(P.Answers[Model].TimeUs->Value),
         ratioText(W.Ratio)});
  }
  return T;
}

std::vector<AccuracyTable>
AccuracyTables::of(std::optional<unsigned> Dataset) const {
  std::vector<AccuracyTable> Tables;
  // What is worst of all is the worst of its dataset, too.
  Accuracy A = computeAccuracy(R, Dataset, Dataset ? Options.Worst : 0);
  auto Add = [&](AccuracyTable T) {
    if (!T.Rows.empty())
      Tables.push_back(std::move(T));
  };
  if (Dataset && R.Datasets[*Dataset].IsProfile)
    Add(profiled(*Dataset));
  if (A.Default)
    Add(models("default rows", *A.Default));
  if (A.All.Rows != 0)
    Add(models("all rows", A.All));
  Add(ranks(A));
  Add(counts(A));
  if (Options.Verbose && Dataset)
    for (size_t M : Shown.Models)
      Add(kernelCounts(A, M));
  Add(groups("MAPE and bias by device", A.Devices));
  if (A.Kernels.size() > 1)
    Add(groups("by kernel", A.Kernels));
  if (Options.Verbose && A.DeviceKernels.size() > A.Devices.size())
    Add(groups("by device and kernel", A.DeviceKernels));
  if (A.Kinds.size() > 1 || !Dataset)
    Add(kinds(A));
  Add(powers("MAPE of power by device", A.Devices));
  if (A.Kernels.size() > 1)
    Add(powers("of power by kernel", A.Kernels));
  Add(groups("apart", A.Apart));
  Add(ablation(A));
  if (Dataset && R.Datasets[*Dataset].Refit)
    Add(refit(*R.Datasets[*Dataset].Refit));
  Add(limiters(A));
  if (Options.Sets && Dataset)
    Add(sets(A));
  for (size_t M : Shown.Models)
    Add(worst(A, M));
  return Tables;
}

AccuracyTable AccuracyTables::overview() const {
  AccuracyTable T{"overview",
                  2,
                  {"dataset", "model", "rows", "MAPE", "median", "bias", "rank",
                   "best of 10"},
                  {}};
  for (unsigned N = 0; N != R.Datasets.size(); ++N) {
    Accuracy A = computeAccuracy(R, N, 0);
    for (size_t M : Shown.Models) {
      const ErrorSummary &E = A.All.Models[M];
      T.Rows.push_back({R.Datasets[N].About.Name, R.Models[M],
                        std::to_string(E.Rows), errorText(E.MAPE),
                        errorText(E.Median), ratioText(E.Bias),
                        ratioText(A.Ranks[M].MeanSpearman),
                        ratioText(A.Ranks[M].MostRegret10)});
    }
  }
  return T;
}

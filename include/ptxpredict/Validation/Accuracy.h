//===- Accuracy.h - How far predictions are off -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_VALIDATION_ACCURACY_H
#define PTXPREDICT_VALIDATION_ACCURACY_H

#include "ptxpredict/Validation/Validate.h"

namespace ptxpredict {

/// One model's errors on some rows. Means over no rows are NaN.
struct ErrorSummary {
  size_t Rows = 0;     ///< that the model predicts
  double MAPE = 0;     ///< mean of |predicted - measured| / measured
  double Median = 0;   ///< of the same
  double Factor = 0;   ///< exp of the mean of |ln(predicted / measured)|
  double Bias = 0;     ///< geometric mean of predicted / measured
  size_t Closed = 0;   ///< rows with an upper bound
  double Coverage = 0; ///< share of these that is within [low, high]
  size_t PowerRows = 0;
  double PowerMAPE = 0;
  double PowerCoverage = 0; ///< as Coverage
};

/// One model's order of the rows of a configuration set.
struct SetRanking {
  size_t Rows = 0;
  std::optional<double> Spearman; ///< of at least \ref LeastRankedRows rows
  /// Rows that are predicted to take just as long as another.
  size_t Tied = 0;
  /// Time of the row that is predicted best, over the best time; where several
  /// are, in the mean over them.
  double Regret = 1;
  /// The same of the best of \ref TopRows that are predicted best; nothing of
  /// a set without more rows.
  std::optional<double> Regret10;
  /// Pairs of rows whose times are more than \ref PairTolerance apart, those in
  /// the right order and those that are predicted alike; none of sets with many
  /// rows.
  size_t Pairs = 0, RightPairs = 0, TiedPairs = 0;
};
constexpr size_t LeastRankedRows = 5;
constexpr size_t TopRows = 10;
constexpr double PairTolerance = 0.08; ///< of the shorter time

/// What one model makes of all sets together.
struct RankSummary {
  size_t Sets = 0; ///< with a Spearman
  double MeanSpearman = 0, LeastSpearman = 0;
  size_t RankedRows = 0, Tied = 0; ///< of these sets
  size_t RegretSets = 0;           ///< of at least LeastRankedRows rows
  double MeanRegret = 0, MostRegret = 0;
  size_t Regret10Sets = 0; ///< of more than TopRows rows
  double MeanRegret10 = 0, MostRegret10 = 0;
  size_t Pairs = 0, RightPairs = 0, TiedPairs = 0;
};

/// A number that is the mean, or the median, of so many rows.
struct MeanOf {
  size_t Rows = 0;
  double Value = 0; ///< NaN of no rows
};

/// Rows that have something in common.
struct AccuracyGroup {
  std::string Device, Kernel, Kind, Apart; ///< empty: not in common
  size_t Rows = 0;
  double LeastUs = 0, MostUs = 0;   ///< measured
  std::vector<ErrorSummary> Models; ///< by model
};

/// How the models' counts of a kernel compare with what was measured.
struct KernelCounts {
  std::string Kernel;
  /// Median of counted / measured, by model.
  std::vector<std::array<MeanOf, NumMeasuredCounts>> Models;
};

/// A configuration set.
struct RankedSet {
  std::string Name;
  size_t Rows = 0;
  double BestUs = 0;
  std::vector<SetRanking> Models; ///< by model
};

/// One row that a model predicts badly.
struct WorstRow {
  size_t Point = 0; ///< index into ValidationReport::Points
  double Ratio = 0; ///< predicted / measured
};

/// The accuracy of every model on one dataset, or on all. Rows that are shown
/// apart are in Apart and nowhere else.
struct Accuracy {
  AccuracyGroup All;
  std::optional<AccuracyGroup> Default;      ///< without a default: nothing
  std::vector<AccuracyGroup> DefaultDevices; ///< likewise
  std::vector<AccuracyGroup> Devices, Kernels, Kinds, DeviceKernels, Apart;
  std::vector<RankedSet> Sets;               ///< in the order of the file
  std::vector<KernelCounts> CountsOfKernels; ///< likewise
  // By model:
  std::vector<RankSummary> Ranks;
  std::vector<RankSummary> KernelRanks; ///< over a device's default rows
  std::vector<MeanOf> Scaling; ///< mean error of t(clocks) / t(default)
  std::vector<std::array<MeanOf, NumMeasuredCounts>> Counts; ///< median error
  std::vector<std::vector<std::pair<TimeLimiter, ErrorSummary>>> Limiters;
  std::vector<std::vector<WorstRow>> Worst; ///< worst first
};

/// Of the points of \p Dataset, or, without one, of all. \p NumWorst: the most
/// rows of each model in Accuracy::Worst.
Accuracy computeAccuracy(const ValidationReport &R,
                         std::optional<unsigned> Dataset, size_t NumWorst);

/// How far model bottleneck is off without a part.
struct RemovedPart {
  StringRef Part; ///< empty: with all
  size_t Rows = 0;
  double MAPE = 0, Median = 0; ///< of all rows, as in ErrorSummary
  double Spearman = 0;         ///< in the mean over sets
};

/// The whole model, and then each part that an ablation took out, the one that
/// is missed most first. Nothing without an ablation.
std::vector<RemovedPart> ablationOf(const ValidationReport &R,
                                    const Accuracy &A);

/// The models that tables show.
struct ShownModels {
  std::vector<size_t> Models;
  /// Those whose times are everywhere another's, which is shown.
  std::vector<std::pair<size_t, size_t>> Alike;
  std::vector<size_t> Silent; ///< without any time

  explicit ShownModels(const ValidationReport &R);
  /// What there is to say of the models that are not shown, one a line.
  std::vector<std::string> notes(const ValidationReport &R) const;
};

/// Rank correlation; equal values share the mean of their ranks. Nothing where
/// one side is all equal.
std::optional<double> spearman(ArrayRef<double> A, ArrayRef<double> B);

} // namespace ptxpredict

#endif // PTXPREDICT_VALIDATION_ACCURACY_H

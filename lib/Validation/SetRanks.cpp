//===- SetRanks.cpp - The order of a set of rows --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SetRanks.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

/// Sets with more rows have too many pairs.
static constexpr size_t MaxPairedRows = 500;

double ptxpredict::meanOf(ArrayRef<double> Values) {
  double Sum = 0;
  for (double V : Values)
    Sum += V;
  return Values.empty() ? NAN : Sum / double(Values.size());
}

/// Numbers of the values, the least one's first.
static std::vector<size_t> orderOf(ArrayRef<double> Values) {
  std::vector<size_t> Order(Values.size());
  for (size_t N = 0; N != Order.size(); ++N)
    Order[N] = N;
  llvm::stable_sort(Order,
                    [&](size_t A, size_t B) { return Values[A] < Values[B]; });
  return Order;
}

/// The first in \p Order behind those that equal the one at \p Begin.
static size_t endOfTie(ArrayRef<double> Values, ArrayRef<size_t> Order,
                       size_t Begin) {
  size_t End = Begin;
  while (End != Order.size() && Values[Order[End]] == Values[Order[Begin]])
    ++End;
  return End;
}

static std::vector<double> ranksOf(ArrayRef<double> Values) {
  const std::vector<size_t> Order = orderOf(Values);
  std::vector<double> Ranks(Values.size());
  for (size_t Begin = 0, End; Begin != Order.size(); Begin = End) {
    End = endOfTie(Values, Order, Begin);
    for (size_t N = Begin; N != End; ++N)
      Ranks[Order[N]] = double(Begin + End + 1) / 2;
  }
  return Ranks;
}

std::optional<double> ptxpredict::spearman(ArrayRef<double> A,
                                           ArrayRef<double> B) {
  std::vector<double> X = ranksOf(A), Y = ranksOf(B);
  double Mean = double(X.size() + 1) / 2, Both = 0, OfX = 0, OfY = 0;
  for (auto [RankX, RankY] : llvm::zip(X, Y)) {
    Both += (RankX - Mean) * (RankY - Mean);
    OfX += (RankX - Mean) * (RankX - Mean);
    OfY += (RankY - Mean) * (RankY - Mean);
  }
  if (OfX == 0 || OfY == 0)
    return std::nullopt;
  return Both / std::sqrt(OfX * OfY);
}

/// The measured time of the best of the first \p Number rows in the predicted
/// order, in the mean over all orders of rows that are predicted alike.
static double bestOfFirst(const PredictedTimes &T, ArrayRef<size_t> Order,
                          size_t Number) {
  double Sure = HUGE_VAL;
  size_t Begin = 0, End = 0;
  for (; Begin < Number; Begin = End) {
    End = endOfTie(T.Predicted, Order, Begin);
    if (End > Number)
      break;
    for (size_t N = Begin; N != End; ++N)
      Sure = std::min(Sure, T.Measured[Order[N]]);
  }
  if (Begin >= Number)
    return Sure;
  // Of those that tie, so many are among the first.
  std::vector<double> Tied;
  for (size_t N = Begin; N != End; ++N)
    Tied.push_back(T.Measured[Order[N]]);
  llvm::sort(Tied);
  const double Drawn = double(Number - Begin);
  double Mean = 0, Missed = 1; // the chance that none before is drawn
  for (size_t N = 0; N != Tied.size() && Missed > 0; ++N) {
    const double Chance = std::min(1.0, Drawn / double(Tied.size() - N));
    Mean += Missed * Chance * std::min(Sure, Tied[N]);
    Missed *= 1 - Chance;
  }
  return Mean;
}

/// Pairs of rows that are far enough apart, and what the prediction makes of
/// them.
static void comparePairs(const PredictedTimes &T, SetRanking &R) {
  for (size_t A = 0; A != R.Rows; ++A)
    for (size_t B = A + 1; B != R.Rows; ++B) {
      const double MeasuredA = T.Measured[A], MeasuredB = T.Measured[B];
      if (std::fabs(MeasuredA - MeasuredB) <=
          PairTolerance * std::min(MeasuredA, MeasuredB))
        continue;
      ++R.Pairs;
      if (T.Predicted[A] == T.Predicted[B])
        ++R.TiedPairs;
      else
        R.RightPairs +=
            (MeasuredA < MeasuredB) == (T.Predicted[A] < T.Predicted[B]);
    }
}

SetRanking ptxpredict::rankSet(const PredictedTimes &T) {
  SetRanking R;
  R.Rows = T.Measured.size();
  if (R.Rows == 0)
    return R;
  if (R.Rows >= LeastRankedRows)
    // A model that cannot tell rows apart does not order them.
    R.Spearman = spearman(T.Measured, T.Predicted).value_or(0);
  const std::vector<size_t> Order = orderOf(T.Predicted);
  for (size_t Begin = 0, End; Begin != Order.size(); Begin = End) {
    End = endOfTie(T.Predicted, Order, Begin);
    R.Tied += End - Begin > 1 ? End - Begin : 0;
  }
  const double Best = *llvm::min_element(T.Measured);
  double OfFirst = 0;
  const size_t NumFirst = endOfTie(T.Predicted, Order, 0);
  for (size_t N = 0; N != NumFirst; ++N)
    OfFirst += T.Measured[Order[N]];
  R.Regret = OfFirst / double(NumFirst) / Best;
  // The best of ten of ten is no choice.
  if (R.Rows > TopRows)
    R.Regret10 = bestOfFirst(T, Order, TopRows) / Best;
  if (R.Rows <= MaxPairedRows)
    comparePairs(T, R);
  return R;
}

RankSummary ptxpredict::summarizeRanks(ArrayRef<SetRanking> Sets) {
  RankSummary S;
  std::vector<double> Spearmans, Regrets, Regrets10;
  for (const SetRanking &R : Sets) {
    S.Pairs += R.Pairs;
    S.RightPairs += R.RightPairs;
    S.TiedPairs += R.TiedPairs;
    if (R.Spearman) {
      Spearmans.push_back(*R.Spearman);
      S.RankedRows += R.Rows;
      S.Tied += R.Tied;
    }
    if (R.Rows >= LeastRankedRows)
      Regrets.push_back(R.Regret);
    if (R.Regret10)
      Regrets10.push_back(*R.Regret10);
  }
  auto Least = [](ArrayRef<double> V) {
    return V.empty() ? NAN : *llvm::min_element(V);
  };
  auto Most = [](ArrayRef<double> V) {
    return V.empty() ? NAN : *llvm::max_element(V);
  };
  S.Sets = Spearmans.size();
  S.MeanSpearman = meanOf(Spearmans);
  S.LeastSpearman = Least(Spearmans);
  S.RegretSets = Regrets.size();
  S.MeanRegret = meanOf(Regrets);
  S.MostRegret = Most(Regrets);
  S.Regret10Sets = Regrets10.size();
  S.MeanRegret10 = meanOf(Regrets10);
  S.MostRegret10 = Most(Regrets10);
  return S;
}

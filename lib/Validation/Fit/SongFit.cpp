//===- SongFit.cpp - The latencies and delays of song ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/SongFit.h"
#include "ptxpredict/Validation/Fit/RobustFit.h"
#include <cmath>
#include <limits>
#include <set>

using namespace ptxpredict;

static constexpr size_t NumFitted = 4;
/// Of the logarithms: no more than a hold where rows say nothing.
static constexpr double Sigma = 100;
/// A fit begins at these multiples of both delays and of both latencies: rows
/// say so little of the one or the other that there are several minima.
static constexpr double Starts[] = {1, 0.1, 10};

double ptxpredict::songCycles(const SongRow &Row, const SongParameters &P) {
  SongInputs In = Row.Inputs;
  In.LoadCycles = P.LoadCycles;
  In.StoreCycles = P.StoreCycles;
  In.InWarpDelay = P.InWarpDelay;
  In.OutWarpDelay = P.OutWarpDelay;
  return evaluateSong(In).Cycles;
}

static double errorOf(const SongRow &Row, const SongParameters &P) {
  return songCycles(Row, P) / Row.Cycles - 1;
}

/// A latency is a cycle at least, as in device files.
static SongParameters scaled(const SongParameters &P, ArrayRef<double> Logs) {
  return {std::max(1.0, P.LoadCycles * std::exp(Logs[0])),
          std::max(1.0, P.StoreCycles * std::exp(Logs[1])),
          P.InWarpDelay * std::exp(Logs[2]),
          P.OutWarpDelay * std::exp(Logs[3])};
}

static SongParameters fitOnce(ArrayRef<const SongRow *> Rows) {
  const SongInputs &First = Rows.front()->Inputs;
  const SongParameters Base{First.LoadCycles, First.StoreCycles,
                            First.InWarpDelay, First.OutWarpDelay};
  SongParameters Best = Base;
  double Least = std::numeric_limits<double>::infinity();
  for (unsigned S = 0; S != std::size(Starts) * std::size(Starts); ++S) {
    const double Latency = Starts[S / std::size(Starts)],
                 Delay = Starts[S % std::size(Starts)];
    const SongParameters From{
        Base.LoadCycles * Latency, Base.StoreCycles * Latency,
        Base.InWarpDelay * Delay, Base.OutWarpDelay * Delay};
    auto ErrorsAt = [&](ArrayRef<double> Logs, MutableArrayRef<double> Errors) {
      const SongParameters P = scaled(From, Logs);
      for (size_t R = 0; R != Rows.size(); ++R)
        Errors[R] = errorOf(*Rows[R], P);
    };
    const FitProblem Problem{std::vector<double>(Rows.size(), 1),
                             std::vector<double>(NumFitted, Sigma), ErrorsAt};
    const std::vector<double> Logs = fitRobustly(Problem);
    if (const double Cost = costOf(Problem, Logs); Cost < Least) {
      Least = Cost;
      Best = scaled(From, Logs);
    }
  }
  return Best;
}

SongFit ptxpredict::fitSong(ArrayRef<SongRow> Rows) {
  std::vector<const SongRow *> All;
  std::set<unsigned> Kernels;
  for (const SongRow &R : Rows) {
    All.push_back(&R);
    Kernels.insert(R.Kernel);
  }
  SongFit F;
  F.Parameters = fitOnce(All);
  const auto N = double(Rows.size());
  for (const SongRow &R : Rows)
    F.MAPE += std::fabs(errorOf(R, F.Parameters)) / N;
  if (Kernels.size() < 2) {
    F.LeftOutMAPE = std::numeric_limits<double>::quiet_NaN();
    return F;
  }
  for (unsigned Kernel : Kernels) {
    std::vector<const SongRow *> Others;
    for (const SongRow *R : All)
      if (R->Kernel != Kernel)
        Others.push_back(R);
    const SongParameters P = fitOnce(Others);
    for (const SongRow &R : Rows)
      if (R.Kernel == Kernel)
        F.LeftOutMAPE += std::fabs(errorOf(R, P)) / N;
  }
  return F;
}

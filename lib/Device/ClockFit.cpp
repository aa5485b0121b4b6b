//===- ClockFit.cpp - A latency as a line over the ratio of clocks --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ClockFit.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

using namespace ptxpredict;

namespace {
using ClockPoints = SmallVector<std::pair<double, double>, 16>;
} // namespace

/// The line through \p Points, of x and cycles, at three x or more.
static std::optional<ClockFit> fitLine(ClockPoints Points) {
  llvm::sort(Points);
  // Clocks vary a little while they are locked.
  constexpr double Same = 1e-3;
  unsigned Places = 0;
  double Last = 0, MeanX = 0, MeanY = 0;
  for (const auto &[X, Y] : Points) {
    Places += X > Last * (1 + Same);
    Last = X;
    MeanX += X / double(Points.size());
    MeanY += Y / double(Points.size());
  }
  constexpr unsigned Fewest = 3;
  if (Places < Fewest)
    return std::nullopt;
  double XX = 0, XY = 0, YY = 0;
  for (const auto &[X, Y] : Points) {
    XX += (X - MeanX) * (X - MeanX);
    XY += (X - MeanX) * (Y - MeanY);
    YY += (Y - MeanY) * (Y - MeanY);
  }
  ClockFit Fit;
  Fit.NumResults = unsigned(Points.size());
  Fit.Slope = XY / XX;
  Fit.Offset = MeanY - Fit.Slope * MeanX;
  if (Fit.Slope < 0 || Fit.Offset < 0)
    return std::nullopt;
  double Rest = 0;
  for (const auto &[X, Y] : Points) {
    const double Residual = std::fabs(Fit.Slope * X + Fit.Offset - Y);
    Rest += Residual * Residual;
    Fit.LargestResidual = std::max(Fit.LargestResidual, Residual);
  }
  Fit.RSquared = YY > 0 ? 1 - Rest / YY : 1;
  return Fit;
}

std::optional<ClockFit>
ptxpredict::fitClocks(const MicrobenchmarkResults &Results, StringRef Name) {
  ClockPoints Points;
  for (const MicrobenchmarkResult &R : Results.Results)
    if (R.Name == Name && R.CoreMHz && R.MemMHz)
      Points.emplace_back(*R.CoreMHz / *R.MemMHz, R.Value);
  return fitLine(std::move(Points));
}

std::optional<ClockFit>
ptxpredict::fitService(const MicrobenchmarkResults &Results, StringRef Name,
                       double SMs) {
  constexpr double Bytes = 32, PerGigabyte = 1e-3;
  // At a low core clock the cores may be what a stream waits for.
  std::map<double, const MicrobenchmarkResult *> Fastest; // by memory clock
  for (const MicrobenchmarkResult &R : Results.Results)
    if (R.Name == Name && R.MemMHz && R.Value > 0) {
      const MicrobenchmarkResult *&Best = Fastest[*R.MemMHz];
      if (!Best || R.CoreMHz.value_or(0) > Best->CoreMHz.value_or(0))
        Best = &R;
    }
  ClockPoints Points;
  for (const auto &[MHz, R] : Fastest)
    Points.emplace_back(1 / MHz, SMs * Bytes * MHz * PerGigabyte / R->Value);
  return fitLine(std::move(Points));
}

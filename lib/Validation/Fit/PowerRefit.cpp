//===- PowerRefit.cpp - What units draw, fitted to others' rows -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/PowerRefit.h"
#include "ptxpredict/Support/Parallel.h"
#include "ptxpredict/Validation/Fit/PowerForm.h"
#include "ptxpredict/Validation/Fit/RobustFit.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>
#include <set>

using namespace ptxpredict;

/// How many rows a kernel counts for where one device is fitted, however many
/// it has, and a device where several are.
static constexpr double KernelWeight = 25, DeviceWeight = 25;
/// Of a kernel on a device, the most rows that a fit to several looks at.
static constexpr size_t MaxRows = 30;

/// What holds some 80 % of the rows that are left out, by kernel or with the
/// whole device, in the mean of the devices and together with the bounds of
/// times and counts.
static constexpr double OwnBounds = 0.1, ScaledBounds = 0.15;
/// Fewer kernels do not say what others draw.
static constexpr size_t LeastKernels = 10;

namespace {

/// The order of devices is that of their names.
struct ByName {
  bool operator()(const Device *A, const Device *B) const {
    return A->Name < B->Name;
  }
};
template <typename T>
using ByDevice = std::map<const Device *, T, ByName>;
using RowRefs = std::vector<const PowerRow *>;
using KernelOfDevice = std::pair<const Device *, StringRef>;

class Fitter {
public:
  Fitter(ArrayRef<PowerRow> Rows, ArrayRef<const Device *> Others) {
    for (const PowerRow &R : Rows) {
      add(*R.On);
      if (R.IsFitted && Boards.count(R.On))
        All.push_back(&R);
    }
    for (const Device *D : Others)
      add(*D);
  }

  bool has(const Device *D) const { return Boards.count(D) != 0; }

  /// Rows of other devices say what those of \p D begin with, and all that is
  /// said of it if it has none. Nothing where no row remains.
  std::optional<FittedPower> power(const Device *D,
                                   const LeftOut &Without) const;

private:
  ByDevice<PowerBoard> Boards;
  RowRefs All;

  void add(const Device &D) {
    if (!Boards.count(&D) && PowerBoard::canBe(D))
      Boards.try_emplace(&D, D);
  }
  /// Numbers that suit \p Rows best, starting from \p Start.
  PowerNumbers fit(const RowRefs &Rows, ArrayRef<double> Weights,
                   PowerNumbers Start, double PowerNumber::*Sigma) const;
};

} // namespace

/// At most MaxRows of each kernel on each device, evenly spread.
static RowRefs sample(const RowRefs &Rows) {
  std::map<KernelOfDevice, RowRefs> Kernels;
  for (const PowerRow *R : Rows)
    Kernels[{R->On, R->Kernel}].push_back(R);
  RowRefs Some;
  for (const auto &[Kernel, Of] : Kernels) {
    const size_t Num = std::min(Of.size(), MaxRows);
    for (size_t N = 0; N != Num; ++N)
      Some.push_back(Of[N * Of.size() / Num]);
  }
  return Some;
}

/// Rows that count alike by kernel; in all \p Weight for each kernel or, if
/// \p PerDevice, for each device.
static std::vector<double> weights(const RowRefs &Rows, double Weight,
                                   bool PerDevice) {
  std::map<KernelOfDevice, size_t> Num;
  ByDevice<size_t> Kernels;
  for (const PowerRow *R : Rows)
    if (Num[{R->On, R->Kernel}]++ == 0)
      ++Kernels[R->On];
  std::vector<double> W;
  for (const PowerRow *R : Rows)
    W.push_back(Weight / double(Num[{R->On, R->Kernel}]) /
                (PerDevice ? double(Kernels[R->On]) : 1));
  return W;
}

PowerNumbers Fitter::fit(const RowRefs &Rows, ArrayRef<double> Weights,
                         PowerNumbers Start, double PowerNumber::*Sigma) const {
  struct Ready {
    size_t Board;
    PowerAtPoint Power;
  };
  std::vector<Ready> Places;
  ByDevice<size_t> Indices;
  std::vector<const PowerBoard *> Order;
  for (const PowerRow *R : Rows) {
    auto [At, IsNew] = Indices.try_emplace(R->On, Order.size());
    if (IsNew)
      Order.push_back(&Boards.at(R->On));
    Places.push_back({At->second, R->Power->at(R->Point, R->Cycles.Value)});
  }
  FitProblem Problem;
  Problem.Weights.assign(Weights.begin(), Weights.end());
  for (const PowerNumber &N : powerNumbers())
    Problem.Sigmas.push_back(N.*Sigma);
  std::vector<PowerParameters> Now(Order.size());
  PowerNumbers Of(Start.size());
  auto ErrorsAt = [&](ArrayRef<double> Logs, MutableArrayRef<double> Errors) {
    for (size_t N = 0; N != Of.size(); ++N)
      Of[N] = Start[N] * std::exp(Logs[N]);
    for (auto [Board, P] : llvm::zip(Order, Now))
      P = Board->parameters(Of);
    for (size_t N = 0; N != Rows.size(); ++N) {
      const Ready &At = Places[N];
      const PowerParameters &P = Now[At.Board];
      Errors[N] =
          std::log(evaluateUnitPower(P, At.Power.Rates, At.Power.ActiveSMs,
                                     Rows[N]->Power->scales(Rows[N]->Point, P))
                       .GPU /
                   Rows[N]->Watts);
    }
  };
  Problem.ErrorsAt = ErrorsAt;
  for (auto [Number, Log] : llvm::zip(Start, fitRobustly(Problem)))
    Number *= std::exp(Log);
  return Start;
}

std::optional<FittedPower> Fitter::power(const Device *D,
                                         const LeftOut &Without) const {
  RowRefs Own, Others;
  for (const PowerRow *R : All)
    if (!Without.covers(R->Group))
      (R->On == D ? Own : Others).push_back(R);
  if (Own.empty() && Others.empty())
    return std::nullopt;
  PowerNumbers Numbers = powerPriors();
  if (!Others.empty()) {
    Others = sample(Others);
    Numbers = fit(Others, weights(Others, DeviceWeight, true), Numbers,
                  &PowerNumber::Sigma);
  }
  for (auto [Number, N] : llvm::zip(Numbers, powerNumbers()))
    if (N.OwnStart != 0 && !Own.empty())
      Number = N.OwnStart;
  if (!Own.empty())
    Numbers = fit(Own, weights(Own, KernelWeight, false), Numbers,
                  &PowerNumber::OwnSigma);
  FittedPower F;
  F.On = D;
  F.Has = Boards.at(D).has();
  F.Rows = Own.size();
  F.Parameters = Boards.at(D).parameters(Numbers);
  std::set<StringRef> Kernels;
  for (const PowerRow *R : Own)
    Kernels.insert(R->Kernel);
  F.Parameters.Bounds =
      Kernels.size() < LeastKernels ? ScaledBounds : OwnBounds;
  return F;
}

PowerRefitResult ptxpredict::refitPower(ArrayRef<PowerRow> Rows,
                                        ArrayRef<const Device *> Others,
                                        unsigned Jobs) {
  const Fitter With(Rows, Others);
  struct Task {
    const Device *On;
    LeftOut Without;
    std::optional<FittedPower> Result;
  };
  std::vector<Task> Tasks;
  std::map<std::pair<const Device *, LeftOut>, size_t> Places;
  std::set<const Device *, ByName> Devices;
  for (const PowerRow &R : Rows) {
    if (!With.has(R.On))
      continue;
    if (Places.try_emplace({R.On, R.Group}, Tasks.size()).second)
      Tasks.push_back({R.On, R.Group, std::nullopt});
    Devices.insert(R.On);
  }
  for (const Device *D : Others)
    if (With.has(D))
      Devices.insert(D);
  const size_t NumLeftOut = Tasks.size();
  for (const Device *D : Devices)
    Tasks.push_back({D, LeftOut(), std::nullopt});

  forEachInParallel(Tasks.size(), Jobs, [&](size_t N) {
    Tasks[N].Result = With.power(Tasks[N].On, Tasks[N].Without);
  });

  PowerRefitResult Result;
  for (const PowerRow &R : Rows) {
    auto &Watts = Result.Watts.emplace_back();
    auto At = Places.find({R.On, R.Group});
    if (At == Places.end())
      continue;
    if (const auto &Of = Tasks[At->second].Result)
      Watts = R.Power->watts(R.Point, R.LeftOutCycles, Of->Parameters);
  }
  for (size_t N = NumLeftOut; N != Tasks.size(); ++N)
    if (Tasks[N].Result)
      Result.Devices.push_back(*Tasks[N].Result);
  return Result;
}

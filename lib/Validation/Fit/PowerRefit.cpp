//===- PowerRefit.cpp - What units draw, fitted to others' rows -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/PowerRefit.h"
#include "ptxpredict/Support/Parallel.h"
#include "ptxpredict/Validation/Fit/RobustFit.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>
#include <set>

using namespace ptxpredict;

/// How many rows a kernel on a device counts for, however many it has.
static constexpr double KernelWeight = 25;
/// The same of a whole device where several are fitted together.
static constexpr double DeviceWeight = 25;
/// A device that is scaled to draws by its power limit, and to this power by
/// how much its units can do of what others' can for a watt.
static constexpr double CapabilityShare = 0.25;
/// In bits: wider memory interfaces are those of stacked memory.
static constexpr double StackedBus = 1024;

/// What holds at least 80 % of the rows of each device that are left out, by
/// kernel or with the whole device, together with the bounds of times and
/// counts.
static constexpr double OwnBounds = 0.05, ScaledBounds = 0.25;
/// Fewer kernels do not say what others draw.
static constexpr size_t LeastKernels = 10;

namespace {

/// A number that is fitted as the logarithm of its factor.
struct Fitted {
  std::optional<PowerUnit> Unit;             ///< whose watts it is, or
  double PowerParameters::*Member = nullptr; ///< what else
  bool IsWatts = true;
  /// Watts of the whole device over what its limit leaves above idle power, or
  /// the number itself, before any row is seen.
  double Start = 0;
  double Sigma = 0; ///< of the logarithm
  /// What it grows with from device to device.
  enum class Size { SMs, Bandwidth, Peak } By = Size::SMs;
};

using Size = Fitted::Size;
using Params = PowerParameters;
} // namespace

/// The starts are guesses after table 11 of S. Hong's thesis: what its units
/// draw of the limit of a GTX 580, half as strong again.
static ArrayRef<Fitted> fitted() {
  static const Fitted All[] = {
      {std::nullopt, &Params::LeakageW, true, 0.1, 1.5, Size::SMs},
      {std::nullopt, &Params::ActivationW, true, 0.1, 1.5, Size::Bandwidth},
      {std::nullopt, &Params::MemoryClockW, true, 0.07, 1.5, Size::Bandwidth},
      {std::nullopt, &Params::ConstSMW, true, 0.08, 1.5, Size::SMs},
      {PowerUnit::FP, nullptr, true, 0.12, 0.8, Size::Peak},
      {PowerUnit::Int, nullptr, true, 0.12, 0.8, Size::Peak},
      {PowerUnit::SFU, nullptr, true, 0.07, 0.8, Size::Peak},
      {PowerUnit::FP64, nullptr, true, 0.25, 0.8, Size::Peak},
      {PowerUnit::Tensor, nullptr, true, 0.4, 0.8, Size::Peak},
      {PowerUnit::FDS, nullptr, true, 0.35, 0.8, Size::Peak},
      {PowerUnit::Shared, nullptr, true, 0.12, 0.8, Size::Peak},
      {PowerUnit::Texture, nullptr, true, 0.15, 0.8, Size::Peak},
      {PowerUnit::L2, nullptr, true, 0.4, 0.8, Size::Peak},
      {PowerUnit::Global, nullptr, true, 0.2, 0.8, Size::Peak},
      {std::nullopt, &Params::VoltageKnee, false, 0.9, 0.3, Size::SMs},
      {std::nullopt, &Params::VoltageSlope, false, 0.5, 1, Size::SMs},
  };
  return All;
}

namespace {

/// A device before any row is seen.
struct Board {
  const Device *On;
  ByPowerUnit<bool> Has{};
  PowerParameters Parameters; ///< by its file
  double Headroom;            ///< W that its limit leaves above idle power
  bool IsStacked;
  /// Of fitted(): how much of it there is for each watt of headroom.
  std::vector<double> Sizes;

  explicit Board(const Device &D)
      : On(&D), Parameters(powerParametersOf(D, &Has)),
        Headroom(*D.TDPWatts - *D.IdleWatts),
        IsStacked(D.BusBits.Value.value_or(0) > StackedBus) {
    for (const Fitted &F : fitted()) {
      double Amount = *D.NumSMs;
      if (F.By == Size::Bandwidth)
        Amount = *D.DRAMBandwidth;
      else if (F.By == Size::Peak)
        Amount *=
            *D.BoostMHz * *D.Schedulers * Parameters.Units.of(*F.Unit).Peak;
      Sizes.push_back(Amount / Headroom);
    }
  }

  /// Its file says what a fit takes: no plot in place of a line.
  static bool canBe(const Device &D) {
    ByPowerUnit<bool> Has{};
    const PowerParameters P = powerParametersOf(D, &Has);
    return D.TDPWatts && D.IdleWatts && *D.TDPWatts > *D.IdleWatts &&
           Has.of(PowerUnit::FDS) && Has.of(PowerUnit::L2) &&
           !Has.of(PowerUnit::ALU) && !P.LogBeta;
  }
};

/// The order of devices is that of their names.
struct ByName {
  bool operator()(const Device *A, const Device *B) const {
    return A->Name < B->Name;
  }
};
template <typename T>
using ByDevice = std::map<const Device *, T, ByName>;

/// A number for each of fitted().
using Numbers = std::vector<double>;
using RowRefs = std::vector<const PowerRow *>;

} // namespace

/// What \p B draws by watts of the whole device and other numbers.
static PowerParameters parametersOf(const Board &B, ArrayRef<double> Of) {
  PowerParameters P = B.Parameters;
  for (auto [N, F] : llvm::enumerate(fitted())) {
    if (!F.Unit)
      P.*F.Member = F.Member == &Params::ConstSMW ? Of[N] / P.NumSMs : Of[N];
    else if (B.Has.of(*F.Unit))
      P.Units.of(*F.Unit).MaxW =
          servesAllSMs(*F.Unit) ? Of[N] : Of[N] / P.NumSMs;
  }
  return P;
}

/// Factors of all of \p Starts, a set for each board, that suit \p Rows best.
/// \p Weights: of rows.
static Numbers fit(ArrayRef<const PowerRow *> Rows,
                   const ByDevice<const Board *> &Boards,
                   const ByDevice<Numbers> &Starts, ArrayRef<double> Weights) {
  struct Ready {
    size_t Board;
    PowerAtPoint Power;
  };
  std::vector<Ready> Places;
  ByDevice<size_t> Indices;
  std::vector<const Device *> Order;
  for (const PowerRow *R : Rows) {
    auto [At, IsNew] = Indices.try_emplace(R->On, Order.size());
    if (IsNew)
      Order.push_back(R->On);
    Places.push_back({At->second, R->Power->at(R->Point, R->Cycles.Value)});
  }
  FitProblem Problem;
  Problem.Weights.assign(Weights.begin(), Weights.end());
  for (const Fitted &F : fitted())
    Problem.Sigmas.push_back(F.Sigma);
  std::vector<PowerParameters> Now(Order.size());
  Numbers Of(fitted().size());
  auto ErrorsAt = [&](ArrayRef<double> Logs, MutableArrayRef<double> Errors) {
    for (auto [D, P] : llvm::zip(Order, Now)) {
      const Numbers &Start = Starts.at(D);
      for (size_t N = 0; N != Of.size(); ++N)
        Of[N] = Start[N] * std::exp(Logs[N]);
      P = parametersOf(*Boards.at(D), Of);
    }
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
  Numbers Factors = fitRobustly(Problem);
  for (double &F : Factors)
    F = std::exp(F);
  return Factors;
}

namespace {

class Fitter {
public:
  explicit Fitter(ArrayRef<PowerRow> Rows, ArrayRef<const Device *> Others) {
    for (const PowerRow &R : Rows) {
      add(*R.On);
      if (R.IsFitted && Boards.count(R.On))
        All.push_back(&R);
    }
    for (const Device *D : Others)
      add(*D);
  }

  bool has(const Device *D) const { return Boards.count(D) != 0; }
  const Board &board(const Device *D) const { return *Boards.at(D); }

  /// Watts of \p D by all rows that are not of \p Without.
  std::optional<FittedPower> power(const Device *D,
                                   std::optional<StringRef> Without) const {
    FittedPower F;
    F.On = D;
    F.Has = board(D).Has;
    RowRefs Own, Alike;
    for (const PowerRow *R : All) {
      if (Without && R->Group == *Without)
        continue;
      if (R->On == D)
        Own.push_back(R);
      else if (board(R->On).IsStacked == board(D).IsStacked)
        Alike.push_back(R);
    }
    if (Own.empty() && Alike.empty())
      return std::nullopt;
    F.Rows = Own.size();
    F.Parameters = parametersOf(board(D), Own.empty() ? scaledTo(D, Alike)
                                                      : fittedTo(D, Own));
    std::set<StringRef> Kernels;
    for (const PowerRow *R : Own)
      Kernels.insert(R->Kernel);
    F.Parameters.Bounds =
        Kernels.size() < LeastKernels ? ScaledBounds : OwnBounds;
    return F;
  }

private:
  ByDevice<std::unique_ptr<Board>> Owned;
  ByDevice<const Board *> Boards;
  RowRefs All;

  void add(const Device &D) {
    if (Owned.count(&D) || !Board::canBe(D))
      return;
    auto &B = Owned[&D] = std::make_unique<Board>(D);
    Boards[&D] = B.get();
  }

  /// Rows that count alike by kernel; in all \p Weight for each kernel or, if
  /// \p PerDevice, for each device.
  static std::vector<double> weights(const RowRefs &Rows, double Weight,
                                     bool PerDevice) {
    std::map<std::pair<const Device *, StringRef>, size_t> Num;
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

  Numbers fittedTo(const Device *D, const RowRefs &Rows) const {
    Numbers Start;
    for (const Fitted &F : fitted())
      Start.push_back(F.IsWatts ? F.Start * board(D).Headroom : F.Start);
    Numbers Factors =
        fit(Rows, Boards, {{D, Start}}, weights(Rows, KernelWeight, false));
    for (size_t N = 0; N != Start.size(); ++N)
      Start[N] *= Factors[N];
    return Start;
  }

  Numbers scaledTo(const Device *D, const RowRefs &Rows) const {
    ByDevice<Numbers> Starts;
    for (const PowerRow *R : Rows)
      Starts[R->On];
    Starts[D];
    for (auto [N, F] : llvm::enumerate(fitted())) {
      double Mean = 0; // of the logarithms
      for (const auto &[On, Of] : Starts)
        if (On != D)
          Mean += std::log(board(On).Sizes[N]) / double(Starts.size() - 1);
      for (auto &[On, Of] : Starts) {
        const Board &B = board(On);
        const double Scale =
            std::pow(B.Sizes[N] / std::exp(Mean), CapabilityShare);
        Of.push_back(F.IsWatts ? F.Start * B.Headroom * Scale : F.Start);
      }
    }
    Numbers Factors =
        fit(Rows, Boards, Starts, weights(Rows, DeviceWeight, true));
    Numbers Of = Starts[D];
    for (size_t N = 0; N != Of.size(); ++N)
      Of[N] *= Factors[N];
    return Of;
  }
};

} // namespace

PowerRefitResult ptxpredict::refitPower(ArrayRef<PowerRow> Rows,
                                        ArrayRef<const Device *> Others,
                                        unsigned Jobs) {
  const Fitter With(Rows, Others);
  struct Task {
    const Device *On;
    std::optional<StringRef> Without;
    std::optional<FittedPower> Result;
  };
  std::vector<Task> Tasks;
  std::map<std::pair<const Device *, StringRef>, size_t> Places;
  std::set<const Device *, ByName> Devices;
  for (const PowerRow &R : Rows) {
    if (!With.has(R.On))
      continue;
    if (Places.try_emplace({R.On, R.Group}, Tasks.size()).second)
      Tasks.push_back({R.On, StringRef(R.Group), std::nullopt});
    Devices.insert(R.On);
  }
  for (const Device *D : Others)
    if (With.has(D))
      Devices.insert(D);
  const size_t NumLeftOut = Tasks.size();
  for (const Device *D : Devices)
    Tasks.push_back({D, std::nullopt, std::nullopt});

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

//===- MWPCWPFit.cpp - Hong's calibration of MWP-CWP ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/MWPCWPFit.h"
#include "LeastSquares.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>
#include <unsupported/Eigen/NumericalDiff>

using namespace ptxpredict;

namespace {

/// A loop of Table 3: instructions of a round.
struct MixLoop {
  StringRef Name;
  double MemInsts, CompInsts;
};
constexpr MixLoop Loops[] = {{"mb1", 0, 23}, {"mb2", 1, 17}, {"mb3", 1, 29},
                             {"mb4", 2, 27}, {"mb5", 2, 35}, {"mb6", 4, 47},
                             {"mb7", 6, 59}};

/// How test/accuracy/measure runs them: a block of an SM.
constexpr double Threads = 512, BytesOfLane = 4;
/// Lanes of a request that is not coalesced take a line each.
constexpr double LinesOfWarp = 32;

} // namespace

std::optional<MWPCWPInputs>
ptxpredict::inputsOfMix(StringRef Result, const Device &D, double CoreMHz) {
  if (!Result.consume_front("cpi."))
    return std::nullopt;
  const auto [Name, Access] = Result.split('.');
  const auto *Loop = llvm::find_if(
      Loops, [Name = Name](const MixLoop &L) { return L.Name == Name; });
  if (Loop == std::end(Loops) ||
      (Loop->MemInsts == 0 ? !Access.empty()
                           : Access != "coalesced" && Access != "uncoalesced"))
    return std::nullopt;
  auto Parameter = [&](StringRef Key, double Otherwise) {
    const Quantity *Q = D.modelParameter(MWPCWPName, Key);
    return Q && *Q ? **Q : Otherwise;
  };
  const bool IsCoalesced = Access != "uncoalesced";
  MWPCWPInputs In;
  In.CompInsts = Loop->CompInsts;
  (IsCoalesced ? In.CoalMemInsts : In.UncoalMemInsts) = Loop->MemInsts;
  In.UncoalPerMW = LinesOfWarp;
  In.LoadBytesPerWarp = BytesOfLane * *D.WarpSize;
  In.IssueCycles = Parameter("issue_cycles", 1 / *D.Schedulers);
  In.MFactor = 1;
  In.Freq = CoreMHz / 1e3;
  In.MemBandwidth = Parameter("mem_bandwidth", *D.DRAMBandwidth);
  In.ActiveSMs = In.Blocks = *D.NumSMs;
  In.ActiveBlocksPerSM = 1;
  In.ThreadsPerBlock = Threads;
  In.NPw = residentWarps(1, Threads); // each load waits for the one before
  return In;
}

double ptxpredict::mixCPI(const MWPCWPInputs &In, const MWPCWPParameters &P) {
  MWPCWPInputs With = In;
  With.MemLD = P.MemLD;
  With.DepartureDelCoal = P.DepartureDelCoal;
  With.DepartureDelUncoal = P.DepartureDelUncoal;
  return evaluateMWPCWP(With).CPI;
}

namespace {

/// Errors of all loops by the logarithms of the parameters.
class MixErrors : public LeastSquaresTypes {
public:
  explicit MixErrors(ArrayRef<MixRow> Rows) : Rows(Rows) {}
  static int inputs() { return 3; }
  int values() const { return int(Rows.size()); }

  int operator()(const Eigen::VectorXd &Logs, Eigen::VectorXd &Errors) const {
    const MWPCWPParameters P = parametersOf(Logs);
    for (size_t R = 0; R != Rows.size(); ++R)
      Errors[Eigen::Index(R)] = mixCPI(Rows[R].Inputs, P) / Rows[R].CPI - 1;
    return 0;
  }
  static MWPCWPParameters parametersOf(const Eigen::VectorXd &Logs) {
    // No search leads out of what a device file takes.
    auto Bounded = [](double Log, double Least) {
      constexpr double Most = 1e5;
      return std::min(Most, std::max(Least, std::exp(Log)));
    };
    return {Bounded(Logs[0], 1), Bounded(Logs[1], 1e-3),
            Bounded(Logs[2], 1e-3)};
  }

private:
  ArrayRef<MixRow> Rows;
};

} // namespace

std::optional<MWPCWPFit> ptxpredict::fitMWPCWP(ArrayRef<MixRow> Rows) {
  const bool HasBoth =
      llvm::any_of(Rows,
                   [](const MixRow &R) { return R.Inputs.CoalMemInsts > 0; }) &&
      llvm::any_of(Rows,
                   [](const MixRow &R) { return R.Inputs.UncoalMemInsts > 0; });
  if (!HasBoth || int(Rows.size()) < MixErrors::inputs())
    return std::nullopt;
  MixErrors Errors(Rows);
  using Function = Eigen::NumericalDiff<MixErrors, Eigen::Central>;
  Function Differentiable(Errors);
  MWPCWPFit Best;
  double Least = std::numeric_limits<double>::infinity();
  // Where another limit holds, a delay has no say: a search begins on either
  // side of it.
  for (double Latency : {150., 400., 1000.})
    for (double Coal : {1., 10., 100.})
      for (double Uncoal : {1., 10., 100.}) {
        Eigen::VectorXd At(3);
        At << std::log(Latency), std::log(Coal), std::log(Uncoal);
        Eigen::LevenbergMarquardt<Function> Search(Differentiable);
        constexpr int MostSteps = 200;
        Search.parameters.maxfev = MostSteps;
        Search.minimize(At);
        Eigen::VectorXd E(Errors.values());
        Errors(At, E);
        const double Cost = E.squaredNorm();
        if (!(Cost < Least))
          continue;
        Least = Cost;
        Best.Parameters = MixErrors::parametersOf(At);
        Best.MAPE = E.cwiseAbs().mean();
      }
  if (!std::isfinite(Least))
    return std::nullopt;
  return Best;
}

void ptxpredict::addMWPCWP(const MicrobenchmarkResults &Results,
                           Calibration &To) {
  const Device &D = *To.Base;
  if (D.IsCPU)
    return;
  std::vector<MixRow> Rows;
  for (const MicrobenchmarkResult &R : Results.Results)
    if (std::optional<MWPCWPInputs> In =
            inputsOfMix(R.Name, D, R.CoreMHz.value_or(*D.BoostMHz)))
      Rows.push_back({*In, R.Value});
  const std::optional<MWPCWPFit> Fit = fitMWPCWP(Rows);
  if (!Fit)
    return;
  llvm::erase_if(To.Unused,
                 [](StringRef Name) { return Name.starts_with("cpi."); });
  const std::string Source = plural(Rows.size(), "loop") +
                             " of Hong's Table 3, " + Results.Date +
                             ", driver " + Results.Driver + ", off by " +
                             shortNumber(Fit->MAPE * 100) + " %";
  const MWPCWPParameters &P = Fit->Parameters;
  for (const auto &[Key, Value] :
       {std::pair(StringRef("mem_ld"), P.MemLD),
        {"departure_del_coal", P.DepartureDelCoal},
        {"departure_del_uncoal", P.DepartureDelUncoal}}) {
    const Quantity *Old = D.modelParameter(MWPCWPName, Key);
    To.Numbers.push_back({("models." + MWPCWPName).str(), Key, "cycles",
                          Old ? Old->Value : std::nullopt, false, Value,
                          Source});
  }
}

//===- LearnedPower.cpp - A kernel's power by a regression ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/LearnedPower.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace ptxpredict;
using InputKind = RegressionInput::KindTy;

LearnedPower::LearnedPower(const KernelOnDevice &On, const PowerRegression &Of)
    : Of(&Of) {
  const PowerEventCounts Events = countPowerEvents(On);
  for (size_t I = 0; I != Of.Inputs.size(); ++I) {
    const RegressionInput &In = Of.Inputs[I];
    if (In.Kind != InputKind::Event)
      continue;
    if (const std::optional<Estimate> &E = Events[size_t(In.Event)]) {
      Counts[I] = E->Value;
      Status = weakest(Status, E->Status);
    } else {
      Missing.push_back(In.name());
    }
  }
}

ArrayRef<double> LearnedPower::valuesAt(const DevicePoint &P, double Cycles,
                                        Values &Into) const {
  for (size_t I = 0; I != Of->Inputs.size(); ++I)
    switch (Of->Inputs[I].Kind) {
    case InputKind::Event:
      Into[I] = Counts[I] / Cycles;
      break;
    case InputKind::CoreClock:
      Into[I] = P.CoreMHz;
      break;
    case InputKind::MemoryClock:
      Into[I] = P.MemMHz;
      break;
    }
  return ArrayRef(Into.data(), Of->Inputs.size());
}

Estimate LearnedPower::watts(const DevicePoint &P,
                             const Estimate &Cycles) const {
  Values V;
  // A line may lead below what a board can draw.
  auto At = [&](double N) {
    return std::max(0.0, Of->watts(valuesAt(P, N, V)));
  };
  const double Value = At(Cycles.Value);
  const double Ends[] = {At(Cycles.Low), At(Cycles.High)};
  const double Error = 2 * Of->Error.RMSEW;
  return {Value, weakest(Status, Cycles.Status),
          std::max(0.0, std::min({Value, Ends[0], Ends[1]}) - Error),
          std::max({Value, Ends[0], Ends[1]}) + Error};
}

/// "dram_read 3.1 (0.02 to 2.4)".
static std::string describeOutside(const RegressionInput &In, double Value) {
  return (In.name() + " " + shortNumber(Value) + " (" + shortNumber(In.Least) +
          " to " + shortNumber(In.Most) + ")")
      .str();
}

void LearnedPower::addTo(Prediction &Result, const DevicePoint &P) const {
  if (!Result.Cycles)
    return;
  const StringRef Kind = toString(Of->Kind);
  if (!*this) {
    Result.Applies.Notes.push_back(
        ("no power by the regression " + Kind + ": nothing counts " +
         llvm::join(Missing, ", ") + "; --counters=FILE does")
            .str());
    return;
  }
  Result.PowerW = watts(P, *Result.Cycles);
  if (Result.TimeUs)
    Result.EnergyJ = (*Result.PowerW * *Result.TimeUs).scaled(1e-6);
  Values V;
  const ArrayRef<double> At = valuesAt(P, Result.Cycles->Value, V);
  std::string Outside;
  for (size_t I = 0; I != At.size(); ++I)
    if (!Of->Inputs[I].isWithin(At[I]))
      Outside +=
          (Outside.empty() ? "" : ", ") + describeOutside(Of->Inputs[I], At[I]);
  if (!Outside.empty())
    Result.Applies.Notes.push_back(
        ("power by the regression " + Kind +
         " lies outside of what it was trained on: " + Outside)
            .str());
  LearnedWatts &Learned = Result.Learned.emplace();
  Learned.Regression = Kind;
  if (Of->Kind == RegressionKind::Network)
    return;
  Learned.Parts.push_back({"CONSTANT", Of->Coefficients.front(),
                           std::numeric_limits<double>::quiet_NaN()});
  for (size_t I = 0; I != At.size(); ++I)
    Learned.Parts.push_back(
        {Of->Inputs[I].name(), Of->Coefficients[I + 1] * At[I], At[I]});
}

//===- SustainedClock.cpp - The clock that a power limit allows -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/SustainedClock.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace ptxpredict;

namespace {

/// Looks for the highest clock at which no more than the limit is drawn. Watts
/// rise with the clock.
struct ClockSearch {
  double Estimate::*Which;
  double Low, High;

  /// To a quarter of a MHz.
  bool isOpen() const { return High - Low > 0.25; }
  double middle() const { return (Low + High) / 2; }
};

} // namespace

SustainedClock ptxpredict::findSustainedClock(const PreparedModel &Model,
                                              const PreparedPower &Power,
                                              const DevicePoint &P) {
  if (!(P.PowerLimitW > 0) || !Power)
    return {P.CoreMHz, P.CoreMHz, P.CoreMHz};
  // Searches that still look at the same clocks ask one after the other.
  double LastMHz = 0;
  Estimate Last;
  auto IsTooMuch = [&](double MHz, double Estimate::*Which) {
    if (MHz != LastMHz) {
      DevicePoint At = P;
      At.CoreMHz = LastMHz = MHz;
      const std::optional<PointPrediction> Here = Model.at(At);
      Last = Here ? Power.watts(At, Here->Cycles) : Estimate();
    }
    return Last.*Which > P.PowerLimitW;
  };
  // In the order of their clocks: less power leaves a higher one.
  ClockSearch Searches[] = {{&Estimate::Low, P.CoreMHz / 10, P.CoreMHz},
                            {&Estimate::Value, P.CoreMHz / 10, P.CoreMHz},
                            {&Estimate::High, P.CoreMHz / 10, P.CoreMHz}};
  for (ClockSearch &S : Searches)
    if (!IsTooMuch(P.CoreMHz, S.Which))
      S.Low = S.High;
  while (llvm::any_of(Searches, std::mem_fn(&ClockSearch::isOpen)))
    for (ClockSearch &S : Searches)
      if (S.isOpen()) {
        const double Middle = S.middle();
        (IsTooMuch(Middle, S.Which) ? S.High : S.Low) = Middle;
      }
  SustainedClock C;
  C.MHz = Searches[1].Low;
  C.Highest = std::max(C.MHz, Searches[0].Low);
  C.Lowest = std::min(C.MHz, Searches[2].Low);
  return C;
}

std::optional<PointPrediction> ptxpredict::predictAt(const SustainedClock &C,
                                                     const PreparedModel &Model,
                                                     const DevicePoint &P) {
  std::optional<PointPrediction> Here;
  auto At = [&](double MHz) {
    if (Here && MHz == C.MHz)
      return Here;
    DevicePoint There = P;
    There.CoreMHz = MHz;
    return Model.at(There);
  };
  Here = At(C.MHz);
  const auto Fast = At(std::max(C.Highest, P.HighestMHz)), Slow = At(C.Lowest);
  if (!Here || !Fast || !Slow)
    return Here;
  // Bounds that are no numbers stay what they are.
  Estimate &T = Here->TimeUs;
  if (Fast->TimeUs.Low < T.Low) {
    T.Low = Fast->TimeUs.Low;
    Here->Cycles.Low = T.Low * C.MHz;
  }
  if (Slow->TimeUs.High > T.High) {
    T.High = Slow->TimeUs.High;
    Here->Cycles.High = T.High * C.MHz;
  }
  return Here;
}

//===- SustainedClock.cpp - The clock that a power limit allows -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/SustainedClock.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cmath>

using namespace ptxpredict;

/// The highest clock up to \p Boost at which no more than \p LimitW is drawn,
/// to a quarter of a MHz. Watts rise with the clock.
static double highestClock(double Boost, double LimitW,
                           llvm::function_ref<double(double)> WattsAt) {
  if (!(WattsAt(Boost) > LimitW))
    return Boost;
  double Low = Boost / 10, High = Boost;
  while (High - Low > 0.25) {
    const double Middle = (Low + High) / 2;
    (WattsAt(Middle) > LimitW ? High : Low) = Middle;
  }
  return Low;
}

SustainedClock ptxpredict::findSustainedClock(const PreparedModel &Model,
                                              const PreparedPower &Power,
                                              const DevicePoint &P) {
  auto ClockOf = [&](double Estimate::*Which) {
    return highestClock(P.CoreMHz, P.PowerLimitW, [&](double MHz) {
      DevicePoint At = P;
      At.CoreMHz = MHz;
      const std::optional<PointPrediction> Here = Model.at(At);
      const double Watts = Here ? Power.watts(At, Here->Cycles).*Which : 0;
      return std::isnan(Watts) ? 0 : Watts;
    });
  };
  SustainedClock C;
  C.MHz = ClockOf(&Estimate::Value);
  // More power leaves a lower clock.
  C.Highest = std::max(C.MHz, ClockOf(&Estimate::Low));
  C.Lowest = std::min(C.MHz, ClockOf(&Estimate::High));
  return C;
}

std::optional<PointPrediction> ptxpredict::predictAt(const SustainedClock &C,
                                                     const PreparedModel &Model,
                                                     const DevicePoint &P) {
  auto At = [&](double MHz) {
    DevicePoint There = P;
    There.CoreMHz = MHz;
    return Model.at(There);
  };
  std::optional<PointPrediction> Here = At(C.MHz);
  const auto Fast = At(C.Highest), Slow = At(C.Lowest);
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

//===- Temperature.cpp - Temperature and power over time ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Temperature.h"
#include <cmath>

using namespace ptxpredict;

double ptxpredict::temperatureRise(const ThermalParameters &P, double RuntimeW,
                                   double MemIntensity) {
  return P.Mu * RuntimeW + P.Lambda + P.Rho * MemIntensity; // (53)
}

double ptxpredict::temperatureWhileRunning(const ThermalParameters &P,
                                           double Rise, double Seconds) {
  return P.IdleC + Rise * (1 - std::exp(-Seconds / P.RiseSeconds)); // (49)
}

double ptxpredict::temperatureAfterwards(const ThermalParameters &P,
                                         double EndC, double Seconds) {
  double Gamma = EndC - P.IdleC;                                // (52)
  return P.IdleC + Gamma * std::exp(-Seconds / P.DecaySeconds); // (50)
}

double ptxpredict::powerAtTemperature(const ThermalParameters &P,
                                      double RuntimeW, double IdleW,
                                      double AtC) {
  double Delta = AtC - P.IdleC;              // (57)
  return RuntimeW + P.Sigma * Delta + IdleW; // (55), (56)
}

Thermal ptxpredict::findThermal(const ThermalParameters &P, double RuntimeW,
                                double IdleW, double MemIntensity) {
  constexpr unsigned NumPoints = 13, PointsPerConstant = 2; // to 99.8 %
  const double Rise = temperatureRise(P, RuntimeW, MemIntensity);
  Thermal T;
  T.IdleC = P.IdleC;
  T.MaxC = P.IdleC + Rise; // (51)
  T.RiseSeconds = P.RiseSeconds;
  T.DecaySeconds = P.DecaySeconds;
  for (unsigned I = 0; I != NumPoints; ++I) {
    double Seconds = I * P.RiseSeconds / PointsPerConstant;
    double C = temperatureWhileRunning(P, Rise, Seconds);
    T.WarmUp.push_back({Seconds, C, powerAtTemperature(P, RuntimeW, IdleW, C)});
  }
  return T;
}

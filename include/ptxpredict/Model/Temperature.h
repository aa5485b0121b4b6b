//===- Temperature.h - Temperature and power over time ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Hong, PhD thesis, 2012, sections 3.2.6 and 3.2.7. Numbers in parentheses
// are its equations. Degrees Celsius, seconds and watts throughout.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_TEMPERATURE_H
#define PTXPREDICT_MODEL_TEMPERATURE_H

#include <vector>

namespace ptxpredict {

/// How a board warms up and cools down (table 9).
struct ThermalParameters {
  double IdleC = 0;
  double RiseSeconds = 1, DecaySeconds = 1; ///< RC_Rise, RC_Decay
  double Mu = 0;                            ///< degrees a watt
  double Lambda = 0;                        ///< degrees
  double Rho = 0;   ///< degrees for each memory instruction per other one
  double Sigma = 0; ///< watts a degree, of leakage
};

/// delta of (51): degrees above idle that a kernel ends at if it runs for long.
/// \p RuntimeW: (48). \p MemIntensity: (54). The printed (53) calls it
/// Max_temp, but only as a rise does it agree with the temperatures that are
/// given for it.
double temperatureRise(const ThermalParameters &P, double RuntimeW,
                       double MemIntensity);

/// (49): \p Seconds after a kernel began on an idle board whose temperature is
/// to rise by \p Rise in the end.
double temperatureWhileRunning(const ThermalParameters &P, double Rise,
                               double Seconds);

/// (50), (52): \p Seconds after a kernel ended at \p EndC.
double temperatureAfterwards(const ThermalParameters &P, double EndC,
                             double Seconds);

/// (55) to (57): power of the GPU at temperature \p AtC, with \p RuntimeW that
/// of (48).
double powerAtTemperature(const ThermalParameters &P, double RuntimeW,
                          double IdleW, double AtC);

/// A board that runs a kernel over and over, from when it was idle.
struct ThermalPoint {
  double Seconds = 0;
  double TemperatureC = 0;
  double PowerW = 0; ///< of the board
};
struct Thermal {
  double IdleC = 0, MaxC = 0;
  double RiseSeconds = 0, DecaySeconds = 0;
  std::vector<ThermalPoint> WarmUp; ///< until next to nothing changes
};
Thermal findThermal(const ThermalParameters &P, double RuntimeW, double IdleW,
                    double MemIntensity);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_TEMPERATURE_H

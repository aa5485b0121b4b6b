//===- IsoEnergyEfficiency.cpp - Energy of parallel programs --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/IsoEnergyEfficiency.h"
#include <cmath>

using namespace ptxpredict;

/// Instructions and accesses on \p M.
static EnergyWork vectorWork(const EnergyMachine &M, double Instructions,
                             double Accesses) {
  const double Compute = Instructions * M.InstructionSeconds;
  const double Memory = Accesses * M.AccessSeconds;
  return {Compute + Memory, Compute * M.ComputeW + Memory * M.MemoryW};
}

EnergyWork ptxpredict::sequentialWork(const EnergyMachine &M,
                                      const EnergyApplication &A) {
  EnergyWork W = vectorWork(M, A.Instructions, A.Accesses);
  W.Seconds += A.IOSeconds;
  W.Joules += A.IOSeconds * M.IOW;
  return W;
}

EnergyWork ptxpredict::extraWork(const EnergyMachine &M,
                                 const EnergyApplication &A) {
  return vectorWork(M, A.ExtraInstructions, A.ExtraAccesses);
}

IsoEnergyEfficiency ptxpredict::isoEnergyEfficiency(
    double Alpha, double IdleW, const EnergyWork &Sequential,
    const EnergyWork &Extra, double NetworkSeconds, double NetworkW) {
  IsoEnergyEfficiency R;
  R.SequentialSeconds = Sequential.Seconds;
  R.OverheadSeconds = Extra.Seconds + NetworkSeconds;
  R.NetworkSeconds = NetworkSeconds;
  R.SequentialJ = Alpha * R.SequentialSeconds * IdleW + Sequential.Joules;
  R.OverheadJ = Alpha * R.OverheadSeconds * IdleW + Extra.Joules +
                NetworkSeconds * NetworkW;
  return R;
}

IsoEnergyEfficiency ptxpredict::isoEnergyEfficiency(const EnergyMachine &M,
                                                    const EnergyApplication &A,
                                                    double NetworkSeconds) {
  return isoEnergyEfficiency(A.Alpha, M.IdleW, sequentialWork(M, A),
                             extraWork(M, A), NetworkSeconds, M.NetworkW);
}

double ptxpredict::clockEfficiency(double LowestSequentialJ, double ParallelJ) {
  return LowestSequentialJ / ParallelJ;
}

double ptxpredict::overlapFactor(double MeasuredSeconds,
                                 double TheoreticalSeconds) {
  return MeasuredSeconds / TheoreticalSeconds;
}

double ptxpredict::circuitPower(double Activity, double Capacitance,
                                double Volts, double Hz, double LeakageA) {
  return Activity * Capacitance * Volts * Volts * Hz + LeakageA * Volts;
}

double ptxpredict::clockPower(double FixedW, double Factor, double Gamma,
                              double GHz) {
  return FixedW + Factor * std::pow(GHz, Gamma);
}

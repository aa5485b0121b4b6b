//===- ParallelScaling.cpp - Measures of parallel programs ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/ParallelScaling.h"

using namespace ptxpredict;

double ptxpredict::isoefficiencyConstant(double Efficiency) {
  return Efficiency / (1 - Efficiency);
}

bool ptxpredict::isIsoefficient(double SequentialSeconds,
                                double OverheadSeconds, double Efficiency) {
  return SequentialSeconds >=
         isoefficiencyConstant(Efficiency) * OverheadSeconds;
}

double ptxpredict::powerAwareSpeedup(ArrayRef<DegreeOfWork> Work,
                                     const SplitSeconds &Overhead) {
  double Sequential = 0, Parallel = Overhead.On + Overhead.Off;
  for (const DegreeOfWork &W : Work) {
    const double Seconds = W.Sequential.On + W.Sequential.Off;
    Sequential += Seconds;
    Parallel += Seconds / W.Degree;
  }
  return Sequential / Parallel;
}

double ptxpredict::normalizedEfficiency(double PerformanceRatio,
                                        double EnergyRatio) {
  return PerformanceRatio / EnergyRatio;
}

//===- ParallelScaling.h - Measures of parallel programs --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Three measures that S. Song's dissertation takes from others or uses in
// passing (docs/models/ClusterEnergy.md has the equations).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_PARALLELSCALING_H
#define PTXPREDICT_MODEL_PARALLELSCALING_H

#include "ptxpredict/Support/LLVM.h"

namespace ptxpredict {

/// C of the isoefficiency relation T(n, 1) >= C T_o(n, p) (2.9) that keeps a
/// speed-up of \p Efficiency times p: efficiency / (1 - efficiency).
double isoefficiencyConstant(double Efficiency);
/// Whether (2.9) holds; \p OverheadSeconds is T_o of all processors.
bool isIsoefficient(double SequentialSeconds, double OverheadSeconds,
                    double Efficiency);

/// Time on the chip, which follows its clock, and off it, which does not; in s.
struct SplitSeconds {
  double On = 0, Off = 0;
};
/// Work of the degree of parallelism i: so much of it takes so long on one
/// processor.
struct DegreeOfWork {
  double Degree = 1; ///< i, from 1
  SplitSeconds Sequential;
};
/// The power-aware speed-up (2.10) of all of \p Work, with T(w_PO) \p Overhead
/// that a parallel run takes on top.
double powerAwareSpeedup(ArrayRef<DegreeOfWork> Work,
                         const SplitSeconds &Overhead);

/// PowerPack's normalised efficiency, (perf_p / perf_1) / (E_p / E_1)
/// (section 3.4).
double normalizedEfficiency(double PerformanceRatio, double EnergyRatio);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_PARALLELSCALING_H

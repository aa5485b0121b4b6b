//===- ClockFit.h - A latency as a line over the ratio of clocks -*- C++
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_DEVICE_CLOCKFIT_H
#define PTXPREDICT_LIB_DEVICE_CLOCKFIT_H

#include "ptxpredict/Device/Calibration.h"

namespace ptxpredict {

/// Cycles of the core = Slope x core clock / memory clock + Offset (Q. Wang and
/// X. Chu, equation 4).
struct ClockFit {
  double Slope = 0, Offset = 0;
  double RSquared = 1;
  double LargestResidual = 0; ///< cycles
  unsigned NumResults = 0;
};

/// The least-squares line through what \p Results have of the name. Nothing
/// unless they have both clocks at three ratios or more, and the latency rises
/// with the ratio from no less than 0 on.
std::optional<ClockFit> fitClocks(const MicrobenchmarkResults &Results,
                                  StringRef Name);

/// The same of the cycles that \p SMs of a GPU wait for 32 B each, at equal
/// clocks: Slope / memory clock in MHz + Offset, by the GB/s that \p Results
/// have of the name at the highest core clock of each memory clock. Nothing
/// unless they are of three memory clocks or more, and the cycles fall with the
/// clock to no less than 0.
std::optional<ClockFit> fitService(const MicrobenchmarkResults &Results,
                                   StringRef Name, double SMs);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_DEVICE_CLOCKFIT_H

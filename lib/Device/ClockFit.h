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

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_DEVICE_CLOCKFIT_H

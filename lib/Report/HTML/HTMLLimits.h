//===- HTMLLimits.h - What each part of a device alone takes *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Simple divisions of what a kernel does by what a device can do, beside which
// a page shows a model's answer. No model is in them.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_HTML_HTMLLIMITS_H
#define PTXPREDICT_LIB_REPORT_HTML_HTMLLIMITS_H

#include "ptxpredict/Model/SpeedOfLight.h"

namespace ptxpredict::html {

/// A warp alone on the device of \p P, which the driver does not say of every
/// point of a sweep.
WarpLatency warpAlone(const KernelCharacteristics &K, const Prediction &P);

struct PartTime {
  std::string Name; ///< "integer units"
  double Us = 0;    ///< if everything else took no time
};
/// The parts that the kernel uses, on the SMs that have blocks, all of them
/// evenly busy. \p P must have its device.
std::vector<PartTime> partTimes(const KernelCharacteristics &K,
                                const Prediction &P);

} // namespace ptxpredict::html

#endif // PTXPREDICT_LIB_REPORT_HTML_HTMLLIMITS_H

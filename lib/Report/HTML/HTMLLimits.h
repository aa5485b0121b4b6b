//===- HTMLLimits.h - What each part of a device alone takes *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Simple divisions of what a kernel does by what a device can do, beside which
// a page shows a model's answer. No model is in them.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_HTML_HTMLLIMITS_H
#define PTXPREDICT_LIB_REPORT_HTML_HTMLLIMITS_H

#include "ptxpredict/Model/Model.h"

namespace ptxpredict::html {

/// 32-byte sectors that a request touches in the mean, nothing where it does
/// not go to device memory.
std::optional<double> sectorsOf(const MemoryCharacteristics &M);

/// Bytes that a launch's requests touch in device memory, by 32-byte sectors:
/// what it would move without any cache.
double requestedBytes(const KernelCharacteristics &K);
/// What of it device memory moves, where the hit rate of L2 is known.
double dramBytes(const KernelCharacteristics &K, const Prediction &P);

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

/// A kernel and a device in a roofline diagram (S. Williams, A. Waterman, D.
/// Patterson, "Roofline: an insightful visual performance model for multicore
/// architectures", CACM 52(4), 2009).
struct Roofline {
  bool IsDouble = false;   ///< of the precision that takes the longest
  double PeakGFlops = 0;   ///< GFLOP/s; an FMA counts two
  double BandwidthGBs = 0; ///< GB/s of device memory
  double Intensity = 0;    ///< FLOP/byte of device memory; 0 without traffic
  double GFlops = 0;       ///< GFLOP/s at the predicted time
};
/// Nothing for a kernel without arithmetic of floats or doubles, or without a
/// time. \p P must have its device.
std::optional<Roofline> roofline(const KernelCharacteristics &K,
                                 const Prediction &P);

} // namespace ptxpredict::html

#endif // PTXPREDICT_LIB_REPORT_HTML_HTMLLIMITS_H

//===- TraceKernels.h - The kernels of a trace as entries -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_TRACE_TRACEKERNELS_H
#define PTXPREDICT_LIB_SCENARIO_TRACE_TRACEKERNELS_H

#include "ptxpredict/Scenario/Trace/ScenarioFromTrace.h"

namespace ptxpredict {

/// A kernel's name at one launch shape.
struct TraceKernel {
  std::string Identifier; ///< letters, digits and _; unique
  const TraceOperation *First = nullptr;
  const TraceCode *Code = nullptr; ///< null: its times are measured
  uint64_t Launches = 0;
  int64_t ShortestNs = 0, LongestNs = 0;
  double TotalNs = 0;
  /// Sum of how far launches are from the mean, in ns.
  double VariesNs = 0;
  bool ByMean = false; ///< all launches have one time

  double meanNs() const { return TotalNs / double(Launches); }
};

struct TraceKernels {
  std::vector<TraceKernel> Kernels;    ///< in the order of their first launches
  std::vector<uint32_t> Of;            ///< by operation; of kernels only
  std::vector<std::string> NotMatched; ///< as TraceScenario has them
};

TraceKernels collectKernels(const NsysTrace &Trace,
                            const TraceScenarioOptions &Options);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_TRACE_TRACEKERNELS_H

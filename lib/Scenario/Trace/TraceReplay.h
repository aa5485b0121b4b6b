//===- TraceReplay.h - What each operation of a trace waits for -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_TRACE_TRACEREPLAY_H
#define PTXPREDICT_LIB_SCENARIO_TRACE_TRACEREPLAY_H

#include "ptxpredict/Scenario/Trace/NsysTrace.h"

namespace ptxpredict {

/// One operation of a GPU, in the order in which the process issues them.
struct ReplayStep {
  static constexpr uint32_t None = UINT32_MAX;

  uint32_t Operation = 0; ///< index into the trace's
  uint32_t Stream = 0;    ///< index into DeviceReplay::Streams
  /// It stands in the default stream: it waits for all before it, and all
  /// behind it wait for it.
  bool Blocks = false;
  /// The step in another stream that it waits for; None if that follows from
  /// the streams.
  uint32_t WaitsFor = None;
  uint32_t NumWaiters = 0; ///< steps whose WaitsFor is this one
  /// How long after the end of what it waits for it starts, or after the
  /// beginning, and in which stream that time passes.
  int64_t GapNs = 0;
  uint32_t GapStream = 0;
};

struct DeviceReplay {
  std::vector<std::string> Streams; ///< "s7", "s7_2" for what overlaps there
  std::vector<ReplayStep> Steps;
  unsigned MostKernels = 0; ///< at once; also fills and copies within the GPU
  unsigned MostCopies = 0;  ///< in one direction at once
  size_t NumOverlappedPageable = 0;
};

/// What the operations \p Indices of one GPU, in their order, wait for, where
/// time counts from \p OriginNs.
DeviceReplay planReplay(const NsysTrace &Trace, ArrayRef<uint32_t> Indices,
                        int64_t OriginNs);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_TRACE_TRACEREPLAY_H

//===- ScenarioFromTrace.h - A scenario that replays a trace ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A trace says when each operation of a GPU started and how long it took. The
// scenario says for each what it waits for, so that it still holds when kernels
// become faster:
// - for the operation before it in its stream;
// - for that operation of the same GPU, of any stream, which ended last before
//   it started: an event there, and a wait;
// - and as long as nothing ran between that end and its start: a `delay`.
// With the measured times every operation starts when it did.
//
// One process for each GPU, with the label `worker`; with several GPUs what
// each does stands behind `rank`. Streams are the trace's;
// where operations of one stream overlap, as those of CUDA graphs may, they are
// spread over as many streams as that takes. Copies from and to pageable memory
// that overlap nothing stand in the default stream and block the process, as
// they do in CUDA; others are in their streams. A copy's measured seconds stand
// beside its bytes and go before what a link says.
//
// A trace does not say where a copy to a peer goes: with two GPUs to the other
// one, else to the next one, the last one's to the first.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_TRACE_SCENARIOFROMTRACE_H
#define PTXPREDICT_SCENARIO_TRACE_SCENARIOFROMTRACE_H

#include "ptxpredict/Scenario/Trace/NsysTrace.h"
#include "ptxpredict/Scenario/Trace/TraceCode.h"

namespace ptxpredict {

struct TraceScenarioOptions {
  std::string Name = "trace";
  std::string System; ///< a system's name or path; empty: the file names none
  std::vector<TraceCode> Code;
  /// By what part of the run's time the replay of measured kernels may be off.
  /// Kernels that take about the same time at each launch get their mean, those
  /// first that vary least: as many as vary, all launches together, by no more
  /// than that. All others get the time of each launch.
  double Tolerance = 0.01;
};

/// The text of a scenario, and what it is made of.
struct TraceScenario {
  std::string Text; ///< in YAML: schema ptx-predict/scenario
  /// From the first start to the last end: what the replay takes as well.
  double Seconds = 0;
  size_t NumOperations = 0;
  size_t NumKernels = 0;       ///< entries: names at their launch shapes
  size_t NumKernelsByCode = 0; ///< of these
  size_t NumKernelsByMean =
      0; ///< of the others: with one time for all launches
  /// Most kernels, fills and copies within a GPU at once on one of the GPUs:
  /// the scenario's `concurrent_kernels`.
  unsigned ConcurrentKernels = 1;
  /// Most copies in one direction at once on one of the GPUs. Above 1 the
  /// replay needs a system with as many copy engines.
  unsigned ConcurrentCopies = 0;
  /// Copies from and to pageable memory that overlap other operations: written
  /// as asynchronous ones.
  size_t NumOverlappedPageable = 0;
  /// Kernels of the trace that have the function name of a given code but not
  /// its template arguments or parameters, or that several codes may be: they
  /// keep their measured times.
  std::vector<std::string> NotMatched;
};

/// Linear in the operations but for a logarithm; the same trace and options
/// give the same bytes.
TraceScenario scenarioFromTrace(const NsysTrace &Trace,
                                const TraceScenarioOptions &Options);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_TRACE_SCENARIOFROMTRACE_H

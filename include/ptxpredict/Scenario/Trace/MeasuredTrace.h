//===- MeasuredTrace.h - Power as it was measured ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Two kinds of files are known by their headings:
// - that of PowerPack (Song, dissertation, Virginia Tech 2013, chapter 3):
//   time_s, cpu_W, mem_W, disk_W, board_W, label. Any column that ends with _W
//   is a component; at least one must be there, and label need not;
// - a log of `nvidia-smi --query-gpu=timestamp,power.draw --format=csv`,
// perhaps
//   with `index` (or uuid, pci.bus_id, serial) for several GPUs, each of which
//   is a component, and any other columns. `nounits` is all right, `noheader`
//   is not. Samples as "[N/A]" are left out.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_TRACE_MEASUREDTRACE_H
#define PTXPREDICT_SCENARIO_TRACE_MEASUREDTRACE_H

#include "ptxpredict/Support/Diagnostics.h"
#include <optional>

namespace ptxpredict {

/// The time between two samples belongs to the label of the first of them, and
/// its energy is that time times the mean of both powers (trapezoids). So the
/// labels that are not empty and the time without one add up to the run.
struct MeasuredSpan {
  std::string Label;
  /// All times at which it was the label, added up; where components have
  /// samples of their own, that of the component with most.
  double Seconds = 0;
  double Joules = 0; ///< of all components
  /// By index into MeasuredTrace::Components; those behind its end have none.
  std::vector<double> ComponentJoules;

  /// Nothing of a span without time.
  std::optional<double> watts() const;
  std::optional<double> componentWatts(size_t Component) const;
};

struct MeasuredTrace {
  std::vector<std::string> Components; ///< "cpu", "gpu1"; by first appearance
  /// First the whole run, with the label "", then labels by first appearance.
  std::vector<MeasuredSpan> Spans;
  size_t NumSamples = 0;
  size_t NumLeftOut = 0; ///< of these: without a power

  const MeasuredSpan &whole() const { return Spans.front(); }
  /// Null if there is none of that label.
  const MeasuredSpan *find(StringRef Label) const;
};

/// Reads the engine's buffer, in time linear in its size. True on error (all
/// reported): another heading, rows of other lengths, times that do not rise,
/// powers that are no number or negative, fewer than two samples, more than
/// 256 GPUs or 65,536 labels.
bool readMeasuredTrace(DiagnosticEngine &Diags, MeasuredTrace &Result);

/// What was predicted for a label; "" is the whole run.
struct PredictedLabel {
  std::string Label;
  double Seconds = 0;
  std::optional<double> Joules;
};

/// What both sides say of a label; nothing where one of them lacks it.
struct MeasuredAgainst {
  std::string Label;
  std::optional<double> PredictedSeconds, PredictedJoules;
  std::optional<double> MeasuredSeconds, MeasuredJoules;

  bool isPredicted() const { return PredictedSeconds.has_value(); }
  bool isMeasured() const { return MeasuredSeconds.has_value(); }
  /// Predicted / measured - 1; nothing without both, or where 0 was measured.
  std::optional<double> secondsError() const;
  std::optional<double> joulesError() const;
  /// The same of the mean power, joules / seconds.
  std::optional<double> wattsError() const;
};

/// Labels as \p Predicted has them, then those that were only measured, in
/// their order.
std::vector<MeasuredAgainst>
compareWithMeasured(ArrayRef<PredictedLabel> Predicted,
                    const MeasuredTrace &Measured);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_TRACE_MEASUREDTRACE_H

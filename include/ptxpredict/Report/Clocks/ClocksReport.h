//===- ClocksReport.h - The clocks that kernels should run at ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_CLOCKS_CLOCKSREPORT_H
#define PTXPREDICT_REPORT_CLOCKS_CLOCKSREPORT_H

#include "ptxpredict/Model/FewerSMs.h"
#include "ptxpredict/Model/MaxBIPS.h"
#include "ptxpredict/Report/Prediction/Report.h"

namespace ptxpredict {

constexpr StringRef ClocksSchemaName = "ptx-predict/clocks";
constexpr unsigned ClocksSchemaVersion = 1;

/// Fewer SMs, at the clocks that are best by the goal.
struct ClocksSMs {
  ClockPair At;
  std::optional<FewerSMs> Enough;   ///< nothing where all of them are of use
  std::optional<SMRequest> Request; ///< of these
  /// What models of S. Hong's thesis advise, by the published name, where that
  /// is not all of the SMs.
  std::vector<std::pair<StringRef, FewerSMs>> Advised;
  std::vector<unsigned> Preferred; ///< of --placement
  std::string Placement;           ///< likewise, in words; empty without
};

/// What one kernel, or all together, takes at each pair of clocks.
struct KernelClocks {
  std::string Path, Name, Demangled; ///< empty of all together
  unsigned LaunchLine = 0; ///< of its launch in the launch file; 0 without one
  double Weight = 1;
  /// What was measured of it, which predicted times are scaled to; empty where
  /// nothing was.
  std::string Measured;
  /// By the throughput model, at the highest clocks: the factor by which the
  /// core clock may drop while memory's stays, until latency is no longer what
  /// is waited for (S. Hong, PhD thesis, 2012, (93)). 1: none.
  double CoreReduction = 1;
  std::optional<ClocksSMs> SMs; ///< nothing where nobody needs fewer
  bool IsPowerTheLimit = false; ///< as ClocksReport has it
  std::vector<ClockPair> Pairs; ///< in the order of ClocksReport::Pairs
  std::string Why;              ///< why there are none; empty if there are
};

/// What `ptx-predict clocks` says.
struct ClocksReport {
  std::string Device, Model;
  ClockGoal Goal = ClockGoal::Energy;
  ClockLimits Limits;
  std::optional<MaxBIPSOptions> Scaling; ///< in place of the model's
  /// With it: the model had no power, and the board's limit stands for it.
  bool IsPowerTheLimit = false;
  std::string CoreClocks, MemoryClocks; ///< "990 to 1980 MHz by 15"
  bool AreCoreClocksAssumed = false;    ///< nobody gave them
  bool WithGated = false; ///< also what is saved if idle SMs were off
  std::vector<KernelClocks> Kernels;
  std::vector<std::string> Premises;
  std::vector<Diagnostic> Diagnostics;

  /// All kernels that have an answer, each with its weight.
  KernelClocks together() const;
  /// The highest core clock at the highest memory clock.
  static size_t highest(ArrayRef<ClockPair> Pairs);
};

/// For each kernel the best pair of each goal, what it gains over the highest
/// clocks, and the front of energy and time; for several kernels the pair for
/// all; and the line that sets the clocks.
void printClocksText(const ClocksReport &R, raw_ostream &OS, Verbosity V,
                     bool Colors);
/// A row for each kernel and pair.
void printClocksCSV(const ClocksReport &R, raw_ostream &OS);
/// Schema "ptx-predict/clocks" (docs/schemas/clocks.schema.json).
void printClocksJSON(const ClocksReport &R, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_CLOCKS_CLOCKSREPORT_H

//===- TripCounts.h - How often loops run -----------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_TRIPCOUNTS_H
#define PTXPREDICT_ANALYSIS_TRIPCOUNTS_H

#include "ptxpredict/Analysis/Conditions.h"
#include "ptxpredict/Support/Assumption.h"

namespace ptxpredict {

/// A loop whose count nobody knows runs this often (docs/Predict.md,
/// "Defaults").
constexpr double DefaultTripCount = 64;

/// One loop of a graph.
struct LoopTripCount {
  Count
      TripCount; ///< bodies per entry; a warp runs as often as its longest lane
  double Backedges = 0; ///< jumps back to the header per entry
  /// It is left from its top: its body runs as often as it jumps back, else
  /// once more.
  bool TestsFirst = false;
  /// The block whose branch ends the loop; null if none was understood.
  const Block *CountedExit = nullptr;
};

/// Counts loops whose counter starts, steps and ends at constants or at
/// functions of the thread index, by addition (closed form) or by shifting and
/// multiplying (a walk of at most 64 or so steps); takes the launch's word for
/// a loop that it names; assumes the rest.
std::vector<LoopTripCount> countTrips(const ControlFlow &CF,
                                      const Conditions &Conds,
                                      std::vector<Assumption> &Assumptions);

/// How an option names a block: its label without leading '$', or its line.
std::string optionName(const Block &B);

/// What \p Given (by label with or without '$', or by line) says of \p B.
std::optional<double>
lookUpByLabel(const std::map<std::string, double, std::less<>> &Given,
              const Block &B);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_TRIPCOUNTS_H

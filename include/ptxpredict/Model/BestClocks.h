//===- BestClocks.h - The pair of clocks that serves a goal -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_BESTCLOCKS_H
#define PTXPREDICT_MODEL_BESTCLOCKS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace ptxpredict {

/// What kernels take at a pair of clocks.
struct ClockPair {
  double CoreMHz = 0;
  double MemMHz = 0;
  double TimeUs = 0;
  double PowerW = 0;  ///< of several kernels the one that draws most; or NaN
  double EnergyJ = 0; ///< NaN where no power is known
};

/// What is to be least: energy to one power times the time to another (S. Song,
/// PhD thesis, Virginia Tech, 2013, 5.7-C).
enum class ClockGoal : uint8_t { Time, Energy, ED, ED2, E2D };
constexpr unsigned NumClockGoals = unsigned(ClockGoal::E2D) + 1;

/// "time", "energy", "ed", "ed2", "e2d".
StringRef toString(ClockGoal G);
/// The number that is least at the best pair; NaN where an energy is needed and
/// none is known.
double costOf(const ClockPair &P, ClockGoal G);

/// Pairs that a choice leaves out.
struct ClockLimits {
  std::optional<double> PowerW; ///< no pair that draws more
  std::optional<double>
      Slowdown; ///< none that takes 1 + this of the least time
};

/// The pair of the least cost within the limits; of those that cost the same,
/// the one with the least energy, then the lowest clocks. Nothing where no pair
/// is within the limits, or no cost is known.
std::optional<size_t> bestClocks(ArrayRef<ClockPair> Points, ClockGoal G,
                                 const ClockLimits &Limits = {});

/// The pairs for which no other takes less time and no more energy, or the
/// reverse: by rising time and falling energy. Empty where no energy is known.
std::vector<size_t> energyTimeFront(ArrayRef<ClockPair> Points);

/// \p Weight times what \p Of takes, added point by point: both have the same
/// pairs in the same order.
void addKernel(std::vector<ClockPair> &Sum, ArrayRef<ClockPair> Of,
               double Weight);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_BESTCLOCKS_H

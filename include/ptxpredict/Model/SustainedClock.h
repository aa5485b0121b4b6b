//===- SustainedClock.h - The clock that a power limit allows ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A board lowers its core clock until it draws no more than its limit. The
// clock of a kernel is where the watts that are predicted for it meet the
// limit.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_SUSTAINEDCLOCK_H
#define PTXPREDICT_MODEL_SUSTAINEDCLOCK_H

#include "ptxpredict/Model/Model.h"
#include "ptxpredict/Model/Power.h"

namespace ptxpredict {

/// What a core clock is unless it is given.
enum class ClockChoice : uint8_t {
  Sustained, ///< boost, or less where the board's limit of power asks for it
  Boost,
  Base
};

/// The core clocks, in MHz, at which a kernel runs on a board that lowers them.
struct SustainedClock {
  double MHz = 0;
  /// Where the least and the most power that is foreseen meet the limit.
  double Highest = 0, Lowest = 0;
};

/// Up to the clock of \p P, at which \p Model and \p Power have an answer, and
/// down to a tenth of it, whatever is drawn there. P.PowerLimitW is the limit;
/// without it, or without power, it is the clock of \p P. Takes some tens of
/// microseconds.
SustainedClock findSustainedClock(const PreparedModel &Model,
                                  const PreparedPower &Power,
                                  const DevicePoint &P);

/// What \p Model says at the clock of \p C, with bounds that hold for all of
/// its clocks, and up to P.HighestMHz: kernels that end before the board is at
/// its limit have that one. \p P: as above. Nothing where the model has no
/// answer.
std::optional<PointPrediction> predictAt(const SustainedClock &C,
                                         const PreparedModel &Model,
                                         const DevicePoint &P);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_SUSTAINEDCLOCK_H

//===- TimeReport.h - Where processor time goes -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// llvm::Timer does not serve here: it measures the process and not a thread,
// may not run in two threads at once, and counts no calls.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_TIMEREPORT_H
#define PTXPREDICT_SUPPORT_TIMEREPORT_H

#include "ptxpredict/Support/LLVM.h"
#include <array>
#include <atomic>
#include <cstdint>

namespace ptxpredict {

/// A part of a run that the report shows.
enum class Stage : uint8_t {
#define STAGE(ENUM, NAME) ENUM,
#include "ptxpredict/Support/Stages.def"
};
constexpr unsigned NumStages = unsigned(Stage::Report) + 1;

/// The name of Stages.def.
StringRef toString(Stage S);

/// Calls and processor time of each stage, in all threads, from its
/// construction on. One may live at a time.
class TimeReport {
public:
  TimeReport();
  ~TimeReport();
  TimeReport(const TimeReport &) = delete;
  TimeReport &operator=(const TimeReport &) = delete;

  uint64_t calls(Stage S) const { return Stages[unsigned(S)].Calls; }
  /// Without the time of the stages inside it.
  double seconds(Stage S) const;

  /// Seconds that the process has used so far, the system's included.
  static double processSeconds();

private:
  friend class StageTimer;
  struct Sums {
    std::atomic<uint64_t> Calls{0}, Nanoseconds{0};
  };
  std::array<Sums, NumStages> Stages;

  /// The one that lives; null without one.
  static std::atomic<TimeReport *> Current;
};

/// Counts a call of a stage and charges it with the time until it is destroyed.
/// Costs next to nothing where no report is asked for.
class StageTimer {
public:
  explicit StageTimer(Stage S) {
    if (TimeReport *R = TimeReport::Current.load(std::memory_order_acquire))
      start(S, *R);
  }
  /// Charges the stage of \p Asker with what another thread does for it.
  explicit StageTimer(const StageTimer *Asker) {
    if (Asker->Sums)
      enter(*Asker->Sums);
  }
  ~StageTimer() {
    if (Sums)
      stop();
  }
  StageTimer(const StageTimer &) = delete;
  StageTimer &operator=(const StageTimer &) = delete;

private:
  TimeReport::Sums *Sums = nullptr; ///< null where nobody asks
  StageTimer *Outer;                ///< that runs in the same thread
  uint64_t Since;                   ///< nanoseconds of the thread

  void start(Stage S, TimeReport &R);
  void enter(TimeReport::Sums &S);
  void stop();
  void chargeUntil(uint64_t Now);
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_TIMEREPORT_H

//===- TimeReport.cpp - Where processor time goes -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Process.h"
#include <cassert>
#include <ctime>

using namespace ptxpredict;

StringRef ptxpredict::toString(Stage S) {
  static constexpr StringRef Names[] = {
#define STAGE(ENUM, NAME) NAME,
#include "ptxpredict/Support/Stages.def"
  };
  return Names[unsigned(S)];
}

std::atomic<TimeReport *> TimeReport::Current{nullptr};

TimeReport::TimeReport() {
  [[maybe_unused]] TimeReport *Other = Current.exchange(this);
  assert(!Other && "there is a report already");
}

TimeReport::~TimeReport() { Current = nullptr; }

double TimeReport::seconds(Stage S) const {
  return double(Stages[unsigned(S)].Nanoseconds) / 1e9;
}

double TimeReport::processSeconds() {
  llvm::sys::TimePoint<> Now;
  std::chrono::nanoseconds User, System;
  llvm::sys::Process::GetTimeUsage(Now, User, System);
  return std::chrono::duration<double>(User + System).count();
}

/// Processor time of the calling thread.
static uint64_t threadNanoseconds() {
  timespec T{};
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
  return uint64_t(T.tv_sec) * 1'000'000'000 + uint64_t(T.tv_nsec);
}

/// The timer that time is charged to.
static thread_local StageTimer *Innermost = nullptr;

void StageTimer::chargeUntil(uint64_t Now) {
  Sums->Nanoseconds.fetch_add(Now - Since, std::memory_order_relaxed);
  Since = Now;
}

void StageTimer::start(Stage S, TimeReport &R) {
  TimeReport::Sums &Of = R.Stages[unsigned(S)];
  Of.Calls.fetch_add(1, std::memory_order_relaxed);
  enter(Of);
}

void StageTimer::enter(TimeReport::Sums &S) {
  Sums = &S;
  Outer = Innermost;
  Innermost = this;
  Since = threadNanoseconds();
  if (Outer)
    Outer->chargeUntil(Since);
}

void StageTimer::stop() {
  const uint64_t Now = threadNanoseconds();
  chargeUntil(Now);
  Innermost = Outer;
  if (Outer)
    Outer->Since = Now;
}

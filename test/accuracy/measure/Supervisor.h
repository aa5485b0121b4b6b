//===- Supervisor.h - Runs steps in processes that may die ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A kernel that faults leaves its process without a GPU ("CUDA Driver API",
// CUDA_ERROR_ILLEGAL_ADDRESS), and one that hangs never returns. So a child
// process uses the GPU, and the next one goes on behind the step at which one
// ended.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MEASURE_SUPERVISOR_H
#define PTXPREDICT_MEASURE_SUPERVISOR_H

#include "Results.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <chrono>

namespace ptxpredict::measure {

class Supervisor {
public:
  Supervisor(const Options &O, Results &R) : O(O), R(R) {}

  /// Asks for the facts of the device. An error says what is missing.
  Error findFacts();

  /// Runs the steps until all are done or the time is over. \p AfterStep is
  /// called with what the results hold so far.
  Error run(const std::vector<Step> &Steps,
            llvm::function_ref<bool(const StepOutcome &)> AfterStep);

private:
  using Clock = std::chrono::steady_clock;
  double secondsPassed() const {
    return std::chrono::duration<double>(Clock::now() - Begin).count();
  }
  /// Keeps a record that is none of a step's end.
  void keep(Record New);

  const Options &O;
  Results &R;
  Clock::time_point Begin = Clock::now();
};

} // namespace ptxpredict::measure

#endif // PTXPREDICT_MEASURE_SUPERVISOR_H

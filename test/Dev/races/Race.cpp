//===- Race.cpp - A data race, for the test that races are found ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Parallel.h"
#include <atomic>
#include <thread>

static volatile int Sum;
/// Relaxed, so that it orders nothing.
static std::atomic<int> Begun;

int main() {
  ptxpredict::forEachInParallel(2, 2, [](size_t N) {
    // Not all by the one thread before the other one is there.
    Begun.fetch_add(1, std::memory_order_relaxed);
    while (Begun.load(std::memory_order_relaxed) != 2)
      std::this_thread::yield();
    Sum = Sum + int(N);
  });
  return 0;
}

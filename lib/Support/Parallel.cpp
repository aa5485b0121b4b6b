//===- Parallel.cpp - Work shared among threads ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Parallel.h"
#include "ptxpredict/Support/Thread.h"
#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>

using namespace ptxpredict;

size_t ptxpredict::numThreads(size_t Jobs) {
  return Jobs ? Jobs : std::max(1u, std::thread::hardware_concurrency());
}

void ptxpredict::forEachInParallel(size_t Num, size_t Threads,
                                   llvm::function_ref<void(size_t)> Do) {
  std::atomic<size_t> Next{0};
  auto Work = [&] {
    for (size_t N; (N = Next++) < Num;)
      Do(N);
  };
  std::deque<Thread> Others;
  while (Others.size() + 1 < std::min(Num, Threads) &&
         Others.emplace_back(Work).isRunning()) {
  }
  Work(); // alone, if the system gives no more threads
  for (Thread &Other : Others)
    Other.join();
}

//===- Race.cpp - A data race, for the test that races are found ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Parallel.h"

static volatile int Sum;

int main() {
  ptxpredict::forEachInParallel(100, 2, [](size_t N) { Sum = Sum + int(N); });
  return 0;
}

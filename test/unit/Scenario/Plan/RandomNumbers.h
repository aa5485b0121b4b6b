//===- RandomNumbers.h - Choices by chance ----------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_RANDOMNUMBERS_H
#define PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_RANDOMNUMBERS_H

#include <random>
#include <vector>

namespace ptxpredict {

/// The same ones with every library: the standard's distributions are not.
class RandomNumbers {
public:
  explicit RandomNumbers(unsigned Seed) : Random(Seed) {}

  unsigned below(unsigned N) { return unsigned(Random() % N); }
  unsigned from(unsigned First, unsigned Last) {
    return First + below(Last - First + 1);
  }
  bool percent(unsigned Chance) { return below(100) < Chance; }
  /// So many thousandths, which a file can say in full.
  double thousandths(unsigned First, unsigned Last) {
    return from(First, Last) / 1000.0;
  }
  template <typename T>
  T oneOf(const std::vector<T> &All) {
    return All[below(unsigned(All.size()))];
  }

private:
  std::mt19937 Random;
};

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_RANDOMNUMBERS_H

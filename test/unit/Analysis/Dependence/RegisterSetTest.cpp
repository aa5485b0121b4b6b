//===- RegisterSetTest.cpp - Sets of registers against std::set -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Analysis/Dependence/RegisterSet.h"
#include "gmock/gmock.h"
#include <random>
#include <set>

using namespace ptxpredict::path;

TEST(RegisterSet, KeepsWhatASetKeepsInItsOrder) {
  std::mt19937 Random(1);
  for (uint32_t Num : {1u, 63u, 64u, 65u, 4096u, 4097u, 10000u}) {
    RegisterSet Tested(Num);
    std::set<uint32_t> Known;
    for (unsigned Round = 0; Round != 20; ++Round) {
      for (unsigned N = 0; N != 50; ++N) {
        const uint32_t R = Random() % Num;
        Tested.insert(R);
        Known.insert(R);
      }
      ASSERT_EQ(Tested.size(), Known.size());
      const std::vector<uint32_t> Before(Known.begin(), Known.end());
      std::vector<uint32_t> Visited;
      Tested.filter([&](uint32_t R) {
        Visited.push_back(R);
        const bool Keeps = Random() % 3 != 0;
        if (!Keeps)
          Known.erase(R);
        return Keeps;
      });
      ASSERT_EQ(Visited, Before);
    }
  }
}

//===- LruStack.cpp - Distances between touches of the same thing ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LruStack.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::cachesim;

/// Times before the tree is made anew, at least.
static constexpr uint64_t FewestTimes = 1024;

void LruStack::mark(uint64_t Time, int Change) {
  for (uint64_t I = Time + 1; I <= Tree.size(); I += I & -I)
    Tree[I - 1] += uint32_t(Change);
}

uint64_t LruStack::marksBefore(uint64_t Time) const {
  uint64_t Sum = 0;
  for (uint64_t I = Time; I; I &= I - 1)
    Sum += Tree[I - 1];
  return Sum;
}

/// Gives what was touched the first times, in their order, and leaves as many
/// times to come: a touch costs no more than a constant part of it.
void LruStack::renumber() {
  std::vector<std::pair<uint64_t, uint64_t>> ByTime; // and block
  ByTime.reserve(LastTouch.size());
  for (const auto &[Block, Time] : LastTouch)
    ByTime.emplace_back(Time, Block);
  llvm::sort(ByTime);
  Tree.assign(std::max<uint64_t>(FewestTimes, 2 * ByTime.size()), 0);
  for (Now = 0; Now != ByTime.size(); ++Now) {
    LastTouch[ByTime[Now].second] = Now;
    mark(Now, 1);
  }
}

std::optional<uint64_t> LruStack::touch(uint64_t Block) {
  if (Now == Tree.size())
    renumber();
  std::optional<uint64_t> Distance;
  auto [It, IsFirst] = LastTouch.try_emplace(Block, Now);
  if (!IsFirst) {
    Distance = LastTouch.size() - marksBefore(It->second + 1);
    mark(It->second, -1);
    It->second = Now;
  }
  mark(Now++, 1);
  return Distance;
}

void LruStack::clear() {
  LastTouch.clear();
  Tree.clear();
  Now = 0;
}

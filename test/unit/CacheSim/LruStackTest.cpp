//===- LruStackTest.cpp - Stack distances of small traces -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LruStack.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace ptxpredict;
using cachesim::LruStack;

namespace {

/// The distances of the touches, '-' for a first one.
std::string distances(StringRef Trace) {
  LruStack Stack;
  std::string Text;
  for (char C : Trace) {
    std::optional<uint64_t> D = Stack.touch(uint64_t(C));
    Text += D ? std::to_string(*D) : "-";
  }
  return Text;
}

} // namespace

TEST(LruStackTest, WorkedByHand) {
  struct {
    const char *Trace, *Distances;
  } Cases[] = {
      {"", ""},
      {"a", "-"},
      {"aaa", "-00"},
      {"aba", "--1"},
      {"abba", "--01"},                 // b counts once
      {"abcabc", "---222"},             // around a ring
      {"abccba", "---012"},             // there and back
      {"abacabad", "--1-121-"},         // a ruler
      {"abcdbbbad", "----20032"},       // a: b, c and d; d: b and a
      {"aabbccabc", "-0-0-0222"},       // repeats in between do not count
      {"abcabdabcabd", "---22-223223"}, // c and d: three others
  };
  for (const auto &C : Cases)
    EXPECT_EQ(distances(C.Trace), C.Distances) << C.Trace;
}

TEST(LruStackTest, ForgetsWhenCleared) {
  LruStack Stack;
  Stack.touch(1);
  Stack.touch(2);
  EXPECT_EQ(Stack.size(), 2u);
  Stack.clear();
  EXPECT_EQ(Stack.size(), 0u);
  EXPECT_EQ(Stack.touch(1), std::nullopt);
  EXPECT_EQ(Stack.touch(1), 0u);
}

TEST(LruStackTest, LongTracesAgreeWithAList) {
  // Many times what the tree has room for at first; blocks of all ages.
  std::mt19937 Random(1);
  for (unsigned Blocks : {3u, 200u, 3000u}) {
    LruStack Stack;
    std::vector<uint64_t> List; // the last touched at the end
    for (unsigned N = 0; N != 12000; ++N) {
      uint64_t Block = Random() % Blocks * (Random() % 4 ? 1 : Random() % 8);
      auto It = llvm::find(List, Block);
      std::optional<uint64_t> Expected;
      if (It != List.end()) {
        Expected = uint64_t(List.end() - It) - 1;
        List.erase(It);
      }
      List.push_back(Block);
      ASSERT_EQ(Stack.touch(Block), Expected) << Blocks << ", touch " << N;
    }
    EXPECT_EQ(Stack.size(), List.size());
  }
}

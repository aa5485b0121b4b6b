//===- SanitizersTest.cpp - What the sanitizers' build has to find --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "llvm/Support/Compiler.h" // __has_feature
#include "gtest/gtest.h"
#include <vector>

#if __has_feature(address_sanitizer)

namespace {

TEST(SanitizersDeathTest, ElementsBehindTheEndOfAVector) {
  std::vector<int> V;
  V.reserve(8);
  V.push_back(1);
  auto Read = [&](size_t N) {
    volatile int Element = V.data()[N];
    (void)Element;
  };
  EXPECT_DEATH(Read(4), "container-overflow");
  V.resize(5);
  Read(4);
}

} // namespace

#endif

//===- CollisionsTest.cpp - Tests of lanes that meet ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/MemoryAccess/Collisions.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ptxpredict;

/// The mean of what \p Count says of requests whose lanes choose among \p
/// Places words of \p Bytes bytes.
template <typename FnT>
static double meanOf(unsigned Places, unsigned Bytes, FnT Count) {
  std::mt19937 Random(1);
  std::uniform_int_distribution<uint64_t> Choose(0, Places - 1);
  constexpr unsigned Requests = 20000;
  double Sum = 0;
  for (unsigned N = 0; N != Requests; ++N) {
    WarpAccess A;
    A.Active = ~0u;
    A.BytesPerLane = Bytes;
    for (uint64_t &Address : A.Address)
      Address = Choose(Random) * Bytes;
    Sum += Count(A);
  }
  return Sum / Requests;
}

static unsigned fullest(const WarpAccess &A) {
  unsigned Most = 0;
  for (uint64_t Address : A.Address)
    Most = std::max(Most, unsigned(std::count(A.Address.begin(),
                                              A.Address.end(), Address)));
  return Most;
}

static unsigned left(const WarpAccess &A, unsigned Gone) {
  unsigned Left = 0;
  for (auto It = A.Address.begin(); It != A.Address.end(); ++It)
    Left += std::count(A.Address.begin(), It, *It) >= Gone;
  return Left;
}

TEST(Collisions, FullestOfPlaces) {
  EXPECT_EQ(meanFullest(1, 8), 1);
  EXPECT_EQ(meanFullest(32, 1), 32);
  EXPECT_DOUBLE_EQ(meanFullest(2, 2), 1.5); // both at one in half of all cases
  for (unsigned Places : {2, 4, 8, 32, 100, 1024, 20000})
    EXPECT_NEAR(meanFullest(32, Places), meanOf(Places, 4, fullest),
                0.01 * meanFullest(32, Places))
        << Places;
}

TEST(Collisions, PlacesOfTheFullest) {
  for (double Places : {1, 2, 6, 8, 32, 100, 256, 5000, 16384, 100000})
    EXPECT_NEAR(placesOfFullest(meanFullest(32, uint64_t(Places))), Places,
                0.05 * Places)
        << Places;
  EXPECT_EQ(placesOfFullest(40), 1);
  EXPECT_TRUE(std::isinf(placesOfFullest(1)));
}

TEST(Collisions, LanesLeftAtPlaces) {
  EXPECT_EQ(meanLeft(32, 1, 0), 32);
  EXPECT_EQ(meanLeft(32, 1, 31), 1);
  EXPECT_EQ(meanLeft(32, 1, 33), 0);
  EXPECT_EQ(meanLeft(1, 8, 1), 0);
  EXPECT_DOUBLE_EQ(meanLeft(2, 2, 1), 0.5); // both at one in half of all cases
  for (unsigned Gone : {1, 2, 5})
    for (unsigned Places : {2, 32, 256})
      EXPECT_NEAR(
          meanLeft(32, Places, Gone),
          meanOf(Places, 1, [&](const WarpAccess &A) { return left(A, Gone); }),
          0.05 * meanLeft(32, Places, Gone) + 0.002)
          << Places << ' ' << Gone;
}

TEST(Collisions, PassesOfSectors) {
  for (unsigned Places : {1, 4, 16, 64, 256, 4096})
    EXPECT_NEAR(meanSectorPasses(32, Places, 4),
                meanOf(Places, 4, countAtomicPasses),
                0.01 * meanSectorPasses(32, Places, 4))
        << Places;
  EXPECT_NEAR(meanSectorPasses(32, 1 << 20, 8), 32, 0.01);
}

TEST(Collisions, MostOfManyThrows) {
  EXPECT_EQ(meanMost(1000, 1), 1000);
  EXPECT_NEAR(meanMost(1 << 20, 256), 4096, 0.06 * 4096);
  EXPECT_GT(meanMost(1 << 20, 256), 4096);
  EXPECT_LE(meanMost(1, 1 << 20), 1);
}

TEST(Atomics, PassesOfARequest) {
  WarpAccess A;
  A.Active = ~0u;
  for (unsigned L = 0; L != WarpSize; ++L)
    A.Address[L] = 0x100;
  EXPECT_EQ(countAtomicPasses(A), 32u); // one word
  EXPECT_EQ(countSharedAtomicPasses(A), 32u);
  for (unsigned L = 0; L != WarpSize; ++L)
    A.Address[L] = 4ull * L;
  EXPECT_EQ(countAtomicPasses(A), 4u); // sectors
  EXPECT_EQ(countSharedAtomicPasses(A), 1u);
  for (unsigned L = 0; L != WarpSize; ++L)
    A.Address[L] = 4ull * (L % 8);
  EXPECT_EQ(countAtomicPasses(A), 4u); // lanes of a word
  EXPECT_EQ(countSharedAtomicPasses(A), 4u);
  for (unsigned L = 0; L != WarpSize; ++L)
    A.Address[L] = 128ull * (L % 2);
  EXPECT_EQ(countAtomicPasses(A), 32u);
  EXPECT_EQ(countSharedAtomicPasses(A), 32u); // one bank
  A.Active = 0;
  EXPECT_EQ(countAtomicPasses(A), 0u);
}

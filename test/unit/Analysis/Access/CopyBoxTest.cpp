//===- CopyBoxTest.cpp - What a bulk copy moves ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Analysis/Access/CopyBox.h"
#include "gtest/gtest.h"
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::counting;

namespace {

/// A box of rows of \p Count elements of 4 bytes, \p Rows of them.
struct Tile {
  Expressions E{LaunchConfig()};
  CopyBox Box;

  Tile(uint64_t Count, uint64_t Rows, uint64_t RowBytes, uint64_t Step = 1) {
    Ref At = E.constant(64, 0);
    Box.Axes.push_back({Count, 32, 1, At, At});
    Box.Axes.push_back({Rows, RowBytes * 8 * Step, Step, At, At});
  }
  using Ref = const Expression *;

  /// Bytes of the part's rows, by address.
  std::set<uint64_t> bytes(const BoxPart &Part, uint64_t Address) const {
    std::set<uint64_t> Found;
    for (uint64_t R = 0; R != Part.Axes[1].Count; ++R)
      for (uint64_t B = 0; B != Part.Axes[0].Count * 4; ++B)
        Found.insert(Address + Part.Axes[0].First * 4 + B +
                     (Part.Axes[1].First + R) * Box.Axes[1].StrideBits / 8);
    return Found;
  }
};

size_t unitsOf(const std::set<uint64_t> &Bytes, uint64_t Unit) {
  std::set<uint64_t> Units;
  for (uint64_t B : Bytes)
    Units.insert(B / Unit);
  return Units.size();
}

TEST(CopyBoxTest, ClipsOnBothSides) {
  const Tile T(8, 4, 64);
  const BoxPart Inside = clip(T.Box, {3, 5}, {11, 9});
  EXPECT_EQ(Inside.Axes[0].First, 0U);
  EXPECT_EQ(Inside.Axes[0].Count, 8U);
  EXPECT_EQ(Inside.Axes[1].Count, 4U);
  const BoxPart Before = clip(T.Box, {-3, -1}, {16, 16});
  EXPECT_EQ(Before.Axes[0].First, 3U);
  EXPECT_EQ(Before.Axes[0].Count, 5U);
  EXPECT_EQ(Before.Axes[1].First, 1U);
  EXPECT_EQ(Before.Axes[1].Count, 3U);
  const BoxPart Behind = clip(T.Box, {14, 15}, {16, 16});
  EXPECT_EQ(Behind.Axes[0].Count, 2U);
  EXPECT_EQ(Behind.Axes[1].Count, 1U);
  const BoxPart Small = clip(T.Box, {-1, -1}, {2, 2});
  EXPECT_EQ(Small.Axes[0].First, 1U);
  EXPECT_EQ(Small.Axes[0].Count, 2U);
  EXPECT_TRUE(clip(T.Box, {-8, 0}, {16, 16}).isEmpty());
  EXPECT_TRUE(clip(T.Box, {0, 16}, {16, 16}).isEmpty());
  EXPECT_TRUE(clip(T.Box, {INT64_MIN / 2, 0}, {16, 16}).isEmpty());
}

TEST(CopyBoxTest, ClipsSteps) {
  const Tile T(4, 5, 64, 3); // rows 0, 3, 6, 9, 12
  const BoxPart Before = clip(T.Box, {0, -4}, {4, 100});
  EXPECT_EQ(Before.Axes[1].First, 2U); // rows -4 and -1 are not there
  EXPECT_EQ(Before.Axes[1].Count, 3U);
  EXPECT_EQ(clip(T.Box, {0, 0}, {4, 7}).Axes[1].Count, 3U);
  EXPECT_EQ(clip(T.Box, {0, 0}, {4, 6}).Axes[1].Count, 2U);
}

TEST(CopyBoxTest, CountsEachSectorOnce) {
  for (uint64_t RowBytes : {32, 48, 64, 80, 128, 144, 160, 256, 4096})
    for (uint64_t Address : {0, 16, 64, 112})
      for (int64_t X : {-2, 0, 5})
        for (int64_t Y : {-1, 0, 2}) {
          const Tile T(8, 4, RowBytes);
          const BoxPart Part = clip(T.Box, {X, Y}, {10, 5});
          const BoxCosts Costs = countBox(T.Box, Part, 1024 + Address);
          const std::set<uint64_t> Bytes = T.bytes(Part, 1024 + Address);
          EXPECT_EQ(Costs.Sectors, double(unitsOf(Bytes, 32)));
          EXPECT_EQ(Costs.Lines, double(unitsOf(Bytes, 128)));
        }
}

TEST(CopyBoxTest, CountsRowsThatMeetAgain) {
  // Planes that begin where a row of the one before lies.
  Tile T(4, 2, 256);
  T.Box.Axes.push_back({2, 256 * 8});
  EXPECT_EQ(countBox(T.Box, wholeOf(T.Box), 0).Sectors, 3);
  T.Box.Axes.back().StrideBits = 1024 * 8;
  EXPECT_EQ(countBox(T.Box, wholeOf(T.Box), 0).Sectors, 4);
}

TEST(CopyBoxTest, NarrowRowsUseHalfASector) {
  const Tile T(4, 16, 256);
  EXPECT_EQ(countBox(T.Box, wholeOf(T.Box), 0).Sectors, 16);
  EXPECT_EQ(T.Box.bytes(), 256U);
}

} // namespace

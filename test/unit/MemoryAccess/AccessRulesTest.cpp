//===- AccessRulesTest.cpp - Hand-worked accesses -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The table was worked by hand from the rules as AccessRules.h states them.
//===----------------------------------------------------------------------===//
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

constexpr uint32_t All = 0xFFFFFFFFu;

/// Lane i at Base + i * Stride.
WarpAccess strided(uint64_t Base, int64_t Stride, unsigned Bytes,
                   uint32_t Active = All) {
  WarpAccess A;
  A.BytesPerLane = Bytes;
  A.Active = Active;
  for (unsigned I = 0; I != WarpSize; ++I)
    A.Address[I] = Base + uint64_t(int64_t(I) * Stride);
  return A;
}

/// Lane i at the word that \p Map gives.
template <typename Fn>
WarpAccess mapped(unsigned Bytes, Fn Map, uint32_t Active = All) {
  WarpAccess A = strided(0, 0, Bytes, Active);
  for (unsigned I = 0; I != WarpSize; ++I)
    A.Address[I] = 1024 + uint64_t(Map(I)) * Bytes;
  return A;
}

struct Row {
  const char *What;
  WarpAccess Access;
  unsigned Sectors, Lines;
  Transactions CC10, CC12, CC20;
};

const Row Rows[] = {
    {"4 B side by side, aligned",
     strided(256, 4, 4),
     4,
     1,
     {2, 128},
     {2, 128},
     {1, 128}},
    {"1 B side by side",
     strided(256, 1, 1),
     1,
     1,
     {32, 1024},
     {2, 64},
     {1, 128}},
    // Each half-warp: 32 B of one 64 B segment, shrunk to 32 B.
    {"2 B side by side",
     strided(256, 2, 2),
     2,
     1,
     {32, 1024},
     {2, 64},
     {1, 128}},
    {"8 B side by side",
     strided(256, 8, 8),
     8,
     2,
     {2, 256},
     {2, 256},
     {2, 256}},
    {"16 B side by side",
     strided(256, 16, 16),
     16,
     4,
     {4, 512},
     {4, 512},
     {4, 512}},
    // 260..387: sectors 8..12, lines 2 and 3. Half-warps 260..323 and 324..387:
    // the first lies in segment 256..383 over its middle (128 B), the second
    // in 256..383, upper half (64 B), and 384..387 (32 B).
    {"4 B one word off",
     strided(260, 4, 4),
     5,
     2,
     {32, 1024},
     {3, 224},
     {2, 256}},
    // Stride 8: 256 B. Each half-warp fills half of a 256 B stretch: 128 B.
    {"every other word",
     strided(256, 8, 4),
     8,
     2,
     {32, 1024},
     {2, 256},
     {2, 256}},
    {"a line each",
     strided(0, 128, 4),
     32,
     32,
     {32, 1024},
     {32, 1024},
     {32, 4096}},
    {"a sector each",
     strided(0, 32, 4),
     32,
     8,
     {32, 1024},
     {8, 1024},
     {8, 1024}},
    {"one word for all",
     strided(260, 0, 4),
     1,
     1,
     {32, 1024},
     {2, 64},
     {1, 128}},
    {"backwards", strided(380, -4, 4), 4, 1, {32, 1024}, {2, 128}, {1, 128}},
    {"lanes 1 and 2 swapped",
     mapped(4, [](unsigned I) { return I == 1   ? 2
                                       : I == 2 ? 1
                                                : I; }),
     4,
     1,
     {17, 576},
     {2, 128},
     {1, 128}},
    {"half of the lanes off",
     strided(256, 4, 4, 0x55555555u),
     4,
     1,
     {2, 128},
     {2, 128},
     {1, 128}},
    {"the first half-warp alone",
     strided(256, 4, 4, 0xFFFFu),
     2,
     1,
     {1, 64},
     {1, 64},
     {1, 128}},
    {"the first quarter alone",
     strided(256, 4, 4, 0xFFu),
     1,
     1,
     {1, 64},
     {1, 32},
     {1, 128}},
    {"lane 5 alone, aligned to its place",
     strided(256, 4, 4, 1u << 5),
     1,
     1,
     {1, 64},
     {1, 32},
     {1, 128}},
    {"lane 0 alone, off its place",
     strided(260, 4, 4, 1),
     1,
     1,
     {1, 32},
     {1, 32},
     {1, 128}},
    {"nobody", strided(256, 4, 4, 0), 0, 0, {0, 0}, {0, 0}, {0, 0}},
    // A half-warp of 8 B from 320: 320..447 crosses 384: 64 B and 64 B.
    {"8 B off by half a line",
     strided(320, 8, 8),
     8,
     3,
     {32, 1024},
     {4, 256},
     {4, 512}},
    {"both halves at one place",
     mapped(4, [](unsigned I) { return I % 16; }),
     2,
     1,
     {2, 128},
     {2, 128},
     {1, 128}},
    {"at the end of the address space",
     strided(UINT64_MAX - 127, 4, 4),
     4,
     1,
     {2, 128},
     {2, 128},
     {1, 128}},
};

TEST(AccessRules, HandWorkedTable) {
  for (const Row &R : Rows) {
    SCOPED_TRACE(R.What);
    EXPECT_EQ(countSectors(R.Access), R.Sectors);
    EXPECT_EQ(countLines(R.Access), R.Lines);
    auto Same = [](Transactions Got, Transactions Want) {
      EXPECT_EQ(Got.Count, Want.Count);
      EXPECT_EQ(Got.Bytes, Want.Bytes);
    };
    Same(countCC10(R.Access), R.CC10);
    Same(countCC12(R.Access), R.CC12);
    Same(countCC20(R.Access), R.CC20);
    Same(countTransactions(AccessRule::Sector, R.Access),
         {R.Sectors, R.Sectors * 32u});
  }
}

TEST(AccessRules, FewestIsWhatSideBySideTakes) {
  for (AccessRule Rule : {AccessRule::CC10, AccessRule::CC12, AccessRule::CC20,
                          AccessRule::Sector})
    for (unsigned Bytes : {4u, 8u, 16u})
      EXPECT_EQ(fewestTransactions(Rule, 32, Bytes),
                countTransactions(Rule, strided(512, Bytes, Bytes)).Count)
          << toString(Rule).str() << " " << Bytes;
  EXPECT_EQ(fewestTransactions(AccessRule::Sector, 1, 4), 1u);
  EXPECT_EQ(fewestTransactions(AccessRule::Sector, 32, 1), 1u);
  EXPECT_EQ(fewestTransactions(AccessRule::Sector, 8.5, 4), 2u);
  EXPECT_EQ(fewestTransactions(AccessRule::CC20, 0, 4), 1u);
}

TEST(AccessRules, NamesReadBack) {
  for (AccessRule Rule : {AccessRule::CC10, AccessRule::CC12, AccessRule::CC20,
                          AccessRule::Sector})
    EXPECT_EQ(parseAccessRule(toString(Rule)), Rule);
  EXPECT_FALSE(parseAccessRule("cc30"));
}

struct BankRow {
  const char *What;
  WarpAccess Access;
  unsigned Passes32, Passes16;
};

const BankRow BankRows[] = {
    // 16 banks serve a half-warp at once.
    {"4 B side by side", strided(0, 4, 4), 1, 2},
    {"4 B off by a word", strided(4, 4, 4), 1, 2},
    {"1 B side by side", strided(0, 1, 1), 1, 2},
    {"one word for all", strided(64, 0, 4), 1, 2},
    {"stride 2 words", strided(0, 8, 4), 2, 4},
    {"stride 3 words", strided(0, 12, 4), 1, 2},
    {"stride 32 words", strided(0, 128, 4), 32, 32},
    {"stride 33 words", strided(0, 132, 4), 1, 2},
    {"8 B side by side", strided(0, 8, 8), 2, 4},
    // A half-warp's 16 words lie in banks 0, 1, 4, 5, …: 2 for each.
    {"8 B, every other", strided(0, 16, 8), 4, 8},
    {"16 B side by side", strided(0, 16, 16), 4, 8},
    {"16 B, one word for all", strided(0, 0, 16), 4, 8},
    {"two words of one bank", mapped(4, [](unsigned I) { return I % 2 * 32; }),
     2, 4},
    {"a row's column, padded by one", strided(0, 4 * 33, 4), 1, 2},
    {"backwards", strided(124, -4, 4), 1, 2},
    {"one lane", strided(0, 4, 4, 1u << 31), 1, 1},
    {"lower half", strided(0, 8, 8, 0xFFFFu), 1, 2},
    {"nobody", strided(0, 4, 4, 0), 0, 0},
};

TEST(Banks, HandWorkedTable) {
  for (const BankRow &R : BankRows) {
    SCOPED_TRACE(R.What);
    EXPECT_EQ(countWavefronts(R.Access), R.Passes32);
    EXPECT_EQ(countWavefronts(R.Access, 16), R.Passes16);
  }
}

TEST(Banks, Pairs) {
  auto Count = [](const WarpAccess &A) {
    return std::pair(countWavefronts(A), countPairedWavefronts(A));
  };
  using Passes = std::pair<unsigned, unsigned>;
  auto Same = [](unsigned) { return 0; };
  EXPECT_EQ(Count(mapped(4, Same)), Passes(1, 1));
  EXPECT_EQ(Count(mapped(8, Same)), Passes(2, 1));
  EXPECT_EQ(Count(mapped(16, Same)), Passes(4, 2));
  EXPECT_EQ(Count(mapped(16, [](unsigned I) { return I / 2; })), Passes(4, 2));
  EXPECT_EQ(Count(mapped(16, [](unsigned I) { return I & ~2u; })),
            Passes(4, 4));
  EXPECT_EQ(Count(mapped(16, [](unsigned I) { return I & 5; })), Passes(4, 2));
  // Of the forum's example: lanes n and n ^ 4 agree.
  EXPECT_EQ(Count(mapped(16, [](unsigned I) { return I % 4; })), Passes(4, 4));
  EXPECT_EQ(Count(mapped(16, [](unsigned I) { return I; })), Passes(4, 4));
  // Four words of a bank in each quarter; of the half they are eight.
  EXPECT_EQ(Count(mapped(16, [](unsigned I) { return I / 2 * 8; })),
            Passes(16, 16));
  // A lane that does not take part agrees with any.
  WarpAccess Half = mapped(16, [](unsigned I) { return I / 2; });
  Half.Active = 0x55555555;
  EXPECT_EQ(Count(Half), Passes(4, 2));
}

TEST(Banks, Fewest) {
  EXPECT_EQ(fewestWavefronts(32, 4), 1u);
  EXPECT_EQ(fewestWavefronts(32, 8), 2u);
  EXPECT_EQ(fewestWavefronts(32, 16), 4u);
  EXPECT_EQ(fewestWavefronts(16, 8), 1u);
  EXPECT_EQ(fewestWavefronts(1, 16), 1u);
  EXPECT_EQ(fewestWavefronts(32, 4, 16), 2u);
}

} // namespace

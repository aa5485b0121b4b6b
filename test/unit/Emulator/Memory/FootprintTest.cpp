//===- FootprintTest.cpp - Which bytes a launch touches -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Emulator/Memory/Footprint.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using testing::ElementsAre;

static constexpr uint64_t Base = 0x7f0000000000;

static std::vector<uint64_t> gridBytes(const Footprint &F) {
  Footprint::GridBytes G = F.gridBytes();
  return {G.Touched, G.Read, G.Written};
}

TEST(ByteSet, CountsAByteOnce) {
  ByteSet S;
  EXPECT_EQ(S.count(), 0u);
  S.add(Base, 0);
  EXPECT_EQ(S.count(), 0u);
  S.add(Base + 60, 8); // over a word
  S.add(Base + 64, 8);
  EXPECT_EQ(S.count(), 12u);
  S.add(Base + 4095, 2); // over a chunk
  EXPECT_EQ(S.count(), 14u);
  EXPECT_TRUE(S.contains(Base + 60));
  EXPECT_TRUE(S.contains(Base + 71));
  EXPECT_TRUE(S.contains(Base + 4096));
  EXPECT_FALSE(S.contains(Base + 59));
  EXPECT_FALSE(S.contains(Base + 72));
  EXPECT_FALSE(S.contains(Base + 4097));
  EXPECT_FALSE(S.contains(0));
  S.add(Base, 1 << 20); // many chunks
  EXPECT_EQ(S.count(), uint64_t(1) << 20);
  S.add(0, 1);
  S.add(~uint64_t(0), 1);
  EXPECT_EQ(S.count(), (uint64_t(1) << 20) + 2);
}

TEST(ByteSet, AddsEveryRangeOfAChunk) {
  // All places of both ends against the words, in a set that is used again.
  ByteSet S;
  for (unsigned From = 0; From < 4096 + 64; From += 13)
    for (unsigned Count : {1, 3, 51, 63, 64, 65, 127, 128, 129, 512, 4096}) {
      S.clear();
      S.add(Base + From, Count);
      ASSERT_EQ(S.count(), Count) << From;
      ASSERT_TRUE(S.contains(Base + From) &&
                  S.contains(Base + From + Count - 1))
          << From << " " << Count;
    }
}

TEST(ByteSet, IsASet) {
  std::mt19937_64 Random(5);
  ByteSet Sets[2];
  std::set<uint64_t> Models[2];
  for (unsigned Round = 0; Round != 20; ++Round) {
    for (unsigned Step = 0; Step != 50; ++Step) {
      unsigned Which = Random() % 2;
      // Dense, over a few chunks, or far apart.
      uint64_t Spread = uint64_t(1) << (8 + Random() % 40);
      uint64_t Address = Base + Random() % Spread, Bytes = Random() % 513;
      Sets[Which].add(Address, Bytes);
      for (uint64_t I = 0; I != Bytes; ++I)
        Models[Which].insert(Address + I);
    }
    if (Round % 5 == 3) {
      Sets[0].merge(Sets[1]);
      Models[0].insert(Models[1].begin(), Models[1].end());
    }
    if (Round % 5 == 4) {
      Sets[1].clear();
      Models[1].clear();
    }
    for (unsigned Which : {0, 1}) {
      ASSERT_EQ(Sets[Which].count(), Models[Which].size());
      for (uint64_t Address : Models[Which])
        ASSERT_TRUE(Sets[Which].contains(Address));
    }
  }
  ByteSet Moved = std::move(Sets[0]);
  EXPECT_EQ(Moved.count(), Models[0].size());
  Sets[0] = ByteSet();
  Sets[0].add(Base, 3);
  EXPECT_EQ(Sets[0].count(), 3u);
  EXPECT_EQ(Moved.count(), Models[0].size());
}

TEST(Footprint, CountsBlocksAndTheGrid) {
  Footprint F({Footprint::Reads, Footprint::Writes,
               Footprint::Reads | Footprint::Writes});
  F.add(0, Base, 100);
  F.add(1, Base + 50, 100);
  F.endBlocks();
  EXPECT_EQ(F.sumOfBlockBytes(), 150u);
  F.add(0, Base, 100); // as the first block
  F.add(2, Base + 1000, 4);
  F.add(2, Base + 1000, 4);
  F.endBlocks();
  F.endBlocks(); // one that touches nothing
  EXPECT_EQ(F.numBlocks(), 3u);
  EXPECT_EQ(F.sumOfBlockBytes(), 254u);
  EXPECT_EQ(F.instructionBytes(0), 100u);
  EXPECT_EQ(F.instructionBytes(1), 100u);
  EXPECT_EQ(F.instructionBytes(2), 4u);
  EXPECT_THAT(gridBytes(F), ElementsAre(154, 104, 104));
}

TEST(Footprint, MergesThreads) {
  const uint8_t Accesses[] = {Footprint::Reads, Footprint::Writes};
  std::mt19937 Random(11);
  Footprint All(Accesses), A(Accesses), B(Accesses), C(Accesses);
  for (unsigned Block = 0; Block != 60; ++Block) {
    Footprint &Mine = Block % 3 == 0 ? A : Block % 3 == 1 ? B : C;
    for (unsigned I = 0; I != 20; ++I) {
      uint64_t Address = Base + Random() % 20000;
      unsigned Instruction = Random() % 2;
      Mine.add(Instruction, Address, 16);
      All.add(Instruction, Address, 16);
    }
    Mine.endBlocks();
    All.endBlocks();
  }
  auto Facts = [](const Footprint &F) {
    std::vector<uint64_t> Result = gridBytes(F);
    for (uint64_t N : {F.numBlocks(), F.sumOfBlockBytes(),
                       F.instructionBytes(0), F.instructionBytes(1)})
      Result.push_back(N);
    return Result;
  };
  Footprint Forwards(Accesses), Backwards(Accesses);
  for (Footprint *F : {&A, &B, &C})
    Forwards.merge(*F);
  for (Footprint *F : {&C, &B, &A})
    Backwards.merge(*F);
  EXPECT_EQ(Facts(Forwards), Facts(All));
  EXPECT_EQ(Facts(Backwards), Facts(All));
}

TEST(Footprint, AddsWarps) {
  std::mt19937 Random(7);
  const uint8_t Accesses[] = {Footprint::Reads};
  for (unsigned Round = 0; Round != 3000; ++Round) {
    uint64_t Addresses[32];
    unsigned Bytes = 1U << Random() % 5, Pattern = Random() % 6;
    for (unsigned I = 0; I != 32; ++I)
      Addresses[I] = Base + 4000 +
                     (Pattern == 0   ? I * Bytes        // contiguous
                      : Pattern == 1 ? 0                // one
                      : Pattern == 2 ? (31 - I) * Bytes // backwards
                      : Pattern == 3 ? I % 16 * Bytes + I / 16 * 10000
                      : Pattern == 4 ? I * 8192
                                     : Random() % 300);
    uint32_t Lanes = Random() % 3 ? ~0u : uint32_t(Random());
    std::set<uint64_t> Model;
    for (unsigned I = 0; I != 32; ++I)
      if (Lanes >> I & 1)
        for (unsigned J = 0; J != Bytes; ++J)
          Model.insert(Addresses[I] + J);
    Footprint F(Accesses);
    F.addWarp(0, Addresses, Lanes, Bytes);
    F.endBlocks();
    ASSERT_EQ(F.instructionBytes(0), Model.size()) << Pattern;
    ASSERT_EQ(F.sumOfBlockBytes(), Model.size()) << Pattern;
  }
  Footprint F(Accesses);
  uint64_t Addresses[32] = {};
  F.addWarp(0, Addresses, 0, 4);
  F.endBlocks();
  EXPECT_EQ(F.sumOfBlockBytes(), 0u) << "no lane";
}

//===- DeviceMemoryTest.cpp - The address space of an emulated GPU --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Emulator/Memory/DeviceMemory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using testing::HasSubstr;

static uint64_t allocate(DeviceMemory &M, StringRef Name, uint64_t Bytes,
                         uint64_t Align = 256, bool ReadOnly = false) {
  Expected<uint64_t> Address = M.allocate(Name, Bytes, Align, ReadOnly);
  if (Address)
    return *Address;
  ADD_FAILURE() << toString(Address.takeError());
  return 0;
}

TEST(DeviceMemory, PlacesByAlignment) {
  DeviceMemory M;
  EXPECT_EQ(allocate(M, "a", 1), DeviceMemory::Base);
  // The first multiple of 256 that leaves the gap.
  EXPECT_EQ(allocate(M, "b", 100), DeviceMemory::Base + 768);
  for (uint64_t Align = 1; Align < 256; Align *= 2)
    EXPECT_EQ(allocate(M, "c", 1000, Align) % 256, Align);
  for (uint64_t Align = 256; Align <= uint64_t(1) << 30; Align *= 2)
    EXPECT_EQ(allocate(M, "d", 1000, Align) % Align, 0u);
  for (size_t I = 1; I != M.regions().size(); ++I)
    EXPECT_GE(M.regions()[I].Begin, M.regions()[I - 1].End + DeviceMemory::Gap);
  // An aligned device access is an aligned host access.
  for (const DeviceMemory::Region &R : M.regions())
    EXPECT_EQ(reinterpret_cast<uintptr_t>(R.Host) % 4096, R.Begin % 4096);
}

TEST(DeviceMemory, FindsRegionsByTheirBounds) {
  DeviceMemory M;
  EXPECT_EQ(M.find(DeviceMemory::Base), nullptr);
  for (unsigned N = 0; N != 9; ++N) {
    allocate(M, "r" + std::to_string(N), 1 + N * 100, 4, N % 2);
    for (const DeviceMemory::Region &R : M.regions()) {
      EXPECT_EQ(M.find(R.Begin), &R);
      EXPECT_EQ(M.find(R.End - 1), &R);
      EXPECT_EQ(M.find(R.Begin - 1), nullptr);
      EXPECT_EQ(M.find(R.End), nullptr);
    }
  }
  EXPECT_EQ(M.find(0), nullptr);
  EXPECT_EQ(M.find(~uint64_t(0)), nullptr);
  const DeviceMemory::Region &R = M.regions()[3];
  EXPECT_EQ(R.Name, "r3");
  EXPECT_TRUE(R.ReadOnly);
  EXPECT_FALSE(M.regions()[4].ReadOnly);
  EXPECT_EQ(R.End - R.Begin, 301u);
  EXPECT_TRUE(R.holds(R.Begin, 301));
  EXPECT_FALSE(R.holds(R.Begin, 302));
  EXPECT_TRUE(R.holds(R.End - 1, 1));
  EXPECT_FALSE(R.holds(R.End - 1, 2));
  EXPECT_FALSE(R.holds(R.Begin - 1, 1));
  EXPECT_FALSE(R.holds(R.Begin, ~uint64_t(0)));
  EXPECT_EQ(R.at(R.Begin + 7), R.Host + 7);
}

TEST(DeviceMemory, HasZeroes) {
  DeviceMemory M;
  uint64_t A = allocate(M, "a", 100000), B = allocate(M, "b", 100000, 2);
  for (uint64_t Begin : {A, B}) {
    const DeviceMemory::Region *R = M.find(Begin);
    EXPECT_EQ(std::count(R->Host, R->Host + 100000, 0), 100000);
    std::fill(R->Host, R->Host + 100000, 0xff); // the whole extent is there
  }
}

TEST(DeviceMemory, ProvidesLargeMemoryWhenTouched) {
  // More than any machine that runs this would commit in a moment.
  DeviceMemory M;
  uint64_t Bytes = DeviceMemory::defaultLimit() / 2;
  uint64_t A = allocate(M, "large", Bytes);
  const DeviceMemory::Region *R = M.find(A + Bytes - 1);
  ASSERT_NE(R, nullptr);
  *R->at(A + Bytes - 1) = 1;
  EXPECT_EQ(*R->at(A), 0);
  EXPECT_EQ(M.allocatedBytes(), Bytes);
}

TEST(DeviceMemory, KeepsTheLimit) {
  DeviceMemory M(1000);
  allocate(M, "a", 600);
  EXPECT_EQ(toString(M.allocate("b", 401, 256).takeError()),
            "'b' takes 401 bytes, but only 400 of 1000 are left for the "
            "emulated memory");
  EXPECT_EQ(toString(M.allocate("c", ~uint64_t(0), 256).takeError()),
            "'c' takes 18446744073709551615 bytes, but only 400 of 1000 are "
            "left for the emulated memory");
  EXPECT_EQ(toString(M.allocate("d", 1, uint64_t(1) << 60).takeError()),
            "'d' cannot be aligned to 1152921504606846976 bytes: addresses "
            "have 56 bits");
  EXPECT_THAT(toString(M.allocateHeap(500)), HasSubstr("heap of malloc"));
  allocate(M, "e", 400);
  EXPECT_THAT(toString(M.allocate("f", 1, 256).takeError()),
              HasSubstr("only 0 of 1000"));

  DeviceMemory Huge(~uint64_t(0));
  EXPECT_EQ(
      toString(Huge.allocate("x", uint64_t(1) << 60, 256).takeError()),
      "'x' of 1152921504606846976 bytes has no place: addresses have 56 bits");
}

TEST(DeviceMemory, Describes) {
  DeviceMemory M;
  EXPECT_EQ(M.describe(DeviceMemory::Base, 4), "no buffer is near");
  uint64_t X = allocate(M, "x", 1 << 20), Y = allocate(M, "y", 4096);
  uint64_t End = Y + 4096;
  EXPECT_EQ(M.describe(End + 4, 4),
            "4 bytes past the end of buffer 'y' (4096 bytes)");
  EXPECT_EQ(M.describe(End + 1, 4),
            "1 byte past the end of buffer 'y' (4096 bytes)");
  EXPECT_EQ(M.describe(End, 4),
            "right past the end of buffer 'y' (4096 bytes)");
  EXPECT_EQ(M.describe(End - 3, 4), "byte 4093 of buffer 'y' (4096 bytes), of "
                                    "which only 3 bytes are left");
  EXPECT_EQ(M.describe(End - 1, 4), "byte 4095 of buffer 'y' (4096 bytes), of "
                                    "which only 1 byte is left");
  EXPECT_EQ(M.describe(Y + 8, 4), "byte 8 of buffer 'y' (4096 bytes)");
  EXPECT_EQ(M.describe(X - 12, 4), "12 bytes before buffer 'x' (1048576 "
                                   "bytes)");
  // Between two, the nearer one.
  EXPECT_EQ(M.describe(Y - 8, 8), "8 bytes before buffer 'y' (4096 bytes)");
  EXPECT_EQ(M.describe(X + (1 << 20) + 8, 8),
            "8 bytes past the end of buffer 'x' (1048576 bytes)");
  EXPECT_EQ(M.describe(0, 4), "null pointer");
  EXPECT_EQ(M.describe(16, 4), "null pointer + 16");
  EXPECT_EQ(M.describe(uint64_t(1) << 40, 4), "no buffer is near");
  EXPECT_EQ(M.describe(~uint64_t(0), 4), "no buffer is near");
  // A large buffer's surroundings are large.
  EXPECT_EQ(M.describe(X - (1 << 20), 4),
            "1048576 bytes before buffer 'x' (1048576 bytes)");
  EXPECT_EQ(M.describe(X - (1 << 20) - 1, 4), "no buffer is near");
}

TEST(DeviceMemory, DescribesTheHeap) {
  DeviceMemory M;
  EXPECT_FALSE(bool(M.allocateHeap(1 << 20)));
  uint64_t Heap = M.regions()[0].Begin;
  EXPECT_EQ(M.describe(Heap + 5, 4), "heap of malloc, far from every block");
  uint64_t A = M.mallocBlock(40), B = M.mallocBlock(40);
  EXPECT_EQ(M.describe(A + 44, 4),
            "4 bytes past the end of a block of 40 bytes from malloc");
  EXPECT_EQ(M.describe(B - 4, 4),
            "4 bytes before a block of 40 bytes from malloc");
  EXPECT_EQ(M.describe(A + 38, 4), "byte 38 of a block of 40 bytes from "
                                   "malloc, of which only 2 bytes are left");
  EXPECT_EQ(M.describe(A + (1 << 19), 4),
            "heap of malloc, far from every block");
  EXPECT_EQ(M.describe(Heap - 4, 4),
            "4 bytes before the heap of malloc (1048576 bytes)");
}

TEST(DeviceMemory, MallocFillsTheHeap) {
  DeviceMemory None;
  EXPECT_EQ(None.mallocBlock(16), 0u);
  EXPECT_FALSE(None.freeBlock(DeviceMemory::Base));

  DeviceMemory M;
  EXPECT_FALSE(bool(M.allocateHeap(1024)));
  EXPECT_TRUE(M.regions()[0].IsHeap);
  EXPECT_EQ(M.mallocBlock(0), 0u);
  EXPECT_EQ(M.mallocBlock(~uint64_t(0)), 0u);
  EXPECT_EQ(M.mallocBlock(1009), 0u);
  uint64_t All = M.mallocBlock(1008);
  EXPECT_NE(All, 0u);
  EXPECT_EQ(M.mallocBlock(1), 0u);
  EXPECT_TRUE(M.freeBlock(All));
  EXPECT_FALSE(M.freeBlock(All)) << "twice";
  EXPECT_TRUE(M.freeBlock(0));

  uint64_t A = M.mallocBlock(10), B = M.mallocBlock(20);
  EXPECT_FALSE(M.freeBlock(A + 1));
  EXPECT_FALSE(M.findBlock(A - 1));
  ASSERT_TRUE(M.findBlock(A));
  EXPECT_EQ(M.findBlock(A)->Begin, A);
  EXPECT_EQ(M.findBlock(A + 9)->End, A + 10);
  EXPECT_FALSE(M.findBlock(A + 10)) << "the rounding belongs to nobody";
  EXPECT_TRUE(M.freeBlock(A));
  EXPECT_FALSE(M.findBlock(A)) << "freed";
  EXPECT_TRUE(M.findBlock(B));
  EXPECT_EQ(M.mallocBlock(16), A) << "the smallest hole that fits";
}

TEST(DeviceMemory, MallocAgainstAModel) {
  constexpr uint64_t HeapBytes = 1 << 14;
  DeviceMemory M;
  EXPECT_FALSE(bool(M.allocateHeap(HeapBytes)));
  const DeviceMemory::Region Heap = M.regions()[0];
  std::mt19937 Random(1);
  std::map<uint64_t, uint64_t> Blocks; // begin to end
  unsigned NumFull = 0;
  for (unsigned Step = 0; Step != 20000; ++Step) {
    if (Random() % 2) {
      uint64_t Bytes = 1 + Random() % 700;
      uint64_t A = M.mallocBlock(Bytes);
      if (!A) {
        ++NumFull;
        // Without a hole that takes it: holes between what blocks take.
        uint64_t Last = Heap.Begin, Largest = 0;
        for (auto [Begin, End] : Blocks) {
          Largest = std::max(Largest, Begin - Last);
          Last = End + (-End & 15) + 16;
        }
        Largest = std::max(Largest, Heap.End - Last);
        ASSERT_LT(Largest, Bytes + (-Bytes & 15) + 16);
        continue;
      }
      ASSERT_EQ(A % 16, 0u);
      ASSERT_TRUE(Heap.holds(A, Bytes));
      auto Behind = Blocks.lower_bound(A);
      if (Behind != Blocks.end()) {
        ASSERT_LE(A + Bytes + 16, Behind->first);
      }
      if (Behind != Blocks.begin()) {
        ASSERT_LE(std::prev(Behind)->second + 16, A);
      }
      Blocks.emplace(A, A + Bytes);
    } else if (!Blocks.empty()) {
      auto It = Blocks.lower_bound(Heap.Begin + Random() % HeapBytes);
      if (It == Blocks.end())
        --It;
      ASSERT_TRUE(M.freeBlock(It->first));
      Blocks.erase(It);
    }
  }
  EXPECT_GT(NumFull, 100u) << "the heap was never full";
  for (auto [Begin, End] : Blocks)
    EXPECT_TRUE(M.freeBlock(Begin));
  EXPECT_NE(M.mallocBlock(HeapBytes - 16), 0u) << "holes did not join";
}

TEST(DeviceMemory, MallocInThreads) {
  DeviceMemory M;
  EXPECT_FALSE(bool(M.allocateHeap(1 << 18)));
  constexpr unsigned NumThreads = 4;
  unsigned NumWrong[NumThreads] = {};
  std::atomic<unsigned> NumReady = 0; // all at once
  std::vector<std::thread> Threads;
  for (unsigned T = 0; T != NumThreads; ++T)
    Threads.emplace_back([&, T] {
      ++NumReady;
      while (NumReady != NumThreads)
        std::this_thread::yield();
      std::mt19937 Random(T);
      std::vector<std::pair<uint64_t, unsigned>> Mine;
      auto Drop = [&](size_t I) {
        auto [A, Bytes] = Mine[I];
        // Nobody else wrote there, and it is still mine.
        uint8_t *Host = M.find(A)->at(A);
        NumWrong[T] += std::count(Host, Host + Bytes, uint8_t(T)) != Bytes;
        NumWrong[T] += !M.findBlock(A) || M.findBlock(A)->End != A + Bytes;
        NumWrong[T] += !M.freeBlock(A);
        Mine[I] = Mine.back();
        Mine.pop_back();
      };
      for (unsigned Step = 0; Step != 3000; ++Step) {
        unsigned Bytes = 1 + Random() % 200;
        if (Mine.size() > 50)
          Drop(Random() % Mine.size());
        uint64_t A = M.mallocBlock(Bytes);
        NumWrong[T] += !A;
        if (!A)
          continue;
        uint8_t *Host = M.find(A)->at(A);
        std::fill(Host, Host + Bytes, uint8_t(T));
        Mine.emplace_back(A, Bytes);
      }
      while (!Mine.empty())
        Drop(0);
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_THAT(NumWrong, testing::Each(0u));
  EXPECT_NE(M.mallocBlock((1 << 18) - 16), 0u) << "something was lost";
}

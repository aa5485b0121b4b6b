//===- BottleneckTest.cpp - The equations of our own model ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Bottleneck.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <set>

using namespace ptxpredict;

using Resource = BottleneckResource;

namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();

const std::set<Resource> OfGPU = {Resource::L2, Resource::DRAM,
                                  Resource::Atomic, Resource::Dispatch,
                                  Resource::Chain};

/// 80 blocks of 4 warps on 10 SMs at 1 GHz, all resident, that ask for nothing.
BottleneckInputs idle() {
  BottleneckInputs In;
  In.Blocks = 80;
  In.WarpsPerBlock = 4;
  In.ActiveSMs = 10;
  In.ResidentBlocks = 8;
  In.Freq = 1;
  In.Exponent = 5;
  In.MemoryExponent = 3;
  In.StartUs = 1.5;
  In.Rate.of(Resource::Latency) = 1;
  return In;
}

template <typename Function>
void forAllResources(Function F) {
  for (unsigned I = 0; I != NumBottleneckResources; ++I)
    F(Resource(I));
}

BottleneckInputs randomInputs(std::mt19937 &Random) {
  std::uniform_real_distribution<double> Part(0, 1);
  BottleneckInputs In = idle();
  In.Blocks = std::floor(1 + 3000 * Part(Random) * Part(Random));
  In.WarpsPerBlock = std::floor(1 + 31 * Part(Random));
  In.ActiveSMs = std::min(In.Blocks, std::floor(1 + 100 * Part(Random)));
  In.ResidentBlocks = std::floor(1 + 31 * Part(Random));
  In.Freq = 0.2 + 2 * Part(Random);
  In.Exponent = 1 + 9 * Part(Random);
  In.MemoryExponent = 1 + 9 * Part(Random);
  forAllResources([&](Resource R) {
    if (Part(Random) < 0.3)
      return;
    In.Demand.of(R) = 1000 * Part(Random);
    In.Rate.of(R) = 0.01 + 10 * Part(Random);
  });
  In.Rate.of(Resource::Latency) = 1;
  In.MemoryPath = In.Demand.of(Resource::Latency) * Part(Random);
  return In;
}

double sumOf(const ByResource<double> &Values) {
  return std::accumulate(Values.begin(), Values.end(), 0.0);
}

ByResource<double> sharesOf(const BottleneckResult &R,
                            const BottleneckInputs &In) {
  const BottleneckShares Of(R, In);
  ByResource<double> Shares;
  forAllResources([&](Resource Which) { Shares.of(Which) = Of.of(Which); });
  return Shares;
}

TEST(Bottleneck, NothingAskedIsTheStartAlone) {
  BottleneckResult R = evaluateBottleneck(idle());
  EXPECT_EQ(R.Cycles, 0);
  EXPECT_EQ(R.TimeUs, 1.5);
  EXPECT_EQ(sumOf(sharesOf(R, idle())), 0);
}

// An SM has 8 blocks of 4 warps, the GPU 80.
TEST(Bottleneck, OneResourceTakesItsOwnTime) {
  forAllResources([](Resource R) {
    SCOPED_TRACE(toString(R).str());
    BottleneckInputs In = idle();
    In.Demand.of(R) = 1000;
    In.Rate.of(R) = R == Resource::Latency ? 1 : 2;
    const double Expected = R == Resource::Latency ? 1000
                            : OfGPU.count(R)       ? 320 * 1000 / 2
                                                   : 32 * 1000 / 2;
    BottleneckResult Got = evaluateBottleneck(In);
    EXPECT_DOUBLE_EQ(Got.Times.of(R), Expected);
    EXPECT_DOUBLE_EQ(Got.Cycles, Expected);
    EXPECT_DOUBLE_EQ(Got.TimeUs, Expected / 1000 + 1.5);
    EXPECT_DOUBLE_EQ(BottleneckShares(Got, In).of(R), 1);
    // The clock turns cycles into time.
    In.Freq = 2;
    EXPECT_DOUBLE_EQ(evaluateBottleneck(In).TimeUs, Expected / 2000 + 1.5);
  });
}

TEST(Bottleneck, WhatHasNoRateIsNotWaitedFor) {
  forAllResources([](Resource R) {
    for (double Rate : {0.0, Infinity, std::nan("")}) {
      BottleneckInputs In = idle();
      In.Demand.of(R) = 1000;
      In.Rate.of(R) = Rate;
      EXPECT_EQ(evaluateBottleneck(In).Cycles, 0);
    }
  });
}

// Exponents by hand: 2 of resources, 1 (a sum) of memory and latency.
TEST(Bottleneck, JoinsMemoryAndLatencyFirst) {
  BottleneckInputs In = idle();
  In.Exponent = 2;
  In.MemoryExponent = 1;
  In.Demand.of(Resource::DRAM) = 300 / 320.0; // 300 cycles
  In.Rate.of(Resource::DRAM) = 1;
  In.Demand.of(Resource::L2ToSM) = 400 / 32.0; // 400 cycles
  In.Rate.of(Resource::L2ToSM) = 1;
  In.Demand.of(Resource::Latency) = 700;
  In.Demand.of(Resource::Issue) = 1600 / 32.0; // 1600 cycles
  In.Rate.of(Resource::Issue) = 1;
  BottleneckResult R = evaluateBottleneck(In);
  EXPECT_NEAR(R.BandwidthCycles, 500, 1e-9);
  EXPECT_NEAR(R.MemoryCycles, 1200, 1e-9);
  EXPECT_NEAR(R.Cycles, 2000, 1e-9);
  ByResource<double> Shares = sharesOf(R, In);
  EXPECT_NEAR(Shares.of(Resource::Issue), 0.64, 1e-12);
  EXPECT_NEAR(Shares.of(Resource::Latency), 0.36 * 700 / 1200, 1e-12);
  EXPECT_NEAR(Shares.of(Resource::DRAM), 0.36 * 500 / 1200 * 0.36, 1e-12);
  EXPECT_NEAR(Shares.of(Resource::L2ToSM), 0.36 * 500 / 1200 * 0.64, 1e-12);
}

TEST(Bottleneck, LiesBetweenTheLargestAndTheSum) {
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round != 2000; ++Round) {
    BottleneckInputs In = randomInputs(Random);
    BottleneckResult R = evaluateBottleneck(In);
    const double Most = *std::max_element(R.Times.begin(), R.Times.end());
    EXPECT_GE(R.Cycles, Most * (1 - 1e-12));
    EXPECT_LE(R.Cycles, sumOf(R.Times) * (1 + 1e-12));
    ByResource<double> Shares = sharesOf(R, In);
    if (R.Cycles > 0) {
      EXPECT_NEAR(sumOf(Shares), 1, 1e-9);
    }
    for (double Share : Shares) {
      EXPECT_GE(Share, 0);
      EXPECT_LE(Share, 1 + 1e-12);
    }
    // Larger exponents come nearer to the largest.
    BottleneckInputs Harder = In;
    Harder.Exponent += 1;
    Harder.MemoryExponent += 1;
    EXPECT_LE(evaluateBottleneck(Harder).Cycles, R.Cycles * (1 + 1e-9));
  }
}

TEST(Bottleneck, GrowsWithDemandsAndFallsWithRates) {
  std::mt19937 Random(2);
  for (unsigned Round = 0; Round != 200; ++Round) {
    const BottleneckInputs In = randomInputs(Random);
    const BottleneckResult Before = evaluateBottleneck(In);
    forAllResources([&](Resource R) {
      SCOPED_TRACE(toString(R).str());
      BottleneckInputs More = In;
      More.Demand.of(R) += 100;
      EXPECT_GE(evaluateBottleneck(More).TimeUs, Before.TimeUs * (1 - 1e-12));
      if (!(In.Rate.of(R) > 0))
        return;
      BottleneckInputs Faster = In;
      Faster.Rate.of(R) *= 1.5;
      EXPECT_LE(evaluateBottleneck(Faster).TimeUs, Before.TimeUs * (1 + 1e-12));
    });
    BottleneckInputs Faster = In;
    Faster.Freq *= 1.5;
    EXPECT_LE(evaluateBottleneck(Faster).TimeUs, Before.TimeUs);
    EXPECT_EQ(evaluateBottleneck(Faster).Cycles, Before.Cycles);
    BottleneckInputs Later = In;
    Later.StartUs += 1;
    EXPECT_NEAR(evaluateBottleneck(Later).TimeUs, Before.TimeUs + 1,
                1e-9 * Before.TimeUs);
  }
}

// 10 SMs: the busiest one has a whole number of blocks while they are few, and
// the mean one's when there are many rounds of them.
TEST(Bottleneck, BlocksOfTheBusiestSM) {
  auto BusyOf = [](double Blocks, double Resident) {
    BottleneckInputs In = idle();
    In.Blocks = Blocks;
    In.ActiveSMs = std::min(10.0, Blocks);
    In.ResidentBlocks = Resident;
    return evaluateBottleneck(In).BusyBlocks;
  };
  EXPECT_EQ(BusyOf(1, 8), 1);
  EXPECT_EQ(BusyOf(10, 8), 1);
  EXPECT_EQ(BusyOf(11, 8), 2);
  EXPECT_EQ(BusyOf(72, 8), 8);
  EXPECT_EQ(BusyOf(80, 8), 8);
  // 100.1 blocks, 12.5125 rounds.
  EXPECT_NEAR(BusyOf(1001, 8), 100.1 + 0.9 / (12 * 12), 1e-9);
  EXPECT_NEAR(BusyOf(100001, 8), 10000.1, 1e-5);
}

TEST(Bottleneck, RoundsOfTheCriticalPath) {
  auto RoundsAt = [](double Blocks, double Resident = 8) {
    BottleneckInputs In = idle();
    In.Blocks = Blocks;
    In.ActiveSMs = std::min(10.0, Blocks);
    In.ResidentBlocks = Resident;
    In.Demand.of(Resource::Latency) = 100;
    BottleneckResult R = evaluateBottleneck(In);
    EXPECT_DOUBLE_EQ(R.Times.of(Resource::Latency), 100 * R.Rounds);
    return R.Rounds;
  };
  EXPECT_EQ(RoundsAt(1), 1);  // however few
  EXPECT_EQ(RoundsAt(40), 1); // half of what fits
  EXPECT_EQ(RoundsAt(80), 1);
  EXPECT_EQ(RoundsAt(160), 2);
  EXPECT_EQ(RoundsAt(30, 1), 3);
  // Part of a round waits as a whole one at first, as its part later.
  EXPECT_EQ(RoundsAt(120), 2);
  EXPECT_NEAR(RoundsAt(200), 2.5 + 0.5 / (2 * 2), 1e-9);
  // More blocks never wait for less.
  for (unsigned Blocks = 1; Blocks != 1000; ++Blocks)
    EXPECT_GE(RoundsAt(Blocks + 1), RoundsAt(Blocks)) << Blocks;
  const double Many = RoundsAt(80 * 1000 + 40);
  EXPECT_GT(Many, 1000.5);
  EXPECT_LT(Many, 1000.5001);
  // Warps that a sweep sets need not be whole blocks.
  EXPECT_NEAR(RoundsAt(80, 2.5), 8 / 2.5 + 0.8 / (3 * 3), 1e-9);
  EXPECT_EQ(RoundsAt(80, 0.5), 8); // a block at least
}

// The schedulers issue nothing while warps meet at a barrier.
TEST(Bottleneck, BarriersAddToIssue) {
  BottleneckInputs In = idle();
  In.Exponent = 2;
  In.Demand.of(Resource::Issue) = 300 / 32.0;
  In.Rate.of(Resource::Issue) = 1;
  In.Demand.of(Resource::Barrier) = 50 / 32.0;
  In.Rate.of(Resource::Barrier) = 0.5; // 100 cycles
  In.Demand.of(Resource::FP32) = 300 / 32.0;
  In.Rate.of(Resource::FP32) = 1;
  BottleneckResult R = evaluateBottleneck(In);
  EXPECT_NEAR(R.Times.of(Resource::Issue), 300, 1e-9);
  EXPECT_NEAR(R.Times.of(Resource::Barrier), 100, 1e-9);
  EXPECT_NEAR(R.Cycles, 500, 1e-9);
  ByResource<double> Shares = sharesOf(R, In);
  EXPECT_NEAR(Shares.of(Resource::Issue), 0.64 * 0.75, 1e-12);
  EXPECT_NEAR(Shares.of(Resource::Barrier), 0.64 * 0.25, 1e-12);
  EXPECT_NEAR(Shares.of(Resource::FP32), 0.36, 1e-12);
}

// Where warps meet, what the SM's busiest resource takes for the others of a
// block adds to what each waits for.
TEST(Bottleneck, WarpsWaitForEachOtherAtBarriers) {
  BottleneckInputs In = idle(); // one round of 8 blocks of 4 warps
  In.Demand.of(Resource::Latency) = 1000;
  In.Demand.of(Resource::Issue) = 20;
  In.Rate.of(Resource::Issue) = 1;
  In.Demand.of(Resource::Shared) = 50;
  In.Rate.of(Resource::Shared) = 0.5;
  In.Demand.of(Resource::DRAM) = 1e6; // which all SMs share
  In.Rate.of(Resource::DRAM) = 1;
  EXPECT_EQ(evaluateBottleneck(In).MeetingCycles, 0);
  EXPECT_EQ(evaluateBottleneck(In).Times.of(Resource::Latency), 1000);
  In.Demand.of(Resource::Barrier) = 10;
  In.Rate.of(Resource::Barrier) = 1;
  EXPECT_DOUBLE_EQ(evaluateBottleneck(In).MeetingCycles, 300);
  EXPECT_DOUBLE_EQ(evaluateBottleneck(In).Times.of(Resource::Latency), 1300);
  In.ResidentBlocks = 2; // 4 rounds
  EXPECT_DOUBLE_EQ(evaluateBottleneck(In).Times.of(Resource::Latency), 5200);
  In.Rate.of(Resource::Barrier) = 0.1; // 100 cycles beside 20 to issue
  EXPECT_DOUBLE_EQ(evaluateBottleneck(In).MeetingCycles, 360);
  // Copies come in the background: 480 cycles of all fit into what a warp
  // waits for but loads.
  In.Copied = 1;
  EXPECT_EQ(evaluateBottleneck(In).MeetingCycles, 0);
  In.MemoryPath = 700;
  EXPECT_DOUBLE_EQ(evaluateBottleneck(In).MeetingCycles, 180);
  In.MemoryPath = 1000;
  EXPECT_DOUBLE_EQ(evaluateBottleneck(In).MeetingCycles, 360);
  In.MemoryPath = 700;
  In.Copied = 0.5;
  EXPECT_DOUBLE_EQ(evaluateBottleneck(In).MeetingCycles, 270);
  In.Copied = 0;
  In.HasMeetings = false;
  EXPECT_EQ(evaluateBottleneck(In).Times.of(Resource::Latency), 4000);
  In.HasMeetings = true;
  In.WarpsPerBlock = 1; // nobody else
  EXPECT_EQ(evaluateBottleneck(In).MeetingCycles, 0);
}

// Buffers that bulk copies fill in turn go round in a copy's latency and what
// is done with what they hold.
TEST(Bottleneck, BlocksWaitForBulkCopiesAsFarAsTheyHaveBuffers) {
  BottleneckInputs In = idle(); // one round of 8 blocks of 4 warps
  In.Demand.of(Resource::Latency) = 1000;
  In.CopySteps = 10;
  In.CopyStages = 1;
  In.CopyLatency = 500;
  // One buffer: a copy, then what is done with it, and so on.
  BottleneckResult R = evaluateBottleneck(In);
  EXPECT_DOUBLE_EQ(R.CopyWait, 5000);
  EXPECT_DOUBLE_EQ(R.Times.of(Resource::Latency), 6000);
  In.CopyStages = 2;
  R = evaluateBottleneck(In);
  EXPECT_DOUBLE_EQ(R.CopyWait, 500 + (9 * 500 + 1000) / 2. - 1000);
  // With buffers enough only the first copy is waited for.
  In.CopyStages = 8;
  R = evaluateBottleneck(In);
  EXPECT_DOUBLE_EQ(R.CopyWait, 500);
  EXPECT_DOUBLE_EQ(R.Times.of(Resource::Latency), 1500);
  // What the SM does for all warps of the block keeps the only buffer, too.
  In.CopyStages = 1;
  In.Demand.of(Resource::Tensor) = 500;
  In.Rate.of(Resource::Tensor) = 1;
  R = evaluateBottleneck(In);
  EXPECT_DOUBLE_EQ(R.Times.of(Resource::Latency), 5000 + 4 * 500);
  // It adds in every round of blocks.
  In.ResidentBlocks = 2;
  EXPECT_DOUBLE_EQ(evaluateBottleneck(In).Times.of(Resource::Latency),
                   4 * (5000 + 4 * 500));
  In.Demand.of(Resource::Latency) = 0; // left out
  EXPECT_EQ(evaluateBottleneck(In).CopyWait, 0);
}

TEST(Bottleneck, HasNumbersForInfinitiesAndZeros) {
  std::mt19937 Random(3);
  std::uniform_real_distribution<double> Part(0, 1);
  for (unsigned Round = 0; Round != 2000; ++Round) {
    BottleneckInputs In = randomInputs(Random);
    bool Unbounded = false;
    forAllResources([&](Resource R) {
      const double Which = Part(Random);
      if (Which < 0.1)
        In.Demand.of(R) = Infinity;
      else if (Which < 0.2)
        In.Demand.of(R) = 0;
      else if (Which < 0.3)
        In.Rate.of(R) = Which < 0.25 ? 0 : Infinity;
      Unbounded |= std::isinf(In.Demand.of(R)) && In.Rate.of(R) > 0 &&
                   std::isfinite(In.Rate.of(R));
    });
    BottleneckResult R = evaluateBottleneck(In);
    EXPECT_EQ(std::isinf(R.Cycles), Unbounded);
    EXPECT_FALSE(std::isnan(R.Cycles) || std::isnan(R.TimeUs) ||
                 std::isnan(R.MemoryCycles));
    for (double Share : sharesOf(R, In))
      EXPECT_TRUE(std::isfinite(Share));
  }
  // Times beyond what their powers could hold.
  BottleneckInputs In = idle();
  In.Exponent = 100;
  In.Demand.of(Resource::Issue) = In.Demand.of(Resource::FP32) = 1e200;
  In.Rate.of(Resource::Issue) = In.Rate.of(Resource::FP32) = 1;
  EXPECT_DOUBLE_EQ(evaluateBottleneck(In).Cycles,
                   32e200 * std::pow(2, 1 / 100.0));
}

/// One of 25 blocks does \p Times what each of the others does.
BottleneckInputs unequal(double Times) {
  BottleneckInputs In = idle();
  In.Blocks = 25;
  In.ActiveSMs = 25;
  In.HeaviestBlocks = 1;
  for (Resource R : {Resource::Issue, Resource::Shared, Resource::Latency}) {
    In.Rate.of(R) = 1;
    In.Demand.of(R) = 100 * (24 + Times) / 25;
    In.HeaviestDemand.of(R) = 100 * Times;
  }
  return In;
}

TEST(Bottleneck, TheHeaviestBlockIsWaitedFor) {
  BottleneckInputs Alone = unequal(50);
  Alone.Demand = Alone.HeaviestDemand;
  Alone.HeaviestBlocks = 0;
  Alone.Blocks = Alone.ActiveSMs = 1;
  for (double Before : {0, 24}) {
    BottleneckInputs In = unequal(50);
    In.HeaviestBefore = Before;
    const BottleneckResult R = evaluateBottleneck(In);
    EXPECT_TRUE(R.WaitsForHeaviest);
    EXPECT_NEAR(R.Cycles, evaluateBottleneck(Alone).Cycles, 1e-9 * R.Cycles);
  }
}

TEST(Bottleneck, EqualBlocksHaveNoHeaviest) {
  BottleneckInputs In = unequal(1), None = In;
  None.HeaviestBlocks = 0;
  const BottleneckResult R = evaluateBottleneck(In);
  EXPECT_FALSE(R.WaitsForHeaviest);
  EXPECT_DOUBLE_EQ(R.Cycles, evaluateBottleneck(None).Cycles);
}

TEST(Bottleneck, AHeavyBlockThatStartsLastIsATail) {
  BottleneckInputs In = unequal(10);
  In.Blocks = 2000; // four rounds of those that reside
  In.ResidentBlocks = 20;
  for (Resource R : {Resource::Issue, Resource::Shared, Resource::Latency})
    In.Demand.of(R) = 100 * (1999 + 10.0) / 2000;
  In.HeaviestBefore = 0;
  const BottleneckResult First = evaluateBottleneck(In);
  In.HeaviestBefore = 1999;
  const BottleneckResult Last = evaluateBottleneck(In);
  EXPECT_EQ(First.HeaviestStart, 0);
  EXPECT_DOUBLE_EQ(Last.HeaviestStart, 0.75);
  EXPECT_FALSE(First.WaitsForHeaviest);
  // Three quarters of the blocks, none of them heavy, then 19 of them beside
  // the heavy one.
  const double Issue = Last.Times.of(Resource::Issue);
  const double Light = 100 / In.Demand.of(Resource::Issue);
  EXPECT_NEAR(Issue, 0.75 * Light * First.Times.of(Resource::Issue) + 4 * 2900,
              1e-6);
  EXPECT_GT(Last.Cycles, First.Cycles);
}

TEST(Bottleneck, HeaviestBlocksOnlyTakeLonger) {
  std::mt19937 Random(7);
  std::uniform_real_distribution<double> Part(0, 1);
  for (int N = 0; N != 2000; ++N) {
    BottleneckInputs In = randomInputs(Random);
    const double Without = evaluateBottleneck(In).Cycles;
    In.HeaviestBlocks = std::floor(1 + (In.Blocks - 1) * Part(Random));
    In.HeaviestBefore = std::floor(In.Blocks * Part(Random) * 0.999);
    forAllResources([&](Resource R) {
      In.HeaviestDemand.of(R) = In.Demand.of(R) * (1 + 5 * Part(Random));
    });
    EXPECT_GE(evaluateBottleneck(In).Cycles, Without * (1 - 1e-12));
  }
}

} // namespace

//===- CountedTest.cpp - Counted numbers in the place of estimates --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Counted.h"
#include "TestDevices.h"
#include "ptxpredict/Model/MachineWork.h"
#include "ptxpredict/Model/MemoryTraffic.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

KernelCounters
counters(std::initializer_list<std::pair<Counter, double>> Numbers) {
  KernelCounters Result;
  Result.Launches = 1;
  for (auto [C, Number] : Numbers) {
    CounterValue &V = Result.add(C);
    V.Value = Number;
    V.Name = findCounterName(infoOf(C).Name);
    V.Launches = 1;
  }
  return Result;
}

constexpr double Estimate::*AllEnds[] = {&Estimate::Low, &Estimate::Value,
                                         &Estimate::High};

} // namespace

TEST(Counted, EveryEndOfAnEstimateIsWhatWasCounted) {
  const Device D = toyDevice();
  KernelCharacteristics K = countedKernel();
  K.Counted = findCorrections(K, D,
                              counters({{Counter::L2ReadSectors, 3000},
                                        {Counter::L2WriteSectors, 0},
                                        {Counter::DRAMReadSectors, 600},
                                        {Counter::DRAMWriteSectors, 0},
                                        {Counter::WarpInstructions, 900}}));
  const KernelOnDevice On(K, D, Estimate::known(16));
  for (double Estimate::*Which : AllEnds) {
    const MemoryTraffic T = findMemoryTraffic(On, Which);
    EXPECT_DOUBLE_EQ(T.L2ReadSectors, 150);
    EXPECT_DOUBLE_EQ(T.DRAMSectors, 30);
    EXPECT_DOUBLE_EQ(T.L2HitRate, .8);
    EXPECT_DOUBLE_EQ(machineWork(K, D.ComputeCapability, Which).instructions(),
                     45);
  }
  // Nobody counted these.
  EXPECT_EQ(findMemoryTraffic(On).LoadSectors, 50);
  EXPECT_EQ(K.Counted->Missing,
            std::vector<Counter>{Counter::GlobalLoadSectors});
}

TEST(Counted, AChangeOfTheKernelKeepsTheRatio) {
  const Device D = toyDevice();
  KernelCharacteristics K = countedKernel();
  K.Counted = findCorrections(K, D, counters({{Counter::L2ReadSectors, 3000}}));
  K.Memory[0].Requests = Estimate::known(5);
  const KernelOnDevice On(K, D, Estimate::known(16));
  EXPECT_DOUBLE_EQ(findMemoryTraffic(On).L2ReadSectors, 75);
}

TEST(Counted, WhatHasNoBoundIsBounded) {
  const Device D = toyDevice();
  KernelCharacteristics K = countedKernel();
  K.Memory[0].Requests.High = std::numeric_limits<double>::infinity();
  K.Counted = findCorrections(K, D, counters({{Counter::L2ReadSectors, 3000}}));
  const KernelOnDevice On(K, D, Estimate::known(16));
  EXPECT_DOUBLE_EQ(findMemoryTraffic(On, &Estimate::High).L2ReadSectors, 150);
}

TEST(Counted, WithoutCountersNothingChanges) {
  const Device D = toyDevice();
  KernelCharacteristics K = countedKernel();
  const MemoryTraffic Before =
      findMemoryTraffic(KernelOnDevice(K, D, Estimate::known(16)));
  K.Counted = findCorrections(K, D, counters({{Counter::Time, 7}}));
  const KernelOnDevice On(K, D, Estimate::known(16));
  const MemoryTraffic After = findMemoryTraffic(On);
  EXPECT_EQ(Before.L2ReadSectors, After.L2ReadSectors);
  EXPECT_EQ(Before.DRAMSectors, After.DRAMSectors);
  EXPECT_EQ(Before.L2HitRate, After.L2HitRate);

  const CounterEstimates All = predictCounters(On, Prediction());
  EXPECT_EQ(All[size_t(Counter::Time)]->Value, 7);
  EXPECT_TRUE(All[size_t(Counter::Time)]->isKnown());
  EXPECT_EQ(All[size_t(Counter::GlobalLoadRequests)]->Value, 200);
  EXPECT_EQ(All[size_t(Counter::GlobalLoadSectors)]->High, 1600);
  EXPECT_FALSE(All[size_t(Counter::SharedLoadRequests)]);
}

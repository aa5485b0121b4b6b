//===- SpillsTest.cpp - What registers in memory cost a warp --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Spills.h"
#include "TestDevices.h"
#include "ptxpredict/Model/MachineWork.h"
#include "ptxpredict/Model/MemoryTraffic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// 50 instructions that run twice each: ten spill instructions of either kind
/// run twenty times.
KernelCharacteristics spilling() {
  KernelCharacteristics K;
  K.Launch.Grid = {1000, 1, 1};
  K.Launch.Block = {64, 1, 1};
  K.Instructions = Estimate::known(100);
  K.TotalInstructions = 50;
  K.Resources.SpillBytes = Estimate::known(40);
  K.Resources.SpillLoadBytes = Estimate::known(20);
  return K;
}

TEST(Spills, RunAsOftenAsTheMeanInstruction) {
  KernelCharacteristics K = spilling();
  EXPECT_DOUBLE_EQ(spillsOf(K).Stores, 20);
  EXPECT_DOUBLE_EQ(spillsOf(K).Loads, 10);
  MachineWork Work = machineWork(K, 80);
  EXPECT_DOUBLE_EQ(Work.of(MachinePipe::LocalStore), 20); // without any forms
  K.ByForm[unsigned(MachineForm::Add)] = Estimate::known(1);
  Work = machineWork(K, 80);
  EXPECT_DOUBLE_EQ(Work.of(MachinePipe::LocalStore), 20);
  EXPECT_DOUBLE_EQ(Work.of(MachinePipe::LocalLoad), 10);
  K.Resources.SpillBytes.reset();
  K.Resources.SpillLoadBytes.reset();
  EXPECT_FALSE(spillsOf(K));
}

TEST(Spills, HitWhereThereIsRoomForAllResidentThreads) {
  Device D = toyDevice();
  KernelCharacteristics K = spilling();
  const KernelOnDevice On(K, D, Estimate::known(16));
  const double OfSM = 40.0 * 64 * On.Occ.BlocksPerSM;
  set(D.SharedBytesPerSM, 1e6); // apart from L1
  set(D.L1Bytes, OfSM / 4);
  set(D.L2Bytes, OfSM * *D.NumSMs / 2);
  EXPECT_DOUBLE_EQ(findLocalHits(On, spilledBytes(K)).L1, 0.25);
  EXPECT_DOUBLE_EQ(findLocalHits(On, spilledBytes(K)).L2, 0.5);
  // 30 requests of 4 sectors; a quarter stays in L1, of the rest half in L2.
  const MemoryTraffic T = findMemoryTraffic(On);
  EXPECT_DOUBLE_EQ(T.L1Cycles, 30);
  EXPECT_DOUBLE_EQ(T.L2ReadSectors, 10 * 4 * 0.75);
  EXPECT_DOUBLE_EQ(T.L2WriteSectors, 20 * 4 * 0.75);
  EXPECT_DOUBLE_EQ(T.DRAMSectors, 30 * 4 * 0.75 * 0.5);
  // Places that are used again are one.
  K.Resources.LocalBytes = 10;
  EXPECT_DOUBLE_EQ(findLocalHits(On, spilledBytes(K)).L1, 1);
  const KernelOnDevice Small(K, D, Estimate::known(16));
  EXPECT_DOUBLE_EQ(findMemoryTraffic(Small).l2Sectors(), 0);
}

} // namespace

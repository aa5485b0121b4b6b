//===- RegisterEstimateTest.cpp - Registers that ptxas would use ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/RegisterEstimate.h"
#include "ptxpredict/Model/KernelOnDevice.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

class RegisterEstimateTest : public testing::Test {
protected:
  DeviceRegistry Registry;

  Estimate on(StringRef Device, const RegisterDemand &Demand) {
    return estimateRegisters(Demand, **Registry.find(Device));
  }
  static RegisterDemand demand(unsigned Packed, unsigned Hoisted) {
    RegisterDemand D;
    D.Packed = Packed, D.Hoisted = Hoisted;
    return D;
  }
};

} // namespace

TEST_F(RegisterEstimateTest, LoadsAreHoistedWhileRegistersAreFree) {
  EXPECT_EQ(on("a100-80gb", demand(10, 20)).Value, 27);
  // Up to where the SM is full: 65536 registers for 2048, 1536, 1024 threads.
  EXPECT_EQ(on("a100-80gb", demand(10, 60)).Value, 32);
  EXPECT_EQ(on("rtx-5090", demand(10, 60)).Value, 40);
  EXPECT_EQ(on("t4", demand(10, 60)).Value, 64);
}

TEST_F(RegisterEstimateTest, BeyondThatCodeIsPackedInWholeUnits) {
  EXPECT_EQ(on("a100-80gb", demand(30, 60)).Value, 40);
  EXPECT_EQ(on("a100-80gb", demand(30, 31)).Value, 38);
}

TEST_F(RegisterEstimateTest, LaunchBoundsCap) {
  RegisterDemand D = demand(100, 120);
  EXPECT_EQ(on("a100-80gb", D).Value, 104);
  D.MaxThreads = 1024;
  EXPECT_EQ(on("a100-80gb", D).Value, 64);
  D.MaxThreads = 1000; // whole warps
  EXPECT_EQ(on("a100-80gb", D).Value, 64);
  D.MaxRegisters = 48;
  EXPECT_EQ(on("a100-80gb", D).Value, 48);
  D.MaxThreads = ~uint64_t(0);
  EXPECT_EQ(on("a100-80gb", D).Value, 4);
}

// ptxas 13.0 for 9.0, of kernels with setmaxnreg: 168 with 384 threads, and
// with 128 of which three blocks are asked for; what the code needs with 256.
TEST_F(RegisterEstimateTest, RegistersThatAreGivenAwayAreAllThatThereAre) {
  RegisterDemand D = demand(76, 76);
  D.IsRedistributed = true;
  EXPECT_EQ(on("h100-sxm", D).Value, 80);
  D.MaxThreads = 256;
  EXPECT_EQ(on("h100-sxm", D).Value, 80);
  D.MaxThreads = 384;
  EXPECT_EQ(on("h100-sxm", D).Value, 168);
  EXPECT_EQ(on("h100-sxm", D).Low, 168);
  EXPECT_EQ(on("h100-sxm", D).High, 168);
  D.MaxThreads = 128;
  D.MinBlocksPerSM = 3;
  EXPECT_EQ(on("h100-sxm", D).Value, 168);
}

TEST_F(RegisterEstimateTest, BlocksThatAreEnoughFreeTheRest) {
  RegisterDemand D = demand(20, 60);
  D.MaxThreads = 256;
  EXPECT_EQ(on("a100-80gb", D).Value, 32);
  D.MinBlocksPerSM = 1;
  EXPECT_EQ(on("a100-80gb", D).Value, 67);
  D.MinBlocksPerSM = 4; // 64 registers
  EXPECT_EQ(on("a100-80gb", D).Value, 64);
  D.Hoisted = 28; // a full SM is near
  EXPECT_EQ(on("a100-80gb", D).Value, 32);
}

TEST_F(RegisterEstimateTest, CallsOfUnseenCode) {
  RegisterDemand D = demand(3, 3);
  EXPECT_EQ(on("a100-80gb", D).Value, 10);
  D.CallsUnseen = true;
  EXPECT_EQ(on("a100-80gb", D).Value, 24);
}

TEST_F(RegisterEstimateTest, TheRangeHoldsTheEstimateWithinTheLimits) {
  Estimate R = on("a100-80gb", demand(80, 100));
  EXPECT_EQ(R.Status, Status::Estimated);
  EXPECT_EQ(R.Value, 88);
  EXPECT_EQ(R.Low, 66);
  EXPECT_EQ(R.High, 115);
  R = on("a100-80gb", demand(300, 300));
  EXPECT_EQ(R.Value, 255);
  EXPECT_EQ(R.High, 255);
  R = on("a100-80gb", demand(0, 0));
  EXPECT_EQ(R.Value, 7);
  EXPECT_EQ(R.Low, 4);
  EXPECT_EQ(R.High, 12);
}

TEST_F(RegisterEstimateTest, BlocksAreReorderedForAClearGain) {
  RegisterDemand D = demand(100, 120);
  D.Scheduled = 20;
  EXPECT_EQ(on("a100-80gb", D).Value, 32);
  EXPECT_EQ(on("h100-sxm", D).Value, 104); // keeps the order
  D.Scheduled = 80;
  EXPECT_EQ(on("a100-80gb", D).Value, 88);
  D.Scheduled = 81;
  EXPECT_EQ(on("a100-80gb", D).Value, 104);
}

TEST_F(RegisterEstimateTest, AnEstimateIsAtMostWhatTheLaunchCanHave) {
  const Device &A100 = **Registry.find("a100-80gb");
  KernelCharacteristics K;
  K.Resources.Demand = demand(100, 120);
  K.Launch.Block = {256, 1, 1};
  EXPECT_EQ(registersOn(K, A100).Value, 104);
  EXPECT_EQ(registersNote(K, A100), "");
  K.Launch.Block = {1024, 1, 1};
  Estimate Cut = registersOn(K, A100);
  EXPECT_EQ(Cut.Value, 64);
  EXPECT_EQ(Cut.High, 64);
  EXPECT_LE(Cut.Low, 64);
  EXPECT_FALSE(Cut.isKnown());
  EXPECT_EQ(registersNote(K, A100),
            "of 104 registers estimated, 64 are counted: with more, no block "
            "of 1024 threads starts");
  EXPECT_EQ(KernelOnDevice(K, A100).Occ.BlocksPerSM, 1u);
  // What is known stays, and the launch fails.
  K.Resources.RegistersAreGiven = true;
  K.Resources.Registers = Estimate::known(104);
  EXPECT_EQ(registersOn(K, A100).Value, 104);
  EXPECT_EQ(registersNote(K, A100), "");
  EXPECT_EQ(KernelOnDevice(K, A100).Occ.BlocksPerSM, 0u);
  // No number of registers lets a larger block start.
  K.Resources.RegistersAreGiven = false;
  K.Launch.Block = {2048, 1, 1};
  EXPECT_EQ(registersOn(K, A100).Value, 104);
}

//===- SpeedOfLightTest.cpp - Tests of rates and peaks, and of words ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/SpeedOfLight.h"
#include "TestDevices.h"
#include "ptxpredict/Model/LimiterWords.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// A GPU of 10 SMs at 1 GHz with round numbers.
const Device &speedDevice() {
  static const Device D = [] {
    Device Result = toyDevice();
    set(Result.NumSMs, 10);
    set(Result.FP32Lanes, 64);
    set(Result.FP64Lanes, 32);
    set(Result.IntLanes, 64);
    set(Result.DRAMBandwidth, 100);
    set(Result.MemoryMHz, 500);
    set(Result.TensorMACs, 512);
    return Result;
  }();
  return D;
}

/// 100 blocks of 8 warps.
KernelCharacteristics speedKernel() {
  KernelCharacteristics K;
  K.Launch.Grid = {100, 1, 1};
  K.Launch.Block = {256, 1, 1};
  return K;
}

Prediction prediction(double Us) {
  Prediction P;
  P.On = &speedDevice();
  P.CoreMHz = 1000;
  P.MemMHz = 500;
  P.TimeUs = Estimate::make(Us, Status::Estimated);
  return P;
}

TEST(SpeedOfLight, CountsAnFMATwice) {
  KernelCharacteristics K = speedKernel();
  K.ByWork[unsigned(SchedClass::FP32FMA)] = Estimate::known(10);
  K.ByWork[unsigned(SchedClass::FP32)] = Estimate::known(5);
  const auto S = speedOfLight(K, prediction(10));
  ASSERT_TRUE(S);
  ASSERT_EQ(S->Pipes.size(), 1u);
  EXPECT_EQ(S->Pipes[0].Name, "fp32");
  // 25 a lane, 32 lanes, 800 warps; 64 lanes and 10 SMs at 1 GHz, two each.
  EXPECT_DOUBLE_EQ(S->Pipes[0].Ops, 25. * 32 * 800);
  EXPECT_DOUBLE_EQ(S->Pipes[0].Giga, 64);
  EXPECT_DOUBLE_EQ(S->Pipes[0].Peak, 1280);
  EXPECT_DOUBLE_EQ(S->Pipes[0].share(), 0.05);
}

TEST(SpeedOfLight, PutsWhatIsNearestToItsPeakFirst) {
  KernelCharacteristics K = speedKernel();
  K.ByWork[unsigned(SchedClass::FP32FMA)] = Estimate::known(10);
  K.ByWork[unsigned(SchedClass::FP64FMA)] = Estimate::known(8);
  TensorWorkCharacteristics W;
  W.Type = "f16-f32";
  W.M = 16, W.N = 8, W.K = 16;
  W.MACs = Estimate::known(64 * 1024);
  K.TensorWork.push_back(W);
  const auto S = speedOfLight(K, prediction(100));
  ASSERT_TRUE(S);
  ASSERT_EQ(S->Pipes.size(), 3u);
  EXPECT_EQ(S->Pipes[0].Name, "tensor");
  EXPECT_EQ(S->Pipes[1].Name, "fp64");
  EXPECT_EQ(S->Pipes[2].Name, "fp32");
  // 2 * 65536 * 800 in 100 us, of 2 * 512 * 10 a nanosecond.
  EXPECT_DOUBLE_EQ(S->Pipes[0].Giga, 2. * 65536 * 800 / 1e5);
  EXPECT_DOUBLE_EQ(S->Pipes[0].Peak, 10240);
  EXPECT_EQ(&S->pipe(), &S->Pipes.front());
}

TEST(SpeedOfLight, HasIntegersWhereNothingElseIs) {
  KernelCharacteristics K = speedKernel();
  K.ByClass[unsigned(OpClass::Int)] = Estimate::known(6);
  K.ByClass[unsigned(OpClass::Logic)] = Estimate::known(4);
  const auto S = speedOfLight(K, prediction(10));
  ASSERT_TRUE(S);
  EXPECT_TRUE(S->Pipes.empty());
  EXPECT_EQ(S->pipe().Name, "integer");
  EXPECT_DOUBLE_EQ(S->pipe().Giga, 10. * 32 * 800 / 1e4);
  EXPECT_DOUBLE_EQ(S->pipe().Peak, 640);
}

TEST(SpeedOfLight, TakesTrafficFromTheModelOrTheRequests) {
  KernelCharacteristics K = speedKernel();
  MemoryCharacteristics M;
  M.Requests = Estimate::known(2);
  M.Sectors = Estimate::known(4);
  K.Memory.push_back(M);
  Prediction P = prediction(10);
  P.Caches.emplace();
  P.Caches->L2 = Estimate::make(0.5, Status::Estimated);
  EXPECT_DOUBLE_EQ(requestedBytes(K), 2. * 4 * 32 * 800);
  EXPECT_DOUBLE_EQ(speedOfLight(K, P)->DRAMBytes, 102400);
  P.Terms.push_back({"DRAM_sectors", 1000});
  EXPECT_DOUBLE_EQ(speedOfLight(K, P)->DRAMBytes, 32000);
  EXPECT_DOUBLE_EQ(speedOfLight(K, P)->DRAMGBs, 3.2);
  EXPECT_DOUBLE_EQ(speedOfLight(K, P)->dramShare(), 0.032);
  // Half the memory clock is half the peak.
  P.MemMHz = 250;
  EXPECT_DOUBLE_EQ(speedOfLight(K, P)->DRAMPeak, 50);
  P.TimeUs.reset();
  EXPECT_FALSE(speedOfLight(K, P));
}

ResourceUse use(BottleneckResource R, double Share) {
  return {R, 1, 1, 1000 * Share, Share};
}

TEST(LimiterWords, AreThoseOfTheLargestShare) {
  const KernelCharacteristics K = speedKernel();
  Prediction P = prediction(10);
  P.Limiter = TimeLimiter::Compute;
  EXPECT_EQ(limitedBy(P, K), "arithmetic");
  P.Resources = {use(BottleneckResource::DRAM, 0.3),
                 use(BottleneckResource::Tensor, 0.6),
                 use(BottleneckResource::Latency, 0.1)};
  EXPECT_EQ(limitedBy(P, K), "tensor cores");
  EXPECT_EQ(resourcesByShare(P).front()->Resource, BottleneckResource::Tensor);
  // The limiter is not of the latency.
  EXPECT_EQ(plainNameOf(P.Resources[2], P, K), "latency");
}

TEST(LimiterWords, SayWhyALatencyIsNotHidden) {
  KernelCharacteristics K = speedKernel();
  Prediction P = prediction(10);
  P.Resources = {use(BottleneckResource::Latency, 0.9),
                 use(BottleneckResource::DRAM, 0.1)};
  P.Limiter = TimeLimiter::MemoryLatency;
  EXPECT_EQ(limitedBy(P, K), "memory latency");
  P.Limiter = TimeLimiter::Occupancy;
  EXPECT_EQ(limitedBy(P, K), "low occupancy");
  P.Limiter = TimeLimiter::Launch;
  EXPECT_EQ(limitedBy(P, K), "partial wave"); // 100 blocks, 10 SMs
  K.Launch.Grid = {9, 1, 1};
  EXPECT_EQ(limitedBy(P, K), "few blocks");
  // A sweep's point has a launch of its own.
  P.Launch = K.Launch;
  P.Launch->Grid = {10, 1, 1};
  EXPECT_EQ(limitedBy(P, K), "partial wave");
  P.Limiter = TimeLimiter::None;
  EXPECT_EQ(limitedBy(P, K), "");
}

} // namespace

//===- PreparedModelTest.cpp - Kernels made ready for many points ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestDevices.h"
#include "ptxpredict/Model/Model.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <random>

using namespace ptxpredict;

namespace {

MemoryCharacteristics load(std::mt19937 &Random) {
  std::uniform_real_distribution<double> Part(0, 1);
  MemoryCharacteristics M;
  M.Space = Part(Random) < 0.2 ? AddressSpace::Shared : AddressSpace::Global;
  M.BytesPerLane = 4;
  double Requests = 30 * Part(Random);
  M.Requests =
      Estimate(Requests, Status::Estimated, Requests / 2, Requests * 3);
  M.ActiveLanes = Estimate::known(32);
  double Sectors = 4 + std::floor(4 * Part(Random)) * 8;
  M.Sectors = Estimate(Sectors, Status::Estimated, 4, 32);
  M.Wavefronts = Estimate::known(1 + std::floor(2 * Part(Random)));
  M.Transactions = {M.Sectors, M.Sectors, M.Sectors};
  return M;
}

KernelCharacteristics randomKernel(std::mt19937 &Random) {
  std::uniform_real_distribution<double> Part(0, 1);
  KernelCharacteristics K;
  K.Launch.Grid = {uint64_t(1 + 3000 * Part(Random)), 1, 1};
  K.Launch.Block = {uint64_t(32 + 900 * Part(Random)), 1, 1};
  K.Resources.Demand.Packed = unsigned(10 + 100 * Part(Random));
  K.Resources.Demand.Hoisted = K.Resources.Demand.Packed + 10;
  double Fp32 = 2000 * Part(Random) * Part(Random);
  K.ByClass[unsigned(OpClass::Fp32)] =
      Estimate(Fp32, Status::Assumed, Fp32 / 2, Fp32 * 2);
  K.ByWork[unsigned(SchedClass::FP32)] = K.ByClass[unsigned(OpClass::Fp32)];
  double InFlight = 1 + 3 * Part(Random);
  K.Dependence.MemoryParallelism = Estimate(InFlight, Status::Estimated, 1, 4);
  K.BlockBarriers = Estimate::known(std::floor(3 * Part(Random)));
  for (unsigned I = 0; I != 4; ++I)
    K.Memory.push_back(load(Random));
  K.Instructions = *K.ByClass[unsigned(OpClass::Fp32)] + Estimate::known(120);
  return K;
}

/// One number for every bit pattern, so that two infinities are equal and two
/// zeros are not.
void expectSame(const Estimate &A, const Estimate &B) {
  for (double Estimate::*Which :
       {&Estimate::Value, &Estimate::Low, &Estimate::High})
    EXPECT_EQ(llvm::bit_cast<uint64_t>(A.*Which),
              llvm::bit_cast<uint64_t>(B.*Which));
  EXPECT_EQ(A.Status, B.Status);
}

/// Near a step of the occupancy the bounds hold the times on both sides of it.
TEST(PreparedModel, BoundsHoldTheTimesAtBothEndsOfTheRegisters) {
  std::mt19937 Random(11);
  const Device &D = device("h100-sxm");
  const DevicePoint At = DevicePoint::of(D);
  unsigned NumEnds = 0;
  for (unsigned Round = 0; Round != 100; ++Round) {
    const KernelCharacteristics K = randomKernel(Random);
    const KernelOnDevice Place(K, D);
    const Estimate Time =
        findModel("bottleneck")->prepare(Place, {})->predict(At).TimeUs.value();
    for (const OccupancyEnd &End : Place.OccEnds) {
      ++NumEnds;
      EXPECT_NE(End.Occ.BlocksPerSM, Place.Occ.BlocksPerSM);
      EXPECT_TRUE(End.Registers == Place.Registers.Low ||
                  End.Registers == Place.Registers.High);
      const KernelOnDevice There(K, D, Estimate::known(End.Registers));
      EXPECT_TRUE(There.OccEnds.empty());
      EXPECT_EQ(There.Occ.BlocksPerSM, End.Occ.BlocksPerSM);
      const double Then = findModel("bottleneck")
                              ->prepare(There, {})
                              ->predict(At)
                              .TimeUs->Value;
      EXPECT_LE(Time.Low, Then);
      EXPECT_GE(Time.High, Then);
    }
  }
  EXPECT_GT(NumEnds, 50U);
}

TEST(PreparedModel, AnswersPointsAsPredictDoes) {
  std::mt19937 Random(7);
  std::uniform_real_distribution<double> Part(0, 1);
  std::set<TimeLimiter> Limiters;
  constexpr unsigned NumRounds = PTXPREDICT_IS_SANITIZED ? 2 : 5;
  for (StringRef Name : modelNames())
    for (StringRef DeviceName : embeddedDeviceNames()) {
      const Device &D = device(DeviceName);
      for (unsigned Round = 0; Round != NumRounds; ++Round) {
        KernelCharacteristics K = randomKernel(Random);
        ModelOptions Options;
        Options.Published = Round % 2 != 0;
        Options.Case = Round % 3 ? MWPCase::Physical : MWPCase::Literal;
        std::unique_ptr<PreparedModel> Ready =
            findModel(Name)->prepare({K, D}, Options);
        for (unsigned I = 0; I != 20; ++I) {
          DevicePoint At;
          At.CoreMHz = 200 + 2000 * Part(Random);
          At.MemMHz = 200 + 2000 * Part(Random);
          // One more than there are now and then.
          At.ActiveSMs = unsigned(1 + std::lround(*D.NumSMs * Part(Random)));
          std::optional<PointPrediction> Point = Ready->at(At);
          // From new, so that nothing is left from a former point.
          Prediction Full =
              findModel(Name)->prepare({K, D}, Options)->predict(At);
          ASSERT_EQ(Point.has_value(), Full.Applies.Ok) << D.Name;
          ASSERT_EQ(Point.has_value(), Full.Cycles.has_value());
          if (!Point)
            continue;
          expectSame(Point->Cycles, *Full.Cycles);
          expectSame(Point->TimeUs, *Full.TimeUs);
          EXPECT_EQ(Point->Limiter, Full.Limiter);
          Limiters.insert(Full.Limiter);
          EXPECT_LE(Point->TimeUs.Low, Point->TimeUs.Value);
          EXPECT_GE(Point->TimeUs.High, Point->TimeUs.Value);
        }
      }
    }
  // The kernels differ in what limits them.
  EXPECT_THAT(Limiters, testing::IsSupersetOf({TimeLimiter::Compute,
                                               TimeLimiter::MemoryBandwidth,
                                               TimeLimiter::Launch}));
}

TEST(PreparedModel, SaysWhyItHasNoAnswer) {
  std::mt19937 Random(7);
  KernelCharacteristics K = randomKernel(Random);
  const Device &D = device("h100-sxm");
  DevicePoint At = DevicePoint::of(D);
  EXPECT_EQ(At.CoreMHz, *D.BoostMHz);
  EXPECT_EQ(At.MemMHz, *D.MemoryMHz);
  EXPECT_EQ(At.ActiveSMs, *D.NumSMs);
  auto Why = [&](StringRef Refusal = {}) {
    std::unique_ptr<PreparedModel> Ready =
        findModel("mwp-cwp")->prepare({K, D}, {});
    Prediction P = Ready->predict(At, Refusal);
    EXPECT_EQ(P.Device, "h100-sxm");
    EXPECT_EQ(P.Model, "mwp-cwp");
    EXPECT_EQ(P.Applies.Ok, P.Cycles.has_value());
    return P.Applies.Ok ? "" : P.Applies.Notes.front();
  };
  EXPECT_EQ(Why(), "");
  EXPECT_EQ(Why("no clusters"), "no clusters");
  ++At.ActiveSMs;
  EXPECT_EQ(Why(), "h100-sxm has 132 SMs; --active-sms asks for 133");
  K.Launch.Block.X = 2000; // the first reason is said
  EXPECT_EQ(Why("no clusters"),
            "2000 threads a block are 976 more than the limit of 1024");
}

TEST(KernelOnDevice, TakesTheBestKnownRegisters) {
  KernelCharacteristics K;
  ResourceCharacteristics &R = K.Resources;
  K.Launch.Block = {64, 2, 1};
  K.Launch.DynamicSharedBytes = 500;
  R.StaticSharedBytes = 1000;
  R.Barriers = 3;
  R.Demand.Packed = R.Demand.Hoisted = 40;
  R.Registers = Estimate::known(50);
  const Device &H100 = device("h100-sxm"), &A100 = device("a100-80gb");

  Estimate Estimate = registersOn(K, H100);
  EXPECT_EQ(Estimate.Status, Status::Estimated);
  EXPECT_NE(Estimate.Value, 50); // that of the target is not the device's

  R.Compiled = {{90, 48}, {75, 300}};
  EXPECT_TRUE(registersOn(K, H100).isKnown());
  EXPECT_EQ(registersOn(K, H100).Value, 48);
  // Another architecture's: as good as an estimate.
  EXPECT_EQ(registersOn(K, A100).Value, 50);
  EXPECT_EQ(registersOn(K, A100).Status, Status::Estimated);
  EXPECT_LE(registersOn(K, A100).Low, 50);
  R.Registers = Estimate::known(300); // more than a thread has
  EXPECT_EQ(registersOn(K, A100).Value, 255);

  R.RegistersAreGiven = true;
  R.Registers = Estimate::known(20);
  EXPECT_EQ(registersOn(K, H100).Value, 20);

  KernelOnDevice On(K, H100);
  EXPECT_EQ(On.Registers.Value, 20);
  BlockResources Block = blockResources(K, On.Registers);
  EXPECT_EQ(Block.Threads, 128U);
  EXPECT_EQ(Block.RegistersPerThread, 20U);
  EXPECT_EQ(Block.SharedBytes, 1500U);
  EXPECT_EQ(Block.Barriers, 3U);
  EXPECT_EQ(On.Occ.BlocksPerSM, computeOccupancy(H100, Block).BlocksPerSM);
}

} // namespace

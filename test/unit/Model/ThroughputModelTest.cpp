//===- ThroughputModelTest.cpp - Predictions of throughput ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A made-up device with round numbers, and inputs worked out by hand.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/ThroughputModel.h"
#include "ptxpredict/Model/ThroughputSetup.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace {

/// 10 SMs at 1 GHz, 16 B of device memory a cycle and SM, 64 B of L2, half a
/// cycle an instruction.
Device throughputDevice() {
  Device D;
  D.Name = "toy";
  D.AccessRule = "sector";
  D.ComputeCapability = 90;
  auto Set = [](Quantity &Q, double V) { Q.Value = V, Q.Source = "made up"; };
  Set(D.NumSMs, 10);
  Set(D.WarpSize, 32);
  Set(D.MaxWarpsPerSM, 64);
  Set(D.Schedulers, 4);
  Set(D.FP64Lanes, 8);
  Set(D.FP32Lanes, 64);
  Set(D.IntLanes, 64);
  Set(D.LoadStoreLanes, 64);
  Set(D.FP32Latency, 4);
  Set(D.DRAMLatency, 500);
  Set(D.L2Latency, 200);
  Set(D.L1Latency, 40);
  Set(D.BoostMHz, 1000);
  Set(D.MemoryMHz, 1000);
  Set(D.DRAMBandwidth, 160);
  Set(D.L2BytesPerSMCycle, 64);
  return D;
}

MemoryCharacteristics global(AccessKind Access, double Requests,
                             double Sectors) {
  MemoryCharacteristics M;
  M.Space = AddressSpace::Global;
  M.Access = Access;
  M.BytesPerLane = 4;
  M.Requests = Estimate::known(Requests);
  M.ActiveLanes = Estimate::known(32);
  M.Sectors = Estimate::known(Sectors);
  return M;
}

/// 100 instructions a warp: 20 plain and 40 fused ones, 24 of integers, 4 loads
/// in pairs, the rest branches; 80 blocks of 8 warps.
KernelCharacteristics exampleKernel() {
  KernelCharacteristics K;
  K.Launch.Grid = {80, 1, 1};
  K.Launch.Block = {256, 1, 1};
  K.Instructions = Estimate::known(100);
  auto Work = [&](SchedClass L, OpClass C, double N) {
    K.ByWork[unsigned(L)] = Estimate::known(N);
    K.ByClass[unsigned(C)] = K.byClass(C) + Estimate::known(N);
  };
  Work(SchedClass::FP32, OpClass::Fp32, 20);
  Work(SchedClass::FP32FMA, OpClass::Fp32, 40);
  Work(SchedClass::Int, OpClass::Int, 24);
  Work(SchedClass::Global, OpClass::Load, 4);
  K.Memory.push_back(global(AccessKind::Load, 4, 4));
  K.Dependence.MSTR = Estimate::known(2);
  K.Dependence.DEP = Estimate::known(3);
  K.Dependence.ILP = Estimate::known(2.5);
  return K;
}

Occupancy occupancy(unsigned Blocks) {
  Occupancy O;
  O.BlocksPerSM = Blocks;
  O.WarpsPerSM = 8 * Blocks;
  O.Fraction = O.WarpsPerSM / 64.0;
  return O;
}

std::unique_ptr<PreparedModel> prepare(const KernelCharacteristics &K,
                                       const Device &D, unsigned Blocks = 4,
                                       bool Published = false) {
  ModelOptions Options;
  Options.Published = Published;
  return throughputModel().prepare(
      KernelOnDevice(K, D, Estimate::known(32), occupancy(Blocks)), Options);
}

TEST(ThroughputModel, InputsOfTable15) {
  Device D = throughputDevice();
  KernelCharacteristics K = exampleKernel();
  ThroughputSetup S(KernelOnDevice(K, D, Estimate::known(32), occupancy(4)),
                    {});
  ThroughputInputs In = S.inputs(DevicePoint::of(D));
  EXPECT_EQ(In.FpInsts, 20);
  EXPECT_EQ(In.FpFusedInsts, 40);
  EXPECT_EQ(In.IntInsts, 24);
  EXPECT_EQ(In.MemInsts, 4);
  EXPECT_EQ(In.BrMiscInsts, 12);
  EXPECT_EQ(In.MSTR, 2);
  EXPECT_EQ(In.DEP, 3);
  EXPECT_EQ(In.ILP, 1); // an SM issues a warp's instructions one by one
  EXPECT_EQ(In.BytesPerThread, 4);
  EXPECT_EQ(In.DistanceMemBytes, 4);
  EXPECT_EQ(In.N, 32);
  EXPECT_EQ(In.Rep, 2);
  EXPECT_EQ(In.IssueCycles, 0.5);
  EXPECT_EQ(In.DevPeakFP, 640);
  EXPECT_EQ(In.MemL, 500);
  EXPECT_EQ(In.LoadBytesPerWarp, 128);
  EXPECT_EQ(In.DepartureDelay, 2);
  EXPECT_THAT(S.Derived, Contains("Inst_Latency"));
}

// 640 warps of 4 loads of 128 B at 160 GB/s: 2.048 us; 10 SMs do what is left
// meanwhile.
TEST(ThroughputModel, BandwidthBound) {
  Device D = throughputDevice();
  KernelCharacteristics K = exampleKernel();
  K.ByWork = {};
  K.ByClass = {};
  K.ByWork[unsigned(SchedClass::FP32FMA)] = Estimate::known(1);
  K.ByWork[unsigned(SchedClass::Global)] = Estimate::known(4);
  K.Instructions = Estimate::known(5);
  Prediction P = prepare(K, D, 8)->predict(DevicePoint::of(D));
  ASSERT_TRUE(P.Applies.Ok);
  EXPECT_EQ(P.Limiter, TimeLimiter::MemoryBandwidth);
  EXPECT_EQ(P.term("Category"), 3);
  double Extra = *P.term("EffComp") * (*P.term("MWP") / 2 - 1) *
                 *P.term("Rep") * *P.term("Mem_periods");
  EXPECT_NEAR(P.Cycles->Value, 2048 + Extra, 1e-6);
  EXPECT_LT(Extra, 200);
  EXPECT_EQ(P.TimeUs->Status, Status::Estimated);
  // Half the SMs have all the bandwidth; so few that it is too much, they are
  // what limits.
  EXPECT_LT(*P.term("Advice_cores"), 10);
  EXPECT_NEAR(*P.term("Advice_alpha"), *P.term("MWP_App") / *P.term("MWP_BW"),
              1e-12);
  // Twice the bandwidth.
  DevicePoint Wide = DevicePoint::of(D);
  Wide.BandwidthGBs = 320;
  EXPECT_NEAR(prepare(K, D, 8)->at(Wide)->Cycles.Value, 1024, 200);
}

TEST(ThroughputModel, TimeIsWorkOverPerformance) {
  Device D = throughputDevice();
  for (bool Published : {false, true})
    for (unsigned Blocks : {1, 2, 8})
      for (double Loads : {0.0, 1.0, 4.0, 40.0}) {
        KernelCharacteristics K = exampleKernel();
        K.Memory.front().Requests = Estimate::known(Loads);
        K.Instructions = Estimate::known(100 + Loads);
        Prediction P =
            prepare(K, D, Blocks, Published)->predict(DevicePoint::of(D));
        double Operations = 80 * 256 * (20 + 2 * 40.0);
        EXPECT_NEAR(Operations / *P.term("Perf") / 1e3, P.TimeUs->Value,
                    1e-9 * P.TimeUs->Value);
        EXPECT_NEAR(Operations / *P.term("Perf_L1") / 1e3 * 1000,
                    *P.term("Exec_cycles_L1"), 1e-6);
        EXPECT_GE(*P.term("Perf_L1"), *P.term("Perf"));
        EXPECT_GE(*P.term("Perf"), *P.term("Perf_all_DRAM"));
      }
}

// Doubles have an eighth of the lanes, and so of the peak.
TEST(ThroughputModel, PeakOfDoubles) {
  Device D = throughputDevice();
  KernelCharacteristics K = exampleKernel();
  std::swap(K.ByWork[unsigned(SchedClass::FP32)],
            K.ByWork[unsigned(SchedClass::FP64)]);
  std::swap(K.ByWork[unsigned(SchedClass::FP32FMA)],
            K.ByWork[unsigned(SchedClass::FP64FMA)]);
  Prediction P = prepare(K, D, 8)->predict(DevicePoint::of(D));
  EXPECT_EQ(P.term("FP_Factor"), 8);
  EXPECT_EQ(P.term("DevPeakFP"), 80);
  EXPECT_EQ(P.term("PerfCycles"), 240);
  EXPECT_NEAR(80 * 256 * 100.0 / *P.term("Perf") / 1e3, P.TimeUs->Value,
              1e-9 * P.TimeUs->Value);
}

// A warp of 16 threads does half the work of a full one.
TEST(ThroughputModel, WarpsThatAreNotFull) {
  Device D = throughputDevice();
  KernelCharacteristics K = exampleKernel();
  K.Launch.Block = {16, 1, 1};
  Occupancy O = occupancy(1);
  O.BlocksPerSM = O.WarpsPerSM = 8;
  auto M = throughputModel().prepare(
      KernelOnDevice(K, D, Estimate::known(32), O), ModelOptions());
  Prediction P = M->predict(DevicePoint::of(D));
  EXPECT_NEAR(80 * 16 * 100 / *P.term("Perf") / 1e3, P.TimeUs->Value,
              1e-9 * P.TimeUs->Value);
  EXPECT_EQ(P.term("DevPeakFP"), 320);
}

TEST(ThroughputModel, Limiters) {
  Device D = throughputDevice();
  auto Limiter = [&](const KernelCharacteristics &K, unsigned Blocks) {
    Prediction P = prepare(K, D, Blocks)->predict(DevicePoint::of(D));
    return std::pair(P.Limiter, int(*P.term("Category")));
  };
  KernelCharacteristics K = exampleKernel();
  EXPECT_EQ(Limiter(K, 8), std::pair(TimeLimiter::Compute, 10));
  EXPECT_EQ(Limiter(K, 1), std::pair(TimeLimiter::Occupancy, 5));
  K.Launch.Grid = {10, 1, 1}; // one block each, where 8 have room
  EXPECT_EQ(Limiter(K, 8), std::pair(TimeLimiter::Launch, 5));
  K = exampleKernel();
  K.Memory.front().Sectors = Estimate::known(32); // 1 KB a request
  EXPECT_EQ(Limiter(K, 8), std::pair(TimeLimiter::MemoryBandwidth, 6));
  K.Memory.front().Sectors = Estimate::known(4);
  K.Instructions = Estimate::known(40);
  K.ByWork = {};
  K.ByClass = {};
  K.Memory.front().Requests = Estimate::known(8);
  EXPECT_EQ(Limiter(K, 8), std::pair(TimeLimiter::MemoryBandwidth, 3));
}

// Without floating-point instructions there is a time and no GFLOP/s.
TEST(ThroughputModel, WithoutFloatingPoint) {
  Device D = throughputDevice();
  KernelCharacteristics K = exampleKernel();
  Prediction With = prepare(K, D)->predict(DevicePoint::of(D));
  K.ByWork[unsigned(SchedClass::Int)] = Estimate::known(84);
  K.ByWork[unsigned(SchedClass::FP32)].reset();
  K.ByWork[unsigned(SchedClass::FP32FMA)].reset();
  Prediction P = prepare(K, D)->predict(DevicePoint::of(D));
  EXPECT_EQ(P.term("Perf"), 0);
  EXPECT_EQ(P.Cycles->Value, With.Cycles->Value);
  EXPECT_EQ(P.Limiter, With.Limiter);
}

TEST(ThroughputModel, ReadingsAndThePrint) {
  Device D = throughputDevice();
  KernelCharacteristics K = exampleKernel();
  K.Dependence.DEP = Estimate::known(1);
  // 32 warps share the latency of four cycles, alone a warp takes it all: 8
  // issue slots of half a cycle.
  EXPECT_EQ(prepare(K, D)->predict(DevicePoint::of(D)).term("DEP_Effect"), 1);
  Prediction P =
      prepare(K, D, 4, /*Published=*/true)->predict(DevicePoint::of(D));
  EXPECT_EQ(P.term("DEP_Effect"), 8);
  EXPECT_EQ(P.term("TotalCycles"), 400);
}

TEST(ThroughputModel, SaysWhatItDoesNotKnow) {
  Device D = throughputDevice();
  KernelCharacteristics K = exampleKernel();
  Prediction P = prepare(K, D)->predict(DevicePoint::of(D));
  EXPECT_THAT(P.Applies.Notes, Contains(HasSubstr("parameters derived")));
  EXPECT_THAT(P.Applies.Notes,
              Contains(HasSubstr("all accesses go to device memory")));
  EXPECT_THAT(P.Applies.Notes, Contains(HasSubstr("category 10: ")));
  EXPECT_THAT(P.Applies.Notes, Not(Contains(HasSubstr("tensor"))));

  D.FP32Latency = {};
  auto M = prepare(K, D);
  EXPECT_FALSE(M->at(DevicePoint::of(D)));
  P = M->predict(DevicePoint::of(D));
  EXPECT_FALSE(P.Applies.Ok);
  EXPECT_THAT(P.Applies.Notes,
              Contains(HasSubstr("lacks latencies.fp32 or "
                                 "models.throughput.inst_latency")));
  Quantity Given;
  Given.Value = 20;
  D.ModelParameters["throughput"]["inst_latency"] = Given;
  EXPECT_EQ(prepare(K, D)->predict(DevicePoint::of(D)).term("Inst_Latency"),
            20);
}

// Four lanes in a vector, two units: 640 vectors a core, of 20 and, fused ones
// being two, 80 vector instructions.
TEST(ThroughputModel, CPU) {
  Device D = throughputDevice();
  D.IsCPU = true;
  D.WarpSize.Value = 4;
  D.FP32Lanes.Value = 8;
  D.MaxWarpsPerSM.Value = 1;
  KernelCharacteristics K = exampleKernel();
  K.Dependence.DEP = Estimate::known(4);
  Occupancy O;
  O.BlocksPerSM = O.WarpsPerSM = 1;
  O.Fraction = 1;
  auto M = throughputModel().prepare(
      KernelOnDevice(K, D, Estimate::known(32), O), ModelOptions());
  Prediction P = M->predict(DevicePoint::of(D));
  ASSERT_TRUE(P.Applies.Ok);
  EXPECT_EQ(P.term("N"), 1);
  EXPECT_EQ(P.term("Rep"), 512);
  EXPECT_EQ(P.term("DevPeakFP"), 20);
  EXPECT_EQ(P.term("DevPeakVecFP"), 80);
  EXPECT_EQ(P.term("fp_vec_insts"), 20);
  EXPECT_EQ(P.term("fp_vec_fused_insts"), 40);
  EXPECT_EQ(P.term("ILP"), 2); // as many as there are units
  EXPECT_EQ(P.term("PerfCycles"), 50);
  EXPECT_EQ(P.term("TotalCycles"), 70);
  EXPECT_EQ(P.term("mem_insts"), 4);
  // Half of the vectors of 16 bytes need a new sector: 0.5 * 500 + 0.5 * 40.
  EXPECT_EQ(P.term("Mem_L"), 270);
  EXPECT_EQ(P.Limiter, TimeLimiter::MemoryLatency);
  // Two waits for two loads each.
  EXPECT_NEAR(P.Cycles->Value, 512 * 2 * 270, 1e-6);
  EXPECT_NEAR(80 * 256 * 100.0 / *P.term("Perf") / 1e3, P.TimeUs->Value,
              1e-9 * P.TimeUs->Value);
}

// Clocks: the way to L2 keeps its cycles, what lies behind its time.
TEST(ThroughputModel, Clocks) {
  Device D = throughputDevice();
  KernelCharacteristics K = exampleKernel();
  DevicePoint Slow = DevicePoint::of(D);
  Slow.CoreMHz = 500;
  Prediction P = prepare(K, D)->predict(Slow);
  EXPECT_EQ(P.term("Mem_L"), 350);
  EXPECT_EQ(P.term("Freq"), 0.5);
  Slow.MemMHz = 500;
  EXPECT_EQ(prepare(K, D)->predict(Slow).term("Mem_Bandwidth"), 80);
  Slow.WarpsPerSM = 5;
  EXPECT_EQ(prepare(K, D)->predict(Slow).term("N"), 5);
  EXPECT_EQ(prepare(K, D)->predict(Slow).term("Rep"), 12.8);
}

TEST(ThroughputModel, BoundsHoldTheValue) {
  Device D = throughputDevice();
  KernelCharacteristics K = exampleKernel();
  K.Instructions = Estimate(100, Status::Assumed, 80, 200);
  K.ByWork[unsigned(SchedClass::Int)] = Estimate(24, Status::Assumed, 4, 124);
  K.Dependence.MSTR = Estimate(2, Status::Assumed, 1, 4);
  Prediction P = prepare(K, D, 1)->predict(DevicePoint::of(D));
  EXPECT_EQ(P.Cycles->Status, Status::Assumed);
  EXPECT_LT(P.Cycles->Low, P.Cycles->Value);
  EXPECT_GT(P.Cycles->High, P.Cycles->Value);
}

} // namespace

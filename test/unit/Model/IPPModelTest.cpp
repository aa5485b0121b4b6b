//===- IPPModelTest.cpp - Predictions of ipp ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestDevices.h"
#include "ptxpredict/Model/IPP.h"
#include "ptxpredict/Model/MWPCWP.h"
#include "ptxpredict/Model/MachineWork.h"
#include "ptxpredict/Model/MemoryTraffic.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const Device &gtx280() { return device("gtx-280"); }

MemoryCharacteristics memoryOf(AddressSpace Space, double Requests) {
  MemoryCharacteristics M;
  M.Space = Space;
  M.Opcode = "ld.f32";
  M.BytesPerLane = 4;
  M.Requests = Estimate::known(Requests);
  M.ActiveLanes = Estimate::known(32);
  M.Sectors = M.Wavefronts = Estimate::known(4);
  M.Transactions.fill(Estimate::known(2)); // one for each half of a warp
  return M;
}

/// A dot product's likes: a multiplication for two loads. 512 threads a block,
/// which is what fits on an SM of the GTX 280 at 32 registers.
KernelCharacteristics dotProduct() {
  KernelCharacteristics K;
  K.Name = "streaming";
  K.Launch.Grid = {240, 1, 1};
  K.Launch.Block = {512, 1, 1};
  K.Resources.Registers = Estimate::known(32);
  K.Resources.RegistersAreGiven = true;
  K.Instructions = Estimate::known(300);
  auto Work = [&K](SchedClass L, double Num) {
    K.ByWork[unsigned(L)] = Estimate::known(Num);
  };
  Work(SchedClass::FP32FMA, 80);
  Work(SchedClass::Int, 20);
  Work(SchedClass::Global, 150);
  Work(SchedClass::Store, 45);
  Work(SchedClass::Exit, 5);
  K.Memory = {memoryOf(AddressSpace::Global, 195)};
  return K;
}

Prediction predict(const KernelCharacteristics &K, const Device &D,
                   const ModelOptions &Options = {}) {
  KernelOnDevice On(K, D);
  return ippModel().prepare(On, Options)->predict(DevicePoint::of(D));
}

TEST(IPPModel, TakesTheTimeFromItsOwnVariantOfMWPCWP) {
  KernelCharacteristics K = dotProduct();
  Prediction P = predict(K, gtx280());
  ASSERT_TRUE(P.Applies.Ok);
  EXPECT_EQ(*P.term("Mem_LD"), 430);
  EXPECT_EQ(*P.term("Mem_Bandwidth"), 124.25);
  Device Chapter2 = gtx280();
  auto &Parameters = Chapter2.ModelParameters["mwp-cwp"];
  Parameters["mem_ld"].Value = 430;
  Parameters["mem_bandwidth"].Value = 124.25;
  KernelOnDevice On(K, Chapter2);
  Prediction Time =
      mwpcwpModel().prepare(On, {})->predict(DevicePoint::of(Chapter2));
  EXPECT_EQ(P.Cycles->Value, Time.Cycles->Value);
  EXPECT_EQ(P.Limiter, Time.Limiter);
}

TEST(IPPModel, PowerComesOutOfItsTerms) {
  Prediction P = predict(dotProduct(), gtx280());
  double Slots = *P.term("Exec_cycles_with_synch") / 4;
  double Warps = 16 * 240.0 / 30;
  EXPECT_EQ(*P.term("Warps_per_SM"), Warps);
  EXPECT_DOUBLE_EQ(*P.term("AccessRate_FP"), 80 * Warps / Slots);
  EXPECT_DOUBLE_EQ(*P.term("AccessRate_REG"), 295 * Warps / Slots);
  EXPECT_DOUBLE_EQ(*P.term("AccessRate_FDS"), 300 * Warps / Slots);
  EXPECT_DOUBLE_EQ(*P.term("AccessRate_GLOBAL"), 195 * Warps / Slots);
  auto Special = [](double X) { return 0.1365 * std::log(X) + 1.001375; };
  EXPECT_NEAR(*P.term("RP_GLOBAL"), 52 * Special(195 * Warps / Slots), 1e-9);
  double SM = 0.813 + 0.2 * Special(80 * Warps / Slots) +
              0.25 * Special(20 * Warps / Slots) +
              0.3 * Special(295 * Warps / Slots) +
              0.5 * Special(300 * Warps / Slots);
  EXPECT_NEAR(*P.term("SM_sum"), SM, 1e-9);
  EXPECT_NEAR(*P.term("Runtime_power"), 30 * SM + *P.term("RP_GLOBAL"), 1e-9);
  EXPECT_NEAR(P.PowerW->Value, *P.term("Runtime_power") + 83, 1e-9);
  EXPECT_NEAR(P.EnergyJ->Value, P.PowerW->Value * P.TimeUs->Value * 1e-6,
              1e-12);
  double Sum = 0;
  for (const UnitPower &U : P.PowerUnits)
    Sum += U.Watts;
  EXPECT_NEAR(Sum, P.PowerW->Value, 1e-9);
  // 22 degrees of lambda, mu and a little of rho above 57.
  EXPECT_NEAR(*P.term("MemAccess_intensity"), 195.0 / 105, 1e-12);
  EXPECT_NEAR(*P.term("Max_temp") - 57 - 5.5 - 21.505 * 195 / 105,
              0.12 * *P.term("Runtime_power"), 1e-9);
  EXPECT_THAT(P.Applies.Notes, testing::Contains(HasSubstr("too high")));
}

TEST(IPPModel, FewerCoresWhereBandwidthLimits) {
  Prediction P = predict(dotProduct(), gtx280());
  EXPECT_EQ(P.Limiter, TimeLimiter::MemoryBandwidth);
  // 10.8 of 16 warps use up the bandwidth: 20 of 30 SMs, as published.
  EXPECT_EQ(*P.term("N"), 16);
  EXPECT_NEAR(*P.term("MWP"), 10.8, 0.05);
  EXPECT_EQ(*P.term("Optimal_cores"), 20);
  EXPECT_GT(*P.term("Energy_saving_runtime"), 0);
  EXPECT_LT(*P.term("Best_cores"), 30);
  EXPECT_GE(*P.term("Best_GIPS_per_W"), *P.term("GIPS_per_W"));

  // Work that computes takes all cores.
  KernelCharacteristics Compute = dotProduct();
  Compute.Instructions = Estimate::known(30000);
  Compute.ByWork[unsigned(SchedClass::FP32FMA)] = Estimate::known(29780);
  Prediction C = predict(Compute, gtx280());
  EXPECT_EQ(*C.term("Optimal_cores"), 30);
  EXPECT_EQ(*C.term("Best_cores"), 30);
  EXPECT_EQ(*C.term("Energy_saving_runtime"), 0);
  EXPECT_GT(C.PowerW->Value, P.PowerW->Value - *P.term("RP_GLOBAL"));
}

TEST(IPPModel, SaysWhatIsMissing) {
  KernelCharacteristics K = dotProduct();
  Device D = gtx280();
  D.ModelParameters.erase("ipp");
  D.IdleWatts.Value.reset();
  Prediction P = predict(K, D);
  EXPECT_FALSE(P.Applies.Ok);
  EXPECT_THAT(P.Applies.Notes,
              ElementsAre("the device file of gtx-280 lacks what the power "
                          "model needs: models.ipp: power of any unit, such "
                          "as fds_max; power.idle"));
  EXPECT_FALSE(P.PowerW || P.Cycles);
  KernelOnDevice On(K, D);
  EXPECT_FALSE(ippModel().prepare(On, {})->at(DevicePoint::of(D)));
}

TEST(IPPModel, BoundsHoldTheValue) {
  KernelCharacteristics K = dotProduct();
  K.Instructions = Estimate(300, Status::Estimated, 250, 1e30);
  K.Memory.front().Requests = Estimate(195, Status::Unknown, 0, INFINITY);
  Prediction P = predict(K, gtx280());
  EXPECT_EQ(P.PowerW->Status, Status::Unknown);
  EXPECT_LE(P.PowerW->Low, P.PowerW->Value);
  EXPECT_GE(P.PowerW->Low, 83);
  EXPECT_GE(P.PowerW->High, P.PowerW->Value);
  // No more than all units at work.
  EXPECT_LT(P.PowerW->High, 83 + 152 + 104);
}

TEST(IPPModel, FermiAddsUpItsSMs) {
  // Thesis, section 3.11.1: about 93 W with one SM, of which 27 are idle and 64
  // are drawn once a kernel runs (Table 11).
  KernelCharacteristics K = dotProduct();
  K.Memory.clear();
  K.ByWork[unsigned(SchedClass::Global)] =
      K.ByWork[unsigned(SchedClass::Store)] = std::nullopt;
  K.Instructions = Estimate::known(105);
  const Device &D = device("gtx-580");
  K.Launch.Grid = {1, 1, 1};
  Prediction One = predict(K, D);
  EXPECT_NEAR(One.PowerW->Value, 93, 2);
  EXPECT_NEAR(*One.term("SM_sum"), One.PowerW->Value - 27 - 64, 1e-9);
  K.Launch.Grid = {16, 1, 1};
  Prediction All = predict(K, D);
  EXPECT_NEAR(All.PowerW->Value, 27 + 64 + 16 * *One.term("SM_sum"), 1e-9);
  EXPECT_FALSE(All.term("Max_temp"));
  EXPECT_FALSE(All.Warming);
}

/// A device whose clocks change what it draws.
Device scaling() {
  Device D = gtx280();
  D.ModelParameters["ipp"].clear();
  auto Set = [&D](const char *Key, double Value) {
    D.ModelParameters["ipp"][Key].Value = Value;
  };
  Set("fp_max", 2);
  Set("global_max", 100);
  Set("activation", 10);
  Set("memory_clock", 20);
  Set("voltage_knee", 0.75);
  Set("voltage_slope", 1);
  D.IdleWatts.Value = 15;
  D.TDPWatts.Value = 60;
  return D;
}

TEST(PreparedPower, ClocksAndVoltageScaleIt) {
  KernelCharacteristics K = dotProduct();
  Device D = scaling();
  PreparedPower Power(KernelOnDevice(K, D), {});
  ASSERT_TRUE(bool(Power));
  DevicePoint P = DevicePoint::of(D);
  // 128 warps an SM with 80 and 195 accesses each, in 50000 slots of 4 cycles.
  double FP = 2 * 30 * 128 * 80 / 50000.0;
  double Global = 100 * 128 * 195 / 50000.0;
  EXPECT_NEAR(Power.at(P, 200000).Power.GPU, 15 + 10 + 20 + FP + Global, 1e-9);
  // At the same rates: half the clock has 1 of 1.25 of the voltage and half as
  // many accesses a second; half the memory clock halves its own.
  P.CoreMHz /= 2;
  P.MemMHz /= 2;
  EXPECT_NEAR(Power.at(P, 200000).Power.GPU,
              15 + 10 + 10 + FP / 2 / 1.25 / 1.25 + Global / 2, 1e-9);
  // In half the time twice as much.
  EXPECT_NEAR(Power.at(P, 100000).Power.GPU,
              15 + 10 + 10 + FP / 1.25 / 1.25 + Global, 1e-9);
}

TEST(PreparedPower, TheDevicesBoundsWidenThoseOfTimeAndCounts) {
  KernelCharacteristics K = dotProduct();
  Device D = scaling();
  const Estimate Cycles(200000, Status::Estimated, 180000, 250000);
  const DevicePoint P = DevicePoint::of(D);
  const Estimate Own = PreparedPower(KernelOnDevice(K, D), {}).watts(P, Cycles);
  EXPECT_LT(Own.Low, Own.Value);
  EXPECT_GT(Own.High, Own.Value);
  D.ModelParameters["ipp"]["bounds"].Value = 0.25;
  const Estimate Wide =
      PreparedPower(KernelOnDevice(K, D), {}).watts(P, Cycles);
  EXPECT_EQ(Wide.Value, Own.Value);
  EXPECT_DOUBLE_EQ(Wide.Low, Own.Low / 1.25);
  EXPECT_DOUBLE_EQ(Wide.High, Own.High * 1.25);
}

TEST(PreparedPower, NoUnitIsAccessedMoreThanAllTheTime) {
  KernelCharacteristics K = dotProduct();
  Device D = scaling();
  PreparedPower Power(KernelOnDevice(K, D), {});
  DevicePoint P = DevicePoint::of(D);
  EXPECT_NEAR(Power.at(P, 1).Power.GPU, 15 + 10 + 20 + 2 * 30 + 100, 1e-9);
  // Memory serves as much a second when the cores run at half their clock.
  P.CoreMHz /= 2;
  EXPECT_NEAR(Power.at(P, 1).Power.GPU,
              15 + 10 + 20 + 2 * 15 / 1.25 / 1.25 + 100, 1e-9);
}

TEST(PreparedPower, SaysWhereTheBoardWouldSlowDown) {
  KernelCharacteristics K = dotProduct();
  Device D = scaling();
  PreparedPower Power(KernelOnDevice(K, D), {});
  Prediction P;
  P.Cycles = Estimate::make(200000, Status::Estimated);
  P.TimeUs = Estimate::make(150, Status::Estimated);
  Power.addTo(P, DevicePoint::of(D));
  EXPECT_GT(P.PowerW->Value, 60);
  EXPECT_THAT(P.Applies.Notes, testing::Contains(HasSubstr("limit of 60 W")));
  EXPECT_NEAR(P.EnergyJ->Value, P.PowerW->Value * 150e-6, 1e-12);
  Prediction Slow;
  Slow.Cycles = Estimate::make(2e9, Status::Estimated);
  Power.addTo(Slow, DevicePoint::of(D));
  EXPECT_THAT(Slow.Applies.Notes, testing::IsEmpty());
  EXPECT_FALSE(Slow.EnergyJ);
}

/// Counts as a device with caches has them.
KernelCharacteristics cached() {
  KernelCharacteristics K = dotProduct();
  K.Memory = {memoryOf(AddressSpace::Global, 100),
              memoryOf(AddressSpace::Global, 50),
              memoryOf(AddressSpace::Local, 10)};
  K.Memory[0].Opcode = "ld.global.ca.f32";
  K.Memory[1].Opcode = "ld.global.cg.f32";
  K.Memory[2].Access = AccessKind::Store;
  return K;
}

TEST(UnitAccess, CachesServeWhatHits) {
  KernelCharacteristics K = cached();
  KernelOnDevice On(K, gtx280());
  UnitAccessRules Rules;
  Rules.Has.fill(true);
  Rules.ByTraffic = true;
  CacheHits Hits;
  Hits.L1 = Estimate::known(0.25);
  Hits.L2 = Estimate::known(0.6);
  UnitAccess A = countUnitAccess(On, Rules, &Hits);
  // Four sectors are one access.
  EXPECT_DOUBLE_EQ(A.PerWarp.of(PowerUnit::L1), 100);
  EXPECT_DOUBLE_EQ(A.PerWarp.of(PowerUnit::L2), 75 + 50 + 10);
  // Of 160 accesses 96 hit; the 10 that write go to memory all the same.
  EXPECT_DOUBLE_EQ(A.PerWarp.of(PowerUnit::Global), 150 * 74.0 / 160);
  EXPECT_DOUBLE_EQ(A.PerWarp.of(PowerUnit::Local), 10 * 74.0 / 160);
  // Without rates nothing hits.
  A = countUnitAccess(On, Rules, nullptr);
  EXPECT_DOUBLE_EQ(A.PerWarp.of(PowerUnit::L2), 160);
  EXPECT_DOUBLE_EQ(A.PerWarp.of(PowerUnit::Global), 150);
  // By instruction, as the paper counts.
  Rules.ByTraffic = false;
  A = countUnitAccess(On, Rules, &Hits);
  EXPECT_DOUBLE_EQ(A.PerWarp.of(PowerUnit::Global), 150);
  EXPECT_DOUBLE_EQ(A.PerWarp.of(PowerUnit::L2), 0);
  EXPECT_DOUBLE_EQ(A.MemoryIntensity, 160.0 / 140);
}

TEST(UnitAccess, CountsAsTheMachineDoesWhereTheDeviceAllowsIt) {
  KernelCharacteristics K = cached();
  K.ByWork[unsigned(SchedClass::Shift)] = Estimate::known(7);
  const Device &D = device("v100");
  KernelOnDevice On(K, D);
  UnitAccessRules Rules;
  Rules.Has.fill(true);
  Rules.ByTraffic = Rules.ByMachine = true;
  UnitAccess A = countUnitAccess(On, Rules, nullptr);
  const MachineWork Work = machineWork(K, D.ComputeCapability);
  EXPECT_EQ(A.PerWarp.of(PowerUnit::FDS), Work.instructions());
  EXPECT_EQ(A.PerWarp.of(PowerUnit::FP), Work.of(MachinePipe::FP32));
  // Shifts are integer arithmetic, and nothing is counted twice.
  EXPECT_GE(A.PerWarp.of(PowerUnit::Int), 27);
  EXPECT_EQ(A.PerWarp.of(PowerUnit::ALU), 0);
  EXPECT_EQ(A.PerWarp.of(PowerUnit::Reg), 0);
  const MemoryTraffic Traffic = findMemoryTraffic(On);
  EXPECT_GT(Traffic.DRAMSectors, 0);
  EXPECT_DOUBLE_EQ(A.PerWarp.of(PowerUnit::Global), Traffic.DRAMSectors / 4);
  EXPECT_DOUBLE_EQ(A.PerWarp.of(PowerUnit::L2), Traffic.l2Sectors() / 4);
}

TEST(UnitAccess, UnitsStandInForOthers) {
  KernelCharacteristics K = dotProduct();
  K.ByWork.fill(std::nullopt);
  auto Work = [&K](SchedClass L, double Num) {
    K.ByWork[unsigned(L)] = Estimate::known(Num);
  };
  Work(SchedClass::FP64FMA, 1);
  Work(SchedClass::SFU, 2);
  Work(SchedClass::Tensor, 4);
  Work(SchedClass::FP32, 8);
  Work(SchedClass::Shift, 16);
  Work(SchedClass::Int, 32);
  Work(SchedClass::BranchTaken, 64);
  K.Memory = {memoryOf(AddressSpace::Shared, 10)};
  KernelOnDevice On(K, gtx280());
  UnitAccessRules Rules;
  Rules.Has.of(PowerUnit::FP) = Rules.Has.of(PowerUnit::Int) = true;
  UnitAccess A = countUnitAccess(On, Rules, nullptr);
  EXPECT_EQ(A.PerWarp.of(PowerUnit::FP), 15);
  EXPECT_EQ(A.PerWarp.of(PowerUnit::Int), 48);
  EXPECT_EQ(A.PerWarp.of(PowerUnit::Reg), 63);
  EXPECT_EQ(A.PerWarp.of(PowerUnit::Shared), 40); // four wavefronts each
  Rules.Has.fill(true);
  Rules.Published = true;
  A = countUnitAccess(On, Rules, nullptr);
  EXPECT_EQ(A.PerWarp.of(PowerUnit::FP64), 1);
  EXPECT_EQ(A.PerWarp.of(PowerUnit::SFU), 2);
  EXPECT_EQ(A.PerWarp.of(PowerUnit::Tensor), 4);
  EXPECT_EQ(A.PerWarp.of(PowerUnit::FP), 8);
  EXPECT_EQ(A.PerWarp.of(PowerUnit::ALU), 16);
  EXPECT_EQ(A.PerWarp.of(PowerUnit::Int), 32);
  EXPECT_EQ(A.PerWarp.of(PowerUnit::Shared), 10);
}

TEST(UnitAccess, ClassesServeWhereWorkIsNotCounted) {
  KernelCharacteristics K = dotProduct();
  K.ByWork.fill(std::nullopt);
  K.ByClass[unsigned(OpClass::Fp32)] = Estimate::known(80);
  K.ByClass[unsigned(OpClass::Int)] = Estimate::known(20);
  K.ByClass[unsigned(OpClass::Load)] = Estimate::known(150);
  K.ByClass[unsigned(OpClass::Store)] = Estimate::known(45);
  K.ByClass[unsigned(OpClass::Control)] = Estimate::known(5);
  KernelCharacteristics ByWork = dotProduct();
  KernelOnDevice On(K, gtx280()), OnByWork(ByWork, gtx280());
  UnitAccessRules Rules;
  Rules.Has.fill(true);
  EXPECT_EQ(countUnitAccess(On, Rules, nullptr).PerWarp,
            countUnitAccess(OnByWork, Rules, nullptr).PerWarp);
}

} // namespace

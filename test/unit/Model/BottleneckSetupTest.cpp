//===- BottleneckSetupTest.cpp - What our own model asks of a device ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// On the made-up device of round numbers; all numbers are worked out by hand.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/BottleneckSetup.h"
#include "TestDevices.h"
#include "ptxpredict/Model/BottleneckModel.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>

using namespace ptxpredict;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

using Resource = BottleneckResource;

namespace {

/// toy.yaml, with the paths that it leaves out.
Device roundedToy() {
  Device D = toyDevice();
  set(D.IntMultiplyLanes, 16);
  set(D.TextureLanes, 4);
  set(D.L2BytesPerCycle, 320);
  set(D.L1BytesPerCycle, 64);
  set(D.SharedBytesPerCycle, 128);
  return D;
}

/// Nothing that calibration may change gets in the way.
BottleneckParameters plain() {
  BottleneckParameters Set;
  Set.IssueEfficiency = Set.PipeEfficiency = Set.FP64Efficiency =
      Set.TextureEfficiency = Set.LoadStoreEfficiency = Set.SharedEfficiency =
          Set.L2Efficiency = Set.DRAMEfficiency = 1;
  Set.LatencyFactor = 1;
  Set.BlockCycles = Set.Refresh = 0;
  return Set;
}

/// 80 blocks of 8 warps.
KernelCharacteristics kernel() {
  KernelCharacteristics K;
  K.Launch.Grid = {80, 1, 1};
  K.Launch.Block = {256, 1, 1};
  return K;
}

void work(KernelCharacteristics &K, SchedClass L, double Num) {
  K.ByWork[unsigned(L)] = Estimate::known(Num);
  K.Instructions = K.Instructions + Estimate::known(Num);
}

MemoryCharacteristics &access(KernelCharacteristics &K, AddressSpace Space,
                              AccessKind Access, double Requests,
                              double Sectors) {
  MemoryCharacteristics M;
  M.Space = Space;
  M.Access = Access;
  M.BytesPerLane = 4;
  M.Requests = Estimate::known(Requests);
  M.ActiveLanes = Estimate::known(32);
  if (Space == AddressSpace::Shared) {
    M.Wavefronts = Estimate::known(Sectors);
  } else {
    M.Sectors = Estimate::known(Sectors);
    M.Lines = Estimate::known(std::max(1.0, Sectors / 4));
  }
  K.Instructions = K.Instructions + Estimate::known(Requests);
  K.Memory.push_back(M);
  return K.Memory.back();
}

BottleneckSetup setupOf(const KernelOnDevice &On,
                        const BottleneckParameters &Set,
                        BottleneckParts Without = {}) {
  return BottleneckSetup(On, Set, Without);
}

BottleneckInputs inputsOf(const KernelCharacteristics &K, const Device &D,
                          const BottleneckParameters &Set = plain()) {
  return setupOf(KernelOnDevice(K, D, Estimate::known(16)), Set)
      .inputs(DevicePoint::of(D));
}

/// A load from outside of the SM, and an addition that waits for it.
DependenceSummary loadAndAdd() {
  FunctionDependence F;
  F.NumRegisters = 1;
  F.Registers = {0, 0};
  IssuedInstruction Load;
  Load.Result = SchedClass::Global;
  Load.IsLongLoad = true;
  Load.NumWrites = 1;
  IssuedInstruction Add;
  Add.Result = SchedClass::FP32;
  Add.NumReads = 1;
  Add.FirstRegister = 1;
  F.Instructions = {Load, Add};
  IssuedBlock B;
  B.EndInstruction = 2;
  B.Runs = 1;
  B.Edges = {{IssuedBlock::Leave, 1}};
  F.Blocks = {B};
  DependenceSummary S;
  S.Functions = {F};
  return S;
}

TEST(BottleneckSetup, InstructionsByPipe) {
  Device D = roundedToy();
  KernelCharacteristics K = kernel();
  work(K, SchedClass::FP32FMA, 100);
  work(K, SchedClass::Int, 50);
  work(K, SchedClass::IntMultiply, 10);
  work(K, SchedClass::FP16, 7);
  work(K, SchedClass::FP64, 4);
  work(K, SchedClass::FP64Convert, 2);
  work(K, SchedClass::SFU, 3);
  work(K, SchedClass::Convert, 5);
  work(K, SchedClass::Texture, 6);
  work(K, SchedClass::Barrier, 9);
  work(K, SchedClass::CrossLane, 11);
  BottleneckParameters Set = plain();
  Set.IssueEfficiency = 0.5;
  Set.PipeEfficiency = 0.8;
  Set.FP64Efficiency = 0.6;
  Set.TextureEfficiency = 0.9;
  Set.SharedEfficiency = 0.7;
  Set.BarrierCycles = 4;
  BottleneckInputs In = inputsOf(K, D, Set);
  const std::map<Resource, std::pair<double, double>> Expected = {
      {Resource::Issue, {207, 2 * 0.5}},
      {Resource::FP32, {110, 2 * 0.8}},
      {Resource::Int, {50, 1 * 0.8}},
      {Resource::IntMultiply, {10, 0.5 * 0.8}},
      {Resource::FP16, {7, 2 * 0.8}},
      {Resource::FP64, {6, 2 / 32.0 * 0.6}},
      {Resource::SFU, {8, 0.25 * 0.8}},
      {Resource::Texture, {6 * 32, 4 * 0.9}},
      {Resource::Barrier, {9, 0.25}},
      {Resource::Shared, {11, 0.7}}};
  for (const auto &[R, Pair] : Expected) {
    SCOPED_TRACE(toString(R).str());
    EXPECT_DOUBLE_EQ(In.Demand.of(R), Pair.first);
    EXPECT_DOUBLE_EQ(In.Rate.of(R), Pair.second);
  }
  EXPECT_EQ(In.Demand.of(Resource::Tensor), 0);
  EXPECT_EQ(In.Demand.of(Resource::DRAM), 0);
}

TEST(BottleneckSetup, FormsBecomeWhatTheGenerationMakesOfThem) {
  Device D = roundedToy();
  KernelCharacteristics K = kernel();
  K.ByForm[unsigned(MachineForm::Compare)] = Estimate::known(10);
  K.TensorMACs = Estimate::known(4096);
  BottleneckInputs In = inputsOf(K, D);
  EXPECT_EQ(In.Demand.of(Resource::Int), 10);
  EXPECT_EQ(In.Demand.of(Resource::Tensor), 4096);
  EXPECT_EQ(In.Rate.of(Resource::Tensor), 256);
  // Comparisons have half the rate of additions before 7.0.
  D.ComputeCapability = 61;
  In = inputsOf(K, D);
  EXPECT_EQ(In.Demand.of(Resource::Int), 20);
  EXPECT_EQ(In.Demand.of(Resource::Issue), 10);
}

TEST(BottleneckSetup, WhatTheFileLacksIsNotWaitedFor) {
  Device D = roundedToy();
  for (Quantity Device::*Q :
       {&Device::IntMultiplyLanes, &Device::FP16Lanes, &Device::FP64Lanes,
        &Device::SFULanes, &Device::TensorMACs, &Device::TextureLanes,
        &Device::L2BytesPerCycle})
    (D.*Q).Value.reset();
  KernelCharacteristics K = kernel();
  BottleneckParameters Set = plain();
  Set.BarrierCycles = Set.AtomicCycles = 0;
  BottleneckInputs In = inputsOf(K, D, Set);
  for (Resource R : {Resource::IntMultiply, Resource::FP16, Resource::FP64,
                     Resource::SFU, Resource::Tensor, Resource::Texture,
                     Resource::L2, Resource::Barrier, Resource::Atomic})
    EXPECT_EQ(In.Rate.of(R), 0) << toString(R).str();
}

// 640 warps: 4 loads of 4 sectors and 2 stores of 8.
TEST(BottleneckSetup, BytesAtEachLevel) {
  Device D = roundedToy();
  KernelCharacteristics K = kernel();
  access(K, AddressSpace::Global, AccessKind::Load, 4, 4);
  access(K, AddressSpace::Global, AccessKind::Store, 2, 8);
  BottleneckParameters Set = plain();
  Set.L2ToSMBytes = 40;
  Set.L2Efficiency = 0.5;
  Set.DRAMEfficiency = 0.8;
  Set.LoadStoreEfficiency = 0.9;
  KernelOnDevice On(K, D, Estimate::known(16));
  BottleneckSetup S = setupOf(On, Set);
  BottleneckInputs In = S.inputs(DevicePoint::of(D));
  // 128 B are two cycles of the path.
  EXPECT_EQ(In.Demand.of(Resource::LoadStore), 4 * 2 + 2 * 2);
  EXPECT_EQ(In.Rate.of(Resource::LoadStore), 0.9);
  EXPECT_EQ(In.Demand.of(Resource::L2ToSM), 16 * 32);
  EXPECT_EQ(In.Rate.of(Resource::L2ToSM), 40);
  // What misses crosses L2 twice.
  EXPECT_EQ(In.Demand.of(Resource::L2), (32 + 32) * 32);
  EXPECT_EQ(In.Rate.of(Resource::L2), 160);
  EXPECT_EQ(In.Demand.of(Resource::DRAM), 32 * 32);
  EXPECT_EQ(In.Rate.of(Resource::DRAM), 80);
  EXPECT_FALSE(S.HasHits); // nothing is known of reuse
  EXPECT_EQ(In.L2HitRate, 0);
  EXPECT_EQ(S.Counts.L2ReadSectors, 640 * 16);
  EXPECT_EQ(S.Counts.L2WriteSectors, 640 * 16);
  EXPECT_EQ(S.Counts.L2Sectors, 640 * 32);
  EXPECT_EQ(S.Counts.DRAMSectors, 640 * 32);
  EXPECT_EQ(S.Counts.L1Sectors, 640 * 16);
  EXPECT_EQ(In.Demand.of(Resource::Dispatch), 1 / 8.0);
}

TEST(BottleneckSetup, AtomicsMeetAtAnAddress) {
  Device D = roundedToy();
  KernelCharacteristics K = kernel();
  access(K, AddressSpace::Global, AccessKind::Atomic, 1, 1).HottestRequests =
      Estimate::known(320);
  BottleneckParameters Set = plain();
  Set.AtomicCycles = 4;
  BottleneckInputs In = inputsOf(K, D, Set);
  EXPECT_EQ(In.Demand.of(Resource::Atomic), 0.5); // of 640 warps
  EXPECT_EQ(In.Rate.of(Resource::Atomic), 0.25);
  // Once there and once back, and once to device memory.
  EXPECT_EQ(In.Demand.of(Resource::L2), 3 * 32);
  EXPECT_DOUBLE_EQ(evaluateBottleneck(In).Times.of(Resource::Atomic), 320 * 4);
}

// 640 requests with 8 passes each in 1 KiB: two slices of 512 bytes.
TEST(BottleneckSetup, AtomicsMeetInASlice) {
  Device D = roundedToy();
  KernelCharacteristics K = kernel();
  MemoryCharacteristics &M =
      access(K, AddressSpace::Global, AccessKind::Atomic, 1, 1);
  M.HottestRequests = M.HottestLanes = Estimate::known(320);
  M.Passes = Estimate::known(8);
  M.SpreadBytes = Estimate::known(1024);
  BottleneckParameters Set = plain();
  Set.AtomicCycles = 4;
  Set.AtomicSlices = 48;
  Set.AtomicSliceBytes = 512;
  EXPECT_DOUBLE_EQ(
      evaluateBottleneck(inputsOf(K, D, Set)).Times.of(Resource::Atomic),
      640.0 * 8 / 2 * 4);
  // Bytes enough for all slices.
  M.SpreadBytes = Estimate::known(1 << 20);
  M.Passes = Estimate::known(48);
  EXPECT_DOUBLE_EQ(
      evaluateBottleneck(inputsOf(K, D, Set)).Times.of(Resource::Atomic),
      640 * 4);
  // Floats wait for each other where they meet.
  M.Opcode = "red.global.add.f32";
  M.HottestLanes = Estimate::known(1000);
  Set.AtomicFloatCycles = 12;
  EXPECT_DOUBLE_EQ(
      evaluateBottleneck(inputsOf(K, D, Set)).Times.of(Resource::Atomic),
      1000 * 12);
}

TEST(BottleneckSetup, SharedMemoryWithL1AndApart) {
  Device D = roundedToy();
  KernelCharacteristics K = kernel();
  access(K, AddressSpace::Shared, AccessKind::Load, 5, 2);
  access(K, AddressSpace::Global, AccessKind::Load, 4, 4);
  work(K, SchedClass::CrossLane, 3);
  // 64 KiB of shared memory in 128 KiB of both.
  BottleneckInputs In = inputsOf(K, D);
  EXPECT_EQ(In.Demand.of(Resource::Shared), 3 + 5 * 2 + 4 * 2);
  EXPECT_EQ(In.Demand.of(Resource::LoadStore), 4 * 2);
  set(D.L1Bytes, 32 * 1024);
  In = inputsOf(K, D);
  EXPECT_EQ(In.Demand.of(Resource::Shared), 3 + 5 * 2);
  EXPECT_EQ(In.Demand.of(Resource::LoadStore), 4 * 2);
}

TEST(BottleneckSetup, LatencyFollowsTheClocks) {
  Device D = roundedToy();
  KernelCharacteristics K = kernel();
  access(K, AddressSpace::Global, AccessKind::Load, 1, 4);
  K.Dependence.Summary = loadAndAdd();
  BottleneckParameters Set = plain();
  Set.LatencyFactor = 1.5;
  Set.BlockCycles = 100;
  BottleneckSetup S = setupOf(KernelOnDevice(K, D, Estimate::known(16)), Set);
  const double WithoutLoad =
      findCriticalPath(K.Dependence.Summary, latenciesOf(D)).Cycles - 400;
  EXPECT_GT(WithoutLoad, 0);
  EXPECT_LT(WithoutLoad, 20);
  DevicePoint At = DevicePoint::of(D);
  // 200 cycles to L2, 0.2 us behind it.
  for (auto [MHz, Latency] :
       {std::pair(1000.0, 400.0), {2000.0, 600.0}, {500.0, 300.0}}) {
    At.CoreMHz = MHz;
    BottleneckInputs In = S.inputs(At);
    EXPECT_NEAR(In.GlobalLatency, Latency, 1e-9);
    EXPECT_NEAR(In.Demand.of(Resource::Latency),
                1.5 * (Latency + WithoutLoad) + 100, 1e-6);
    EXPECT_NEAR(In.MemoryPath, 1.5 * Latency, 1e-6);
  }
}

// The path of machine instructions whose loads are moved up counts as far as
// there are registers for what these bring.
TEST(BottleneckSetup, LoadsMoveUpAsFarAsRegistersLetThem) {
  Device D = roundedToy();
  KernelCharacteristics K = kernel();
  K.Dependence.Summary = K.Dependence.Machine = loadAndAdd();
  // Two loads before what waits for them, or one after the other.
  FunctionDependence &F = K.Dependence.Machine.Functions.front();
  F.NumRegisters = 2;
  F.Registers = {0, 0, 1, 1};
  F.Instructions = {F.Instructions[0], F.Instructions[0], F.Instructions[1],
                    F.Instructions[1]};
  F.Instructions[1].FirstRegister = 2;
  F.Instructions[3].FirstRegister = 3;
  F.Blocks.front().EndInstruction = 4;
  F.Blocks.front().PackedOrder = {0, 2, 1, 3};
  auto PathWith = [&](unsigned Registers) {
    return setupOf(KernelOnDevice(K, D, Estimate::known(Registers)), plain())
        .inputs(DevicePoint::of(D))
        .Demand.of(Resource::Latency);
  };
  const double Moved = PathWith(16); // takes no register more
  K.Resources.Demand.Packed = 16;
  K.Resources.Demand.Hoisted = 32;
  // 3 and 7 registers more than the demand: from 19 to 39.
  const double InPlace = PathWith(19);
  EXPECT_GT(InPlace, Moved);
  EXPECT_EQ(PathWith(8), InPlace);
  EXPECT_EQ(PathWith(39), Moved);
  EXPECT_EQ(PathWith(50), Moved);
  // Room for 4 loads more than one, and for 16 less than are wanted.
  EXPECT_DOUBLE_EQ(PathWith(23), Moved + 16 / (20 * 5.0) * (InPlace - Moved));
  // In another order the code needs less: 12 of 28.
  D.ComputeCapability = 80;
  K.Resources.Demand.Scheduled = 8;
  EXPECT_NEAR(PathWith(23), Moved + 16 / (28 * 13.0) * (InPlace - Moved), 1e-9);
  K.Resources.Demand.Scheduled = 0;
  // Loads of 4 registers, some of them joined: one more, and 4 less.
  access(K, AddressSpace::Shared, AccessKind::Load, 10, 1).BytesPerLane = 16;
  access(K, AddressSpace::Shared, AccessKind::Load, 40, 1);
  K.Memory.back().Joined = 4;
  const double Least = PathWith(39);
  EXPECT_DOUBLE_EQ(PathWith(23),
                   Least + 4 / (5 * 2.0) * (PathWith(19) - Least));
  K.Dependence.Machine = {}; // nothing is known of it
  EXPECT_EQ(PathWith(50), PathWith(19));
}

TEST(BottleneckSetup, ClocksChangeWhatIsTheirs) {
  Device D = roundedToy();
  KernelCharacteristics K = kernel();
  access(K, AddressSpace::Global, AccessKind::Load, 100, 4);
  BottleneckSetup S =
      setupOf(KernelOnDevice(K, D, Estimate::known(16)), plain());
  DevicePoint At = DevicePoint::of(D);
  const BottleneckInputs Before = S.inputs(At);
  EXPECT_EQ(Before.Rate.of(Resource::DRAM), 100); // 100 GB/s at 1 GHz
  At.MemMHz = 500;
  BottleneckInputs In = S.inputs(At);
  EXPECT_EQ(In.Rate.of(Resource::DRAM), 50);
  EXPECT_EQ(In.Freq, Before.Freq);
  At = DevicePoint::of(D);
  At.CoreMHz = 500;
  In = S.inputs(At);
  EXPECT_EQ(In.Freq, 0.5);
  EXPECT_EQ(In.Rate.of(Resource::DRAM), 200);
  for (unsigned I = 0; I != NumBottleneckResources; ++I) {
    const auto R = Resource(I);
    SCOPED_TRACE(toString(R).str());
    EXPECT_EQ(In.Rate.of(R) == Before.Rate.of(R), R != Resource::DRAM);
    if (R != Resource::Latency) {
      EXPECT_EQ(In.Demand.of(R), Before.Demand.of(R));
    }
  }
  At.BandwidthGBs = 10; // whatever the memory clock
  EXPECT_EQ(S.inputs(At).Rate.of(Resource::DRAM), 20);
  At = DevicePoint::of(D);
  At.WarpsPerSM = 20;
  EXPECT_EQ(S.inputs(At).ResidentBlocks, 2.5);
  EXPECT_EQ(Before.ResidentBlocks, 4); // 1024 threads of an SM
  At.ActiveSMs = 3;
  EXPECT_EQ(S.inputs(At).ActiveSMs, 3);
  K.Launch.Grid.X = 2; // two blocks, two SMs
  BottleneckSetup Small =
      setupOf(KernelOnDevice(K, D, Estimate::known(16)), plain());
  EXPECT_EQ(Small.inputs(At).ActiveSMs, 2);
}

// Beyond some clock of the core another one starts blocks.
TEST(BottleneckSetup, BlocksAreStartedByTheSlowerClock) {
  Device D = roundedToy();
  KernelCharacteristics K = kernel();
  BottleneckParameters Set = plain();
  Set.BlocksPerCycle = 0.5;
  Set.BlocksPerUs = 400;
  BottleneckSetup S = setupOf(KernelOnDevice(K, D, Estimate::known(16)), Set);
  DevicePoint At = DevicePoint::of(D);
  EXPECT_DOUBLE_EQ(S.inputs(At).Rate.of(Resource::Dispatch), 0.4);
  At.CoreMHz = 500;
  EXPECT_DOUBLE_EQ(S.inputs(At).Rate.of(Resource::Dispatch), 0.5);
}

// 80 blocks, of which 8 run at once; a round trip takes 200 cycles and a fence
// three of them.
TEST(BottleneckSetup, BlocksWaitForOneAnother) {
  Device D = roundedToy();
  set(D.L1Latency, 20);
  set(D.L2Latency, 200);
  set(D.DRAMLatency, 400);
  set(D.NumSMs, 2);
  KernelCharacteristics K = kernel();
  BottleneckParameters Set = plain();
  Set.AtomicCycles = 3;
  WaitCharacteristics W;
  W.Executions = Estimate::known(0.125); // once in a block of 8 warps
  W.RoundTrips = 2;
  W.Fences = 1;
  auto ChainOf = [&](WaitKind Kind) {
    W.Kind = Kind;
    K.Waits = {W};
    return 80 * 8 * inputsOf(K, D, Set).Demand.of(Resource::Chain);
  };
  EXPECT_DOUBLE_EQ(ChainOf(WaitKind::Predecessor), 80 * (1.5 + 2 + 3) * 200);
  EXPECT_DOUBLE_EQ(ChainOf(WaitKind::Lock), 80 * ((1 + 2 + 3) * 200 + 7 * 3));
  EXPECT_EQ(ChainOf(WaitKind::Grid), 0);
  const double Path = inputsOf(K, D, Set).Demand.of(Resource::Latency);
  K.Waits.clear();
  EXPECT_DOUBLE_EQ(Path - inputsOf(K, D, Set).Demand.of(Resource::Latency),
                   2 * 80 * 3);
}

TEST(BottleneckSetup, PartsAreTakenOut) {
  for (unsigned I = 0; I != bottleneckPartNames().size(); ++I)
    EXPECT_EQ(findBottleneckPart(bottleneckPartNames()[I]), BottleneckPart(I));
  EXPECT_FALSE(findBottleneckPart("no-such-part"));

  Device D = roundedToy();
  KernelCharacteristics K = kernel();
  K.Launch.Grid.X = 85;
  K.Dependence.Summary = loadAndAdd();
  access(K, AddressSpace::Global, AccessKind::Load, 4, 4);
  work(K, SchedClass::FP32FMA, 100);
  work(K, SchedClass::Barrier, 9);
  BottleneckParameters Set = plain();
  Set.BlockCycles = 300;
  auto InputsWithout = [&](BottleneckParts Parts) {
    return setupOf(KernelOnDevice(K, D, Estimate::known(16)), Set, Parts)
        .inputs(DevicePoint::of(D));
  };
  const BottleneckInputs All = InputsWithout({});
  for (Resource R : {Resource::Issue, Resource::FP32, Resource::LoadStore,
                     Resource::L2, Resource::DRAM, Resource::Barrier,
                     Resource::Dispatch, Resource::Latency}) {
    SCOPED_TRACE(toString(R).str());
    EXPECT_GT(All.Demand.of(R), 0);
    EXPECT_EQ(InputsWithout(BottleneckPart(unsigned(R))).Demand.of(R), 0);
  }
  EXPECT_EQ(InputsWithout(BottleneckPart::L2Twice).Demand.of(Resource::L2),
            All.Demand.of(Resource::L2) / 2);
  EXPECT_EQ(InputsWithout(BottleneckPart::Start).StartUs, 0);
  EXPECT_DOUBLE_EQ(
      InputsWithout(BottleneckPart::BlockStart).Demand.of(Resource::Latency),
      All.Demand.of(Resource::Latency) - 300);
  EXPECT_EQ(InputsWithout(BottleneckPart::MemoryExponent).MemoryExponent,
            All.Exponent);
  BottleneckResult Whole = evaluateBottleneck(All);
  BottleneckResult Even =
      evaluateBottleneck(InputsWithout(BottleneckPart::Waves));
  EXPECT_EQ(Even.BusyBlocks, 8.5);
  EXPECT_EQ(Even.Rounds, 8.5 / 4);
  EXPECT_GT(Whole.BusyBlocks, Even.BusyBlocks);
  BottleneckResult Hard =
      evaluateBottleneck(InputsWithout(BottleneckPart::SmoothMaximum));
  EXPECT_DOUBLE_EQ(
      Hard.Cycles - Hard.DrainCycles,
      std::max(*std::max_element(Hard.Times.begin(), Hard.Times.end()),
               Hard.Times.of(Resource::Issue) +
                   Hard.Times.of(Resource::Barrier)));
  BottleneckResult Full =
      evaluateBottleneck(InputsWithout(BottleneckPart::Drain));
  EXPECT_EQ(Full.DrainCycles, 0);
  EXPECT_EQ(Even.DrainCycles, 0);
  EXPECT_GT(Whole.DrainCycles, 0);
  EXPECT_EQ(Whole.Cycles, Full.Cycles + Whole.DrainCycles);
}

// The same as with these parameters from the start.
TEST(BottleneckSetup, TakesOtherParameters) {
  Device D = roundedToy();
  KernelCharacteristics K = kernel();
  K.Dependence.Summary = loadAndAdd();
  access(K, AddressSpace::Global, AccessKind::Load, 4, 4);
  work(K, SchedClass::FP64, 100);
  KernelOnDevice On(K, D, Estimate::known(16));
  const DevicePoint At = DevicePoint::of(D);
  BottleneckSetup Changed = setupOf(On, plain()),
                  Fresh = setupOf(On, BottleneckParameters());
  auto Time = [&](const BottleneckSetup &S) {
    return evaluateBottleneck(S.inputs(At)).TimeUs;
  };
  EXPECT_NE(Time(Changed), Time(Fresh));
  Changed.setParameters(BottleneckParameters());
  EXPECT_EQ(Time(Changed), Time(Fresh));
}

TEST(BottleneckSetup, ParametersOfTheFileGoBeforeDefaults) {
  Device D = roundedToy();
  BottleneckParameters Default = BottleneckParameters::of(D);
  EXPECT_THAT(Default.Defaults, Contains("dram_efficiency"));
  EXPECT_EQ(Default.DRAMEfficiency, BottleneckParameters().DRAMEfficiency);
  set(D.ModelParameters["bottleneck"]["dram_efficiency"], 0.25);
  BottleneckParameters Given = BottleneckParameters::of(D);
  EXPECT_EQ(Given.DRAMEfficiency, 0.25);
  EXPECT_THAT(Given.Defaults, Not(Contains("dram_efficiency")));
  EXPECT_EQ(Given.Defaults.size() + 1, Default.Defaults.size());
}

Prediction predict(const KernelCharacteristics &K, const Device &D,
                   const DevicePoint &At) {
  return bottleneckModel()
      .prepare(KernelOnDevice(K, D, Estimate::known(16)), {})
      ->predict(At);
}

/// 40 loads of device memory and hardly anything else, or arithmetic alone.
KernelCharacteristics streaming() {
  KernelCharacteristics K = kernel();
  K.Launch.Grid.X = 8000;
  access(K, AddressSpace::Global, AccessKind::Load, 40, 4);
  return K;
}
KernelCharacteristics computing() {
  KernelCharacteristics K = kernel();
  K.Launch.Grid.X = 8000;
  work(K, SchedClass::FP64, 4000);
  return K;
}

TEST(BottleneckModel, MemoryClockMovesStreamsAndCoreClockArithmetic) {
  Device D = roundedToy();
  set(D.L2BytesPerCycle, 3200); // enough at half the clock, too
  DevicePoint At = DevicePoint::of(D), SlowMemory = At, SlowCore = At;
  SlowMemory.MemMHz /= 2;
  SlowCore.CoreMHz /= 2;
  auto TimeOf = [&](const KernelCharacteristics &K, const DevicePoint &P) {
    return predict(K, D, P).TimeUs->Value;
  };
  const KernelCharacteristics Stream = streaming(), Compute = computing();
  EXPECT_EQ(predict(Stream, D, At).Limiter, TimeLimiter::MemoryBandwidth);
  EXPECT_EQ(predict(Compute, D, At).Limiter, TimeLimiter::Compute);
  const double Refresh = BottleneckParameters().Refresh;
  EXPECT_NEAR(TimeOf(Stream, SlowMemory) / TimeOf(Stream, At),
              2 * (1 - Refresh) / (1 - 2 * Refresh), 0.1);
  EXPECT_NEAR(TimeOf(Stream, SlowCore) / TimeOf(Stream, At), 1, 0.1);
  EXPECT_EQ(TimeOf(Compute, SlowMemory), TimeOf(Compute, At));
  EXPECT_NEAR(TimeOf(Compute, SlowCore) / TimeOf(Compute, At), 2, 0.01);
}

TEST(BottleneckModel, NamesWhatLimits) {
  Device D = roundedToy();
  DevicePoint At = DevicePoint::of(D);
  auto LimiterOf = [&](const KernelCharacteristics &K) {
    return predict(K, D, At).Limiter;
  };
  auto Of = [](SchedClass L, double Num) {
    KernelCharacteristics K = kernel();
    K.Launch.Grid.X = 8000;
    work(K, L, Num);
    return K;
  };
  EXPECT_EQ(LimiterOf(Of(SchedClass::BranchTaken, 4000)), TimeLimiter::Issue);
  EXPECT_EQ(LimiterOf(Of(SchedClass::IntMultiply, 4000)), TimeLimiter::Compute);
  EXPECT_EQ(LimiterOf(Of(SchedClass::Texture, 4000)), TimeLimiter::Texture);
  EXPECT_EQ(LimiterOf(Of(SchedClass::Barrier, 4000)), TimeLimiter::Barrier);
  EXPECT_EQ(LimiterOf(Of(SchedClass::CrossLane, 4000)),
            TimeLimiter::SharedMemory);

  KernelCharacteristics K = kernel();
  access(K, AddressSpace::Shared, AccessKind::Load, 1000, 8);
  EXPECT_EQ(LimiterOf(K), TimeLimiter::SharedMemory);

  // The path to the registers, apart from shared memory.
  set(D.L1Bytes, 32 * 1024);
  set(D.L1BytesPerCycle, 1);
  K = kernel();
  access(K, AddressSpace::Global, AccessKind::Load, 1000, 4);
  EXPECT_EQ(LimiterOf(K), TimeLimiter::LoadStore);
  D = roundedToy();
  set(D.ModelParameters["bottleneck"]["l2_to_sm"], 1);
  EXPECT_EQ(LimiterOf(K), TimeLimiter::L2Bandwidth);
  D = roundedToy();
  set(D.L2BytesPerCycle, 1);
  EXPECT_EQ(LimiterOf(K), TimeLimiter::L2Bandwidth);
  D = roundedToy();

  K = kernel();
  access(K, AddressSpace::Global, AccessKind::Atomic, 1, 1).HottestRequests =
      Estimate::known(1e6);
  EXPECT_EQ(LimiterOf(K), TimeLimiter::Atomics);

  // Handing out blocks that do nothing; one block; waiting.
  K = kernel();
  K.Launch.Grid.X = 1'000'000;
  K.Launch.Block.X = 32;
  set(D.ModelParameters["bottleneck"]["block_cycles"], 0);
  EXPECT_EQ(LimiterOf(K), TimeLimiter::Launch);
  K = kernel();
  K.Dependence.Summary = loadAndAdd();
  set(D.ModelParameters["bottleneck"]["block_cycles"], 0);
  access(K, AddressSpace::Global, AccessKind::Load, 1, 1);
  EXPECT_EQ(LimiterOf(K), TimeLimiter::MemoryLatency);
  K.Launch.Grid.X = 9; // of ten SMs
  EXPECT_EQ(LimiterOf(K), TimeLimiter::Launch);
  K.Launch.Grid.X = 80;
  set(D.MaxBlocksPerSM, 1); // 8 of 32 warps
  EXPECT_EQ(LimiterOf(K), TimeLimiter::Occupancy);
  set(D.ModelParameters["bottleneck"]["block_cycles"], 5000);
  EXPECT_EQ(LimiterOf(K), TimeLimiter::Latency);
}

TEST(BottleneckModel, TermsAreOfWhatIsUsed) {
  Device D = roundedToy();
  Prediction P = predict(computing(), D, DevicePoint::of(D));
  EXPECT_EQ(P.term("N_fp64"), 4000);
  EXPECT_FALSE(P.term("N_fp32"));
  EXPECT_FALSE(P.term("Share_dram"));
  double Shares = 0;
  ArrayRef<StringRef> Names = bottleneckModel().termNames();
  for (const Term &T : P.Terms) {
    EXPECT_THAT(Names, Contains(T.Name));
    if (T.Name.starts_with("Share_"))
      Shares += T.Value;
  }
  EXPECT_NEAR(Shares, 1, 1e-9);
}

// The toy's memory runs at 1000 MHz.
TEST(BottleneckSetup, RefreshingTakesAsManyCyclesAtAllClocks) {
  Device D = roundedToy();
  KernelCharacteristics K = kernel();
  access(K, AddressSpace::Global, AccessKind::Load, 100, 4);
  BottleneckParameters Set = plain();
  Set.Refresh = 0.1;
  auto RateAt = [&](double MHz) {
    DevicePoint At = DevicePoint::of(D);
    At.MemMHz = MHz;
    BottleneckSetup S = setupOf(KernelOnDevice(K, D, Estimate::known(16)), Set);
    return S.inputs(At).Rate.of(Resource::DRAM);
  };
  const double Nominal = *D.MemoryMHz, Bytes = RateAt(Nominal);
  EXPECT_DOUBLE_EQ(RateAt(Nominal / 2), Bytes / 2 * (1 - 0.2) / (1 - 0.1));
  EXPECT_DOUBLE_EQ(RateAt(Nominal / 5), Bytes / 5 * (1 - 0.5) / (1 - 0.1));
  // Nearer to the slower state's clock its timings hold.
  Set.SlowMemoryMHz = Nominal / 4;
  EXPECT_DOUBLE_EQ(RateAt(Nominal / 5), Bytes / 5 * (1 - 0.125) / (1 - 0.1));
  EXPECT_DOUBLE_EQ(RateAt(Nominal / 1.6), Bytes / 1.6 * (1 - 0.16) / (1 - 0.1));
}

/// How wide the interval of a prediction is whose counts are known.
double errorFactor(const Prediction &P) {
  const BottleneckParameters Set;
  return Set.ErrorFactor *
         std::pow(Set.DRAMErrorFactor / Set.ErrorFactor,
                  P.term("Share_dram").value_or(0)) *
         std::pow(Set.LatencyErrorFactor / Set.ErrorFactor,
                  P.term("Share_latency").value_or(0));
}

TEST(BottleneckModel, BandwidthIsKnownBetterAndWaitingLessWell) {
  Device D = roundedToy();
  Prediction P = predict(streaming(), D, DevicePoint::of(D));
  EXPECT_GT(P.term("Share_dram").value_or(0), 0.5);
  EXPECT_NEAR(P.TimeUs->High / P.TimeUs->Value, errorFactor(P), 1e-9);
  EXPECT_LT(errorFactor(P), BottleneckParameters().ErrorFactor);
  KernelCharacteristics K = kernel();
  access(K, AddressSpace::Global, AccessKind::Load, 1, 4);
  K.Dependence.Summary = loadAndAdd();
  K.Launch.Grid.X = 1; // of which one block waits
  Prediction Waiting = predict(K, D, DevicePoint::of(D));
  EXPECT_GT(Waiting.term("Share_latency").value_or(0), 0.5);
  EXPECT_NEAR(Waiting.TimeUs->High / Waiting.TimeUs->Value,
              errorFactor(Waiting), 1e-9);
  EXPECT_GT(errorFactor(Waiting), BottleneckParameters().ErrorFactor);
}

TEST(BottleneckModel, IntervalHoldsTheEndsOfCountsAndTheError) {
  Device D = roundedToy();
  KernelCharacteristics K = computing();
  Prediction Exact = predict(K, D, DevicePoint::of(D));
  const double Factor = errorFactor(Exact);
  EXPECT_NEAR(Exact.TimeUs->High, Exact.TimeUs->Value * Factor, 1e-9);
  EXPECT_NEAR(Exact.TimeUs->Low, Exact.TimeUs->Value / Factor, 1e-9);
  EXPECT_EQ(Exact.TimeUs->Status, Status::Estimated);
  K.ByWork[unsigned(SchedClass::FP64)] =
      Estimate(4000, Status::Assumed, 2000, 12000);
  K.Instructions = *K.ByWork[unsigned(SchedClass::FP64)];
  Prediction Wide = predict(K, D, DevicePoint::of(D));
  EXPECT_EQ(Wide.TimeUs->Value, Exact.TimeUs->Value);
  EXPECT_EQ(Wide.TimeUs->Status, Status::Assumed);
  EXPECT_NEAR(Wide.TimeUs->High / Exact.TimeUs->High, 3, 0.01);
  EXPECT_NEAR(Wide.TimeUs->Low / Exact.TimeUs->Low, 0.5, 0.01);
}

TEST(BottleneckModel, SaysWhatItTakesForGranted) {
  Device D = roundedToy();
  KernelCharacteristics K = computing();
  K.Launch.Grid.X = 4;
  K.UnknownOpcodes["foo"] = 1;
  K.TotalInstructions = 10;
  K.ModelledInstructions = 9;
  std::vector<std::string> Notes =
      predict(K, D, DevicePoint::of(D)).Applies.Notes;
  EXPECT_THAT(Notes,
              Contains(HasSubstr("no constant of the model was measured")));
  EXPECT_THAT(Notes, Contains(HasSubstr("hit rates")));
  EXPECT_THAT(Notes, Contains("the launch is small: 4 of 10 SMs get a block"));
  EXPECT_THAT(Notes, Contains(HasSubstr("unknown opcode")));
#define BOTTLENECK_PARAMETER(MEMBER, KEY, UNIT, LOWEST, HIGHEST, DEFAULT,      \
                             SIGMA, MEANING)                                   \
  set(D.ModelParameters["bottleneck"][KEY], DEFAULT);
#include "ptxpredict/Device/BottleneckParameters.def"
  EXPECT_THAT(predict(K, D, DevicePoint::of(D)).Applies.Notes,
              Not(Contains(HasSubstr("measured"))));
}

} // namespace

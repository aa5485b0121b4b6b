//===- MemoryTrafficTest.cpp - What a kernel moves at each level ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/MemoryTraffic.h"
#include "TestDevices.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

MemoryCharacteristics access(StringRef Opcode, AddressSpace Space,
                             AccessKind Access) {
  MemoryCharacteristics M;
  M.Opcode = Opcode.str();
  M.Space = Space;
  M.Access = Access;
  M.BytesPerLane = 4;
  M.Requests = Estimate::known(10);
  M.ActiveLanes = Estimate::known(32);
  if (Space == AddressSpace::Shared)
    M.Wavefronts = Estimate::known(1);
  else
    M.Sectors = Estimate::known(4), M.Lines = Estimate::known(1);
  return M;
}

MemoryTraffic trafficOf(const MemoryCharacteristics &M, const Device &D,
                        double Estimate::*Which = &Estimate::Value) {
  KernelCharacteristics K;
  K.Launch.Grid = {10, 1, 1};
  K.Launch.Block = {64, 1, 1};
  K.Memory = {M};
  return findMemoryTraffic(KernelOnDevice(K, D, Estimate::known(16)), Which);
}

TEST(MemoryTraffic, LoadsLookInL1ByOperatorAndDevice) {
  Device D = toyDevice();
  auto Looks = [&](StringRef Opcode, AddressSpace Space = AddressSpace::Global,
                   AccessKind Access = AccessKind::Load) {
    return looksInL1(D, access(Opcode, Space, Access));
  };
  EXPECT_TRUE(Looks("ld.global.f32")); // where the file does not say, too
  for (double Holds : {1.0, 0.0}) {
    set(D.L1HoldsGlobalLoads, Holds);
    EXPECT_EQ(Looks("ld.global.f32"), Holds == 1);
    EXPECT_EQ(Looks("ld.global.v4.f32"), Holds == 1);
    EXPECT_TRUE(Looks("ld.global.nc.f32"));
    EXPECT_TRUE(Looks("ld.global.ca.f32"));
    EXPECT_TRUE(Looks("ld.local.f32", AddressSpace::Local));
    for (const char *Opcode :
         {"ld.global.cg.f32", "ld.global.cv.f32", "ld.volatile.global.f32",
          "ld.relaxed.gpu.global.f32", "ld.acquire.gpu.global.f32"})
      EXPECT_FALSE(Looks(Opcode)) << Opcode;
    EXPECT_FALSE(
        Looks("st.global.f32", AddressSpace::Global, AccessKind::Store));
    EXPECT_FALSE(
        Looks("atom.global.add.f32", AddressSpace::Global, AccessKind::Atomic));
  }
}

TEST(MemoryTraffic, SectorsByKindOfAccess) {
  Device D = toyDevice();
  MemoryTraffic Load = trafficOf(
      access("ld.global.f32", AddressSpace::Global, AccessKind::Load), D);
  EXPECT_EQ(Load.LoadSectors, 40);
  EXPECT_EQ(Load.L1Sectors, 40);
  EXPECT_EQ(Load.L2ReadSectors, 40); // of hits nothing is known
  EXPECT_EQ(Load.L2WriteSectors, 0);
  EXPECT_EQ(Load.DRAMSectors, 40);
  EXPECT_FALSE(Load.HasHits);

  MemoryTraffic Past = trafficOf(
      access("ld.global.cg.f32", AddressSpace::Global, AccessKind::Load), D);
  EXPECT_EQ(Past.LoadSectors, 40);
  EXPECT_EQ(Past.L1Sectors, 0);

  MemoryTraffic Store = trafficOf(
      access("st.global.f32", AddressSpace::Global, AccessKind::Store), D);
  EXPECT_EQ(Store.LoadSectors, 0);
  EXPECT_EQ(Store.L2WriteSectors, 40);
  EXPECT_EQ(Store.AtomicSectors, 0);

  MemoryCharacteristics Atomic =
      access("atom.global.add.f32", AddressSpace::Global, AccessKind::Atomic);
  Atomic.HottestRequests = Estimate::known(17);
  MemoryTraffic T = trafficOf(Atomic, D);
  EXPECT_EQ(T.AtomicSectors, 40);
  EXPECT_EQ(T.L2WriteSectors, 40);
  ASSERT_EQ(T.Atomics.size(), 1u);
  EXPECT_EQ(T.Atomics[0].Lanes, 17);
  EXPECT_TRUE(T.Atomics[0].AddsFloat);
  Atomic.HottestLanes = Estimate::known(500);
  EXPECT_EQ(trafficOf(Atomic, D).Atomics[0].Lanes, 500);
  Atomic.Merge = AtomicMerge::Warp; // a lane of each request
  EXPECT_EQ(trafficOf(Atomic, D).Atomics[0].Lanes, 17);

  MemoryTraffic Copy =
      trafficOf(access("cp.async.cg.shared.global", AddressSpace::Global,
                       AccessKind::Async),
                D);
  EXPECT_EQ(Copy.LoadSectors, 0);
  EXPECT_EQ(Copy.L2ReadSectors, 40);
  EXPECT_EQ(Copy.DRAMSectors, 40);

  // Of parameters and constants nothing leaves the SM; prefetches are free.
  for (auto [Space, Kind] : {std::pair(AddressSpace::Param, AccessKind::Load),
                             {AddressSpace::Const, AccessKind::Load},
                             {AddressSpace::Global, AccessKind::Prefetch}}) {
    MemoryTraffic None = trafficOf(access("", Space, Kind), D);
    EXPECT_EQ(None.l2Sectors() + None.L1Cycles + None.DRAMSectors, 0);
  }
}

TEST(MemoryTraffic, CyclesOfL1) {
  Device D = toyDevice();
  MemoryCharacteristics M =
      access("ld.global.f32", AddressSpace::Global, AccessKind::Load);
  auto Cycles = [&] { return trafficOf(M, D).L1Cycles; };
  EXPECT_EQ(Cycles(), 10); // one a request at least
  set(D.L1BytesPerCycle, 64);
  EXPECT_EQ(Cycles(), 20);
  M.ActiveLanes = Estimate::known(8);
  EXPECT_EQ(Cycles(), 10);
  // Stores, and before 7.0 all, take a cycle a line.
  M.Access = AccessKind::Store;
  M.Lines = Estimate::known(7);
  EXPECT_EQ(Cycles(), 70);
  // Wide ones a half or quarter of the warp after the other, since 7.0.
  M.Transactions[unsigned(AccessRule::CC20)] = Estimate::known(9);
  D.ComputeCapability = 70;
  EXPECT_EQ(Cycles(), 70);
  M.BytesPerLane = 8;
  EXPECT_EQ(Cycles(), 90);
  D.ComputeCapability = 61;
  EXPECT_EQ(Cycles(), 70);
  M.Access = AccessKind::Load;
  M.BytesPerLane = 4;
  M.Lines.reset(); // four sectors a line
  M.Sectors = Estimate::known(32);
  EXPECT_EQ(Cycles(), 80);
  M.Sectors.reset(); // a sector a lane
  EXPECT_EQ(Cycles(), 20);
  EXPECT_EQ(trafficOf(M, D).LoadSectors, 80);
}

TEST(MemoryTraffic, ReadOnlyLoadsOfOldDevicesGoThroughTextureUnits) {
  Device D = toyDevice();
  auto Read = [&](StringRef Opcode, AccessKind Access = AccessKind::Load) {
    return trafficOf(access(Opcode, AddressSpace::Global, Access), D);
  };
  for (unsigned CC : {30, 35, 37, 50, 90}) {
    SCOPED_TRACE(CC);
    D.ComputeCapability = CC;
    const bool HasOwnPath = CC == 35 || CC == 37;
    MemoryTraffic T = Read("ld.global.nc.f32");
    EXPECT_EQ(T.TextureLanes, HasOwnPath ? 320 : 0);
    EXPECT_EQ(T.L1Cycles > 0, !HasOwnPath);
    EXPECT_EQ(T.LoadSectors, 40);
    EXPECT_EQ(Read("ld.global.f32").TextureLanes, 0);
    EXPECT_EQ(Read("st.global.f32", AccessKind::Store).TextureLanes, 0);
  }
}

TEST(MemoryTraffic, WavefrontsOfSharedMemory) {
  Device D = toyDevice();
  MemoryCharacteristics M =
      access("ld.shared.f32", AddressSpace::Shared, AccessKind::Load);
  auto Check = [&](double Wavefronts, double Cycles) {
    MemoryTraffic T = trafficOf(M, D);
    EXPECT_EQ(T.SharedWavefronts, Wavefronts);
    EXPECT_EQ(T.SharedCycles, Cycles);
    EXPECT_EQ(T.L1Cycles + T.l2Sectors(), 0);
  };
  Check(10, 10);
  M.Wavefronts = Estimate::known(4); // conflicts
  Check(40, 40);
  M.BytesPerLane = 16; // one address for all lanes
  M.PairedWavefronts = Estimate::known(2);
  Check(40, 40);
  set(D.SharedPairs, 0);
  Check(40, 40);
  set(D.SharedPairs, 1);
  Check(20, 20);
  set(D.SharedBytesPerCycle, 64); // of the 128 that a pass could bring
  Check(20, 40);
  M.PairedWavefronts.reset();
  Check(40, 80);
  // Two that an assembler makes one of: 256 bytes in three passes, each of
  // which takes the path for two cycles.
  M.BytesPerLane = 4;
  M.Joined = 2;
  M.JoinedWavefronts = Estimate::known(3);
  Check(15, 30);
}

// From 7.0 on a load takes the banks' passes, or a quarter of its lines.
TEST(MemoryTraffic, L1HasBanksAndLooksUpFourLines) {
  Device D = toyDevice();
  D.ComputeCapability = 90;
  MemoryCharacteristics M =
      access("ld.global.f32", AddressSpace::Global, AccessKind::Load);
  auto Cycles = [&] { return trafficOf(M, D).L1Cycles / 10; };
  EXPECT_EQ(Cycles(), 1);
  M.Sectors = Estimate::known(32);
  M.Lines = Estimate::known(12);
  EXPECT_EQ(Cycles(), 3);
  M.L1Wavefronts = Estimate::known(4); // 12 words from lane to lane
  EXPECT_EQ(Cycles(), 4);
  M.Access = AccessKind::Store;
  EXPECT_EQ(Cycles(), 12);
  D.ComputeCapability = 61;
  M.Access = AccessKind::Load;
  EXPECT_EQ(Cycles(), 12);
}

// Numbers as of sm-90: few sectors of a line take L2 as long as two, and what
// is written longer than what is read.
TEST(MemoryTraffic, LinesOfL2) {
  Device D = toyDevice();
  MemoryCharacteristics M =
      access("ld.global.f32", AddressSpace::Global, AccessKind::Load);
  auto Work = [&](BottleneckParts Without = {}) {
    KernelCharacteristics K;
    K.Launch.Grid = {10, 1, 1};
    K.Launch.Block = {64, 1, 1};
    K.Memory = {M};
    KernelOnDevice On(K, D, Estimate::known(16));
    return findMemoryTraffic(On, &Estimate::Value, Without).L2Work / 10;
  };
  M.Sectors = M.Lines = Estimate::known(32);
  EXPECT_EQ(Work(), 32 + 32); // to L2, and from device memory
  set(D.L2ReadFloor, 1.5);
  EXPECT_EQ(Work(), 48 + 32);
  EXPECT_EQ(Work(BottleneckPart::L2Lines), 32 + 32);
  M.Lines = Estimate::known(16); // two of a line
  EXPECT_EQ(Work(), 32 + 32);

  M = access("st.global.f32", AddressSpace::Global, AccessKind::Store);
  EXPECT_EQ(Work(), 4 + 4);
  set(D.L2WriteLine, 2);
  set(D.L2WriteSector, 1.5);
  EXPECT_EQ(Work(), 2 + 4 * 1.5); // it leaves L2 meanwhile
  EXPECT_EQ(Work(BottleneckPart::L2Lines), 4 + 4);
  M.Sectors = M.Lines = Estimate::known(32); // of which 4 bytes are written
  EXPECT_DOUBLE_EQ(Work(), 32 * 2 + 32 * 1.5 * 1.32);
  // Two stores side by side of a thread are one if they lie in few lines.
  M.WiderAccesses = 2;
  EXPECT_DOUBLE_EQ(Work(), 32 * 2 + 32 * 1.5 * 1.32);
  M.Sectors = Estimate::known(8);
  M.Lines = Estimate::known(2);
  EXPECT_DOUBLE_EQ(Work(), (2 * 2 + 8 * 1.5 * 1.32) / 2);
}

// Device memory moves what lies beside a sector, and reads what it writes a
// part of.
TEST(MemoryTraffic, NeighboursOfSectors) {
  Device D = toyDevice();
  set(D.L2Bytes, 0);
  KernelCharacteristics K;
  K.Launch.Grid = {10, 1, 1};
  K.Launch.Block = {64, 1, 1};
  K.Memory = {access("st.global.f32", AddressSpace::Global, AccessKind::Store)};
  K.Reuse.emplace();
  BlocksFootprint &F = K.Reuse->Blocks.emplace_back();
  F.Blocks = 10;
  F.Touched.WrittenSectors = Estimate::known(100);
  F.Touched.WrittenBytes = Estimate::known(3200);
  F.Spread = 1.5;
  auto Sectors = [&] {
    return findMemoryTraffic(KernelOnDevice(K, D, Estimate::known(16)))
        .DRAMSectors;
  };
  EXPECT_EQ(Sectors(), 10 * 4); // nobody knows how much it moves
  set(D.DRAMGranule, 32);
  EXPECT_EQ(Sectors(), 10 * 4);
  set(D.DRAMGranule, 64);
  EXPECT_EQ(Sectors(), 10 * 4 * 1.5);
  F.Touched.WrittenBytes = Estimate::known(2400); // each second one in part
  EXPECT_EQ(Sectors(), 10 * 4 * 1.5 * 1.5);
  F.Touched.WrittenBytes = Estimate::known(400); // a word of each
  EXPECT_EQ(Sectors(), 10 * 4 * 2 * 1.5);
  F.Spread = 1; // rows, whose ends are few
  EXPECT_EQ(Sectors(), 10 * 4);
}

// Where data decide the addresses, only bounds are known; the mean is taken to
// be half as scattered, on the scale of factors.
TEST(MemoryTraffic, GathersAreHalfAsScatteredAsTheyCouldBe) {
  Device D = toyDevice();
  D.ComputeCapability = 61; // a line a cycle
  MemoryCharacteristics M =
      access("ld.global.f32", AddressSpace::Global, AccessKind::Load);
  M.Sectors = Estimate(16, Status::Unknown, 4, 16);
  EXPECT_DOUBLE_EQ(trafficOf(M, D).LoadSectors, 10 * 8);
  EXPECT_EQ(trafficOf(M, D, &Estimate::Low).LoadSectors, 10 * 4);
  EXPECT_EQ(trafficOf(M, D, &Estimate::High).LoadSectors, 10 * 16);
  // What is assumed of a launch is a number, not a bound.
  M.Sectors->Status = Status::Assumed;
  EXPECT_EQ(trafficOf(M, D).LoadSectors, 10 * 16);
  // What is estimated is better known.
  M.Sectors->Status = Status::Estimated;
  EXPECT_EQ(trafficOf(M, D).LoadSectors, 10 * 16);
  // Lines likewise.
  M.Lines = Estimate(16, Status::Unknown, 1, 16);
  EXPECT_DOUBLE_EQ(trafficOf(M, D).L1Cycles, 10 * 4);
  // Of one stride for all lanes data do not decide.
  M.LaneStrideBytes = 16;
  EXPECT_EQ(trafficOf(M, D).L1Cycles, 10 * 16);
}

} // namespace

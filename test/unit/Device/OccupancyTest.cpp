//===- OccupancyTest.cpp - Tests of theoretical occupancy -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Device/Occupancy.h"
#include "CapabilityDevices.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

class OccupancyTest : public ::testing::Test {
protected:
  /// An embedded device, or "toy".
  const Device &device(StringRef Name) {
    if (Name == "toy" && !ToyAdded) {
      DiagnosticEngine Diags(std::move(
          *llvm::MemoryBuffer::getFile(PTXPREDICT_TEST_INPUTS "/toy.yaml")));
      EXPECT_FALSE(Registry.addFile(Diags));
      ToyAdded = true;
    }
    Expected<const Device *> D = Registry.find(Name);
    EXPECT_TRUE(bool(D)) << Name.str();
    return **D;
  }
  Occupancy on(StringRef Name, BlockResources R) {
    return computeOccupancy(device(Name), R);
  }

private:
  DeviceRegistry Registry;
  bool ToyAdded = false;
};

/// Calls \p Body with the cells of each row of a golden file, as numbers.
void forEachRow(StringRef File,
                llvm::function_ref<void(ArrayRef<unsigned>, StringRef)> Body) {
  auto Buffer =
      llvm::MemoryBuffer::getFile(PTXPREDICT_TEST_INPUTS "/golden/" + File);
  ASSERT_TRUE(bool(Buffer)) << File.str();
  SmallVector<StringRef, 0> Lines;
  (*Buffer)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  unsigned Rows = 0;
  for (StringRef Line : Lines) {
    if (!llvm::isDigit(Line.front()))
      continue; // a comment or the header
    SmallVector<StringRef, 8> Cells;
    Line.split(Cells, ',');
    SmallVector<unsigned, 8> Numbers(Cells.size());
    for (size_t I = 0; I != Cells.size(); ++I)
      ASSERT_FALSE(Cells[I].getAsInteger(10, Numbers[I])) << Line.str();
    Body(Numbers, Line);
    ++Rows;
  }
  EXPECT_GT(Rows, 2000u);
}

/// What test/Inputs/golden/README.md says of the table.
TEST_F(OccupancyTest, AgreesWithTheCudaHeader) {
  DeviceRegistry Registry;
  std::map<unsigned, const Device *> Devices;
  for (const test::CapabilityDevice &C : test::CapabilityDevices)
    Devices[C.ComputeCapability] = deviceOf(Registry, C);
  std::map<unsigned, unsigned> Rows;
  // The bits of the header's limits, in the order of OccupancyLimiter.
  constexpr unsigned Bits[NumOccupancyLimiters] = {2, 4, 1, 8, 16};
  forEachRow("occupancy.csv", [&](ArrayRef<unsigned> C, StringRef Line) {
    ASSERT_EQ(C.size(), 7u);
    ASSERT_NE(Devices[C[0]], nullptr) << C[0];
    Occupancy O = computeOccupancy(*Devices[C[0]], {C[1], C[2], C[3], C[4]});
    EXPECT_EQ(O.BlocksPerSM, C[5]) << Line.str() << '\n' << O.Reason;
    EXPECT_EQ(O.Reason.empty(), O.BlocksPerSM != 0) << Line.str();
    EXPECT_EQ((C[6] & Bits[unsigned(O.Limiter)]) != 0, C[5] != 0) << Line.str();
    ++Rows[C[0]];
  });
  EXPECT_EQ(Rows.size(), 21u);
  for (auto [Capability, N] : Rows)
    EXPECT_GE(N, 100u) << Capability;
}

/// Values of the CUDA occupancy calculator, the last of which (4.2 and 5.3 of
/// Gajger's thesis) have the limits of a GTX 970; worked out by hand for 1.x
/// and 2.0, which the header does not know.
TEST_F(OccupancyTest, AgreesWithPublishedAndHandWorkedExamples) {
  struct {
    StringRef Device;
    BlockResources R;
    unsigned Blocks;
    OccupancyLimiter Limiter;
  } const Cases[] = {
      // 8 warps x 32 x 10 registers = 2560, a multiple of 256: three blocks.
      {"8800-gtx", {256, 10, 2048, 1}, 3, OccupancyLimiter::Threads},
      // 2816 registers: only two.
      {"8800-gtx", {256, 11, 2048, 1}, 2, OccupancyLimiter::Registers},
      // 3 warps count as 4: 4 x 32 x 33 = 4224 -> 4352 of 8192 registers.
      {"8800-gtx", {96, 33, 0, 0}, 1, OccupancyLimiter::Registers},
      // 16384 / 4096 bytes, each rounded from 3600 to 3600 -> 4096 by 512.
      {"gtx-280", {64, 8, 3600, 0}, 4, OccupancyLimiter::SharedMemory},
      // 8 warps x 32 x 20 = 5120 -> 5120 of 16384 registers.
      {"gtx-280", {256, 20, 0, 0}, 3, OccupancyLimiter::Registers},
      {"gtx-280", {128, 8, 0, 0}, 8, OccupancyLimiter::Threads},
      {"gtx-280", {32, 8, 0, 0}, 8, OccupancyLimiter::Blocks},
      // 21 x 32 = 672 -> 704 of 32768: 46 warps, 23 in each half.
      {"c2075", {192, 21, 0, 0}, 7, OccupancyLimiter::Registers},
      {"c2075", {192, 20, 0, 0}, 8, OccupancyLimiter::Threads},
      {"gtx-970", {256, 16, 12288, 1}, 8, OccupancyLimiter::Threads},
      {"gtx-970", {256, 8, 0, 0}, 8, OccupancyLimiter::Threads},
      {"gtx-970", {32, 8, 49152, 0}, 2, OccupancyLimiter::SharedMemory},
      {"gtx-970", {64, 8, 0, 0}, 32, OccupancyLimiter::Threads},
      {"gtx-970", {16, 8, 0, 0}, 32, OccupancyLimiter::Blocks},
      {"h100-sxm", {32, 16, 0, 16}, 4, OccupancyLimiter::Barriers},
  };
  for (const auto &C : Cases) {
    Occupancy O = on(C.Device, C.R);
    std::string What = (C.Device + ", " + Twine(C.R.Threads) + " threads, " +
                        Twine(C.R.RegistersPerThread) + " registers")
                           .str();
    EXPECT_EQ(O.BlocksPerSM, C.Blocks) << What;
    EXPECT_EQ(toString(O.Limiter), toString(C.Limiter)) << What;
  }
}

/// Fermi: at most 8 blocks and 48 warps (Song's thesis, 5.5-F(a): blocks of 128
/// threads give 8 blocks, 32 warps; Hong's thesis, 5.4: 48 warps are a full
/// SM).
TEST_F(OccupancyTest, AgreesWithTheRuleForFermi) {
  for (StringRef Name : {"c2075", "gtx-580"})
    for (unsigned Warps = 1; Warps <= 32; ++Warps) {
      unsigned Blocks = std::min(8u, 48 / Warps);
      Occupancy O = on(Name, {Warps * 32, 20, 0, 0});
      EXPECT_EQ(O.BlocksPerSM, Blocks) << Warps;
      EXPECT_EQ(O.WarpsPerSM, Blocks * Warps) << Warps;
    }
  EXPECT_EQ(on("c2075", {128, 20, 0, 0}).WarpsPerSM, 32u);
  EXPECT_EQ(on("c2075", {192, 20, 0, 0}).Fraction, 1.0);
}

TEST_F(OccupancyTest, GivesWarpsAndFraction) {
  Occupancy O = on("toy", {96, 32, 0, 1}); // 3 warps; 1024 registers a warp
  EXPECT_EQ(O.BlocksPerSM, 10u);
  EXPECT_EQ(O.WarpsPerSM, 30u);
  EXPECT_DOUBLE_EQ(O.Fraction, 30.0 / 32);
  EXPECT_EQ(O.Reason, "");
  EXPECT_EQ(on("toy", {33, 0, 0, 0}).WarpsPerSM, 32u);
}

TEST_F(OccupancyTest, SaysWhyABlockDoesNotFit) {
  struct {
    BlockResources R;
    OccupancyLimiter Limiter;
    StringRef Why;
  } const Cases[] = {
      {{0, 16, 0, 0}, OccupancyLimiter::Threads, "the block has no thread"},
      {{1025, 16, 0, 0},
       OccupancyLimiter::Threads,
       "1025 threads a block are 1 more than the limit of 1024"},
      {{32, 256, 0, 0},
       OccupancyLimiter::Registers,
       "256 registers a thread are 1 more than the limit of 255"},
      {{32, 16, 65540, 0},
       OccupancyLimiter::SharedMemory,
       "65540 bytes of shared memory a block are 4 more than the limit of "
       "65536"},
      {{32, 16, 0, 17},
       OccupancyLimiter::Barriers,
       "17 barriers a block are 1 more than the limit of 16"},
      {{1024, 33, 0, 0},
       OccupancyLimiter::Registers,
       "40960 registers, as granted to a block, are 8192 more than the limit "
       "of 32768"},
  };
  for (const auto &C : Cases) {
    Occupancy O = on("toy", C.R);
    EXPECT_EQ(O.BlocksPerSM, 0u);
    EXPECT_EQ(O.WarpsPerSM, 0u);
    EXPECT_EQ(O.Fraction, 0);
    EXPECT_EQ(toString(O.Limiter), toString(C.Limiter));
    EXPECT_EQ(O.Reason, C.Why);
  }
}

TEST_F(OccupancyTest, GivesWhatEachLimitAllows) {
  // 8 warps of 32 x 40 -> 1280 registers; 20480 + 1024 bytes.
  Occupancy O = on("h100-sxm", {256, 40, 20480, 2});
  EXPECT_EQ(O.limit(OccupancyLimiter::Threads), 8u);
  EXPECT_EQ(O.limit(OccupancyLimiter::Blocks), 32u);
  EXPECT_EQ(O.limit(OccupancyLimiter::Registers), 6u);
  EXPECT_EQ(O.limit(OccupancyLimiter::SharedMemory), 10u);
  EXPECT_EQ(O.limit(OccupancyLimiter::Barriers), 32u);
  EXPECT_EQ(on("v100", {256, 0, 0, 1}).limit(OccupancyLimiter::Registers),
            Occupancy::NoLimit);
  EXPECT_EQ(on("v100", {256, 32, 0, 1}).limit(OccupancyLimiter::Barriers),
            Occupancy::NoLimit);
  // A limit that refuses leaves the others as they are.
  O = on("h100-sxm", {256, 300, 20480, 0});
  EXPECT_EQ(O.limit(OccupancyLimiter::Registers), 0u);
  EXPECT_EQ(O.limit(OccupancyLimiter::SharedMemory), 10u);
}

TEST_F(OccupancyTest, SaysWhatLetsMoreBlocksIn) {
  const Device &D = device("h100-sxm");
  auto Reduced = [&](BlockResources R, unsigned Blocks) {
    return reduceToFit(D, R, Blocks).value_or(BlockResources());
  };
  // 65536 / 4 / 7 blocks' 14 warps of each partition: 1170 -> 1024 a warp.
  EXPECT_EQ(Reduced({256, 40, 0, 0}, 7).RegistersPerThread, 32u);
  // (233472 / 3) down to 128 less the 1024 of the system.
  EXPECT_EQ(Reduced({256, 32, 100000, 0}, 3).SharedBytes, 76800u);
  EXPECT_EQ(Reduced({256, 32, 100000, 0}, 3).RegistersPerThread, 32u);
  // Both have to give way.
  EXPECT_EQ(Reduced({256, 96, 100000, 0}, 3).SharedBytes, 76800u);
  EXPECT_EQ(Reduced({256, 96, 100000, 0}, 3).RegistersPerThread, 80u);
  EXPECT_EQ(Reduced({32, 16, 0, 16}, 5).Barriers, 12u);
  // The SM's warps are all taken.
  EXPECT_FALSE(reduceToFit(D, {256, 32, 0, 0}, 9));
  EXPECT_FALSE(reduceToFit(D, {1025, 32, 0, 0}, 1));
  // What already fits stays.
  EXPECT_EQ(Reduced({256, 24, 100, 1}, 8).SharedBytes, 100u);
}

/// What is found by bisection is an edge: one more takes a block away.
TEST_F(OccupancyTest, FindsTheEdges) {
  for (StringRef Name : {"8800-gtx", "c2075", "p100", "t4", "h100-sxm"}) {
    const Device &D = device(Name);
    for (unsigned Threads : {32u, 96u, 256u, 500u}) {
      BlockResources R{Threads, 16, 4000, 1};
      unsigned Blocks = computeOccupancy(D, R).BlocksPerSM;
      std::string What = Name.str() + ' ' + std::to_string(Threads);
      ASSERT_NE(Blocks, 0u) << What;
      BlockResources Edge = R;
      Edge.RegistersPerThread = mostRegistersFor(D, R, Blocks);
      EXPECT_EQ(computeOccupancy(D, Edge).BlocksPerSM, Blocks) << What;
      ++Edge.RegistersPerThread;
      EXPECT_LT(computeOccupancy(D, Edge).BlocksPerSM, Blocks) << What;
      Edge = R;
      Edge.SharedBytes = mostSharedBytesFor(D, R, Blocks);
      EXPECT_EQ(computeOccupancy(D, Edge).BlocksPerSM, Blocks) << What;
      ++Edge.SharedBytes;
      EXPECT_LT(computeOccupancy(D, Edge).BlocksPerSM, Blocks) << What;
    }
  }
}

TEST_F(OccupancyTest, DrawsCurvesThatHoldEveryStep) {
  for (StringRef Name : {"gtx-280", "c2075", "v100", "h100-sxm", "rtx-5090"}) {
    SCOPED_TRACE(Name.str());
    const Device &D = device(Name);
    BlockResources R{200, 21, 3001, 1};
    OccupancyCurves Curves = occupancyCurves(D, R);
    EXPECT_EQ(Curves.Block.size(), size_t(*D.MaxThreadsPerBlock / 32) + 1);
    EXPECT_EQ(Curves.Registers.size(), size_t(*D.MaxRegistersPerThread));
    // Between two points of the curve nothing happens but at the second.
    const std::vector<OccupancyPoint> &Shared = Curves.Shared;
    ASSERT_GT(Shared.size(), 16u);
    EXPECT_EQ(Shared.front().Value, 0u);
    EXPECT_EQ(Shared.back().Value, uint64_t(*D.SharedBytesPerBlockOptIn));
    size_t Next = 0;
    bool HasOwn = false;
    for (uint64_t Bytes = 0; Bytes <= Shared.back().Value; Bytes += 1) {
      R.SharedBytes = Bytes;
      if (Bytes % 64 > 1 && Bytes != Shared[Next].Value)
        continue; // no device grants less than 64 bytes
      EXPECT_EQ(computeOccupancy(D, R).BlocksPerSM,
                Shared[Next].Occ.BlocksPerSM)
          << Bytes;
      HasOwn |= Shared[Next].Value == 3001;
      Next += Bytes == Shared[Next].Value;
    }
    EXPECT_TRUE(HasOwn);
    for (auto *Curve : {&Curves.Block, &Curves.Registers, &Curves.Shared})
      for (size_t I = 1; I < Curve->size(); ++I)
        EXPECT_LT((*Curve)[I - 1].Value, (*Curve)[I].Value);
  }
}

/// More of anything never lets more blocks in.
TEST_F(OccupancyTest, FallsWithEveryResource) {
  for (StringRef Name : {"8800-gtx", "c2075", "p100", "h100-sxm", "toy"}) {
    unsigned Before = ~0u;
    for (unsigned Registers = 0; Registers != 256; ++Registers) {
      unsigned Blocks = on(Name, {192, Registers, 0, 1}).BlocksPerSM;
      EXPECT_LE(Blocks, Before) << Name.str() << ' ' << Registers;
      Before = Blocks;
    }
    Before = ~0u;
    for (uint64_t Bytes = 0; Bytes < 300000; Bytes += 100) {
      unsigned Blocks = on(Name, {64, 8, Bytes, 1}).BlocksPerSM;
      EXPECT_LE(Blocks, Before) << Name.str() << ' ' << Bytes;
      Before = Blocks;
    }
  }
}

} // namespace

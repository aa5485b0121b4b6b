//===- OccupancyTest.cpp - Tests of theoretical occupancy -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Device/Occupancy.h"
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
  EXPECT_GT(Rows, 100u);
}

TEST_F(OccupancyTest, AgreesWithTheCudaHeader) {
  auto DeviceOf = [](unsigned CC) -> StringRef {
    switch (CC) {
    case 30:
      return "gtx-680";
    case 35:
      return "k40";
    case 50:
      return "gtx-750-ti";
    case 52:
      return "gtx-980";
    case 60:
      return "p100";
    case 61:
      return "gtx-1080-ti";
    case 70:
      return "v100";
    case 75:
      return "t4";
    case 80:
      return "a100-80gb";
    case 86:
      return "a40";
    case 89:
      return "l4";
    case 90:
      return "h100-sxm";
    case 100:
      return "b200";
    default:
      return "rtx-5090";
    }
  };
  forEachRow("occupancy.csv", [&](ArrayRef<unsigned> C, StringRef Line) {
    ASSERT_EQ(C.size(), 6u);
    const Device &D = device(DeviceOf(C[0]));
    ASSERT_EQ(D.ComputeCapability, C[0]);
    Occupancy O = computeOccupancy(D, {C[1], C[2], C[3], C[4]});
    EXPECT_EQ(O.BlocksPerSM, C[5]) << Line.str() << '\n' << O.Why;
    EXPECT_EQ(O.Why.empty(), O.BlocksPerSM != 0) << Line.str();
  });
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

TEST_F(OccupancyTest, GivesWarpsAndFraction) {
  Occupancy O = on("toy", {96, 32, 0, 1}); // 3 warps; 1024 registers a warp
  EXPECT_EQ(O.BlocksPerSM, 10u);
  EXPECT_EQ(O.WarpsPerSM, 30u);
  EXPECT_DOUBLE_EQ(O.Fraction, 30.0 / 32);
  EXPECT_EQ(O.Why, "");
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
    EXPECT_EQ(O.Why, C.Why);
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

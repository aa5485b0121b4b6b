//===- LittlesLawTest.cpp - Tests of Gajger's model -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/LittlesLaw.h"
#include "Golden.h"

using namespace ptxpredict;

namespace {

constexpr double Elements = 4e8, Trips = 128, PublishedLambda = 0.703787;

/// The thesis's boards, with the bandwidth as it prints it (5.2, table 6.1).
LittlesLawInputs board(bool IsTitan) {
  LittlesLawInputs In;
  In.WarpSize = 32;
  In.CudaCores = 128;
  In.Schedulers = 4;
  In.SMs = IsTitan ? 24 : 13;
  In.ClockMHz = IsTitan ? 1076 : 1253;
  In.GMemBandwidth = IsTitan ? 13.03 : 13.78;
  In.Lambda = PublishedLambda;
  return In;
}

/// The kernel saxpy2 whose loop runs \p A times, as the thesis's runs counted
/// it (26 + 4a), over \p Blocks of 256 threads.
LittlesLawInputs saxpy2(bool IsTitan, double A,
                        double Blocks = std::ceil(Elements / 256)) {
  LittlesLawInputs In = board(IsTitan);
  In.GridSize = Blocks;
  In.WarpsPerBlock = 8;
  In.Occupancy = 64;
  In.InsCuda = 23 + 4 * A;
  In.InsIssued = 26 + 4 * A;
  In.GMemBytes = 3. * 4 * 32;
  In.LatencyBound = 942 + 24 * A;
  return In;
}

TimeLimiter limiterOf(const GoldenRow &R) {
  const std::string &Name = goldenText(R, "limiter");
  return Name == "latency" ? TimeLimiter::MemoryLatency
         : Name == "issue" ? TimeLimiter::Issue
         : Name == "gmem"  ? TimeLimiter::MemoryBandwidth
                           : TimeLimiter::Compute;
}

bool isTitan(const GoldenRow &R) {
  return goldenText(R, "device") == "GTX_TITAN_X";
}

TEST(LittlesLaw, IntensitySweep) {
  const auto Rows = goldenRows("gajger_derived_intensity_sweep.csv");
  EXPECT_EQ(Rows.size(), 34u);
  for (const GoldenRow &R : Rows) {
    SCOPED_TRACE(R.at("device") + " a=" + R.at("a"));
    const LittlesLawInputs In = saxpy2(isTitan(R), goldenNumber(R, "a"));
    EXPECT_EQ(In.InsCuda, goldenNumber(R, "ins_cuda"));
    EXPECT_EQ(In.LatencyBound, goldenNumber(R, "latency_bound"));
    const LittlesLawResult Got = evaluateLittlesLaw(In);
    expectGolden(Got.CPWCuda, goldenNumber(R, "cpw_cuda"), "cpw_cuda");
    expectGolden(Got.CPWIssue, goldenNumber(R, "cpw_issue"), "cpw_issue");
    expectGolden(Got.CPWGMem, goldenNumber(R, "cpw_gmem"), "cpw_gmem");
    expectGolden(Got.CPWBound, goldenNumber(R, "cpw_bound"), "cpw_bound");
    expectGolden(Got.LatencyRate, goldenNumber(R, "latency_wpc"), "latency");
    expectGolden(Got.WarpThroughput, goldenNumber(R, "warp_throughput"),
                 "warp_throughput");
    EXPECT_EQ(Got.Limiter, limiterOf(R));
    expectGolden(Got.TimeUs * 1e-6, goldenNumber(R, "kernel_s"), "kernel_s");
  }
}

TEST(LittlesLaw, OccupancySweep) {
  const auto Rows = goldenRows("gajger_derived_occupancy_sweep.csv");
  EXPECT_EQ(Rows.size(), 34u);
  for (const GoldenRow &R : Rows) {
    SCOPED_TRACE(R.at("device") + " " + R.at("occupancy_warps"));
    LittlesLawInputs In = saxpy2(isTitan(R), Trips);
    In.Occupancy = goldenNumber(R, "occupancy_warps");
    const LittlesLawResult Got = evaluateLittlesLaw(In);
    expectGolden(Got.LatencyRate, goldenNumber(R, "latency_wpc"), "latency");
    expectGolden(Got.ThroughputBound, goldenNumber(R, "throughput_wpc"),
                 "throughput");
    EXPECT_EQ(Got.Limiter, limiterOf(R));
    expectGolden(Got.TimeUs * 1e-6, goldenNumber(R, "kernel_s"), "kernel_s");
  }
}

TEST(LittlesLaw, BlockSizeSweep) {
  const auto Rows = goldenRows("gajger_derived_blocksize_sweep.csv");
  EXPECT_EQ(Rows.size(), 22u);
  for (const GoldenRow &R : Rows) {
    SCOPED_TRACE(R.at("device") + " " + R.at("block"));
    const double Block = goldenNumber(R, "block");
    LittlesLawInputs In =
        saxpy2(isTitan(R), Trips, std::ceil(Elements / Block));
    EXPECT_EQ(In.GridSize, goldenNumber(R, "grid"));
    In.WarpsPerBlock = std::ceil(Block / 32);
    In.Occupancy = goldenNumber(R, "occupancy_warps");
    const LittlesLawResult Got = evaluateLittlesLaw(In);
    EXPECT_EQ(Got.WarpsLaunched, goldenNumber(R, "warps_launched"));
    EXPECT_EQ(Got.Limiter, limiterOf(R));
    expectGolden(Got.TimeUs * 1e-6, goldenNumber(R, "kernel_s"), "kernel_s");
  }
}

TEST(LittlesLaw, WorkedExamples) {
  std::map<std::string, double> Wanted;
  for (const GoldenRow &R : goldenRows("gajger_worked_examples.csv"))
    Wanted[R.at("id")] = goldenNumber(R, "value");
  auto Expect = [&](const char *Id, double Got) {
    expectGolden(Got, Wanted.at(Id), Id);
  };
  Expect("E01", globalBandwidth(1753, 256, 4, 13, 1253));
  Expect("E02", globalBandwidth(1753, 384, 4, 24, 1076));
  const LittlesLawInputs In = saxpy2(false, Trips);
  const LittlesLawResult Got = evaluateLittlesLaw(In);
  const LittlesLawResult OnTitan = evaluateLittlesLaw(saxpy2(true, Trips));
  Expect("E05", In.InsCuda);
  Expect("E06", In.InsIssued);
  Expect("E09", In.GMemBytes);
  Expect("E10", In.LatencyBound);
  Expect("E11", Got.CPWGMem);
  Expect("E12", OnTitan.CPWGMem);
  Expect("E13", Got.WarpsLaunched);
  Expect("E14", Got.TimeUs * 1e-6);
  LittlesLawInputs AsText = In; // the issue count of section 5.2.3
  AsText.InsIssued = 23 + 4 * Trips;
  Expect("E07", AsText.InsIssued);
  Expect("E15", evaluateLittlesLaw(AsText).TimeUs * 1e-6);
  Expect("E08", 24 + 3 * Trips); // the pair in the loop issues as one (I2)
  LittlesLawInputs Forty = board(false);
  Forty.InsIssued = 40;
  Forty.LatencyBound = 1;
  Expect("E20", evaluateLittlesLaw(Forty).CPWIssue);
  Expect("E25", crossoverTrips(Got.CPWGMem, 4, 26, 4));
  Expect("E26", crossoverTrips(OnTitan.CPWGMem, 4, 26, 4));
  Expect("E27", Got.Knee);
}

// Figure 5.24: the only absolute times that are printed. 8.4 W are drawn above
// what the system draws anyway.
TEST(LittlesLaw, TheSimulatedRun) {
  const LittlesLawResult R = evaluateLittlesLaw(saxpy2(false, Trips));
  EXPECT_NEAR(R.TimeUs * 1e-6, 0.1466549187195336, 1e-15);
  EXPECT_NEAR(R.TimeUs * 1e-6 * 8.4, 1.231901317244082, 1e-12);
}

TEST(LittlesLaw, OtherUnits) {
  LittlesLawInputs In = board(false);
  In.GridSize = In.WarpsPerBlock = In.LatencyBound = 1;
  In.Occupancy = 64;
  In.InsSFU = 10, In.SFUs = 32;
  EXPECT_EQ(evaluateLittlesLaw(In).CPWBound, 10);
  In.InsFP64 = 3, In.FP64Units = 4;
  EXPECT_EQ(evaluateLittlesLaw(In).CPWFP64, 24);
  In.SharedCycles = 30;
  EXPECT_EQ(evaluateLittlesLaw(In).Limiter, TimeLimiter::SharedMemory);
  In.L2Bytes = 640, In.L2Bandwidth = 16;
  const LittlesLawResult R = evaluateLittlesLaw(In);
  EXPECT_EQ(R.Limiter, TimeLimiter::L2Bandwidth);
  EXPECT_EQ(R.CPWBound, 40);
  // A longer start is nothing else.
  In.LaunchUs = 3;
  EXPECT_DOUBLE_EQ(evaluateLittlesLaw(In).TimeUs, R.TimeUs + 3);
}

} // namespace

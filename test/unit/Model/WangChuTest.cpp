//===- WangChuTest.cpp - Tests of Wang & Chu's two-clock model ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/WangChu.h"
#include "Golden.h"
#include <random>

using namespace ptxpredict;

namespace {

/// The GTX 980 at equal clocks, with what a kernel asks for in \p R.
WangChuInputs inputsOf(const GoldenRow &R) {
  WangChuInputs In;
  for (const GoldenRow &S : goldenRows("wang_scalars.csv")) {
    const std::string &Id = goldenText(S, "id");
    double *To = Id == "eq4_slope"       ? &In.DmLatSlope
                 : Id == "eq4_intercept" ? &In.DmLatOffset
                 : Id == "l2_lat"        ? &In.L2Lat
                 : Id == "l2_del"        ? &In.L2Del
                                         : nullptr;
    if (To)
      *To = goldenNumber(S, "value");
  }
  In.CoreF = goldenNumber(R, "core_mhz");
  In.MemF = goldenNumber(R, "mem_mhz");
  return In;
}

TEST(WangChu, DerivedVectors) {
  const std::vector<GoldenRow> Rows = goldenRows("wang_derived_vectors.csv");
  EXPECT_EQ(Rows.size(), 20u);
  for (const GoldenRow &R : Rows) {
    SCOPED_TRACE(R.at("id") + " " + R.at("dm_lat_mode") + " " +
                 R.at("conditions"));
    WangChuInputs In = inputsOf(R);
    In.L2HitRate = goldenNumber(R, "l2_hr");
    In.ActiveWarps = goldenNumber(R, "Aw");
    In.WarpsPerBlock = goldenNumber(R, "Wpb");
    In.Blocks = goldenNumber(R, "B");
    In.SMs = goldenNumber(R, "SM");
    In.CompInst = goldenNumber(R, "comp_per_warp");
    In.OItrs = goldenNumber(R, "trans_per_warp");
    In.GldTrans = 1;
    In.InstCycle = goldenNumber(R, "inst_cycle");
    In.DmDel = goldenNumber(R, "dm_del");
    WangChuOptions Options;
    Options.LiteralLatency = goldenText(R, "dm_lat_mode") == "eq5a_literal";
    Options.PrintedConditions = goldenText(R, "conditions") == "as_printed";
    const WangChuResult Got = evaluateWangChu(In, Options);
    expectGolden(Got.AglLat, goldenNumber(R, "agl_lat"), "agl_lat");
    expectGolden(Got.AglDel, goldenNumber(R, "agl_del"), "agl_del");
    expectGolden(Got.AvrComp, goldenNumber(R, "avr_comp"), "avr_comp");
    EXPECT_EQ(Got.Case, goldenNumber(R, "eq_used"));
    expectGolden(Got.TActive, goldenNumber(R, "T_active"), "T_active");
    expectGolden(Got.TExec, goldenNumber(R, "T_exec_cycles"), "T_exec");
    expectGolden(Got.TExec / In.CoreF, goldenNumber(R, "time_us"), "time");
  }
}

TEST(WangChu, LatencyOfDRAM) {
  const std::vector<GoldenRow> Rows = goldenRows("wang_t2_dram_latency.csv");
  EXPECT_EQ(Rows.size(), 7u);
  for (GoldenRow R : Rows) {
    R["core_mhz"] = R.at("core_mhz_corrected"); // W01
    const WangChuResult Got = evaluateWangChu(inputsOf(R));
    EXPECT_NEAR(Got.DmLat, goldenNumber(R, "dm_lat_cycles_published"), 0.11);
    EXPECT_NEAR(Got.DmLat, goldenNumber(R, "eq4_core400"), 0.006);
  }
}

TEST(WangChu, DelayOfDRAMIsThatOfTheBandwidth) {
  for (const GoldenRow &R : goldenRows("wang_t3_dram_delay.csv")) {
    const double Got = goldenNumber(R, "dm_del_cycles") *
                       goldenNumber(R, "bw_efficiency_pct") / 100;
    EXPECT_NEAR(Got, 7.64, 0.03);
    EXPECT_NEAR(Got, goldenNumber(R, "dm_del_times_eff"), 1e-4);
  }
}

/// The GTX 980 at 700 MHz, and what it has of shared memory.
WangChuInputs publishedDevice(double InstCycle) {
  WangChuInputs In = inputsOf({{"core_mhz", "700"}, {"mem_mhz", "700"}});
  In.DmDel = 9.31;
  In.ShLat = 28;
  In.InstCycle = InstCycle;
  In.SMs = 16;
  return In;
}

/// A kernel at random.
WangChuInputs anyInputs(std::mt19937 &Random) {
  auto Of = [&](double Low, double High) {
    return std::uniform_real_distribution<>(Low, High)(Random);
  };
  WangChuInputs In = publishedDevice(0.25);
  In.L2HitRate = Of(0, 1);
  In.CoreF = Of(400, 1400);
  In.MemF = Of(400, 3500);
  In.WarpsPerBlock = std::floor(Of(1, 33));
  In.ActiveWarps = In.WarpsPerBlock * std::floor(Of(1, 5));
  In.Blocks = std::floor(Of(1, 10000));
  In.CompInst = Of(1, 5000);
  In.OItrs = std::floor(Of(1, 300));
  In.GldTrans = Of(1, 32);
  return In;
}

TEST(WangChu, IsMonotonousInClocksAndWork) {
  std::mt19937 Random(7);
  for (unsigned N = 0; N != 2000; ++N) {
    const WangChuInputs In = anyInputs(Random);
    const double Time = evaluateWangChu(In).TExec / In.CoreF;
    WangChuInputs Faster = In;
    Faster.MemF *= 1.1;
    EXPECT_LE(evaluateWangChu(Faster).TExec / In.CoreF, Time * (1 + 1e-12));
    WangChuInputs More = In;
    More.CompInst *= 1.1;
    EXPECT_GE(evaluateWangChu(More).TExec / In.CoreF, Time * (1 - 1e-12));
    // Both clocks by the same factor: so many cycles as before.
    WangChuInputs Both = In;
    Both.CoreF *= 2;
    Both.MemF *= 2;
    EXPECT_NEAR(evaluateWangChu(Both).TExec / Both.CoreF, Time / 2,
                1e-9 * Time);
  }
}

TEST(WangChu, EquationsMeetAtTheirBounds) {
  std::mt19937 Random(8);
  unsigned Met = 0;
  for (unsigned N = 0; N != 2000; ++N) {
    WangChuInputs In = anyInputs(Random);
    // (8b): (9) and (15) are equal there.
    const WangChuResult R = evaluateWangChu(In);
    if (In.ActiveWarps < 2)
      continue;
    const double Comp = R.AglLat / (In.ActiveWarps - 1);
    if (Comp < R.AglDel * In.GldTrans)
      continue;
    In.CompInst = Comp * In.OItrs / In.InstCycle * (1 + 1e-9);
    const WangChuResult Above = evaluateWangChu(In);
    In.CompInst *= 1 - 2e-9;
    const WangChuResult Below = evaluateWangChu(In);
    EXPECT_EQ(Above.Case, 9);
    EXPECT_EQ(Below.Case, 15);
    EXPECT_NEAR(Above.TActive, Below.TActive, 1e-7 * Above.TActive);
    ++Met;
  }
  EXPECT_GT(Met, 100u);
}

TEST(WangChu, PhasesOfSharedMemory) {
  WangChuInputs In = publishedDevice(1);
  In.L2HitRate = 0.5;
  In.ActiveWarps = 64;
  In.WarpsPerBlock = 8;
  In.Blocks = 1024;
  In.CompInst = 400;
  In.OItrs = 10;
  In.GldTrans = 2;
  In.IItrs = 20;
  WangChuOptions Options;
  Options.HasPhases = true;
  const WangChuResult R = evaluateWangChu(In, Options);
  // agl_lat 361.05, agl_del 5.155, avr_comp 40; by hand.
  EXPECT_NEAR(R.TPhase1, 80 + 5.155 * 2 * 64 + 361.05 + 28, 1e-9);
  EXPECT_NEAR(R.TPhase2, 40 * 7 + 68 * 20, 1e-9);
  EXPECT_NEAR(R.TPhase3, 80 + 5.155 * 2 * 8 + 361.05 + 28, 1e-9);
  EXPECT_EQ(R.Case, 21);
  EXPECT_NEAR(R.TActive, R.TPhase1 + (R.TPhase2 + R.TPhase3) * 10, 1e-9);
  // Little work, and few accesses to shared memory: (17).
  In.CompInst = 20;
  In.IItrs = 1;
  const WangChuResult Few = evaluateWangChu(In, Options);
  EXPECT_EQ(Few.Case, 17);
  EXPECT_NEAR(Few.TActive, 2 + 361.05 + 5.155 * 64 * 20, 1e-9);
  // Without phases, wavefronts are time of the SM, part of it beside issuing.
  In.SharedWavefronts = 15;
  EXPECT_NEAR(evaluateWangChu(In).AvrComp, 2.5, 1e-12); // of 2 and 1.5
}

TEST(WangChu, ComputesWithoutGlobalMemory) {
  WangChuInputs In = publishedDevice(0.25);
  In.CompInst = 1000;
  In.ActiveWarps = 64;
  In.WarpsPerBlock = 8;
  In.Blocks = 16 * 8;
  EXPECT_NEAR(evaluateWangChu(In).TExec, 16000, 1e-9);
}

} // namespace

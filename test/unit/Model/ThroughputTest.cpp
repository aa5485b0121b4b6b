//===- ThroughputTest.cpp - Equations, categories and advice --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Throughput.h"
#include "Golden.h"
#include "ptxpredict/Model/ThroughputAdvisor.h"
#include "ptxpredict/Model/ThroughputCategories.h"
#include "gmock/gmock.h"
#include <cmath>
#include <random>
#include <set>

using namespace ptxpredict;

namespace {

/// A GTX 580 as table 14 has it, its frequencies the right way round and its
/// cores those of table 10.
ThroughputInputs gtx580() {
  ThroughputInputs In;
  for (const GoldenRow &R : goldenRows("hong_t14_throughput_devices.csv"))
    if (R.at("device") == "GTX580" && R.at("variant") == "corrected") {
      In.Freq = goldenNumber(R, "freq_ghz");
      In.NumCores = In.ActiveSM = goldenNumber(R, "num_cores");
      In.DevPeakFP =
          In.NumCores * goldenNumber(R, "fp_units_per_core") * In.Freq;
      In.DevPeakVecFP = 2 * In.DevPeakFP;
      In.MemBandwidth = goldenNumber(R, "bandwidth_gbs");
      In.MemL = goldenNumber(R, "dram_latency_cycles");
    }
  In.InstLatency = 20;
  In.IssueCycles = In.MFactor = In.FPFactor = In.PeakILP = In.ILP = In.SSEILP =
      1;
  In.DEP = 20;
  In.MSTR = 1;
  In.Rep = 1;
  In.LoadBytesPerWarp = 128;
  In.DepartureDelay = 4;
  return In;
}

TEST(Throughput, DerivedVectors) {
  std::vector<GoldenRow> Rows = goldenRows("hong_derived_throughput.csv");
  EXPECT_EQ(Rows.size(), 6u);
  for (const GoldenRow &R : Rows) {
    SCOPED_TRACE(R.at("id"));
    ThroughputInputs In = gtx580();
    In.FpInsts = goldenNumber(R, "fp");
    In.FpFusedInsts = goldenNumber(R, "fused");
    In.IntInsts = goldenNumber(R, "other");
    In.MemInsts = goldenNumber(R, "mem");
    In.ILP = In.SSEILP = In.PeakILP = goldenNumber(R, "ilp");
    In.DEP = goldenNumber(R, "dep");
    In.InstLatency = goldenNumber(R, "inst_lat");
    In.MSTR = goldenNumber(R, "mstr");
    In.LoadBytesPerWarp = goldenNumber(R, "bytes");
    In.N = goldenNumber(R, "N");
    In.ActiveSM = goldenNumber(R, "active");
    In.MemL = goldenNumber(R, "eff_mem");
    In.DepartureDelay = In.MemL / goldenNumber(R, "mwp_proc");
    ThroughputResult Got = evaluateThroughput(In);
    const std::pair<const char *, double> Columns[] = {
        {"mwp_proc", Got.MWPProc},
        {"PeakAchi", Got.PeakAchi},
        {"PerfCycles", Got.PerfCycles},
        {"TotalCycles", Got.TotalCycles},
        {"EffRatio_comp", Got.EffRatioComp},
        {"EffComp", Got.EffComp},
        {"EffPerf", Got.EffPerf},
        {"EffMem", Got.EffMem},
        {"MWP_App_InfiN", Got.MWPAppInfiN},
        {"MWP_App", Got.MWPApp},
        {"MWP_BW", Got.MWPBW},
        {"MWP", Got.MWP},
        {"Mem_N", Got.MemN},
        {"IdleMemCycles", Got.IdleMemCycles},
        {"EffRatio", Got.EffRatio},
        {"Perf_comp_only", Got.PerfCompOnly},
        {"Perf", Got.Perf},
        {"category", Got.Category}};
    for (const auto &[Column, Value] : Columns)
      expectGolden(Value, goldenNumber(R, Column), Column);
  }
}

// Thesis, 5.6: the axis of a GTX 580 goes from 0 to 1600 GFLOP/s.
TEST(Throughput, PeakOfGTX580) {
  ThroughputInputs In = gtx580();
  In.FpFusedInsts = 10;
  In.N = 48;
  ThroughputResult R = evaluateThroughput(In);
  EXPECT_NEAR(R.PeakAchi, 1581.056, 1e-9);
  // Nothing but fused instructions reaches it.
  EXPECT_EQ(R.Perf, R.PeakAchi);
  EXPECT_EQ(R.Category, 10);
}

// Thesis, 5.3.4: half of the instructions are floating-point ones.
TEST(Throughput, HalfTheInstructionsAreHalfThePeakAtMost) {
  ThroughputInputs In = gtx580();
  In.FpInsts = In.IntInsts = 5;
  In.N = 8;
  EXPECT_EQ(evaluateThroughput(In).EffRatioComp, 0.5);
}

// Thesis, 5.8: a CPU's instructions take four cycles.
TEST(Throughput, DependenceOnCPU) {
  ThroughputInputs In = gtx580();
  In.InstLatency = 4;
  In.FpInsts = 10;
  In.N = 1;
  for (auto [Distance, Effect] :
       {std::pair(1.0, 4.0), {2.0, 2.0}, {4.0, 1.0}, {9.0, 1.0}}) {
    In.DEP = Distance;
    EXPECT_EQ(evaluateThroughput(In).DEPEffect, Effect);
  }
}

// Other warps hide the latency of instructions.
TEST(Throughput, DependenceAmongWarps) {
  ThroughputInputs In = gtx580();
  In.FpInsts = 10;
  In.DEP = 2;
  In.N = 5;
  ThroughputOptions Options;
  EXPECT_EQ(evaluateThroughput(In, Options).DEPEffect, 10);
  Options.Dependence = ThroughputOptions::DependenceMode::OtherWarps;
  EXPECT_EQ(evaluateThroughput(In, Options).DEPEffect, 2);
  In.N = 10;
  EXPECT_EQ(evaluateThroughput(In, Options).DEPEffect, 1);
}

// Thesis, figure 101: App 4, BW 3 and N 2 give MWP 2.
TEST(Throughput, LeastOfTheLimits) {
  ThroughputInputs In = gtx580();
  In.N = 2;
  In.MSTR = 2;
  In.MemInsts = 2;
  In.FpInsts = 1;
  In.MemBandwidth = 3 * In.Freq * In.LoadBytesPerWarp / In.MemL * In.ActiveSM;
  ThroughputResult R = evaluateThroughput(In);
  EXPECT_EQ(R.MWPApp, 4);
  EXPECT_NEAR(R.MWPBW, 3, 1e-12);
  EXPECT_EQ(R.MWP, 2);
  // Counted in requests, it is the bandwidth that limits them.
  ThroughputOptions Options;
  Options.Count = ThroughputOptions::CountMode::Requests;
  EXPECT_NEAR(evaluateThroughput(In, Options).MWP, 3, 1e-12);
}

// What the bandwidth of a device allows is what its warps get: all requests
// counted, the time of a bandwidth-bound kernel is that of its bytes.
TEST(Throughput, RequestsTakeTheTimeOfTheirBytes) {
  ThroughputInputs In = gtx580();
  In.MemInsts = 20;
  In.MSTR = 4;
  In.N = 40;
  In.FpInsts = 1;
  In.IssueCycles = 1e-9; // nothing but memory takes time
  In.InstLatency = 0;
  In.DepartureDelay = 1;
  In.Rep = 3;
  ThroughputOptions Options;
  Options.Count = ThroughputOptions::CountMode::Requests;
  ThroughputResult R = evaluateThroughput(In, Options);
  double Bytes = In.Rep * In.N * In.ActiveSM * In.MemInsts * 128;
  EXPECT_NEAR(R.ExecCycles / In.Freq, Bytes / In.MemBandwidth,
              1e-6 * R.ExecCycles);
  EXPECT_EQ(R.Category, 3);
  // As printed, a period has one request of each warp.
  EXPECT_NEAR(evaluateThroughput(In).ExecCycles / R.ExecCycles, 0.25, 1e-6);
}

// With one request of a warp in flight both ways of counting are the same.
TEST(Throughput, CountsAgreeWithoutParallelRequests) {
  ThroughputOptions Requests;
  Requests.Count = ThroughputOptions::CountMode::Requests;
  for (double N : {1.0, 8.0, 48.0}) {
    ThroughputInputs In = gtx580();
    In.FpInsts = 10;
    In.MemInsts = 3;
    In.N = N;
    EXPECT_EQ(evaluateThroughput(In).Perf,
              evaluateThroughput(In, Requests).Perf);
  }
}

// (82) leaves a latency exposed where the text says that it is hidden.
TEST(Throughput, IdleCyclesOfTheBestCategory) {
  ThroughputInputs In = gtx580();
  In.FpFusedInsts = 24;
  In.IntInsts = 6;
  In.MemInsts = 1;
  In.N = 32;
  ThroughputOptions Clamp;
  Clamp.Idle = ThroughputOptions::IdleMode::Clamp;
  EXPECT_NEAR(evaluateThroughput(In).IdleMemCycles, 450 - 31, 1e-9);
  ThroughputResult Hidden = evaluateThroughput(In, Clamp);
  EXPECT_EQ(Hidden.Category, 10);
  EXPECT_EQ(Hidden.IdleMemCycles, 0);
  EXPECT_EQ(Hidden.Perf, Hidden.PerfCompOnly);
  In.N = 8; // category 5: nothing is hidden completely
  EXPECT_EQ(evaluateThroughput(In, Clamp).IdleMemCycles,
            evaluateThroughput(In).IdleMemCycles);
}

// A CPU takes two instructions for a fused one and 4 lanes in a vector.
TEST(Throughput, CPU) {
  ThroughputInputs In = gtx580();
  In.Freq = 2.4;
  In.NumCores = In.ActiveSM = 12;
  In.DevPeakFP = 12 * 2 * 2.4;
  In.DevPeakVecFP = 12 * 2 * 4 * 2.4;
  In.FpInsts = 2;
  In.FpFusedInsts = 1;
  In.FpVecInsts = 4;
  In.FpVecFusedInsts = 4;
  In.ILP = In.SSEILP = In.PeakILP = 2;
  In.DEP = In.InstLatency = 4;
  In.N = 1;
  ThroughputOptions Options;
  Options.SplitFused = true;
  ThroughputResult R = evaluateThroughput(In, Options);
  EXPECT_NEAR(R.PeakFP, 57.6 * 4 / 16, 1e-9);
  EXPECT_NEAR(R.PeakVecFP, 230.4 * 12 / 16, 1e-9);
  EXPECT_EQ(R.PerfCycles, 8);
  EXPECT_EQ(R.Perf, R.PeakAchi);
  // Vector instructions that issue one by one take 12 cycles, the rest 2.
  In.SSEILP = 1;
  EXPECT_EQ(evaluateThroughput(In, Options).TotalCycles, 14);
  // One at a time, whatever the code allows: 16 cycles instead of 8.
  EXPECT_EQ(R.PerfILP1, R.PeakAchi / 2);
  // One request at a time: the wait is what is not computed meanwhile.
  In.MemInsts = 1;
  In.MemL = 250;
  In.DepartureDelay = 1;
  R = evaluateThroughput(In, Options);
  EXPECT_EQ(R.MWP, 1);
  EXPECT_EQ(R.CompcyclesN + R.IdleMemCycles, 250);
}

TEST(Throughput, WithoutFloatingPointOrMemory) {
  ThroughputInputs In = gtx580();
  In.IntInsts = 100;
  In.N = 8;
  In.Rep = 2;
  ThroughputResult R = evaluateThroughput(In);
  EXPECT_EQ(R.PeakAchi, 0);
  EXPECT_EQ(R.Perf, 0);
  EXPECT_EQ(R.ExecCycles, 1600);
  EXPECT_EQ(R.Category, 10);
  In.IntInsts = 0;
  R = evaluateThroughput(In);
  EXPECT_EQ(R.ExecCycles, 0);
  EXPECT_FALSE(std::isnan(R.EffRatio));
}

// With memory a kernel is never faster than without, nor than the peak.
TEST(Throughput, LevelsAreOrdered) {
  std::mt19937 Random(11);
  auto Between = [&](double Low, double High) {
    return Low * std::pow(High / Low, double(Random()) / double(Random.max()));
  };
  std::set<double> Seen;
  for (unsigned I = 0; I != 20000; ++I) {
    ThroughputInputs In = gtx580();
    In.FpInsts = Between(1, 1e3);
    In.FpFusedInsts = Between(1, 1e3);
    In.IntInsts = Between(1, 1e3);
    In.MemInsts = Between(0.1, 300);
    In.MSTR = Between(1, 4);
    In.DEP = Between(1, 30);
    In.N = std::ceil(Between(0.5, 48));
    In.LoadBytesPerWarp = Between(32, 2048);
    In.DepartureDelay = Between(1, 300);
    for (auto Count : {ThroughputOptions::CountMode::Warps,
                       ThroughputOptions::CountMode::Requests}) {
      ThroughputOptions Options;
      Options.Count = Count;
      ThroughputResult R = evaluateThroughput(In, Options);
      Seen.insert(R.Category);
      EXPECT_LE(R.Perf, R.PerfCompOnly * (1 + 1e-12));
      EXPECT_LE(R.PerfCompOnly, R.PeakAchi * (1 + 1e-12));
      EXPECT_GE(R.IdleMemCycles, 0);
      // Work over performance is the time, per core in giga-operations.
      double Operations = 32 * In.N * (In.FpInsts + 2 * In.FpFusedInsts);
      EXPECT_NEAR(Operations * In.NumCores / R.Perf, R.ExecCycles / In.Freq,
                  1e-9 * R.ExecCycles);
    }
  }
  EXPECT_EQ(Seen.size(), 10u);
}

/// The values that a golden condition against \p Demand allows.
std::vector<double> valuesFor(StringRef Condition, double Demand) {
  if (Condition == "Proc<App" || Condition == "N<InfiN")
    return {1, Demand / 2, Demand - 1};
  if (Condition == "BW<App")
    return {1, 0.85 * Demand, Demand - 1};
  if (Condition == "Proc>=App" || Condition == "BW>=App" ||
      Condition == "N>=InfiN")
    return {Demand, Demand + 1, 100 * Demand};
  if (Condition == "BW<0.85*App")
    return {1, 0.84 * Demand};
  EXPECT_EQ(Condition, "0.85*App<=BW<App");
  return {0.85 * Demand, 0.99 * Demand};
}

TEST(ThroughputCategories, EveryDocumentedCombination) {
  std::vector<GoldenRow> Rows = goldenRows("hong_categories.csv");
  EXPECT_EQ(Rows.size(), 10u);
  const double InfiN = 16, App = 20;
  for (const GoldenRow &R : Rows)
    for (double N : valuesFor(goldenText(R, "n_vs_infin"), InfiN))
      for (double Proc : valuesFor(goldenText(R, "proc_vs_app"), App))
        for (double BW : valuesFor(goldenText(R, "bw_vs_app"), App))
          EXPECT_EQ(classifyThroughput(N, InfiN, Proc, BW, App),
                    goldenNumber(R, "category"))
              << N << " " << Proc << " " << BW;
}

TEST(ThroughputCategories, RanksOfTheText) {
  ArrayRef<ThroughputCategory> All = throughputCategories();
  ASSERT_EQ(All.size(), 10u);
  for (unsigned I = 0; I != 10; ++I) {
    EXPECT_EQ(All[I].Number, I + 1);
    EXPECT_FALSE(All[I].Verdict.empty());
    EXPECT_FALSE(All[I].Advice.empty());
    bool Ranked = llvm::is_contained({1u, 4u, 5u, 6u, 9u, 10u}, I + 1);
    EXPECT_EQ(All[I].Rank == 5, !Ranked);
  }
  EXPECT_EQ(All[9].Rank, 1u);
  EXPECT_EQ(All[8].Rank, 2u);
  EXPECT_EQ(All[4].Rank, 3u);
  EXPECT_EQ(All[3].Rank, 4u);
  EXPECT_EQ(All[5].Rank, 6u);
  EXPECT_EQ(All[0].Rank, 6u);
}

TEST(ThroughputAdvisor, DerivedVectors) {
  std::vector<GoldenRow> Rows = goldenRows("hong_derived_advice_gtx580.csv");
  EXPECT_EQ(Rows.size(), 20u);
  for (const GoldenRow &R : Rows) {
    SCOPED_TRACE(R.at("bench") + " " + R.at("N"));
    ThroughputDemand D;
    D.MSTR = goldenNumber(R, "mstr");
    D.N = goldenNumber(R, "N");
    D.ActiveSM = goldenNumber(R, "cores_max");
    D.MWPBW = goldenNumber(R, "mwp_bw_at_16_cores_calibrated");
    D.InfiN = 1e3;
    D.MWPApp = D.N * D.MSTR;
    expectGolden(D.MWPApp, goldenNumber(R, "mwp_app_assuming_InfiN_ge_N"),
                 "MWP_App");
    ThroughputAdvice A = adviseThroughput(D);
    expectGolden(A.Alpha, goldenNumber(R, "alpha"), "alpha");
    expectGolden(A.BytesFactor, 1 / goldenNumber(R, "alpha"), "bytes");
    EXPECT_EQ(A.Cores, goldenNumber(R, "cores_ceil"));
    EXPECT_EQ(A.N, goldenNumber(R, "better_N_floor"));
  }
}

// Thesis, 5.5.1 and 5.5.2, of a GTX 580. No parameters of table 14 give these
// cores; any MWP_BW between 36 and 38 does.
TEST(ThroughputAdvisor, PublishedCores) {
  unsigned Found = 0;
  for (const GoldenRow &R : goldenRows("hong_optimal_cores.csv")) {
    const std::string &Bench = R.at("bench");
    bool Pairs = StringRef(Bench).starts_with("Dmadd") || Bench == "Dotp";
    ThroughputDemand D;
    D.ActiveSM = 16;
    D.MSTR = Pairs ? 2 : 1;
    D.InfiN = 1e3;
    if (R.at("model") == "throughput") {
      D.N = goldenNumber(R, "N");
      D.MWPApp = D.N * D.MSTR;
      for (double BW : {36.01, 37.0, 37.99}) {
        D.MWPBW = BW;
        EXPECT_EQ(adviseThroughput(D).Cores, goldenNumber(R, "predicted_cores"))
            << Bench << " " << D.N;
      }
      ++Found;
    } else if (R.at("model") == "throughput_better_N") {
      EXPECT_EQ(R.at("N"), "32 -> 18");
      D.N = 32;
      D.MWPApp = 64;
      for (double BW : {36.01, 37.0, 37.99}) {
        D.MWPBW = BW;
        EXPECT_EQ(adviseThroughput(D).N, 18);
      }
      ++Found;
    }
  }
  EXPECT_EQ(Found, 18u);
}

// Thesis, table 13, whose kernels' counts are not printed: the demand of a
// kernel with one request of a warp is its warps, and that decides the columns
// of the earlier model, which has one number for all kernels. 8 one-warp blocks
// of 4x4 threads fit on an SM; the other rows have 32 warps.
TEST(ThroughputAdvisor, Table13) {
  ThroughputInputs In = gtx580();
  In.MemInsts = 1;
  In.FpInsts = 1;
  unsigned Row = 0;
  for (const GoldenRow &R : goldenRows("hong_t13_core_predictions.csv")) {
    ++Row;
    bool Small = StringRef(goldenText(R, "label_printed")).ends_with("_4");
    In.N = Small ? 8 : 32;
    ThroughputResult Got = evaluateThroughput(In);
    ThroughputDemand D{Got.MWPApp, Got.MWPBW, Got.MWPAppInfiN,
                       In.N,       In.MSTR,   In.ActiveSM};
    EXPECT_EQ(adviseThroughput(D).Cores, goldenNumber(R, "p_model_dram"))
        << Row;
    // All hits in L1: nothing is asked of the bandwidth.
    D.MWPBW = INFINITY;
    EXPECT_EQ(adviseThroughput(D).Cores, goldenNumber(R, "p_model_l1")) << Row;
  }
  EXPECT_EQ(Row, 5u);
}

// Thesis, figure 130: two warps where four hide the latency.
TEST(ThroughputAdvisor, CoreClock) {
  ThroughputDemand D;
  D.N = 2;
  D.InfiN = 4;
  D.MWPApp = 2;
  D.MWPBW = 10;
  EXPECT_EQ(adviseThroughput(D).CoreReduction, 3);
  D.N = 4; // enough warps
  EXPECT_EQ(adviseThroughput(D).CoreReduction, 1);
  D.N = 1; // (93) divides by N - 1
  EXPECT_EQ(adviseThroughput(D).CoreReduction, 1);
}

// Following the advice meets the demand, with no warp to spare.
TEST(ThroughputAdvisor, AdviceMeetsTheDemand) {
  ThroughputInputs In = gtx580();
  In.MemInsts = 4;
  In.FpInsts = 20;
  In.MSTR = 2;
  In.LoadBytesPerWarp = 256;
  for (double N : {8.0, 16.0, 48.0}) {
    In.N = N;
    ThroughputResult R = evaluateThroughput(In);
    ASSERT_GT(R.MWPApp, R.MWPBW);
    ThroughputAdvice A = adviseThroughput(
        {R.MWPApp, R.MWPBW, R.MWPAppInfiN, In.N, In.MSTR, In.ActiveSM});
    auto Category = [&](auto Change) {
      ThroughputInputs New = In;
      Change(New);
      return int(evaluateThroughput(New).Category) % 5;
    };
    using Inputs = ThroughputInputs;
    EXPECT_EQ(Category([&](Inputs &I) { I.MemBandwidth *= A.Alpha * 1.001; }),
              0);
    EXPECT_EQ(Category([&](Inputs &I) {
                I.LoadBytesPerWarp *= A.BytesFactor * .999;
              }),
              0);
    EXPECT_NE(Category([&](Inputs &I) {
                I.LoadBytesPerWarp *= A.BytesFactor * 1.01;
              }),
              0);
    EXPECT_EQ(Category([&](Inputs &I) { I.ActiveSM = A.Cores - 1; }), 0);
    EXPECT_EQ(Category([&](Inputs &I) { I.N = A.N; }), 0);
    EXPECT_NE(Category([&](Inputs &I) { I.N = A.N + 1; }), 0);
  }
}

} // namespace

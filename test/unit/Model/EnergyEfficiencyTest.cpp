//===- EnergyEfficiencyTest.cpp - Speed-up against energy -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/EnergyEfficiency.h"
#include "Golden.h"
#include <set>

using namespace ptxpredict;

namespace {

/// `name=2 other=3;…` of the golden file.
std::map<std::string, double> assignments(StringRef Text) {
  std::map<std::string, double> Values;
  SmallVector<StringRef, 16> Parts;
  llvm::SplitString(Text, Parts, " ;");
  for (StringRef Part : Parts)
    if (auto [Name, Value] = Part.split('='); !Value.empty()) {
      EXPECT_FALSE(Value.getAsDouble(Values[Name.str()])) << Part.str();
    }
  return Values;
}

TEST(EnergyEfficiency, DerivedVectors) {
  unsigned Alpha = 0, Partition = 0;
  for (const GoldenRow &R : goldenRows("hong_derived_appA.csv")) {
    StringRef Id = goldenText(R, "id");
    SCOPED_TRACE(Id.str());
    auto Given = assignments(goldenText(R, "inputs"));
    EnergyGain G;
    if (Id.starts_with("A5_Dg")) {
      CPUGPUSystem S;
      S.CPU = {Given.at("Cc"), Given.at("zc"), Given.at("Fc"),
               Given.at("phi_c"), Given.at("lc")};
      S.GPU = {Given.at("Cg"), Given.at("zg"), Given.at("Fg"),
               Given.at("phi_g"), Given.at("lg")};
      S.Idle = Given.at("B");
      double Share = 0;
      ASSERT_FALSE(Id.substr(5).getAsDouble(Share));
      G = partitionGain(S, Share);
      ++Partition;
    } else {
      G = energyGain(Given.at("alpha_T"), Given.at("alpha_P"));
      expectGolden(G.EnergyFraction, goldenNumber(R, "alpha_ov"), "alpha_ov");
      ++Alpha;
    }
    expectGolden(G.Speedup, goldenNumber(R, "S"), "S");
    expectGolden(G.Efficiency, goldenNumber(R, "E"), "E");
  }
  EXPECT_EQ(Alpha, 4u);
  EXPECT_EQ(Partition, 6u);
}

// (105) and (106): cores and data alone.
TEST(EnergyEfficiency, SidesAgainstEachOther) {
  ProcessorSide Old{4, 2, 1.5, 3, 10};
  ProcessorSide New = Old;
  New.Cores = 16;
  EnergyGain G = compareSides({Old, 100, 20}, {New, 200, 20});
  EXPECT_DOUBLE_EQ(G.Speedup, 16.0 / 4 * (100.0 / 200));
  double OldPower = 4 * 1.5 * 1.5 * 1.5 * 10 + 20;
  double NewPower = 16 * 1.5 * 1.5 * 1.5 * 10 + 20;
  EXPECT_DOUBLE_EQ(G.Efficiency, OldPower / NewPower * G.Speedup);
  // (103) and (109) are one.
  EXPECT_DOUBLE_EQ(G.Efficiency * G.EnergyFraction, 1);
}

CPUGPUSystem exampleSystem() {
  CPUGPUSystem S;
  S.CPU = {4, 1, 1, 1, 10};
  S.GPU = {16, 1, 1, 1, 3};
  S.Idle = 50;
  return S;
}

TEST(EnergyEfficiency, SixteenSeries) {
  std::vector<GoldenRow> Rows = goldenRows("hong_t16_hetero_series.csv");
  ArrayRef<SystemSeries> All = systemSeries();
  ASSERT_EQ(Rows.size(), 16u);
  ASSERT_EQ(All.size(), 16u);
  for (size_t I = 0; I != 16; ++I) {
    const SystemSeries &S = All[I];
    EXPECT_EQ(S.Number, goldenNumber(Rows[I], "series"));
    EXPECT_EQ(S.FastCPU, Rows[I].at("perf_cpu_corrected") == "Fast");
    EXPECT_EQ(S.FastGPU, Rows[I].at("perf_gpu_corrected") == "Fast");
    EXPECT_EQ(S.HighPowerCPU, Rows[I].at("power_cpu") == "High");
    EXPECT_EQ(S.HighPowerGPU, Rows[I].at("power_gpu") == "High");
  }
}

// Of every series the sweep has its 11 points, the CPU alone is the measure,
// and the conclusions of the text hold: nothing is to be gained by a slow GPU
// beside a fast CPU, and as much as possible goes to a GPU that is fast beside
// a slow CPU, whatever its power.
TEST(EnergyEfficiency, PartitionSweepOfEachSeries) {
  SeriesLevels Levels;
  Levels.Fast = 1, Levels.Slow = 20;
  Levels.Low = 5, Levels.High = 10;
  for (const SystemSeries &Series : systemSeries()) {
    SCOPED_TRACE(Series.Number);
    std::vector<PartitionPoint> Sweep =
        sweepPartition(applySeries(exampleSystem(), Series, Levels));
    ASSERT_EQ(Sweep.size(), 11u);
    EXPECT_EQ(Sweep.front().GPUShare, 0);
    EXPECT_EQ(Sweep[3].GPUShare, 0.3);
    EXPECT_EQ(Sweep.back().GPUShare, 1);
    EXPECT_DOUBLE_EQ(Sweep.front().Gain.Speedup, 1);
    EXPECT_DOUBLE_EQ(Sweep.front().Gain.Efficiency, 1);
    auto Best = std::max_element(Sweep.begin(), Sweep.end(),
                                 [](const auto &A, const auto &B) {
                                   return A.Gain.Efficiency < B.Gain.Efficiency;
                                 });
    if (Series.FastCPU != Series.FastGPU) {
      EXPECT_EQ(Best->GPUShare, Series.FastGPU ? 1 : 0);
    }
  }
}

TEST(EnergyEfficiency, ClockSweep) {
  ProcessorSide Side{16, 1, 2, 1, 1};
  const double Clocks[] = {1, 1.5, 2, 3};
  // Without idle power the slowest clock is the most efficient: E ~ 1 / F^2.
  for (const ClockPoint &P : sweepClock(Side, 0, Clocks)) {
    EXPECT_DOUBLE_EQ(P.Gain.Speedup, P.Clock / 2);
    EXPECT_DOUBLE_EQ(P.Gain.Efficiency, 4 / (P.Clock * P.Clock));
  }
  // With much of it there is a best clock between; d/dF of F^2 C l + B / F is
  // 0 at F^3 = B / (2 C l).
  const double Around[] = {1.9, 2, 2.1};
  std::vector<ClockPoint> Sweep = sweepClock(Side, 256, Around);
  EXPECT_GT(Sweep[1].Gain.Efficiency, Sweep[0].Gain.Efficiency);
  EXPECT_GT(Sweep[1].Gain.Efficiency, Sweep[2].Gain.Efficiency);
}

// (115)-(117). With a power that grows as S^k, E is S^(1-k): linear for 0 and
// 1, not only "unless square or more".
TEST(EnergyEfficiency, LinearOnlyWithoutGrowingPower) {
  auto Gains = [](double Exponent) {
    std::vector<EnergyGain> G;
    for (unsigned S = 1; S <= 8; ++S)
      G.push_back(energyGain(1.0 / S, std::pow(S, Exponent)));
    return G;
  };
  EXPECT_TRUE(isLinear(Gains(0)));
  EXPECT_DOUBLE_EQ(Gains(0).back().Efficiency, 8);
  EXPECT_TRUE(isLinear(Gains(1)));
  EXPECT_DOUBLE_EQ(Gains(1).back().Efficiency, 1);
  EXPECT_FALSE(isLinear(Gains(0.5)));
  EXPECT_FALSE(isLinear(Gains(2)));
  EXPECT_TRUE(isLinear(ArrayRef(Gains(2)).take_front(2)));
}

} // namespace

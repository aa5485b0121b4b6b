//===- UnitPowerTest.cpp - Power, temperature and cores by the equations --===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/UnitPower.h"
#include "Golden.h"
#include "ptxpredict/Model/OptimalCores.h"
#include "ptxpredict/Model/Temperature.h"
#include "gmock/gmock.h"
#include <set>

using namespace ptxpredict;
using testing::Each;
using testing::ElementsAre;
using testing::Lt;
using testing::SizeIs;

namespace {

constexpr AccessRateFunction SpecLinear{0.1365, 1.001375, 0, 0, 0};

/// Table 8 of the thesis: the GTX 280.
PowerParameters gtx280Power() {
  PowerParameters P;
  auto Set = [&P](PowerUnit U, double MaxW, bool IsSpecial) {
    P.Units.of(U) = {MaxW, 1, IsSpecial ? SpecLinear : AccessRateFunction()};
  };
  Set(PowerUnit::FP, 0.2, true);
  Set(PowerUnit::Reg, 0.3, true);
  Set(PowerUnit::ALU, 0.2, false);
  Set(PowerUnit::SFU, 0.5, false);
  Set(PowerUnit::Int, 0.25, true);
  Set(PowerUnit::FDS, 0.5, true);
  Set(PowerUnit::Shared, 1, false);
  Set(PowerUnit::Texture, 0.9, true);
  Set(PowerUnit::Constant, 0.4, true);
  Set(PowerUnit::Global, 52, true);
  Set(PowerUnit::Local, 52, true);
  P.ConstSMW = 0.813;
  P.IdleW = 83;
  P.NumSMs = 30;
  P.LogBeta = 1.1;
  return P;
}

ThermalParameters table9() {
  ThermalParameters T;
  T.IdleC = 57, T.RiseSeconds = 35, T.DecaySeconds = 60;
  T.Mu = 0.12, T.Lambda = 5.5, T.Rho = 21.505;
  T.Sigma = 10.0 / 22;
  return T;
}

TEST(UnitPower, AccessRatesTakeTheLogarithmWithinItsEnds) {
  for (const GoldenRow &R : goldenRows("hong_derived_spec_linear.csv"))
    expectGolden(SpecLinear(goldenNumber(R, "access_rate")),
                 goldenNumber(R, "spec_linear_clamped"),
                 goldenText(R, "access_rate"));
  EXPECT_EQ(SpecLinear(0), 0);
  EXPECT_EQ(SpecLinear(2), 1.001375);
}

TEST(UnitPower, AccessRatesMayStepAndBend) {
  AccessRateFunction Straight;
  EXPECT_DOUBLE_EQ(Straight(0.25), 0.25);
  AccessRateFunction Step;
  Step.Step = 0.2;
  EXPECT_EQ(Step(0), 0);
  EXPECT_DOUBLE_EQ(Step(0.5), 0.6);
  AccessRateFunction Knee;
  Knee.KneeRate = 0.25, Knee.KneeShare = 0.5;
  EXPECT_DOUBLE_EQ(Knee(0.125), 0.25);
  EXPECT_DOUBLE_EQ(Knee(0.25), 0.5);
  EXPECT_DOUBLE_EQ(Knee(0.625), 0.75);
  EXPECT_DOUBLE_EQ(Knee(1), 1);
}

TEST(UnitPower, ActiveSMsScaleByTheLogarithm) {
  for (const GoldenRow &R : goldenRows("hong_derived_log_scale.csv"))
    expectGolden(logScaling(goldenNumber(R, "active_sms"),
                            goldenNumber(R, "num_sms"), 1.1),
                 goldenNumber(R, "factor"), goldenText(R, "active_sms"));
}

TEST(UnitPower, VectorsOfTheGTX280) {
  const PowerParameters P = gtx280Power();
  std::vector<GoldenRow> Rows = goldenRows("hong_derived_power_gtx280.csv");
  EXPECT_THAT(Rows, SizeIs(5));
  for (const GoldenRow &R : Rows) {
    SCOPED_TRACE(goldenText(R, "id"));
    ByPowerUnit<double> Rates{};
    for (unsigned I = 0; I != NumPowerUnits; ++I)
      if (std::string Column = "rate_" + toString(PowerUnit(I)).str();
          R.count(Column))
        Rates[I] = goldenNumber(R, Column);
    double Active = goldenNumber(R, "active_sms");
    PowerBreakdown Power = evaluateUnitPower(P, Rates, Active);
    expectGolden(Power.SMSum, goldenNumber(R, "sum_sm_component_w"), "SM_sum");
    expectGolden(Power.MaxSM, goldenNumber(R, "max_sm_w"), "Max_SM");
    expectGolden(Power.RPMemory, goldenNumber(R, "rp_memory_w"), "RP_Memory");
    expectGolden(Power.Runtime, goldenNumber(R, "runtime_power_w"), "Runtime");
    expectGolden(Power.GPU, goldenNumber(R, "gpu_power_w"), "GPU_power");
    double Sum = Power.wattsOfConstSM(P);
    for (unsigned I = 0; I != NumPowerUnits; ++I)
      Sum += Power.wattsOf(PowerUnit(I), P);
    expectGolden(Sum, Power.Runtime, "the units' sum");
  }
}

TEST(UnitPower, AllRatesAtOne) {
  // Without the functions' 1.001375 the thesis's table gives 5.063 W an SM.
  PowerParameters P = gtx280Power();
  for (PowerParameters::Unit &U : P.Units)
    U.Function = {};
  ByPowerUnit<double> Rates;
  Rates.fill(1);
  PowerBreakdown Power = evaluateUnitPower(P, Rates, 30);
  EXPECT_NEAR(Power.SMSum, 5.063, 1e-9);
  EXPECT_NEAR(Power.MaxSM, 151.89, 1e-9);
  EXPECT_EQ(evaluateUnitPower(P, Rates, 0).GPU, 83);
}

TEST(UnitPower, WithoutALogarithmSMsAddUp) {
  // Table 11: 27 W idle, 64 W while a kernel runs.
  PowerParameters P;
  P.IdleW = 27, P.ActivationW = 64, P.NumSMs = 16;
  P.Units.of(PowerUnit::FP).MaxW = 1.1;
  P.Units.of(PowerUnit::L2).MaxW = 12;
  P.Units.of(PowerUnit::Global).MaxW = 28;
  ByPowerUnit<double> Rates{};
  Rates.of(PowerUnit::FP) = 1;
  Rates.of(PowerUnit::L2) = 0.5;
  Rates.of(PowerUnit::Global) = 0.25;
  for (double Active : {1.0, 4.0, 16.0}) {
    double Part = Active / 16;
    EXPECT_NEAR(evaluateUnitPower(P, Rates, Active).GPU,
                27 + 64 + Active * 1.1 + (6 + 7) * Part, 1e-9);
  }
  // "about 93 W" with one SM.
  Rates.of(PowerUnit::L2) = Rates.of(PowerUnit::Global) = 0;
  EXPECT_NEAR(evaluateUnitPower(P, Rates, 1).GPU, 93, 1);
}

TEST(UnitPower, ClocksScaleTheirShares) {
  PowerParameters P;
  P.IdleW = 20, P.ActivationW = 5, P.MemoryClockW = 10;
  P.ConstSMW = 1, P.NumSMs = 4;
  P.Units.of(PowerUnit::FP).MaxW = 2;
  P.Units.of(PowerUnit::L2).MaxW = 8;
  P.Units.of(PowerUnit::Global).MaxW = 40;
  ByPowerUnit<double> Rates;
  Rates.fill(0.5);
  PowerScales Scales;
  Scales.Core = 0.5, Scales.Memory = 0.25, Scales.MemoryClock = 0.75;
  EXPECT_NEAR(evaluateUnitPower(P, Rates, 4, Scales).GPU,
              20 + 5 + 0.75 * 10 + 0.5 * (4 * (1 + 1) + 4) + 0.25 * 20, 1e-9);
}

TEST(UnitPower, VoltageAndTheMemorysStateScaleWhatIsDrawnAnyway) {
  PowerParameters P;
  P.IdleW = 20, P.ActivationW = 5, P.MemoryClockW = 10, P.LeakageW = 8;
  P.NumSMs = 4;
  P.VoltageKnee = 0.75, P.VoltageSlope = 1, P.MemoryLowClock = 0.25;
  // At the boost clock the voltage is 1.25, below the knee 1.
  auto Watts = [&P](double Core, double Memory) {
    return evaluateUnitPower(P, {}, 4, PowerScales::at(P, Core, Memory)).GPU;
  };
  EXPECT_NEAR(Watts(1, 1), 20 + 5 + 10 + 8, 1e-9);
  EXPECT_NEAR(Watts(1.25, 1), 20 + 5 + 10 + 8 * 1.5 * 1.5 / 1.5625, 1e-9);
  EXPECT_NEAR(Watts(0.5, 0.5), 20 + 5 + 5 + 8 / 1.5625, 1e-9);
  EXPECT_NEAR(Watts(0.25, 0.25), 20 + 2.5 + 8 / 1.5625, 1e-9);
  // A steeper rise beyond a second knee.
  P.VoltageSteepKnee = 1.25, P.VoltageSteepSlope = 2;
  EXPECT_NEAR(Watts(1.25, 1), 20 + 5 + 10 + 8 * 1.5 * 1.5 / 1.5625, 1e-9);
  EXPECT_NEAR(Watts(1.5, 1), 20 + 5 + 10 + 8 * 2.25 * 2.25 / 1.5625, 1e-9);
  // A floor of the voltage, but in memory's low state.
  P.VoltageFloor = 1.25;
  EXPECT_NEAR(Watts(0.5, 0.5), 20 + 5 + 5 + 8, 1e-9);
  EXPECT_NEAR(Watts(0.25, 0.25), 20 + 2.5 + 8 / 1.5625, 1e-9);
  EXPECT_NEAR(Watts(1.5, 1), 20 + 5 + 10 + 8 * 2.25 * 2.25 / 1.5625, 1e-9);
  // Nothing of it where nothing runs.
  EXPECT_EQ(evaluateUnitPower(P, {}, 0).GPU, 20);
}

TEST(UnitPower, RatesAreAccessesPerIssueSlot) {
  // 512 threads in 60 blocks on 30 SMs: 32 warps an SM, each with 1000
  // accesses, in 256000 cycles of four a slot.
  double Warps = warpsPerSM(16, 60, 30);
  EXPECT_EQ(Warps, 32);
  EXPECT_DOUBLE_EQ(accessRate(1000, Warps, 256000, 4), 0.5);
}

TEST(Temperature, VectorsOfTable9) {
  const ThermalParameters T = table9();
  for (const GoldenRow &R : goldenRows("hong_derived_temperature.csv")) {
    SCOPED_TRACE(goldenText(R, "id") + " " + goldenText(R, "t_s"));
    double Runtime = goldenNumber(R, "runtime_power_w");
    double Rise = temperatureRise(T, Runtime, goldenNumber(R, "mem_intensity"));
    expectGolden(Rise, goldenNumber(R, "rise_degc"), "rise");
    double C = temperatureWhileRunning(T, Rise, goldenNumber(R, "t_s"));
    expectGolden(C, goldenNumber(R, "temp_degc"), "temperature");
    expectGolden(powerAtTemperature(T, Runtime, 83, C) - Runtime - 83,
                 goldenNumber(R, "extra_static_w"), "leakage");
  }
}

TEST(Temperature, PublishedIncreases) {
  // Section 3.5.2: INT ends 11 degrees above idle and draws 5 W more, SVM 21
  // degrees and 10 W, for which 10 W over 22 degrees gives 9.55.
  const ThermalParameters T = table9();
  EXPECT_NEAR(powerAtTemperature(T, 50, 83, 68) - 133, 5, 1e-9);
  EXPECT_NEAR(powerAtTemperature(T, 50, 83, 78) - 133, 10, 0.5);
}

TEST(Temperature, FallsBackToIdle) {
  const ThermalParameters T = table9();
  EXPECT_DOUBLE_EQ(temperatureAfterwards(T, 78, 0), 78);
  EXPECT_NEAR(temperatureAfterwards(T, 78, 60), 57 + 21 / std::exp(1), 1e-9);
  EXPECT_NEAR(temperatureAfterwards(T, 78, 6000), 57, 1e-9);
}

TEST(Temperature, WarmsUpToItsEnd) {
  Thermal T = findThermal(table9(), 100, 83, 0.1);
  double Rise = 12 + 5.5 + 2.1505;
  EXPECT_NEAR(T.MaxC, 57 + Rise, 1e-9);
  EXPECT_EQ(T.WarmUp.front().TemperatureC, 57);
  EXPECT_EQ(T.WarmUp.front().PowerW, 183);
  EXPECT_NEAR(T.WarmUp.back().TemperatureC, T.MaxC, 0.01 * Rise);
  EXPECT_NEAR(T.WarmUp.back().PowerW, 183 + 10.0 / 22 * Rise, 0.1);
  for (const ThermalPoint &At : T.WarmUp)
    EXPECT_NEAR(At.TemperatureC, 57 + Rise * (1 - std::exp(-At.Seconds / 35)),
                1e-9);
}

TEST(OptimalCores, PublishedOfTheGTX280) {
  // Table 4 of the ISCA 2010 paper prints MWP and CWP; the sweep over cores ran
  // one block of 512 threads an SM. MWP is MWP_peak_BW where bandwidth limits.
  std::map<std::string, GoldenRow> Printed;
  for (const GoldenRow &R : goldenRows("hong_ipp_t4_benchmarks.csv"))
    Printed[goldenText(R, "bench")] = R;
  unsigned NumTested = 0;
  for (const GoldenRow &R : goldenRows("hong_optimal_cores.csv")) {
    const std::string &Bench = goldenText(R, "bench");
    // Of Nmat the printed N is 32, with which 10 cores come out.
    if (goldenText(R, "model") != "IPP" || Bench == "Nmat")
      continue;
    SCOPED_TRACE(Bench);
    double MWP = goldenNumber(Printed[Bench], "mwp");
    double CWP = goldenNumber(Printed[Bench], "cwp");
    EXPECT_EQ(std::floor(optimalCores({MWP, CWP, 16, MWP}, 30)),
              goldenNumber(R, "predicted_cores"));
    ++NumTested;
  }
  EXPECT_EQ(NumTested, 5U);
  EXPECT_EQ(std::floor(optimalCores({10.764, 16, 16, 10.764}, 30)), 20);
  EXPECT_EQ(std::floor(optimalCores({10.764, 32, 32, 10.764}, 30)), 10);
}

TEST(OptimalCores, ThePrintedOrLeavesAllCores) {
  EXPECT_EQ(optimalCores({10.802, 16, 16, 10.802}, 30, CoreLogic::Or), 30);
  EXPECT_NEAR(optimalCores({10.802, 16, 16, 10.802}, 30), 20.25, 0.01);
}

TEST(OptimalCores, SpareBandwidthNeedsAllCores) {
  EXPECT_EQ(optimalCores({5.875, 11.226, 32, 15}, 30), 30);
}

TEST(OptimalCores, SavingsOfFewerCores) {
  // A third of the SMs off, time the same.
  EnergySaving S = energySaving({30, 1, 60}, {20, 1, 45}, 80);
  EXPECT_DOUBLE_EQ(S.Runtime, 0.25);
  EXPECT_NEAR(S.RuntimeIdle, 15.0 / 140, 1e-12);
  EXPECT_NEAR(S.PowerGated, 1.0 / 3, 1e-12);
  // Twice as long costs more.
  EXPECT_LT(energySaving({30, 1, 60}, {15, 2, 45}, 80).Runtime, 0);
  // Section 3.5.6: 120 W over 30 SMs are 4 W a core.
  EXPECT_DOUBLE_EQ(powerGated(120, 1, 30), 4);
}

TEST(Placement, GroupsOfTheEightyEightHundred) {
  // Table 12 gives the TPCs that four SMs of an 8800 GT take.
  std::vector<GoldenRow> Rows = goldenRows("hong_t12_thermal_placement.csv");
  EXPECT_THAT(Rows, SizeIs(9));
  double Fewest = 99;
  for (const GoldenRow &R : Rows) {
    SmallVector<StringRef, 4> SMs;
    StringRef(goldenText(R, "active_sms")).split(SMs, '-');
    std::set<unsigned> Groups;
    for (StringRef SM : SMs) {
      unsigned Number = 0;
      ASSERT_FALSE(SM.getAsInteger(10, Number));
      Groups.insert(groupOfSM(Number, 14, 2));
    }
    EXPECT_EQ(double(Groups.size()), goldenNumber(R, "active_tpcs_published"))
        << goldenText(R, "active_sms");
    Fewest = std::min(Fewest, double(Groups.size()));
  }
  // What we advise takes as few of them as the coolest of the table do.
  std::set<unsigned> Advised;
  for (unsigned SM : placeActiveSMs(14, 2, 4))
    Advised.insert(groupOfSM(SM, 14, 2));
  EXPECT_EQ(double(Advised.size()), Fewest);
}

TEST(Placement, WholeGroupsFarApart) {
  EXPECT_THAT(placeActiveSMs(14, 2, 4), ElementsAre(0, 3, 7, 10));
  EXPECT_THAT(placeActiveSMs(14, 2, 3), ElementsAre(0, 3, 7));
  EXPECT_THAT(placeActiveSMs(14, 2, 1), ElementsAre(0));
  EXPECT_THAT(placeActiveSMs(14, 2, 0), SizeIs(0));
  for (unsigned Active = 1; Active <= 31; ++Active) {
    // Groups of three, the last of them with one less.
    std::vector<unsigned> SMs = placeActiveSMs(29, 3, Active);
    std::set<unsigned> Distinct(SMs.begin(), SMs.end());
    EXPECT_THAT(Distinct, SizeIs(std::min(Active, 29U)));
    EXPECT_THAT(SMs, Each(Lt(29U)));
  }
}

} // namespace

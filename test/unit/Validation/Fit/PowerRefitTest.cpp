//===- PowerRefitTest.cpp -------------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/PowerRefit.h"
#include "ptxpredict/Device/Device.h"
#include "gtest/gtest.h"
#include <cmath>
#include <deque>

using namespace ptxpredict;

namespace {

/// Kernels of one kind of work each, or two, on boards that draw what we say.
class PowerRefit : public testing::Test {
protected:
  DeviceRegistry Registry;
  std::deque<KernelCharacteristics> Kernels;
  std::deque<PreparedPower> Powers;
  std::vector<PowerRow> Rows;

  const Device &device(StringRef Name) {
    return *llvm::cantFail(Registry.find(Name));
  }
  void SetUp() override {
    const SchedClass Works[] = {SchedClass::FP32FMA, SchedClass::Int,
                                SchedClass::FP64, SchedClass::SFU};
    for (SchedClass A : Works)
      for (SchedClass B : Works) {
        KernelCharacteristics &K = Kernels.emplace_back();
        K.Launch.Grid = {8000, 1, 1};
        K.Launch.Block = {256, 1, 1};
        K.Instructions = Estimate::known(10000);
        K.ByWork[unsigned(A)] = Estimate::known(A == B ? 10000 : 7000);
        if (A != B)
          K.ByWork[unsigned(B)] = Estimate::known(3000);
      }
  }
  /// Rows at several clocks. \p Draws: what the board does.
  void measure(const Device &D, const PowerParameters &Draws) {
    for (auto [N, K] : llvm::enumerate(Kernels)) {
      const PreparedPower &Power =
          Powers.emplace_back(KernelOnDevice(K, D), ModelOptions());
      for (double Clock : {0.6, 0.8, 0.9, 1.0}) {
        PowerRow &R = Rows.emplace_back();
        R.Power = &Power;
        R.On = &D;
        R.Point = DevicePoint::of(D);
        R.Point.CoreMHz *= Clock;
        // As many as let the slowest unit be busy all the time.
        R.Cycles = R.LeftOutCycles = Estimate::make(2e7, Status::Estimated);
        R.Kernel = R.Group.Kernel = "kernel " + std::to_string(N);
        R.Watts = Power.watts(R.Point, R.Cycles, Draws).Value;
      }
    }
  }
  /// A board that draws by its file but more for some units.
  static PowerParameters hungry(const Device &D) {
    PowerParameters P = powerParametersOf(D);
    P.Units.of(PowerUnit::FDS).MaxW *= 1.6;
    P.Units.of(PowerUnit::FP64).MaxW *= 0.5;
    P.LeakageW *= 6;
    P.VoltageKnee = 0.7;
    P.VoltageSlope = 0.8;
    return P;
  }
};

TEST_F(PowerRefit, PredictsKernelsThatItHasNotSeen) {
  const Device &D = device("v100");
  measure(D, hungry(D));
  PowerRefitResult R = refitPower(Rows, {}, 1);
  ASSERT_EQ(R.Watts.size(), Rows.size());
  double Worst = 0, WorstByFile = 0;
  for (auto [Row, Watts] : llvm::zip(Rows, R.Watts)) {
    ASSERT_TRUE(Watts);
    auto ErrorOf = [&, &Row = Row](double W) {
      return std::abs(W / Row.Watts - 1);
    };
    Worst = std::max(Worst, ErrorOf(Watts->Value));
    WorstByFile = std::max(
        WorstByFile, ErrorOf(Row.Power->watts(Row.Point, Row.Cycles).Value));
  }
  EXPECT_GT(WorstByFile, 0.2);
  EXPECT_LT(Worst, 0.1);
  ASSERT_EQ(R.Devices.size(), 1U);
  EXPECT_EQ(R.Devices.front().On, &D);
  EXPECT_EQ(R.Devices.front().Rows, Rows.size());
  // However many threads there are.
  PowerRefitResult Again = refitPower(Rows, {}, 3);
  for (auto [A, B] : llvm::zip(R.Watts, Again.Watts))
    EXPECT_EQ(A->Value, B->Value);
}

TEST_F(PowerRefit, ALeftOutGroupHasNoSay) {
  const Device &D = device("v100");
  measure(D, hungry(D));
  PowerRefitResult Before = refitPower(Rows, {}, 1);
  for (PowerRow &R : Rows)
    if (R.Kernel == "kernel 0")
      R.Watts *= 2;
  PowerRefitResult After = refitPower(Rows, {}, 1);
  for (size_t N = 0; N != Rows.size(); ++N)
    if (Rows[N].Kernel == "kernel 0")
      EXPECT_EQ(Before.Watts[N]->Value, After.Watts[N]->Value);
    else
      EXPECT_NE(Before.Watts[N]->Value, After.Watts[N]->Value);
}

TEST_F(PowerRefit, ADeviceWithoutRowsFollowsFromPhysicalFacts) {
  const Device &P100 = device("p100"), &V100 = device("v100"),
               &GTX280 = device("gtx-280");
  measure(P100, hungry(P100));
  auto Change = [](Device &D, StringRef Key, double To) {
    D.ModelParameters.find("ipp")->second.find(Key)->second.Value = To;
  };
  Device Finer = V100, Thirsty = V100, Unknown = V100;
  Finer.Name = "finer";
  Change(Finer, "node", 6);
  Thirsty.Name = "thirsty";
  Change(Thirsty, "memory_energy", 14);
  Unknown.Name = "unknown";
  Unknown.ModelParameters.find("ipp")->second.erase("process_clock");
  PowerRefitResult R =
      refitPower(Rows, {&V100, &GTX280, &Finer, &Thirsty, &Unknown}, 1);
  // The old one has plots, and of one we lack a fact.
  ASSERT_EQ(R.Devices.size(), 4U);
  EXPECT_EQ(R.Devices[0].On, &Finer);
  EXPECT_EQ(R.Devices[1].On, &P100);
  EXPECT_EQ(R.Devices[2].On, &Thirsty);
  EXPECT_EQ(R.Devices[3].On, &V100);
  EXPECT_EQ(R.Devices[3].Rows, 0U);
  const PowerParameters &Of = R.Devices[3].Parameters,
                        &OfFiner = R.Devices[0].Parameters,
                        &OfThirsty = R.Devices[2].Parameters;
  auto Watts = [](const PowerParameters &P, PowerUnit U) {
    return P.Units.of(U).MaxW;
  };
  // On a finer process the same work costs less, with one ratio for all units.
  const double Ratio =
      Watts(OfFiner, PowerUnit::FDS) / Watts(Of, PowerUnit::FDS);
  EXPECT_LT(Ratio, 0.8);
  EXPECT_NEAR(Watts(OfFiner, PowerUnit::L2) / Watts(Of, PowerUnit::L2), Ratio,
              1e-9);
  EXPECT_EQ(Watts(OfFiner, PowerUnit::Global), Watts(Of, PowerUnit::Global));
  // 3.9 to 14 pJ a bit, and 4 in both for the way there.
  EXPECT_NEAR(Watts(OfThirsty, PowerUnit::Global) /
                  Watts(Of, PowerUnit::Global),
              18 / 7.9, 1e-9);
  EXPECT_NEAR(OfThirsty.ActivationW / Of.ActivationW, 14 / 3.9, 1e-9);
  EXPECT_EQ(Watts(OfThirsty, PowerUnit::FDS), Watts(Of, PowerUnit::FDS));
  // Whose watts are not measured says so by its bounds.
  EXPECT_GT(Of.Bounds, R.Devices[1].Parameters.Bounds);
  EXPECT_GT(R.Devices[1].Parameters.Bounds, 0);
}

TEST_F(PowerRefit, AWaitingBoardDrawsWhatWasMeasured) {
  const Device &P100 = device("p100"), &H100 = device("h100-sxm");
  measure(P100, hungry(P100));
  PowerRefitResult R = refitPower(Rows, {&H100}, 1);
  ASSERT_EQ(R.Devices.size(), 2U);
  const PowerParameters &Of = R.Devices[0].Parameters;
  EXPECT_NEAR(Of.IdleW + Of.LeakageW + Of.ActivationW + Of.MemoryClockW,
              *H100.modelParameter("ipp", "waiting")->Value, 1e-9);
}

TEST_F(PowerRefit, AKernelAndItsDeviceAreLeftOutTogether) {
  const Device &P100 = device("p100"), &V100 = device("v100");
  measure(P100, hungry(P100));
  measure(V100, hungry(V100));
  for (PowerRow &R : Rows)
    R.Group.Device = R.On->Name;
  PowerRefitResult Before = refitPower(Rows, {}, 1);
  // Neither other kernels of the device nor the kernel elsewhere have a say.
  for (PowerRow &R : Rows)
    if (R.On == &V100 || R.Kernel == "kernel 0")
      R.Watts *= 2;
  PowerRefitResult After = refitPower(Rows, {}, 1);
  for (size_t N = 0; N != Rows.size(); ++N) {
    if (Rows[N].On != &V100)
      continue;
    if (Rows[N].Kernel == "kernel 0")
      EXPECT_EQ(Before.Watts[N]->Value, After.Watts[N]->Value);
    else
      EXPECT_NE(Before.Watts[N]->Value, After.Watts[N]->Value);
  }
}

TEST_F(PowerRefit, NothingRemainsNothingIsSaid) {
  const Device &D = device("v100");
  measure(D, hungry(D));
  for (PowerRow &R : Rows)
    R.Group.Kernel = "all";
  for (const std::optional<Estimate> &W : refitPower(Rows, {}, 1).Watts)
    EXPECT_FALSE(W);
}

} // namespace

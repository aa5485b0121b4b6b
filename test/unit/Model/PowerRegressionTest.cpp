//===- PowerRegressionTest.cpp - Tests of learned power -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Golden.h"
#include "TestDevices.h"
#include "ptxpredict/Model/LearnedPower.h"
#include "ptxpredict/Model/PowerRegressionFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using InputKind = RegressionInput::KindTy;

namespace {

double golden(StringRef ID) {
  for (const GoldenRow &R : goldenRows("song_derived_perf_power.csv"))
    if (R.at("id") == ID)
      return goldenNumber(R, "value");
  ADD_FAILURE() << "no row " << ID.str();
  return 0;
}

/// 10 - 4 - 4 - 1 without biases, by the rules of the golden row.
PowerNetwork goldenNetwork() {
  PowerNetwork N;
  N.Widths = {10, 4, 4, 1};
  for (int J = 0; J != 4; ++J) {
    N.Weights.push_back(0);
    for (int I = 0; I != 10; ++I)
      N.Weights.push_back(0.01 * (I + 1) * (J + 1) *
                          ((I + J) % 2 == 0 ? 1 : -1));
  }
  for (int J = 0; J != 4; ++J) {
    N.Weights.push_back(0);
    for (int I = 0; I != 4; ++I)
      N.Weights.push_back(0.1 * (I - J));
  }
  N.Weights.push_back(0);
  for (int J = 0; J != 4; ++J)
    N.Weights.push_back(0.25 * (J + 1));
  return N;
}

std::vector<double> goldenInputs() {
  std::vector<double> X;
  for (int I = 0; I != 10; ++I)
    X.push_back((I + 1) / 10.);
  return X;
}

TEST(PowerNetwork, Golden) {
  PowerNetwork N = goldenNetwork();
  EXPECT_EQ(double(PowerNetwork::numWeights(N.Widths)), golden("d25"));
  EXPECT_EQ(N.Weights.size(), PowerNetwork::numWeights(N.Widths));
  // W2[j][i] = 0.1 (i - j): i is the neuron that gives.
  EXPECT_NEAR(N.evaluate(goldenInputs()), golden("d23"), 1e-9);
  std::fill(N.Weights.begin(), N.Weights.end(), 0);
  EXPECT_NEAR(N.evaluate(goldenInputs()), golden("d24"), 1e-12);
}

TEST(PowerNetwork, GradientIsTheDifference) {
  PowerNetwork N = goldenNetwork();
  std::vector<double> Gradient(N.Weights.size());
  const std::vector<double> X = goldenInputs();
  EXPECT_EQ(N.evaluate(X, Gradient), N.evaluate(X));
  constexpr double Step = 1e-6;
  for (size_t I = 0; I != N.Weights.size(); ++I) {
    const double W = N.Weights[I];
    N.Weights[I] = W + Step;
    const double More = N.evaluate(X);
    N.Weights[I] = W - Step;
    const double Less = N.evaluate(X);
    N.Weights[I] = W;
    EXPECT_NEAR(Gradient[I], (More - Less) / (2 * Step), 1e-8) << I;
  }
}

PowerRegression lineOf() {
  PowerRegression R;
  R.Device = "toy";
  R.Inputs = {{InputKind::Event, PowerEvent::Instructions, 0.5, 2},
              {InputKind::CoreClock, {}, 500, 1000}};
  R.LeastW = 40;
  R.MostW = 120;
  R.Coefficients = {1. / 3, 20, 0.03};
  R.Error = {0.04, 5};
  R.Rows = 30;
  R.Kernels = 3;
  R.Folds = 10;
  R.Seed = 7;
  R.Sources = {{"made up", "a \"b\".csv", "00ff"}};
  return R;
}

PowerRegression networkOf() {
  PowerRegression R = lineOf();
  R.Kind = RegressionKind::Network;
  R.Coefficients.clear();
  R.Network.Widths = {2, 3, 1};
  for (int I = 0; I != 13; ++I)
    R.Network.Weights.push_back((I - 6) / 7.);
  R.Decay = 1e-5;
  return R;
}

TEST(PowerRegression, LineIsNotHeld) {
  EXPECT_NEAR(lineOf().watts({1, 800}), 1. / 3 + 20 + 24, 1e-12);
  EXPECT_NEAR(lineOf().watts({4, 800}), 1. / 3 + 80 + 24, 1e-12);
}

TEST(PowerRegression, NetworkIsHeldWithinItsInputs) {
  const PowerRegression R = networkOf();
  EXPECT_EQ(R.watts({4, 2000}), R.watts({2, 1000}));
  EXPECT_EQ(R.watts({0, 0}), R.watts({0.5, 500}));
  EXPECT_NE(R.watts({1, 1000}), R.watts({2, 1000}));
  EXPECT_EQ(fromTarget(0.1, 40, 120), 40);
  EXPECT_EQ(toTarget(120, 40, 120), 0.9);
}

std::string printed(const PowerRegression &R) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printPowerRegression(R, OS);
  return Text;
}

/// The messages of a file, a line each.
std::string problemsOf(StringRef Text, PowerRegression &R) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "p.yaml"));
  const bool Failed = readPowerRegression(Diags, R);
  EXPECT_EQ(Failed, Diags.hasErrors());
  std::string All;
  for (const Diagnostic &D : Diags.diagnostics())
    All += std::to_string(D.Line) + ":" + std::to_string(D.Column) + ": " +
           D.Message + "\n";
  return All;
}

TEST(PowerRegressionFile, KeepsEveryBit) {
  for (const PowerRegression &R : {lineOf(), networkOf()}) {
    PowerRegression Read;
    EXPECT_EQ(problemsOf(printed(R), Read), "");
    EXPECT_EQ(printed(Read), printed(R));
    for (int I = 0; I != 30; ++I)
      EXPECT_EQ(Read.watts({I / 10., 700}), R.watts({I / 10., 700}));
    EXPECT_EQ(Read.Network.Weights, R.Network.Weights);
    EXPECT_EQ(Read.Coefficients, R.Coefficients);
  }
}

TEST(LearnedPower, CountsOncePerKernel) {
  const Device D = toyDevice();
  const KernelCharacteristics K = countedKernel();
  const KernelOnDevice On(K, D, Estimate::known(16));
  const PowerEventCounts Events = countPowerEvents(On);
  const double Instructions = Events[size_t(PowerEvent::Instructions)]->Value;
  ASSERT_GT(Instructions, 0);
  // Of 20 warps: 10 loads of a line each.
  EXPECT_EQ(Events[size_t(PowerEvent::GlobalLoads)]->Value, 20 * (10 + 10));
  EXPECT_EQ(Events[size_t(PowerEvent::GlobalStores)]->Value, 0);
  EXPECT_EQ(Events[size_t(PowerEvent::TextureHits)]->Value, 0);
  PowerRegression R = lineOf();
  const LearnedPower Power(On, R);
  ASSERT_TRUE(Power);
  DevicePoint P = DevicePoint::of(D);
  P.CoreMHz = 800;
  Prediction Result;
  Result.Cycles = Estimate::known(Instructions); // a rate of 1
  Result.TimeUs = Estimate::known(100);
  Power.addTo(Result, P);
  EXPECT_NEAR(Result.PowerW->Value, 1. / 3 + 20 + 24, 1e-9);
  EXPECT_NEAR(Result.PowerW->Low, 1. / 3 + 20 + 24 - 10, 1e-9);
  EXPECT_NEAR(Result.PowerW->High, 1. / 3 + 20 + 24 + 10, 1e-9);
  EXPECT_NEAR(Result.EnergyJ->Value, Result.PowerW->Value * 1e-4, 1e-12);
  ASSERT_EQ(Result.Learned->Parts.size(), 3u);
  EXPECT_NEAR(Result.Learned->Parts[1].Watts, 20, 1e-9);
  EXPECT_TRUE(Result.Applies.Notes.empty());

  // Half of the time: a rate of 2 is the last one that was trained on.
  Result.Cycles = Estimate::known(Instructions / 4);
  Power.addTo(Result, P);
  ASSERT_EQ(Result.Applies.Notes.size(), 1u);
  EXPECT_EQ(Result.Applies.Notes.front(),
            "power by the regression mlr lies outside of what it was trained "
            "on: exec_inst 4 (0.5 to 2)");
}

} // namespace

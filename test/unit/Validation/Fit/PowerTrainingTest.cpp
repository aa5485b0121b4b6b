//===- PowerTrainingTest.cpp - Tests of regressions of power --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/PowerTraining.h"
#include "ptxpredict/Model/PowerRegressionFile.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace ptxpredict;
using InputKind = RegressionInput::KindTy;

namespace {

const RegressionInput Inputs[] = {{InputKind::Event, PowerEvent::Instructions},
                                  {InputKind::Event, PowerEvent::DRAMReads},
                                  {InputKind::Event, PowerEvent::TextureHits},
                                  {InputKind::CoreClock}};

/// Rows of eight kernels by a law; \p Of takes the inputs.
template <typename Law>
std::vector<TrainingRow> rowsBy(Law Of) {
  std::mt19937_64 Random(3);
  auto Share = [&] { return double(Random() % 1000) / 1000; };
  std::vector<TrainingRow> Rows;
  for (unsigned N = 0; N != 96; ++N) {
    TrainingRow R;
    R.Inputs = {4 * Share(), 20 * Share(), Share(), N % 2 == 0 ? 700. : 1000.};
    R.Watts = Of(R.Inputs);
    R.Kernel = N % 8;
    Rows.push_back(std::move(R));
  }
  return Rows;
}

double line(ArrayRef<double> X) {
  return 30 + 9 * X[0] + 1.5 * X[1] + 0.02 * X[3];
}

double curve(ArrayRef<double> X) {
  return 40 + X[3] / 1000 * (20 * X[0] * X[0] * (4 - X[0]) + 2 * X[1]);
}

std::string printed(const PowerRegression &R) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printPowerRegression(R, OS);
  return Text;
}

TEST(RootMeanSquare, Golden) {
  EXPECT_NEAR(rootMeanSquare({100, 110, 120}, {101, 108, 123}),
              2.160246899469287, 1e-9); // d22
}

TEST(PowerTraining, LineGivesItsNumbersBack) {
  const auto Rows = rowsBy(line);
  TrainingOptions O;
  O.Kind = RegressionKind::MLRPlus;
  const TrainingResult R = trainPower(Inputs, Rows, O);
  ASSERT_EQ(R.Regression.Coefficients.size(), 5u);
  const double Expected[] = {30, 9, 1.5, 0, 0.02};
  for (size_t I = 0; I != 5; ++I)
    EXPECT_NEAR(R.Regression.Coefficients[I], Expected[I], 1e-9) << I;
  EXPECT_LT(R.Regression.Error.MAPE, 1e-12);
  EXPECT_EQ(R.Kernels.size(), 8u);
  EXPECT_EQ(R.Kernels.front().Rows, 12u);
  EXPECT_EQ(R.Regression.Inputs[1].Most, [&] {
    double Most = 0;
    for (const TrainingRow &Row : Rows)
      Most = std::max(Most, Row.Inputs[1]);
    return Most;
  }());
}

TEST(PowerTraining, PlainLineHasNoTextures) {
  TrainingOptions O;
  O.Kind = RegressionKind::MLR;
  const TrainingResult R = trainPower(Inputs, rowsBy(line), O);
  EXPECT_EQ(R.Regression.Inputs.size(), 3u);
  EXPECT_TRUE(R.Constant.empty());
}

TEST(PowerTraining, SaysWhichInputsDecideNothing) {
  auto Rows = rowsBy(line);
  TrainingOptions O;
  O.Kind = RegressionKind::MLRPlus;
  for (TrainingRow &R : Rows)
    R.Inputs[2] = 7;
  TrainingResult R = trainPower(Inputs, Rows, O);
  EXPECT_EQ(R.Constant, std::vector<StringRef>{"T_hits"});
  EXPECT_EQ(R.Regression.Coefficients.size(), 4u);
  for (TrainingRow &Row : Rows)
    Row.Inputs[2] = Row.Inputs[0] + 2 * Row.Inputs[1];
  R = trainPower(Inputs, Rows, O);
  EXPECT_EQ(R.Dependent.size(), 1u);
  EXPECT_TRUE(R.Regression.Coefficients.empty());
  Rows.resize(4);
  R = trainPower(Inputs, Rows, O);
  EXPECT_TRUE(R.hasFewRows());
  EXPECT_EQ(R.NumParameters, 5u);
}

TEST(PowerTraining, NetworkLearnsWhatNoLineDoes) {
  const auto Rows = rowsBy(curve);
  TrainingOptions O;
  O.Folds = 2;
  O.Kind = RegressionKind::MLRPlus;
  const double Line = trainPower(Inputs, Rows, O).Regression.Error.MAPE;
  O.Kind = RegressionKind::Network;
  const TrainingResult R = trainPower(Inputs, Rows, O);
  EXPECT_EQ(R.NumParameters, 4u * 5 + 4 * 5 + 5);
  EXPECT_LT(R.Regression.Error.MAPE, Line / 3);
  // The same seed gives the same bytes, another one others.
  EXPECT_EQ(printed(trainPower(Inputs, Rows, O).Regression),
            printed(R.Regression));
  O.Seed = 2;
  EXPECT_NE(printed(trainPower(Inputs, Rows, O).Regression),
            printed(R.Regression));
}

TEST(PowerTraining, BackPropagationLearns) {
  const auto Rows = rowsBy(line);
  TrainingOptions O;
  O.Folds = 2;
  O.Trainer = RegressionTrainer::BackPropagation;
  const TrainingResult R = trainPower(Inputs, Rows, O);
  EXPECT_LT(R.Regression.Error.MAPE, 0.04);
  EXPECT_EQ(R.Regression.Decay, 0);
}

TEST(PowerTraining, KernelsAreLeftOutWhole) {
  // A law of each kernel's own cannot be learned from the others.
  auto Rows = rowsBy(line);
  for (TrainingRow &R : Rows)
    R.Watts += R.Kernel == 3 ? 100 : 0;
  TrainingOptions O;
  O.Kind = RegressionKind::MLRPlus;
  O.Folds = 8;
  O.Split = RegressionSplit::Kernel;
  const TrainingResult R = trainPower(Inputs, Rows, O);
  EXPECT_NEAR(R.Kernels[3].RMSEW, 100, 1e-6);
}

} // namespace

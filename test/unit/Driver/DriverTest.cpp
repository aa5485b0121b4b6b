//===- DriverTest.cpp - From input files to predictions -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Driver.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;

namespace {

constexpr const char *Saxpy = PTXPREDICT_SOURCE_DIR "/docs/examples/saxpy.ptx";
constexpr const char *Matmul =
    PTXPREDICT_SOURCE_DIR "/docs/examples/matmul.ptx";

std::string firstError(const Driver &D) {
  for (const DiagnosticEngine *E : D.diagnostics())
    for (const Diagnostic &Message : E->diagnostics())
      if (Message.Level == Severity::Error)
        return Message.Message;
  return "";
}

TEST(Driver, PredictsByDeviceThenModel) {
  DriverOptions O;
  O.Devices = {"v100", "h100-sxm", "v100"};
  O.Models = {"all"};
  Driver D(O);
  ASSERT_TRUE(D.prepare());
  ASSERT_TRUE(D.read(Saxpy));
  ASSERT_TRUE(D.read(Matmul));
  Report R = D.run();
  EXPECT_FALSE(D.hasErrors());
  ASSERT_EQ(R.Inputs.size(), 2u);
  ASSERT_EQ(R.Kernels.size(), 2u);
  EXPECT_EQ(R.Kernels[1].Input, 1u);
  EXPECT_EQ(R.Kernels[1].Characteristics.Name, "matmul");
  size_t NumModels = modelNames().size();
  ASSERT_EQ(R.Kernels[0].Predictions.size(), 2 * NumModels);
  EXPECT_EQ(R.Kernels[0].Predictions[0].Device, "v100");
  EXPECT_EQ(R.Kernels[0].Predictions[NumModels].Device, "h100-sxm");
  for (const KernelReport &K : R.Kernels)
    for (const Prediction &P : K.Predictions) {
      EXPECT_TRUE(P.Applies.Ok);
      ASSERT_TRUE(P.TimeUs);
      // Time and cycles are of one clock.
      EXPECT_DOUBLE_EQ(P.TimeUs->Value * P.CoreMHz, P.Cycles->Value);
      EXPECT_NE(P.TimeUs->How, Status::Known);
    }
}

TEST(Driver, AnswersForTheOthersWhenOneInputIsBad) {
  Driver D{DriverOptions()};
  ASSERT_TRUE(D.prepare());
  EXPECT_FALSE(D.read("/absent.ptx"));
  EXPECT_TRUE(D.read(Saxpy));
  Report R = D.run();
  EXPECT_TRUE(D.hasErrors());
  ASSERT_EQ(R.Kernels.size(), 1u);
  EXPECT_EQ(R.Kernels[0].Input, 0u); // of those that were read
  ASSERT_EQ(R.Diagnostics.size(), 1u);
  EXPECT_EQ(R.Diagnostics[0].Path, "/absent.ptx");
}

TEST(Driver, NamesWhatIsWrongBeforeReading) {
  auto Error = [](auto Change) {
    DriverOptions O;
    Change(O);
    Driver D(O);
    EXPECT_FALSE(D.prepare());
    EXPECT_TRUE(D.hasErrors());
    return firstError(D);
  };
  EXPECT_EQ(Error([](DriverOptions &O) { O.Models = {"mwp"}; }).substr(0, 32),
            "--model: there is no model 'mwp'");
  EXPECT_NE(Error([](DriverOptions &O) {
              O.Devices = {"v1000"};
            }).find("did you mean 'v100'"),
            std::string::npos);
  EXPECT_NE(Error([](DriverOptions &O) {
              O.LaunchFilePath = "/absent";
            }).find("cannot read"),
            std::string::npos);
}

TEST(Driver, ExactRegistersAreKnownOnEveryDevice) {
  DriverOptions O;
  O.Registers = 77;
  O.Devices = {"v100", "b200"};
  Driver D(O);
  ASSERT_TRUE(D.prepare());
  ASSERT_TRUE(D.read(Saxpy));
  Report R = D.run();
  EXPECT_EQ(R.Kernels[0].Characteristics.Resources.Registers.Value, 77);
  EXPECT_TRUE(R.Kernels[0].Characteristics.Resources.Registers.isKnown());
  for (const Prediction &P : R.Kernels[0].Predictions) {
    EXPECT_EQ(P.Registers.Value, 77);
    EXPECT_TRUE(P.Registers.isKnown());
  }
}

TEST(Driver, FasterClocksTakeLessTime) {
  double Last = INFINITY;
  for (double MHz : {500.0, 1000.0, 1500.0}) {
    DriverOptions O;
    O.CoreMHz = MHz;
    O.Devices = {"v100"};
    Driver D(O);
    ASSERT_TRUE(D.prepare());
    ASSERT_TRUE(D.read(Matmul));
    Report R = D.run();
    double Time = R.Kernels[0].Predictions[0].TimeUs->Value;
    EXPECT_LT(Time, Last);
    Last = Time;
  }
}

} // namespace

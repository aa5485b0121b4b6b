//===- WorkSplitTest.cpp - One kernel's work on several devices -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/WorkSplit.h"
#include "Golden.h"
#include "gmock/gmock.h"
#include <limits>
#include <random>

using namespace ptxpredict;
using testing::DoubleNear;
using testing::ElementsAre;

namespace {

TEST(WorkSplit, SharesOfPerformance) {
  EXPECT_THAT(sharesByPerformance({30, 90}), ElementsAre(0.25, 0.75));
  EXPECT_THAT(sharesByPerformance({0, 90}), ElementsAre(0, 1));
}

// Thesis, figure 147: the model's shares against the best that were measured,
// of 14 kernels. The error that the text quotes is the mean over the GPU's
// shares. Shares of performances that stand to each other as the columns do are
// those columns.
TEST(WorkSplit, PublishedSchedule) {
  double Sum = 0;
  std::vector<GoldenRow> Rows = goldenRows("hong_fig147_schedule.csv");
  ASSERT_EQ(Rows.size(), 14u);
  for (const GoldenRow &R : Rows) {
    double ManualCPU = goldenNumber(R, "manual_cpu_pct");
    double Manual = goldenNumber(R, "manual_gpu_pct");
    std::vector<double> Shares = sharesByPerformance(
        {goldenNumber(R, "model_cpu_pct"), goldenNumber(R, "model_gpu_pct")});
    double Want = sharesByPerformance({ManualCPU, Manual})[1];
    double Error = 100 * std::abs(Shares[1] - Want) / Want;
    expectGolden(Error, goldenNumber(R, "gpu_rel_err_pct"), "error", 1e-3);
    Sum += Error;
  }
  EXPECT_NEAR(Sum / double(Rows.size()), 17.04, 0.005);
}

// Without transfers the split is that of performances.
TEST(WorkSplit, WithoutTransfers) {
  SplitDevice CPU, GPU;
  CPU.Seconds = 9;
  GPU.Seconds = 1;
  WorkSplit W = splitWork({CPU, GPU});
  EXPECT_THAT(W.Shares,
              ElementsAre(DoubleNear(0.1, 1e-12), DoubleNear(0.9, 1e-12)));
  EXPECT_NEAR(W.Seconds, 0.9, 1e-12);
}

// 8 GB at 8 GB/s are a second more for all of the work.
TEST(WorkSplit, TransferLowersTheShare) {
  SplitDevice CPU, GPU;
  CPU.Seconds = 3;
  GPU.Seconds = 1;
  GPU.Bytes = 8e9;
  GPU.LinkGBs = 8;
  WorkSplit W = splitWork({CPU, GPU});
  EXPECT_THAT(W.Shares,
              ElementsAre(DoubleNear(0.4, 1e-12), DoubleNear(0.6, 1e-12)));
  EXPECT_NEAR(W.Seconds, 1.2, 1e-12);
  EXPECT_NEAR(secondsOfSplit({CPU, GPU}, W.Shares), 1.2, 1e-12);
  EXPECT_DOUBLE_EQ(secondsOfSplit({CPU, GPU}, {0, 1}), 2);
}

TEST(WorkSplit, DevicesThatDoNotTakePart) {
  SplitDevice CPU, GPU, Broken;
  CPU.Seconds = 1;
  GPU.Seconds = 0.1;
  GPU.FixedSeconds = 2; // starts when the CPU has long ended
  Broken.Seconds = std::numeric_limits<double>::infinity();
  WorkSplit W = splitWork({GPU, Broken, CPU});
  EXPECT_THAT(W.Shares, ElementsAre(0, 0, 1));
  EXPECT_EQ(W.Seconds, 1);
  W = splitWork({Broken});
  EXPECT_TRUE(W.Shares.empty());
  EXPECT_EQ(splitWork({}).Seconds, 0);
}

// No other split ends sooner.
TEST(WorkSplit, IsTheBest) {
  std::mt19937 Random(3);
  auto Unit = [&] { return double(Random()) / double(Random.max()); };
  for (unsigned I = 0; I != 200; ++I) {
    std::vector<SplitDevice> Devices(2 + Random() % 3);
    for (SplitDevice &D : Devices) {
      D.Seconds = 0.1 + Unit();
      D.Bytes = 1e9 * Unit();
      D.LinkGBs = Random() % 2 ? 4 * Unit() + 0.5 : 0;
      D.FixedSeconds = Random() % 2 ? Unit() : 0;
    }
    WorkSplit W = splitWork(Devices);
    double Sum = 0;
    for (double S : W.Shares) {
      EXPECT_GE(S, 0);
      Sum += S;
    }
    EXPECT_NEAR(Sum, 1, 1e-12);
    EXPECT_NEAR(secondsOfSplit(Devices, W.Shares), W.Seconds, 1e-12);
    for (unsigned Try = 0; Try != 50; ++Try) {
      std::vector<double> Other;
      for (size_t D = 0; D != Devices.size(); ++D)
        Other.push_back(Unit() + 1e-3);
      EXPECT_GE(secondsOfSplit(Devices, sharesByPerformance(Other)),
                W.Seconds * (1 - 1e-12));
    }
  }
}

} // namespace

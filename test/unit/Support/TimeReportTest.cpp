//===- TimeReportTest.cpp - Tests of TimeReport ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"
#include <thread>

using namespace ptxpredict;

namespace {

/// Uses so much processor time.
void workUntil(const TimeReport &R, double Seconds) {
  const double Start = TimeReport::processSeconds();
  while (TimeReport::processSeconds() - Start < Seconds)
    (void)R.calls(Stage::Parse);
}

TEST(TimeReport, CountsOnlyWhileItLives) {
  {
    StageTimer Before(Stage::Parse);
  }
  TimeReport R;
  EXPECT_EQ(R.calls(Stage::Parse), 0u);
  {
    StageTimer Timer(Stage::Parse);
  }
  {
    StageTimer Timer(Stage::Parse);
  }
  EXPECT_EQ(R.calls(Stage::Parse), 2u);
  EXPECT_EQ(R.calls(Stage::Lower), 0u);
}

TEST(TimeReport, AStageDoesNotHaveTheTimeOfThoseInsideIt) {
  TimeReport R;
  {
    StageTimer Outer(Stage::Characteristics);
    StageTimer Inner(Stage::Locality);
    workUntil(R, 0.05);
  }
  EXPECT_GE(R.seconds(Stage::Locality), 0.04);
  EXPECT_LT(R.seconds(Stage::Characteristics), 0.04);
}

TEST(TimeReport, AStageHasTheTimeOfItsThreads) {
  TimeReport R;
  {
    StageTimer Outer(Stage::Emulation);
    std::thread([&] {
      StageTimer Mine(&Outer);
      workUntil(R, 0.05);
    }).join();
  }
  EXPECT_EQ(R.calls(Stage::Emulation), 1u);
  EXPECT_GE(R.seconds(Stage::Emulation), 0.04);
  EXPECT_LE(R.seconds(Stage::Emulation), TimeReport::processSeconds());
}

TEST(TimeReport, EveryStageHasAName) {
  EXPECT_EQ(toString(Stage::Parse), "parse");
  EXPECT_EQ(toString(Stage::Report), "report");
}

} // namespace

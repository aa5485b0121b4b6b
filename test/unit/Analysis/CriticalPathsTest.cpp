//===- CriticalPathsTest.cpp - Critical paths against simulated warps -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AccuracyFile.h"
#include "InOrderWarp.h"

using namespace ptxpredict;

namespace {

TEST(CriticalPathsTest, SimulationIssuesWhatTheProfileCounts) {
  for (const std::string &Name : AccuracyFile::all()) {
    AccuracyFile F(Name);
    for (const LaunchFileEntry &E : F.launches()) {
      HeldBodies Bodies(F.kernel(E));
      SCOPED_TRACE(Name + " " + E.Kernel);
      InOrderWarps Unit(LatencyTable::unit()), Device(deviceLikeTable());
      ObserverList Both;
      Both.Observers = {&Unit, &Device};
      EmulationResult R = F.run(E, 0.27, Both);
      double Executions = 0;
      for (const InstructionProfile &I : R.Profile.Instructions)
        Executions += double(I.Executions);
      LaunchConfig C = F.config(E, 0.27);
      double Warps = double(C.blocks()) * double(C.warpsPerBlock());
      WarpTime T = Unit.mean();
      EXPECT_NEAR(T.Instructions, Executions / Warps, 1e-9 * Executions);
      // Nothing comes later than the next instruction could issue anyway.
      EXPECT_NEAR(T.Cycles, T.Instructions, 1e-9 * T.Cycles);
      EXPECT_GT(Device.mean().Cycles, 2 * T.Cycles);
      // What is waited for does not depend on how long it takes.
      EXPECT_EQ(T.RoundTrips, Device.mean().RoundTrips);
      EXPECT_LE(T.RoundTrips, T.LongLoads);
      EXPECT_LE(T.SharedRoundTrips, T.SharedLoads);
    }
  }
}

} // namespace

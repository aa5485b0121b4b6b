//===- IsoEnergyEfficiencyTest.cpp - Energy of parallel programs ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The dissertation's programs are tested by their files:
// test/unit/Scenario/Scaling.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/IsoEnergyEfficiency.h"
#include "ptxpredict/Model/MessageTimes.h"
#include "ptxpredict/Model/ParallelScaling.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace ptxpredict;

namespace {

/// Round numbers: 2 s and 3 s of sequential work.
EnergyMachine machine() {
  EnergyMachine M;
  M.InstructionSeconds = 0.5;
  M.AccessSeconds = 0.25;
  M.MessageSeconds = 0.125;
  M.ByteSeconds = 0.0625;
  M.IdleW = 100;
  M.ComputeW = 40;
  M.MemoryW = 20;
  M.IOW = 8;
  return M;
}
EnergyApplication application() {
  EnergyApplication A;
  A.Alpha = 0.5;
  A.Instructions = 4;
  A.Accesses = 12;
  A.ExtraInstructions = 2;
  A.ExtraAccesses = -4;
  A.Messages = 8;
  A.Bytes = 16;
  return A;
}

TEST(IsoEnergyEfficiency, IsWhatTheEquationsSay) {
  const EnergyMachine M = machine();
  const EnergyApplication A = application();
  const double Network =
      hockneySeconds(A.Messages, A.Bytes, M.MessageSeconds, M.ByteSeconds);
  EXPECT_EQ(Network, 2); // (4.16)
  const IsoEnergyEfficiency R = isoEnergyEfficiency(M, A, Network);
  EXPECT_EQ(R.SequentialSeconds, 5); // (4.12)
  EXPECT_EQ(R.SequentialJ, 0.5 * 5 * 100 + 2 * 40 + 3 * 20);
  EXPECT_EQ(R.OverheadSeconds, 1 - 1 + 2); // (4.15)
  EXPECT_EQ(R.OverheadJ, 0.5 * 2 * 100 + 1 * 40 - 1 * 20);
  EXPECT_EQ(R.parallelSeconds(), 7);            // (4.14)
  EXPECT_DOUBLE_EQ(R.factor(), 120. / 390);     // (4.18)
  EXPECT_DOUBLE_EQ(R.efficiency(), 390. / 510); // (4.21)
  EXPECT_DOUBLE_EQ(R.timeEfficiency(), 5. / 7);
}

// (4.8) and (4.10): I/O and the network draw power of their own.
TEST(IsoEnergyEfficiency, HasIOAndNetworkPower) {
  EnergyMachine M = machine();
  EnergyApplication A = application();
  const double Before = isoEnergyEfficiency(M, A, 2).SequentialJ;
  A.IOSeconds = 3;
  M.NetworkW = 10;
  const IsoEnergyEfficiency R = isoEnergyEfficiency(M, A, 2);
  EXPECT_EQ(R.SequentialSeconds, 8);
  EXPECT_EQ(R.SequentialJ, Before + 0.5 * 3 * 100 + 3 * 8);
  EXPECT_EQ(R.OverheadJ, 120 + 2 * 10);
}

// Section 4.7-C splits the overhead evenly: E_0 = p times that of one
// processor.
TEST(IsoEnergyEfficiency, OfAnEvenSplitIsTheSumOfItsProcessors) {
  std::mt19937 Random(35);
  std::uniform_real_distribution<double> Any(0.1, 9);
  for (unsigned Case = 0; Case != 100; ++Case) {
    EnergyMachine M;
    for (double *V : {&M.InstructionSeconds, &M.AccessSeconds, &M.IdleW,
                      &M.ComputeW, &M.MemoryW})
      *V = Any(Random);
    EnergyApplication A;
    for (double *V :
         {&A.Instructions, &A.Accesses, &A.ExtraInstructions, &A.ExtraAccesses})
      *V = Any(Random);
    A.Alpha = 0.9;
    const double Network = Any(Random), P = std::ceil(Any(Random));
    EnergyApplication Each = A;
    Each.ExtraInstructions /= P;
    Each.ExtraAccesses /= P;
    const IsoEnergyEfficiency R = isoEnergyEfficiency(M, A, Network);
    const double Sum = P * isoEnergyEfficiency(M, Each, Network / P).OverheadJ;
    EXPECT_NEAR(R.OverheadJ, Sum, 1e-12 * Sum);
    EXPECT_GT(R.efficiency(), 0);
    EXPECT_LE(R.efficiency(), 1); // no overhead is negative
  }
}

TEST(IsoEnergyEfficiency, FollowsTheClock) {
  EXPECT_EQ(clockPower(0, 24, 2, 0.5), 6);
  EXPECT_EQ(clockPower(10, 24, 2, 0.5), 16);
  EXPECT_DOUBLE_EQ(circuitPower(0.5, 2e-9, 1.5, 1e9, 2), 2.25 + 3); // (4.20)
  EXPECT_EQ(overlapFactor(8.5, 10), 0.85);                          // (4.19)
  EXPECT_EQ(clockEfficiency(90, 100), 0.9);                         // (4.25)
}

TEST(MessageTimes, OfThreeForms) {
  EXPECT_EQ(hockneySeconds(3, 100, 2, 0.5), 56);
  EXPECT_EQ(pairwiseSeconds(3, 100, 2, 0.5, 4), 12 * 56);
  EXPECT_EQ(pairwiseSeconds(3, 100, 2, 0.5, 1), 0);
  // Two processors, each with 3 messages of 10 bytes: 2 o + L for the first,
  // the gap for the other two, G for all bytes but one a message.
  const LogGPNumbers L = {5, 1, 2, 0.25};
  EXPECT_EQ(logGPSeconds(6, 60, L, 2), 2 * (7 + 2 * 2 + 27 * 0.25));
  // The overhead is longer than the gap; fewer messages than processors.
  EXPECT_EQ(logGPSeconds(6, 6, {5, 3, 2, 0.25}, 2), 2 * (11 + 2 * 3));
  EXPECT_EQ(logGPSeconds(1, 1, L, 4), 7);
  EXPECT_EQ(logGPSeconds(0, 0, L, 4), 0);
}

TEST(ParallelScaling, KeepsAnEfficiency) {
  EXPECT_DOUBLE_EQ(isoefficiencyConstant(0.8), 4);
  EXPECT_TRUE(isIsoefficient(100, 24, 0.8));
  EXPECT_FALSE(isIsoefficient(100, 26, 0.8));
  // (2.9) at equality is a speed-up of 0.8 p.
  const double Overhead = 100 / isoefficiencyConstant(0.75);
  EXPECT_DOUBLE_EQ(100 / (100 + Overhead), 0.75);
}

// (2.10): half of the work on one processor, half on four.
TEST(ParallelScaling, HasAPowerAwareSpeedup) {
  const DegreeOfWork Work[] = {{1, {2, 2}}, {4, {3, 1}}};
  EXPECT_DOUBLE_EQ(powerAwareSpeedup(Work, {}), 8. / 5);
  EXPECT_DOUBLE_EQ(powerAwareSpeedup(Work, {0.5, 0.5}), 8. / 6);
  // Twice the clock shortens what is on the chip alone.
  const DegreeOfWork Faster[] = {{1, {1, 2}}, {4, {1.5, 1}}};
  EXPECT_DOUBLE_EQ(powerAwareSpeedup(Faster, {0.25, 0.5}),
                   5.5 / (3 + 2.5 / 4 + 0.75));
}

// Section 3.4.1: MPI_FFT on 8 nodes, 2.3 times as fast with 3.3 times the
// energy; HPL under weak scaling stays where it is.
TEST(ParallelScaling, NormalizesPerformanceByEnergy) {
  EXPECT_NEAR(normalizedEfficiency(2.3, 3.3), 0.6969696969696969, 1e-15);
  EXPECT_EQ(normalizedEfficiency(8, 8), 1);
}

} // namespace

//===- MWPCWPTest.cpp - The equations of MWP-CWP --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/MWPCWP.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace ptxpredict;

namespace {

/// The hardware of a GTX 280: thesis, tables 2 and 5.
MWPCWPInputs gtx280Inputs() {
  MWPCWPInputs In;
  In.IssueCycles = 4;
  In.MFactor = 1;
  In.MemLD = 450;
  In.DepartureDelCoal = 4;
  In.DepartureDelUncoal = 40;
  In.UncoalPerMW = 1;
  In.LoadBytesPerWarp = 128;
  In.Freq = 1.3;
  In.MemBandwidth = 141.7;
  In.ActiveSMs = 30;
  return In;
}

/// Four warps on each SM, of which each asks for memory so often.
MWPCWPInputs fourWarps(double MemInsts, double CompInsts) {
  MWPCWPInputs In = gtx280Inputs();
  In.CompInsts = CompInsts;
  In.CoalMemInsts = MemInsts;
  In.ThreadsPerBlock = 32;
  In.Blocks = 120;
  In.ActiveBlocksPerSM = 4;
  In.NPw = 4;
  return In;
}

TEST(MWPCWP, IndependentRequestsRaiseMWP) {
  MWPCWPInputs In = fourWarps(4, 100);
  EXPECT_EQ(evaluateMWPCWP(In).MWP, 4);
  In.NPw = parallelWarps(4, 4, 2);
  MWPCWPResult R = evaluateMWPCWP(In);
  EXPECT_EQ(R.MWP, 8);
  EXPECT_EQ(R.N, 4);
}

// N_pw is of MWP alone: the cases compare with N, and (22) divides by an MWP
// that may be above it.
TEST(MWPCWP, GroupsOfRequestsLeaveTheCasesAlone) {
  MWPCWPInputs In = fourWarps(4, 16);
  In.NPw = parallelWarps(4, 4, 3);
  for (MWPCase Case : {MWPCase::Physical, MWPCase::Literal}) {
    MWPCWPOptions Options;
    Options.Case = Case;
    MWPCWPResult R = evaluateMWPCWP(In, Options);
    EXPECT_EQ(R.MWP, R.MWPPeakBW); // 12.9
    EXPECT_EQ(R.CWP, R.N);
    EXPECT_EQ(R.Case, 1);
    EXPECT_EQ(R.ExecCyclesApp, 4 * 454 + 80 + 80 / 4.0 * (R.MWP - 1));
  }
  // (9) caps CWP by N = 4, below MWP: no case of memory by the first condition
  // of (22), and one by the second as it is printed.
  In = fourWarps(4, 500); // CWP_full 1.9
  In.NPw = 8;
  MWPCWPOptions Literal;
  Literal.Case = MWPCase::Literal;
  EXPECT_EQ(evaluateMWPCWP(In).Case, 3);
  MWPCWPResult R = evaluateMWPCWP(In, Literal);
  EXPECT_EQ(R.Case, 2);
  EXPECT_EQ(R.ExecCyclesApp, 4 * 454 * 4 / 8.0 + 2016 / 4.0 * 7);
}

TEST(MWPCWP, RoundsMayBeWhole) {
  MWPCWPInputs In = fourWarps(4, 100);
  In.Blocks = 121;
  MWPCWPOptions Whole;
  Whole.WholeRounds = true;
  EXPECT_DOUBLE_EQ(evaluateMWPCWP(In).Rep, 121 / 120.0);
  EXPECT_EQ(evaluateMWPCWP(In, Whole).Rep, 2);
}

// What the equations promise for any input: with the physical reading of the
// cases no warp instruction takes less than half its issue time (case 2 at its
// edge), and cases 1 and 3 never take less than all of it.
TEST(MWPCWP, PhysicalCasesRespectIssueTime) {
  std::mt19937 Random(7);
  auto Between = [&](double Low, double High) {
    return Low * std::pow(High / Low, double(Random()) / double(Random.max()));
  };
  unsigned Seen[4] = {};
  for (unsigned I = 0; I != 20000; ++I) {
    MWPCWPInputs In = gtx280Inputs();
    In.CompInsts = Between(1, 1e4);
    In.CoalMemInsts = std::floor(Between(0.5, 300));
    In.UncoalMemInsts = std::floor(Between(0.5, 300));
    In.UncoalPerMW = Between(2, 32);
    In.LoadBytesPerWarp = Between(32, 512);
    In.ThreadsPerBlock = 32 * std::ceil(Between(0.5, 16));
    In.Blocks = std::ceil(Between(30, 3000));
    In.ActiveBlocksPerSM = std::ceil(Between(0.5, 8));
    In.MemBandwidth = Between(50, 1000);
    const double N = residentWarps(In.ActiveBlocksPerSM, In.ThreadsPerBlock);
    const double AtOnce = std::floor(Between(1, 9));
    In.NPw = N * AtOnce;
    MWPCWPResult R = evaluateMWPCWP(In);
    ASSERT_LE(R.Case, 3);
    ++Seen[int(R.Case)];
    double Least = R.Case == 2 && R.MWP >= 1 ? In.IssueCycles / 2
                   : R.Case == 2             ? 0
                                             : In.IssueCycles;
    EXPECT_GE(R.CPI, Least * (1 - 1e-9)) << "case " << R.Case;
    EXPECT_LE(R.MWP, In.NPw);
    EXPECT_GE(R.CWP, 1);
  }
  EXPECT_GT(Seen[0], 0u);
  EXPECT_GT(Seen[1], 0u);
  EXPECT_GT(Seen[2], 0u);
  EXPECT_GT(Seen[3], 0u);
}

} // namespace

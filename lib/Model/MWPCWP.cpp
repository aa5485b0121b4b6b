//===- MWPCWP.cpp - The equations of MWP-CWP ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/MWPCWP.h"
#include <cmath>
#include <limits>

using namespace ptxpredict;

static double warpsOfBlock(double Threads) { return std::ceil(Threads / 32); }

double ptxpredict::residentWarps(double ActiveBlocksPerSM,
                                 double ThreadsPerBlock) {
  return ActiveBlocksPerSM * warpsOfBlock(ThreadsPerBlock);
}

double ptxpredict::parallelWarps(double N, double MemReq, double IndMemReq) {
  return N * MemReq / (MemReq - IndMemReq); // (28)
}

MWPCWPResult ptxpredict::evaluateMWPCWP(const MWPCWPInputs &In,
                                        const MWPCWPOptions &Options) {
  MWPCWPResult R;
  const double Uncoal = In.UncoalMemInsts, Coal = In.CoalMemInsts;
  const double MemInsts = Uncoal + Coal;
  const double TotalInsts = In.CompInsts + MemInsts;
  R.N = residentWarps(In.ActiveBlocksPerSM, In.ThreadsPerBlock);
  R.Rep = In.Blocks / (In.ActiveBlocksPerSM * In.ActiveSMs); // (20)
  if (Options.WholeRounds)
    R.Rep = std::ceil(R.Rep);
  R.CompCycles = In.IssueCycles * In.MFactor *
                 (Options.CompIncludesMem ? TotalInsts : In.CompInsts); // (30)

  if (MemInsts == 0) {
    // The equations divide by #Mem_insts, yet a kernel of pure computation (the
    // thesis's Mb1) must be answered: nothing waits, every warp issues.
    R.MWPWithoutBWFull = R.MWPPeakBW = std::numeric_limits<double>::infinity();
    R.MWP = R.N;
    R.CWPFull = R.CWP = 1;
    R.ExecCyclesApp = R.CompCycles * R.N * R.Rep;
  } else {
    const double WeightUncoal = Uncoal / MemInsts; // (10)
    const double WeightCoal = Coal / MemInsts;     // (11)
    R.MemLUncoal =
        In.MemLD + (In.UncoalPerMW - 1) * In.DepartureDelUncoal; // (12)
    R.MemLCoal =
        In.MemLD + (Options.LatencyOfISCA09 ? 0 : In.DepartureDelCoal); // (13)
    R.MemL = R.MemLUncoal * WeightUncoal + R.MemLCoal * WeightCoal;     // (14)
    R.DepartureDelay = In.DepartureDelUncoal * In.UncoalPerMW * WeightUncoal +
                       In.DepartureDelCoal * WeightCoal;          // (15)
    R.MWPWithoutBWFull = R.MemL / R.DepartureDelay;               // (16)
    R.BWPerWarp = In.Freq * In.LoadBytesPerWarp / R.MemL;         // (7)
    R.MWPPeakBW = In.MemBandwidth / (R.BWPerWarp * In.ActiveSMs); // (6)
    // (29); with N_pw = N it is (5). The printed (29) takes MWP_Without_BW,
    // which (17) has capped by N, so that N_pw could never matter.
    R.MWP = std::min({R.MWPWithoutBWFull, R.MWPPeakBW, In.NPw});
    if (Options.MWPInHundredths)
      R.MWP = std::round(R.MWP * 100) / 100;
    R.MemCycles = R.MemLUncoal * Uncoal + R.MemLCoal * Coal; // (19)
    R.CWPFull = (R.MemCycles + R.CompCycles) / R.CompCycles; // (8)
    R.CWP = std::min(R.CWPFull, R.N);                        // (9)

    const bool MoreCompute = R.CompCycles > R.MemCycles;
    if (R.MWP >= R.N && R.CWP >= R.N)
      R.Case = 1;
    else if (Options.Case == MWPCase::Literal)
      R.Case = R.CWP >= R.MWP || MoreCompute ? 2 : 3;
    else // a kernel that computes longer than it waits is no memory case
      R.Case = R.CWP >= R.MWP && !MoreCompute ? 2 : 3;

    const double CompPeriods = R.CompCycles / MemInsts * (R.MWP - 1);
    double OneRound;
    if (R.Case == 1)
      OneRound = R.MemCycles + R.CompCycles + CompPeriods; // (21)
    else if (R.Case == 2)
      OneRound = R.MemCycles * R.N / R.MWP + CompPeriods; // (22)
    else
      OneRound = R.MemL + R.CompCycles * R.N; // (23)
    R.ExecCyclesApp = OneRound * R.Rep;
  }

  R.NpWB = std::min(R.MWP, warpsOfBlock(In.ThreadsPerBlock)); // (26)
  R.SynchCost = R.DepartureDelay * (R.NpWB - 1) * In.SynchInsts *
                In.ActiveBlocksPerSM * R.Rep;            // (25)
  R.ExecCyclesWithSynch = R.ExecCyclesApp + R.SynchCost; // (27)
  R.CPI = R.ExecCyclesApp / (TotalInsts * In.ThreadsPerBlock / 32 * In.Blocks /
                             In.ActiveSMs); // (24)
  return R;
}

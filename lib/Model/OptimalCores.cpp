//===- OptimalCores.cpp - How many SMs to use, and which ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/OptimalCores.h"
#include <algorithm>

using namespace ptxpredict;

double ptxpredict::optimalCores(const WarpParallelism &W, double NumSMs,
                                CoreLogic Logic) {
  const bool AllWait = W.MWP >= W.N, AllCompute = W.CWP >= W.N;
  const bool TooFewWarps =
      Logic == CoreLogic::And ? AllWait && AllCompute : AllWait || AllCompute;
  // MWP is the least of three, of which bandwidth may be one: no less than
  // rounding below it.
  const bool BandwidthIsSpare = W.MWP < W.MWPPeakBW * (1 - 1e-9);
  if (TooFewWarps || W.MWP > W.CWP || BandwidthIsSpare)
    return NumSMs;
  // Mem_Bandwidth / (BW_per_warp x N), (63), by (6).
  return std::min(NumSMs, W.MWPPeakBW * NumSMs / W.N);
}

EnergySaving ptxpredict::energySaving(const CoreUse &All, const CoreUse &Few,
                                      double IdleW) {
  EnergySaving S;
  const double Longer = Few.Seconds / All.Seconds;
  S.Runtime = 1 - Few.RuntimeW / All.RuntimeW * Longer;
  S.RuntimeIdle = 1 - (Few.RuntimeW + IdleW) / (All.RuntimeW + IdleW) * Longer;
  const double AllW = All.RuntimeW + IdleW;
  S.PowerGated = 1 - powerGated(AllW, Few.SMs, All.SMs) / AllW * Longer;
  return S;
}

double ptxpredict::powerGated(double AllW, double SMs, double NumSMs) {
  return AllW * SMs / NumSMs;
}

static unsigned numGroups(unsigned NumSMs, unsigned SMsPerGroup) {
  return (NumSMs + SMsPerGroup - 1) / SMsPerGroup;
}

unsigned ptxpredict::groupOfSM(unsigned SM, unsigned NumSMs,
                               unsigned SMsPerGroup) {
  return SM % numGroups(NumSMs, SMsPerGroup);
}

std::vector<unsigned> ptxpredict::placeActiveSMs(unsigned NumSMs,
                                                 unsigned SMsPerGroup,
                                                 unsigned Active) {
  Active = std::min(Active, NumSMs);
  const unsigned Groups = numGroups(NumSMs, SMsPerGroup);
  const unsigned Used =
      std::min(Groups, (Active + SMsPerGroup - 1) / SMsPerGroup);
  std::vector<unsigned> SMs;
  for (unsigned I = 0; I != Used; ++I)
    for (unsigned SM = I * Groups / Used; SM < NumSMs; SM += Groups)
      SMs.push_back(SM);
  // The last group may not be needed whole, and groups of a number that does
  // not divide may have one less.
  for (unsigned SM = 0; SMs.size() < Active; ++SM)
    if (std::find(SMs.begin(), SMs.end(), SM) == SMs.end())
      SMs.push_back(SM);
  SMs.resize(Active);
  std::sort(SMs.begin(), SMs.end());
  return SMs;
}

//===- Throughput.cpp - The equations of the throughput model -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Throughput.h"
#include "ptxpredict/Model/ThroughputCategories.h"
#include <algorithm>
#include <limits>

using namespace ptxpredict;

static constexpr double Unlimited = std::numeric_limits<double>::infinity();

/// A quotient where nothing means no limit.
static double limit(double Supply, double Demand) {
  return Demand > 0 ? Supply / Demand : Unlimited;
}

ThroughputResult
ptxpredict::evaluateThroughput(const ThroughputInputs &In,
                               const ThroughputOptions &Options) {
  using Opt = ThroughputOptions;
  ThroughputResult R;
  // On a GPU a fused multiply-add is one instruction of twice the operations.
  double FP = In.FpInsts, VecFP = In.FpVecInsts;
  if (Options.SplitFused) {
    FP += 2 * In.FpFusedInsts;
    VecFP += 2 * In.FpVecFusedInsts;
  } else {
    VecFP += In.FpFusedInsts + In.FpVecFusedInsts;
  }
  const double Useful = FP + VecFP;
  const double Others = In.IntInsts + In.BrMiscInsts + In.MemInsts;
  // Fused instructions of a GPU are no vectors of a CPU.
  const double VecILP = Options.SplitFused ? In.SSEILP : In.ILP;
  const double Issue = In.IssueCycles * In.MFactor;

  if (Useful > 0) {
    R.PeakFP = In.DevPeakFP * FP / Useful;          // (65)
    R.PeakVecFP = In.DevPeakVecFP * VecFP / Useful; // (66)
  }
  R.PeakAchi = R.PeakFP + R.PeakVecFP; // (67)

  const double Warps =
      Options.Dependence == Opt::DependenceMode::OtherWarps ? In.N : 1;
  R.PerfCycles = In.IssueCycles * In.FPFactor * Useful / In.PeakILP; // (69)
  R.DEPEffect =
      std::max(In.InstLatency / (In.DEP * Warps * In.IssueCycles), 1.0);
  R.TotalCycles =
      Issue * ((FP + Others) / In.ILP + VecFP / VecILP) * R.DEPEffect; // (70)
  if (R.TotalCycles > 0) {
    R.EffRatioComp = R.PerfCycles / R.TotalCycles; // (68)
    R.PerfILP1 = R.PeakAchi * R.PerfCycles /
                 (Issue * (Useful + Others) * R.DEPEffect); // (64)
  }
  R.PerfCompOnly = R.PeakAchi * R.EffRatioComp; // (64)

  // A period is what lies between two waits for memory; one that brings MSTR
  // requests together.
  const bool HasMemory = In.MemInsts > 0;
  R.MemPeriods = HasMemory ? In.MemInsts / In.MSTR : 1;
  R.EffComp = R.TotalCycles / R.MemPeriods;
  R.EffPerf = R.PerfCycles / R.MemPeriods;
  R.EffMem = HasMemory ? In.MemL : 0;

  R.MWPAppInfiN =
      R.EffComp > 0 ? std::max(R.EffMem / R.EffComp, 1.0) : 1; // (72)
  R.MWPAppOneMemWarp = std::min(R.MWPAppInfiN, In.N);          // (73)
  R.MWPApp = R.MWPAppOneMemWarp * In.MSTR;                     // (74)
  R.BWPerWarp =
      R.EffMem > 0 ? In.Freq * In.LoadBytesPerWarp / R.EffMem : 0; // (76)
  R.MWPBW = limit(In.MemBandwidth, R.BWPerWarp * In.ActiveSM);     // (75)
  R.MWPProc =
      HasMemory ? limit(R.EffMem, In.DepartureDelay) : Unlimited; // (16)
  const bool Requests = Options.Count == Opt::CountMode::Requests;
  const double OfWarp = Requests ? In.MSTR : 1; ///< of MWP, and of a period
  R.MWP = std::min({R.MWPApp, R.MWPBW, R.MWPProc, In.N * OfWarp}); // (71)
  R.Category =
      classifyThroughput(In.N, R.MWPAppInfiN, R.MWPProc, R.MWPBW, R.MWPApp);

  R.MemSerialN = R.EffMem * In.N * OfWarp; // (78)
  R.MemDividedN = R.MemSerialN / R.MWP;    // (79)
  double Computing = R.MWP / OfWarp - 1;   // warps
  if (Requests)
    Computing = std::max(Computing, 0.0);
  R.MemN = R.MemDividedN + R.EffComp * Computing;          // (80)
  R.CompcyclesN = R.EffComp * In.N;                        // (81)
  R.IdleMemCycles = std::max(0.0, R.MemN - R.CompcyclesN); // (82)
  if (Options.Idle == Opt::IdleMode::Clamp && R.Category == 10)
    R.IdleMemCycles = 0;
  R.IdleRatio = R.MemSerialN > 0 ? R.IdleMemCycles / R.MemSerialN : 0;

  const double Period = R.CompcyclesN + R.IdleMemCycles;
  R.EffRatio = Period > 0 ? R.EffPerf * In.N / Period : 0; // (77)
  R.Perf = R.PeakAchi * R.EffRatio;                        // (64)
  R.ExecCycles = In.Rep * R.MemPeriods * Period;
  return R;
}

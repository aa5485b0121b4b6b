//===- WangChu.cpp - The equations of Wang & Chu's two-clock model --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/WangChu.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

/// Sets T_active of a kernel that keeps nothing in shared memory. \p Del is the
/// time that what a warp asks for in a period is served in.
static void setActive(const WangChuInputs &In, const WangChuOptions &Options,
                      double Del, WangChuResult &R) {
  const double Aw = In.ActiveWarps, Lat = R.AglLat, Comp = R.AvrComp;
  if (Comp >= Del) {
    if (Comp * (Aw - 1) >= Lat) { // (8b)
      R.Case = 9;
      R.TActive = Comp * Aw * In.OItrs + Lat;
    } else {
      R.Case = 15;
      R.TActive = Comp * (Aw - 1) + (Comp + Lat) * In.OItrs;
    }
    return;
  }
  // The queue is never empty if the other warps' requests take longer than a
  // warp's own way around.
  const double Around = Comp + Lat, Others = Del * (Aw - 1);
  if (Options.PrintedConditions ? Around >= Others : Around <= Others) {
    R.Case = 11;
    const double Warps = Options.PrintedConditions ? In.WarpsPerBlock : Aw;
    R.TActive = Lat + Comp + Del * Warps * In.OItrs;
  } else {
    R.Case = 13;
    R.TActive = Del * Aw + Lat + Comp + Around * (In.OItrs - 1);
  }
}

/// Sets T_active of a kernel that fills shared memory and computes from it.
static void setPhases(const WangChuInputs &In, double Del, WangChuResult &R) {
  const double Aw = In.ActiveWarps, Wpb = In.WarpsPerBlock;
  const double Comp = R.AvrComp;
  R.TPhase1 = 2 * Comp + Del * Aw + R.AglLat + In.ShLat;       // (18)
  R.TPhase2 = Comp * (Wpb - 1) + (Comp + In.ShLat) * In.IItrs; // (19)
  R.TPhase3 = 2 * Comp + Del * Wpb + R.AglLat + In.ShLat;      // (20)
  if (Comp <= R.AglDel && R.TPhase2 <= Del * (Aw - Wpb)) {     // (16a), (16b)
    R.Case = 17;
    R.TActive = Comp + R.AglLat + Del * Aw * In.OItrs;
  } else {
    R.Case = 21;
    R.TActive = R.TPhase1 + (R.TPhase2 + R.TPhase3) * In.OItrs;
  }
}

WangChuResult ptxpredict::evaluateWangChu(const WangChuInputs &In,
                                          const WangChuOptions &Options) {
  WangChuResult R;
  const double Ratio = In.CoreF / In.MemF;
  R.DmLat = In.DmLatSlope * Ratio + In.DmLatOffset; // (4)
  const double Latency = Options.LiteralLatency
                             ? (In.DmLatSlope + In.DmLatOffset) * Ratio
                             : R.DmLat;
  const double Misses = 1 - In.L2HitRate;
  R.AglLat = In.L2Lat * In.L2HitRate + Latency * Misses; // (5a)
  R.DmDelNow = In.DmDel;
  if (In.DmDelSlope > 0)
    R.DmDelNow =
        std::max(0.0, In.DmDel + In.DmDelSlope * (In.DmDelClock / In.MemF - 1));
  R.AglDel = In.L2Del * In.L2HitRate + R.DmDelNow * Ratio * Misses; // (5b)
  R.Waves = In.WarpsPerBlock * In.Blocks / (In.ActiveWarps * In.SMs);
  // Issuing and passing through shared memory overlap in part.
  const double OfWarp = std::hypot(In.InstCycle * In.CompInst,
                                   Options.HasPhases ? 0 : In.SharedWavefronts);
  if (In.OItrs > 0) {
    R.AvrInst = In.CompInst / In.OItrs; // (7a)
    R.AvrComp = OfWarp / In.OItrs;      // (7b)
    const double Del = R.AglDel * In.GldTrans;
    if (Options.HasPhases && In.IItrs > 0)
      setPhases(In, Del, R);
    else
      setActive(In, Options, Del, R);
  } else {
    R.TActive = OfWarp * In.ActiveWarps;
  }
  R.TExec = R.TActive * R.Waves; // (6)
  return R;
}

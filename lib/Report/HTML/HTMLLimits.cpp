//===- HTMLLimits.cpp - What each part of a device alone would take -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HTMLLimits.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::html;

static double warpsOf(const KernelCharacteristics &K) {
  return double(K.Launch.blocks()) * double(K.Launch.warpsPerBlock());
}

static double activeSMs(const KernelCharacteristics &K, const Prediction &P) {
  double SMs = P.Point.ActiveSMs != 0 ? P.Point.ActiveSMs : *P.On->NumSMs;
  return std::max(1.0, std::min(SMs, double(K.Launch.blocks())));
}

WarpLatency html::warpAlone(const KernelCharacteristics &K,
                            const Prediction &P) {
  return P.Warp ? *P.Warp : findWarpLatency({K, *P.On});
}

std::vector<PartTime> html::partTimes(const KernelCharacteristics &K,
                                      const Prediction &P) {
  const Device &D = *P.On;
  double SMs = activeSMs(K, P), WarpsPerSM = warpsOf(K) / SMs;
  std::vector<PartTime> Parts;
  auto Add = [&](StringRef Name, double Cycles) {
    if (double Us = Cycles / P.CoreMHz; std::isfinite(Us) && Us > 0)
      Parts.push_back({Name.str(), Us});
  };

  Add("issue slots", K.Instructions.Value * WarpsPerSM / *D.Schedulers);
  auto AddPipe = [&](StringRef Name, const Quantity &Lanes,
                     std::initializer_list<OpClass> Classes) {
    double Number = 0;
    for (OpClass C : Classes)
      Number += K.byClass(C).Value;
    if (Lanes)
      Add(Name, Number * WarpsPerSM * *D.WarpSize / *Lanes);
  };
  AddPipe("fp32 units", D.FP32Lanes, {OpClass::Fp32});
  AddPipe("integer units", D.IntLanes,
          {OpClass::Int, OpClass::Compare, OpClass::Logic});
  AddPipe("fp64 units", D.FP64Lanes, {OpClass::Fp64});
  AddPipe("fp16 units", D.FP16Lanes, {OpClass::Fp16});
  AddPipe("special functions", D.SFULanes, {OpClass::Sfu});
  AddPipe("conversions", D.ConvertLanes, {OpClass::Convert});

  double Passes = 0, SectorsToL2 = 0;
  for (const MemoryCharacteristics &M : K.Memory) {
    if (M.Space == AddressSpace::Shared && M.Wavefronts)
      Passes += M.Requests.Value * M.Wavefronts->Value;
    SectorsToL2 += M.Requests.Value * sectorsOf(M).value_or(0);
  }
  if (D.LoadStoreLanes)
    Add("shared memory", Passes * WarpsPerSM * *D.WarpSize / *D.LoadStoreLanes);
  if (D.L2BytesPerSMCycle)
    Add("path to L2",
        SectorsToL2 * SectorBytes * WarpsPerSM / *D.L2BytesPerSMCycle);
  // Cycles, so that all go the same way: a byte a nanosecond is 1 GB/s.
  double BytesPerCycle = bandwidthOf(P) * 1e3 / P.CoreMHz;
  bool KnowsL2 = P.Caches && P.Caches->L2;
  Add(KnowsL2 ? "memory, without L2" : "device memory",
      requestedBytes(K) / BytesPerCycle);
  if (KnowsL2)
    Add("memory, with L2's hits", dramBytes(K, P) / BytesPerCycle);
  if (P.Occ.BlocksPerSM != 0)
    Add("latency",
        warpAlone(K, P).Cycles.Value *
            std::ceil(double(K.Launch.blocks()) / (SMs * P.Occ.BlocksPerSM)));
  return Parts;
}

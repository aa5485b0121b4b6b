//===- SpeedOfLight.cpp - How near a kernel comes to peaks ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/SpeedOfLight.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include "ptxpredict/Model/TensorRate.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

std::optional<double> ptxpredict::sectorsOf(const MemoryCharacteristics &M) {
  const bool IsDevice = M.Space == AddressSpace::Global ||
                        M.Space == AddressSpace::Local ||
                        M.Space == AddressSpace::Generic;
  if (!IsDevice || !M.Sectors)
    return std::nullopt;
  return M.Sectors->Value;
}

static double warpsOf(const LaunchConfig &L) {
  return double(L.blocks()) * double(L.warpsPerBlock());
}

double ptxpredict::requestedBytes(const KernelCharacteristics &K) {
  double Sectors = 0;
  for (const MemoryCharacteristics &M : K.Memory)
    Sectors += M.Requests.Value * sectorsOf(M).value_or(0);
  return Sectors * SectorBytes * warpsOf(K.Launch);
}

double ptxpredict::dramBytes(const KernelCharacteristics &K,
                             const Prediction &P) {
  if (const auto Sectors = P.term("DRAM_sectors"))
    return *Sectors * SectorBytes;
  const double Hits = P.Caches && P.Caches->L2 ? P.Caches->L2->Value : 0;
  return requestedBytes(K) * (1 - Hits);
}

double ptxpredict::bandwidthOf(const Prediction &P) {
  if (P.Point.BandwidthGBs > 0)
    return P.Point.BandwidthGBs;
  return *P.On->DRAMBandwidth * P.MemMHz / *P.On->MemoryMHz;
}

namespace {

/// Instructions of a warp by what they do, and the lanes that do them.
struct PipeOf {
  StringRef Name;
  SchedClass Plain, Fused, Divide;
  Quantity Device::*Lanes;
};
constexpr PipeOf FloatPipes[] = {
    {"fp32", SchedClass::FP32, SchedClass::FP32FMA, SchedClass::FP32Divide,
     &Device::FP32Lanes},
    {"fp64", SchedClass::FP64, SchedClass::FP64FMA, SchedClass::FP64Divide,
     &Device::FP64Lanes},
};

} // namespace

std::optional<SpeedOfLight>
ptxpredict::speedOfLight(const KernelCharacteristics &K, const Prediction &P) {
  if (!P.On || P.On->IsCPU || !P.TimeUs || !(P.TimeUs->Value > 0) ||
      !std::isfinite(P.TimeUs->Value))
    return std::nullopt;
  const Device &D = *P.On;
  const double Warps = warpsOf(P.Launch ? *P.Launch : K.Launch);
  const double SMs = P.Point.ActiveSMs != 0 ? P.Point.ActiveSMs : *D.NumSMs;
  const double Nanoseconds = P.TimeUs->Value * 1e3;
  // Of operations that one SM does in a cycle, GFLOP/s of all.
  const double PerSMCycle = SMs * P.CoreMHz / 1e3;
  auto Rate = [&](StringRef Name, double Ops, double Peak) {
    return PipeRate{Name, Ops, Ops / Nanoseconds, Peak};
  };
  SpeedOfLight S;
  for (const PipeOf &Pipe : FloatPipes) {
    double Flops = 0;
    for (auto [What, Each] :
         {std::pair(Pipe.Plain, 1), {Pipe.Fused, 2}, {Pipe.Divide, 1}})
      if (const auto &N = K.ByWork[unsigned(What)])
        Flops += N->Value * Each;
    const double Lanes = (D.*Pipe.Lanes).Value.value_or(0);
    if (Flops > 0 && Lanes > 0)
      S.Pipes.push_back(
          Rate(Pipe.Name, Flops * *D.WarpSize * Warps, Lanes * 2 * PerSMCycle));
  }
  S.Integers =
      Rate("integer",
           (K.byClass(OpClass::Int).Value + K.byClass(OpClass::Compare).Value +
            K.byClass(OpClass::Logic).Value) *
               *D.WarpSize * Warps,
           D.IntLanes.Value.value_or(0) * PerSMCycle);
  // Matrices of several types share the tensor cores: the peak is that of the
  // mixture.
  double MACs = 0, Cycles = 0;
  for (const TensorWorkCharacteristics &W : K.TensorWork)
    if (const double Each = tensorRate(D, W); Each > 0) {
      MACs += W.MACs.Value;
      Cycles += W.MACs.Value / Each;
    }
  if (MACs > 0)
    S.Pipes.push_back(
        Rate("tensor", 2 * MACs * Warps, 2 * MACs / Cycles * PerSMCycle));
  llvm::stable_sort(S.Pipes, [](const PipeRate &A, const PipeRate &B) {
    return A.share() > B.share();
  });
  S.DRAMBytes = dramBytes(K, P);
  S.DRAMGBs = S.DRAMBytes / Nanoseconds;
  S.DRAMPeak = bandwidthOf(P);
  S.L2Bytes = P.term("L2_sectors").value_or(0) * SectorBytes;
  S.L2Peak = D.L2BytesPerCycle.Value.value_or(0) *
             (D.L2MHz ? *D.L2MHz : P.CoreMHz) / 1e3;
  return S;
}

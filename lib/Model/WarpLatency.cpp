//===- WarpLatency.cpp - How long a warp takes on a device ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/WarpLatency.h"
#include <algorithm>

using namespace ptxpredict;

/// The first of them that the device's file has.
static double firstOf(std::initializer_list<const Quantity *> Quantities) {
  for (const Quantity *Q : Quantities)
    if (*Q)
      return **Q;
  return 0;
}

LatencyTable ptxpredict::latenciesOf(const Device &D) {
  LatencyTable T;
  // A scheduler's share of the lanes takes a warp in so many cycles.
  double Lanes = *D.FP32Lanes;
  if (D.ComputeCapability >= 70) // integers have lanes of their own
    Lanes += D.IntLanes.Value.value_or(0);
  T.Issue = std::max(1.0, *D.WarpSize * *D.Schedulers / Lanes);
  double FP32 = firstOf({&D.FP32Latency, &D.IntLatency});
  double Int = firstOf({&D.IntLatency, &D.FP32Latency});
  T.Cycles.fill(Int);
  T.of(Latency::FP32) = T.of(Latency::FP32FMA) = FP32;
  T.of(Latency::FP16) = T.of(Latency::FP16FMA) =
      firstOf({&D.FP16Latency, &D.FP32Latency});
  double FP64 = firstOf({&D.FP64Latency, &D.FP32Latency});
  for (Latency L : {Latency::FP64, Latency::FP64FMA, Latency::FP64Divide,
                    Latency::FP64Convert})
    T.of(L) = FP64;
  double Special = firstOf({&D.SFULatency, &D.FP32Latency});
  for (Latency L : {Latency::SFU, Latency::FP32Divide, Latency::IntDivide,
                    Latency::IntRemainder, Latency::Convert})
    T.of(L) = Special;
  double Shared = firstOf({&D.SharedLatency, &D.L1Latency, &D.IntLatency});
  for (Latency L : {Latency::Shared, Latency::SharedAtomic, Latency::CrossLane})
    T.of(L) = Shared;
  for (Latency L : {Latency::Global, Latency::Local, Latency::Texture,
                    Latency::GlobalAtomic, Latency::AsyncCopy})
    T.of(L) = *D.DRAMLatency;
  T.of(Latency::Tensor) = T.of(Latency::FP16);
  T.of(Latency::Exit) = 0;
  return T;
}

WarpLatency ptxpredict::findWarpLatency(const KernelCharacteristics &K,
                                        const Device &D) {
  LatencyTable T = latenciesOf(D);
  CriticalPath P = findCriticalPath(K.Dependence.Summary, T,
                                    /*WithWaits=*/true);
  WarpLatency W;
  // No instruction is issued faster, and none waits longer than the slowest
  // other one takes.
  double Slowest = *std::max_element(T.Cycles.begin(), T.Cycles.end());
  const Count &N = K.Instructions;
  W.Cycles = {P.Cycles, weakest(N.How, Status::Estimated),
              std::min(P.Cycles, N.Low * T.Issue),
              std::max(P.Cycles, N.High * (T.Issue + Slowest))};
  W.LoadsInFlight = P.LoadsInFlight;
  W.Waits = longestWaits(K.Dependence.Summary, P.Waits);
  return W;
}

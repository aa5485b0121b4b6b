//===- WarpLatency.cpp - How long a warp takes on a device ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/WarpLatency.h"
#include "OnDeviceCache.h"
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
  T.of(SchedClass::FP32) = T.of(SchedClass::FP32FMA) = FP32;
  T.of(SchedClass::FP16) = T.of(SchedClass::FP16FMA) =
      firstOf({&D.FP16Latency, &D.FP32Latency});
  double FP64 = firstOf({&D.FP64Latency, &D.FP32Latency});
  for (SchedClass L : {SchedClass::FP64, SchedClass::FP64FMA,
                       SchedClass::FP64Divide, SchedClass::FP64Convert})
    T.of(L) = FP64;
  double Special = firstOf({&D.SFULatency, &D.FP32Latency});
  for (SchedClass L :
       {SchedClass::SFU, SchedClass::FP32Divide, SchedClass::IntDivide,
        SchedClass::IntRemainder, SchedClass::Convert})
    T.of(L) = Special;
  double Shared = firstOf({&D.SharedLatency, &D.L1Latency, &D.IntLatency});
  for (SchedClass L :
       {SchedClass::Shared, SchedClass::SharedAtomic, SchedClass::CrossLane})
    T.of(L) = Shared;
  for (SchedClass L :
       {SchedClass::Global, SchedClass::Local, SchedClass::Texture,
        SchedClass::GlobalAtomic, SchedClass::AsyncCopy, SchedClass::BulkCopy})
    T.of(L) = *D.DRAMLatency;
  T.of(SchedClass::Tensor) = T.of(SchedClass::FP16);
  T.of(SchedClass::Exit) = 0;
  return T;
}

static WarpLatency estimateWarpLatency(const KernelCharacteristics &K,
                                       const Device &D) {
  LatencyTable T = latenciesOf(D);
  CriticalPath P = findCriticalPath(K.Dependence.Summary, T,
                                    /*WithWaits=*/true);
  WarpLatency W;
  // No instruction is issued faster, and none waits longer than the slowest
  // other one takes.
  double Slowest = *std::max_element(T.Cycles.begin(), T.Cycles.end());
  const Estimate &N = K.Instructions;
  W.Cycles = {P.Cycles, weakest(N.Status, Status::Estimated),
              std::min(P.Cycles, N.Low * T.Issue),
              std::max(P.Cycles, N.High * (T.Issue + Slowest))};
  W.LoadsInFlight = P.LoadsInFlight;
  W.Waits = longestWaits(K.Dependence.Summary, P.Waits);
  return W;
}

WarpLatency ptxpredict::findWarpLatency(const KernelOnDevice &On) {
  OnDeviceCache &Cache = On.cache();
  std::lock_guard<std::recursive_mutex> Lock(Cache.Mutex);
  if (!Cache.Warp)
    Cache.Warp = estimateWarpLatency(On.Kernel, On.Dev);
  return *Cache.Warp;
}

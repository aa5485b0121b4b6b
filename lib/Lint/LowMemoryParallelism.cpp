//===- LowMemoryParallelism.cpp - Waiting for few loads at a time ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

/// Loads in flight under which a warp waits for "few", and those that the fix
/// is taken to have: what unrolling a loop four times gives.
static constexpr double Few = 2, Enough = 4;

static bool waitsForMemory(const Prediction &P) {
  // MWP-CWP's first case, every warp waiting at once, goes by several names.
  return llvm::is_contained({"memory-latency", "occupancy", "launch"},
                            P.Limiter);
}

static bool isOfMemory(const PathCharacteristics &P) {
  return llvm::is_contained({Latency::Global, Latency::Local, Latency::Texture,
                             Latency::GlobalAtomic, Latency::AsyncCopy},
                            P.What);
}

void ptxpredict::checkLowMemoryParallelism(const Rule &R, LintContext &C) {
  const DependenceCharacteristics &D = C.kernel().Dependence;
  const Count InFlight = D.MemoryParallelism;
  if (D.RoundTrips.Value <= 0 || InFlight.Value >= Few)
    return;
  auto There = llvm::find_if(
      C.devices(), [](const KernelThere &K) { return waitsForMemory(K.Now); });
  if (There == C.devices().end())
    return;
  std::vector<PathCharacteristics> Waits =
      findWarpLatency(C.kernel(), There->dev()).Waits;
  auto Wait = llvm::find_if(Waits, isOfMemory);
  Finding F = Wait == Waits.end() ? C.start(R)
                                  : C.start(R, {Wait->Line, Wait->Source, {}});
  F.Message = "a warp waits " + countText(D.RoundTrips) +
              (shortNumber(D.RoundTrips.Value) == "1" ? " time" : " times") +
              " for memory with " + countText(InFlight) +
              (shortNumber(InFlight.Value) == "1" ? " load" : " loads") +
              " in flight, and warps" + onDevice(C, *There) +
              " are too few to hide it";
  F.add("memory_parallelism", InFlight.Value);
  F.add("round_trips", D.RoundTrips.Value);
  F.add("mstr", D.MSTR.Value);
  if (Wait != Waits.end())
    F.add("share_of_waiting", Wait->Share, There->name());
  F.Help = "start several independent loads before the first one is used: "
           "unroll the loop, load the next element ahead, or give a thread "
           "several elements";
  C.price(F, [&](KernelVariant &V) {
    DependenceCharacteristics &Fixed = V.dependence();
    double Times = std::max(1.0, Enough / InFlight.Value);
    Fixed.MemoryParallelism = InFlight.scaled(Times);
    Fixed.MSTR = Fixed.MSTR.scaled(std::max(1.0, Enough / D.MSTR.Value));
    Fixed.RoundTrips = Fixed.RoundTrips.scaled(1 / Times);
    Fixed.WaitShare /= Times;
  });
  // A model may take the requests in flight and not let them change the time of
  // kernels such as this: then it does not price them.
  if (F.bestGain() == 0.0)
    F.Gains.clear();
  C.report(std::move(F));
}

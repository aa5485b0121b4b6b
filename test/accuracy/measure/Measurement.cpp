//===- Measurement.cpp - What the steps share -----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Measurement.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace ptxpredict;
using namespace ptxpredict::measure;

namespace {
/// When a block began and ended: core cycles of its SM, and nanoseconds.
struct Span {
  int64_t Begin, End;
  uint64_t BeginNs, EndNs;
};
} // namespace

std::vector<void *> BenchmarkArguments::pointers() {
  return {&Spans, &Out, &In, &Rounds, &A, &B, &Map};
}

Expected<cuda::Function> Measurement::kernel(StringRef File, StringRef Name) {
  return G.kernel(O.Folder + "/measure/ptx/" + File.str() + ".ptx", Name);
}

Expected<Taken> Measurement::measure(StringRef File, StringRef Name,
                                     const LaunchExtents &Shape,
                                     BenchmarkArguments Arguments,
                                     llvm::function_ref<Error()> Before) {
  constexpr unsigned Runs = 5, WarmUps = 1;
  Expected<cuda::Function> F = kernel(File, Name);
  if (!F)
    return F.takeError();
  const unsigned Blocks = Shape.Grid[0];
  Expected<DeviceMemory> Spans = G.allocate(sizeof(Span) * Blocks, "clocks");
  if (!Spans)
    return Spans.takeError();
  Expected<DeviceMemory> Out =
      G.allocate(size_t(8) * Blocks * Shape.Block[0], "results");
  if (!Out)
    return Out.takeError();
  Arguments.Spans = Spans->address();
  Arguments.Out = Out->address();
  std::vector<void *> Pointers = Arguments.pointers();
  if (Error E = G.prepare(*F, Shape))
    return E;

  Taken Best;
  std::vector<Span> Read(Blocks);
  for (unsigned I = 0; I != WarmUps + Runs; ++I) {
    if (Error E = Before())
      return E;
    if (Error E = G.launch(*F, Shape, Pointers.data()))
      return E;
    if (Error E = G.synchronize(Name))
      return E;
    if (Error E = G.read(Read.data(), Spans->address(), sizeof(Span) * Blocks))
      return E;
    double Longest = 0;
    for (const Span &S : Read)
      Longest = std::max(Longest, double(S.End - S.Begin));
    if (I >= WarmUps && (Best.Cycles == 0 || Longest < Best.Cycles))
      Best.Cycles = Longest;
  }
  if (Best.Cycles <= 0)
    return failure(Name + " took no cycle of the clock");
  Expected<double> MHz = coreMHz();
  if (!MHz)
    return MHz.takeError();
  Best.CoreMHz = *MHz;
  return Best;
}

Expected<double> Measurement::coreMHz() {
  Expected<cuda::Function> F = kernel("arithmetic.sm_61", "busy");
  if (!F)
    return F.takeError();
  Expected<DeviceMemory> Spans = G.allocate(sizeof(Span), "clocks");
  if (!Spans)
    return Spans.takeError();
  BenchmarkArguments Arguments;
  Arguments.Spans = Spans->address();
  Arguments.A = 1 << 21;
  LaunchExtents Shape;
  Shape.Block[0] = 32;
  Span S = {};
  std::vector<void *> Pointers = Arguments.pointers();
  if (Error E = G.launch(*F, Shape, Pointers.data()))
    return E;
  if (Error E = G.synchronize("a busy loop"))
    return E;
  if (Error E = G.read(&S, Spans->address(), sizeof(Span)))
    return E;
  if (S.EndNs <= S.BeginNs || S.End <= S.Begin)
    return failure("the clocks do not run");
  return double(S.End - S.Begin) / double(S.EndNs - S.BeginNs) * 1000;
}

bool measure::runsOn(StringRef Target, unsigned Capability) {
  if (!Target.consume_front("sm_"))
    return false;
  unsigned Number = 0;
  if (Target.consumeInteger(10, Number))
    return false;
  if (Target == "a")
    return Number == Capability;
  if (Target == "f")
    return Number <= Capability && Number / 10 == Capability / 10;
  return Number <= Capability;
}

std::vector<Step> measure::allSteps(const Options &O, unsigned Capability,
                                    unsigned NumGPUs,
                                    std::vector<Step> Kernels) {
  std::vector<Step> Steps;
  if (O.PowerSeconds > 0)
    addIdlePower(Steps);
  addTableSteps("arithmetic", Capability, Steps);
  addMemorySteps(O, Steps);
  addLaunchSteps(O, Steps);
  addTransferSteps(NumGPUs, Steps);
  for (const char *Group :
       {"tensor", "transfer", "shared", "atomics", "barriers", "mixes"})
    addTableSteps(Group, Capability, Steps);
  std::move(Kernels.begin(), Kernels.end(), std::back_inserter(Steps));
  if (O.PowerSeconds > 0)
    addPowerSteps(Capability, Steps);
  addTableSteps("operations", Capability, Steps);
  addMemorySweeps(Steps);
  addLaunchSweeps(Steps);
  return Steps;
}

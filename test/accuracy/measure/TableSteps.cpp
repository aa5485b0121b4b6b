//===- TableSteps.cpp - Benchmarks that one launch decides ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Benchmarks.h"
#include "Measurement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace ptxpredict;
using namespace ptxpredict::measure;
using llvm::Twine;

llvm::ArrayRef<Benchmark> measure::benchmarks() {
  static constexpr Benchmark All[] = {
#define BENCHMARK(GROUP, NAME, UNIT, FILE, KERNEL, RULE, ...)                  \
  {GROUP, NAME, UNIT, FILE, KERNEL, BenchmarkRule::RULE, __VA_ARGS__},
#include "Benchmarks.inc"
  };
  return All;
}

StringRef Benchmark::target() const {
  return StringRef(File).rsplit('.').second;
}

/// Two dimensions of 16-bit elements, eight boxes to a row, all of them dense.
static Error encodeBoxes(const Measurement &S, const Benchmark &B,
                         unsigned Blocks, cuda::Pointer Memory,
                         cuda::TensorMap &Map) {
  constexpr int UInt16 = 1, NoInterleave = 0, Zeros = 0, Promote128 = 2;
  constexpr unsigned BoxesInARow = 8;
  const CudaDriver &D = S.G.driver();
  if (!D.TensorMapEncodeTiled)
    return failure(
        "the driver has no cuTensorMapEncodeTiled, which copies of boxes "
        "need; it comes with release 12.0 of CUDA");
  const uint64_t Rows = (B.A + 1) / BoxesInARow * B.BoxOuter * Blocks;
  const uint64_t Dims[] = {uint64_t(B.BoxInner) * BoxesInARow, Rows};
  const uint64_t Strides[] = {Dims[0] * 2};
  const unsigned Box[] = {B.BoxInner, B.BoxOuter}, Steps[] = {1, 1};
  const int Swizzle = B.BoxInner == 64 ? 3 : 0; // rows of 128 bytes
  return S.G.check(D.TensorMapEncodeTiled(&Map, UInt16, 2, Memory, Dims,
                                          Strides, Box, Steps, NoInterleave,
                                          Swizzle, Promote128, Zeros),
                   "a tensor map");
}

static Error run(Measurement &S, const Benchmark &B) {
  LaunchExtents Shape;
  Shape.Grid[0] = B.Grid ? B.Grid : S.G.facts().SMs / B.Cluster * B.Cluster;
  if (Shape.Grid[0] == 0)
    return failure("a cluster of " + Twine(B.Cluster) +
                   " blocks needs as many SMs");
  if (B.DynamicShared > S.G.facts().SharedPerBlock)
    return failure("it takes " + Twine(B.DynamicShared) +
                   " bytes of shared memory; a block has at most " +
                   Twine(S.G.facts().SharedPerBlock));
  Shape.Block[0] = B.Threads;
  Shape.Cluster[0] = B.Cluster;
  Shape.DynamicShared = B.DynamicShared;
  BenchmarkArguments Arguments;
  Arguments.Rounds = B.Rounds;
  Arguments.A = B.A;
  Arguments.B = B.B;
  DeviceMemory In;
  if (B.InBytes) {
    Expected<DeviceMemory> Memory =
        S.G.allocate(size_t(B.InBytes) * Shape.Grid[0], B.Name);
    if (!Memory)
      return Memory.takeError();
    In = std::move(*Memory);
    Arguments.In = In.address();
  }
  if (B.BoxInner)
    if (Error E = encodeBoxes(S, B, Shape.Grid[0], In.address(), Arguments.Map))
      return E;
  Expected<Taken> T = S.measure(B.File, B.Kernel, Shape, Arguments);
  if (!T)
    return T.takeError();
  double Value = T->Cycles / B.Work;
  if (B.Rule == BenchmarkRule::PerCycle)
    Value = B.Work / T->Cycles;
  else if (B.Rule == BenchmarkRule::AllPerWork)
    Value /= Shape.Grid[0];
  S.Out.result(B.Name, B.Unit, Value, T->CoreMHz);
  return Error::success();
}

void measure::addTableSteps(StringRef Group, unsigned Capability,
                            std::vector<Step> &Steps) {
  for (const Benchmark &B : benchmarks()) {
    if (Group != B.Group)
      continue;
    const bool Runs = runsOn(B.target(), Capability);
    Step New{B.Name, Group.str(), [&B](Measurement &S) { return run(S, B); },
             Runs ? "" : "it needs " + B.target().str()};
    // Of several for one result the last one that runs counts.
    auto Other = llvm::find_if(
        Steps, [&](const Step &Old) { return Old.Name == New.Name; });
    if (Other == Steps.end())
      Steps.push_back(std::move(New));
    else if (Runs)
      *Other = std::move(New);
  }
}

//===- LaunchSteps.cpp - Launches, blocks, and the board's power ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Benchmarks.h"
#include "Measurement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <chrono>
#include <thread>

using namespace ptxpredict;
using namespace ptxpredict::measure;

namespace {

constexpr const char *ArithmeticFile = "arithmetic.sm_61";

/// The microseconds of \p Count launches of a kernel that gets \p Rounds; the
/// fastest of a few runs.
Expected<double> launches(Measurement &S, StringRef Kernel,
                          const LaunchExtents &Shape, unsigned Rounds,
                          unsigned Count) {
  constexpr unsigned Samples = 5;
  Expected<cuda::Function> F = S.kernel(ArithmeticFile, Kernel);
  if (!F)
    return F.takeError();
  Expected<DeviceMemory> Out =
      S.G.allocate(size_t(8) * Shape.Block[0], "results");
  if (!Out)
    return Out.takeError();
  BenchmarkArguments Arguments;
  Arguments.Out = Out->address();
  Arguments.Rounds = Rounds;
  std::vector<void *> Pointers = Arguments.pointers();
  Expected<Times> T = S.G.time(
      Samples, 1, Count, [] { return Error::success(); },
      [&] { return S.G.launch(*F, Shape, Pointers.data()); });
  if (!T)
    return T.takeError();
  return T->Least * Count;
}

LaunchExtents shape(unsigned Blocks, unsigned Threads) {
  LaunchExtents Shape;
  Shape.Grid[0] = Blocks;
  Shape.Block[0] = Threads;
  return Shape;
}

/// The difference of two grids of empty blocks, so that starting the kernel is
/// not in it.
Error dispatch(Measurement &S, unsigned MHz) {
  constexpr unsigned Few = 1 << 17, Many = 1 << 20;
  if (MHz && !S.G.management().lockCore(MHz))
    return failure("the core clock cannot be locked at " + Twine(MHz) +
                   " MHz; that takes an administrator's rights");
  Expected<double> Short = launches(S, "empty", shape(Few, 32), 0, 1);
  if (!Short)
    return Short.takeError();
  Expected<double> Long = launches(S, "empty", shape(Many, 32), 0, 1);
  if (!Long)
    return Long.takeError();
  Expected<double> Clock = S.coreMHz();
  if (MHz) // as the other steps have it
    (void)S.G.management().lockCore(S.O.CoreMHz.front());
  if (!Clock)
    return Clock.takeError();
  if (*Long <= *Short)
    return failure("more blocks took no longer");
  S.Out.result("rate.dispatch", "blocks/cycle",
               (Many - Few) / (*Long - *Short) / *Clock, *Clock);
  return Error::success();
}

Error launchTime(Measurement &S) {
  constexpr unsigned Count = 2000;
  Expected<double> Us = launches(S, "empty", shape(1, 32), 0, Count);
  if (!Us)
    return Us.takeError();
  S.Out.result("time.launch", "us", *Us / Count);
  return Error::success();
}

/// From the call to the return of a launch that is waited for, on the host.
Error launchAndWait(Measurement &S) {
  constexpr unsigned Count = 200;
  Expected<cuda::Function> F = S.kernel(ArithmeticFile, "empty");
  if (!F)
    return F.takeError();
  BenchmarkArguments Arguments;
  std::vector<void *> Pointers = Arguments.pointers();
  const LaunchExtents One = shape(1, 32);
  const auto Begin = std::chrono::steady_clock::now();
  for (unsigned I = 0; I != Count; ++I) {
    if (Error E = S.G.launch(*F, One, Pointers.data()))
      return E;
    if (Error E = S.G.synchronize("an empty kernel"))
      return E;
  }
  const std::chrono::duration<double, std::micro> Took =
      std::chrono::steady_clock::now() - Begin;
  S.Out.result("time.launch_and_wait", "us", Took.count() / Count);
  return Error::success();
}

/// Kernels that work on with the whole GPU, by the class of what they do.
struct Load {
  const char *Name, *File, *Kernel;
};
constexpr Load Loads[] = {
    {"fp32", "arithmetic.sm_61", "rate_fp32"},
    {"int", "arithmetic.sm_61", "rate_int"},
    {"fp64", "arithmetic.sm_61", "rate_fp64"},
    {"fp16", "arithmetic.sm_61", "rate_fp16"},
    {"sfu", "arithmetic.sm_61", "rate_sfu"},
    {"tensor", "mma.sm_75", "rate_f16_f32_m16n8k8"},
    {"tensor", "mma.sm_80", "rate_f16_f32_m16n8k16"},
    {"wgmma", "wgmma.sm_90a", "rate_f16_f32_n256_2"},
    {"tcgen05", "tcgen05.sm_100a", "rate_tcgen05_f16_f32_m128n256"},
    {"tcgen05", "tcgen05.sm_103a", "rate_tcgen05_f16_f32_m128n256"},
    {"shared", "memory.sm_61", "shared_loads1"},
    {"l2", "memory.sm_61", "reads_l2"},
    {"dram", "memory.sm_61", "stream_read"},
};

Error power(Measurement &S, const Load &L) {
  constexpr unsigned MoreRounds = 16;
  const bool IsStream = StringRef(L.Name) == "dram";
  const size_t L2 = S.G.facts().L2Bytes;
  unsigned Vectors = 1;
  while (size_t(2) * Vectors * 16 <= (IsStream ? 16 * L2 : L2 / 4))
    Vectors *= 2;
  Expected<cuda::Function> F = S.kernel(L.File, L.Kernel);
  if (!F)
    return F.takeError();
  // As the table launches it, but with more rounds.
  const Benchmark *Row = llvm::find_if(benchmarks(), [&](const Benchmark &B) {
    return StringRef(B.File) == L.File && StringRef(B.Kernel) == L.Kernel;
  });
  LaunchExtents Shape = shape(S.G.facts().SMs, 1024);
  BenchmarkArguments Arguments;
  Arguments.Rounds = 64 * MoreRounds;
  Arguments.A = Vectors;
  Arguments.B = 1;
  if (Row != benchmarks().end()) {
    Shape.Block[0] = Row->Threads;
    Shape.DynamicShared = Row->DynamicShared;
    Arguments.Rounds = Row->Rounds * MoreRounds;
    // Ones: products of zeros take less.
    Arguments.A = StringRef(L.Name) == "tensor" ? 0x3c003c00 : Row->A;
    Arguments.B = Row->B;
  }
  if (IsStream)
    Shape = shape(
        S.G.facts().SMs * std::max(S.G.facts().ThreadsPerSM / 256, 1U), 256);
  Expected<DeviceMemory> Memory =
      S.G.allocate(size_t(Vectors) * 16, "what is read");
  if (!Memory)
    return Memory.takeError();
  Expected<DeviceMemory> Spans =
      S.G.allocate(size_t(40) * Shape.Grid[0] * Shape.Block[0], "results");
  if (!Spans)
    return Spans.takeError();
  Arguments.In = Memory->address();
  Arguments.Spans = Spans->address();
  Arguments.Out = Spans->address() + size_t(32) * Shape.Grid[0];
  std::vector<void *> Pointers = Arguments.pointers();
  if (Error E = S.G.prepare(*F, Shape))
    return E;
  Expected<Gpu::Readings> R = S.G.watch(
      S.O.PowerSeconds, [&] { return S.G.launch(*F, Shape, Pointers.data()); });
  if (!R)
    return R.takeError();
  if (R->Watts <= 0)
    return failure("the power cannot be read");
  S.Out.result("power." + std::string(L.Name), "W", R->Watts, R->CoreMHz,
               R->MemoryMHz);
  return Error::success();
}

Error idlePower(Measurement &S) {
  constexpr unsigned Readings = 10;
  double Watts = 0;
  for (unsigned I = 0; I != Readings; ++I) {
    std::this_thread::sleep_for(
        std::chrono::duration<double>(S.O.PowerSeconds / Readings));
    Watts += S.G.management().watts() / Readings;
  }
  if (Watts <= 0)
    return failure("the power cannot be read");
  S.Out.result("power.idle", "W", Watts, S.G.management().coreMHz(),
               S.G.management().memoryMHz());
  return Error::success();
}

} // namespace

void measure::addLaunchSteps(const Options &O, std::vector<Step> &Steps) {
  Steps.push_back({"time.launch", "launch", launchTime, ""});
  Steps.push_back({"time.launch_and_wait", "launch", launchAndWait, ""});
  if (O.CoreMHz.empty())
    Steps.push_back({"rate.dispatch", "launch",
                     [](Measurement &S) { return dispatch(S, 0); }, ""});
  for (unsigned MHz : O.CoreMHz)
    Steps.push_back({"rate.dispatch." + std::to_string(MHz) + "MHz", "launch",
                     [MHz](Measurement &S) { return dispatch(S, MHz); }, ""});
}

void measure::addLaunchSweeps(std::vector<Step> &Steps) {
  // Blocks of which an SM holds one more than before, up to a second round.
  constexpr unsigned Threads = 512, MostBlocks = 9, Rounds = 256;
  for (unsigned Blocks = 1; Blocks <= MostBlocks; ++Blocks) {
    std::string Name = "time.waves." + std::to_string(Blocks) + "blocks";
    Steps.push_back({Name, "sweeps",
                     [Name, Blocks](Measurement &S) -> Error {
                       Expected<double> Us = launches(
                           S, "work", shape(Blocks * S.G.facts().SMs, Threads),
                           Rounds, 1);
                       if (!Us)
                         return Us.takeError();
                       S.Out.result(Name, "us", *Us);
                       return Error::success();
                     },
                     ""});
  }
  Steps.push_back({"time.waves.one_block_more", "sweeps",
                   [](Measurement &S) -> Error {
                     const unsigned PerSM = S.G.facts().ThreadsPerSM / Threads;
                     Expected<double> Us = launches(
                         S, "work", shape(PerSM * S.G.facts().SMs + 1, Threads),
                         Rounds, 1);
                     if (!Us)
                       return Us.takeError();
                     S.Out.result("time.waves.one_block_more", "us", *Us);
                     return Error::success();
                   },
                   ""});
}

void measure::addIdlePower(std::vector<Step> &Steps) {
  Steps.push_back({"power.idle", "power", idlePower, ""});
}

void measure::addPowerSteps(unsigned Capability, std::vector<Step> &Steps) {
  for (const Load &L : Loads) {
    std::string Name = "power." + std::string(L.Name);
    StringRef Target = StringRef(L.File).rsplit('.').second;
    const bool Runs = runsOn(Target, Capability);
    Step New{Name, "power", [&L](Measurement &S) { return power(S, L); },
             Runs ? "" : "it needs " + Target.str()};
    auto Other =
        llvm::find_if(Steps, [&](const Step &Old) { return Old.Name == Name; });
    if (Other == Steps.end())
      Steps.push_back(std::move(New));
    else if (Runs)
      *Other = std::move(New);
  }
}

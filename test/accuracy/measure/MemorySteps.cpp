//===- MemorySteps.cpp - Caches and device memory -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What is read, and so its size, depends on the device's caches.
//===----------------------------------------------------------------------===//
#include "Measurement.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>
#include <random>

using namespace ptxpredict;
using namespace ptxpredict::measure;

namespace {

constexpr size_t Line = 128, VectorBytes = 16;
constexpr const char *MemoryFile = "memory.sm_61";

/// Lines in an order that no prefetcher knows: each holds the address of the
/// next one.
std::vector<uint64_t> makeLinks(size_t Bytes, cuda::Pointer First) {
  const size_t Lines = Bytes / Line;
  std::vector<size_t> Order(Lines);
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::mt19937_64 Random(1); // NOLINT: the same order each time
  std::shuffle(Order.begin() + 1, Order.end(), Random);
  std::vector<uint64_t> Links(Bytes / sizeof(uint64_t));
  for (size_t I = 0; I != Lines; ++I)
    Links[Order[I] * (Line / sizeof(uint64_t))] =
        First + Order[(I + 1) % Lines] * Line;
  return Links;
}

/// Cycles of a load that follows another one, over so many bytes. What fits in
/// L2 is there before the clock runs; otherwise nothing of it is, so that no
/// run finds what a former one left.
Error chase(Measurement &S, StringRef Name, const char *Kernel, size_t Bytes) {
  constexpr unsigned Rounds = 256, LoadsPerRound = 16;
  const size_t L2 = S.G.facts().L2Bytes;
  Expected<size_t> Free = S.G.freeBytes();
  if (!Free)
    return Free.takeError();
  Bytes = std::min(Bytes, *Free / 4) / Line * Line;
  const bool Fits = Bytes <= L2;
  Expected<DeviceMemory> Memory = S.G.allocate(Bytes, "pointers");
  if (!Memory)
    return Memory.takeError();
  Expected<DeviceMemory> Other =
      S.G.allocate(Fits ? 1 : std::min(4 * L2, *Free / 4), "what L2 takes in");
  if (!Other)
    return Other.takeError();
  const std::vector<uint64_t> Links = makeLinks(Bytes, Memory->address());
  if (Error E = S.G.write(Memory->address(), Links.data(), Bytes))
    return E;
  LaunchExtents One;
  BenchmarkArguments Arguments;
  Arguments.In = Memory->address();
  Arguments.Rounds = Rounds;
  Arguments.A = Fits ? unsigned(Bytes / Line) : 16;
  auto Overwrite = [&]() -> Error {
    if (Fits)
      return Error::success();
    return S.G.check(S.G.driver().MemsetD8(Other->address(), 0, Other->size()),
                     "overwriting L2");
  };
  Expected<Taken> T = S.measure(MemoryFile, Kernel, One, Arguments, Overwrite);
  if (!T)
    return T.takeError();
  S.Out.result(Name, "cycles", T->Cycles / (Rounds * LoadsPerRound), T->CoreMHz,
               S.G.management().memoryMHz());
  return Error::success();
}

/// Bytes a core cycle of \p Blocks blocks together, or for each of them.
Error readParts(Measurement &S, StringRef Name, const char *Kernel,
                unsigned Blocks, size_t BytesPerPart, unsigned Parts,
                unsigned Rounds, bool PerBlock) {
  constexpr unsigned Threads = 1024, LoadsPerRound = 8;
  Expected<DeviceMemory> Memory =
      S.G.allocate(BytesPerPart * Parts, "what is read");
  if (!Memory)
    return Memory.takeError();
  LaunchExtents Shape;
  Shape.Grid[0] = Blocks;
  Shape.Block[0] = Threads;
  BenchmarkArguments Arguments;
  Arguments.In = Memory->address();
  Arguments.Rounds = Rounds;
  Arguments.A = unsigned(BytesPerPart / VectorBytes);
  Arguments.B = Parts;
  Expected<Taken> T = S.measure(MemoryFile, Kernel, Shape, Arguments);
  if (!T)
    return T.takeError();
  const double Bytes =
      double(Threads) * Rounds * LoadsPerRound * VectorBytes / T->Cycles;
  S.Out.result(Name, "bytes/cycle", PerBlock ? Bytes : Bytes * Blocks,
               T->CoreMHz);
  return Error::success();
}

Error readTexture(Measurement &S, StringRef Name) {
  constexpr unsigned Words = 2048, Threads = 1024, Rounds = 256;
  constexpr int LinearMemory = 2, Floats = 0x20;
  Expected<DeviceMemory> Memory = S.G.allocate(4 * Words, "a texture");
  if (!Memory)
    return Memory.takeError();
  cuda::ResourceDescription Resource = {};
  Resource.Kind = LinearMemory;
  Resource.Of.Linear = {Memory->address(), Floats, 1, Memory->size()};
  const cuda::TextureDescription Texture = {};
  cuda::TextureObject Object = 0;
  if (Error E = S.G.check(
          S.G.driver().TexObjectCreate(&Object, &Resource, &Texture, nullptr),
          "a texture"))
    return E;
  LaunchExtents Shape;
  Shape.Grid[0] = S.G.facts().SMs;
  Shape.Block[0] = Threads;
  BenchmarkArguments Arguments;
  Arguments.In = Object;
  Arguments.Rounds = Rounds;
  Expected<Taken> T = S.measure(MemoryFile, "textures", Shape, Arguments);
  (void)S.G.driver().TexObjectDestroy(Object);
  if (!T)
    return T.takeError();
  S.Out.result(Name, "lanes/cycle", double(Threads) * Rounds * 8 / T->Cycles,
               T->CoreMHz);
  return Error::success();
}

/// Streams through far more than L2 holds, by so many blocks of an SM; 0: as
/// many as it has room for.
Error stream(Measurement &S, StringRef Name, const char *Kernel,
             unsigned Arrays, unsigned BlocksPerSM) {
  constexpr unsigned Threads = 256, Samples = 5;
  Expected<size_t> Free = S.G.freeBytes();
  if (!Free)
    return Free.takeError();
  const size_t Bytes =
      std::min<size_t>(
          {*Free / 4, size_t(8) << 30,
           std::max<size_t>(size_t(256) << 20, 16 * S.G.facts().L2Bytes)}) /
      VectorBytes * VectorBytes;
  Expected<DeviceMemory> Memory = S.G.allocate(Bytes * Arrays, "streams");
  if (!Memory)
    return Memory.takeError();
  Expected<DeviceMemory> Out = S.G.allocate(VectorBytes, "a sum");
  if (!Out)
    return Out.takeError();
  Expected<cuda::Function> F = S.kernel(MemoryFile, Kernel);
  if (!F)
    return F.takeError();
  LaunchExtents Shape;
  Shape.Grid[0] =
      S.G.facts().SMs *
      (BlocksPerSM ? BlocksPerSM
                   : std::max(S.G.facts().ThreadsPerSM / Threads, 1U));
  Shape.Block[0] = Threads;
  BenchmarkArguments Arguments;
  Arguments.Out = Out->address();
  Arguments.In = Memory->address();
  Arguments.A = unsigned(Bytes / VectorBytes);
  std::vector<void *> Pointers = Arguments.pointers();
  Expected<Times> T = S.G.time(
      Samples, 1, 1, [] { return Error::success(); },
      [&] { return S.G.launch(*F, Shape, Pointers.data()); });
  if (!T)
    return T.takeError();
  S.Out.result(Name, "GB/s", double(Bytes) * Arrays / T->Least / 1e3, 0,
               S.G.management().memoryMHz());
  return Error::success();
}

Error chaseDRAM(Measurement &S) {
  return chase(S, "latency.dram", "chase_l2",
               std::max<size_t>(256 << 20, 4 * S.G.facts().L2Bytes));
}

/// Latency and bandwidth of device memory at a pair of clocks; 0: that which
/// the other steps have.
Error atClocks(Measurement &S, unsigned CoreMHz, unsigned MemoryMHz) {
  Management &Board = S.G.management();
  const bool IsLocked =
      (!CoreMHz || Board.lockCore(CoreMHz)) && Board.lockMemory(MemoryMHz);
  const std::string Core = CoreMHz ? std::to_string(CoreMHz) + " and " : "";
  Error E = IsLocked ? chaseDRAM(S)
                     : failure("the clocks cannot be locked at " + Core +
                               Twine(MemoryMHz) +
                               " MHz; that takes an administrator's rights");
  if (!E)
    E = stream(S, "dram.copy", "stream_copy", 2, 0);
  // As the other steps have it.
  if (CoreMHz)
    (void)Board.lockCore(S.O.CoreMHz.front());
  (void)Board.lockMemory(S.O.MemoryMHz.front());
  return E;
}

size_t powerOfTwoUpTo(size_t Bytes) {
  return size_t(1) << llvm::Log2_64(std::max<size_t>(Bytes, 1));
}

} // namespace

void measure::addMemorySteps(const Options &O, std::vector<Step> &Steps) {
  auto Add = [&](std::string Name, std::function<Error(Measurement &)> Run) {
    Steps.push_back({std::move(Name), "memory", std::move(Run), ""});
  };
  Add("latency.l1", [](Measurement &S) {
    return chase(S, "latency.l1", "chase_l1", 8 << 10);
  });
  Add("latency.l2", [](Measurement &S) {
    return chase(S, "latency.l2", "chase_l2",
                 std::max<size_t>(256 << 10, S.G.facts().L2Bytes / 8));
  });
  Add("latency.dram", chaseDRAM);
  Add("dram.copy", [](Measurement &S) {
    return stream(S, "dram.copy", "stream_copy", 2, 0);
  });
  Add("dram.read", [](Measurement &S) {
    return stream(S, "dram.read", "stream_read", 1, 0);
  });
  Add("dram.triad", [](Measurement &S) {
    return stream(S, "dram.triad", "stream_triad", 3, 0);
  });
  Add("bandwidth.l1", [](Measurement &S) {
    return readParts(S, "bandwidth.l1", "reads_l1", S.G.facts().SMs, 16 << 10,
                     S.G.facts().SMs, 128, true);
  });
  // Past L1, which ld.global.cg may find what it holds in: all SMs over one
  // part that fits in half of L2, then one SM over four times an L1.
  Add("bandwidth.l2", [](Measurement &S) {
    return readParts(
        S, "bandwidth.l2", "reads_l2", S.G.facts().SMs,
        powerOfTwoUpTo(std::min<size_t>(S.G.facts().L2Bytes / 2, 8 << 20)), 1,
        256, false);
  });
  Add("bandwidth.l2_to_sm", [](Measurement &S) {
    return readParts(S, "bandwidth.l2_to_sm", "reads_l2", 1, 1 << 20, 1, 256,
                     false);
  });
  Add("bandwidth.read_only", [](Measurement &S) {
    return readParts(S, "bandwidth.read_only", "reads_nc", S.G.facts().SMs,
                     16 << 10, S.G.facts().SMs, 128, true);
  });
  Add("rate.texture",
      [](Measurement &S) { return readTexture(S, "rate.texture"); });
  for (unsigned Memory : O.MemoryMHz)
    for (unsigned Core :
         O.CoreMHz.empty() ? std::vector<unsigned>{0} : O.CoreMHz)
      Add("clocks." + (Core ? std::to_string(Core) + "x" : "") +
              std::to_string(Memory) + "MHz",
          [Core, Memory](Measurement &S) { return atClocks(S, Core, Memory); });
}

void measure::addMemorySweeps(std::vector<Step> &Steps) {
  constexpr unsigned LargestKiB = 64 << 10;
  for (unsigned KiB : {4, 32, 64, 128}) {
    std::string Name = "bandwidth.l1." + std::to_string(KiB) + "KiB";
    Steps.push_back({Name, "sweeps",
                     [Name, KiB](Measurement &S) {
                       return readParts(S, Name, "reads_l1", S.G.facts().SMs,
                                        size_t(KiB) << 10, S.G.facts().SMs, 128,
                                        true);
                     },
                     ""});
  }
  for (unsigned Blocks : {1, 2, 4})
    for (const auto &[Which, Arrays] :
         {std::pair("read", 1U), std::pair("copy", 2U),
          std::pair("triad", 3U)}) {
      std::string Name = std::string("dram.") + Which + "." +
                         std::to_string(Blocks * 8) + "warps";
      Steps.push_back({Name, "sweeps",
                       [Name, Which = std::string(Which), Arrays = Arrays,
                        Blocks](Measurement &S) {
                         return stream(S, Name, ("stream_" + Which).c_str(),
                                       Arrays, Blocks);
                       },
                       ""});
    }
  for (unsigned KiB = 4; KiB <= LargestKiB; KiB *= 2) {
    std::string Name = "latency.chase." + std::to_string(KiB) + "KiB";
    Steps.push_back({Name, "sweeps",
                     [Name, KiB](Measurement &S) {
                       return chase(S, Name, "chase_l1", size_t(KiB) << 10);
                     },
                     ""});
  }
}

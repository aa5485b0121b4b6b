//===- EmulatorBenchmarks.cpp - The speed of emulated kernels -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Emulate/KERNEL/THREADS: items are thread instructions. Buffers are made and
// filled outside the timing.
//===----------------------------------------------------------------------===//
#include "Inputs.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "ptxpredict/Emulator/Core/Emulator.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include <benchmark/benchmark.h>

using namespace ptxpredict;
using namespace ptxpredict::bench;
using benchmark::State;

namespace {
struct EmulatedKernel {
  const char *File;   ///< of test/accuracy/ptx
  const char *Launch; ///< a launch file; a run takes some tenths of a second
};
} // namespace

static const EmulatedKernel Kernels[] = {
    {"matmul_tiled", R"(launches:
  - kernel: matmulTiled
    grid: 16x16
    block: 16x16
    args: {0: {buffer: a}, 1: {buffer: b}, 2: {buffer: c}, 3: 256, 4: 256, 5: 256}
    buffers:
      a: {type: f32, count: 64Ki, fill: {random: 1}}
      b: {type: f32, count: 64Ki, fill: {random: 2}}
      c: {type: f32, count: 64Ki}
)"},
    {"saxpy", R"(launches:
  - kernel: saxpy
    grid: 256
    block: 256
    args: {0: 1Mi, 1: 2.5, 2: {buffer: x}, 3: {buffer: y}}
    buffers:
      x: {type: f32, count: 1Mi, fill: iota}
      y: {type: f32, count: 1Mi, fill: iota}
)"},
    {"transpose", R"(launches:
  - kernel: transposePadded
    grid: 32x32
    block: 32x8
    args: {0: {buffer: in}, 1: {buffer: out}, 2: 1024, 3: 1024}
    buffers:
      in: {type: f32, count: 1Mi, fill: iota}
      out: {type: f32, count: 1Mi}
)"},
    {"mandelbrot", R"(launches:
  - kernel: mandelbrot
    grid: 32x32
    block: 16x8
    args: {0: {buffer: out}, 1: 512, 2: 256, 3: -2.2, 4: -1.2, 5: 0.00625, 6: 200}
    buffers:
      out: {type: u16, count: 128Ki}
)"},
};

static void emulate(State &S, const EmulatedKernel &K, bool Check) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(
      readSource((Twine("test/accuracy/ptx/") + K.File + ".ptx").str()),
      K.File));
  std::unique_ptr<ptx::AST> Tree = ptx::parse(Diags);
  std::unique_ptr<Module> M = ptx::lower(*Tree, Diags);
  require(M != nullptr, "the kernel is not read");
  DiagnosticEngine LaunchDiags(
      llvm::MemoryBuffer::getMemBuffer(K.Launch, "launch"));
  LaunchFile File;
  require(!parseLaunchFile(LaunchDiags, File), "the launch file is wrong");
  const LaunchFileEntry &Entry = File.Launches.front();
  const InstructionGraph *G = M->function(Entry.Kernel);
  require(G != nullptr, "there is no such kernel");
  std::vector<Assumption> Assumptions;
  LaunchConfig Launch = resolveLaunch(*G, Entry.Spec, Assumptions);
  EmulationOptions Options;
  Options.Jobs = unsigned(S.range(0));
  Options.Check = Check;
  uint64_t Instructions = 0;
  for (auto _ : S) {
    S.PauseTiming();
    Emulation E(*G, Launch, Options);
    for (const auto &[Name, Spec] : Entry.Buffers)
      require(!E.addBuffer(Name, Spec, ""), "a buffer is not made");
    S.ResumeTiming();
    Expected<EmulationResult> R = E.run();
    require(!!R && !R->Fault && R->Problems.empty(), "the kernel fails");
    for (const InstructionProfile &I : R->Profile.Instructions)
      Instructions += I.Lanes;
  }
  S.SetItemsProcessed(int64_t(Instructions));
}

void bench::addEmulatorBenchmarks() {
  for (const EmulatedKernel &K : Kernels)
    for (bool Check : {false, true})
      benchmark::RegisterBenchmark(
          (Twine("Emulate/") + (Check ? "check/" : "") + K.File).str().c_str(),
          [&K, Check](State &S) { emulate(S, K, Check); })
          ->Arg(1)
          ->Arg(2)
          ->MeasureProcessCPUTime()
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
}

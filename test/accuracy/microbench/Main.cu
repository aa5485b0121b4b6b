//===- Main.cu - Runs the microbenchmarks -----------------------*- CUDA
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   microbench [GROUP...]            prints the results of the groups, or of
//   all microbench --steady CLASS SECONDS microbench --list groups, then
//   classes
//
// `run` builds it, calls it and writes the file of results (docs/commands/Calibrate.md).
//
//===----------------------------------------------------------------------===//
#include "Bench.h"
#include <algorithm>
#include <cstring>

using namespace microbench;

/// As long as the timer needs: on some devices it ticks once a microsecond.
static __global__ void clockKernel(Span *Spans, long long Cycles) {
  begin(Spans);
  const long long From = clock64();
  while (clock64() - From < Cycles)
    ;
  end(Spans);
}

double microbench::coreMHz() {
  Buffer<Span> Spans(1);
  clockKernel<<<1, 32>>>(Spans.get(), 1 << 21);
  require(cudaDeviceSynchronize(), "a kernel");
  const Span S = Spans.read().front();
  return double(S.End - S.Begin) / double(S.EndNs - S.BeginNs) * 1000;
}

Taken microbench::measure(unsigned Blocks,
                          const std::function<void(Span *)> &Launch) {
  constexpr int Runs = 5;
  Buffer<Span> Spans(Blocks);
  Taken Best;
  for (int I = 0; I < Runs + 1; ++I) {
    Launch(Spans.get());
    require(cudaGetLastError(), "a launch");
    require(cudaDeviceSynchronize(), "a kernel");
    Taken Now;
    for (const Span &S : Spans.read())
      Now.Cycles = std::max(Now.Cycles, double(S.End - S.Begin));
    if (I == 0) // warms up
      continue;
    if (Best.Cycles == 0 || Now.Cycles < Best.Cycles)
      Best = Now;
  }
  Best.CoreMHz = coreMHz();
  return Best;
}

double microbench::milliseconds(const std::function<void()> &Launch, int Runs) {
  cudaEvent_t Begin, End;
  require(cudaEventCreate(&Begin), "cudaEventCreate");
  require(cudaEventCreate(&End), "cudaEventCreate");
  float Best = 0;
  for (int I = 0; I < Runs + 1; ++I) {
    require(cudaEventRecord(Begin), "cudaEventRecord");
    Launch();
    require(cudaGetLastError(), "a launch");
    require(cudaEventRecord(End), "cudaEventRecord");
    require(cudaEventSynchronize(End), "a kernel");
    float Ms = 0;
    require(cudaEventElapsedTime(&Ms, Begin, End), "cudaEventElapsedTime");
    if (I != 0 && (Best == 0 || Ms < Best))
      Best = Ms;
  }
  cudaEventDestroy(Begin);
  cudaEventDestroy(End);
  return Best;
}

namespace {

struct Group {
  const char *Name;
  void (*Run)(Bench &);
};
const Group Groups[] = {
    {"latency", runLatencies}, {"throughput", runThroughputs},
    {"caches", runCaches},     {"dram", runDeviceMemory},
    {"shared", runShared},     {"atomics", runAtomics},
    {"control", runControl},   {"dispatch", runDispatch},
};

/// One flow mapping a line, as in the file of results but for the memory clock,
/// which `run` knows.
void print(const Bench &B) {
  for (const Result &R : B.Results) {
    std::printf("{name: %s, value: %.6g, unit: \"%s\"", R.Name.c_str(), R.Value,
                R.Unit.c_str());
    if (R.CoreMHz > 0)
      std::printf(", core_mhz: %.5g", R.CoreMHz);
    std::printf("}\n");
  }
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc > 1 && std::strcmp(Argv[1], "--list") == 0) {
    for (const Group &G : Groups)
      std::printf("%s\n", G.Name);
    for (const std::string &Class : steadyClasses())
      std::printf("--steady %s\n", Class.c_str());
    return 0;
  }
  Bench B;
  require(cudaGetDeviceProperties(&B.Properties, 0), "no GPU");
  if (Argc == 4 && std::strcmp(Argv[1], "--steady") == 0)
    return runSteadily(B, Argv[2], std::atof(Argv[3])) ? 0 : 2;
  for (const Group &G : Groups)
    if (Argc == 1 || std::any_of(Argv + 1, Argv + Argc, [&](const char *Name) {
          return std::strcmp(Name, G.Name) == 0;
        })) {
      Bench Own;
      Own.Properties = B.Properties;
      G.Run(Own);
      print(Own);
      std::fflush(stdout);
    }
  return 0;
}

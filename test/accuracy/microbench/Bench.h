//===- Bench.h - What the microbenchmarks share ----------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MICROBENCH_BENCH_H
#define PTXPREDICT_MICROBENCH_BENCH_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <string>
#include <vector>

namespace microbench {

/// One line of the results.
struct Result {
  std::string Name, Unit;
  double Value = 0;
  double CoreMHz = 0; ///< while it was measured; 0 if it was not read
};

/// When a block began and ended: core cycles of its SM, and nanoseconds.
struct Span {
  long long Begin, End;
  unsigned long long BeginNs, EndNs;
};

inline void require(cudaError_t Status, const char *What) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "microbench: error: %s: %s\n", What,
               cudaGetErrorString(Status));
  std::exit(2);
}

/// Memory of the device, freed at the end.
template <typename T>
class Buffer {
public:
  explicit Buffer(size_t Count) : Count(Count) {
    require(cudaMalloc(&Data, Count * sizeof(T)), "cudaMalloc");
    require(cudaMemset(Data, 0, Count * sizeof(T)), "cudaMemset");
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() { cudaFree(Data); }
  T *get() const { return Data; }
  size_t size() const { return Count; }
  void set(const std::vector<T> &From) {
    require(cudaMemcpy(Data, From.data(), From.size() * sizeof(T),
                       cudaMemcpyHostToDevice),
            "cudaMemcpy");
  }
  std::vector<T> read() const {
    std::vector<T> To(Count);
    require(
        cudaMemcpy(To.data(), Data, Count * sizeof(T), cudaMemcpyDeviceToHost),
        "cudaMemcpy");
    return To;
  }

private:
  T *Data = nullptr;
  size_t Count;
};

/// The device, and where results go.
struct Bench {
  cudaDeviceProp Properties{};
  std::vector<Result> Results;

  unsigned sms() const { return unsigned(Properties.multiProcessorCount); }
  int capability() const { return Properties.major * 10 + Properties.minor; }
  size_t l2Bytes() const { return size_t(Properties.l2CacheSize); }
  void add(const std::string &Name, const char *Unit, double Value,
           double CoreMHz = 0) {
    Results.push_back({Name, Unit, Value, CoreMHz});
  }
};

/// Cycles that blocks took, the longest, and the clock that they ran at.
struct Taken {
  double Cycles = 0, CoreMHz = 0;
};

/// Launches \p Launch, which fills the spans of \p Blocks blocks, a few times;
/// the fastest run counts. The clock is that of coreMHz() right after it.
Taken measure(unsigned Blocks, const std::function<void(Span *)> &Launch);

/// The core clock under load, by a run that is long enough for the timer.
double coreMHz();

/// Milliseconds of \p Launch by events, the fastest of a few runs.
double milliseconds(const std::function<void()> &Launch, int Runs = 5);

// One file each.
void runLatencies(Bench &B);
void runThroughputs(Bench &B);
void runCaches(Bench &B);
void runDeviceMemory(Bench &B);
void runShared(Bench &B);
void runAtomics(Bench &B);
void runControl(Bench &B);
void runDispatch(Bench &B);

/// Runs kernels of one class for so long, for somebody who reads the power.
/// False if there is no such class.
bool runSteadily(const Bench &B, const std::string &Class, double Seconds);
/// Their names.
std::vector<std::string> steadyClasses();

#ifdef __CUDACC__

/// Blocks begin together with their last warp and end with it.
__device__ inline void begin(Span *Spans) {
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mov.u64 %0, %%globaltimer;"
                 : "=l"(Spans[blockIdx.x].BeginNs));
    Spans[blockIdx.x].Begin = clock64();
  }
  __syncthreads();
}
__device__ inline void end(Span *Spans) {
  __syncthreads();
  if (threadIdx.x == 0) {
    Spans[blockIdx.x].End = clock64();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(Spans[blockIdx.x].EndNs));
  }
}

#endif // __CUDACC__

} // namespace microbench

#endif // PTXPREDICT_MICROBENCH_BENCH_H

//===- Shared.cu - Shared memory: latency, width, conflicts -----*- CUDA
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Bench.h"
#include <cstdint>

using namespace microbench;

namespace {

constexpr int Rounds = 128, Unroll = 16, Threads = 1024;
constexpr unsigned Words = 8192; ///< of a block's shared memory

__device__ unsigned sharedAddress(const void *P) {
  return unsigned(__cvta_generic_to_shared(P));
}

/// Volatile, so that equal loads are not joined.
template <int WordsPerLane>
__device__ float load(unsigned At) {
  float V[4] = {};
  if (WordsPerLane == 1)
    asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(V[0]) : "r"(At));
  else if (WordsPerLane == 2)
    asm volatile("ld.volatile.shared.v2.f32 {%0, %1}, [%2];"
                 : "=f"(V[0]), "=f"(V[1])
                 : "r"(At));
  else
    asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(V[0]), "=f"(V[1]), "=f"(V[2]), "=f"(V[3])
                 : "r"(At));
  return V[0];
}

/// A lane's first word is its number times \p Stride.
template <int WordsPerLane>
__global__ void loadKernel(Span *Spans, float *Out, unsigned Stride) {
  __shared__ alignas(16) float Memory[Words];
  for (unsigned I = threadIdx.x; I < Words; I += blockDim.x)
    Memory[I] = float(I);
  const unsigned At =
      sharedAddress(Memory) + (threadIdx.x % 32 * Stride) % Words * 4;
  float Sum = 0;
  begin(Spans);
#pragma unroll 1
  for (int I = 0; I < Rounds; ++I)
#pragma unroll
    for (int J = 0; J < Unroll; ++J)
      Sum += load<WordsPerLane>(At);
  end(Spans);
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

__global__ void chaseKernel(Span *Spans, unsigned *Out) {
  __shared__ unsigned Memory[Words];
  const unsigned Base = sharedAddress(Memory);
  if (threadIdx.x == 0)
    for (unsigned I = 0; I < Words; ++I)
      Memory[I] = Base + (I + 33) % Words * 4;
  unsigned At = Base;
  begin(Spans);
#pragma unroll 1
  for (int I = 0; I < Rounds; ++I)
#pragma unroll
    for (int J = 0; J < Unroll; ++J)
      asm volatile("ld.volatile.shared.u32 %0, [%0];" : "+r"(At));
  end(Spans);
  Out[0] = At;
}

/// Cycles of a load of all warps of a full SM.
template <int WordsPerLane>
double cyclesPerLoad(Bench &B, unsigned Stride, Taken &T) {
  Buffer<float> Out(size_t(B.sms()) * Threads);
  T = measure(B.sms(), [&](Span *Spans) {
    loadKernel<WordsPerLane><<<B.sms(), Threads>>>(Spans, Out.get(), Stride);
  });
  return T.Cycles / (double(Rounds) * Unroll * (Threads / 32));
}

} // namespace

void microbench::runShared(Bench &B) {
  Buffer<unsigned> Out(1);
  Taken T = measure(
      1, [&](Span *Spans) { chaseKernel<<<1, 32>>>(Spans, Out.get()); });
  B.add("latency.shared", "cycles", T.Cycles / (Rounds * Unroll), T.CoreMHz);

  double Cycles = cyclesPerLoad<1>(B, 1, T);
  B.add("bandwidth.shared.32bit", "bytes/cycle", 128 / Cycles, T.CoreMHz);
  B.add("rate.shared", "wavefronts/cycle", 1 / Cycles, T.CoreMHz);
  Cycles = cyclesPerLoad<2>(B, 2, T);
  B.add("bandwidth.shared.64bit", "bytes/cycle", 256 / Cycles, T.CoreMHz);
  Cycles = cyclesPerLoad<4>(B, 4, T);
  B.add("bandwidth.shared.128bit", "bytes/cycle", 512 / Cycles, T.CoreMHz);
  for (unsigned Ways = 2; Ways <= 32; Ways *= 2) {
    Cycles = cyclesPerLoad<1>(B, Ways, T);
    B.add("cycles.shared.conflict" + std::to_string(Ways), "cycles", Cycles,
          T.CoreMHz);
  }
  Cycles = cyclesPerLoad<1>(B, 0, T);
  B.add("cycles.shared.broadcast", "cycles", Cycles, T.CoreMHz);
  Cycles = cyclesPerLoad<4>(B, 0, T);
  B.add("cycles.shared.broadcast128bit", "cycles", Cycles, T.CoreMHz);
}

//===- Caches.cu - L1 and L2: latency and bandwidth -------------*- CUDA
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Bench.h"
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>

using namespace microbench;

namespace {

constexpr int ChaseSteps = 4096;
constexpr size_t Line = 128;

/// Follows pointers, by L1 or past it.
template <bool ThroughL1>
__global__ void chaseKernel(Span *Spans, uint64_t At, uint64_t *Out, int Warm) {
  for (int I = 0; I < Warm; ++I)
    if (ThroughL1)
      asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(At));
    else
      asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(At));
  begin(Spans);
#pragma unroll 1
  for (int I = 0; I < ChaseSteps / 16; ++I)
#pragma unroll
    for (int J = 0; J < 16; ++J)
      if (ThroughL1)
        asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(At));
      else
        asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(At));
  end(Spans);
  *Out = At;
}

/// Cycles of a load that follows another one, over so many bytes in an order
/// that no prefetcher knows. What fits in L2 is there before the clock runs;
/// else nothing of it is, so that no run finds what a former one left.
template <bool ThroughL1>
Taken chase(const Bench &B, size_t Bytes) {
  const size_t Lines = Bytes / Line;
  std::vector<size_t> Order(Lines);
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::mt19937_64 Random(1);
  std::shuffle(Order.begin() + 1, Order.end(), Random);
  std::vector<uint64_t> Links(Bytes / sizeof(uint64_t));
  Buffer<uint64_t> Memory(Links.size()), Out(1);
  const uint64_t First = reinterpret_cast<uint64_t>(Memory.get());
  for (size_t I = 0; I < Lines; ++I)
    Links[Order[I] * (Line / sizeof(uint64_t))] =
        First + Order[(I + 1) % Lines] * Line;
  Memory.set(Links);
  const bool Fits = Bytes <= B.l2Bytes();
  Buffer<char> Other(Fits ? 1 : 4 * B.l2Bytes());
  const int Warm = Fits ? int(Lines) : 16;
  Taken T = measure(1, [&](Span *Spans) {
    if (!Fits)
      require(cudaMemsetAsync(Other.get(), 0, Other.size()), "cudaMemset");
    chaseKernel<ThroughL1><<<1, 1>>>(Spans, First, Out.get(), Warm);
  });
  T.Cycles /= ChaseSteps;
  return T;
}

/// Ways to load: those of L1, and the path that only reads.
enum class Path { L1, L2, ReadOnly };

template <Path Way>
__device__ float4 load(const float4 *From) {
  float4 V;
  if (Way == Path::L1)
    asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(V.x), "=f"(V.y), "=f"(V.z), "=f"(V.w)
                 : "l"(From));
  else if (Way == Path::L2)
    asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(V.x), "=f"(V.y), "=f"(V.z), "=f"(V.w)
                 : "l"(From));
  else
    asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(V.x), "=f"(V.y), "=f"(V.z), "=f"(V.w)
                 : "l"(From));
  return V;
}

/// Each block reads its part over and over, its threads adjacent vectors.
/// \p Vectors, of a part, is a power of two.
template <Path Way>
__global__ void readKernel(Span *Spans, const float4 *Memory, float *Out,
                           unsigned Vectors, unsigned Parts, int Rounds) {
  const float4 *Part = Memory + size_t(blockIdx.x % Parts) * Vectors;
  float Sum = 0;
  auto Read = [&](int Count) {
    // Blocks that share a part begin at different places of it.
    unsigned At = blockIdx.x * blockDim.x * 8 + threadIdx.x;
#pragma unroll 1
    for (int I = 0; I < Count; ++I) {
#pragma unroll
      for (int J = 0; J < 8; ++J) {
        float4 V = load<Way>(Part + (At & (Vectors - 1)));
        Sum += V.x + V.y + V.z + V.w;
        At += blockDim.x;
      }
    }
  };
  Read(int((Vectors + blockDim.x * 8 - 1) / (blockDim.x * 8)));
  begin(Spans);
  Read(Rounds);
  end(Spans);
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

/// Bytes a core cycle of all blocks together.
template <Path Way>
double readRate(unsigned Blocks, unsigned Threads, size_t BytesPerPart,
                unsigned Parts, int Rounds, Taken &T) {
  const unsigned Vectors = unsigned(BytesPerPart / sizeof(float4));
  Buffer<float4> Memory(size_t(Vectors) * Parts);
  Buffer<float> Out(size_t(Blocks) * Threads);
  T = measure(Blocks, [&](Span *Spans) {
    readKernel<Way><<<Blocks, Threads>>>(Spans, Memory.get(), Out.get(),
                                         Vectors, Parts, Rounds);
  });
  return double(Blocks) * Threads * Rounds * 8 * sizeof(float4) / T.Cycles;
}

size_t powerOfTwoUpTo(size_t Bytes) {
  size_t P = 1;
  while (2 * P <= Bytes)
    P *= 2;
  return P;
}

} // namespace

/// The same by a texture, one word a lane.
static __global__ void textureKernel(Span *Spans, cudaTextureObject_t From,
                                     float *Out, int Rounds) {
  float Sum = 0;
  auto Read = [&](int Count) {
    int At = int(threadIdx.x);
#pragma unroll 1
    for (int I = 0; I < Count; ++I)
#pragma unroll
      for (int J = 0; J < 8; ++J) {
        Sum += tex1Dfetch<float>(From, At & 2047);
        At += int(blockDim.x);
      }
  };
  Read(1);
  begin(Spans);
  Read(Rounds);
  end(Spans);
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

static void runTexture(Bench &B) {
  constexpr int Threads = 1024, Rounds = 256;
  Buffer<float> Memory(2048), Out(size_t(B.sms()) * Threads);
  cudaResourceDesc Resource{};
  Resource.resType = cudaResourceTypeLinear;
  Resource.res.linear.devPtr = Memory.get();
  Resource.res.linear.desc = cudaCreateChannelDesc<float>();
  Resource.res.linear.sizeInBytes = Memory.size() * sizeof(float);
  cudaTextureDesc Texture{};
  Texture.readMode = cudaReadModeElementType;
  cudaTextureObject_t Object = 0;
  require(cudaCreateTextureObject(&Object, &Resource, &Texture, nullptr),
          "cudaCreateTextureObject");
  Taken T = measure(B.sms(), [&](Span *Spans) {
    textureKernel<<<B.sms(), Threads>>>(Spans, Object, Out.get(), Rounds);
  });
  require(cudaDestroyTextureObject(Object), "cudaDestroyTextureObject");
  B.add("rate.texture", "lanes/cycle", double(Threads) * Rounds * 8 / T.Cycles,
        T.CoreMHz);
}

void microbench::runCaches(Bench &B) {
  const size_t L2 = B.l2Bytes();
  Taken T = chase<true>(B, 8 << 10);
  B.add("latency.l1", "cycles", T.Cycles, T.CoreMHz);
  T = chase<false>(B, std::max<size_t>(256 << 10, L2 / 8));
  B.add("latency.l2", "cycles", T.Cycles, T.CoreMHz);
  T = chase<false>(B, std::max<size_t>(256 << 20, 4 * L2));
  B.add("latency.dram", "cycles", T.Cycles, T.CoreMHz);
  for (size_t KiB = 4; KiB <= 64 << 10; KiB *= 2) {
    T = chase<true>(B, KiB << 10);
    B.add("latency.chase." + std::to_string(KiB) + "KiB", "cycles", T.Cycles,
          T.CoreMHz);
  }

  for (size_t KiB : {4, 16, 32, 64, 128}) {
    double Rate = readRate<Path::L1>(B.sms(), 1024, KiB << 10, B.sms(), 128, T);
    B.add("bandwidth.l1." + std::to_string(KiB) + "KiB", "bytes/cycle",
          Rate / B.sms(), T.CoreMHz);
    if (KiB == 16)
      B.add("bandwidth.l1", "bytes/cycle", Rate / B.sms(), T.CoreMHz);
  }
  double Rate =
      readRate<Path::ReadOnly>(B.sms(), 1024, 16 << 10, B.sms(), 128, T);
  B.add("bandwidth.read_only", "bytes/cycle", Rate / B.sms(), T.CoreMHz);

  // Past L1: all SMs over one part that fits in half of L2, then one SM.
  const size_t Part = powerOfTwoUpTo(std::min<size_t>(L2 / 2, 8 << 20));
  Rate = readRate<Path::L2>(B.sms(), 1024, Part, 1, 256, T);
  B.add("bandwidth.l2", "bytes/cycle", Rate, T.CoreMHz);
  Rate = readRate<Path::L2>(1, 1024, 256 << 10, 1, 256, T);
  B.add("bandwidth.l2_to_sm", "bytes/cycle", Rate, T.CoreMHz);
  runTexture(B);
}

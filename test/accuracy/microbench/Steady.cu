//===- Steady.cu - Kernels that run on, to read the power by ----*- CUDA
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Bench.h"
#include "Operations.h"
#include <chrono>
#include <cstring>

using namespace microbench;

namespace {

constexpr int Threads = 256, Chains = 8;

template <typename Operation>
__global__ void arithmetic(typename Operation::Value *Out,
                           typename Operation::Value A,
                           typename Operation::Value B) {
  typename Operation::Value X[Chains];
#pragma unroll
  for (int C = 0; C < Chains; ++C)
    X[C] = A + threadIdx.x + C;
#pragma unroll 1
  for (int I = 0; I < 4096; ++I)
#pragma unroll
    for (int C = 0; C < Chains; ++C)
      Operation::step(X[C], A, B);
  typename Operation::Value Sum = X[0];
#pragma unroll
  for (int C = 1; C < Chains; ++C)
    Sum = Sum + X[C];
  Out[threadIdx.x] = Sum;
}

__global__ void tensor(float *Out, unsigned A) {
  TensorSums X[4];
#pragma unroll
  for (int C = 0; C < 4; ++C)
    X[C] = {{float(threadIdx.x), 1, 2, 3}};
#pragma unroll 1
  for (int I = 0; I < 4096; ++I)
#pragma unroll
    for (int C = 0; C < 4; ++C)
      tensorStep(X[C], A);
  Out[threadIdx.x] = X[0].D[0] + X[1].D[1] + X[2].D[2] + X[3].D[3];
}

__global__ void sharedLoads(float *Out) {
  __shared__ float Memory[Threads];
  Memory[threadIdx.x] = float(threadIdx.x);
  __syncthreads();
  const unsigned At = unsigned(__cvta_generic_to_shared(Memory + threadIdx.x));
  float Sum = 0;
#pragma unroll 8
  for (int I = 0; I < 16384; ++I) {
    float V;
    asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(V) : "r"(At));
    Sum += V;
  }
  Out[threadIdx.x] = Sum;
}

/// Reads \p Vectors, a power of two, over and over, past L1.
__global__ void loads(const float4 *Memory, float *Out, unsigned Vectors) {
  unsigned At = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
#pragma unroll 8
  for (int I = 0; I < 1024; ++I) {
    float4 V;
    asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(V.x), "=f"(V.y), "=f"(V.z), "=f"(V.w)
                 : "l"(Memory + (At & (Vectors - 1))));
    Sum += V.x + V.y + V.z + V.w;
    At += gridDim.x * blockDim.x;
  }
  Out[threadIdx.x] = Sum;
}

} // namespace

std::vector<std::string> microbench::steadyClasses() {
  return {"fp32",   "int",    "fp64", "fp16", "sfu",
          "tensor", "shared", "l2",   "dram"};
}

bool microbench::runSteadily(const Bench &B, const std::string &Class,
                             double Seconds) {
  const unsigned Blocks = 8 * B.sms();
  Buffer<double> Out(Threads);
  size_t Vectors = 1;
  const size_t Bytes = Class == "dram" ? 16 * B.l2Bytes() : B.l2Bytes() / 4;
  while (2 * Vectors * sizeof(float4) <= Bytes)
    Vectors *= 2;
  Buffer<float4> Memory(Vectors);
  auto As = [&](auto Zero) {
    return reinterpret_cast<decltype(Zero) *>(Out.get());
  };
  std::function<void()> Launch;
  if (Class == "fp32")
    Launch = [&] { arithmetic<FP32><<<Blocks, Threads>>>(As(0.0F), 3, 5); };
  else if (Class == "int")
    Launch = [&] { arithmetic<Int><<<Blocks, Threads>>>(As(0U), 3, 5); };
  else if (Class == "fp64")
    Launch = [&] { arithmetic<FP64><<<Blocks, Threads>>>(As(0.0), 3, 5); };
  else if (Class == "fp16")
    Launch = [&] { arithmetic<FP16><<<Blocks, Threads>>>(As(0U), 3, 5); };
  else if (Class == "sfu")
    Launch = [&] { arithmetic<SFU><<<Blocks, Threads>>>(As(0.0F), 3, 5); };
  else if (Class == "tensor")
    Launch = [&] { tensor<<<Blocks, Threads>>>(As(0.0F), 0x3c003c00); };
  else if (Class == "shared")
    Launch = [&] { sharedLoads<<<Blocks, Threads>>>(As(0.0F)); };
  else if (Class == "l2" || Class == "dram")
    Launch = [&] {
      loads<<<Blocks, Threads>>>(Memory.get(), As(0.0F), unsigned(Vectors));
    };
  else
    return false;
  using Clock = std::chrono::steady_clock;
  const auto Begin = Clock::now();
  while (std::chrono::duration<double>(Clock::now() - Begin).count() <
         Seconds) {
    for (int I = 0; I < 20; ++I)
      Launch();
    require(cudaDeviceSynchronize(), Class.c_str());
  }
  return true;
}

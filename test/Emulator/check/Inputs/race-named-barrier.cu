//===- race-named-barrier.cu - A producer arrives early --------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Warp 0 produces, warp 1 consumes: barrier 1 says full, barrier 2 says empty.
template <int Barrier>
__device__ __forceinline__ void arrive() {
  asm volatile("bar.arrive %0, 64;" ::"n"(Barrier) : "memory");
}

template <int Barrier>
__device__ __forceinline__ void wait() {
  asm volatile("bar.sync %0, 64;" ::"n"(Barrier) : "memory");
}

extern "C" __global__ void broken(const int *in, int *out, int steps) {
  __shared__ int item[32];
  unsigned lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
#pragma unroll 1
    for (int k = 0; k < steps; ++k) {
      wait<2>();
      arrive<1>(); // before the item is there
      item[lane] = in[k * 32 + lane];
    }
  } else {
    arrive<2>();
#pragma unroll 1
    for (int k = 0; k < steps; ++k) {
      wait<1>();
      out[k * 32 + lane] = item[31 - lane];
      if (k + 1 < steps)
        arrive<2>();
    }
  }
}

extern "C" __global__ void fixed(const int *in, int *out, int steps) {
  __shared__ int item[32];
  unsigned lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
#pragma unroll 1
    for (int k = 0; k < steps; ++k) {
      wait<2>();
      item[lane] = in[k * 32 + lane];
      arrive<1>();
    }
  } else {
    arrive<2>();
#pragma unroll 1
    for (int k = 0; k < steps; ++k) {
      wait<1>();
      out[k * 32 + lane] = item[31 - lane];
      if (k + 1 < steps)
        arrive<2>();
    }
  }
}

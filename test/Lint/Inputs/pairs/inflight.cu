//===- inflight.cu - One load at a time, and four -------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Count = 256;

extern "C" __global__ void defect(const float *x, float *sums) {
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < Count; ++k)
    sum += x[k * threads + i]; // planted: low-memory-parallelism
  sums[i] = sum;
}

extern "C" __global__ void fixed(const float *x, float *sums) {
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < Count; k += 4) {
    float a = x[k * threads + i], b = x[(k + 1) * threads + i];
    float c = x[(k + 2) * threads + i], d = x[(k + 3) * threads + i];
    asm volatile("" ::"f"(a), "f"(b), "f"(c), "f"(d)); // all four first
    sum += a + b + c + d;
  }
  sums[i] = sum;
}
